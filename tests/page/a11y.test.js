// axe-core on every state of the page, in both themes, at three widths; and what it cannot see: focus, live
// region, forced colours, reduced motion.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { ask, closeAll, drop, launch, openPage, openTable, shown } from './support.js';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

/** Where axe finds fault: rule, help and elements. @param {Page} page @returns {Promise<string[]>} */
async function violations(page) {
  return page.evaluate(async () => {
    const { violations: found } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ['violations'] });
    return found.flatMap((/** @type {any} */ fault) => fault.nodes.map((/** @type {any} */ node) => `${fault.id}: ${fault.help}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`));
  });
}

const GRAPH = {
  tensors: [{ name: 'alpha', bytes: 640 }, { name: 'beta', bytes: 320 }, { name: 'gamma', bytes: 64 }],
  nodes: [{ name: 'CONV_2D', inputs: [0], outputs: [1] }, { name: 'ADD', inputs: [0, 1], outputs: [2] }],
  inputs: [0],
  outputs: [2],
};

/** @param {Page} page @param {Uint8Array} bytes @param {string} name */
async function dropAndWait(page, bytes, name) {
  await drop(page, bytes, name);
  await shown(page, name);
}

const asBytes = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));

/** Each brings the page into a state, from the one before. @type {readonly (readonly [string, (page: Page) => Promise<unknown>])[]} */
const STATES = [
  ['empty', async () => {}],
  ['selected', (page) => page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.selection.selectLargestAtPeak())],
  ['searching', (page) => page.fill('#search', 'op:conv')],
  ['at peak', (page) => openTable(page, 'peak')],
  ['steps', (page) => openTable(page, 'steps')],
  ['problems', (page) => openTable(page, 'problems')],
  [
    'over budget',
    async (page) => {
      await openTable(page, 'tensors');
      await page.fill('#budget', '64K');
      await page.press('#budget', 'Enter');
      await page.waitForSelector('#fit .bad');
    },
  ],
  [
    'what if',
    async (page) => {
      await ask(page, 'planner', 'linear');
      await page.waitForSelector('.delta');
    },
  ],
  ['busy', (page) => page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.set('file', { busy: { stage: 'search', fraction: null, note: '1,000 nodes searched', cancel: () => {} } }))],
  [
    'bad plan',
    async (page) => {
      await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.set('file', { busy: null }));
      await page.click('#welcome >> text=A bad plan');
      await shown(page, 'a bad plan.csv');
      await openTable(page, 'problems');
    },
  ],
  [
    'clash selected, step marked',
    async (page) => {
      await page.waitForSelector('#panel tbody tr');
      await page.click('#panel tbody tr');
      await page.waitForFunction(() => /Clashes with/.test(document.getElementById('details')?.textContent ?? ''));
      await page.click('#mark');
    },
  ],
  ['huge', (page) => dropAndWait(page, new TextEncoder().encode(`id,lower,upper,size,offset\n${Array.from({ length: 20_001 }, (_, i) => `b${i},${i >> 1},${(i >> 1) + 9},64,${(i % 20) * 64}`).join('\n')}`), 'huge.csv')],
  [
    'stepwise',
    async (page) => {
      await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.file.set({ welcome: true }));
      await page.click('#welcome >> text=Stepwise allocation');
      await shown(page, 'dynamic boxes.json');
      await page.click('#walk-start');
      await page.waitForSelector('#walk-next');
    },
  ],
  [
    'failure',
    async (page) => {
      await drop(page, new TextEncoder().encode('not a model'), 'x.tflite');
      await page.waitForSelector('#failure b');
    },
  ],
  ['nothing to plan', (page) => dropAndWait(page, asBytes({ tensors: [], nodes: [], inputs: [], outputs: [] }), 'empty.json')],
  ['menu', (page) => page.click('#export')],
  [
    'help',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.click('#help');
    },
  ],
];

test('axe-core finds nothing in any state, in both themes, at 1440, 700 and 380 px', async (t) => {
  const { page, faults, close } = await openPage(browser);
  await page.evaluate(AXE);
  for (const [state, enter] of STATES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page);
    for (const width of [1440, 700, 380])
      for (const theme of ['light', 'dark'])
        await t.test(`${state}, ${width} px, ${theme}`, async () => {
          await page.setViewportSize({ width, height: 900 });
          await page.evaluate((name) => /** @type {any} */ (globalThis).tensorArena.actions.look.set({ theme: name }), theme);
          assert.deepEqual(await violations(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
        });
  }
  assert.deepEqual(faults, []);
  await close();
});

test('at 320 px and at 200 % nothing is cut off', async () => {
  for (const width of [320, 720]) {
    const { page, close } = await openPage(browser, { width });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  }
});

test('the live line tells of selection, search and plans, and is silent while playing', async () => {
  const { page, close } = await openPage(browser);
  await drop(page, new TextEncoder().encode(JSON.stringify(GRAPH)), 'graph.json');
  await shown(page, 'graph.json');
  const says = (/** @type {RegExp} */ pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('status')?.textContent ?? ''), pattern.source);
  await says(/graph\.json: arena 1,024 B, peak 1,024 B at step 1/);
  await page.focus('#map');
  await page.keyboard.press('ArrowUp');
  await says(/alpha, 640 B, at 0 B, steps 0 to 1/);
  await page.fill('#search', 'ADD');
  await says(/1 of 3 buffers match "ADD"/);
  await page.fill('#search', '>oops');
  await says(/write a number like >16K/);
  await page.fill('#search', '');
  await ask(page, 'planner', 'linear');
  await says(/arena 1,024 B/);
  await close();
});

test('with forced colours and reduced motion the map is still drawn', async () => {
  const { page, faults, close } = await openPage(browser);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.waitForTimeout(400);
  const colours = await page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('base'));
    return new Set(new Uint32Array(/** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  });
  assert.ok(colours > 2);
  assert.deepEqual(faults, []);
  await close();
});

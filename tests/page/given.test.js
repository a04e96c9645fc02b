// Plans that come with their places: sound, clashing, overlapping on purpose, and very long ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { open } from '../../wasm/index.js';
import { buildModel, words } from '../support/model-builder.js';
import { needsShared, sharedModel, sharedPath } from '../support/shared.js';
import { ask, closeAll, commandLine, drop, launch, openPage, openTable, settled, shown, verdict } from './support.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @param {Page} page */
const problems = (page) => page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.head.problems);

/** The colour in the middle between two steps and two addresses, as [red, green, blue]s of a small square. @param {Page} page @param {number} step @param {number} byte */
async function coloursAt(page, step, byte) {
  await settled(page);
  return page.evaluate(
    ([x, y]) => {
      const { chart } = /** @type {any} */ (globalThis).tensorArena;
      const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(20, 20).getContext('2d', { willReadFrequently: true }));
      copy.drawImage(/** @type {HTMLCanvasElement} */ (document.getElementById('base')), 10 - chart.scales.x(x) * chart.ratio, 10 - chart.scales.y(y) * chart.ratio);
      const { data } = copy.getImageData(0, 0, 20, 20);
      return Array.from({ length: data.length / 4 }, (_, i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]]);
    },
    /** @type {const} */ ([step, byte]),
  );
}

const isRed = (/** @type {number[]} */ [red = 0, green = 0, blue = 0]) => red > 150 && green < 90 && blue < 90;

/** @param {number} i @param {string} name @param {number} bytes @param {number} first @param {number} last @param {number} offset */
const buffer = (i, name, bytes, first, last, offset) => ({ tensor: i, subgraph: 0, kind: 'tensor', name, bytes, arena: 'rw', first, last, offset });

/** Says of itself that it is sound. */
const BAD_PLAN = {
  format: 'tensor-arena-plan',
  version: 1,
  source: { kind: 'graph', name: 'a bad plan' },
  runtime: 'tflite',
  planner: 'own',
  subgraph: 0,
  alignment: { arena: 16, tensor: 16 },
  status: 'feasible',
  arena_bytes: 40960,
  persistent_bytes: 0,
  lower_bound_bytes: 24576,
  constant_bytes: 0,
  peak: { step: 2, live_bytes: 24576 },
  steps: 6,
  timeline: [],
  buffers: [buffer(0, 'input', 8192, 0, 1, 0), buffer(1, 'conv1', 16384, 1, 2, 24576), buffer(2, 'conv2', 8192, 2, 3, 28672), buffer(3, 'conv3', 8192, 3, 4, 0), buffer(4, 'output', 4096, 4, 5, 12288)],
  problems: [],
};

test('a plan whose live buffers clash is drawn with both in red, named, and jumped to from its problem', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, encode(JSON.stringify(BAD_PLAN)), 'a bad plan.json');
  await shown(page, 'a bad plan.json');
  const numbers = await verdict(page);
  assert.match(numbers['this plan'] ?? '', /not sound/);
  assert.equal(numbers['best possible'], undefined, 'what overlaps may be below any bound');
  assert.match((await page.textContent('#details')) ?? '', /No lower bound is given: buffers share bytes or lie where they may not/);
  const inside = await coloursAt(page, 2.5, 32768);
  assert.ok(inside.some(isRed) && !inside.every(isRed), 'stripes, through which both show');
  assert.ok(!(await coloursAt(page, 1.5, 26000)).some(isRed), 'no red where nothing clashes');
  // The names stand on the map.
  const written = await page.evaluate(async () => {
    /** @type {string[]} */
    const texts = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      texts.push(text);
      fillText.call(this, text, x, y);
    };
    const { chart } = /** @type {any} */ (globalThis).tensorArena;
    chart.draw('base');
    while (!chart.isSettled) await new Promise(requestAnimationFrame);
    return texts;
  });
  assert.ok(written.includes('conv1 × conv2'), written.join());
  // From afar, the problem brings what is shared into view and selects the first; the second is one click on.
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.look.look({ x0: 3.5, x1: 6, y0: 0, y1: 8000 }));
  await openTable(page, 'problems');
  await page.click('#panel tbody tr >> text=/conv1 and conv2 share bytes 28672..36863/');
  await page.waitForFunction(() => document.querySelector('#details h2')?.textContent === 'conv1');
  const view = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.look.view);
  assert.ok(view.x0 <= 2.5 && view.x1 >= 2.5 && view.y0 <= 32768 && view.y1 >= 32768, JSON.stringify(view));
  assert.match((await page.textContent('#details')) ?? '', /Clashes with.*conv2.*0x7000 to 0x9000/s);
  await page.click('#details >> text=conv2');
  await page.waitForFunction(() => document.querySelector('#details h2')?.textContent === 'conv2');
  assert.deepEqual(faults, []);
  await close();
});

test('a buffer list whose offsets clash is shown as it is, not refused', async () => {
  const { page, faults, close } = await openPage(browser);
  const list = 'id,lower,upper,size,offset\n"p, quoted",1,4,64,0\nq,2,5,64,32\nr,6,8,32,\n';
  await drop(page, encode(list), 'clash.csv');
  await shown(page, 'clash.csv');
  assert.match((await verdict(page))['this plan'] ?? '', /not sound/);
  assert.deepEqual(
    (await problems(page)).map((/** @type {{ code: string, text: string }} */ { code, text }) => [code, text]),
    [
      ['overlap', 'p, quoted and q share bytes 32..63 in steps 2..3.'],
      ['unplaced', '1 of the 3 buffers have no offset, and are not on the map.'],
    ],
  );
  assert.ok((await coloursAt(page, 3, 48)).some(isRed));
  // The same answer from the command line.
  const written = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.file.host.call('text', ['json']));
  assert.equal(JSON.parse(written).buffers.length, 3);
  // One that keeps its places is planned.
  await drop(page, encode('id,lower,upper,size,offset,alias\np,1,4,64,0,\nq,2,5,16,,p+32\n'), 'sound.csv');
  await shown(page, 'sound.csv');
  assert.match((await verdict(page))['this plan'] ?? '', /smallest possible/);
  assert.deepEqual(await problems(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('ids that are no UTF-8 keep nobody waiting: the answer is the command line\'s, in words', async () => {
  const { page, faults, close } = await openPage(browser);
  const list = Uint8Array.from(Buffer.from('id,lower,upper,size,offset,alias\n\xff,0,4,64,,\n\xfe,0,4,64,,\xff+0\na,0,4,64,0,\nb,0,4,64,0,\n', 'latin1'));
  await drop(page, list, 'odd.csv');
  await shown(page, 'odd.csv');
  const texts = (await problems(page)).map((/** @type {{ text: string }} */ { text }) => text);
  assert.equal(texts[0], 'a and b share bytes 0..63 in steps 0..3.');
  assert.deepEqual(faults, []);
  await close();
});

/** Buffers side by side in four lanes, each fifth a view where `views` says so; the last but six starts one lane too low. @param {number} n @param {boolean} views @param {boolean} clash */
function longList(n, views, clash) {
  const rows = Array.from({ length: n }, (_, i) => {
    const isView = views && i % 5 === 4;
    const place = (i % 4) * 64 - (clash && i === n - 7 ? 64 : 0);
    return isView ? `b${i},${i - 1},${i + 2},16,,b${i - 1}+16` : `b${i},${i},${i + 3},64,${Math.max(0, place)}${views ? ',' : ''}`;
  });
  return `id,lower,upper,size,offset${views ? ',alias' : ''}\n${rows.join('\n')}\n`;
}

test('a list of more than 200,000 rows has its problems, with and without views', async () => {
  const { page, faults, close } = await openPage(browser);
  for (const views of [false, true]) {
    const list = longList(200_010, views, true);
    const name = `long-${views}.csv`;
    await page.setInputFiles('#file', { name, mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.waitForFunction((wanted) => document.getElementById('file-name')?.textContent === wanted, name, { timeout: 60_000 });
    const found = await problems(page);
    assert.ok(found.length > 0, 'no problems');
    assert.match(found[0].text, /^b\d+ and b\d+ share bytes \d+\.\.\d+ in steps \d+\.\.\d+\.$/);
    assert.match((await page.textContent('#tab-problems')) ?? '', /[1-9]/);
    await openTable(page, 'problems');
    await page.click('#panel tbody tr >> nth=0');
    await page.waitForFunction(() => /Clashes with/.test(document.getElementById('details')?.textContent ?? ''));
  }
  // A sound one, with views, keeps who shares whose bytes.
  const lanes = Array.from({ length: 200_010 }, (_, i) => (i % 3 === 2 ? `b${i},${i - 1},${i + 1},16,,b${i - 1}+16` : `b${i},${i},${i + 3},64,${(i % 6) * 64},`));
  await page.setInputFiles('#file', { name: 'views.csv', mimeType: 'text/csv', buffer: Buffer.from(`id,lower,upper,size,offset,alias\n${lanes.join('\n')}\n`) });
  await page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'views.csv', null, { timeout: 60_000 });
  assert.deepEqual(await problems(page), []);
  assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.columns.shares[2]), 1);
  assert.match((await page.textContent('#scale')) ?? '', /200,010 buffers/);
  assert.deepEqual(faults, []);
  await close();
});

test('an offline plan that overlaps on purpose is given no bound, anywhere', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '04-person_detect_vela.tflite';
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  const numbers = await verdict(page);
  assert.equal(numbers['best possible'], undefined);
  assert.equal(numbers['this plan'], 'overlaps on purpose');
  assert.doesNotMatch((await page.textContent('#answer')) ?? '', /bound|below|best possible/i);
  assert.doesNotMatch((await page.textContent('#caption')) ?? '', /no plan can be below/i);
  await page.fill('#budget', '60K');
  await page.press('#budget', 'Enter');
  await page.waitForSelector('#fit .bad');
  // What planning anew would need has a bound again.
  await ask(page, 'planner', 'optimal');
  await page.waitForFunction(() => /best possible/.test(document.getElementById('fit')?.textContent ?? ''));
  assert.deepEqual(faults, []);
  await close();
});

test('an offline plan that breaks the rules is called not sound, and given no bound', async () => {
  const { page, faults, close } = await openPage(browser);
  const int8 = { type: 'INT8', shape: [64] };
  const offsets = { OfflineMemoryAllocation: words([0, 1, 2, 100, -1]) };
  await drop(page, buildModel({ tensors: [int8, int8], operators: [{ op: 'RELU', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1], metadata: offsets }), 'crooked.tflite');
  await shown(page, 'crooked.tflite');
  const numbers = await verdict(page);
  assert.match(numbers['this plan'] ?? '', /not sound/);
  assert.equal(numbers['best possible'], undefined);
  assert.match((await page.textContent('#details')) ?? '', /No lower bound is given/);
  assert.ok((await problems(page)).some((/** @type {{ code: string }} */ { code }) => code === 'offline-misaligned'));
  assert.deepEqual(faults, []);
  await close();
});

test('where no step touches what lies in the arena, no step is called the peak', async () => {
  const { page, faults, close } = await openPage(browser);
  const model = buildModel({ tensors: [{ type: 'INT8', shape: [64] }], operators: [], inputs: [], outputs: [] });
  const untouched = 'No step of the run touches what lies in the arena.';
  await drop(page, model, 'untouched.tflite');
  await shown(page, 'untouched.tflite');
  const planner = (await open(model)).planner({ runtime: 'tflm' });
  planner.plan();
  planner.execute();
  assert.ok(planner.text().split('\n').some((line) => line.trim() === untouched), planner.text());
  assert.equal(await page.textContent('#details .say'), untouched);
  assert.deepEqual(faults, []);
  await close();
});

test('fused names are cut at the first, but for the details; the sentence says what the command line says', needsShared, async (t) => {
  const { page, faults, close } = await openPage(browser);
  let fused = 0;
  for (const name of ['10-pretrainedResnet_quant.tflite', '21-okay_nabu.tflite', '37-vww_96_int8.tflite']) {
    await drop(page, sharedModel(name), name);
    await shown(page, name);
    const { out } = commandLine(['plan', sharedPath(`models/${name}`)]);
    const told = /: (.*)\.$/.exec(out.split('\n').find((line) => line.includes('The peak is')) ?? '')?.[1]?.split(/, | and /)[0] ?? '';
    const sentence = (await page.textContent('#caption')) ?? '';
    assert.ok(sentence.includes(told.replace(/ [\d,]+$/, '')), `${sentence} does not name ${told}`);
    assert.doesNotMatch(sentence, /;[^ ]/);
    assert.doesNotMatch((await page.textContent('#panel')) ?? '', /;/);
    assert.doesNotMatch((await page.textContent('#caption')) ?? '', /;[^ ]/);
    const i = await page.evaluate(() => {
      const { facts } = /** @type {any} */ (globalThis).tensorArena.store.state.file;
      return facts.plan.names.findIndex((/** @type {string} */ text, /** @type {number} */ k) => text.includes(';') && facts.isPlaced(k));
    });
    if (i < 0) continue;
    fused++;
    await page.evaluate((k) => /** @type {any} */ (globalThis).tensorArena.actions.selection.select(k), i);
    await page.waitForFunction(() => /;/.test(document.querySelector('#details h2')?.textContent ?? ''));
  }
  t.diagnostic(`${fused} models with fused names`);
  assert.ok(fused > 0);
  assert.deepEqual(faults, []);
  await close();
});

// What a hostile user found: files and clicks that once made the page say what is not so.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { open } from '../../wasm/index.js';
import { needsShared, sharedModel } from '../support/shared.js';
import { closeAll, drop, launch, openPage, shown, verdict } from './support.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
const folder = mkdtempSync(join(tmpdir(), 'tensor-arena-'));
before(async () => {
  browser = await launch();
});
after(async () => {
  await closeAll(browser);
  rmSync(folder, { recursive: true });
});

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** The arena as shown, and of the plan that an export holds. @param {Page} page */
const arenas = (page) =>
  page.evaluate(async () => {
    const { store, actions } = /** @type {any} */ (globalThis).tensorArena;
    const { facts } = store.state.file;
    return { name: facts.model.name, shown: facts.head.arena_bytes, planner: facts.head.planner, exported: JSON.parse(await actions.file.told(facts, 'text', ['json'])).arena_bytes };
  });

/** Saves by the export menu. @param {Page} page @param {RegExp} item */
async function exported(page, item) {
  await page.click('#export');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(`role=menuitem[name=${item}]`)]);
  return /** @type {string} */ (await file.path());
}

test('a what-if asked for while a file opens waits: name, numbers and exports are of one model', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const [a, c] = ['03-person_detect.tflite', '20-face_landmark_with_attention.tflite'];
  await drop(page, sharedModel(c), c);
  await shown(page, c);
  const alone = await arenas(page);
  // As soon as it can be, and a little later.
  for (const delay of [0, 5, 20, 60]) {
    await drop(page, sharedModel(a), a);
    await shown(page, a);
    await drop(page, sharedModel(c), c);
    await page.waitForTimeout(delay);
    await page.evaluate(() => {
      const planner = /** @type {HTMLSelectElement} */ (document.getElementById('planner'));
      planner.value = 'linear';
      planner.dispatchEvent(new Event('change'));
    });
    await shown(page, c);
    await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.question.replan({}));
    const { planner, ...found } = await arenas(page);
    assert.equal(found.name, c);
    assert.equal(found.exported, found.shown);
    if (planner === 'own') assert.equal(found.shown, alone.shown);
    assert.equal(await page.inputValue('#planner'), planner);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('a buffer list whose offsets clash is exported as it is shown, and its HTML starts', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, encode('id,lower,upper,size,offset\na,0,4,10,0\nb,0,3,20,5\n'), 'clash.csv');
  await shown(page, 'clash.csv');
  const { buffers } = JSON.parse(readFileSync(await exported(page, /^JSON/), 'utf8'));
  assert.deepEqual(
    buffers.map((/** @type {any} */ { id, bytes, first, last, offset }) => [id, bytes, first, last, offset]),
    [
      ['a', 10, 0, 3, 0],
      ['b', 20, 0, 2, 5],
    ],
  );
  const saved = join(folder, 'clash.html');
  copyFileSync(await exported(page, /^HTML/), saved);
  const alone = await openPage(browser, { url: pathToFileURL(saved).href });
  assert.deepEqual(await verdict(alone.page), await verdict(page));
  assert.deepEqual(alone.faults, []);
  await alone.close();
  assert.deepEqual(faults, []);
  await close();
});

test('a quote that does not begin a field is a part of it', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, encode('id,lower,upper,size,offset\na"b,0,4,10,0\nc,0,3,20,5\nd,0,3,20,5\n'), 'quote.csv');
  await shown(page, 'quote.csv');
  assert.equal((await verdict(page))['arena'], '25 B');
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.plan.names), ['a"b', 'c', 'd']);
  assert.deepEqual(faults, []);
  await close();
});

/** A plan of 228 bytes. @param {object} [claims]  what it says instead @returns {Uint8Array} */
const plan = (claims = {}) =>
  encode(
    JSON.stringify({
      ...{ format: 'tensor-arena-plan', version: 1, source: { kind: 'tflite', name: 'm' }, runtime: 'tflm', planner: 'own', subgraph: 0, alignment: { arena: 16, tensor: 4 } },
      ...{ status: 'feasible', arena_bytes: 228, persistent_bytes: 0, lower_bound_bytes: 200, constant_bytes: 800, peak: { step: 1, live_bytes: 228 }, steps: 3, timeline: [], problems: [] },
      buffers: [
        { kind: 'tensor', tensor: 0, subgraph: 0, name: 'x', bytes: 128, arena: 'rw', first: 0, last: 1, offset: 0 },
        { kind: 'tensor', tensor: 1, subgraph: 0, name: 'y', bytes: 100, arena: 'rw', first: 1, last: 2, offset: 128 },
      ],
      ...claims,
    }),
  );

test('what a plan file says of itself is held against its buffers', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, plan(), 'sound.json');
  await shown(page, 'sound.json');
  assert.match((await verdict(page))['this plan'] ?? '', /14\.0 % above/);
  assert.match((await page.textContent('#details')) ?? '', /the model itself \(800 B of it constants\)/);
  assert.equal(await page.locator('#kernels, #target').count(), 0, 'nothing to plan it anew with');
  const lies = /** @type {const} */ ([
    [{ status: 'optimal', arena_bytes: 1_000_000, lower_bound_bytes: 10 }, /arena 1,000,000 B; its buffers say 228 B/],
    [{ lower_bound_bytes: 5_000_000 }, /lower bound 5,000,000 B; its buffers say 228 B/],
    [{ status: 'optimal', lower_bound_bytes: 10 }, /lower bound 10 B; its buffers say 228 B/],
    [{ persistent_bytes: 64 }, /persistent arena 64 B; its buffers say 0 B/],
    [{ peak: { step: 0, live_bytes: 9 } }, /peak 9 B; its buffers say 228 B/],
  ]);
  for (const [i, [claims, told]] of lies.entries()) {
    await drop(page, plan(claims), `lie-${i}.json`);
    await shown(page, `lie-${i}.json`);
    const numbers = await verdict(page);
    assert.equal(numbers['arena'], '228 B');
    assert.equal(numbers['peak'], '228 B at step 1');
    assert.match(numbers['this plan'] ?? '', /not sound/);
    assert.equal(numbers['best possible'], undefined);
    const problems = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.problems);
    assert.match(problems[0].text, told);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('what a runtime leaves behind is no lie: marks once reached, and the bound of half a plan', async () => {
  const { page, faults, close } = await openPage(browser);
  const graph = { tensors: [{ bytes: 64 }, { bytes: 64 }, { bytes: 768 }, { bytes: 64 }], inputs: [0], outputs: [3], nodes: [0, 1, 2].map((i) => ({ inputs: [i], outputs: [i + 1] })) };
  const planner = (await open(graph)).planner({ runtime: 'tflite-2018' });
  const claims = async (/** @type {string} */ name) => {
    await drop(page, encode(JSON.stringify(planner.report())), name);
    await shown(page, name);
    const problems = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.problems);
    return problems.filter((/** @type {{ code: string }} */ { code }) => code === 'claim');
  };
  planner.plan();
  assert.deepEqual(await claims('unplanned.json'), []);
  planner.execute(0, 0);
  assert.deepEqual(await claims('half.json'), []);
  planner.execute();
  planner.resetAfter(-1);
  for (const tensor of [0, 1, 2, 3]) planner.resize(tensor, 16);
  planner.execute();
  assert.deepEqual(await claims('mark.json'), []);
  assert.deepEqual(faults, []);
  await close();
});

test('a plan file that is nested too deeply is told so', async () => {
  const { page, faults, close } = await openPage(browser);
  const deep = new TextDecoder().decode(plan()).replace('{', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},`);
  await drop(page, encode(deep), 'deep.json');
  await page.waitForSelector('#failure >> text=/nested too deeply/');
  assert.deepEqual(faults, []);
  await close();
});

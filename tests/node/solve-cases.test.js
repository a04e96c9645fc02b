// What the planner optimal must reach: the reported cases as buffer lists, the exact instances within the
// default node budget, and every real model under every runtime. Every plan is verified.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { needsShared, sharedModels, sharedPath } from '../support/shared.js';

const instance = (/** @type {string} */ name) => readFileSync(sharedPath(`bench/minimalloc/${name}.1048576.csv`), 'utf8');

/** @typedef {{ name: string, bytes: number, first: number, last: number, align?: number, alias?: string, fixed?: number }} Row */

/** @param {Row[]} rows @param {number} align */
function list(rows, align) {
  const lines = rows.map((row) =>
    [row.name, row.first, row.last + 1, row.bytes, row.align ?? align, row.alias ?? '', row.fixed ?? ''].join(','));
  return ['id,lower,upper,size,alignment,alias,fixed', ...lines, ''].join('\n');
}

/** @param {string} text @param {object} [options] */
async function plan(text, options = {}) {
  const planner = (await open(text)).planner(options);
  planner.plan();
  planner.execute();
  const report = planner.report();
  assert.ok((await verify(report)).sound);
  return report;
}

/** @param {any} report @returns {Record<string, number>} */
const offsets = (report) => Object.fromEntries(report.buffers.map((/** @type {any} */ b) => [b.id, b.offset]));

/** @param {string} name @param {Row[]} rows @param {number} arena @param {number} [align] */
function caseOf(name, rows, arena, align = 16) {
  test(`${name}: ${arena} bytes, proved`, async () => {
    const report = await plan(list(rows, align));
    assert.equal(report.arena_bytes, arena);
    assert.equal(report.lower_bound_bytes, arena);
    assert.equal(report.status, 'optimal');
  });
}

/** @type {(name: string, bytes: number, first: number, last: number, more?: object) => Row} */
const row = (name, bytes, first, last, more = {}) => ({ name, bytes, first, last, ...more });

caseOf('K1, free space below the lowest live block', [row('a', 1600, 0, 1), row('b', 1280, 1, 2), row('c', 960, 2, 3)], 2880);
caseOf('K4, a view keeps its root alive', [
  row('x', 64, 0, 0), row('B', 256, 0, 1), row('C', 256, 1, 4, { alias: 'B+0' }), row('D', 256, 2, 3), row('E', 64, 3, 4), row('F', 64, 4, 4),
], 576);
caseOf('K4, views at offsets', [
  row('base', 384, 0, 0), row('v0', 128, 0, 2, { alias: 'base+0' }), row('v1', 128, 0, 4, { alias: 'base+128' }),
  row('v2', 128, 0, 1, { alias: 'base+256' }), row('n', 128, 3, 3),
], 512);
caseOf('K5, an output nobody reads', [row('X', 128, 0, 0), row('Y1', 128, 0, 1), row('Y2', 64, 0, 0), row('Z', 128, 1, 1)], 320);
caseOf('K6, scratch against output', [row('in', 1024, 0, 0), row('out', 1024, 0, 0), row('scratch0', 512, 0, 0)], 2560);
caseOf('K10, one layer sets the peak', [
  row('in', 45000, 0, 0), row('conv1', 1385472, 0, 1), row('pool1', 84480, 1, 2), row('conv2', 71680, 2, 3), row('pool2', 4480, 3, 4),
  row('flat', 4480, 4, 5), row('dense', 256, 5, 6), row('dense3', 12, 6, 7), row('softmax', 12, 7, 7),
], 1469952);
caseOf('K12, tensors that want 64', [row('p', 80, 0, 0, { align: 64 }), row('q', 80, 0, 0, { align: 64 })], 208);
caseOf('K16, zero bytes is not absent', [
  row('a', 0, 0, 0), row('b', 0, 0, 0), row('c', 0, 0, 1), row('m', 0, 0, 1), row('out', 0, 1, 2), row('y', 16, 2, 2),
], 16);
caseOf('K17, weights are not arena', [row('in', 1024, 0, 0), row('out', 1024, 0, 0)], 2048);
caseOf('K9, 16 GiB and one byte more', [row('a', 17179869184, 0, 1), row('b', 17179869185, 1, 2), row('c', 3, 2, 3)], 34359738369, 1);

test('K12: the offsets', async () => {
  const p = offsets(await plan(list([row('p', 80, 0, 0), row('q', 80, 0, 0)], 64)));
  assert.deepEqual(p, { p: 0, q: 128 });
});

/** @template T @param {T[]} items @returns {T[][]} */
function permutations(items) {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

test('K3: 160 bytes, and each buffer at the same offset in all 120 listing orders', async () => {
  const rows = [row('a', 64, 1, 3), row('b', 64, 4, 4), row('c', 48, 3, 4), row('d', 48, 3, 5), row('e', 96, 0, 2)];
  const first = await plan(list(rows, 16));
  assert.deepEqual([first.arena_bytes, first.lower_bound_bytes, first.status], [160, 160, 'optimal']);
  for (const order of permutations(rows)) assert.deepEqual(offsets(await plan(list(order, 16))), offsets(first));
});

test('identical buffers are told apart by their names, not by their lines', async () => {
  const rows = ['w', 'v', 'u', 't', 's'].map((name) => row(name, 8, 0, 3));
  const first = offsets(await plan(list(rows, 1)));
  for (const order of permutations(rows)) assert.deepEqual(offsets(await plan(list(order, 1))), first);
});

test('fixed buffers keep their places, and the others go around them', async () => {
  const report = await plan(list([row('a', 32, 0, 2, { fixed: 32 }), row('b', 32, 0, 1), row('c', 16, 1, 2), row('d', 16, 2, 3)], 16));
  assert.equal(offsets(report).a, 32);
  assert.deepEqual([report.arena_bytes, report.status], [80, 'optimal']);
  const view = await plan(list([row('r', 32, 0, 0), row('v', 16, 0, 3, { alias: 'r+16', fixed: 48 }), row('b', 32, 1, 1)], 16));
  assert.deepEqual(offsets(view), { r: 32, v: 48, b: 0 });
  await assert.rejects(plan(list([row('a', 32, 0, 2, { fixed: 32 }), row('b', 32, 0, 1, { fixed: 48 })], 16)), /"b" is fixed at 48, on bytes where "a" lives: both have bytes 48..63 in steps 0..1; move one/);
  await assert.rejects(plan(list([row('a', 32, 0, 2, { fixed: 8 })], 16)), /no multiple of its alignment 16/);
});

test('a place may be given before solving, and taken back', async () => {
  const graph = {
    tensors: [{ bytes: 64 }, { bytes: 128 }, { bytes: 64 }, { bytes: 32 }],
    nodes: [{ inputs: [0], outputs: [1] }, { inputs: [1], outputs: [2] }, { inputs: [2], outputs: [3] }],
    inputs: [0], outputs: [3],
  };
  const planner = (await open(graph)).planner({ planner: 'optimal' });
  planner.plan();
  planner.fix(1, 16);
  planner.execute();
  assert.equal(planner.layout().offsets[1], 16);
  assert.deepEqual([planner.layout().arenaBytes, planner.summary().status], [208, 'optimal']);
  assert.ok((await verify(planner.report())).sound);
  planner.fix(1, null);
  planner.execute();
  assert.equal(planner.layout().arenaBytes, 192);
  assert.throws(() => planner.fix(1, 6), /no multiple of its alignment/);
  assert.throws(() => planner.fix(9, 0), /no buffer 9/);
  const own = (await open(graph)).planner({ planner: 'own' });
  assert.throws(() => own.fix(1, 16), /only the planner "optimal"/);
});

test('a budget is answered with yes, no and the shortfall', async () => {
  const text = list([row('a', 1600, 0, 1), row('b', 1280, 1, 2), row('c', 960, 2, 3)], 16);
  assert.equal((await plan(text, { budget: 2880 })).fits, true);
  const no = await plan(text, { budget: 2879 });
  assert.deepEqual([no.fits, no.lower_bound_bytes], [false, 2880]);
});

// Full at every step, and yet 15 bytes are needed: no bound on live bytes says so, only the search.
test('a plan above the live bytes is proved', async () => {
  let state = 7;
  const below = (/** @type {number} */ limit) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 12) % limit;
  let above = 0;
  for (let round = 0; round < 40; round++) {
    const load = new Array(20).fill(0);
    /** @type {Row[]} */
    const rows = [];
    for (let step = 0; step < 20; step++) {
      while (load[step] < 14) {
        const bytes = Math.min(1 + below(6), 14 - load[step]);
        const longest = step + 1 + below(7);
        let end = step;
        for (; end < 20 && end < longest && load[end] + bytes <= 14; end++) load[end] += bytes;
        rows.push(row(`r${rows.length}`, bytes, step, end - 1));
      }
    }
    const report = await plan(list(rows, 1));
    assert.equal(report.status, 'optimal');
    if (report.arena_bytes > report.peak.live_bytes) above++;
  }
  assert.ok(above > 0);
});

const instances = { A: 1048576, C: 1039360, F: 1048576, H: 1048576, K: 1048576 };
for (const [name, bytes] of Object.entries(instances)) {
  test(`instance ${name} is proved optimal at ${bytes}`, needsShared, async () => {
    const report = await plan(instance(name));
    assert.deepEqual([report.arena_bytes, report.lower_bound_bytes, report.status], [bytes, bytes, 'optimal']);
  });
}

for (const name of ['D', 'J']) {
  test(`instance ${name} fits 1048576 bytes`, needsShared, async () => {
    const report = await plan(instance(name), { budget: 1048576 });
    assert.equal(report.fits, true);
  });
}

test('every real model under every runtime: proved, and never worse than the runtime', needsShared, async () => {
  let planned = 0;
  for (const path of sharedModels()) {
    const file = basename(path);
    for (const runtime of /** @type {const} */ (['tflm', 'tflite', 'tflite-2018'])) {
      let own;
      let model;
      try {
        model = await open(readFileSync(path));
        own = model.planner({ runtime, planner: 'own' });
        own.plan();
        own.execute();
      } catch {
        continue; // no model, or none for this runtime: the reader's tests say why
      }
      const planner = model.planner({ runtime, planner: 'optimal' });
      planner.plan();
      planner.execute();
      const report = planner.report();
      // Nothing is proved of what is not all known; what is known comes to the bound.
      const { tensors, operators } = report.unknown;
      assert.equal(report.status, tensors + operators > 0 ? 'feasible' : 'optimal', `${file} under ${runtime}`);
      assert.equal(report.arena_bytes, report.lower_bound_bytes, `${file} under ${runtime}`);
      assert.ok((await verify(report)).sound, `${file} under ${runtime}`);
      if (own.summary().status !== 'overlapping') {
        assert.ok(report.arena_bytes <= own.summary().arenaBytes, `${file} under ${runtime}`);
      }
      if (file.startsWith('37-') && runtime === 'tflm') {
        assert.deepEqual([report.arena_bytes, own.summary().arenaBytes], [55296, 73728]);
      }
      planned++;
    }
  }
  assert.ok(planned > 100);
});

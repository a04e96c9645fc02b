// From each sound plan, one buffer is moved onto another live one by one byte: verify names exactly that pair, the
// byte and the steps. Then every other fault that a plan can have, and a million buffers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { BUNDLED } from '../support/files.js';
import { needsShared, sharedFiles, sharedModels } from '../support/shared.js';

/** @typedef {import('../../wasm/index.js').Plan} Plan */
/** @typedef {import('../../wasm/index.js').PlanBuffer} PlanBuffer */

const MUTATIONS = 10_000;
const MOST_BUFFERS = 400;

/** Numbers from a seed: the same mutations every time. @param {number} seed */
function numbers(seed) {
  return (/** @type {number} */ below) => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = seed;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) % below;
  };
}

/** A list of buffers that live and end all over the place. @param {(below: number) => number} below @param {number} n */
function madeList(below, n) {
  const rows = Array.from({ length: n }, (_, i) => {
    const from = below(40);
    return `b${i},${from},${from + 1 + below(12)},${1 + below(500)}`;
  });
  return `id,lower,upper,size\n${rows.join('\n')}\n`;
}

/** @param {import('../../wasm/index.js').Model} model @param {import('../../wasm/index.js').PlannerOptions} options */
function planOf(model, options) {
  const planner = model.planner({ nodes: 2000, ...options });
  planner.plan();
  planner.execute();
  return planner.report();
}

/** Sound plans of all kinds, none so large that trying it often takes long. @param {string[]} files @returns {Promise<Plan[]>} */
async function soundPlans(files) {
  /** @type {Plan[]} */
  const plans = [];
  const below = numbers(1);
  for (let n = 5; n <= 60; n += 5) plans.push(planOf(await open(madeList(below, n)), {}));
  for (const file of files) {
    for (const options of /** @type {import('../../wasm/index.js').PlannerOptions[]} */ (
      file.endsWith('.csv') ? [{}] : [{ runtime: 'tflm' }, { runtime: 'tflm', planner: 'optimal' }, { runtime: 'tflite' }]
    )) {
      try {
        plans.push(planOf(await open(readFileSync(file)), options));
      } catch {
        // What cannot be planned has no plan to change.
      }
    }
  }
  return plans.filter(({ status, buffers }) => status !== 'overlapping' && buffers.length <= MOST_BUFFERS);
}

/** A buffer with its place known. @typedef {PlanBuffer & { offset: number, shares?: undefined }} Placed */
const isPlaced = (/** @type {PlanBuffer} */ b) => b.arena === 'rw' && b.offset !== null && b.bytes > 0;
const meetInTime = (/** @type {PlanBuffer} */ a, /** @type {PlanBuffer} */ b) => a.first <= b.last && b.first <= a.last;

/**
 * Moves one buffer so that it has exactly one byte in common with one other that lives with it, and with no more.
 * @param {Plan} plan @param {(below: number) => number} below
 */
function mutate(plan, below) {
  const roots = new Set(plan.buffers.flatMap(({ shares }, i) => (shares === undefined ? [] : [shares, i])));
  const placed = plan.buffers.flatMap((buffer, i) => (isPlaced(buffer) && !roots.has(i) ? [i] : []));
  if (placed.length < 2) return null;
  const at = (/** @type {number} */ i) => /** @type {Placed} */ (plan.buffers[i]);
  for (let tries = 0; tries < 50; tries++) {
    const [a, b] = [Number(placed[below(placed.length)]), Number(placed[below(placed.length)])];
    if (a === b || !meetInTime(at(a), at(b))) continue;
    const above = below(2) === 0;
    const offset = above ? at(b).offset + at(b).bytes - 1 : at(b).offset - at(a).bytes + 1;
    if (offset < 0) continue;
    const moved = { ...at(a), offset };
    const met = plan.buffers.flatMap((other, i) =>
      i !== a && isPlaced(other) && meetInTime(moved, other) && offset < Number(other.offset) + other.bytes && Number(other.offset) < offset + moved.bytes ? [i] : [],
    );
    if (met.length !== 1) continue;
    const byte = above ? offset : at(b).offset;
    const buffers = plan.buffers.map((buffer, i) => ({ ...(i === a ? moved : buffer), alignment: 1 }));
    const highest = Math.max(plan.arena_bytes, offset + moved.bytes);
    return {
      plan: /** @type {Plan} */ ({ ...plan, arena_bytes: highest, buffers }),
      expected: {
        kind: 'overlap',
        a: Math.min(a, b),
        b: Math.max(a, b),
        bytes: [byte, byte],
        steps: [Math.max(at(a).first, at(b).first), Math.min(at(a).last, at(b).last)],
      },
    };
  }
  return null;
}

/** @param {string[]} files */
async function checkMutations(files) {
  const plans = await soundPlans(files);
  for (const plan of plans) assert.ok((await verify(plan)).sound, `${plan.source.name} ${plan.runtime} ${plan.planner} is sound before`);
  const below = numbers(2);
  /** @type {Set<number>} */
  const changed = new Set();
  let done = 0;
  for (let turn = 0; done < MUTATIONS; turn++) {
    assert.ok(turn < 20 * MUTATIONS, 'most plans can be changed');
    const which = turn % plans.length;
    const mutation = mutate(/** @type {Plan} */ (plans[which]), below);
    if (mutation === null) continue;
    const { sound, onPurpose, clashes, clashCount } = await verify(mutation.plan);
    const [{ text, ...clash } = { text: '' }] = clashes;
    assert.deepEqual(clash, mutation.expected);
    assert.deepEqual([sound, onPurpose, clashCount, clashes.length], [false, false, 1, 1], text);
    changed.add(which);
    done++;
  }
  console.log(`${done} mutations of ${changed.size} plans`);
  assert.ok(changed.size >= 10);
}

const FOUND = 'mutations of sound plans: each is found, and named exactly';
test(`${MUTATIONS} ${FOUND}`, () => checkMutations(BUNDLED));
test(`${MUTATIONS} ${FOUND}, of real models and lists`, needsShared, () => checkMutations([...sharedModels(), ...sharedFiles('bench/minimalloc', /\.csv$/)]));

const list = 'id,lower,upper,size,alignment,offset\n';

test('each fault of a single buffer has its kind and its sentence', async () => {
  const model = await open('id,lower,upper,size,alignment\na,0,2,64,16\nb,1,3,32,16\n');
  const plan = planOf(model, {});
  /** @param {Partial<PlanBuffer>} change @param {Partial<Plan>} [whole] */
  const changed = async (change, whole = {}) => {
    const { sound, clashes } = await verify(/** @type {Plan} */ ({ ...plan, ...whole, buffers: [{ ...plan.buffers[0], offset: 0, ...change }, { ...plan.buffers[1], offset: 64 }] }));
    assert.equal(sound, false);
    return clashes.map(({ kind, a, b, text }) => [kind, a, b, text]);
  };
  assert.deepEqual(await changed({ offset: -16 }), [['negative', 0, null, 'a starts before the arena']]);
  assert.deepEqual(await changed({ offset: null }), [['unplaced', 0, null, 'a has no offset']]);
  assert.deepEqual(await changed({ first: 2, last: 1 }), [['backwards', 0, null, 'a ends at step 1, before it begins at step 2']]);
  assert.deepEqual(await changed({}, { arena_bytes: 80 }), [['outside', 1, null, "b has bytes 80..95 past the arena's end"]]);
  assert.deepEqual(await changed({ offset: 104 }, { arena_bytes: 200 }), [['misaligned', 0, null, 'a starts at byte 104, which its alignment does not allow']]);
  const rows = await verify(`${list}a,0,2,64,16,8\n`);
  assert.deepEqual([rows.sound, rows.clashes[0]?.kind], [false, 'misaligned']);
});

test('K4: views and in-place groups are one buffer that lives as long as any of them', async () => {
  const views = (/** @type {number} */ d) => `id,lower,upper,size,alignment,offset,alias\nB,0,2,256,16,0,\nC,1,5,256,16,0,B+0\nD,2,4,256,16,${d},\n`;
  assert.ok((await verify(views(256))).sound);
  const early = await verify(views(0));
  assert.equal(early.sound, false);
  assert.deepEqual(new Set(early.clashes.map(({ kind }) => kind)), new Set(['overlap']));
  const parts = (/** @type {number} */ n) =>
    `id,lower,upper,size,alignment,offset,alias\nbase,0,1,384,16,0,\nv0,0,3,128,16,,base+0\nv1,0,5,128,16,,base+128\nv2,0,2,128,16,,base+256\nn,3,4,128,16,${n},\n`;
  assert.ok((await verify(parts(384))).sound);
  assert.equal((await verify(parts(128))).sound, false, 'v1 lives there');

  const graph = { tensors: [{ bytes: 64 }, { bytes: 64 }, { bytes: 64 }, { bytes: 64 }], nodes: [{ inputs: [0], outputs: [1] }, { inputs: [1], outputs: [2], inplace: 4 }, { inputs: [2], outputs: [3] }], inputs: [0], outputs: [3] };
  const plan = planOf(await open(graph), { runtime: 'tflite' });
  const sharer = plan.buffers.findIndex(({ shares }) => shares !== undefined);
  assert.ok(sharer >= 0, 'the runtime lets two tensors share');
  assert.ok((await verify(plan)).sound);
  const apart = plan.buffers.map((buffer, i) => (i === sharer ? { ...buffer, shares: undefined } : buffer));
  const { clashes } = await verify({ ...plan, buffers: /** @type {PlanBuffer[]} */ (JSON.parse(JSON.stringify(apart))) });
  assert.equal(clashes.length, 1, 'taken apart, they share bytes');
});

test('a life that does not cover its uses is found when the model is at hand', async () => {
  const graph = {
    tensors: [{ name: 'x', bytes: 64 }, { name: 'y', bytes: 64 }, { name: 't', bytes: 16 }, { name: 'z', bytes: 64 }],
    nodes: [{ name: 'ADD', inputs: [0], outputs: [1], temporaries: [2] }, { name: 'MUL', inputs: [1, 0], outputs: [3] }],
    inputs: [0],
    outputs: [3],
  };
  for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite']))
    for (const planner of /** @type {const} */ (['own', 'linear', 'optimal'])) {
      const plan = planOf(await open(graph), { runtime, planner });
      assert.deepEqual(await verify(plan, { model: graph }), { sound: true, onPurpose: false, clashes: [], clashCount: 0, problems: [] });
      const shorten = (/** @type {number} */ i, /** @type {Partial<PlanBuffer>} */ life) =>
        verify(/** @type {Plan} */ ({ ...plan, buffers: plan.buffers.map((buffer, k) => (k === i ? { ...buffer, ...life } : buffer)) }), { model: graph });
      const { sound, clashes } = await shorten(0, { last: 0 });
      assert.equal(sound, false);
      assert.deepEqual([clashes[0]?.kind, clashes[0]?.a, clashes[0]?.steps, clashes[0]?.text], ['short-lived', 0, [1, 1], 'x is used in step 1 by MUL #1, when it does not live']);
      assert.equal((await shorten(2, { first: 1, last: 1 })).clashes[0]?.text, 't is used in step 0 by ADD #0, when it does not live');
    }
  const plan = planOf(await open(graph), {});
  await assert.rejects(verify(plan, { model: { tensors: [], nodes: [], inputs: [], outputs: [] } }), { code: 'bad-argument', message: /of another model/ });
  await assert.rejects(verify(plan, { model: plan }), { code: 'bad-argument', message: /is a plan, too/ });
  await assert.rejects(verify('id,lower,upper,size,offset\na,0,1,4,0\n', { model: graph }), { code: 'bad-argument', message: /only a plan JSON/ });
});

test('a runtime that knows variables keeps them, and tflite-2018, which knows none, need not', async () => {
  const graph = /** @type {const} */ ({
    tensors: [{ name: 'x', bytes: 64 }, { name: 'state', bytes: 64, type: 'arena_rw', is_variable: true }, { name: 'y', bytes: 64 }, { name: 'z', bytes: 64 }],
    nodes: [{ inputs: [0], outputs: [1] }, { inputs: [1], outputs: [2] }, { inputs: [2], outputs: [3] }],
    inputs: [0],
    outputs: [3],
  });
  for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite']))
    for (const planner of /** @type {const} */ (['own', 'linear', 'optimal'])) {
      const plan = planOf(await open(graph), { runtime, planner });
      assert.deepEqual((await verify(plan, { model: graph })).clashes, [], `${runtime} ${planner}`);
    }
  const forgotten = planOf(await open({ ...graph, variables: [] }), { runtime: 'tflite' });
  assert.equal((await verify(forgotten, { model: { ...graph, variables: [] } })).sound, true, 'the list is what counts');
  const { clashes } = await verify(forgotten, { model: graph });
  assert.deepEqual(clashes.map(({ kind, a, text }) => [kind, a, text]), [['short-lived', 1, 'state is used in step 2 by the next run, as its variable, when it does not live']]);
});

/** How many plans were held against their models. @param {string[]} files */
async function checkUses(files) {
  let held = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite', 'tflm'])) {
      let plan;
      try {
        plan = planOf(await open(bytes), { runtime });
      } catch {
        continue;
      }
      const { clashes } = await verify(plan, { model: bytes });
      assert.deepEqual(clashes.filter(({ kind }) => kind === 'short-lived').map(({ text }) => text), [], `${file} ${runtime}`);
      held++;
    }
  }
  return held;
}

const COVERED = 'cover the uses of its tensors, under every runtime';
test(`the plans of each bundled model ${COVERED}`, async () => assert.equal(await checkUses(BUNDLED), 3 * BUNDLED.length));
test(`the plans of every model ${COVERED}`, needsShared, async () => assert.ok((await checkUses(sharedModels())) > 100));

test('a million buffers take near-linear time', async () => {
  /** Blocks of 8 bytes that live for 2 steps each, 64 of them at a time; one of them clashes. @param {number} n */
  const rows = (n) => {
    const lines = Array.from({ length: n }, (_, i) => `${i},${i >> 6},${(i >> 6) + 2},8,${8 * (i & 127)}`);
    lines[n >> 1] = `${n >> 1},${n >> 7},${(n >> 7) + 2},8,${8 * ((n >> 1) & 127) + 7}`;
    return `id,lower,upper,size,offset\n${lines.join('\n')}\n`;
  };
  const seconds = async (/** @type {number} */ n) => {
    const text = rows(n);
    const start = performance.now();
    const { clashCount, clashes } = await verify(text);
    assert.equal(clashCount, 1);
    assert.deepEqual([clashes[0]?.a, clashes[0]?.b, clashes[0]?.bytes.map((byte) => byte % 8)], [n >> 1, (n >> 1) + 1, [0, 6]]);
    return (performance.now() - start) / 1000;
  };
  const [less, more] = [await seconds(125_000), await seconds(1_000_000)];
  console.log(`verify: 125,000 rows in ${less.toFixed(2)} s, 1,000,000 in ${more.toFixed(2)} s`);
  assert.ok(more < 40 * less, 'eight times as many take less than forty times as long');
});

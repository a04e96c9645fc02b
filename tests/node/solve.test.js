// The search from JavaScript: in slices, with progress and cancel, the same plan as in one go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../wasm/index.js';

/** Random rows whose optimum takes a search. @param {number} count @param {number} seed */
function rows(count, seed) {
  let state = seed;
  const below = (/** @type {number} */ limit) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % limit;
  let text = 'id,lower,upper,size\n';
  for (let i = 0; i < count; i++) {
    const lower = below(30);
    text += `r${i},${lower},${lower + 1 + below(12)},${1 + below(97)}\n`;
  }
  return text;
}

const NODES = 40_000;

test('in slices or in one go, the plan is the same', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const model = await open(rows(40, seed));
    const whole = model.planner({ nodes: NODES });
    whole.plan();
    whole.execute();
    const sliced = model.planner();
    const { done, arenaBytes, lowerBoundBytes, status, searchNodes } = await sliced.solve({ nodes: NODES });
    assert.equal(sliced.text('json'), whole.text('json'), `seed ${seed}`);
    const plan = sliced.report();
    assert.deepEqual([arenaBytes, lowerBoundBytes, status], [plan.arena_bytes, plan.lower_bound_bytes, plan.status]);
    assert.ok(searchNodes <= NODES && (done || searchNodes > 0));
  }
});

test('a cancelled search leaves the best plan so far in place', async () => {
  const model = await open(rows(400, 5));
  const planner = model.planner();
  const cancel = new AbortController();
  const reason = new Error('enough');
  const solving = planner.solve({ nodes: 1e12, signal: cancel.signal, onProgress: () => cancel.abort(reason) });
  const ended = await solving.then(() => 'done', (error) => error);
  if (ended !== 'done') assert.equal(ended, reason);
  const { arenaBytes, offsets } = planner.layout();
  assert.ok(arenaBytes > 0 && !offsets.some(Number.isNaN));
  assert.ok(planner.report().arena_bytes >= planner.report().lower_bound_bytes);
});

test('the event loop runs between slices', async () => {
  const model = await open(rows(400, 9));
  let ticks = 0;
  let slices = 0;
  const timer = setInterval(() => ticks++, 1);
  await model.planner().solve({ nodes: 100_000, onProgress: () => slices++ });
  clearInterval(timer);
  assert.ok(slices < 5 || ticks > 0, `${ticks} timer ticks in ${slices} slices`);
});

test('planners that do not search are done in one slice', async () => {
  const graph = { tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] };
  const planner = (await open(graph)).planner();
  const { done, arenaBytes } = await planner.solve();
  assert.deepEqual([done, arenaBytes], [true, 160]);
});

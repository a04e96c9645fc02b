// Random graphs and random sequences of planner operations, through the native builds and both wasm modules,
// checked after each operation against the slow planner of tests/support, and for places that overlap. What
// fails is shrunk. MODEL_BASED_RUNS and MODEL_BASED_SEED change how much is tried, and what.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '../support/keep-alive.js';
import { engines } from '../support/engines.js';
import { applyNaive, naivePlanner } from '../support/naive-planner.js';
import { tidyCases, wildCases } from '../support/random-graphs.js';

/** @typedef {import('../support/random-graphs.js').Case} Case */

const runs = Number(process.env.MODEL_BASED_RUNS ?? 150);
const seed = Number(process.env.MODEL_BASED_SEED ?? 20180115);

/** Every two places that share bytes in one arena have lives apart. @param {ReturnType<typeof naivePlanner>} planner */
function assertSound(planner) {
  const own = planner.places.flatMap((place) => (place && !place.shares ? [place] : []));
  for (const [i, a] of own.entries()) {
    assert.ok(a.offset + a.bytes <= planner.marks[a.arena], 'the mark covers every place');
    for (const b of own.slice(0, i)) {
      const apart = a.arena !== b.arena || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
      const atOnce = a.arena === 'persistent' || !(a.last < b.first || b.last < a.first);
      assert.ok(apart || !atOnce, `two live tensors share bytes: ${JSON.stringify([a, b])}`);
    }
  }
}

/** @param {import('../support/engines.js').Engine} engine @param {'tflite-2018' | 'tflite'} runtime */
const follows = (engine, runtime) => async (/** @type {Case} */ given) => {
  const { operations } = given;
  const answers = await engine.run(given.graph, operations, { runtime });
  const model = naivePlanner(given.graph, runtime);
  operations.forEach((operation, i) => {
    const where = `operation ${i}, ${JSON.stringify(operation)}`;
    const expected = applyNaive(model, operation);
    const answer = answers[i];
    assert.equal(answer?.status, expected, `${where}: ${answer?.text}`);
    if (expected !== 'ok') return; // what it left behind shows in the next answer
    const { offsets, arena, persistent } = answer;
    assert.deepEqual({ offsets, arena, persistent }, model.layout(), where);
    assertSound(model);
  });
};

for (const engine of engines) {
  for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite'])) {
    for (const [kind, cases] of /** @type {const} */ ([['tidy', tidyCases], ['wild', wildCases]])) {
      test(`${engine.name}: ${runtime} on ${runs} ${kind} graphs`, async () => {
        await fc.assert(fc.asyncProperty(cases, follows(engine, runtime)), { numRuns: runs, seed });
      });
    }
  }
}

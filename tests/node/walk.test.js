// The interpreter's walk from JavaScript, through both wasm modules: the trace that wasm/README.md shows, and the
// rules around it. (tests/c/test_walk.c has the same trace natively.)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { open } from '../../wasm/index.js';

// x -> CONV -> a -> UNIQUE -> u (dynamic) -> MUL -> b -> SLICE -> s (dynamic) -> ADD -> y
const [X, A, U, B, S, Y] = /** @type {const} */ ([0, 1, 2, 3, 4, 5]);
const [CONV, UNIQUE, MUL, SLICE, ADD] = /** @type {const} */ ([0, 1, 2, 3, 4]);
/** @type {import('../../wasm/index.js').Graph} */
const graph = {
  tensors: [
    { name: 'x', bytes: 64 },
    { name: 'a', bytes: 128 },
    { name: 'u', bytes: 0, type: 'dynamic' },
    { name: 'b', bytes: 0 },
    { name: 's', bytes: 0, type: 'dynamic' },
    { name: 'y', bytes: 0 },
  ],
  nodes: [
    { name: 'CONV', inputs: [X], outputs: [A] },
    { name: 'UNIQUE', inputs: [A], outputs: [U] },
    { name: 'MUL', inputs: [A, U], outputs: [B] },
    { name: 'SLICE', inputs: [B], outputs: [S] },
    { name: 'ADD', inputs: [B, S], outputs: [Y] },
  ],
  inputs: [X],
  outputs: [Y],
};

for (const [build, file] of [['emscripten', 'dist/tensor_arena.wasm'], ['wasi', 'dist/tensor_arena-wasi.wasm']]) {
  const wasm = readFileSync(String(file));
  const begin = async (/** @type {'tflite-2018' | 'tflite'} */ runtime) => (await open(graph, { wasm })).interpreter({ runtime });
  const places = (/** @type {import('../../wasm/index.js').Interpreter} */ walk) =>
    [X, A, B, Y].map((tensor) => walk.layout().offsets[tensor]).map((offset) => (Number.isNaN(offset) ? null : offset));

  test(`a trace under tflite-2018 (${build})`, async () => {
    const walk = await begin('tflite-2018');
    assert.deepEqual(walk.allocateTensors(), [CONV, UNIQUE]);
    assert.deepEqual(places(walk), [0, 64, null, null]);
    assert.deepEqual(walk.next(), { node: CONV, planned: null, done: false });
    assert.deepEqual(walk.next(), { node: UNIQUE, planned: null, done: false });
    walk.setBytes(U, 40);
    walk.setBytes(B, 48);
    assert.deepEqual(walk.next(), { node: MUL, planned: [MUL, SLICE], done: false });
    assert.deepEqual(places(walk), [0, 64, 0, null], 'x is gone: b takes its place');
    assert.deepEqual(walk.next(), { node: SLICE, planned: null, done: false });
    walk.setBytes(S, 8);
    walk.setBytes(Y, 100);
    assert.deepEqual(walk.next(), { node: ADD, planned: [ADD, ADD], done: true });
    assert.deepEqual(places(walk), [0, 64, 0, 48]);
    assert.equal(walk.layout().arenaBytes, 192);
    assert.deepEqual(walk.next(), { node: CONV, planned: null, done: false }, 'another invocation keeps the plan');
  });

  test(`under tflite, other bytes for a dynamic tensor plan the rest again (${build})`, async () => {
    const walk = await begin('tflite');
    assert.equal(walk.next().node, CONV, 'allocates by itself');
    walk.next();
    walk.setBytes(U, 40);
    walk.setBytes(B, 48);
    assert.deepEqual(walk.next().planned, [MUL, SLICE]);
    walk.next();
    walk.setBytes(S, 8);
    walk.setBytes(Y, 100);
    assert.deepEqual(walk.next(), { node: ADD, planned: [ADD, ADD], done: true });
    walk.next();
    walk.next();
    walk.setBytes(U, 400);
    assert.deepEqual(places(walk).slice(2), [null, null]);
    assert.deepEqual(walk.next().planned, [MUL, SLICE]);
  });

  test(`a walk has the rules of its runtimes (${build})`, async () => {
    const model = await open(graph, { wasm });
    const planned = (/** @type {any} */ options) => () => model.interpreter(options);
    assert.throws(planned({ runtime: 'tflm' }), { code: 'unsupported' });
    assert.throws(planned({ planner: 'linear' }), { code: 'bad-argument', message: /interpreter\(\) has no option "planner"/ });
    const walk = model.interpreter();
    walk.allocateTensors();
    assert.throws(() => walk.setBytes(99, 1), { code: 'bad-index' });
  });
}

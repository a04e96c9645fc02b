// Every status of the core's list, produced by a test of its own through the package: the table names the test.
// A status without one fails here, and so does a test for a status that the list does not have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import '../support/keep-alive.js';
import { open } from '../../wasm/index.js';
import { buildModel } from '../support/model-builder.js';

/** @type {WebAssembly.Module} */
let wasm;
before(async () => {
  wasm = await WebAssembly.compile(readFileSync('dist/tensor_arena.wasm'));
});

const graph = {
  tensors: [{ bytes: 16 }, { bytes: 32 }, { bytes: 8 }],
  nodes: [
    { inputs: [0], outputs: [1] },
    { inputs: [1], outputs: [2] },
  ],
  inputs: [0],
  outputs: [2],
};
/** @type {any} */
const anyGraph = graph;
const tensor = { type: 'INT8', shape: [1, 16] };
const model = buildModel({ tensors: [tensor, tensor], inputs: [0], outputs: [1], operators: [{ op: 'RELU', inputs: [0], outputs: [1] }] });

/** @param {any} input @param {import('../../wasm/index.js').PlannerOptions} [options] */
async function plannerOf(input, options) {
  return (await open(input, { wasm })).planner(options);
}

/**
 * By status: the name of its test, and what must end in it. What resolves stands for "ok".
 * @type {Record<string, [name: string, make: () => Promise<unknown>]>}
 */
const producers = {
  ok: [
    'a graph is planned',
    async () => {
      const planner = await plannerOf(anyGraph);
      planner.plan();
      planner.execute();
    },
  ],
  'bad-argument': ['an alignment that is no power of two', () => plannerOf(anyGraph, { alignment: 3 })],
  'out-of-memory': [
    'four million tensors are described, which takes more than the sandbox has',
    async () => {
      const tensors = 4_000_000;
      const block = new Uint8Array(48 + 20 * tensors);
      new Uint32Array(block.buffer).set([0x42474154, 1, 0, 0, tensors]);
      return (await open(block, { wasm })).subgraphs;
    },
  ],
  'over-limit': [
    'two tensors that together pass the largest offset',
    async () => {
      const planner = await plannerOf({ ...anyGraph, tensors: graph.tensors.map(() => ({ bytes: Number.MAX_SAFE_INTEGER })) });
      planner.plan();
      planner.execute();
    },
  ],
  'wrong-order': ['execute before plan', async () => (await plannerOf(anyGraph)).execute()],
  'not-a-model': ['bytes of no kind', () => open(new Uint8Array([1, 2, 3, 4]), { wasm })],
  truncated: ['a model cut off', () => open(model.slice(0, 40), { wasm })],
  malformed: [
    'a graph block with an allocation type that is none',
    () => {
      const block = new Uint8Array(48 + 20);
      new Uint32Array(block.buffer).set([0x42474154, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 9]);
      return open(block, { wasm });
    },
  ],
  'bad-index': ['a node that reads a tensor that is not there', () => open({ ...anyGraph, nodes: [{ inputs: [9], outputs: [] }] }, { wasm })],
  'no-subgraph': ['a model without subgraphs is planned', () => plannerOf(buildModel({ subgraphs: [] }))],
  'bad-syntax': ['a buffer list with a size that is no number', () => open('id,lower,upper,size\na,0,1,x\n', { wasm })],
  unsupported: ['tflm on a graph', () => plannerOf(anyGraph, { runtime: 'tflm' })],
  'tensor-grew': [
    'a placed tensor grows and its node is executed again',
    async () => {
      const planner = await plannerOf(anyGraph);
      planner.plan();
      planner.execute();
      planner.resize(1, 64);
      planner.execute();
    },
  ],
  'refused-by-runtime': [
    'a subgraph that calls itself, under tflm',
    async () => {
      const loop = { op: 'WHILE', inputs: [0], outputs: [1], options: ['WhileOptions', { cond_subgraph_index: 0, body_subgraph_index: 0 }] };
      (await plannerOf(buildModel({ tensors: [tensor, tensor], inputs: [0], outputs: [1], operators: [loop] }), { runtime: 'tflm' })).plan();
    },
  ],
};

const listed = [...readFileSync('c/include/tensor_arena_status.def', 'utf8').matchAll(/^STATUS\((\d+), \w+, "([a-z-]+)"/gm)].map(
  ([, number, name]) => ({ number: Number(number), name: String(name) }),
);

test('the list has numbers from 0 on, and each of its statuses has a test', () => {
  assert.deepEqual(listed.map(({ number }) => number), listed.map((_, i) => i));
  assert.deepEqual(listed.map(({ name }) => name).toSorted(), Object.keys(producers).toSorted());
});

for (const [status, [name, make]] of Object.entries(producers)) {
  test(`${status}: ${name}`, async () => {
    if (status === 'ok') return void (await make());
    await assert.rejects(async () => make(), (/** @type {any} */ error) => {
      assert.equal(error.code, status, error.stack);
      assert.match(error.message, /\S/);
      return true;
    });
  });
}

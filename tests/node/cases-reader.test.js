// What a reader must get right, from reports of people whom other tools failed: sizes past 32 bits, offline plans
// that lie, tensors of no bytes, weights, and indices that point nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel, encodeModel, rawModel, words } from '../support/model-builder.js';
import { nativeReader } from '../support/readers.js';

/** @typedef {import('../support/readers.js').Raw} Raw */

const native = nativeReader();

/** @param {Raw} raw in the schema's form */
async function readRaw(raw) {
  const [reading] = await native.read([encodeModel(raw)]);
  return reading;
}

/** @param {Raw} short */
async function read(short) {
  const [reading] = await native.read([buildModel(short)]);
  return reading;
}

/** One operator from input 0 to output 1. @param {Raw} input */
const through = (input) => ({
  tensors: [{ name: 'x', ...input }, { name: 'y', shape: [1] }],
  operators: [{ op: 'NEG', inputs: [0], outputs: [1] }],
  inputs: [0],
  outputs: [1],
});

test('K9: 16 GiB is a size like any other', async () => {
  const { model } = await read(through({ shape: [65536, 65536] }));
  assert.equal(model?.subgraphs[0].tensors[0].bytes, 17179869184);
});

test('K9: the largest size is read, one more is an error before anything wraps', async () => {
  // 2^53 - 1 = 6361 * 69431 * 20394401
  const largest = await read(through({ type: 'INT8', shape: [6361, 69431, 20394401] }));
  assert.equal(largest.model?.subgraphs[0].tensors[0].bytes, Number.MAX_SAFE_INTEGER);
  for (const shape of [[2147483647, 2147483647, 4], [2097152, 65536, 65536], Array(40).fill(2147483647)]) {
    const { status, text, place } = await read(through({ shape }));
    assert.equal(status, 'over-limit');
    assert.match(text ?? '', /^tensor 0 \(x\) has more bytes than the limit of 9007199254740991/);
    assert.deepEqual(place, { subgraph: 0, node: null, tensor: 0 });
  }
});

test('K9: a negative dimension of a graph input asks for a value', async () => {
  const { model } = await read(through({ type: 'INT8', shape: [-1, 440, 16], shape_signature: [-1, 440, 16] }));
  const [x] = model?.subgraphs[0].tensors;
  assert.deepEqual([x.bytes, x.type, x.shape], [null, 'dynamic', [-1, 440, 16]]);
  assert.equal(model?.problems.length, 1);
  const [{ code, text, subgraph, tensor }] = model?.problems;
  assert.deepEqual([code, subgraph, tensor], ['unknown-dimension', 0, 0]);
  assert.match(text, /^dimension 0 of input 0 is not known; give a value/);
  const given = await read(through({ type: 'INT8', shape: [1, 440, 16], shape_signature: [-1, 440, 16] }));
  assert.equal(given.model?.subgraphs[0].tensors[0].bytes, 7040);
});

test('K9: a negative dimension elsewhere is a problem of that tensor', async () => {
  const { model } = await read({ tensors: [{ name: 'x', shape: [1] }, { name: 'y', shape: [3, -1] }], operators: [{ op: 'SHAPE', inputs: [0], outputs: [1] }], inputs: [0] });
  assert.match(model?.problems[0].text, /^tensor 1 \(y\): dimension 1 is not known/);
  assert.equal(model?.subgraphs[0].tensors[1].type, 'dynamic');
});

test('K9: -1 in shape_signature alone changes nothing', async () => {
  const { model } = await read(through({ type: 'INT8', shape: [1, 440, 16], shape_signature: [-1, -1, -1] }));
  const [x] = model?.subgraphs[0].tensors;
  assert.deepEqual([x.bytes, x.type, model?.problems], [7040, 'arena_rw', []]);
});

test('K9: a 0 dimension is legal, and 0 bytes', async () => {
  const { model } = await read(through({ type: 'INT8', shape: [0, 16] }));
  const [x] = model?.subgraphs[0].tensors;
  assert.deepEqual([x.bytes, x.type, model?.problems], [0, 'arena_rw', []]);
});

/** @param {number[]} counts tensors of each subgraph @param {Uint8Array | number[]} plan */
const planned = (counts, plan) => ({
  subgraphs: counts.map((n) => ({ tensors: Array.from({ length: n }, (_, t) => ({ name: `t${t}`, type: 'INT8', shape: [64] })) })),
  metadata: { OfflineMemoryAllocation: plan },
});

test('K14: a plan that is cut short is not read past its end', async () => {
  const { status, text } = await read(planned([10], words([1, 1, 10, 0, 64, -1, 128])));
  assert.equal(status, 'malformed');
  assert.match(text ?? '', /52 bytes needed, 28 present/);
  const header = await read(planned([1], words([1, 1])));
  assert.match(header.text ?? '', /12 bytes needed, 8 present/);
  const huge = await read(planned([1], words([1, 1, -1, 0])));
  assert.match(huge.text ?? '', /17179869192 bytes needed, 16 present/);
});

test('K14: one offset for each tensor of every subgraph', async () => {
  const { status, model } = await read(planned([3, 2], words([1, 2, 5, 0, 64, -1, 0, -1])));
  assert.equal(status, 'ok');
  assert.equal(model?.has_offline_plan, true);
  const { text } = await read(planned([3, 2], words([1, 2, 3, 0, 64, -1])));
  assert.match(text ?? '', /3 offsets for 5 tensors/);
});

test('K14: an entry without data is an error', async () => {
  const raw = rawModel(planned([1], []));
  assert.match((await readRaw(raw)).text ?? '', /the offline plan in metadata 0 has no data/);
  raw.metadata[0].buffer = 0;
  assert.match((await readRaw(raw)).text ?? '', /the offline plan in metadata 0 has no data/);
});

test('K14: of several entries the last counts, and each is checked', async () => {
  const raw = rawModel(planned([1], words([0, 1, 1, 16])));
  raw.buffers.push({ data: words([0, 1, 1, 32]) });
  raw.metadata.push({ name: 'OfflineMemoryAllocation', buffer: 2 });
  assert.equal((await readRaw(raw)).status, 'ok');
  raw.buffers[1].data = words([0, 1, 2, 16, 16]);
  assert.match((await readRaw(raw)).text ?? '', /metadata 0 has 2 offsets for 1 tensors/);
});

test('K16: tensors of no bytes stay listed, an omitted input stays omitted', async () => {
  const empty = ['a', 'b', 'c', 'm', 'out'].map((name) => ({ name, shape: [0, 4] }));
  const { model } = await read({
    tensors: [...empty, { name: 'w', shape: [4, 4], data: 64 }, { name: 'y', shape: [4] }],
    operators: [
      { op: 'ADD', inputs: [0, 1], outputs: [3] },
      { op: 'ADD', inputs: [3, 2], outputs: [4] },
      { op: 'FULLY_CONNECTED', inputs: [4, 5, -1], outputs: [6] },
    ],
    inputs: [0, 1, 2],
    outputs: [6],
  });
  const [graph] = model?.subgraphs;
  assert.deepEqual(graph.tensors.map((/** @type {Raw} */ tensor) => tensor.bytes), [0, 0, 0, 0, 0, 64, 16]);
  assert.deepEqual(graph.nodes[2].inputs, [4, 5, -1]);
  assert.deepEqual(model?.problems, []);
});

test('K17: weights are no arena tensors; a buffer that two share counts once; buffer 0 is none', async () => {
  const tensors = [
    { name: 'in', type: 'INT8', shape: [1024] },
    { name: 'w', type: 'INT8', shape: [102400], data: 102400 },
    { name: 'out', type: 'INT8', shape: [1024], buffer: 0 },
    { name: 'w again', type: 'INT8', shape: [102400], buffer: 1 },
  ];
  const { model } = await read({ tensors, operators: [{ op: 'FULLY_CONNECTED', inputs: [0, 1, 3], outputs: [2] }], inputs: [0], outputs: [2] });
  assert.equal(model?.constant_bytes, 102400);
  assert.deepEqual(
    model?.subgraphs[0].tensors.map((/** @type {Raw} */ tensor) => tensor.type),
    ['arena_rw', 'mmap_ro', 'arena_rw', 'mmap_ro'],
  );
});

/** One op, four tensors, four buffers. */
const base = () => {
  const raw = rawModel({
    tensors: ['x', 'w', 'b', 'y'].map((name) => ({ name, type: 'INT8', shape: [4] })),
    operators: [{ op: 'FULLY_CONNECTED', inputs: [0, 1, 2], outputs: [3] }],
    inputs: [0],
    outputs: [3],
    metadata: { note: 4 },
  });
  raw.buffers = [{}, { data: new Uint8Array(4) }, { data: new Uint8Array(4) }, { data: new Uint8Array(4) }];
  raw.subgraphs[0].tensors[1].buffer = 1;
  raw.subgraphs[0].tensors[2].buffer = 2;
  raw.metadata[0].buffer = 3;
  return raw;
};

const graph = (/** @type {Raw} */ raw) => raw.subgraphs[0];

/** @type {[string, (raw: Raw) => unknown, RegExp, { node?: number, tensor?: number, subgraph?: number }][]} */
const nowhere = [
  ['op input = 9', (raw) => (graph(raw).operators[0].inputs = [9]), /^op 0 input 0 refers to tensor 9 of 4/, { subgraph: 0, node: 0 }],
  ['op input = 4', (raw) => (graph(raw).operators[0].inputs = [0, 4]), /^op 0 input 1 refers to tensor 4 of 4/, { subgraph: 0, node: 0 }],
  ['op input = -2', (raw) => (graph(raw).operators[0].inputs = [-2]), /^op 0 input 0 refers to tensor -2 of 4/, { subgraph: 0, node: 0 }],
  ['op output = 9', (raw) => (graph(raw).operators[0].outputs = [9]), /^op 0 output 0 refers to tensor 9 of 4/, { subgraph: 0, node: 0 }],
  ['op output = -1', (raw) => (graph(raw).operators[0].outputs = [-1]), /^op 0 output 0 is -1, but only inputs may be omitted/, { subgraph: 0, node: 0 }],
  ['op intermediate = 9', (raw) => (graph(raw).operators[0].intermediates = [9]), /^op 0 intermediate 0 refers to tensor 9 of 4/, { subgraph: 0, node: 0 }],
  ['tensor 2 buffer = 9', (raw) => (graph(raw).tensors[2].buffer = 9), /^tensor 2 refers to buffer 9 of 4/, { subgraph: 0, tensor: 2 }],
  ['graph input = 9', (raw) => (graph(raw).inputs = [9]), /^graph input 0 refers to tensor 9 of 4/, { subgraph: 0 }],
  ['graph output = 9', (raw) => (graph(raw).outputs = [9]), /^graph output 0 refers to tensor 9 of 4/, { subgraph: 0 }],
  ['op code index = 9', (raw) => (graph(raw).operators[0].opcode_index = 9), /^op 0 refers to operator code 9 of 1/, { subgraph: 0, node: 0 }],
  ['metadata buffer = 9', (raw) => (raw.metadata[0].buffer = 9), /^metadata 0 \(note\) refers to buffer 9 of 4/, {}],
  ['signature subgraph = 9', (raw) => (raw.signature_defs = [{ subgraph_index: 9 }]), /^signature 0 refers to subgraph 9 of 1/, {}],
  ['signature input = 9', (raw) => (raw.signature_defs = [{ inputs: [{ tensor_index: 9 }] }]), /^signature 0 input 0 refers to tensor 9 of 4/, { subgraph: 0 }],
  ['signature output = 9', (raw) => (raw.signature_defs = [{ outputs: [{ tensor_index: 9 }] }]), /^signature 0 output 0 refers to tensor 9 of 4/, { subgraph: 0 }],
];

test('K18: the base is a valid model', async () => {
  const { status, text } = await readRaw(base());
  assert.equal(status, 'ok', text);
});

for (const [change, apply, sentence, place] of nowhere) {
  test(`K18: ${change}`, async () => {
    const raw = base();
    apply(raw);
    const reading = await readRaw(raw);
    assert.equal(reading.status, 'bad-index');
    assert.match(reading.text ?? '', sentence);
    assert.deepEqual(reading.place, { subgraph: null, node: null, tensor: null, ...place });
  });
}

test('K18: in a model of several subgraphs the sentence names the subgraph', async () => {
  const raw = base();
  raw.subgraphs.unshift({ name: 'first' });
  graph({ subgraphs: [raw.subgraphs[1]] }).operators[0].inputs = [9];
  assert.match((await readRaw(raw)).text ?? '', /^subgraph 1 op 0 input 0 refers to tensor 9 of 4/);
});

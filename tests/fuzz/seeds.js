// Writes seed files for the fuzz targets into the folder given: the test models without their weights and the
// golden vectors (where these lie beside the repository), random graphs, buffer lists, and models made to order.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packGraph } from '../../wasm/graph.js';
import { buildModel, decodeModel, encodeModel } from '../support/model-builder.js';
import { sample, tidyCases, wildCases } from '../support/random-graphs.js';
import { SHARED, hasShared, sharedFiles, sharedJson, sharedModels } from '../support/shared.js';

const out = process.argv[2] ?? 'build/fuzz/seeds';
const MAX_SEED_BYTES = 60_000;

/** @param {string} target @param {string} name @param {Uint8Array | string} bytes */
function write(target, name, bytes) {
  if (bytes.length > MAX_SEED_BYTES) return;
  mkdirSync(join(out, target), { recursive: true });
  writeFileSync(join(out, target, name), bytes);
}

/** The same model with at most a few bytes in each constant. @param {Uint8Array} bytes */
function withoutWeights(bytes) {
  const raw = decodeModel(bytes);
  for (const buffer of raw.buffers ?? []) {
    if (buffer.data) buffer.data = buffer.data.slice(0, 64);
  }
  for (const subgraph of raw.subgraphs ?? []) {
    for (const tensor of subgraph.tensors ?? []) delete tensor.quantization;
  }
  return encodeModel(raw);
}

function modelSeeds() {
  for (const file of sharedModels()) {
    const [name, bytes] = [basename(file), readFileSync(file)];
    write('tflite', name, bytes);
    try {
      write('tflite', `light-${name}`, withoutWeights(bytes));
    } catch {
      // The broken ones are seeds as they are.
    }
  }
}

/** A tensor on each of the format's ways to keep data, control flow, and an operator of each kind. */
function madeModels() {
  const tensor = (/** @type {string} */ name, /** @type {object} */ more = {}) => ({ name, type: 'INT8', shape: [1, 8], ...more });
  const add = (/** @type {number[]} */ inputs, /** @type {number} */ output) => ({ op: 'ADD', inputs, outputs: [output], options: ['AddOptions', {}] });
  const leaf = { name: 'leaf', tensors: [tensor('x'), tensor('y')], operators: [add([0, 0], 1)], inputs: [0], outputs: [1] };
  write('tflite', 'made-kept', buildModel({
    tensors: [tensor('in'), tensor('a', { data: 8 }), tensor('b', { data: 8, keep: 'offset' }), tensor('c', { data: 8, keep: 'external' }), tensor('out')],
    operators: [add([0, 1], 4), add([4, 2], 4), add([4, 3], 4)],
    inputs: [0],
    outputs: [4],
    metadata: { OfflineMemoryAllocation: new Uint8Array(new Int32Array([1, 1, 5, 0, -1, -1, -1, 16]).buffer), other: new Uint8Array(4) },
    signatures: { serve: 0 },
  }));
  write('tflite', 'made-convolutions', convolutions());
  write('tflite', 'made-while', buildModel({
    subgraphs: [
      { ...leaf, name: 'main', operators: [{ op: 'WHILE', inputs: [0], outputs: [1], options: ['WhileOptions', { cond_subgraph_index: 1, body_subgraph_index: 2 }] }] },
      leaf,
      { ...leaf, operators: [{ op: 'IF', inputs: [0, 0], outputs: [1], options: ['IfOptions', { then_subgraph_index: 1, else_subgraph_index: 1 }] }] },
    ],
  }));
}

/** Convolutions whose peak strips lower: a PAD that folds, a branch, and an average over all. */
function convolutions() {
  const size = (/** @type {string} */ name, /** @type {number} */ rows, /** @type {number} */ channels) => ({
    name, type: 'INT8', shape: [1, rows, rows, channels], quantization: { scale: [0.5], zero_point: [0] },
  });
  const constant = (/** @type {string} */ name, /** @type {string} */ type, /** @type {number[]} */ shape, /** @type {ArrayBufferView} */ data) => ({ name, type, shape, data, quantization: { scale: [0.5], zero_point: [0] } });
  const filter = (/** @type {number} */ outputs, /** @type {number} */ side, /** @type {number} */ inputs) =>
    constant('filter', 'INT8', [outputs, side, side, inputs], Int8Array.from({ length: outputs * side * side * inputs }, (_, i) => (i * 7) % 11 - 5));
  const bias = (/** @type {number} */ channels) => constant('bias', 'INT32', [channels], Int32Array.from({ length: channels }, (_, i) => i));
  const convolution = (/** @type {number[]} */ inputs, /** @type {number} */ output, /** @type {object} */ options) => ({
    op: 'CONV_2D', version: 3, inputs, outputs: [output], options: ['Conv2DOptions', { stride_w: 1, stride_h: 1, dilation_w_factor: 1, dilation_h_factor: 1, ...options }],
  });
  return buildModel({
    tensors: [
      size('in', 32, 2), size('padded', 33, 2), size('wide', 16, 32), size('a', 16, 32), size('sum', 16, 32), size('out', 8, 4),
      constant('paddings', 'INT32', [4, 2], new Int32Array([0, 0, 0, 1, 0, 1, 0, 0])),
      filter(32, 3, 2), bias(32), filter(32, 1, 32), filter(4, 3, 32), bias(4),
    ],
    operators: [
      { op: 'PAD', version: 2, inputs: [0, 6], outputs: [1], options: ['PadOptions', {}] },
      convolution([1, 7, 8], 2, { padding: 1, stride_w: 2, stride_h: 2 }),
      convolution([2, 9, 8], 3, {}),
      { op: 'ADD', version: 2, inputs: [2, 3], outputs: [4], options: ['AddOptions', {}] },
      convolution([4, 10, 11], 5, { stride_w: 2, stride_h: 2 }),
    ],
    inputs: [0],
    outputs: [5],
    signatures: { serve: 0 },
  });
}

/** A graph large enough that every list of it takes memory of its own: a chain with side branches. */
function fortyNodes() {
  /** @type {import('../../wasm/index.js').GraphTensor[]} */
  const tensors = Array.from({ length: 121 }, (_, i) => ({ name: `tensor ${i}`, bytes: 48 + 16 * ((i * 7) % 13), type: 'arena_rw' }));
  const nodes = Array.from({ length: 40 }, (_, i) => ({
    name: `node ${i}`,
    inputs: i < 2 ? [3 * i] : [3 * i, 3 * i - 4, -1],
    outputs: [3 * i + 3, 3 * i + 2],
    temporaries: [3 * i + 1],
    inplace: i % 5 === 0 ? 5 : 0,
  }));
  return { tensors, nodes, inputs: [0], outputs: [120], variables: [] };
}

function graphSeeds() {
  write('block', 'forty-nodes', packGraph(fortyNodes()).bytes);
  [...sample(tidyCases, 11, 60), ...sample(wildCases, 12, 60)].forEach(({ graph, operations }, i) => {
    write('block', `random-${i}`, packGraph(graph, operations).bytes);
  });
  for (const name of ['seed', 'tflite-2018', 'tflite']) {
    if (!hasShared) continue;
    for (const vector of sharedJson(`golden/${name}.json`).vectors)
      write('block', `${name}-${vector.name}`, packGraph(vector.graph, [{ op: 'plan' }, ...vector.steps]).bytes);
  }
}

function listSeeds() {
  for (const file of sharedFiles('bench/minimalloc', /./)) write('csv', basename(file), readFileSync(file, 'utf8').split('\n').slice(0, 40).join('\n'));
  write('csv', 'aliases', 'id,lower,upper,size,alignment,offset,alias\na,0,4,64,16,,\nb,1,3,16,,,a+32\nc,2,9,16,,128,\n');
  write('csv', 'judged', 'buffer_id,start,end,size,alignment,offset,alias,fixed,arena,gaps\na,0,3,64,16,8,,,,\nb,1,2,16,,,a+32,,rw,\nc,2,8,16,,32,,,,\np,0,0,4,,0,,,persistent,\nq,5,5,4,,2,,,persistent,\nz,0,1,0,,,,,,\nf,0,9,8,8,,,128,,\n');
  write('csv', 'fixed-on-fixed-column', 'id,lower,upper,size,fixed\na,0,4,64,0\nb,2,6,64,32\n');
  write('csv', 'semicolons', 'id;lower;upper;size\na;0;4;64\n');
  write('csv', 'quoted', '\uFEFFsize, id,upper,lower\r\n8,"a ""b"", c",9,3\r\n');
}

/** Recipes are any bytes. */
function recipeSeeds() {
  let state = 1;
  const byte = () => (state = (state * 1103515245 + 12345) % 2 ** 31) >>> 16;
  for (let i = 0; i < 40; i++) {
    write('sequence', `recipe-${i}`, Uint8Array.from({ length: 100 + 10 * i }, byte));
    write('verify', `claims-${i}`, Uint8Array.from({ length: 40 + 10 * i }, byte));
  }
}

if (!hasShared) console.log(`${SHARED} is missing: only seeds made here`);
modelSeeds();
madeModels();
graphSeeds();
listSeeds();
recipeSeeds();

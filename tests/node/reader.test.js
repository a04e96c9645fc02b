// The .tflite reader: real models against the figures of their index, made models field by field, and the same
// answer from every build.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS, buildModel, encodeModel, rawModel, words } from '../support/model-builder.js';
import { nativeReader, readers } from '../support/readers.js';
import { hasShared, needsShared, sharedJson, sharedModel } from '../support/shared.js';
import { TENSOR_TYPES } from '../support/tflite-schema.js';

/** @typedef {import('../support/readers.js').Raw} Raw */

const native = nativeReader();

/** @param {Uint8Array} bytes */
async function readOne(bytes) {
  const [reading] = await native.read([bytes]);
  return reading;
}

/** The description of a model that must be readable. @param {Raw} short @returns {Promise<Raw>} */
async function read(short) {
  const { status, text, model } = await readOne(buildModel(short));
  assert.equal(status, 'ok', text);
  return /** @type {Raw} */ (model);
}

/** @param {Raw} model */
const codes = (model) => model.problems.map((/** @type {Raw} */ problem) => problem.code);

/** @type {Raw[]} */
const index = hasShared ? sharedJson('models/index.json') : [];
const files = index.map(({ file }) => sharedModel(file));

/** What the index counts. @param {Raw} model */
function count(model) {
  /** @type {Record<string, number>} */
  const dtypes = {};
  const tensors = model.subgraphs.flatMap((/** @type {Raw} */ graph) => graph.tensors);
  for (const { dtype } of tensors) dtypes[dtype] = (dtypes[dtype] ?? 0) + 1;
  return {
    subgraphs: model.subgraphs.length,
    operators: model.subgraphs.flatMap((/** @type {Raw} */ graph) => graph.nodes).length,
    tensors: tensors.length,
    dtypes,
  };
}

test('every shared model agrees with its index, or is refused with one right line', needsShared, async () => {
  const refusals = { '33': /has no subgraph/, '35': /bytes 4 to 7 are not TFL3/, '36': /bytes 4 to 7 are not TFL3/ };
  const readings = await native.read(files);
  readings.forEach(({ status, text, model }, i) => {
    const { file, subgraphs, operators, tensors, dtypes = {}, schema_version } = index[i];
    const refusal = Object.entries(refusals).find(([number]) => file.startsWith(number))?.[1];
    if (refusal) {
      assert.notEqual(status, 'ok', file);
      assert.match(text ?? '', refusal, file);
      assert.doesNotMatch(text ?? '', /\n/, file);
      return;
    }
    assert.equal(status, 'ok', `${file}: ${text}`);
    const counted = count(/** @type {Raw} */ (model));
    assert.deepEqual({ ...counted, dtypes: {} }, { subgraphs, operators, tensors, dtypes: {} }, file);
    if (Object.keys(dtypes).length) assert.deepEqual(counted.dtypes, dtypes, file);
    if (schema_version !== undefined) assert.equal(model?.schema_version, schema_version, file);
  });
});

test('operators, custom names, metadata, signatures and per-graph oddities of the shared models', needsShared, async () => {
  const readings = await native.read(files);
  readings.forEach(({ model }, i) => {
    const { file, op_top5 = [], custom_ops, metadata, signatures, features, subgraph = [] } = index[i];
    if (!model || !features) return;
    const nodes = model.subgraphs.flatMap((/** @type {Raw} */ graph) => graph.nodes);
    const tensors = model.subgraphs.flatMap((/** @type {Raw} */ graph) => graph.tensors);
    for (const [name, times] of op_top5) {
      const bare = name.replace('CUSTOM:', '');
      assert.equal(nodes.filter((/** @type {Raw} */ node) => node.name === bare).length, times, `${file} ${name}`);
    }
    const custom = nodes.filter((/** @type {Raw} */ node) => node.op === OPERATORS.CUSTOM).map((/** @type {Raw} */ node) => node.name);
    assert.deepEqual([...new Set(custom)].sort(), [...custom_ops].sort(), file);
    assert.deepEqual(model.metadata, metadata, file);
    assert.deepEqual(model.signatures.map((/** @type {Raw} */ signature) => signature.key), signatures, file);
    const feature = (/** @type {string} */ name) => features[name] ?? 0;
    const having = (/** @type {(tensor: Raw) => boolean} */ is) => tensors.filter(is).length;
    assert.equal(having((tensor) => tensor.is_constant), feature('const_tensors'), `${file}: constants`);
    assert.equal(having((tensor) => tensor.is_variable), feature('variable_tensors'), `${file}: variables`);
    assert.equal(having((tensor) => tensor.sparse), feature('sparse_tensors'), `${file}: sparse`);
    subgraph.forEach((/** @type {Raw} */ expected, /** @type {number} */ g) => {
      assert.equal(model.subgraphs[g].inputs.length, expected.inputs, file);
      assert.equal(model.subgraphs[g].outputs.length, expected.outputs, file);
    });
  });
});

test('every build reads the shared models alike', needsShared, async () => {
  const [reference, ...others] = await Promise.all(readers.map((reader) => reader.read(files)));
  others.forEach((readings, r) => {
    readings.forEach((reading, i) => assert.deepEqual(reading, reference[i], `${readers[r + 1].name}: ${index[i].file}`));
  });
});

test('a tensor of each type has its bytes', async () => {
  const bytesOf = {
    FLOAT32: 28, FLOAT16: 14, INT32: 28, UINT8: 7, INT64: 56, STRING: null, BOOL: 7, INT16: 14, COMPLEX64: 56,
    INT8: 7, FLOAT64: 56, COMPLEX128: 112, UINT64: 56, RESOURCE: null, VARIANT: null, UINT32: 28, UINT16: 14,
    INT4: 4, BFLOAT16: 14, INT2: 2, UINT4: 4, FLOAT8_E4M3FN: 7, FLOAT8_E5M2: 7,
  };
  assert.deepEqual(Object.keys(bytesOf), Object.keys(TENSOR_TYPES));
  const types = Object.keys(bytesOf);
  const model = await read({ tensors: types.map((type) => ({ name: type, type, shape: [7] })) });
  const tensors = model.subgraphs[0].tensors;
  for (const [i, type] of types.entries()) {
    const { dtype, bytes, type: allocation } = tensors[i];
    assert.equal(dtype, type.toLowerCase());
    assert.equal(bytes, bytesOf[/** @type {keyof typeof bytesOf} */ (type)], type);
    assert.equal(allocation, bytes === null ? 'dynamic' : 'arena_rw', type);
  }
  assert.deepEqual(codes(model), ['unknown-size', 'unknown-size'], 'string and variant; a resource is only a handle');
});

test('a type past the list counts as dynamic and is listed', async () => {
  const model = await read({ tensors: [{ name: 'x', type: 40, shape: [2] }] });
  const [tensor] = model.subgraphs[0].tensors;
  assert.deepEqual([tensor.dtype, tensor.bytes, tensor.type], [40, null, 'dynamic']);
  assert.deepEqual(codes(model), ['unknown-type']);
});

test('a missing or empty shape is one element; a 0 dimension is no bytes, however large the others', async () => {
  const model = await read({
    tensors: [
      { name: 'scalar', type: 'INT16' },
      { name: 'empty', type: 'INT16', shape: [] },
      { name: 'zero', shape: [2147483647, 2147483647, 2147483647, 0] },
    ],
  });
  assert.deepEqual(model.subgraphs[0].tensors.map((/** @type {Raw} */ tensor) => tensor.bytes), [2, 2, 0]);
});

test('every operator of the list has its name, in-place mask and version', async () => {
  const names = Object.keys(OPERATORS).filter((name) => name !== 'CUSTOM');
  const callers = /** @type {Record<string, Raw>} */ ({
    IF: { options: ['IfOptions', {}] },
    WHILE: { options: ['WhileOptions', {}] },
    CALL_ONCE: { options: ['CallOnceOptions', {}] },
    CALL: { options: ['CallOptions', {}] },
    STABLEHLO_COMPOSITE: { options2: ['StableHLOCompositeOptions', {}] },
    STABLEHLO_WHILE: { options2: ['StablehloWhileOptions', {}] },
    STABLEHLO_CASE: { options2: ['StablehloCaseOptions', {}] },
  });
  const operators = names.map((op, i) => ({ op, version: i + 1, ...callers[op] }));
  const model = await read({ subgraphs: [{ name: 'callee' }, { operators }] });
  const nodes = model.subgraphs[1].nodes;
  const masks = /** @type {Record<string, number>} */ ({
    ADD: 12, SUB: 12, MUL: 12, DIV: 12, SOFTMAX: 4, DYNAMIC_UPDATE_SLICE: 4, RESHAPE: 5, SQUEEZE: 5, EXPAND_DIMS: 5, BITCAST: 5,
  });
  names.forEach((name, i) => {
    assert.deepEqual([nodes[i].name, nodes[i].op, nodes[i].version, nodes[i].inplace], [name, OPERATORS[name], i + 1, masks[name] ?? 0]);
  });
});

test('an operator past the list is shown as its number, a custom one by its code', async () => {
  const model = await read({ operators: [{ op: 700 }, { op: 'CUSTOM', custom: 'My\u00d6p' }, { op: 'CUSTOM' }] });
  assert.deepEqual(model.subgraphs[0].nodes.map((/** @type {Raw} */ node) => node.name), ['700', 'My\u00d6p', 'CUSTOM']);
});

test('the operator is the larger of the two code fields', async () => {
  const raw = rawModel({ operators: [{ op: 'ADD' }, { op: 'MUL' }] });
  raw.operator_codes[0] = { deprecated_builtin_code: 3 };
  raw.operator_codes[1] = { deprecated_builtin_code: 127, builtin_code: 150 };
  const { model } = await readOne(encodeModel(raw));
  assert.deepEqual(model?.subgraphs[0].nodes.map((/** @type {Raw} */ node) => node.name), ['CONV_2D', 'GELU']);
});

test('constants in each of the three ways, shared ones counted once, buffer 0 none', async () => {
  const short = {
    tensors: [
      { name: 'inside', type: 'INT8', shape: [100], data: 100 },
      { name: 'offset', type: 'INT8', shape: [50], data: 50, keep: 'offset' },
      { name: 'external', type: 'INT8', shape: [30], data: 30, keep: 'external' },
      { name: 'again', type: 'INT8', shape: [100], buffer: 1 },
      { name: 'plain', type: 'INT8', shape: [7], buffer: 0 },
      { name: 'emptied', type: 'INT8', shape: [7], data: [] },
    ],
  };
  const model = await read(short);
  const tensors = model.subgraphs[0].tensors;
  assert.deepEqual(tensors.map((/** @type {Raw} */ tensor) => tensor.type), ['mmap_ro', 'mmap_ro', 'mmap_ro', 'mmap_ro', 'arena_rw', 'arena_rw']);
  assert.equal(model.constant_bytes, 180);
  assert.deepEqual(model.problems, []);
  const raw = rawModel(short);
  raw.buffers[0] = { data: new Uint8Array(7) };
  raw.buffers[2] = { data: new Uint8Array(50) };
  const filled = await readOne(encodeModel(raw));
  assert.equal(filled.model?.subgraphs[0].tensors[4].type, 'arena_rw', 'buffer 0 is no constant even when it holds data');
});

test('a position past the end is an error, in each of the ways', async () => {
  const raw = rawModel({ tensors: [{ name: 'w', type: 'INT8', shape: [4], data: 4 }] });
  raw.buffers[1] = { offset: 100, size: 1e9 };
  const outside = await readOne(encodeModel(raw));
  assert.equal(outside.status, 'truncated');
  assert.match(outside.text ?? '', /^buffer 1 lies at byte 100 and has 1000000000 bytes, but the file ends at byte \d+/);
  raw.buffers[1] = { offset: 2n ** 64n - 2n, size: 2n ** 64n - 2n };
  assert.equal((await readOne(encodeModel(raw))).status, 'truncated', 'no wrap around');
  raw.buffers[1] = { offset: 1, size: 1 };
  const none = await readOne(encodeModel(raw));
  assert.equal(none.model?.subgraphs[0].tensors[0].is_constant, false, 'an offset of 1 is no position');
});

test('external buffers are found by id, and must exist', async () => {
  const raw = rawModel({ tensors: [{ name: 'w', type: 'INT8', shape: [4], data: 4, keep: 'external' }] });
  raw.external_buffers = [{ id: 9, length: 1 }, { id: 3, length: 4 }, { id: 7, length: 2 }];
  raw.subgraphs[0].tensors[0].external_buffer = 3;
  const found = await readOne(encodeModel(raw));
  assert.equal(found.model?.constant_bytes, 4);
  raw.subgraphs[0].tensors[0].external_buffer = 4;
  const missing = await readOne(encodeModel(raw));
  assert.equal(missing.status, 'bad-index');
  assert.match(missing.text ?? '', /^tensor 0 refers to external buffer 4, and the model lists none of that id/);
  raw.external_buffers[0].group = 5;
  assert.match((await readOne(encodeModel(raw))).text ?? '', /^external buffer 0 refers to group 5 of 1/);
  raw.external_buffers[0] = { id: 9, length: 2n ** 53n };
  assert.equal((await readOne(encodeModel(raw))).status, 'over-limit');
});

test('variables, intermediates, quantization, sparsity, signatures and shape_signature are kept', async () => {
  const model = await read({
    tensors: [
      { name: 'x', type: 'INT8', shape: [1, 4], shape_signature: [-1, 4], quantization: { scale: [0.5, 1], zero_point: [3] } },
      { name: 'state', type: 'INT16', shape: [4], is_variable: true },
      { name: 'y', type: 'INT8', shape: [1, 4], sparsity: {} },
      { name: 'between', type: 'INT8', shape: [0] },
    ],
    operators: [{ op: 'SVDF', inputs: [0, -1, 1], outputs: [2], intermediates: [3, -1], options: ['SVDFOptions', { rank: 2 }] }],
    inputs: [0],
    outputs: [2],
    signatures: { serving_default: 0 },
  });
  const [graph] = model.subgraphs;
  const [x, state, y] = graph.tensors;
  assert.deepEqual([x.shape, x.shape_signature, x.type, x.scales, x.zero_points], [[1, 4], [-1, 4], 'arena_rw', 2, 1]);
  assert.deepEqual([state.type, graph.variables], ['arena_rw_persistent', [1]]);
  assert.equal(y.sparse, true);
  assert.deepEqual(graph.nodes[0].inputs, [0, -1, 1]);
  assert.deepEqual(graph.nodes[0].intermediates, [3, -1]);
  assert.deepEqual(model.signatures, [{ key: 'serving_default', subgraph: 0 }]);
  assert.deepEqual(model.problems, []);
});

test('operators know which subgraphs they run', async () => {
  const callers = [
    { op: 'IF', options: ['IfOptions', { then_subgraph_index: 2, else_subgraph_index: 3 }] },
    { op: 'WHILE', options: ['WhileOptions', { cond_subgraph_index: 3, body_subgraph_index: 1 }] },
    { op: 'CALL_ONCE', options: ['CallOnceOptions', { init_subgraph_index: 1 }] },
    { op: 'CALL', options: ['CallOptions', { subgraph: 2 }] },
    { op: 'STABLEHLO_COMPOSITE', options2: ['StableHLOCompositeOptions', { name: 'n', decomposition_subgraph_index: 3 }] },
    { op: 'STABLEHLO_WHILE', options2: ['StablehloWhileOptions', { cond_subgraph_index: 1, body_subgraph_index: 2 }] },
    { op: 'STABLEHLO_CASE', options2: ['StablehloCaseOptions', { branch_subgraph_indices: [3, 2, 1] }] },
  ];
  const rest = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const model = await read({ subgraphs: [{ operators: callers }, ...rest] });
  assert.deepEqual(
    model.subgraphs[0].nodes.map((/** @type {Raw} */ node) => node.calls),
    [[2, 3], [3, 1], [1], [2], [3], [1, 2], [3, 2, 1]],
  );
  for (const caller of callers) {
    const field = Object.keys(/** @type {Raw} */ (caller.options ?? caller.options2)[1]).at(-1) ?? '';
    const [table, fields] = /** @type {[string, Raw]} */ (caller.options ?? caller.options2);
    const wrong = [table, { ...fields, [field]: Array.isArray(fields[field]) ? [9] : 9 }];
    const broken = { ...caller, [caller.options ? 'options' : 'options2']: wrong };
    const reading = await readOne(buildModel({ subgraphs: [{ operators: [broken] }, ...rest] }));
    assert.equal(reading.status, 'bad-index', caller.op);
    assert.match(reading.text ?? '', new RegExp(`^subgraph 0 op 0 \\(${caller.op}\\) refers to subgraph 9 of 4`));
    assert.deepEqual(reading.place, { subgraph: 0, node: 0, tensor: null });
    const bare = await readOne(buildModel({ subgraphs: [{ operators: [{ op: caller.op }] }, ...rest] }));
    assert.equal(bare.status, 'malformed', `${caller.op} without options`);
  }
});

test('subgraphs that run each other in a loop are listed, once each', async () => {
  const call = (/** @type {number} */ subgraph) => ({ op: 'CALL', options: ['CallOptions', { subgraph }] });
  const model = await read({ subgraphs: [{ operators: [call(1), call(2)] }, { operators: [call(2)] }, { operators: [call(1), call(2)] }] });
  assert.deepEqual(
    model.problems.map((/** @type {Raw} */ { code, subgraph, node }) => [code, subgraph, node]),
    [['calls-itself', 2, 0], ['calls-itself', 2, 1]],
  );
});

test('a WHILE whose condition and body are its own subgraph is listed once', async () => {
  const model = await read({ operators: [{ op: 'WHILE', options: ['WhileOptions', {}] }] });
  assert.deepEqual(
    model.problems.map((/** @type {Raw} */ { text }) => text),
    ['node 0 of subgraph 0 runs subgraph 0, which is still running: no runtime ends this'],
  );
});

test('odd but legal graphs are read and listed', async () => {
  const tensors = [
    { name: 'x', shape: [1] },
    { name: 'y', shape: [1] },
    { name: 'w', shape: [1], data: 4 },
    { name: 'both', shape: [1], data: 4, is_variable: true },
    { name: 'short', shape: [3], data: 4 },
  ];
  const model = await read({
    tensors,
    operators: [
      { op: 'ADD', inputs: [0, 2], outputs: [1] },
      { op: 'ADD', inputs: [0, 2], outputs: [1] },
      { op: 'ADD', inputs: [1, 1], outputs: [2] },
      { op: 'ADD', inputs: [1, 1], outputs: [0] },
    ],
    inputs: [0],
    outputs: [1, 2, 0],
  });
  assert.deepEqual(
    model.problems.map((/** @type {Raw} */ { code, tensor, node }) => [code, tensor, node]),
    [
      ['variable-with-data', 3, undefined],
      ['constant-size', 4, undefined],
      ['written-twice', 1, 1],
      ['constant-written', 2, 2],
      ['input-written', 0, 3],
      ['constant-output', 2, undefined],
      ['input-is-output', 0, undefined],
    ],
  );
});

test('names that are not UTF-8, or hold quotes and control characters, survive as JSON', async () => {
  const model = await read({ tensors: [{ name: Uint8Array.of(0x61, 0xff, 0x62), shape: [1] }, { name: '"\\\n\u0001\u20ac', shape: [1] }] });
  assert.deepEqual(model.subgraphs[0].tensors.map((/** @type {Raw} */ tensor) => tensor.name), ['a\ufffdb', '"\\\n\u0001\u20ac']);
});

test('schema versions up to 3 are read, others refused with a sentence', async () => {
  for (const version of [0, 1, 2, 3]) assert.equal((await readOne(buildModel({ version }))).status, 'ok', `${version}`);
  const newer = await readOne(buildModel({ version: 4 }));
  assert.equal(newer.status, 'not-a-model');
  assert.match(newer.text ?? '', /schema version 4, and this library reads those up to 3/);
});

test('constants inside tensors, as the first schema versions had them, are refused by name', async () => {
  const raw = { ...rawModel({ tensors: [{ name: 'w', shape: [1], buffer: 24 }] }), buffers: [] };
  for (const [version, sentence] of /** @type {[number, RegExp][]} */ ([[2, /keeps constants inside its tensors/], [3, /refers to buffer 24 of 0/]])) {
    const { status, text } = await readOne(encodeModel({ ...raw, version }));
    assert.notEqual(status, 'ok');
    assert.match(text ?? '', sentence);
  }
});

test('a metadata entry of another name is only listed', async () => {
  const model = await read({ metadata: { min_runtime_version: 16, OfflineMemoryAllocatio: words([1]) } });
  assert.deepEqual([model.metadata, model.has_offline_plan], [['min_runtime_version', 'OfflineMemoryAllocatio'], false]);
});

test('an offline plan that is not 4-aligned is listed: the runtime reads it as words', async () => {
  const plan = words([0, 1, 1, 16]);
  const bytes = buildModel({ tensors: [{ name: 'x', shape: [4] }], metadata: { OfflineMemoryAllocation: plan } });
  // The plan's vector again, at an odd place behind the file, and the reference that led to it turned there.
  const vector = Buffer.from(bytes).indexOf(Buffer.from(plan)) - 4;
  const copy = bytes.length + 1;
  const moved = new Uint8Array(copy + 4 + plan.length);
  moved.set(bytes);
  moved.set(bytes.subarray(vector, vector + 4 + plan.length), copy);
  const view = new DataView(moved.buffer);
  const references = Array.from({ length: bytes.length / 4 }, (_, i) => 4 * i).filter((at) => at + view.getUint32(at, true) === vector);
  assert.equal(references.length, 1);
  view.setUint32(references[0], copy - references[0], true);
  const { model } = await readOne(moved);
  assert.equal(model?.has_offline_plan, true);
  assert.deepEqual(codes(/** @type {Raw} */ (model)), ['offline-plan-unaligned']);
});

test('a buffer list is described by its rows', async () => {
  const { model } = await readOne(new Uint8Array(Buffer.from('id,lower,upper,size,offset,alias,fixed,arena\na,0,3,64,128,,,\nb,1,2,16,,a+8,,\nc,0,1,4,,,8,persistent\n')));
  assert.equal(model?.kind, 'csv');
  assert.deepEqual(model?.subgraphs, []);
  assert.deepEqual(model?.rows, [
    { id: 'a', first: 0, last: 2, bytes: 64, alignment: 1, offset: 128, fixed: null, arena: 'rw', alias: null, alias_bytes: 0 },
    { id: 'b', first: 1, last: 1, bytes: 16, alignment: 1, offset: null, fixed: null, arena: 'rw', alias: 0, alias_bytes: 8 },
    { id: 'c', first: 0, last: 0, bytes: 4, alignment: 1, offset: null, fixed: 8, arena: 'persistent', alias: null, alias_bytes: 0 },
  ]);
});

test('what is no model gets a sentence that teaches', async () => {
  const text = (/** @type {string} */ chars) => new Uint8Array(Buffer.from(chars, 'latin1'));
  const cases = /** @type {[Uint8Array, RegExp][]} */ ([
    [text(''), /the file is empty/],
    [text('\x1c\0\0\0TFL2\x14\0\x20\0'), /file identifier is TFL2, and this library reads TFL3/],
    [text(' {"format":"x"}'), /this is JSON/],
    [text('<!DOCTYPE html><html>'), /HTML/],
    [text('version https://git-lfs.github.com/spec/v1\noid'), /Git LFS pointer/],
    [text('PK\x03\x04rest of it'), /ZIP archive/],
    [text('\x1f\x8b\x08\0\0\0\0\0'), /gzip/],
    [text('\x89HDF\r\n\x1a\n'), /HDF5/],
    [text('GGUF\x03\0\0\0'), /GGUF/],
    [text('\x08\x07\x12\x07pytorch\x1a\x031.9'), /ONNX/],
    [text('hello there, world'), /bytes 4 to 7 are not TFL3/],
    [text('ab'), /bytes 4 to 7 are not TFL3/],
  ]);
  const readings = await native.read(cases.map(([bytes]) => bytes));
  readings.forEach(({ status, text: sentence }, i) => {
    assert.equal(status, 'not-a-model');
    assert.match(sentence ?? '', cases[i][1]);
  });
});

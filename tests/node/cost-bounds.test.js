// Files that are small and ask for much. For each: the answer, and that it costs time and memory in proportion
// to the file. Time is this process's, so that a busy machine does not matter, and measured generously: what a
// fault of this kind costs is minutes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import '../support/keep-alive.js';
import { packGraph } from '../../wasm/graph.js';
import { Instance } from '../../wasm/instance.js';
import { Model } from '../../wasm/model.js';
import { buildModel } from '../support/model-builder.js';
import { RawFile } from '../support/raw-file.js';

/** @typedef {import('../../wasm/index.js').Runtime} Runtime */
/** @typedef {import('../../wasm/index.js').PlannerName} PlannerName */
/** @typedef {import('../../wasm/index.js').Operation} Operation */
/** @typedef {import('../support/raw-file.js').Table} Table */

const MB = 2 ** 20;
const LIMIT_MS = 2000;
/** What a small file may cost: the module's own memory, and room for first blocks. */
const FREE_BYTES = 16 * MB;
/** What a byte of a file may cost, in bytes of memory; its description and its plan as JSON are most of it. */
const PER_BYTE = 100;
/** Slots of the schema's tables. */
const MODEL = { codes: 1, subgraphs: 2, buffers: 4, metadata: 6, signatures: 7 };
const SUBGRAPH = { tensors: 0, inputs: 1, outputs: 2, operators: 3 };
const TENSOR = { shape: 0, name: 3 };
const OPERATOR = { inputs: 1, outputs: 2 };
/** @type {Runtime[]} */
const ALL = ['tflite-2018', 'tflite', 'tflm'];
/** @type {Runtime[]} */
const FOR_GRAPHS = ['tflite-2018', 'tflite'];

/** @type {WebAssembly.Module} */
let wasm;
before(async () => {
  wasm = await WebAssembly.compile(readFileSync('dist/tensor_arena.wasm'));
});

/** Milliseconds of CPU that this process has used. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** "ok", or the code of the error. @param {() => unknown} what */
function outcomeOf(what) {
  try {
    what();
    return 'ok';
  } catch (error) {
    const { code } = /** @type {{ code?: string }} */ (error);
    if (code === undefined || code === 'crashed') throw error;
    return code;
  }
}

/**
 * Opens, describes, plans under each runtime and reports, and says what came of it.
 * @param {Uint8Array} bytes @param {Runtime[]} runtimes @param {PlannerName} [planner]
 * @param {boolean} [texts] whether to describe and report
 */
async function measure(bytes, runtimes, planner, texts = true) {
  const start = cpuMs();
  const instance = await Instance.start(wasm);
  /** @type {Model | undefined} */
  let model;
  /** @type {Record<string, string>} */
  const outcome = { open: outcomeOf(() => (model = new Model(instance, { bytes }))) };
  if (model !== undefined) {
    if (texts) outcome.describe = outcomeOf(() => model?.description);
    for (const runtime of runtimes) {
      outcome[runtime] = outcomeOf(() => {
        const made = model?.planner({ runtime, planner, nodes: 1000 });
        made?.plan();
        made?.execute();
        made?.summary();
        if (texts) made?.text('json');
      });
    }
  }
  return { outcome, ms: cpuMs() - start, memory: instance.memoryBytes };
}

/**
 * @param {Uint8Array} bytes
 * @param {Record<string, string>} wanted  what the outcome must have
 * @param {{ runtimes?: Runtime[], planner?: PlannerName, texts?: boolean, ms?: number, perByte?: number }} [options]
 */
async function costsLittle(bytes, wanted, { runtimes = ALL, planner, texts, ms = LIMIT_MS, perByte = PER_BYTE } = {}) {
  const { outcome, memory, ms: took } = await measure(bytes, runtimes, planner, texts);
  for (const [what, code] of Object.entries(wanted)) assert.equal(outcome[what], code, `${what}, of ${JSON.stringify(outcome)}`);
  assert.ok(took <= ms, `${Math.round(took)} ms`);
  const most = FREE_BYTES + perByte * bytes.length;
  assert.ok(memory <= most, `${(memory / MB).toFixed(0)} MB of memory for a file of ${(bytes.length / MB).toFixed(1)} MB`);
}

/**
 * A model of one subgraph with these slots, and one empty buffer.
 * @param {number[]} slots @returns {{ file: RawFile, subgraph: Table }}
 */
function oneSubgraph(...slots) {
  const file = new RawFile();
  const model = file.model(MODEL.subgraphs, MODEL.buffers);
  const subgraphs = file.vector(1);
  const buffers = file.vector(1);
  file.refer(model.slot[MODEL.subgraphs], subgraphs);
  file.refer(model.slot[MODEL.buffers], buffers);
  const subgraph = file.table(...slots);
  file.refer(subgraphs + 4, subgraph.at);
  file.refer(buffers + 4, file.table().at);
  return { file, subgraph };
}

/** A million entries, all the same table. @param {RawFile} file @param {Table} owner @param {number} slot @param {() => Table} make @param {number} [count] */
function share(file, owner, slot, make, count = 2 ** 20) {
  file.refer(owner.slot[slot], file.shared(count, make));
}

test('a million tensors that are one table', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors);
  share(file, subgraph, SUBGRAPH.tensors, () => file.table());
  await costsLittle(file.bytes, { open: 'ok', tflite: 'ok' }, { runtimes: ['tflite'], texts: false });
});

test('two hundred thousand tensors that are one table, described and reported', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors);
  share(file, subgraph, SUBGRAPH.tensors, () => file.table(), 200_000);
  await costsLittle(file.bytes, { open: 'ok', tflite: 'ok' }, { runtimes: ['tflite'], ms: 5000, perByte: 400 });
});

test('a hundred thousand tensors with one long name', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors);
  /** @type {Table} */
  let tensor = { at: 0, vtable: 0, slot: {} };
  share(file, subgraph, SUBGRAPH.tensors, () => (tensor = file.table(TENSOR.name)), 100_000);
  file.refer(tensor.slot[TENSOR.name], file.string('n'.repeat(MB)));
  await costsLittle(file.bytes, { open: 'over-limit' });
});

test('a hundred thousand tensors with one long shape', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors);
  /** @type {Table} */
  let tensor = { at: 0, vtable: 0, slot: {} };
  share(file, subgraph, SUBGRAPH.tensors, () => (tensor = file.table(TENSOR.shape)), 100_000);
  file.refer(tensor.slot[TENSOR.shape], file.vector(100_000));
  await costsLittle(file.bytes, { open: 'over-limit' });
});

test('a million operators with one list of a million inputs', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors, SUBGRAPH.operators);
  share(file, subgraph, SUBGRAPH.tensors, () => file.table(), 1);
  /** @type {Table} */
  let operator = { at: 0, vtable: 0, slot: {} };
  share(file, subgraph, SUBGRAPH.operators, () => (operator = file.table(OPERATOR.inputs)));
  file.refer(operator.slot[OPERATOR.inputs], file.vector(2 ** 20));
  const { outcome } = await measure(file.bytes, []);
  assert.ok(['over-limit', 'bad-index'].includes(outcome.open), outcome.open);
  await costsLittle(file.bytes, {});
});

test('a hundred thousand subgraphs that are one, with a list of a hundred thousand tensors', async () => {
  const file = new RawFile();
  const model = file.model(MODEL.subgraphs);
  /** @type {Table} */
  let subgraph = { at: 0, vtable: 0, slot: {} };
  share(file, model, MODEL.subgraphs, () => (subgraph = file.table(SUBGRAPH.tensors)), 100_000);
  share(file, subgraph, SUBGRAPH.tensors, () => file.table(), 100_000);
  await costsLittle(file.bytes, { open: 'over-limit' });
});

for (const [name, slot] of Object.entries({ codes: MODEL.codes, buffers: MODEL.buffers, metadata: MODEL.metadata, signatures: MODEL.signatures })) {
  test(`a million ${name} that are one table`, async () => {
    const file = new RawFile();
    const model = file.model(slot);
    share(file, model, slot, () => file.table());
    const { outcome } = await measure(file.bytes, []);
    assert.notEqual(outcome.open, 'crashed');
    await costsLittle(file.bytes, {}, { runtimes: [] });
  });
}

test('vectors that lie over one another and over themselves', async () => {
  // Each of the vector's entries leads to a word of the same vector, read as a table, a count, a list.
  const file = new RawFile();
  const model = file.model(MODEL.subgraphs);
  const vector = file.vector(200_000);
  file.refer(model.slot[MODEL.subgraphs], vector);
  for (let i = 0; i < 200_000; i++) file.word(vector + 4 + 4 * i, 4);
  await costsLittle(file.bytes, { open: 'truncated' });
});

test('a vtable that claims much', async () => {
  const { file, subgraph } = oneSubgraph(SUBGRAPH.tensors);
  const tensors = file.vector(1);
  file.refer(subgraph.slot[SUBGRAPH.tensors], tensors);
  const tensor = file.table(TENSOR.shape);
  file.refer(tensors + 4, tensor.at);
  file.half(tensor.vtable, 65534);
  const { outcome } = await measure(file.bytes, []);
  assert.ok(['truncated', 'malformed'].includes(outcome.open), outcome.open);
  await costsLittle(file.bytes, {});
});

for (const count of [0xffffffff, 0xfffffffe, 0x80000000, 0x7fffffff, 0x40000001, 0x3fffffff]) {
  test(`lists that claim ${count} entries`, async () => {
    for (const slot of Object.values(SUBGRAPH)) {
      const { file, subgraph } = oneSubgraph(slot);
      const vector = file.vector(1);
      file.refer(subgraph.slot[slot], vector);
      file.word(vector, count);
      await costsLittle(file.bytes, { open: 'truncated' });
    }
    const file = new RawFile();
    const model = file.model(MODEL.subgraphs);
    const vector = file.vector(1);
    file.refer(model.slot[MODEL.subgraphs], vector);
    file.word(vector, count);
    await costsLittle(file.bytes, { open: 'truncated' });
  });
}

const tensor = { type: 'INT8', shape: [1, 16] };
/** A subgraph of two tensors whose operators all run other subgraphs. @param {object[]} operators */
const caller = (operators) => ({ tensors: [tensor, tensor], inputs: [0], outputs: [1], operators });
/** @param {number} cond @param {number} body */
const loop = (cond, body) => ({
  op: 'WHILE', inputs: [0], outputs: [1], options: ['WhileOptions', { cond_subgraph_index: cond, body_subgraph_index: body }],
});
/** @param {number} then */
const branch = (then) => ({
  op: 'IF', inputs: [0, 0], outputs: [1], options: ['IfOptions', { then_subgraph_index: then, else_subgraph_index: then }],
});

test('subgraphs that call each other in a loop', async () => {
  const bytes = buildModel({ subgraphs: [caller([branch(1)]), caller([branch(2)]), caller([branch(1)])] });
  await costsLittle(bytes, { open: 'ok', 'tflite-2018': 'ok', tflite: 'ok', tflm: 'refused-by-runtime' });
});

test('a WHILE that calls itself', async () => {
  const bytes = buildModel({ subgraphs: [caller([loop(0, 0)])] });
  await costsLittle(bytes, { open: 'ok', 'tflite-2018': 'ok', tflite: 'ok', tflm: 'refused-by-runtime' });
});

test('calls of which each makes two more, 40 deep', async () => {
  const deep = Array.from({ length: 40 }, (_, i) => caller([branch(i + 1)]));
  await costsLittle(buildModel({ subgraphs: [...deep, caller([])] }), { open: 'ok', tflite: 'ok', tflm: 'over-limit' });
});

test('calls one in the other, 20,000 deep', async () => {
  const deep = Array.from({ length: 20_000 }, (_, i) => caller([{ ...branch(i + 1), op: 'CALL_ONCE', options: ['CallOnceOptions', { init_subgraph_index: i + 1 }] }]));
  const bytes = buildModel({ subgraphs: [...deep, caller([])] });
  await costsLittle(bytes, { open: 'ok', tflite: 'ok' }, { ms: 5000 });
});

/** @param {number} count @param {(i: number) => number} bytesOf @param {object} [more] */
const graphOf = (count, bytesOf, more) => ({
  tensors: Array.from({ length: count }, (_, i) => ({ bytes: bytesOf(i), type: /** @type {const} */ ('arena_rw') })),
  nodes: [],
  inputs: [],
  outputs: [],
  ...more,
});

test('a million tensors of no bytes', async () => {
  const outputs = Array.from({ length: 2 ** 20 }, (_, i) => i);
  const { bytes } = packGraph(graphOf(2 ** 20, () => 0, { nodes: [{ inputs: [], outputs }] }));
  await costsLittle(bytes, { open: 'ok', 'tflite-2018': 'ok', tflite: 'ok' }, { runtimes: FOR_GRAPHS, texts: false });
});

test('fifty thousand tensors that all live at once, by each planner', async () => {
  const outputs = Array.from({ length: 50_000 }, (_, i) => i);
  const { bytes } = packGraph(graphOf(50_000, (i) => 1 + ((i * 7919) % 10_007), { nodes: [{ inputs: [], outputs }] }));
  for (const planner of /** @type {PlannerName[]} */ (['own', 'linear', 'optimal']))
    await costsLittle(bytes, { 'tflite-2018': 'ok', tflite: 'ok' }, { runtimes: FOR_GRAPHS, planner, ms: 5000 });
});

test('ten thousand tensors that come late', async () => {
  const count = 10_000;
  const nodes = Array.from({ length: count }, (_, i) => ({ inputs: i < count / 2 ? [] : [i - count / 2], outputs: [i] }));
  const graph = graphOf(count, (i) => 16 + ((i * 7919) % 5003), { nodes });
  /** @type {Operation[]} */
  const operations = [
    { op: 'plan' },
    { op: 'execute', first: count / 2, last: count - 1 },
    { op: 'execute', first: 0, last: count - 1 },
  ];
  for (const runtime of FOR_GRAPHS) {
    const start = cpuMs();
    const planner = new Model(await Instance.start(wasm), { bytes: packGraph(graph).bytes }).planner({ runtime });
    for (const operation of operations) {
      if (operation.op === 'plan') planner.plan();
      else if (operation.op === 'execute') planner.execute(operation.first, operation.last);
    }
    const ms = cpuMs() - start;
    assert.ok(ms <= 2 * LIMIT_MS, `${runtime}: ${Math.round(ms)} ms`);
  }
});

test('counts of a graph block that it does not hold', async () => {
  const { bytes } = packGraph(graphOf(2, () => 4));
  for (let word = 4; word < 12; word++) {
    for (const count of [0xffffffff, 0x80000000, 0x0ccccccd]) {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(4 * word, count, true);
      const { outcome } = await measure(copy, FOR_GRAPHS);
      assert.ok(['truncated', 'malformed'].includes(outcome.open), `word ${word}: ${outcome.open}`);
      await costsLittle(copy, {}, { runtimes: [] });
    }
  }
});

/** @param {string[]} lines */
const list = (lines) => new TextEncoder().encode(`id,lower,upper,size,alias\n${lines.join('\n')}\n`);

test('a hundred thousand views, each of the next', async () => {
  const count = 100_000;
  const chain = Array.from({ length: count }, (_, i) => `a${i},${i % 7},9,8,${i + 1 < count ? `a${i + 1}+0` : ''}`);
  for (const lines of [chain, chain.toReversed()])
    await costsLittle(list(lines), { open: 'ok', none: 'ok' }, { runtimes: ['none'], ms: 5000 });
});

test('views of each other in a ring', async () => {
  const count = 100_000;
  const ring = Array.from({ length: count }, (_, i) => `a${i},0,9,8,a${(i + 1) % count}+0`);
  const { outcome } = await measure(list(ring), []);
  assert.equal(outcome.open, 'malformed');
  await costsLittle(list(ring), {});
});

test('a hundred thousand buffers of one name', async () => {
  await costsLittle(list(Array.from({ length: 100_000 }, () => 'a,0,1,8,')), { open: 'malformed' });
});

test('a list whose steps reach to the largest time', async () => {
  await costsLittle(list(['a,0,2147483647,8,', 'b,2147483646,2147483647,8,']), { open: 'ok', none: 'ok' }, { runtimes: ['none'] });
});

test('a quote that never ends, and a million columns', async () => {
  await costsLittle(new TextEncoder().encode(`id,lower,upper,size\n"${'x'.repeat(4 * MB)}`), { open: 'bad-syntax' });
  await costsLittle(new TextEncoder().encode(`id,lower,upper,size${',x'.repeat(2 ** 20)}\n`), { open: 'bad-syntax' });
});

test('twenty thousand buffers to search among', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `b${i},${(i * 7919) % 5000},${((i * 7919) % 5000) + 1 + ((i * 31) % 97)},${1 + ((i * 104729) % 65_521)},`);
  await costsLittle(list(lines), { open: 'ok', none: 'ok' }, { runtimes: ['none'], ms: 8000, perByte: 400 });
});

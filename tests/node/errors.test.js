// Errors are classes with a stable code and a place; the words that JavaScript knows are the core's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as errors from '../../wasm/errors.js';
import { open, openSync, verify } from '../../wasm/index.js';
import * as names from '../../wasm/names.js';
import { coreError } from '../../wasm/statuses.js';

const header = readFileSync('c/include/tensor_arena.h', 'utf8');
const statuses = [...readFileSync('c/include/tensor_arena_status.def', 'utf8').matchAll(/^STATUS\((\d+), \w+, "([\w-]+)"/gm)].map(
  ([, number, name]) => ({ number: Number(number), name: String(name) }),
);

/** Codes that no status stands for: they are JavaScript's own. */
const OWN_CODES = ['wasm-unavailable', 'wasm-mismatch', 'crashed'];

/** The constants of a C enumeration, in order of their numbers. @param {string} prefix */
function enumeration(prefix) {
  return [...header.matchAll(new RegExp(`\\b${prefix}(\\w+) = (\\d+)[,\\s/}]`, 'g'))]
    .map(([, name = '', number]) => ({ name: name.toLowerCase().replaceAll('_', '-'), number: Number(number) }))
    .filter(({ name, number }) => number !== 255 && name !== 'default')
    .sort((a, b) => a.number - b.number)
    .map(({ name }) => name);
}

test('the types list the words of the core, in order', () => {
  const types = readFileSync('wasm/index.d.ts', 'utf8');
  const union = (/** @type {string} */ name) => [...(new RegExp(`export type ${name} =([^;]*);`).exec(types)?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(([, word]) => word);
  assert.deepEqual(union('Runtime'), names.RUNTIMES);
  assert.deepEqual(union('PlannerName'), names.PLANNERS);
  assert.deepEqual(union('Kernels'), names.KERNELS);
  assert.deepEqual(union('Target'), names.TARGETS);
  assert.deepEqual(union('ReportFormat'), names.FORMATS);
  assert.deepEqual(union('AllocationType'), names.TYPES);
  assert.deepEqual(union('PlanStatus'), names.PLAN_STATUSES);
  assert.deepEqual(enumeration('TA_OPERATION_').map((word) => word.replaceAll('-', '_')), names.OPERATIONS);
});

test('each status has a class, and the types list every code', () => {
  const types = readFileSync('wasm/index.d.ts', 'utf8');
  const union = /export type ErrorCode =([^;]*);/.exec(types)?.[1] ?? '';
  const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code);
  const failures = statuses.filter(({ number }) => number !== 0).map(({ name }) => name);
  assert.deepEqual(codes, [...failures, ...OWN_CODES]);
  for (const code of failures) assert.notEqual(coreError(code, '').constructor, errors.TensorArenaError, `${code} has no class of its own`);
});

test('each class says its name and is an Error', () => {
  for (const [name, Class] of Object.entries(errors)) {
    const error = new Class('crashed', 'a sentence');
    assert.equal(error.name, name);
    assert.ok(error instanceof errors.TensorArenaError && error instanceof Error);
    assert.equal(String(error), `${name}: a sentence`);
    assert.deepEqual(error.place, { subgraph: null, node: null, tensor: null, byte: null });
  }
});

const graph = { tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] };

/**
 * @param {() => Promise<unknown>} call
 * @param {string} code
 * @param {RegExp} [message]
 * @returns {Promise<import('../../wasm/index.js').TensorArenaError>}
 */
async function throws(call, code, message = /./) {
  try {
    await call();
  } catch (error) {
    const found = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
    assert.equal(found.code, code, found.stack);
    assert.match(found.message, message);
    return found;
  }
  assert.fail(`nothing was thrown; ${code} should have been`);
}

/** @param {import('../../wasm/index.js').PlannerOptions} [options] */
async function planner(options) {
  const made = (await open(graph)).planner(options);
  made.plan();
  return made;
}

const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);
/** The smallest that is called a .tflite: a root offset and the identifier. */
const tflite = (/** @type {number} */ root) => Uint8Array.from([root, 0, 0, 0, ...bytesOf('TFL3'), 0, 0, 0, 0]);

/** How each status comes about. @type {Record<string, () => Promise<unknown>>} */
const PRODUCED = {
  'bad-argument': async () => (await open(graph)).planner({ alignment: 3 }),
  'over-limit': async () => {
    const made = await planner();
    made.resize(0, Number.MAX_SAFE_INTEGER);
    made.resize(1, Number.MAX_SAFE_INTEGER);
    made.execute();
  },
  'wrong-order': async () => (await open(graph)).planner().execute(),
  'not-a-model': () => open(bytesOf('hello, world')),
  truncated: () => open(tflite(250)),
  'bad-index': () => open({ ...graph, nodes: [{ inputs: [0, 9], outputs: [1] }] }),
  'bad-syntax': () => open('id,lower,upper,size\na,1,x,4\n'),
  unsupported: async () => (await planner()).release(),
  'tensor-grew': async () => {
    const made = await planner();
    made.execute();
    made.resize(1, 61);
    made.execute();
  },
};

for (const [code, produce] of Object.entries(PRODUCED)) test(`${code} is thrown as such`, async () => void (await throws(produce, code)));

test('an error says where', async () => {
  const index = await throws(() => open({ ...graph, nodes: [{ inputs: [0, 9], outputs: [1] }] }), 'bad-index', /^node 0 input 1 refers to tensor 9 of 2$/);
  assert.deepEqual(index.place, { subgraph: 0, node: 0, tensor: null, byte: null });
  const grew = await throws(/** @type {() => Promise<unknown>} */ (PRODUCED['tensor-grew']), 'tensor-grew');
  assert.equal(grew.place.tensor, 1);
  const syntax = await throws(() => open('id,lower,upper,size\na,1,x,4\n'), 'bad-syntax', /line 2/);
  assert.equal(typeof syntax.place.byte, 'number');
});

test('graph JSON: what is wrong is named with its key', async () => {
  /** @param {object} wrong @param {RegExp} message */
  const wrong = (wrong, message) => throws(() => open(/** @type {any} */ ({ ...graph, ...wrong })), 'bad-syntax', message);
  await wrong({ tenzors: [] }, /the graph has the unknown key "tenzors"/);
  await wrong({ tensors: undefined }, /tensors is missing; give a list/);
  await wrong({ inputs: 3 }, /inputs is 3; give a list/);
  await wrong({ tensors: [{ bytes: -1 }] }, /tensors\[0\]\.bytes is -1; give a whole number from 0/);
  await wrong({ tensors: [{ bytes: 1.5 }] }, /tensors\[0\]\.bytes is 1\.5/);
  await wrong({ tensors: [{}] }, /tensors\[0\]\.bytes is missing/);
  await wrong({ tensors: [{ bytes: 1, type: 'arena' }] }, /tensors\[0\]\.type is "arena"; give one of arena_rw, /);
  await wrong({ tensors: [{ bytes: 1, typ: 'x' }] }, /tensors\[0\] has the unknown key "typ"/);
  await wrong({ nodes: [{ inputs: [0.5] }] }, /nodes\[0\]\.inputs\[0\] is 0\.5/);
  await wrong({ nodes: [null] }, /nodes\[0\] is null; give an object/);
  await wrong({ nodes: [{ inplace: 256 }] }, /nodes\[0\]\.inplace is 256; give a whole number from 0 to 255/);
  await wrong({ name: 7 }, /name is 7; give a text/);
  await wrong({ preserve_all: 1 }, /preserve_all is 1; give true or false/);
  await wrong({ format: 'graph' }, /format is "graph"; give one of tensor-arena-graph/);
  await wrong({ version: 2 }, /version is 2/);
  await throws(() => open(/** @type {any} */ ({ ...graph, alignment: 24 })), 'malformed', /alignment is 24; give a power of two from 1 to 1048576/);
});

test('inputs and options of the wrong kind', async () => {
  await throws(() => open(/** @type {any} */ (null)), 'bad-argument', /the input is null/);
  await throws(() => open(/** @type {any} */ ([1])), 'bad-argument', /the input is a list/);
  await throws(() => open('{"tensors":'), 'bad-syntax', /no valid JSON/);
  await throws(() => open(bytesOf(' \n{"tensors":')), 'bad-syntax', /no valid JSON/);
  await throws(() => open(graph, /** @type {any} */ ({ nam: 'x' })), 'bad-argument', /open\(\) has no option "nam"; it takes name, wasm/);
  /** @param {unknown} input @param {RegExp} message */
  const mistaken = (input, message) => throws(() => open(/** @type {any} */ (input)), 'bad-argument', message);
  await mistaken(Promise.resolve(new Uint8Array(8)), /the input is a promise; await it/);
  await mistaken(new Blob(['id,lower,upper,size']), /the input is a file or a response; give what its arrayBuffer/);
  await mistaken(new URL('file:///model.tflite'), /the input is a URL; read/);
  await mistaken('folder/model.tflite', /"folder\/model.tflite", which looks like a path; read that file/);
  await mistaken(Symbol('x'), /the input is Symbol\(x\)/);
  await throws(() => open(graph, /** @type {any} */ ({ name: 5 })), 'bad-argument', /name is 5; give a text/);
  const model = await open(graph);
  /** @param {object} options @param {RegExp} message */
  const wrong = (options, message) => throws(async () => model.planner(options), 'bad-argument', message);
  await wrong({ runtme: 'tflite' }, /planner\(\) has no option "runtme"/);
  await wrong({ runtime: 'tflite-2017' }, /runtime is "tflite-2017"; use one of none, tflite-2018, tflite, tflm/);
  await wrong({ alignment: 2 ** 21 }, /alignment is 2097152; give a power of two from 1 to 1048576/);
  await wrong({ budget: -1 }, /budget is -1/);
  await throws(async () => model.planner({ subgraph: 4 }), 'bad-index', /subgraph 4/);
  const made = await planner();
  await throws(async () => made.resize(7, 1), 'bad-index');
  await throws(async () => made.resize(0, 2 ** 53), 'bad-argument', /bytes is/);
  await throws(async () => made.retype(0, /** @type {any} */ ('rw')), 'bad-argument', /type is "rw"/);
  await throws(async () => made.text(/** @type {any} */ ('yaml')), 'bad-argument', /format is "yaml"/);
  await throws(() => made.solve(/** @type {any} */ ({ node: 1 })), 'bad-argument', /solve\(\) has no option "node"/);
  await throws(() => made.solve(/** @type {any} */ ({ signal: {} })), 'bad-argument', /signal is an object; give an AbortSignal/);
  await throws(() => made.solve(/** @type {any} */ ({ onProgress: 1 })), 'bad-argument', /onProgress is 1; give a function/);
  for (const none of [null, 5, 'tflite']) await throws(() => open(graph, /** @type {any} */ (none)), 'bad-argument', /open\(\) was given .* for its options; give an object/);
  await wrong({ preserveAll: 'true' }, /preserveAll is "true"; use one of false, true/);
  const broken = readFileSync('dist/tensor_arena.wasm').subarray(0, 5000);
  await throws(async () => openSync(graph, { wasm: broken }), 'wasm-unavailable', /could not be compiled/);
  await throws(() => open(graph, { wasm: readFileSync('dist/tensor-arena-cli.wasm') }), 'wasm-mismatch', /is not the core of tensor-arena/);
  await throws(() => verify(graph), 'unsupported', /a graph holds no plan/);
});

test('a plan that is nested too deeply, or is no JSON, is an error with a code', async () => {
  const plan = { format: 'tensor-arena-plan', version: 1 };
  for (const depth of [100, 5000, 200_000]) {
    /** @type {unknown} */
    let deep = 1;
    for (let i = 0; i < depth; i++) deep = [deep];
    const text = `{"format":"tensor-arena-plan","version":1,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    for (const input of [text, new TextEncoder().encode(text), { ...plan, x: deep }])
      for (const read of [open, verify]) await throws(() => read(/** @type {any} */ (input)), 'bad-syntax', /nested too deeply: more than 64 levels|no valid JSON/);
  }
  /** @type {Record<string, unknown>} */
  const circle = { ...plan };
  circle.x = circle;
  await throws(() => open(/** @type {any} */ (circle)), 'bad-syntax', /source is missing/);
  await throws(() => open(/** @type {any} */ ({ ...plan, x: () => 1 })), 'bad-syntax', /values that JSON has not/);
});

test('bytes of another realm, and shared ones, are bytes', async () => {
  const list = 'id,lower,upper,size\na,0,4,300\n';
  const foreign = runInNewContext('new ArrayBuffer(size)', { size: list.length });
  new TextEncoder().encodeInto(list, new Uint8Array(foreign));
  assert.equal((await open(foreign)).kind, 'csv');
  const shared = new SharedArrayBuffer(list.length);
  new Uint8Array(shared).set(new TextEncoder().encode(list));
  await throws(() => open(/** @type {any} */ (shared)), 'bad-argument', /the input is shared memory; give a view of it/);
  assert.equal((await open(new Uint8Array(shared))).kind, 'csv');
});

test('solve rejects with the reason of its signal', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  await assert.rejects((await planner()).solve({ signal: aborted }), /enough/);
});

// Rewriting models that were made for it: what is cut computes the same (by the plain interpreter), what must not be cut is
// not, and what cannot be done is refused by a sentence.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { firstDifference } from '../support/interpreter.js';
import { buildModel, decodeModel, OPERATORS, words } from '../support/model-builder.js';
import { folderOf } from '../support/native.js';
import { needsShared, sharedModel } from '../support/shared.js';
import { STEPS, shrink } from '../support/shrink.js';

/** @typedef {import('../support/readers.js').Raw} Raw */

const SEEDS = [1, 2, 3];
const convolutions = new Uint8Array(readFileSync('tests/fuzz/corpus/tflite/made-convolutions'));

/** Values of filters that are neither all alike nor large. @param {number} n */
const some = (n) => Array.from({ length: n }, (_, i) => ((i * 7) % 11) - 5);

const ARRAYS = /** @type {Record<string, any>} */ ({ INT8: Int8Array, INT16: Int16Array, INT32: Int32Array, FLOAT32: Float32Array });
const QUANTIZED = { scale: [0.5], zero_point: [0] };

/**
 * A model, an operator after the other.
 * @param {number[]} shape  of the input
 * @param {string} type
 */
function net(shape, type = 'INT8') {
  const quantization = type === 'FLOAT32' ? undefined : QUANTIZED;
  /** @type {Raw[]} */
  const tensors = [{ name: 'in', type, shape, quantization }];
  /** @type {Raw[]} */
  const operators = [];
  const add = (/** @type {number[]} */ its, more = {}) => tensors.push({ name: `t${tensors.length}`, type, shape: its, quantization, ...more }) - 1;
  const constant = (/** @type {string} */ its, /** @type {number[]} */ dims, /** @type {number[]} */ values) =>
    add(dims, { type: its, data: ARRAYS[its].from(values), ...(its === 'INT32' && dims.length > 1 ? { quantization: undefined } : {}) });
  const node = (/** @type {string} */ op, /** @type {number[]} */ inputs, /** @type {number} */ output, /** @type {any[]} */ options, version = 2) => {
    operators.push({ op, version, inputs, outputs: [output], options });
    return output;
  };
  return {
    tensors,
    operators,
    /** SAME, of 3 x 3 unless said. @param {number} from @param {number} channels */
    conv(from, channels, { stride = 1, kh = 3, kw = 3, filter = type === 'FLOAT32' ? 'FLOAT32' : 'INT8' } = {}) {
      const [, h = 1, w = 1, c = 1] = tensors[from]?.['shape'];
      const weights = constant(filter, [channels, kh, kw, c], some(channels * kh * kw * c));
      const bias = constant(type === 'FLOAT32' ? 'FLOAT32' : type === 'INT16' ? 'INT32' : 'INT32', [channels], some(channels));
      const out = add([1, Math.ceil(h / stride), Math.ceil(w / stride), channels]);
      return node('CONV_2D', [from, weights, bias], out, ['Conv2DOptions', { stride_w: stride, stride_h: stride, dilation_w_factor: 1, dilation_h_factor: 1 }], 3);
    },
    /** Out = 2 x in, filter 3. @param {number} from @param {number} channels */
    up(from, channels) {
      const [, h = 1, w = 1, c = 1] = tensors[from]?.['shape'];
      const size = constant('INT32', [4], [1, 2 * h, 2 * w, channels]);
      const weights = constant(type === 'FLOAT32' ? 'FLOAT32' : 'INT8', [channels, 3, 3, c], some(9 * channels * c));
      return node('TRANSPOSE_CONV', [size, weights, from], add([1, 2 * h, 2 * w, channels]), ['TransposeConvOptions', { stride_w: 2, stride_h: 2 }]);
    },
    /** @param {number} a @param {number} b */
    sum: (a, b) => node('ADD', [a, b], add(tensors[a]?.['shape']), ['AddOptions', {}]),
    /** @param {number[]} outputs @param {Raw} [more] */
    build: (outputs, more = {}) => buildModel({ tensors, operators, inputs: [0], outputs, ...more }),
  };
}

/** @param {Uint8Array} bytes @param {Record<string, string | number>} [options] */
function shrunk(bytes, options) {
  const { report, file, error } = shrink(bytes, { macs: 1000, ...options });
  assert.equal(error, undefined);
  assert.ok(report.written, JSON.stringify(report));
  assert.equal(firstDifference(bytes, file, SEEDS), null, 'the outputs are the same, byte by byte');
  return { report, file, model: decodeModel(file) };
}

/** @param {Raw} model @param {Raw} operator */
const nameOf = (model, operator) => {
  const { deprecated_builtin_code: low = 0, builtin_code: high = 0 } = model.operator_codes[operator.opcode_index ?? 0];
  return Object.keys(OPERATORS).find((name) => OPERATORS[name] === Math.max(low, high));
};

test('a PAD folds, four operators run in strips, a plan is written', () => {
  const { report, model } = shrunk(convolutions);
  assert.deepEqual(report.folded, [0]);
  assert.deepEqual(report.windows.map((/** @type {any} */ { first, last }) => [first, last]), [[0, 3]]);
  assert.ok(report.after.min_arena_bytes * 1.6 < report.before.min_arena_bytes);
  assert.equal(report.after.head_bytes, report.windows[0].peak_bytes);
  const added = model.subgraphs[0].operators.map((/** @type {Raw} */ operator) => nameOf(model, operator));
  assert.ok(!added.includes('PAD') || report.windows[0].exact.length > 0);
});

test('a tensor that leaves the model inside a window is made whole, too', () => {
  const made = net([1, 32, 8, 2]);
  const a = made.conv(0, 16);
  const b = made.conv(a, 4, { stride: 2 });
  const c = made.conv(b, 4);
  const { report } = shrunk(made.build([b, c]), { windows: '0-2:5', force: 1 });
  assert.equal(report.windows.length, 1);
  assert.equal(report.operators[1] > 3, true);
});

test('one row: the columns are cut', () => {
  const made = net([1, 1, 256, 4]);
  const a = made.conv(0, 32, { kh: 1 });
  const b = made.conv(a, 32, { kh: 1, kw: 5 });
  const c = made.conv(b, 4, { kh: 1, stride: 1 });
  const { report } = shrunk(made.build([c]));
  assert.ok(report.windows.length > 0);
  assert.ok(report.windows.every((/** @type {any} */ { columns }) => columns === true));
});

test('int16 takes the versions of the added operators that know it', () => {
  const made = net([1, 64, 8, 2], 'INT16');
  const a = made.conv(0, 16);
  const { model } = shrunk(made.build([made.conv(a, 2)]), { windows: '0-1:4:exact=1', force: 1 });
  const versions = Object.fromEntries(model.operator_codes.map((/** @type {Raw} */ { builtin_code: code, version }) => [Object.keys(OPERATORS).find((name) => OPERATORS[name] === code), version]));
  assert.deepEqual({ SLICE: versions['SLICE'], PAD: versions['PAD'], CONCATENATION: versions['CONCATENATION'] }, { SLICE: 4, PAD: 3, CONCATENATION: 3 });
});

test('no CONCATENATION has more than ten inputs, however many strips there are', () => {
  for (const strips of [10, 11, 19, 20, 28]) {
    const made = net([1, 28, 4, 2]);
    const { model, report } = shrunk(made.build([made.conv(made.conv(0, 8), 2)]), { windows: `0-1:${strips}`, force: 1 });
    const joins = model.subgraphs[0].operators.filter((/** @type {Raw} */ operator) => nameOf(model, operator) === 'CONCATENATION');
    assert.equal(joins.length, strips <= 10 ? 1 : strips <= 19 ? 2 : 3, `${strips} strips`);
    assert.ok(joins.every((/** @type {Raw} */ { inputs }) => inputs.length <= 10));
    assert.equal(report.windows[0].strips, strips);
  }
});

test('a float input with an integer filter is never cut: its scale is that of the whole', () => {
  const made = net([1, 32, 8, 2], 'FLOAT32');
  const bytes = made.build([made.conv(made.conv(0, 16, { filter: 'INT8' }), 2)]);
  assert.match(shrink(bytes, { windows: '0-1:4', force: 1 }).error ?? '', /the operators 0-1 cannot be cut into 4 strips/);
});

test('an int8 TRANSPOSE_CONV is cut for the reference kernels only', () => {
  const made = net([1, 16, 8, 2]);
  const bytes = made.build([made.up(made.conv(0, 8), 2)]);
  shrunk(bytes, { windows: '0-1:4', force: 1 });
  for (const kernels of [1, 2, 3]) assert.match(shrink(bytes, { windows: '0-1:4', force: 1, kernels }).error ?? '', /cannot be cut/);
});

test('what was rewritten may be rewritten again', () => {
  const once = shrunk(convolutions, { steps: STEPS.fold | STEPS.strips });
  const twice = shrink(once.file, { macs: 1000 });
  assert.equal(twice.error, undefined);
  assert.ok(twice.report.after.min_arena_bytes <= once.report.after.min_arena_bytes);
  if (twice.report.written) assert.equal(firstDifference(convolutions, twice.file, SEEDS), null);
});

test('where nothing is gained nothing is written', () => {
  const made = net([1, 4, 4, 1]);
  const { report, file } = shrink(made.build([made.conv(0, 1)]));
  assert.equal(report.written, false);
  assert.equal(file.length, 0);
  assert.deepEqual(report.after, report.before);
});

test('a budget gets as few multiply-accumulates as fit it', () => {
  const least = shrunk(convolutions, { macs: 300 }).report;
  const { report: half } = shrunk(convolutions, { macs: 300, budget: 20000 });
  assert.equal(half.fits, true);
  assert.ok(half.after.min_arena_bytes <= 20000);
  assert.ok(half.extra_macs < least.extra_macs);
  const { report: none } = shrunk(convolutions, { macs: 300, budget: 1000 });
  assert.equal(none.fits, false);
  assert.equal(none.after.min_arena_bytes, least.after.min_arena_bytes, 'none fits: the smallest');
  assert.equal(none.shortfall_bytes, none.after.min_arena_bytes - 1000);
});

/** @type {[string, Record<string, string | number>, RegExp][]} */
const refused = [
  ['no window', { windows: 'all' }, /cannot be read from their character 1 on/],
  ['no strips', { windows: '0-2' }, /from their character 4 on/],
  ['a mark of another name', { windows: '0-2:3:thin=1' }, /from their character 6 on/],
  ['operators past the end', { windows: '2-9:3' }, /the window 2-9 is none of at most 64 of the 4 operators/],
  ['a mark outside', { windows: '0-1:3:exact=2' }, /operator 2 is none of the window 0-1/],
  ['a tensor outside', { windows: '0-1:3:trim=5' }, /tensor 5 is none of the window 0-1/],
  ['windows that meet', { windows: '0-2:3 2-3:2' }, /the window 2-3 does not lie behind/],
  ['one strip', { windows: '0-2:1' }, /cannot be cut into 1 strips/],
  ['more strips than rows', { windows: '0-3:9' }, /cannot be cut into 9 strips/],
  ['no steps', { steps: 0 }, /the steps are a set of 1 to 15, not 0/],
];
for (const [what, options, sentence] of refused) {
  test(`refused: ${what}`, () => assert.match(shrink(convolutions, options).error ?? '', sentence));
}

test('a plan in the file is kept unless it is to be replaced; the new file has one plan', () => {
  const made = net([1, 32, 8, 2]);
  const c = made.conv(made.conv(0, 16), 2);
  const plan = words([0, 1, made.tensors.length, ...made.tensors.map(() => -1)]);
  const bytes = made.build([c], { metadata: { other: words([1]), OfflineMemoryAllocation: plan } });
  assert.match(shrink(bytes).error ?? '', /has an offline plan already/);
  const { model } = shrunk(bytes, { force: 1 });
  const names = model.metadata.map((/** @type {Raw} */ { name }) => name);
  assert.deepEqual(names.slice(0, 1), ['other']);
  assert.ok(names.length <= 2);
});

test('compiled files are refused with the advice to take the original', needsShared, () => {
  for (const name of ['04-person_detect_vela', '14-mobilenet_v1_0.25_128_quant_edgetpu'])
    assert.match(shrink(sharedModel(`${name}.tflite`)).error ?? '', /compiled for an accelerator .* give it the one it was made from/);
});

/** The least peak of live bytes over all orders, and that of the file's, by trying each. @param {any} made @param {number[]} outputs */
function leastPeak({ tensors, operators }, outputs) {
  const bytes = tensors.map((/** @type {Raw} */ { shape, data }) => (data ? 0 : Math.ceil(shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1) / 16) * 16));
  const makes = operators.map((/** @type {Raw} */ { outputs: [t] }) => t);
  const reads = operators.map((/** @type {Raw} */ { inputs }) => [...new Set(inputs.filter((/** @type {number} */ t) => bytes[t] > 0))]);
  let least = Infinity;
  const go = (/** @type {Set<number>} */ done, /** @type {Set<number>} */ live, /** @type {number} */ peak) => {
    if (peak >= least) return;
    if (done.size === operators.length) least = peak;
    operators.forEach((/** @type {Raw} */ _, /** @type {number} */ i) => {
      if (done.has(i) || !reads[i].every((/** @type {number} */ t) => live.has(t))) return;
      const during = new Set([...live, makes[i]]);
      const sum = [...during].reduce((total, t) => total + bytes[t], 0);
      const after = new Set(done).add(i);
      const needed = (/** @type {number} */ t) => outputs.includes(t) || operators.some((/** @type {Raw} */ _o, /** @type {number} */ j) => !after.has(j) && reads[j].includes(t));
      go(after, new Set([...during].filter(needed)), Math.max(peak, sum));
    });
  };
  go(new Set(), new Set([0]), bytes[0]);
  return least;
}

test('the order found has the least peak of all orders', () => {
  let state = 7;
  const random = (/** @type {number} */ n) => (state = (state * 1103515245 + 12345) % 2 ** 31) % n;
  let changed = 0;
  for (let round = 0; round < 60; round++) {
    const made = net([1, 4, 4, 2]);
    const all = [0];
    for (let i = 0; i < 7; i++) all.push(made.conv(/** @type {number} */ (all[random(all.length)]), 1 + random(12)));
    const unread = all.filter((t) => !made.operators.some(({ inputs }) => inputs.includes(t)));
    const { report, error } = shrink(made.build(unread), { steps: STEPS.order, force: 1 });
    assert.equal(error, undefined);
    assert.equal(report.order.peak_after, leastPeak(made, unread), `model ${round}`);
    assert.equal(report.order.proved, true);
    changed += Number(report.order.changed);
  }
  assert.ok(changed > 10, `${changed} orders were changed`);
});

test('every build writes the same file and says the same', () => {
  const { report, file } = shrink(convolutions, { macs: 1000 });
  for (const variant of ['native32', 'clang', 'gcc-O0', 'gcc-O3', 'clang-O0', 'clang-O3'].filter((name) => existsSync(`${folderOf(name)}/bin/shrink_one`))) {
    const other = shrink(convolutions, { macs: 1000 }, variant);
    assert.deepEqual(other.report, report, variant);
    assert.deepEqual(other.file, file, variant);
  }
});

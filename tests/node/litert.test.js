// The tests' plain interpreter against LiteRT, a real runtime: on real models both give the same outputs, up to the
// rounding in which XNNPACK differs from the reference kernels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns, loadLiteRt } from '../../wasm/cli/litert.js';
import { Interpreter } from '../support/interpreter.js';
import { buildModel } from '../support/model-builder.js';
import { needsShared, sharedModel } from '../support/shared.js';

/** How far an output may be off: integers in steps, reals in parts of the largest. @type {Record<string, { type: 'i8' | 'f32', off: number }>} */
const MODELS = {
  '37-vww_96_int8.tflite': { type: 'i8', off: 2 },
  '05-micro_speech_quantized.tflite': { type: 'i8', off: 2 },
  '09-kws_ref_model.tflite': { type: 'i8', off: 2 },
  '11-ad01_int8.tflite': { type: 'i8', off: 3 },
  '10-pretrainedResnet_quant.tflite': { type: 'i8', off: 2 },
  'more/ml_vww_96_float.tflite': { type: 'f32', off: 1e-4 },
};

for (const [name, { type, off }] of Object.entries(MODELS))
  test(`the interpreter gives what LiteRT gives: ${name}`, needsShared, async () => {
    const bytes = sharedModel(name);
    const runnable = await (await loadLiteRt()).compile(bytes);
    const interpreter = new Interpreter(bytes);
    const real = await runnable.run(1);
    interpreter.run(1).forEach((own, i) => {
      // LiteRT puts outputs in the order of their names.
      const same = /** @type {Uint8Array} */ (real.find(({ length }) => length === own.length));
      const [a, b] = [own, same].map((output) => (type === 'i8' ? new Int8Array(output.buffer, output.byteOffset, output.length) : new Float32Array(output.slice().buffer)));
      assert.equal(a.length, b.length);
      const largest = type === 'i8' ? 1 : Math.max(1, ...b.map(Math.abs));
      const furthest = Math.max(...Array.from(a, (value, k) => Math.abs(value - Number(b[k]))));
      assert.ok(furthest <= off * largest, `output ${i} is ${furthest} off`);
    });
    runnable.free();
  });

/** x -> RELU -> y @param {string} op */
const model = (op) => buildModel({ tensors: [{ shape: [8] }, { shape: [8] }], operators: [{ op, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] });

test('runs of two models are compared byte by byte', async () => {
  const liteRt = await loadLiteRt();
  const [relu, again, abs] = await Promise.all([model('RELU'), model('RELU'), model('ABS')].map((bytes) => liteRt.compile(bytes)));
  assert.deepEqual(await compareRuns(relu, again, 2), { outcome: 'identical', outputs: 1, bytes: 32 });
  const { outcome, seed, output } = await compareRuns(relu, abs, 2);
  assert.deepEqual([outcome, seed, output], ['different', 1, 0]);
  let runs = 0;
  const unsteady = { ...relu, run: async () => [Uint8Array.of(runs++)] };
  assert.equal((await compareRuns(unsteady, relu, 1)).outcome, 'unsteady');
});

test('a model that LiteRT does not take is refused with what it says', async () => {
  await assert.rejects((await loadLiteRt()).compile(new Uint8Array(64)), /LiteRT does not take this model: /);
});

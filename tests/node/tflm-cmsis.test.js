// CMSIS-NN's kernels: every row of their table on models made for it, by each kernel set, and the operators without
// a kernel of their own there, which take what the reference's do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../support/model-builder.js';
import { REFERENCE_CASES } from '../support/tflm-cases.js';
import { cmsisCases } from '../support/tflm-cmsis-cases.js';
import { decided, runCases } from '../support/tflm-runner.js';
import { engines } from '../support/tflm.js';

const TARGETS = ['cortex-m', 'ilp32'];
const SETS = /** @type {const} */ ({ plain: 'cmsis-nn', dsp: 'cmsis-nn-dsp', mve: 'cmsis-nn-mve' });

for (const engine of engines) {
  for (const [set, kernels] of Object.entries(SETS)) {
    test(`${engine.name}: what each operator's ${kernels} kernel adds to the arena`, async () => {
      await runCases(engine, cmsisCases(/** @type {keyof typeof SETS} */ (set)), TARGETS, kernels);
    });
  }

  test(`${engine.name}: operators without a CMSIS-NN kernel take what the reference's do`, async () => {
    const own = new Set(cmsisCases('plain').map(({ op }) => op));
    const others = REFERENCE_CASES.filter(({ op }) => !own.has(op));
    await runCases(engine, others, TARGETS, 'cmsis-nn-mve');
  });

  test(`${engine.name}: CMSIS-NN on a 64-bit target is refused`, async () => {
    const file = buildModel({ tensors: [{ shape: [2] }], inputs: [0], outputs: [0] });
    const [{ status, text }] = await engine.answer([{ call: 'size', file, target: 'lp64', kernels: 'cmsis-nn' }]);
    assert.equal(status, 'unsupported');
    assert.match(text, /cmsis-nn kernels on lp64 are not covered/);
  });
}

test('of every operator there is a case in which its temporaries decide', () => {
  assert.deepEqual([...new Set([...decided].map(({ op }) => op))].filter((op) => op && cmsisCases('plain').some((one) => one.op === op)).sort(), [
    'AVERAGE_POOL_2D',
    'BATCH_MATMUL',
    'CONV_2D',
    'DEPTHWISE_CONV_2D',
    'FULLY_CONNECTED',
    'MAX_POOL_2D',
    'SOFTMAX',
    'SVDF',
    'TRANSPOSE_CONV',
    'UNIDIRECTIONAL_SEQUENCE_LSTM',
  ]);
});

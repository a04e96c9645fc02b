// The real TensorFlow Lite Micro's figures for real models: every buffer, life and offset, the linear head, and head,
// tail and smallest arena for every target and kernel set that was measured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasShared, needsShared, sharedBytes, sharedJson, sharedModel } from '../support/shared.js';
import { SIZE_KERNELS, engines } from '../support/tflm.js';

/** @typedef {import('../support/tflm.js').Raw} Raw */
/** @typedef {import('../support/tflm.js').Request} Request */

/** @type {Raw[]} */
const models = hasShared ? sharedJson('golden/tflm.json').models : [];
const files = models.map(({ model }) => sharedBytes(model));

/** @param {Raw} buffer of a plan's report, as the golden file has it */
function goldenBuffer({ kind, subgraph, tensor, node, bytes, first, last, offset }) {
  return { kind, subgraph, ...(kind === 'tensor' ? { tensor } : { node }), size: bytes, first, last, offset };
}

/** The head of the 64-bit reference build. @param {Raw} model */
const headOf = ({ head_bytes, targets }) => head_bytes ?? targets.lp64.reference.head_bytes;

/** dsp and mve are listed only where they differ from cmsis-nn. @param {Raw} kernels */
function everyKernelSet(kernels) {
  const plain = kernels['cmsis-nn'];
  return plain ? { 'cmsis-nn-dsp': plain, 'cmsis-nn-mve': plain, ...kernels } : kernels;
}

for (const engine of engines) {
  test(`${engine.name}: the planned buffers of the golden models`, needsShared, async () => {
    const answers = await engine.answer(files.map((file) => ({ call: 'plan', file })));
    answers.forEach(({ status, text, report }, i) => {
      assert.equal(status, 'ok', `${models[i].file}: ${text}`);
      assert.equal(report.arena_bytes, headOf(models[i]), models[i].file);
      if (!models[i].buffers) return;
      const planned = report.buffers.filter((/** @type {Raw} */ { arena }) => arena === 'rw').map(goldenBuffer);
      assert.deepEqual(planned, models[i].buffers, models[i].file);
    });
  });

  test(`${engine.name}: the linear head of the golden models`, needsShared, async () => {
    const measured = models.flatMap((model, i) => (typeof model.linear_head === 'number' ? [i] : []));
    const answers = await engine.answer(
      measured.map((i) => ({ call: 'plan', planner: 'linear', file: files[i] })),
    );
    answers.forEach(({ status, text, report }, k) => {
      const { file, linear_head } = models[measured[k]];
      assert.equal(status, 'ok', `${file}: ${text}`);
      assert.equal(report.arena_bytes, linear_head, file);
    });
  });

  test(`${engine.name}: head, tail and smallest arena of the golden models`, needsShared, async () => {
    /** @type {(Request & { expected: Raw, name: string })[]} */
    const requests = models.flatMap((model, i) =>
      Object.entries(model.targets).flatMap(([target, kernels]) =>
        Object.entries(everyKernelSet(kernels)).map(([set, expected]) => ({
          call: /** @type {const} */ ('size'),
          file: files[i],
          target,
          kernels: set,
          expected,
          name: `${model.file} ${target} ${set}`,
        })),
      ),
    );
    const answers = await engine.answer(requests);
    answers.forEach(({ status, text, report }, i) => {
      const { name, expected } = requests[i];
      assert.equal(status, 'ok', `${name}: ${text}`);
      const { head_bytes, tail_bytes, min_arena_bytes, covered, missing, items } = report;
      assert.deepEqual({ head_bytes, tail_bytes, min_arena_bytes }, expected, name);
      assert.equal(report.arena_used_bytes, head_bytes + tail_bytes, name);
      assert.equal(items.reduce((/** @type {number} */ sum, /** @type {Raw} */ { bytes }) => sum + bytes, 0), tail_bytes, name);
      const vela = name.includes('vela');
      assert.deepEqual([covered, missing], vela ? [false, ['ethos-u']] : [true, []], name);
    });
  });

  test(`${engine.name}: the offline plan of 04 overlaps on purpose, and the linear planner refuses it`, needsShared, async () => {
    const i = models.findIndex(({ file }) => file.includes('vela'));
    assert.ok(i >= 0);
    const [own, linear, linearSize] = await engine.answer([
      { call: 'plan', file: files[i] },
      { call: 'plan', file: files[i], planner: 'linear' },
      { call: 'size', file: files[i], planner: 'linear' },
    ]);
    assert.equal(own.report.status, 'overlapping');
    assert.equal(linear.status, 'refused-by-runtime');
    assert.match(linear.text, /offline plan/);
    assert.equal(linearSize.status, 'refused-by-runtime');
  });

  test(`${engine.name}: every shared model is planned and sized, or refused with one line`, needsShared, async () => {
    /** @type {Raw[]} */
    const index = sharedJson('models/index.json');
    const refusals = { 22: /type string/, 33: /no subgraph/, 35: /TFL3/, 36: /TFL3/ };
    const all = index.map(({ file }) => sharedModel(file));
    for (const call of /** @type {const} */ (['plan', 'size'])) {
      const answers = await engine.answer(
        all.map((file) => ({ call, file, kernels: SIZE_KERNELS[call === 'plan' ? 0 : 3] })),
      );
      answers.forEach(({ status, text, report }, i) => {
        const refusal = Object.entries(refusals).find(([number]) => index[i].file.startsWith(number))?.[1];
        if (refusal) {
          assert.notEqual(status, 'ok', index[i].file);
          assert.match(text, refusal, index[i].file);
          assert.doesNotMatch(text, /\n/, index[i].file);
        } else {
          assert.equal(status, 'ok', `${index[i].file}: ${text}`);
          if (call === 'size') assert.equal(report.min_arena_bytes % 16, 0, index[i].file);
        }
      });
    }
  });
}

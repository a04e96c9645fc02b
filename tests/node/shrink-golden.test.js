// Rewritten models against figures measured on the real TFLM (golden/shrink.json): with the same windows, the same head,
// tail, arena, multiply-accumulates, operators and copies; and everything that was not rewritten as it was.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeModel } from '../support/model-builder.js';
import { readWithFlatc } from '../support/flatc.js';
import { nativeReader } from '../support/readers.js';
import { hasShared, needsShared, sharedBytes, sharedJson } from '../support/shared.js';
import { STEPS, shrink, windowText } from '../support/shrink.js';

/** @typedef {import('../support/readers.js').Raw} Raw */

const golden = hasShared ? sharedJson('golden/shrink.json') : { models: [], order: [] };
const native = nativeReader();

/** What a file may be larger than the one of the vectors. */
const FILE_SLACK = 2048;

/** @param {any} report */
const figures = ({ after, macs, extra_macs, copied_bytes, operators }) => ({
  head: after.head_bytes,
  tail: after.tail_bytes,
  arena: after.min_arena_bytes,
  macs,
  extra_macs,
  copied_bytes,
  operators: operators[1],
});

/** @param {any} model  of the vectors @param {'strips' | 'strips_and_plan'} which */
const expected = (model, which) => ({
  head: model[which].head,
  tail: model.strips.tail,
  arena: model[which].arena,
  macs: model.macs,
  extra_macs: model.extra_macs,
  copied_bytes: model.copied_bytes,
  operators: model.new_operators,
});

/** Shrinks by the vectors' windows. @param {any} model @param {number} steps */
function byHand(model, steps) {
  const { report, file, error } = shrink(sharedBytes(model.file), { windows: model.windows.map(windowText).join(' '), steps, force: 1 });
  assert.equal(error, undefined, model.model);
  return { report, file };
}

/**
 * Everything but subgraph 0's operators and the tensors that vanished is as it was.
 * @param {Uint8Array} bytes
 * @param {Uint8Array} file
 * @param {string} label
 */
function checkKept(bytes, file, label) {
  const before = decodeModel(bytes);
  const after = decodeModel(file);
  const [graph, ...others] = after.subgraphs;
  const [oldGraph, ...oldOthers] = before.subgraphs;
  assert.deepEqual(others, oldOthers, `${label}: the other subgraphs`);
  for (const key of ['description', 'metadata', 'metadata_buffer', 'signature_defs', 'version']) assert.deepEqual(after[key], before[key], `${label}: ${key}`);
  for (const key of ['inputs', 'outputs', 'name']) assert.deepEqual(graph[key], oldGraph[key], `${label}: ${key}`);
  assert.deepEqual(after.buffers.slice(0, before.buffers.length), before.buffers, `${label}: the constants`);
  assert.deepEqual(after.operator_codes.slice(0, before.operator_codes.length), before.operator_codes, `${label}: the operator codes`);
  const named = new Set(graph.operators.flatMap((/** @type {Raw} */ { inputs = [], outputs = [] }) => [...inputs, ...outputs]));
  const wasNamed = new Set(oldGraph.operators.flatMap((/** @type {Raw} */ { inputs = [], outputs = [] }) => [...inputs, ...outputs]));
  oldGraph.tensors.forEach((/** @type {Raw} */ tensor, /** @type {number} */ t) => {
    const kept = !wasNamed.has(t) || graph.tensors[t].name === tensor.name;
    if (kept) assert.deepEqual(graph.tensors[t], tensor, `${label}: tensor ${t}`);
    else assert.equal(graph.tensors[t].name, undefined, `${label}: a new tensor in place of ${t} has no name`);
  });
  graph.tensors.forEach((/** @type {Raw} */ { buffer = 0 }, /** @type {number} */ t) => {
    if (t >= oldGraph.tensors.length) assert.ok(named.has(t), `${label}: new tensor ${t} is of use`);
    if (buffer >= before.buffers.length) assert.ok(after.buffers[buffer].data.length <= 32, `${label}: no constant is written twice`);
  });
}

for (const model of golden.models.filter((/** @type {any} */ { windows }) => windows.length > 0)) {
  test(`${model.model}, cut by the windows of the vectors`, needsShared, async () => {
    const bytes = sharedBytes(model.file);
    const strips = byHand(model, STEPS.fold | STEPS.strips);
    assert.deepEqual(figures(strips.report), expected(model, 'strips'));
    assert.equal(strips.report.folded.length, model.pads_folded);
    assert.ok(strips.file.length <= model.new_file_bytes + FILE_SLACK, `${strips.file.length} bytes, ${model.new_file_bytes} in the vectors`);
    strips.report.windows.forEach((/** @type {any} */ window, /** @type {number} */ k) => {
      assert.equal(window.peak_bytes, model.windows[k].peak, 'the evaluator counts the same live bytes');
      assert.equal(window.extra_macs, model.windows[k].extra_macs);
      assert.ok(Math.abs(window.tail_bytes - model.windows[k].tail_delta) < 100);
    });
    checkKept(bytes, strips.file, model.model);
    const planned = byHand(model, STEPS.fold | STEPS.strips | STEPS.plan);
    assert.deepEqual(figures(planned.report), expected(model, 'strips_and_plan'));
    const [read] = await native.read([planned.file]);
    assert.equal(read?.status, 'ok', read?.text);
  });
}

test('the FlatBuffers verifier accepts what is written', needsShared, () => {
  const folder = mkdtempSync(join(tmpdir(), 'shrink-'));
  try {
    for (const name of ['10-pretrainedResnet_quant', 'arm_kws_micronet_m', 'tflm_mobilenet_v2_1x3x224x224']) {
      const model = golden.models.find((/** @type {any} */ { model: its }) => its === name);
      const { file } = byHand(model, STEPS.fold | STEPS.strips | STEPS.plan);
      const read = readWithFlatc(folder, file);
      assert.equal(read.subgraphs[0].operators.length, model.new_operators);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What the vectors reach, as a share of it, that the search may miss by. */
const SEARCH_SLACK = 1.01;

for (const model of golden.models) {
  test(`${model.model}: the search finds windows as good as the vectors'`, needsShared, () => {
    const { report, error } = shrink(sharedBytes(model.file), { macs: 1000 * golden.mac_limit });
    assert.equal(error, undefined);
    const arena = model.strips_and_plan?.arena ?? model.offline_plan_only_arena;
    assert.ok(report.after.min_arena_bytes <= arena * SEARCH_SLACK, `${report.after.min_arena_bytes}, ${arena} in the vectors`);
    assert.ok(report.after.min_arena_bytes <= report.before.min_arena_bytes);
    assert.ok(report.extra_macs <= report.macs * golden.mac_limit);
    assert.ok(report.nodes < 20000, 'the search came to its end');
  });
}

test('where the search is cut into slices changes nothing', needsShared, () => {
  const bytes = sharedBytes('models/03-person_detect.tflite');
  const whole = shrink(bytes, { slice: 1000000 });
  const sliced = shrink(bytes, { slice: 7 });
  assert.deepEqual(sliced.report, whole.report);
  assert.deepEqual(sliced.file, whole.file);
});

test('folding PADs alone', needsShared, () => {
  const model = golden.models.find((/** @type {any} */ { pads_folded: pads }) => pads > 0);
  const { report } = shrink(sharedBytes(model.file), { steps: STEPS.fold });
  assert.equal(report.after.min_arena_bytes, model.folded_arena);
  assert.equal(report.operators[1], model.operators - model.pads_folded);
});

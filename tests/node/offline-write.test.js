// Writing an offline plan into a .tflite file: the old bytes stand behind the new root, the official library and
// the core's own reader read the result, and what cannot be carried over is refused.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { buildModel, decodeModel, encodeModel, rawModel, words } from '../support/model-builder.js';
import { folderOf } from '../support/native.js';
import { nativeReader } from '../support/readers.js';
import { needsShared, sharedJson, sharedModel } from '../support/shared.js';

/** @typedef {import('../support/readers.js').Raw} Raw */

const native = nativeReader();
const NAME = 'OfflineMemoryAllocation';

/**
 * @param {Uint8Array} bytes
 * @param {number[]} offsets
 * @returns {{ status: number, text?: string, file: Uint8Array }}
 */
function write(bytes, offsets) {
  const input = Buffer.concat([words([offsets.length, 4 * offsets.length + bytes.length, ...offsets]), bytes]);
  const output = execFileSync(`${folderOf('native')}/bin/write_plan`, { input, maxBuffer: 2 ** 31 - 1 });
  const status = output.readUInt32LE(0);
  const file = new Uint8Array(output.subarray(8));
  return status === 0 ? { status, file } : { status, file, text: Buffer.from(file).toString() };
}

const tensorCount = (/** @type {Raw} */ raw) =>
  raw.subgraphs.reduce((/** @type {number} */ sum, /** @type {Raw} */ graph) => sum + (graph.tensors?.length ?? 0), 0);

/** The payload's words of the last plan in a file. @param {Raw} raw */
function planOf(raw) {
  const entry = raw.metadata.findLast((/** @type {Raw} */ { name }) => name === NAME);
  const { data } = raw.buffers[entry.buffer ?? 0];
  return [...new Int32Array(data.slice().buffer)];
}

/** Where `part` begins in `whole`, from the end. @param {Uint8Array} whole @param {Uint8Array} part */
const tailMatches = (whole, part) => Buffer.compare(whole.subarray(whole.length - part.length), part) === 0;

/** Everything that a written file must keep and gain. @param {Uint8Array} bytes @param {string} label */
async function checkFront(bytes, label) {
  const before = decodeModel(bytes);
  const n = tensorCount(before);
  const offsets = Array.from({ length: n }, (_, t) => (t % 3 === 0 ? -1 : 16 * t));
  const { status, text, file } = write(bytes, offsets);
  assert.equal(status, 0, `${label}: ${text}`);
  const shift = file.length - bytes.length;
  assert.ok(shift > 0 && shift % 16 === 0, `${label}: moved by ${shift}`);
  assert.ok(tailMatches(file, bytes), `${label}: the old bytes stand behind`);
  const after = decodeModel(file);
  assert.deepEqual(planOf(after), [0, before.subgraphs.length, n, ...offsets], label);
  const { metadata = [], buffers } = after;
  assert.deepEqual(
    { ...after, metadata: metadata.slice(0, -1), buffers: buffers.slice(0, -1) },
    { ...before, metadata: before.metadata ?? [] },
    `${label}: nothing else changed`,
  );
  const [old, read] = await native.read([bytes, file]);
  assert.equal(read.status, 'ok', `${label}: ${read.text}`);
  assert.equal(read.model?.has_offline_plan, true);
  assert.deepEqual(read.model?.subgraphs, old.model?.subgraphs, label);
  assert.equal(read.model?.constant_bytes, old.model?.constant_bytes);
  const again = write(file, offsets);
  assert.deepEqual(again.file, file, `${label}: writing the same plan again changes nothing`);
  return { file, shift, offsets };
}

test('every shared model takes a plan', needsShared, async () => {
  const unreadable = ['33', '35', '36'];
  const planned = ['04'];
  for (const { file } of sharedJson('models/index.json')) {
    if ([...unreadable, ...planned].some((number) => file.startsWith(number))) continue;
    const bytes = sharedModel(file);
    const { shift } = await checkFront(bytes, file);
    if (file.startsWith('37')) assert.equal(shift, 880, 'what a plan costs the vww model');
  }
});

test('a plan that is there is overwritten where it lies', needsShared, async () => {
  const bytes = sharedModel('04-person_detect_vela.tflite');
  const before = decodeModel(bytes);
  const [version, subgraphs, n, ...old] = planOf(before);
  const offsets = old.map((offset) => (offset < 0 ? -1 : offset + 64));
  const { file } = write(bytes, offsets);
  assert.equal(file.length, bytes.length);
  assert.deepEqual(planOf(decodeModel(file)), [version, subgraphs, n, ...offsets]);
  const different = bytes.reduce((count, byte, i) => count + Number(byte !== file[i]), 0);
  assert.ok(different > 0 && different <= 4 * n, `${different} bytes differ`);
  assert.deepEqual(write(bytes, old).file, bytes);
});

test('made models: no metadata, no names, several subgraphs, every field of the root', async () => {
  await checkFront(buildModel({}), 'an empty model');
  await checkFront(buildModel({ version: 0, tensors: [{ name: 'x', shape: [4] }] }), 'without a version');
  await checkFront(
    buildModel({
      description: 'all there is',
      subgraphs: [
        { tensors: [{ name: 'x', shape: [4] }, { name: 'w', shape: [4], data: 16 }, { name: 'e', shape: [4], data: 16, keep: 'external' }] },
        { tensors: [{ name: 'y', shape: [4] }] },
      ],
      metadata: { min_runtime_version: 16 },
      metadata_buffer: [1],
      signatures: { serve: 1 },
    }),
    'every field',
  );
});

test('of several plans the last is overwritten', async () => {
  const raw = rawModel({ tensors: [{ name: 'x', shape: [4] }], metadata: { [NAME]: words([7, 1, 1, 16]) } });
  raw.buffers.push({ data: words([8, 1, 1, 32]) });
  raw.metadata.push({ name: NAME, buffer: 2 });
  const { file } = write(encodeModel(raw), [48]);
  const after = decodeModel(file);
  assert.deepEqual(planOf(after), [8, 1, 1, 48]);
  assert.deepEqual([...new Int32Array(after.buffers[1].data.slice().buffer)], [7, 1, 1, 16]);
});

const one = { tensors: [{ name: 'x', shape: [4] }] };

/** @type {[string, () => Uint8Array, number[], RegExp][]} */
const refusals = [
  ['too few offsets', () => buildModel(one), [], /^0 offsets for 1 tensors/],
  ['too many offsets', () => buildModel(one), [0, 0], /^2 offsets for 1 tensors/],
  ['an offset below -1', () => buildModel(one), [-16], /^offset 0 is -16: give one of 0 or more, or -1/],
  ['Buffer.offset', () => buildModel({ tensors: [{ name: 'w', shape: [4], data: 16, keep: 'offset' }] }), [0], /refers to its own bytes by position/],
  [
    'custom options by position',
    () => buildModel({ ...one, operators: [{ op: 'CUSTOM', custom: 'x', large_custom_options_offset: 8, large_custom_options_size: 4 }] }),
    [0],
    /refers to its own bytes by position/,
  ],
  ['a plan of another length', () => buildModel({ ...one, metadata: { [NAME]: words([0, 1, 1, 16, 0]) } }), [0], /a plan of another length/],
  [
    'a plan that is a tensor, too',
    () => {
      const raw = rawModel({ ...one, metadata: { [NAME]: words([0, 1, 1, 16]) } });
      raw.subgraphs[0].tensors[0].buffer = 1;
      return encodeModel(raw);
    },
    [0],
    /its plan's buffer is a tensor's data, too/,
  ],
  ['no buffers', () => encodeModel({ ...rawModel(one), buffers: [] }), [0], /it has no buffers/],
  ['no .tflite file', () => new Uint8Array(Buffer.from('id,lower,upper,size\na,0,1,4\n')), [], /it is no \.tflite model/],
];

for (const [what, make, offsets, sentence] of refusals) {
  test(`refused: ${what}`, () => {
    const { status, text } = write(make(), offsets);
    assert.notEqual(status, 0);
    assert.match(text ?? '', sentence);
  });
}

test('refused: a root with fields that are newer than the schema', () => {
  const bytes = buildModel({ ...one, description: 'd' });
  // The root's vtable, moved to the end of the file and given one more slot that leads to a field of its own.
  const view = new DataView(bytes.buffer);
  const root = view.getUint32(0, true);
  const vtable = root - view.getInt32(root, true);
  const size = view.getUint16(vtable, true);
  const at = (bytes.length + 3) & ~3;
  const longer = new Uint8Array(at + 26);
  longer.set(bytes);
  longer.set(bytes.subarray(vtable, vtable + size), at);
  const changed = new DataView(longer.buffer);
  changed.setUint16(at, 26, true);
  changed.setUint16(at + 24, 4, true);
  changed.setInt32(root, root - at, true);
  const { status, text } = write(longer, [0]);
  assert.notEqual(status, 0);
  assert.match(text ?? '', /fields newer than this library/);
});

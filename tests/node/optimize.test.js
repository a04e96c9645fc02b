// The smallest plan, written back into real models: the runtime, simulated on the written file, needs what was
// promised, and never more than before. The models lie beside the repository; a made one is always tried.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { BUNDLED, temporaryFolder } from '../support/files.js';
import { readWithFlatc } from '../support/flatc.js';
import { buildModel, decodeModel, words } from '../support/model-builder.js';
import { needsShared, sharedModel, sharedModels } from '../support/shared.js';


const NAME = 'OfflineMemoryAllocation';
const NODES = 200_000;
const grouped = (/** @type {number} */ value) => value.toLocaleString('en-US');
/** Larger files are read by the official library alone: flatc takes minutes to print one as text. */
const FLATC_MOST_BYTES = 1 << 20;

/** The offsets of the plan that a decoded model carries. @param {any} raw */
function offsetsIn(raw) {
  const entry = raw.metadata.findLast((/** @type {{ name: string }} */ { name }) => name === NAME);
  const data = Uint8Array.from(raw.buffers[entry.buffer ?? 0].data);
  return [...new Int32Array(data.buffer)].slice(3);
}

/**
 * The old file stands unchanged at the end of the new one, and the official readers find in the new one what was in
 * the old one, one buffer and one metadata entry more.
 * @param {string} folder @param {string} file @param {Uint8Array} bytes @param {Uint8Array} written
 */
function checkNothingElseChanged(folder, file, bytes, written) {
  const shift = written.length - bytes.length;
  assert.equal(shift % 16, 0, file);
  assert.equal(Buffer.compare(written.subarray(shift), bytes), 0, `${file}: every old byte is there`);
  const before = decodeModel(bytes);
  const after = decodeModel(written);
  const tensors = before.subgraphs.reduce((/** @type {number} */ sum, /** @type {any} */ { tensors = [] }) => sum + tensors.length, 0);
  assert.equal(offsetsIn(after).length, tensors, `${file}: one offset a tensor of every subgraph`);
  const { metadata: entries, buffers } = after;
  assert.equal(entries.at(-1).name, NAME);
  assert.deepEqual({ ...after, metadata: entries.slice(0, -1), buffers: buffers.slice(0, -1) }, { ...before, metadata: before.metadata ?? [] }, `${file} means the same`);
  if (written.length > FLATC_MOST_BYTES) return;
  const printed = readWithFlatc(folder, written);
  assert.deepEqual(printed.metadata.at(-1), { name: NAME, buffer: buffers.length - 1 }, `${file}, read by flatc`);
  assert.deepEqual(offsetsIn(printed), offsetsIn(after), file);
}

/** How many were written. @param {import('node:test').TestContext} t @param {string[]} files */
async function checkFiles(t, files) {
  const folder = temporaryFolder(t);
  /** @type {string[]} */
  const table = [];
  let written = 0;
  for (const file of files) {
    const name = file.replace(/^.*\//, '');
    const bytes = new Uint8Array(readFileSync(file));
    let model;
    let result;
    try {
      model = await open(bytes);
      result = await model.writeOfflinePlan({ force: true, nodes: NODES });
    } catch (error) {
      // What the runtime would refuse, or what is no model, has no plan to write.
      const { code, message } = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
      assert.ok(['refused-by-runtime', 'not-a-model', 'no-subgraph', 'truncated', 'malformed', 'bad-index'].includes(code), `${file}: ${error}`);
      table.push(`${name.padEnd(50)}  ${code}: ${message}`);
      continue;
    }
    const { before, after, outcome, proved, covered } = result;
    table.push(
      `${name.padEnd(50)}${grouped(before.head_bytes).padStart(11)} -> ${grouped(after.head_bytes).padStart(10)}${grouped(before.arena_used_bytes).padStart(12)} -> ${grouped(after.arena_used_bytes).padStart(10)}  ${outcome === 'smaller' ? `${grouped(before.head_bytes - after.head_bytes)} gained` : outcome}${proved ? ', proved' : ''}${covered ? '' : ', planned part'}`,
    );
    assert.notEqual(outcome, 'worse', file);
    for (const key of /** @type {const} */ (['head_bytes', 'arena_used_bytes', 'min_arena_bytes'])) assert.ok(Number(after[key]) <= Number(before[key]), `${file}: ${key}`);
    assert.ok(result.bytes, `${file} is written`);
    written++;
    checkNothingElseChanged(folder, file, bytes, result.bytes);
    const again = await open(result.bytes);
    const size = again.size({ target: 'cortex-m' });
    assert.deepEqual([size.head_bytes, size.arena_used_bytes, size.min_arena_bytes], Object.values(after), `${file}: the promise`);
    assert.equal(size.tail_bytes, model.size().tail_bytes, `${file}: what is kept for good stays`);
    assert.deepEqual(again.subgraphs, model.subgraphs, `${file} means the same`);
    const verdict = await verify(result.bytes);
    assert.ok(verdict.sound, `${file}: ${verdict.clashes[0]?.text}`);
    const second = await again.writeOfflinePlan({ force: true, nodes: NODES });
    assert.deepEqual(second.bytes, result.bytes, `${file}: again, the same`);
    const idle = await again.writeOfflinePlan({ nodes: NODES });
    assert.deepEqual([idle.bytes, idle.outcome], [null, 'same'], `${file}: nothing is left to gain`);
  }
  console.log(`${written} of ${files.length} files written (reference kernels, cortex-m): head, and arena in use\n${table.join('\n')}`);
  return written;
}

const NOTHING_WORSE = 'nothing gets worse or changes, what is promised holds, and doing it again changes nothing';
test(`bundled models: ${NOTHING_WORSE}`, async (t) => assert.equal(await checkFiles(t, BUNDLED), BUNDLED.length));
test(`every model: ${NOTHING_WORSE}`, needsShared, async (t) => assert.ok((await checkFiles(t, sharedModels())) > 30));

/** @param {string[]} files */
async function checkKernels(files) {
  for (const file of files)
    for (const kernels of /** @type {const} */ (['cmsis-nn', 'cmsis-nn-dsp', 'cmsis-nn-mve'])) {
      const model = await open(readFileSync(file));
      const { bytes, before, after } = await model.writeOfflinePlan({ kernels, force: true, nodes: NODES });
      assert.ok(bytes && after.head_bytes <= before.head_bytes, `${file} ${kernels}`);
      assert.equal((await open(bytes)).size({ kernels }).head_bytes, after.head_bytes, `${file} ${kernels}`);
    }
}

const KERNELS = 'the plan holds for the scratch buffers of the kernels that were asked for';
test(KERNELS, () => checkKernels(BUNDLED.slice(0, 1)));
test(`${KERNELS}, on real models`, needsShared, () => checkKernels(sharedModels().filter((file) => /^(03|07|09|10|13|37)-/.test(basename(file)))));

/** @param {object} short */
const made = async (short) => {
  const bytes = buildModel(short);
  return { bytes, model: await open(bytes) };
};
const int8 = (/** @type {number} */ bytes, /** @type {object} */ rest = {}) => ({ type: 'INT8', shape: [bytes], ...rest });
const relu = (/** @type {number} */ from, /** @type {number} */ to) => ({ op: 'RELU', inputs: [from], outputs: [to] });

/** TFLM puts the largest first, which costs this chain 48 bytes. @param {object} [rest] */
const chain = (rest = {}) => ({
  tensors: [int8(64), int8(64), int8(48), int8(48), int8(96)],
  operators: [{ op: 'ADD', inputs: [4, 4], outputs: [0] }, relu(0, 2), { op: 'ADD', inputs: [0, 2], outputs: [3] }, { op: 'ADD', inputs: [2, 3], outputs: [1] }],
  inputs: [4],
  outputs: [1, 3],
  ...rest,
});

test('variables get no offset, even when the old plan gave them one', async () => {
  const tensors = [int8(64), int8(64, { is_variable: true }), int8(64)];
  const operators = [{ op: 'ADD', inputs: [0, 1], outputs: [2] }];
  const fresh = await made({ tensors, operators, inputs: [0], outputs: [2] });
  const first = await fresh.model.writeOfflinePlan({ force: true });
  assert.ok(first.bytes);
  assert.equal(offsetsIn(decodeModel(first.bytes))[1], -1);
  assert.deepEqual(first.before, first.after);

  // The old plan lets tensor 2 lie on the variable after its last use, which a sound plan cannot have for the same bytes.
  const planned = await made({ tensors: [...tensors, int8(64)], operators: [...operators, relu(2, 3)], inputs: [0], outputs: [3], metadata: { [NAME]: words([0, 1, 4, 0, 64, 128, 64]) } });
  const clobbered = await verify(planned.bytes);
  assert.deepEqual([clobbered.sound, clobbered.onPurpose], [false, false]);
  assert.deepEqual(clobbered.clashes.map(({ a, b, bytes }) => [a, b, bytes]), [[1, 3, [64, 127]]]);
  for (const force of [false, true]) {
    const { bytes, outcome, before, after } = await planned.model.writeOfflinePlan({ force });
    if (bytes) assert.equal(offsetsIn(decodeModel(bytes))[1], -1);
    assert.ok(after.arena_used_bytes <= before.arena_used_bytes, outcome);
  }
});

test('a variable of a later subgraph keeps its place in the tail', async () => {
  const subgraphs = [
    { tensors: [int8(64), int8(64), int8(64)], operators: [{ op: 'WHILE', inputs: [0], outputs: [1], options: ['WhileOptions', { cond_subgraph_index: 1, body_subgraph_index: 2 }] }, relu(1, 2)], inputs: [0], outputs: [2] },
    { tensors: [int8(64), { type: 'BOOL', shape: [1] }], operators: [{ op: 'LESS', inputs: [0, 0], outputs: [1] }], inputs: [0], outputs: [1] },
    { tensors: [int8(64), int8(64, { is_variable: true }), int8(64)], operators: [{ op: 'ADD', inputs: [0, 1], outputs: [2] }], inputs: [0], outputs: [2] },
  ];
  const { model } = await made({ subgraphs });
  const { bytes, before, after } = await model.writeOfflinePlan({ force: true });
  assert.ok(bytes);
  const offsets = offsetsIn(decodeModel(bytes));
  assert.equal(offsets[1], -1, 'at the index of the variable in the main subgraph');
  assert.equal(offsets[6], -1, 'of the variable itself');
  assert.deepEqual(after, before);
  const planner = (await open(bytes)).planner({ runtime: 'tflm' });
  planner.plan();
  assert.deepEqual(planner.report().problems.filter(({ code }) => code === 'offline-variable-confused'), []);
});

test('K14, writing: an error for a plan that is cut short or of another length, one offset for each tensor', async () => {
  const two = { subgraphs: [{ tensors: [int8(64), int8(64), int8(64)] }, { tensors: [int8(64), int8(64)] }] };
  const opens = (/** @type {number[]} */ list, /** @type {object} */ short = two) => open(buildModel({ ...short, metadata: { [NAME]: words(list) } }));
  await assert.rejects(opens([1, 1, 10, 0, 64, -1, 128], { tensors: Array(10).fill(int8(64)) }), { code: 'malformed', message: /52 bytes needed, 28 present/ });
  await assert.rejects(opens([1, 2, 3, 0, 64, -1]), { code: 'malformed', message: /3 offsets for 5 tensors/ });
  const model = await opens([1, 2, 5, 0, 64, -1, 0, -1]);
  const report = () => {
    const planner = model.planner({ runtime: 'tflm' });
    planner.plan();
    planner.execute();
    return planner.report().buffers.map(({ offset }) => offset);
  };
  assert.deepEqual([report()[0], report()[1], report()[3]], [0, 64, 0]);

  const clash = buildModel({ tensors: [int8(64), int8(64), int8(64), int8(64)], operators: [relu(0, 1), relu(1, 2), relu(1, 3)], inputs: [0], outputs: [3], metadata: { [NAME]: words([0, 1, 4, -1, 0, 32, 128]) } });
  const { clashes } = await verify(clash);
  assert.deepEqual(clashes.map(({ a, b, bytes, steps }) => [a, b, bytes, steps]), [[1, 2, [32, 63], [2, 2]]]);
  assert.ok((await verify('id,lower,upper,size,offset\nstate,0,5,64,0\nlate,3,5,64,64\n')).sound);
});

test('a place before the arena, or a crooked one, is no purpose', async () => {
  const of = (/** @type {number[]} */ offsets) => verify(buildModel({ ...chain(), metadata: { [NAME]: words([0, 1, 5, ...offsets]) } }));
  const below = await of([0, 64, 128, 192, -16]);
  assert.deepEqual([below.sound, below.onPurpose, below.clashes[0]?.kind, below.clashes[0]?.a], [false, false, 'negative', 4]);
  const crooked = await of([4, 80, 144, 192, 240]);
  assert.deepEqual([crooked.sound, crooked.clashes[0]?.kind, crooked.clashes[0]?.a], [false, 'misaligned', 0]);
});

test('edge models: no operators, no tensors, and what cannot be moved', async () => {
  const none = await made({ tensors: [], operators: [] });
  const { bytes, before } = await none.model.writeOfflinePlan({ force: true });
  assert.ok(bytes);
  assert.deepEqual([before.head_bytes, offsetsIn(decodeModel(bytes))], [0, []]);
  const idle = await made({ tensors: [int8(64)], inputs: [0], outputs: [0] });
  assert.ok((await idle.model.writeOfflinePlan({ force: true })).bytes);
  const fixed = await made({ ...chain(), tensors: [...chain().tensors, int8(16, { data: 16, keep: 'offset' })] });
  await assert.rejects(fixed.model.writeOfflinePlan({ force: true }), { code: 'unsupported', message: /by position \(Buffer\.offset\)/ });
});

test('operators outside the tables: the promise is for the planned part', async () => {
  const { model } = await made({ tensors: [int8(64), int8(64)], operators: [{ custom: 'own', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] });
  const { covered, missing, fits } = await model.writeOfflinePlan({ force: true, budget: 1 << 20 });
  assert.deepEqual([covered, missing, fits], [false, ['own'], null]);
});

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['wasm/cli.js', ...args], { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

test('the command writes only where something is gained, or when it is told to', (t) => {
  const folder = temporaryFolder(t);
  const out = join(folder, 'out.tflite');
  const [file = ''] = BUNDLED;
  const forced = run(['optimize', file, '-o', out, '--force', '--json']);
  assert.equal(forced.err, '');
  assert.equal(forced.status, 0);
  const { format, written, before, after } = JSON.parse(forced.out);
  assert.deepEqual([format, written], ['tensor-arena-optimize', true]);
  assert.ok(after.head_bytes <= before.head_bytes);
  const second = join(folder, 'second.tflite');
  const idle = run(['optimize', out, '-o', second]);
  assert.match(idle.out, /Nothing is gained/);
  assert.equal(idle.status, 0);
  assert.ok(!existsSync(second));
  const short = run(['optimize', out, '-o', second, '--budget', '1K']);
  assert.match(short.out, /Budget +1,024 bytes: does not fit, [\d,]+ bytes short\n +The peak is [\d,]+ live bytes at step \d+ \(\w+ #\d+\): /);
  assert.equal(short.status, 1);
  const json = JSON.parse(run(['optimize', out, '-o', second, '--budget', '1K', '--json']).out);
  assert.deepEqual([json.fits, json.written, json.shortfall_bytes], [false, false, json.after.min_arena_bytes - 1024]);
  const own = join(folder, 'own.tflite');
  writeFileSync(own, buildModel({ tensors: [int8(64), int8(64)], operators: [{ custom: 'own', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }));
  const partly = run(['optimize', own, '-o', second, '--force', '--budget', '1M']);
  assert.match(partly.out, /^Head +at least 128 bytes/m);
  assert.match(partly.out, /^Left out +own: .*only the planned part is promised$/m);
  assert.match(partly.out, /not decided, for the figures are lower bounds/);
  assert.equal(partly.status, 4);
});

test('the command refuses what it cannot do', (t) => {
  const folder = temporaryFolder(t);
  const out = join(folder, 'out.tflite');
  const list = join(folder, 'list.csv');
  writeFileSync(list, 'id,lower,upper,size\na,0,4,300\n');
  assert.deepEqual(run(['optimize', BUNDLED[0] ?? '']), { status: 2, out: '', err: `tensor-arena: ${BUNDLED[0]}: give the file to write, as in -o OUT.tflite\n` });
  const csv = run(['optimize', list, '-o', out]);
  assert.equal(csv.status, 2);
  assert.match(csv.err, /only a \.tflite file/);
  assert.ok(!existsSync(out));
});

test('a plan that overlaps on purpose is refused, forced or not, and reported as such', needsShared, async () => {
  const vela = sharedModel('04-person_detect_vela.tflite');
  const model = await open(vela);
  for (const force of [false, true])
    await assert.rejects(model.writeOfflinePlan({ force }), { name: 'AnswerError', code: 'refused-by-runtime', message: /on purpose/ });
  const verdict = await verify(vela);
  assert.deepEqual([verdict.sound, verdict.onPurpose], [false, true]);
});

test('vww_96_int8: the figures of its whole arena, before and after', needsShared, async () => {
  const model = await open(sharedModel('37-vww_96_int8.tflite'));
  for (const [target, used, now] of /** @type {const} */ ([['lp64', 103392, 84960], ['ilp32', 100668, 82236]])) {
    const { before, after, proved } = await model.writeOfflinePlan({ target });
    assert.deepEqual([before.head_bytes, before.arena_used_bytes, after.head_bytes, after.arena_used_bytes, proved], [73728, used, 55296, now, true]);
  }
});

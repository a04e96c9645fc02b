// The smallest plan, written back into real models: the runtime, simulated on the written file, needs what was
// promised, and never more than before. The models lie beside the repository; a made one is always tried.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { temporaryFolder } from '../support/files.js';

const models = `${process.env.TENSOR_ARENA_SHARED ?? '../shared'}/models`;
const names = existsSync(models) ? readdirSync(models).filter((name) => /\.(tflite|bin)$/.test(name)) : [];
if (names.length === 0) console.log(`${models} is missing: only the bundled models are optimised`);

const bundled = [
  'node_modules/@mediapipe/face_detection/face_detection_short_range.tflite',
  'node_modules/@mediapipe/selfie_segmentation/selfie_segmentation.tflite',
];
const files = [...bundled, ...names.map((name) => join(models, name))];

test('every model: nothing gets worse, what is promised holds, and doing it again changes nothing', async () => {
  /** @type {string[]} */
  const gained = [];
  let written = 0;
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(file));
    let result;
    try {
      result = await (await open(bytes)).writeOfflinePlan({ force: true, nodes: 200_000 });
    } catch (error) {
      // What the runtime would refuse, or what is no model, has no plan to write.
      const { code } = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
      assert.ok(['refused-by-runtime', 'not-a-model', 'no-subgraph', 'unsupported', 'malformed', 'truncated', 'bad-index'].includes(code), `${file}: ${error}`);
      continue;
    }
    assert.ok(result.after.head_bytes <= result.before.head_bytes, `${file} gets no worse`);
    if (result.after.head_bytes < result.before.head_bytes)
      gained.push(`  ${file.replace(/^.*\//, '')}: head ${result.before.head_bytes} -> ${result.after.head_bytes}${result.proved ? ', proved' : ''}`);
    if (result.bytes === null) continue;
    written++;
    const again = await open(result.bytes);
    assert.equal(again.size({ target: 'cortex-m' }).head_bytes, result.after.head_bytes, `${file}: the promise`);
    assert.deepEqual(again.subgraphs, (await open(bytes)).subgraphs, `${file} means the same`);
    const verdict = await verify(result.bytes);
    assert.ok(verdict.sound, `${file}: ${verdict.clashes[0]?.text}`);
    const second = await again.writeOfflinePlan({ force: true, nodes: 200_000 });
    assert.deepEqual(second.bytes, result.bytes, `${file}: again, the same`);
    assert.equal((await again.writeOfflinePlan({ nodes: 200_000 })).bytes, null, `${file}: nothing is left to gain`);
  }
  console.log(`${written} of ${files.length} files written; smaller heads:\n${gained.join('\n')}`);
  assert.ok(written >= bundled.length);
});

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['wasm/cli.js', ...args], { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

test('the command writes only where something is gained, or when it is told to', (t) => {
  const folder = temporaryFolder(t);
  const out = join(folder, 'out.tflite');
  const [file = ''] = bundled;
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
  assert.match(short.out, /Budget +1,024 bytes: does not fit, [\d,]+ bytes short/);
  assert.equal(short.status, 1);
});

test('the command refuses what it cannot do', (t) => {
  const folder = temporaryFolder(t);
  const out = join(folder, 'out.tflite');
  const list = join(folder, 'list.csv');
  writeFileSync(list, 'id,lower,upper,size\na,0,4,300\n');
  assert.deepEqual(run(['optimize', bundled[0] ?? '']), { status: 2, out: '', err: `tensor-arena: ${bundled[0]}: give the file to write, as in -o OUT.tflite\n` });
  const csv = run(['optimize', list, '-o', out]);
  assert.equal(csv.status, 2);
  assert.match(csv.err, /only a \.tflite file/);
  assert.ok(!existsSync(out));
});

const vela = join(models, '04-person_detect_vela.tflite');
if (existsSync(vela))
  test('a plan that overlaps on purpose is refused, forced or not, and reported as such', async () => {
    const model = await open(readFileSync(vela));
    for (const force of [false, true])
      await assert.rejects(model.writeOfflinePlan({ force }), { name: 'AnswerError', code: 'refused-by-runtime', message: /on purpose/ });
    const verdict = await verify(readFileSync(vela));
    assert.deepEqual([verdict.sound, verdict.onPurpose], [false, true]);
  });

const vww = join(models, '37-vww_96_int8.tflite');
if (existsSync(vww))
  test('vww_96_int8: the figures of its whole arena, before and after', async () => {
    const model = await open(readFileSync(vww));
    for (const [target, used, now] of /** @type {const} */ ([['lp64', 103392, 84960], ['ilp32', 100668, 82236]])) {
      const { before, after, proved } = await model.writeOfflinePlan({ target });
      assert.deepEqual([before.head_bytes, before.arena_used_bytes, after.head_bytes, after.arena_used_bytes, proved], [73728, used, 55296, now, true]);
    }
  });

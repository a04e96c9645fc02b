// Plans leave the tool in every form it writes and come back through verify, by the command as a user installs it:
// packed, and installed from the tarball.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { BUNDLED } from '../support/files.js';
import { installPacked } from '../support/packed.js';
import { needsShared, sharedPath } from '../support/shared.js';

const bundled = BUNDLED.map((file) => resolve(file));
const models = ['02-hello_world_int8.tflite', '07-keyword_scrambled_8bit.tflite', '27-multi_subgraphs_while.bin', '37-vww_96_int8.tflite', '41-tflm_while.tflite'].map((name) => sharedPath(`models/${name}`));

const folder = installPacked();
const command = join('node_modules', '.bin', 'tensor-arena');

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28 });
  return { status, out: stdout, err: stderr };
}

/** Only the search has nodes to spend. @param {string} planner */
const placedBy = (planner) => ['--planner', planner, ...(planner === 'optimal' ? ['--nodes', '1000'] : [])];

/** The verdict comes first; what is odd about the model itself follows. @param {string[]} args */
function checkSound(...args) {
  const { status, out, err } = run(['verify', ...args]);
  assert.deepEqual([status, out.split('\n')[0], err], [0, `${args[0]}: sound`, '']);
}

/** @param {string} file @param {{ skip?: string | false }} options */
function testModel(file, options) {
  const name = basename(file);

  test(`${name} -> optimize -> verify, plan, optimize again`, options, () => {
    const made = run(['optimize', file, '-o', 'out.tflite', '--force', '--json', '--nodes', '100000']);
    assert.equal(made.err, '');
    const { after, written } = JSON.parse(made.out);
    assert.ok(written);
    checkSound('out.tflite');
    assert.equal(JSON.parse(run(['plan', 'out.tflite', '--json']).out).arena_bytes, after.head_bytes);
    assert.equal(JSON.parse(run(['size', 'out.tflite', '--json']).out).min_arena_bytes, after.min_arena_bytes);
    run(['optimize', 'out.tflite', '-o', 'again.tflite', '--force', '--nodes', '100000']);
    assert.deepEqual(readFileSync(join(folder, 'again.tflite')), readFileSync(join(folder, 'out.tflite')));
  });

  test(`${name} -> plan --json -> verify, alone and against its model`, options, () => {
    for (const runtime of ['tflm', 'tflite'])
      for (const planner of ['own', 'optimal']) {
        assert.equal(run(['plan', file, '--json', '--runtime', runtime, ...placedBy(planner), '-o', 'plan.json']).err, '');
        checkSound('plan.json');
        checkSound('plan.json', '--model', file);
      }
  });

  test(`${name} -> plan --format csv -> verify -> plan`, options, () => {
    assert.equal(run(['plan', file, '--format', 'csv', '--planner', 'optimal', '--nodes', '1000', '-o', 'plan.csv']).err, '');
    checkSound('plan.csv');
    const [first, second] = [run(['plan', 'plan.csv', '--json']), run(['plan', file, '--json', '--planner', 'optimal', '--nodes', '1000'])];
    assert.equal(JSON.parse(first.out).arena_bytes, JSON.parse(second.out).arena_bytes, 'its places are kept');
  });
}

for (const file of bundled) testModel(file, {});
for (const file of models) testModel(file, needsShared);

/** @param {string} file */
function checkList(file) {
  for (const planner of ['optimal', 'linear']) {
    assert.equal(run(['plan', file, '--format', 'csv', ...placedBy(planner), '-o', 'list.csv']).err, '');
    checkSound('list.csv');
    const again = run(['plan', 'list.csv', '--format', 'csv']);
    assert.equal(again.out, readFileSync(join(folder, 'list.csv'), 'utf8'), 'a plan that is read is what it was');
    const places = (/** @type {string[]} */ ...options) => JSON.parse(run(['plan', 'list.csv', '--json', ...options]).out).buffers.map((/** @type {{ offset: number }} */ { offset }) => offset);
    assert.deepEqual(places('--planner', 'optimal', '--keep-offsets'), places(), 'places that are kept stay');
  }
}

test('CSV -> plan -> CSV -> verify', () => {
  writeFileSync(join(folder, 'views.csv'), 'id,lower,upper,size,alignment,alias\nB,0,2,256,16,\nC,1,5,256,16,B+0\nD,2,4,256,16,\nE,3,5,64,16,\nv,0,4,16,16,D+32\n');
  checkList('views.csv');
});
test('CSV -> plan -> CSV -> verify, of a known instance', needsShared, () => checkList(sharedPath('bench/minimalloc/A.1048576.csv')));

test('what is not sound, not for this command, or not written says so by its exit status', () => {
  const [file = ''] = bundled;
  const plan = JSON.parse(run(['plan', file, '--json', '--runtime', 'tflm']).out);
  const at = plan.buffers.findIndex((/** @type {any} */ { offset }) => offset !== null);
  plan.buffers[at].last = plan.buffers[at].first;
  writeFileSync(join(folder, 'short.json'), JSON.stringify(plan));
  const short = run(['verify', 'short.json', '--model', file]);
  assert.match(short.out, /is used in step \d+ by .*, when it does not live/);
  assert.equal(short.status, 1);
  writeFileSync(join(folder, 'graph.json'), JSON.stringify({ tensors: [{ bytes: 4 }], nodes: [], inputs: [0], outputs: [0] }));
  const other = run(['verify', 'short.json', '--model', 'graph.json']);
  assert.match(other.err, /the plan is of another model/);
  assert.equal(other.status, 2);
  const without = run(['verify', file]);
  assert.match(without.err, /carries no offline plan/);
  assert.equal(without.status, 2);
  assert.equal(run(['optimize', 'short.json', '-o', 'x.tflite']).status, 2);
  assert.equal(run(['optimize', file, '-o', 'no/such/folder.tflite', '--force']).status, 5);
  const named = run(['size', file, '--budget', '1K']);
  assert.match(named.out, /does not fit, [\d,]+ bytes short/);
  assert.match(named.out, /The peak is [\d,]+ live bytes at step \d+ \(\w+ #\d+\): /);
  assert.equal(named.status, 1);
  const planned = run(['plan', file, '--budget', '1K']);
  assert.match(planned.out, /does not fit, [\d,]+ bytes short\n +Its cause is what TFLM keeps for good/);
  assert.equal(planned.status, 1);
  const { fits, shortfall_bytes, min_arena_bytes } = JSON.parse(run(['plan', file, '--json', '--budget', '1K']).out);
  assert.deepEqual([fits, shortfall_bytes], [false, min_arena_bytes - 1024]);
});

// Buffer lists as people write them and read them back: what a column asks for is still asked for after any round trip.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { hasShared, sharedBytes } from '../support/shared.js';

/** A list as it was reported; where the folder is, it is what lies there. @param {string} file @param {string} text */
function reported(file, text) {
  if (hasShared) assert.equal(new TextDecoder().decode(sharedBytes(`cases/files/${file}`)).trim(), text.trim(), file);
  return text;
}

/** @param {string} text @param {import('../../wasm/index.js').PlannerOptions} [options] */
async function planned(text, options = {}) {
  const planner = (await open(text, { name: 'list.csv' })).planner(options);
  planner.plan();
  planner.execute();
  return planner;
}

/** The column of a CSV, by the ids. @param {string} text @param {string} name @returns {Record<string, string>} */
function column(text, name) {
  const [head = [], ...rows] = text.trim().split('\n').map((line) => line.split(',').map((field) => field.replaceAll('"', '')));
  return Object.fromEntries(rows.map((row) => [row[0], row[head.indexOf(name)]]));
}

const align64 = reported('csv-align-64.csv', 'id,lower,upper,size,alignment\np,0,1,80,64\nq,0,1,80,64\n');
const align256 = reported('csv-align-256.csv', 'id,lower,upper,size,alignment\nnpu,0,1,1000,256\nq,0,1,80,4\n');
const unaligned = reported('csv-no-alignment-column.csv', 'id,lower,upper,size\np,0,1,80\nq,0,1,80\nr,0,1,7\n');

for (const [name, text, alignment] of /** @type {const} */ ([['64', align64, 64], ['256 and 4', align256, 256]])) {
  test(`rows aligned to ${name}: so is the arena, in every format`, async () => {
    const planner = await planned(text);
    assert.equal(planner.summary().arenaAlignment, alignment);
    assert.equal(planner.report().alignment.arena, alignment);
    assert.match(planner.text('text'), new RegExp(`aligned to ${alignment}:`));
    assert.match(planner.text('c'), new RegExp(`_ARENA_ALIGNMENT ${alignment}u\n`));
    assert.match(planner.text('c'), new RegExp(`aligned to ${alignment} \\*/`));
  });
}

test('an alignment given as an option comes back in CSV and JSON, and is checked', async () => {
  const planner = await planned(unaligned, { alignment: 64 });
  assert.deepEqual(planner.layout().offsets, Float64Array.of(0, 128, 256));
  assert.equal(planner.report().alignment.arena, 64);
  const csv = planner.text('csv');
  assert.deepEqual(column(csv, 'alignment'), { p: '64', q: '64', r: '64' });
  assert.equal((await verify(csv)).sound, true);
  assert.equal((await verify(csv.replace('80,64,128', '80,64,100'))).sound, false, 'q moved off its alignment');
  const plan = planner.report();
  assert.equal((await verify(plan)).sound, true);
  const moved = { ...plan, buffers: plan.buffers.map((buffer, i) => (i === 1 ? { ...buffer, offset: 100 } : buffer)) };
  assert.deepEqual((await verify(moved)).clashes.map(({ kind, a }) => [kind, a]), [['misaligned', 1]]);
});

test('what a row asks for and what an option asks for hold together; a view lies where its root does', async () => {
  const csv = (await planned('id,lower,upper,size,alignment,alias\na,0,9,100,256,\nb,0,9,100,4,\nv,0,9,8,8,a+8\n', { alignment: 32 })).text('csv');
  assert.deepEqual(column(csv, 'alignment'), { a: '256', b: '32', v: '8' });
  assert.equal((await verify(csv)).sound, true);
});

test('alignments are powers of two up to 2^20, at every door', async () => {
  const graph = { tensors: [{ bytes: 4 }], nodes: [], inputs: [0], outputs: [0] };
  const list = (/** @type {number} */ n) => `id,lower,upper,size,alignment\na,0,1,4,${n}\n`;
  const doors = /** @type {((n: number) => Promise<unknown>)[]} */ ([
    async (n) => (await open(list(n))).planner(),
    async (n) => (await open({ ...graph, alignment: n })).planner(),
    async (n) => (await open(graph)).planner({ alignment: n }),
    async (n) => (await open(unaligned)).planner({ alignment: n }),
  ]);
  for (const door of doors) {
    for (let n = 1; n <= 2 ** 20; n *= 2) await door(n);
    for (const n of [3, 2 ** 20 - 1, 2 ** 20 + 1, 2 ** 21])
      await assert.rejects(door(n), (/** @type {Error} */ { message }) => message.includes(String(n)) && message.includes('give a power of two from 1 to 1048576'));
  }
});

/** Five buffers of 4 bytes, of which three live at once; one lies far off. */
const far = 'id,lower,upper,size,offset\na,0,2,4,0\nb,0,2,4,4\nc,1,3,4,8\nd,3,5,4,0\ne,4,6,4,96\n';

test('a list with offsets is a plan to be judged, and what it could be is said', async () => {
  const planner = await planned(far);
  const { arenaBytes, lowerBoundBytes, betterBytes, status, fixedPlaces } = planner.summary();
  assert.deepEqual([arenaBytes, lowerBoundBytes, betterBytes, status, fixedPlaces], [100, 12, 12, 'feasible', 0]);
  const { planner: name, better_bytes, buffers } = planner.report();
  assert.deepEqual([name, better_bytes, buffers.map(({ offset }) => offset)], ['own', 12, [0, 4, 8, 0, 96]]);
  const text = planner.text('text');
  assert.match(text, /Arena +100 bytes, aligned to 1: not the smallest possible, 88 bytes more than needed\n/);
  assert.match(text, /Optimal +12 bytes; yours 100: --planner optimal plans anew\n/);
  assert.equal((await planned(far, { planner: 'optimal' })).summary().arenaBytes, 12);
  assert.equal((await planned(far, { planner: 'linear' })).summary().arenaBytes, 20);
  assert.equal(planner.why(4).rule, 'where the list puts it');
});

test('a plan that cannot be smaller is optimal; one byte more, and it is not', async () => {
  const at = async (/** @type {number} */ offset) => (await planned(`id,lower,upper,size,offset\na,0,2,4,0\nb,1,3,4,${offset}\n`)).summary();
  assert.deepEqual([(await at(4)).status, (await at(4)).betterBytes], ['optimal', null]);
  assert.deepEqual([(await at(5)).status, (await at(5)).betterBytes], ['feasible', 8]);
  assert.deepEqual([(await at(3)).status, (await at(3)).betterBytes], ['unsound', 8]);
});

test('offsets bind when they are asked to, and the proof says that they do', async () => {
  const kept = await planned(far.replace('a,0,2,4,0', 'a,0,2,4,'), { keepOffsets: true });
  const { arenaBytes, lowerBoundBytes, status, fixedPlaces, betterBytes } = kept.summary();
  assert.deepEqual([arenaBytes, lowerBoundBytes, status, fixedPlaces, betterBytes], [100, 100, 'optimal', 4, null]);
  assert.deepEqual([...kept.layout().offsets], [0, 4, 8, 0, 96]);
  assert.match(kept.text('text'), /smallest possible, no plan of these lifetimes and fixed places is smaller/);
  assert.deepEqual(kept.report().buffers.map(({ fixed }) => fixed), [undefined, true, true, true, true]);
  const column = await planned('id,lower,upper,size,fixed\na,0,2,4,\nb,0,2,4,0\n');
  assert.equal(column.report().planner, 'optimal');
  assert.deepEqual([...column.layout().offsets], [4, 0]);
  assert.equal(column.text('csv'), 'id,lower,upper,size,alignment,offset,alias,fixed\n"a",0,2,4,1,4,,\n"b",0,2,4,1,0,,0\n');
  const again = await planned(column.text('csv'), { planner: 'optimal' });
  assert.equal(again.text('csv'), column.text('csv'));
});

test('every rule that a list breaks is named, by plan as by verify', async () => {
  const list = 'id,lower,upper,size,alignment,offset,alias\na,0,9,64,1,8,\nb,2,4,16,16,68,\nc,0,9,4,1,,\nd,20,21,16,1,100,\nv,20,21,4,1,101,d+4\n';
  const planner = await planned(list);
  const verdict = await verify(list);
  assert.equal(planner.summary().status, 'unsound');
  const { problems } = planner.report();
  assert.deepEqual(problems.map(({ code, text }) => [code, text]), verdict.clashes.map(({ kind, text }) => [kind, text]));
  assert.deepEqual(new Set(problems.map(({ code }) => code)), new Set(['adrift', 'misaligned', 'unplaced', 'overlap']));
  const odd = await planned(far, { alignment: 8 });
  assert.deepEqual([odd.summary().status, odd.report().problems.map(({ text }) => text)], ['unsound', ['b starts at byte 4, which its alignment does not allow']]);
});

test('own is executed as often as one likes, and its problems stay the same', async () => {
  const planner = await planned('id,lower,upper,size,offset\na,0,2,4,0\nb,1,3,4,2\n');
  const once = planner.text('json');
  planner.execute();
  assert.equal(planner.text('json'), once);
  planner.reset();
  assert.equal(planner.summary().status, 'unplanned');
  planner.execute();
  assert.equal(planner.text('json'), once);
});

const clash = reported('two-fixed-clash.csv', 'id,lower,upper,size,offset\nfix1,0,10,100,64\nfix2,0,10,100,128\na,0,5,64,\n');

test('two places that cannot be together: both are named, with bytes and steps', async () => {
  const { problems } = (await planned(clash)).report();
  assert.deepEqual(problems.map(({ text }) => text), ['a has no offset', 'fix1 and fix2 share bytes 128..163 in steps 0..9']);
  await assert.rejects(planned(clash, { keepOffsets: true }), /"fix2" is fixed at 128, on bytes where "fix1" lives: both have bytes 128\.\.163 in steps 0\.\.9; move one/);
  const graph = { tensors: [{ bytes: 64 }, { bytes: 64 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] };
  const planner = (await open(graph)).planner({ planner: 'optimal' });
  planner.plan();
  planner.fix(0, 64);
  planner.fix(1, 100);
  assert.throws(() => planner.execute(), /tensor 1 is fixed at 100, on bytes where tensor 0 lives: both have bytes 100\.\.127 in steps 0\.\.0; move one/);
});

test('rows without bytes stay', async () => {
  const list = reported('zero-rows.csv', 'id,lower,upper,size\na,0,1,0\nb,0,1,0\ny,2,3,16\n');
  for (const planner of /** @type {const} */ (['optimal', 'linear', 'own'])) {
    const csv = (await planned(planner === 'own' ? list.replace('size', 'size,offset').replace(/,0\n/g, ',0,\n').replace('16', '16,0') : list, { planner })).text('csv');
    assert.deepEqual(column(csv, 'size'), { a: '0', b: '0', y: '16' });
    assert.deepEqual(column(csv, 'offset'), { a: '', b: '', y: '0' });
    assert.equal((await planned(csv)).text('csv'), csv);
  }
});

/** Two variables, of which the smaller comes first, and a chain. */
const lasting = {
  tensors: [
    { name: 'x', bytes: 64 },
    { name: 's', bytes: 8, type: /** @type {const} */ ('arena_rw_persistent') },
    { name: 't', bytes: 100, type: /** @type {const} */ ('arena_rw_persistent') },
    { name: 'y', bytes: 32 },
  ],
  nodes: [
    { name: 'READ', inputs: [0], outputs: [1, 2] },
    { name: 'ADD', inputs: [1, 2], outputs: [3] },
  ],
  inputs: [0],
  outputs: [3],
};

test('persistent buffers are in the list, and are persistent when it is read', async () => {
  for (const planner of /** @type {const} */ (['own', 'optimal', 'linear'])) {
    const made = (await open(lasting)).planner({ runtime: 'tflite', planner });
    made.plan();
    made.execute();
    const csv = made.text('csv');
    assert.deepEqual(column(csv, 'arena'), { 'x#0': 'rw', 's#1': 'persistent', 't#2': 'persistent', 'y#3': 'rw' });
    assert.deepEqual([column(csv, 'lower')['t#2'], column(csv, 'upper')['t#2']], ['0', '2']);
    assert.equal((await verify(csv)).sound, true);
    const read = await planned(csv);
    assert.equal(read.report().planner, 'own');
    assert.deepEqual([read.layout().arenaBytes, read.layout().persistentBytes], [made.layout().arenaBytes, made.layout().persistentBytes]);
    assert.equal(read.text('csv'), csv);
    const at = Number(column(csv, 'offset')['t#2']);
    const moved = csv.replace(/("s#1",0,2,8,64,)\d+/, `$1${at}`);
    assert.deepEqual((await verify(moved)).clashes.map(({ kind, a, b }) => [kind, a, b]), [['overlap', 1, 2]]);
    assert.equal((await planned(moved)).summary().status, 'unsound');
    const kept = (await planned(csv.replace(/("s#1",0,2,8,64,)\d+/, '$1'), { keepOffsets: true })).layout();
    assert.deepEqual([kept.offsets[1], kept.offsets[2], kept.persistentBytes], [at + 128, at, at + 136]);
    const anew = (await planned(csv, { planner: 'optimal' })).layout();
    assert.deepEqual([anew.offsets[1], anew.offsets[2], anew.persistentBytes], [0, 64, 164]);
  }
});

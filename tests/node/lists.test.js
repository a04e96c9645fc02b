// Buffer lists as people write them and read them back: what a column asks for is still asked for after any round trip.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';

const cases = join(process.env.TENSOR_ARENA_SHARED ?? '../shared', 'cases/files');
const hasCases = existsSync(cases);
if (!hasCases) console.log(`${cases} is missing: the reported lists are tried as they are written here`);

/** A reported list where it lies; without the folder, the same list as written here. @param {string} file @param {string} text */
function reported(file, text) {
  if (hasCases) assert.equal(readFileSync(join(cases, file), 'utf8').trim(), text.trim(), file);
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

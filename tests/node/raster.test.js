// The rasteriser's id buffers, byte for byte: on both wasm builds, against each other and against pictures that
// are written down here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { open } from '../../wasm/index.js';
import { needsShared, sharedFiles } from '../support/shared.js';
import { readPlan } from '../../web/src/engine/columns.js';
import { MapView } from '../../web/src/engine/mapview.js';
import { fitAll, zoomAt } from '../../web/src/chart/viewport.js';

/** @typedef {import('../../web/src/types.js').Columns} Columns */
/** @typedef {import('../../web/src/types.js').Frame} Frame */

const BUILDS = ['build/emscripten/tensor_arena.wasm', 'build/wasi/tensor_arena.wasm'];
const modules = await Promise.all(BUILDS.map((file) => WebAssembly.compile(readFileSync(file))));

/** @param {readonly (readonly [offset: number, bytes: number, first: number, last: number, shares?: number])[]} rows @returns {Columns} */
function columnsOf(rows) {
  return {
    n: rows.length,
    offset: Float64Array.from(rows, ([offset]) => offset),
    bytes: Float64Array.from(rows, ([, bytes]) => bytes),
    first: Int32Array.from(rows, ([, , first]) => first),
    last: Int32Array.from(rows, ([, , , last]) => last),
    arena: new Uint8Array(rows.length).fill(1),
    index: Int32Array.from(rows, (_, i) => i),
    subgraph: new Int32Array(rows.length),
    scratch: new Uint8Array(rows.length),
    shares: Int32Array.from(rows, ([, , , , shares]) => shares ?? -1),
  };
}

/** The id buffers of all builds, which must be one. @param {Columns} columns @param {readonly Frame[]} frames */
async function raster(columns, frames) {
  const maps = await Promise.all(modules.map((module) => MapView.of(module, columns)));
  return frames.map((frame, k) => {
    const [first, ...others] = maps.map((map) => map.raster(frame));
    for (const other of others) assert.deepEqual(other, first, `view ${k} differs between the builds`);
    return /** @type {Uint32Array} */ (first);
  });
}

/** Letters for buffers, # for holes, + for seams. @param {Uint32Array} ids @param {number} width */
function picture(ids, width) {
  const letter = (/** @type {number} */ id) => (id === 0 ? '.' : id === 0xffffffff ? '#' : id === 0xfffffffe ? '+' : String.fromCharCode(96 + id));
  const lines = [];
  for (let row = 0; row < ids.length / width; row++) lines.push([...ids.subarray(row * width, (row + 1) * width)].map(letter).join(''));
  return lines;
}

const SMALL = columnsOf([
  [0, 40, 0, 1],
  [40, 40, 1, 2],
  [0, 20, 3, 3],
  [60, 1, 3, 3],
]);

test('a small plan, as drawn by hand', async () => {
  const frame = { x0: 0, x1: 4, y0: 0, y1: 80, width: 16, height: 8, down: false };
  const [ids] = await raster(SMALL, [frame]);
  assert.deepEqual(picture(/** @type {Uint32Array} */ (ids), 16), [
    '....++++++++....',
    '....bbbbbbb+dddd',
    '....bbbbbbb+####',
    '....bbbbbbb+####',
    '++++++++########',
    'aaaaaaa+########',
    'aaaaaaa+####ccc+',
    'aaaaaaa+####ccc+',
  ]);
});

test('both builds draw every view of the real models alike', needsShared, async () => {
  for (const name of sharedFiles('models', /^(03|13|16|18|20)-/)) {
    const model = await open(readFileSync(name), { name });
    const planner = model.planner({ runtime: 'tflite' });
    planner.plan();
    planner.execute();
    const { head, columns } = readPlan(/** @type {any} */ (planner.report()));
    const whole = fitAll(head.steps, head.arena_bytes);
    const frames = [1, 3, 17].flatMap((factor) => {
      const view = zoomAt(whole, factor, head.steps / 3, head.arena_bytes / 5, { x: true, y: true });
      return [{ ...view, width: 333, height: 222, down: false }, { ...view, width: 1180, height: 431, down: true }];
    });
    const pictures = await raster(columns, frames);
    assert.ok(pictures.every((ids) => ids.some((id) => id !== 0)), `${name} is drawn`);
  }
});

test('a hundred thousand buffers, near and from afar', async () => {
  let seed = 7;
  const random = (/** @type {number} */ n) => (seed = (seed * 48271) % 2147483647) % n;
  const rows = Array.from({ length: 100_000 }, (_, i) => /** @type {const} */ ([(i % 100) * 1000 + random(500), 1 + random(500), Math.floor(i / 100) * 10, Math.floor(i / 100) * 10 + random(10)]));
  const columns = columnsOf(rows);
  const views = [
    { x0: 0, x1: 10_000, y0: 0, y1: 100_000 },
    { x0: 4000, x1: 4100, y0: 20_000, y1: 30_000 },
    { x0: -500, x1: 20_000, y0: -1000, y1: 400_000 },
    { x0: 123.25, x1: 125.75, y0: 512.5, y1: 530.25 },
  ];
  const pictures = await raster(columns, views.map((view) => ({ ...view, width: 800, height: 400, down: false })));
  assert.ok(pictures.slice(0, 3).every((ids) => new Set(ids).size > 50));
});

test('pick, labels and curve agree between the builds', async () => {
  const frame = { x0: 0, x1: 4, y0: 0, y1: 80, width: 16, height: 8, down: false };
  const maps = await Promise.all(modules.map((module) => MapView.of(module, SMALL)));
  for (const map of maps) {
    assert.deepEqual([...map.pick(frame, 1, 7).buffers], [0]);
    assert.equal(map.pick(frame, 1, 0).count, 0);
    assert.deepEqual([...map.labels(frame, 8, 4)], [0, 1]);
    const { live, high } = map.curve({ ...frame, width: 4 });
    assert.deepEqual([...live], [40, 80, 40, 21]);
    assert.deepEqual([...high], [40, 80, 80, 61]);
  }
});

test('colours come by class and texture', async () => {
  const frame = { x0: 0, x1: 4, y0: 0, y1: 80, width: 16, height: 8, down: false };
  const classes = Uint8Array.from([0, 0, 1, 2, 3, 4, 5]);
  const inks = [0, 10, 20, 30, 40, 50].map((fill, i) => ({ fill, mark: fill + 1, texture: i % 3 }));
  const [first, ...others] = await Promise.all(modules.map(async (module) => (await MapView.of(module, SMALL)).picture(frame, classes, inks, 1)));
  for (const other of others) assert.deepEqual(other, first);
});

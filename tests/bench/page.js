// The page's figures, in headless Chromium without a GPU at 1600x900: CPU per frame while panning and zooming,
// hover, and from the drop of a file to its picture. `node tests/bench/page.js`; the page must be built.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, openPage } from '../page/support.js';
import { sharedPath } from '../support/shared.js';

/** @typedef {import('playwright-core').Page} Page */

const FRAMES = 120;
/** Tensors, and the most milliseconds a frame may take. */
const SIZES = /** @type {const} */ ([[10, 4], [1000, 5], [100_000, 14], [1_000_000, 16]]);

/** Buffers in a hundred lanes that never overlap, placed as the list says. @param {number} n */
function bufferList(n) {
  let seed = 7;
  const random = (/** @type {number} */ k) => (seed = (seed * 48271) % 2147483647) % k;
  const lanes = Math.min(100, n);
  const ends = new Array(lanes).fill(0);
  const rows = ['id,lower,upper,size,offset'];
  for (let i = 0; i < n; i++) {
    const lane = i % lanes;
    const life = 1 + random(19);
    rows.push(`b${i},${ends[lane]},${ends[lane] + life},${64 * (1 + random(60))},${lane * 4096}`);
    ends[lane] += life;
  }
  return `${rows.join('\n')}\n`;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Frames of panning and zooming: this thread's script time in each, and the engine's over all. @param {Page} page */
function gesture(page) {
  return page.evaluate(async (frames) => {
    const { actions, chart, store } = /** @type {any} */ (globalThis).tensorArena;
    actions.look.set({ view: store.state.look.limits });
    await new Promise((resolve) => setTimeout(resolve, 800));
    const { view } = store.state.look;
    const width = view.x1 - view.x0;
    const height = view.y1 - view.y0;
    const scripts = [];
    chart.pictureTimes.length = 0;
    chart.frameTimes.length = 0;
    for (let i = 0; i < frames; i++) {
      await new Promise(requestAnimationFrame);
      const started = performance.now();
      const zoom = 1.2 + Math.abs(Math.sin(i / 20)) * 2;
      const x = ((i % 40) / 40) * width * 0.3;
      actions.look.look({ x0: view.x0 + x, x1: view.x0 + x + width / zoom, y0: view.y0, y1: view.y0 + height / zoom });
      await Promise.resolve();
      scripts.push(performance.now() - started);
    }
    const draws = [...chart.frameTimes];
    const inGesture = chart.pictureTimes.reduce((/** @type {number} */ sum, /** @type {number} */ ms) => sum + ms, 0);
    const settleStart = performance.now();
    const pictures = chart.pictureTimes.length;
    while (chart.pictureTimes.length === pictures && performance.now() - settleStart < 2000) await new Promise((resolve) => setTimeout(resolve, 2));
    return { scripts, draws, engine: inGesture / frames, settle: performance.now() - settleStart, raster: chart.pictureTimes.at(-1) ?? 0 };
  }, FRAMES);
}

/** The script time of a hover: from the pointer's place to the buffer's name. @param {Page} page */
function hover(page) {
  return page.evaluate(() => {
    const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
    const { map } = chart.geometry;
    const times = [];
    for (let i = 0; i < 200; i++) {
      const x = map.x + ((i * 37) % map.w);
      const y = map.y + ((i * 53) % map.h);
      const started = performance.now();
      const found = chart.bufferAt(x, y);
      if (found >= 0) store.state.file.facts.label(found);
      times.push(performance.now() - started);
    }
    return times;
  });
}

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'tensor-arena-bench-'));
try {
  console.log('page at 1600x900, milliseconds          frame (median of 120)   of it engine   settled after   whole picture   hover');
  for (const [n, limit] of SIZES) {
    const { page, close } = await openPage(browser, { width: 1600, height: 900 });
    const file = join(folder, `${n}.csv`);
    writeFileSync(file, bufferList(n));
    await page.setInputFiles('#file', file);
    await page.waitForFunction((name) => document.getElementById('file-name')?.textContent === name, `${n}.csv`, { timeout: 120_000 });
    await page.waitForTimeout(500);
    const { scripts, draws, engine, settle, raster } = await gesture(page);
    const frame = median(scripts) + median(draws) + engine;
    const answer = median(await hover(page));
    const row = [frame.toFixed(2), `(limit ${limit})`, engine.toFixed(2), settle.toFixed(0), raster.toFixed(1), answer.toFixed(3)];
    console.log(`${n.toLocaleString('en-US').padStart(10)} tensors ${row.map((cell) => cell.padStart(14)).join(' ')}`);
    await close();
  }
  const { page, close } = await openPage(browser, { width: 1600, height: 900 });
  for (const [name, limit] of /** @type {const} */ ([['03-person_detect.tflite', 100], ['15-coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite', 300]])) {
    const base64 = readFileSync(sharedPath(`models/${name}`)).toString('base64');
    const times = [];
    for (let i = 0; i < 7; i++)
      times.push(
        await page.evaluate(
          async ({ text, label }) => {
            const { chart } = /** @type {any} */ (globalThis).tensorArena;
            const data = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([data], label));
            const started = performance.now();
            const pictures = chart.pictureTimes.length;
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
            while (chart.pictureTimes.length === pictures || document.getElementById('file-name')?.textContent !== label) await new Promise(requestAnimationFrame);
            return performance.now() - started;
          },
          { text: base64, label: `${i} ${name}` },
        ),
      );
    console.log(`from the drop of ${name} to its picture: ${median(times).toFixed(0)} ms (limit ${limit})`);
  }
  await close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

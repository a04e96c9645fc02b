// What the page shows where something is missing, wrong, unknown, very large or very narrow.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../wasm/cli/serve.js';
import { closeAll, drop, launch, openPage, openTable, settled, shown, verdict } from './support.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

const encode = (/** @type {unknown} */ value) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
/** @param {Page} page @param {string} key */
const state = (page, key) => page.evaluate((name) => name.split('.').reduce((/** @type {any} */ value, part) => value[part], /** @type {any} */ (globalThis).tensorArena.store.state), key);

test('a huge plan opens on its peak and tells its scale and the memory it takes', async () => {
  const { page, faults, close } = await openPage(browser, { width: 1600 });
  const rows = Array.from({ length: 60_000 }, (_, i) => `b${i},${i >> 1},${(i >> 1) + 9},${64 * (1 + (i % 7))},${(i % 20) * 512}`);
  await page.setInputFiles('#file', { name: 'huge.csv', mimeType: 'text/csv', buffer: Buffer.from(`id,lower,upper,size,offset\n${rows.join('\n')}\n`) });
  await page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'huge.csv', null, { timeout: 30_000 });
  await page.waitForFunction(() => /^60,000 buffers; drawn at 1:\d+, a pixel is .* by .*B.*The core holds [\d.]+ MiB of memory\.$/.test(document.getElementById('scale')?.textContent ?? ''));
  const scale = (await page.textContent('#scale')) ?? '';
  const view = await state(page, 'look.view');
  const limits = await state(page, 'look.limits');
  assert.ok(view.x1 - view.x0 < 0.2 * (limits.x1 - limits.x0), 'not on the peak');
  await page.click('#only');
  const [from, to] = [Math.max(0, Math.floor(view.x0)), Math.ceil(view.x1) - 1];
  await shown(page, `huge, steps ${from} to ${to}.csv`);
  const kept = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.file.facts.n);
  assert.equal(kept, rows.filter((_, i) => i >> 1 <= to && (i >> 1) + 9 > from).length);
  await page.waitForSelector('#only', { state: 'hidden' });
  await page.setInputFiles('#file', { name: 'huge.csv', mimeType: 'text/csv', buffer: Buffer.from(`id,lower,upper,size,offset\n${rows.join('\n')}\n`) });
  await shown(page, 'huge.csv');
  await page.waitForSelector('#only');
  await page.click('#fit-all');
  await page.waitForFunction(() => /drawn at 1:2\d, a pixel is 2\d steps by \d+ B; zoom for detail/.test(document.getElementById('scale')?.textContent ?? ''));
  assert.notEqual(await page.textContent('#scale'), scale);
  await drop(page, encode({ tensors: [{ name: 'x', bytes: 64 }], nodes: [], inputs: [0], outputs: [0] }), 'small.json');
  await shown(page, 'small.json');
  await page.waitForSelector('#scale', { state: 'hidden' });
  assert.deepEqual(faults, []);
  await close();
});

test('what is known only when the model runs is a problem each, with its operator', async () => {
  const { page, faults, close } = await openPage(browser);
  await page.click('#welcome >> text=Stepwise allocation');
  await shown(page, 'dynamic boxes.json');
  assert.match((await verdict(page))['arena'] ?? '', /^≥ /);
  await openTable(page, 'problems');
  await page.click('#panel >> text=/kept boxes .*: its size is known only when NON_MAX_SUPPRESSION_V4 #5 runs/');
  await page.waitForFunction(() => /^kept boxes/.test(document.querySelector('#details h2')?.textContent ?? ''));
  assert.deepEqual(faults, []);
  await close();
});

test('a model with nothing to plan says so instead of drawing an empty map', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, encode({ tensors: [], nodes: [], inputs: [], outputs: [] }), 'empty.json');
  await shown(page, 'empty.json');
  assert.ok(await page.isVisible('#nothing'));
  assert.ok(await page.isHidden('#map'));
  await drop(page, encode({ tensors: [{ name: 'x', bytes: 64 }], nodes: [], inputs: [0], outputs: [0] }), 'one.json');
  await shown(page, 'one.json');
  assert.ok(await page.isHidden('#nothing'));
  await page.waitForFunction(() => (document.getElementById('map')?.clientHeight ?? 0) > 300);
  assert.deepEqual(faults, []);
  await close();
});

test('a failure offers to try again, and says what the file is instead', async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, encode('\u0089HDF\r\n'), 'model.h5');
  await page.waitForSelector('#failure >> text=Try again');
  assert.match((await page.textContent('#failure')) ?? '', /face_detection_short_range\.tflite stays open/);
  await page.click('#failure >> text=Try again');
  await page.waitForSelector('#failure >> text=Try again');
  await page.click('#failure >> text=Close');
  assert.equal((await page.textContent('#failure'))?.trim(), '');
  assert.deepEqual(faults, []);
  await close();
});

test('where the canvas is lost, the table stays, and less detail is offered', async () => {
  const { page, faults, close } = await openPage(browser);
  const before = await page.evaluate(() => /** @type {HTMLCanvasElement} */ (document.getElementById('base')).width);
  await page.evaluate(() => document.getElementById('base')?.dispatchEvent(new Event('contextlost')));
  await page.click('#failure >> text=Draw with less detail');
  await page.waitForFunction((width) => /** @type {HTMLCanvasElement} */ (document.getElementById('base')).width < width, before);
  assert.ok((await page.locator('#panel tbody tr').count()) > 5);
  assert.equal((await page.textContent('#failure'))?.trim(), '');
  assert.deepEqual(faults, []);
  await close();
});

test('without a canvas the table is there; without WebAssembly the page says that', async () => {
  const { url, close } = await serve();
  const context = await browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]');
  await page.waitForSelector('#failure >> text=There is no canvas to draw on');
  assert.ok((await page.locator('#panel tbody tr').count()) > 5);
  assert.deepEqual(errors, []);
  const bare = await context.newPage();
  await bare.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'WebAssembly');
  });
  await bare.goto(url);
  await bare.waitForSelector('#failure >> text=This browser has no WebAssembly, or it is turned off.');
  await context.close();
  close();
});

test('at 380 px the status bar is one line and still says that nothing is uploaded; details are a sheet', async () => {
  const { page, faults, close } = await openPage(browser, { width: 380 });
  const bar = /** @type {{ height: number }} */ (await page.locator('.foot').boundingBox());
  assert.ok(bar.height < 40, `${bar.height} px`);
  assert.ok(await page.isVisible('#privacy'));
  assert.match((await page.locator('#privacy').innerText()), /^Nothing is uploaded\.$/);
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.selection.selectLargestAtPeak());
  await page.waitForSelector('.details.sheet .grip');
  const sheet = () => page.locator('#details').boundingBox().then((box) => /** @type {{ x: number, y: number, width: number, height: number }} */ (box));
  const low = await sheet();
  assert.ok(low.y > 400 && low.y + low.height <= 900, JSON.stringify(low));
  await page.click('[aria-label="Taller or lower"]');
  assert.ok((await sheet()).height > low.height + 100);
  await page.click('[aria-label="Taller or lower"]');
  await page.mouse.move(low.x + 60, low.y + 20);
  await page.mouse.down();
  await page.mouse.move(low.x + 60, low.y - 130, { steps: 3 });
  await page.mouse.up();
  assert.ok(Math.abs((await sheet()).height - low.height - 150) < 4);
  await page.click('[aria-label="Close the details"]');
  await page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.store.state.selection.selected === -1);
  assert.deepEqual(faults, []);
  await close();
});

test('marks are drawn on map and curve, and go with the picture', async () => {
  const { page, faults, close } = await openPage(browser);
  /** The column of a step, as colours down the map and down the curve. @param {number} step */
  const columns = async (step) => {
    await settled(page);
    return page.evaluate((at) => {
      const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
      const { map, curve } = chart.geometry;
      const { limits } = store.state.look;
      const read = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ h) => {
        const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, h).getContext('2d', { willReadFrequently: true }));
        copy.drawImage(/** @type {HTMLCanvasElement} */ (document.getElementById('base')), -Math.round(x), -y);
        return [...new Set(new Uint32Array(copy.getImageData(0, 0, 1, h).data.buffer))].length;
      };
      return { map: read(chart.scales.x(at + 0.5), map.y + 4, map.h - 8), curve: read(curve.x + ((at + 0.5 - limits.x0) / (limits.x1 - limits.x0)) * curve.w, curve.y, curve.h) };
    }, step);
  };
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.selection.moveCursor(60));
  const before = await columns(60);
  await page.focus('#map');
  await page.keyboard.press('m');
  const marked = await columns(60);
  assert.ok(before.map > 2 && before.curve > 2, JSON.stringify(before));
  assert.ok(marked.map <= 3 && marked.curve <= 3, `a line of one colour: ${JSON.stringify(marked)}`);
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  await page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.store.state.selection.cursor === 60);
  assert.deepEqual(faults, []);
  await close();
});

test('the space bar plays, and held down it makes a drag pan', async () => {
  const { page, faults, close } = await openPage(browser);
  await page.evaluate(() => {
    const { actions, store } = /** @type {any} */ (globalThis).tensorArena;
    const { limits } = store.state.look;
    actions.look.look({ ...limits, x0: 20, x1: 60 });
  });
  await page.focus('#map');
  const box = /** @type {{ x: number, y: number }} */ (await page.locator('#map').boundingBox());
  const from = await state(page, 'look.view');
  await page.keyboard.down('Space');
  await page.mouse.move(box.x + 300, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 40, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Space');
  assert.equal(await state(page, 'selection.playing'), false);
  assert.ok((await state(page, 'look.view')).x0 < from.x0, 'it did not pan');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.store.state.selection.playing);
  await page.keyboard.press('Space');
  assert.deepEqual(faults, []);
  await close();
});

test('a picture is exported in the other theme, and the screen keeps its own', async () => {
  const { page, faults, close } = await openPage(browser);
  const inks = () => page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.chart.theme.card);
  const card = await inks();
  await page.click('#export');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('role=menuitem[name=/^PNG, dark/]')]);
  const bytes = await import('node:fs').then(async ({ readFileSync }) => readFileSync(await file.path()));
  const corner = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]));
    const c = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext('2d'));
    c.drawImage(bitmap, 0, 0);
    return [...c.getImageData(0, 0, 1, 1).data];
  }, bytes.toString('base64'));
  assert.deepEqual(corner, [0x15, 0x1a, 0x21, 255]);
  assert.equal(await inks(), card);
  assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'light');
  assert.deepEqual(faults, []);
  await close();
});

// The single file, opened from the disk: alone, offline, on the main thread.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../support/files.js';
import { ask, closeAll, drop, launch, openPage, shown, verdict } from './support.js';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

test('dist/tensor-arena.html works from file://, with no network', async (t) => {
  const folder = temporaryFolder(t);
  copyFileSync('dist/tensor-arena.html', join(folder, 'alone.html'));
  const { page, faults, requests, close } = await openPage(browser, { url: pathToFileURL(join(folder, 'alone.html')).href });
  await page.context().setOffline(true);
  assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
  assert.deepEqual(page.workers(), []);
  assert.equal(await page.textContent('#file-name'), 'face_detection_short_range.tflite');
  const numbers = await verdict(page);
  await page.click('#welcome >> text=Selfie segmentation');
  await shown(page, 'selfie_segmentation.tflite');
  assert.notDeepEqual(await verdict(page), numbers);
  await ask(page, 'planner', 'linear');
  await page.waitForSelector('.delta');
  await drop(page, new TextEncoder().encode('nothing'), 'broken.tflite');
  await page.waitForSelector('#failure b');
  assert.match(readFileSync('dist/tensor-arena.html', 'utf8'), /connect-src 'none'/);
  assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
  assert.deepEqual(faults, []);
  await close();
});

/** What the page shows of its state. @param {import('playwright-core').Page} page */
const shownState = (page) =>
  page.evaluate(() => {
    const { look: { view, colourBy, tab, theme, down, decimal, legend }, selection: { selected, pinned, marks, cursor, query, hits }, question: { budget } } = /** @type {any} */ (globalThis).tensorArena.store.state;
    const texts = ['need', 'fit', 'details', 'caption', 'panel', 'tabs'].map((id) => document.getElementById(id)?.textContent);
    return { view, selected, pinned, marks, cursor, query, hits, colourBy, budget, tab, theme, down, decimal, legend, texts };
  });

test('an exported view opens alone and offline, shows the same, and can be moved about in; from the served page, from the single file, and from itself', async (t) => {
  const folder = temporaryFolder(t);
  copyFileSync('dist/tensor-arena.html', join(folder, 'alone.html'));
  let previous = join(folder, 'alone.html');
  for (const [from, url] of /** @type {const} */ ([['served', undefined], ['single', pathToFileURL(previous).href], ['itself', '']])) {
    const { page, faults, close } = await openPage(browser, { url: url === '' ? pathToFileURL(previous).href : url });
    if (url !== '') {
      await page.evaluate(async () => {
        const { actions, store } = /** @type {any} */ (globalThis).tensorArena;
        actions.file.set({ welcome: false });
        actions.look.set({ tab: 'peak', tables: true, theme: 'dark', decimal: true });
        actions.question.setBudget(1_200_000);
        actions.look.colour('size');
        actions.selection.selectLargestAtPeak();
        actions.selection.pin(store.state.selection.selected);
        actions.selection.moveCursor(12);
        actions.selection.mark();
        actions.selection.search('op:conv');
        actions.look.look({ ...store.state.look.limits, x0: 5, x1: 60 });
      });
      await page.waitForFunction(() => /Why here/.test(document.getElementById('details')?.textContent ?? ''));
    }
    await page.click('#export');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('role=menuitem[name=/^HTML/]')]);
    const saved = join(folder, `${from}.html`);
    await file.saveAs(saved);
    const before = await shownState(page);
    await close();

    const alone = await openPage(browser, { url: pathToFileURL(saved).href, theme: 'light' });
    await alone.page.context().setOffline(true);
    await alone.page.waitForFunction(() => /Why here/.test(document.getElementById('details')?.textContent ?? ''));
    const after = await shownState(alone.page);
    // The plan is given there: what only its model could tell is not asked for.
    assert.deepEqual(after, before, from);
    const box = /** @type {{ x: number, y: number }} */ (await alone.page.locator('#map').boundingBox());
    await alone.page.mouse.move(box.x + 300, box.y + 150);
    await alone.page.keyboard.down('Control');
    await alone.page.mouse.wheel(0, -240);
    await alone.page.keyboard.up('Control');
    await alone.page.waitForFunction((width) => {
      const { view } = /** @type {any} */ (globalThis).tensorArena.store.state.look;
      return view.x1 - view.x0 < width;
    }, before.view.x1 - before.view.x0);
    const painted = await alone.page.evaluate(() => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('base'));
      return new Set(new Uint32Array(/** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
    });
    assert.ok(painted > 8, `${painted} colours`);
    assert.equal(alone.requests.filter((request) => !request.startsWith('data:')).length, 1);
    assert.deepEqual(alone.faults, []);
    assert.deepEqual(faults, []);
    assert.ok(readFileSync(saved).length < 700_000, `${readFileSync(saved).length} bytes`);
    await alone.close();
    previous = saved;
  }
});

test('the page without the core is at most 90 KB, gzipped', () => {
  const files = readdirSync('dist/page').filter((name) => /\.(html|js|css)$/.test(name));
  const sizes = files.map((name) => gzipSync(readFileSync(`dist/page/${name}`), { level: 9 }).length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum <= 90_000, `${sum} bytes: ${files.map((name, i) => `${name} ${sizes[i]}`).join(', ')}`);
});

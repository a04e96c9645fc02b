// The single file, opened from the disk: alone, offline, on the main thread.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../support/files.js';
import { closeAll, drop, launch, openPage, shown, verdict } from './support.js';

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
  assert.equal(await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.host.isWorker), false);
  assert.equal(await page.textContent('#file-name'), 'face_detection_short_range.tflite');
  const numbers = await verdict(page);
  await page.click('#welcome >> text=Selfie segmentation');
  await shown(page, 'selfie_segmentation.tflite');
  assert.notDeepEqual(await verdict(page), numbers);
  await page.selectOption('#planner', 'optimal');
  await page.waitForSelector('.delta');
  await drop(page, new TextEncoder().encode('nothing'), 'broken.tflite');
  await page.waitForSelector('#failure b');
  assert.match(readFileSync('dist/tensor-arena.html', 'utf8'), /connect-src 'none'/);
  assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
  assert.deepEqual(faults, []);
  await close();
});

test('the page without the core is at most 60 KB, gzipped', () => {
  const files = ['index.html', 'early.js', 'main.js', 'engine.js', 'worker.js', 'style.css'];
  const sizes = files.map((name) => gzipSync(readFileSync(`dist/page/${name}`), { level: 9 }).length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum <= 60_000, `${sum} bytes: ${files.map((name, i) => `${name} ${sizes[i]}`).join(', ')}`);
});

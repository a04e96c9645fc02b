// The page in real Chromium: the sample, other models, broken files, totals, privacy.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { needsShared, sharedModel, sharedModels, sharedPath } from '../support/shared.js';
import { ask, closeAll, commandLine, drop, grouped, launch, openPage, planHead, shown, verdict } from './support.js';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

test('a real model is drawn before any click', async () => {
  const { page, faults, close } = await openPage(browser);
  assert.equal(await page.textContent('#file-name'), 'face_detection_short_range.tflite');
  const painted = await page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('base'));
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(painted > 8, `the map has ${painted} colours`);
  assert.match(await page.textContent('#caption') ?? '', /Every tensor is in the table below/);
  mkdirSync('build/screenshots', { recursive: true });
  await page.screenshot({ path: 'build/screenshots/sample.png', fullPage: true });
  assert.deepEqual(faults, []);
  await close();
});

test('another model replaces it; a broken file is an error on the page and replaces nothing', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, sharedModel('03-person_detect.tflite'), '03-person_detect.tflite');
  await shown(page, '03-person_detect.tflite');
  const before = await verdict(page);

  await drop(page, sharedModel('35-test_model_broken.bin'), 'broken.tflite');
  await page.waitForSelector('#failure b');
  assert.equal(await page.textContent('#file-name'), '03-person_detect.tflite');
  assert.deepEqual(await verdict(page), before);
  assert.match(await page.textContent('#failure') ?? '', /03-person_detect\.tflite stays open/);

  await page.click('#failure >> text=Close');
  assert.equal((await page.textContent('#failure'))?.trim(), '');
  await drop(page, new TextEncoder().encode('PK\u0003\u0004 not a model at all'), 'model.keras');
  await page.waitForSelector('#failure b');
  assert.match(await page.textContent('#failure') ?? '', /^[\w.-]+: This is a zip archive/);
  assert.deepEqual(faults, []);
  await close();
});

test('a self-made model opens from pasted text; hovering and clicking tell of a tensor', async () => {
  const { page, faults, close } = await openPage(browser);
  await page.click('text=Paste plan JSON');
  const graph = {
    tensors: [{ name: 'alpha', bytes: 64 }, { name: 'beta', bytes: 32 }],
    nodes: [{ name: 'a', inputs: [0], outputs: [1] }],
    inputs: [0],
    outputs: [1],
  };
  await page.fill('dialog textarea', JSON.stringify(graph));
  await page.click('dialog >> text=Show');
  await shown(page, 'pasted.json');
  const numbers = await verdict(page);
  assert.equal(numbers['arena'], '96 B');
  assert.equal(numbers['best possible'], '96 B');
  const box = await page.locator('#map').boundingBox();
  assert.ok(box);
  const point = await page.evaluate(() => {
    const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
    const { columns } = store.state.file.facts;
    const { x, y } = chart.scales;
    return { x: x(columns.first[0] + 0.5), y: y(columns.offset[0] + columns.bytes[0] / 2) };
  });
  await page.mouse.move(box.x + point.x, box.y + point.y);
  await page.waitForSelector('#tip:not([hidden])');
  assert.match(await page.textContent('#tip') ?? '', /alpha.*64 B/s);
  await page.mouse.click(box.x + point.x, box.y + point.y);
  await page.waitForFunction(() => document.querySelector('#details h2')?.textContent === 'alpha');
  assert.match(await page.textContent('#details') ?? '', /Read by.*a #0/s);
  await page.keyboard.press('Escape');
  assert.deepEqual(faults, []);
  await close();
});

test('nothing is requested after the page has loaded but a sample that is asked for, and its policy allows no other origin', async () => {
  const { page, requests, faults, close } = await openPage(browser);
  const loaded = requests.length;
  const origin = new URL(page.url()).origin;
  assert.ok(requests.every((url) => url.startsWith(origin) || url.startsWith('data:')), requests.join('\n'));
  assert.ok(!requests.some((url) => url.includes('selfie')), 'a sample is loaded before anybody asks for it');
  for (const label of ['Selfie segmentation', 'Stepwise allocation', 'A bad plan', 'Selfie segmentation']) await page.click(`#welcome >> text=${label}`);
  await shown(page, 'selfie_segmentation.tflite');
  await page.fill('#search', 'conv');
  await page.click('#theme');
  await page.click('#export');
  await Promise.all([page.waitForEvent('download'), page.click('role=menuitem >> text=JSON')]);
  assert.deepEqual(requests.slice(loaded).filter((url) => !url.startsWith('blob:')), [`${origin}/samples/selfie_segmentation.tflite`]);
  const refused = await page.evaluate(() => fetch('https://example.org/').then(() => false, () => true));
  assert.ok(refused);
  assert.ok(faults.every((fault) => /example\.org/.test(fault)), faults.join('\n'));
  await close();
});

test('every total equals the command line\'s', needsShared, async (t) => {
  const models = sharedModels().map((path) => basename(path));
  const { page, faults, close } = await openPage(browser);
  for (const name of models)
    await t.test(name, async () => {
      await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.file.dismissFailure());
      const before = await page.textContent('#file-name');
      await drop(page, sharedModel(name), name);
      await page.waitForFunction((wanted) => document.getElementById('file-name')?.textContent === wanted || document.querySelector('#failure b') !== null, name);
      if ((await page.textContent('#file-name')) !== name) {
        assert.equal(await page.textContent('#file-name'), before);
        assert.notEqual(commandLine(['plan', sharedPath(`models/${name}`)]).status, 0);
        return;
      }
      const { head, whole } = await planHead(page);
      const { status, out, error } = commandLine(['plan', sharedPath(`models/${name}`), '--runtime', head.runtime, '--json']);
      assert.equal(status, 0, error);
      const plan = JSON.parse(out);
      const numbers = await verdict(page);
      const arena = numbers['tensors'] ?? numbers['arena'];
      assert.equal(arena?.replace('≥ ', ''), grouped(plan.arena_bytes));
      // Where live tensors share bytes on purpose, an arena may be below what lives that share nothing need.
      assert.equal(numbers['best possible'], plan.status === 'overlapping' ? undefined : grouped(plan.lower_bound_bytes));
      assert.equal(numbers['peak']?.replace(/ at step \d+$/, ''), grouped(plan.peak.live_bytes));
      if (numbers['kept for good'] !== undefined && !whole) assert.equal(numbers['kept for good'], grouped(plan.persistent_bytes));
      if (whole) {
        const size = JSON.parse(commandLine(['size', sharedPath(`models/${name}`), '--json']).out);
        assert.equal(numbers['arena']?.replace('≥ ', ''), grouped(size.min_arena_bytes ?? size.arena_used_bytes));
        assert.equal(whole.head, size.head_bytes);
        assert.equal(whole.tail, size.tail_bytes);
        assert.equal(whole.complete, size.covered);
      }
      assert.equal(head.peak.step, plan.peak.step);
      assert.equal(head.constant_bytes, plan.constant_bytes);
    });
  assert.deepEqual(faults, []);
  await close();
});

test('what is offered to need less is the whole arena, as it is once the plan is in the file', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '07-keyword_scrambled_8bit.tflite';
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  const offers = () => page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.store.state.question.offers).then((handle) => handle.jsonValue());
  // The tensors alone would fit 9,000 bytes; with what is kept for good they do not, under any planner.
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.question.setBudget(9000));
  assert.deepEqual(await offers(), []);
  await page.waitForFunction(() => /Nothing that was tried fits: what decides is what the runtime needs while it starts/.test(document.getElementById('offers')?.textContent ?? ''));
  await ask(page, 'planner', 'linear');
  await page.waitForSelector('.delta');
  const [best] = await offers();
  assert.equal(best.bytes, 10_400);
  assert.equal(best.bytes, JSON.parse(commandLine(['size', sharedPath(`models/${name}`), '--json']).out).min_arena_bytes);
  assert.deepEqual(faults, []);
  await close();
});

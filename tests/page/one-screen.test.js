// The answer and the map are seen together, whatever else there is to tell.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeAll, launch, openPage, openTable } from './support.js';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @param {import('playwright-core').Page} page @param {string} selector */
const box = async (page, selector) => /** @type {Box} */ (await page.locator(selector).boundingBox());

for (const [width, height] of /** @type {const} */ ([[1366, 768], [1440, 900], [1920, 1080]]))
  test(`at ${width} by ${height} nothing scrolls, the answer is at most 96 px high, and nothing pushes the map down`, async () => {
    const { page, faults, close } = await openPage(browser, { width, height });
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height);
    assert.ok((await box(page, '#answer')).height <= 96, `${(await box(page, '#answer')).height} px`);
    const before_ = await box(page, '#map');
    assert.ok(before_.y + before_.height <= height);
    assert.ok(before_.height >= height * 0.5, `the map has ${before_.height} px`);
    // Neither a failure nor a table moves it; the table takes of its height, at its end.
    await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.file.fail(new Error('it broke')));
    await page.waitForSelector('#failure b');
    assert.deepEqual(await box(page, '#map'), before_);
    await openTable(page, 'tensors');
    const with_ = await box(page, '#map');
    assert.equal(with_.y, before_.y);
    assert.ok(with_.height > 120 && with_.height < before_.height);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height);
    assert.deepEqual(faults, []);
    await close();
  });

test('on a phone the answer comes first, and the map begins within the first screen', async () => {
  const { page, faults, close } = await openPage(browser, { width: 390, height: 844 });
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.file.set({ welcome: false }));
  const [answer, map] = [await box(page, '#answer'), await box(page, '#map')];
  assert.ok(answer.y < map.y);
  assert.ok(map.y + map.height * 0.7 < 844, `the map lies at ${map.y} to ${map.y + map.height}`);
  // One finger scrolls the page as long as the map shows everything.
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.look.fitAll());
  await page.waitForFunction(() => getComputedStyle(/** @type {Element} */ (document.getElementById('map'))).touchAction === 'pan-y');
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.look.zoom(2));
  await page.waitForFunction(() => getComputedStyle(/** @type {Element} */ (document.getElementById('map'))).touchAction === 'none');
  assert.deepEqual(faults, []);
  await close();
});

test('a wheel that the map cannot use is left to the page; one that it can is not', async () => {
  const { page, faults, close } = await openPage(browser, { width: 390, height: 600 });
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.look.fitAll());
  const map = await box(page, '#map');
  await page.evaluate(() => document.getElementById('map')?.scrollIntoView({ block: 'center' }));
  const now = await box(page, '#map');
  await page.mouse.move(now.x + map.width / 2, now.y + map.height / 2);
  const from = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 60);
  await page.waitForFunction((before_) => scrollY !== before_, from);
  assert.deepEqual(faults, []);
  await close();
});

test('the address holds what is seen: opened again with the same file, it shows the same', async () => {
  const { page, faults, close } = await openPage(browser);
  const list = Buffer.from('id,lower,upper,size\na,0,2,64\nb,1,3,32\nc,2,5,128\n');
  await page.setInputFiles('#file', { name: 'kept.csv', mimeType: 'text/csv', buffer: list });
  await page.waitForFunction(() => document.getElementById('file-name')?.textContent === 'kept.csv');
  await page.evaluate(() => {
    const { actions } = /** @type {any} */ (globalThis).tensorArena;
    actions.question.setBudget(4096);
    actions.selection.select(1);
    actions.selection.moveCursor(4);
  });
  await page.waitForFunction(() => /budget=4096/.test(location.hash) && /tensor=1/.test(location.hash) && /sha256=[\da-f]{64}/.test(location.hash));
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await page.waitForFunction(() => /This link shows kept\.csv/.test(document.getElementById('welcome')?.textContent ?? ''));
  await page.setInputFiles('#file', { name: 'kept.csv', mimeType: 'text/csv', buffer: list });
  await page.waitForFunction(() => {
    const { question, selection } = /** @type {any} */ (globalThis).tensorArena.store.state;
    return question.budget === 4096 && selection.selected === 1 && selection.cursor === 4;
  });
  assert.deepEqual(faults, []);
  await close();
});

test('two files at once lie side by side on one scale, and End puts one away', async () => {
  const { page, faults, close } = await openPage(browser);
  const list = (/** @type {number} */ size) => ({ name: `of-${size}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`id,lower,upper,size\na,0,2,${size}\nb,1,3,32\n`) });
  await page.setInputFiles('#file', [list(512), list(64)]);
  await page.waitForSelector('#other:not([hidden])');
  assert.match((await page.textContent('#other-head')) ?? '', /^Beforeof-512\.csv.*544 B$/);
  assert.match((await page.textContent('#map-head')) ?? '', /^Afterof-64\.csv.*96 B−448 BEnd$/);
  const view = await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.store.state.look.limits);
  assert.ok(view.y1 > 544);
  await page.click('#end-compare');
  await page.waitForSelector('#other', { state: 'hidden' });
  assert.deepEqual(faults, []);
  await close();
});

// Every task of the page, once with the mouse and once with the keyboard alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { needsShared, sharedPath } from '../support/shared.js';
import { ask, closeAll, drop, launch, openPage, openTable, shown, verdict } from './support.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

/** The page's state. @param {Page} page @param {string} key @returns {Promise<any>} */
const state = (page, key) => page.evaluate((name) => name.split('.').reduce((/** @type {any} */ value, part) => value[part], /** @type {any} */ (globalThis).tensorArena.store.state), key);

/** @param {Page} page @param {string} key @param {(value: any) => boolean} is */
async function becomes(page, key, is) {
  for (let i = 0; i < 100; i++) {
    const value = await state(page, key);
    if (is(value)) return value;
    await page.waitForTimeout(30);
  }
  throw new Error(`${key} stayed ${JSON.stringify(await state(page, key))}`);
}

/** Where a tensor's middle is on the screen. @param {Page} page @param {number} i */
async function middleOf(page, i) {
  const box = /** @type {{ x: number, y: number }} */ (await page.locator('#map').boundingBox());
  const point = await page.evaluate((k) => {
    const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
    const { first, last, offset, bytes } = store.state.file.facts.columns;
    return { x: chart.scales.x((Math.max(0, first[k]) + last[k] + 1) / 2), y: chart.scales.y(offset[k] + bytes[k] / 2) };
  }, i);
  return { x: box.x + point.x, y: box.y + point.y };
}

/** The largest tensor at the peak. @param {Page} page */
const largest = (page) => page.evaluate(() => {
  const { facts } = /** @type {any} */ (globalThis).tensorArena.store.state.file;
  return facts.liveAt(facts.head.peak.step)[0];
});

/** Saves what a menu entry exports. @param {Page} page @param {() => Promise<unknown>} act */
async function download(page, act) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('the mouse tour', async () => {
  const { page, faults, close } = await openPage(browser);
  // Hover, select, what it is and why it lies there.
  const i = await largest(page);
  const point = await middleOf(page, i);
  await page.mouse.move(point.x, point.y);
  await page.waitForSelector('#tip:not([hidden])');
  await page.mouse.click(point.x, point.y);
  await becomes(page, 'selection.selected', (value) => value === i);
  await page.waitForFunction(() => /Why here/.test(document.getElementById('details')?.textContent ?? ''));
  assert.match((await page.textContent('#details')) ?? '', /Placed \d+(st|nd|rd|th) of \d+/);
  // Its row in the table is selected too; a row selects back.
  await openTable(page, 'tensors');
  await page.waitForSelector('tr[aria-selected="true"]');
  await page.click('#panel tbody tr:not([aria-selected="true"]):not(.pad) >> nth=1');
  await becomes(page, 'selection.selected', (value) => value !== i);
  await page.click('#tab-tensors');
  assert.ok(await page.isHidden('#tables'));
  // Zoom at the cursor, pan, sideways, one axis, back to everything.
  await page.click('#fit-all');
  const whole = await state(page, 'look.view');
  await page.mouse.move(point.x, point.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -240);
  await page.keyboard.up('Control');
  const zoomed = await becomes(page, 'look.view', (view) => view.x1 - view.x0 < whole.x1 - whole.x0 && view.y1 - view.y0 < whole.y1 - whole.y0);
  await page.mouse.wheel(0, -60);
  await becomes(page, 'look.view', (view) => view.y0 !== zoomed.y0 || view.x0 !== zoomed.x0);
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Alt');
  await becomes(page, 'look.view', (view) => view.y1 - view.y0 < zoomed.y1 - zoomed.y0);
  await page.mouse.move(point.x, point.y);
  await page.mouse.down();
  await page.mouse.move(point.x + 90, point.y + 30, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.click('#fit-all');
  await becomes(page, 'look.view', (view) => view.x0 === whole.x0 && view.x1 === whole.x1);
  // A range on the curve, a rectangle on the map, the buttons, a double click.
  const box = /** @type {{ x: number, y: number, width: number }} */ (await page.locator('#map').boundingBox());
  await page.mouse.move(box.x + 300, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 34, { steps: 4 });
  await page.mouse.up();
  const range = await becomes(page, 'selection.range', (value) => value !== null);
  assert.ok(range[1] > range[0]);
  await page.waitForFunction(([from, to]) => new RegExp(`selected ${from} to ${to}: at most [\\d,]+ B at step \\d+, \\d+ tensors`).test(document.getElementById('readout')?.textContent ?? ''), range);
  await page.keyboard.press('f');
  await becomes(page, 'look.view', (view) => view.x0 >= range[0] - 1 && view.x1 <= range[1] + 2);
  await page.keyboard.press('Escape');
  await becomes(page, 'selection.range', (value) => value === null);
  await page.click('#zoom-out');
  await page.click('#zoom-in');
  await page.click('#fit-all');
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 100, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 400, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await becomes(page, 'look.view', (view) => view.x1 - view.x0 < whole.x1 * 0.6);
  await page.click('#fit-all');
  const again = await middleOf(page, i);
  await page.mouse.dblclick(again.x, again.y);
  await becomes(page, 'look.view', (view) => view.x1 - view.x0 < whole.x1 * 0.6);
  await page.click('#fit-all');
  // Steps: slider, buttons, play, strip.
  await page.click('[aria-label="Step on"]');
  await page.click('[aria-label="Step back"]');
  await page.click('#play');
  const cursor = await state(page, 'selection.cursor');
  await becomes(page, 'selection.cursor', (value) => value > cursor);
  await page.click('#play');
  await becomes(page, 'selection.playing', (value) => value === false);
  // Marks.
  await page.click('#mark');
  const [marked] = await becomes(page, 'selection.marks', (value) => value.length === 1);
  assert.equal(await page.getAttribute('#mark', 'aria-pressed'), 'true');
  await page.click('[aria-label="Step on"]');
  assert.equal(await page.getAttribute('#mark', 'aria-pressed'), 'false');
  await page.click('[aria-label="Step on"]');
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.selection.select(-1));
  await page.click(`#details >> text=/^step ${marked},/`);
  await becomes(page, 'selection.cursor', (value) => value === marked);
  // At peak, steps, problems.
  await openTable(page, 'peak');
  assert.match((await page.textContent('#panel')) ?? '', /peak without it/);
  await openTable(page, 'steps');
  await page.click('#panel tbody tr >> nth=3');
  await becomes(page, 'selection.cursor', (value) => value === 3);
  await openTable(page, 'problems');
  await openTable(page, 'tensors');
  await page.click('#panel th >> text=bytes');
  // What if, the difference, undo.
  const before_ = await verdict(page);
  await ask(page, 'planner', 'linear');
  await page.waitForSelector('.delta');
  assert.match((await page.textContent('.delta')) ?? '', /more than before/);
  await page.click('.delta >> text=Undo');
  await page.waitForFunction(() => document.querySelector('.delta') === null);
  assert.deepEqual(await verdict(page), before_);
  await page.fill('#budget', '1M');
  await page.press('#budget', 'Enter');
  await page.waitForSelector('#fit .bad');
  await page.selectOption('#colour-by', 'size');
  await becomes(page, 'look.legend', (legend) => legend.some((/** @type {{ label: string }} */ entry) => entry.label.startsWith('up to')));
  for (const by of ['kind', 'dtype', 'slack', 'op']) await page.selectOption('#colour-by', by);
  for (const id of ['#units', '#flip', '#wheel', '#units', '#flip', '#wheel']) await page.click(id);
  // Search.
  await page.fill('#search', 'op:conv >16K');
  await becomes(page, 'selection.hits', (hits) => hits.length > 0);
  await page.fill('#search', '');
  // Exports.
  await page.click('#export');
  assert.deepEqual((await download(page, () => page.click('role=menuitem >> text=as on screen'))).bytes.subarray(1, 4).toString(), 'PNG');
  for (const [label, pattern] of /** @type {const} */ ([['SVG', /^<svg|^<\?xml/], ['CSV', /,/], ['JSON', /^\{"format":"tensor-arena-plan"/], ['C header', /#define|#ifndef/], ['HTML', /^<!doctype html>/]])) {
    await page.click('#export');
    const { bytes } = await download(page, () => page.click(`role=menuitem[name=/^${label}/]`));
    assert.match(bytes.toString('utf8'), pattern, label);
  }
  // Theme, help, samples.
  await page.click('#theme');
  await becomes(page, 'look.theme', (theme) => theme === 'dark');
  await page.click('#help');
  await page.click('dialog button');
  await page.click('#welcome >> text=A bad plan');
  await shown(page, 'a bad plan.csv');
  assert.match((await page.textContent('#tab-problems')) ?? '', /[1-9]/);
  assert.deepEqual(faults, []);
  await close();
});

/** Tabs on until the element with the focus fits; the way there is part of the tour. @param {Page} page @param {string} selector */
async function tabTo(page, selector) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** The same backwards. @param {Page} page @param {string} selector */
async function tabBackTo(page, selector) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Shift+Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Shift+Tab does not reach ${selector}`);
}

test('the keyboard tour', async () => {
  const { page, faults, close } = await openPage(browser);
  // Skip link, then the map.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.evaluate(() => document.getElementById('map')?.focus());
  const whole = await state(page, 'look.view');
  // Cursor, selection, uses, peaks.
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await becomes(page, 'selection.cursor', (value) => value === 1);
  await page.keyboard.press('p');
  const peak = await becomes(page, 'selection.cursor', (value) => value > 1);
  await page.keyboard.press(']');
  await becomes(page, 'selection.cursor', (value) => value > peak);
  await page.keyboard.press('[');
  await becomes(page, 'selection.cursor', (value) => value === peak);
  await page.keyboard.press('Enter');
  const selected = await becomes(page, 'selection.selected', (value) => value >= 0);
  await page.keyboard.press('ArrowDown');
  await becomes(page, 'selection.selected', (value) => value >= 0 && value !== selected);
  await page.keyboard.press('.');
  await page.keyboard.press(',');
  await page.keyboard.press('Shift+M');
  await becomes(page, 'selection.pinned', (value) => value.length === 1);
  // Marks: set, jumped to both ways, taken away; they stay in map, curve and details.
  const marked = await state(page, 'selection.cursor');
  await page.keyboard.press('m');
  await page.keyboard.press('Home');
  await page.keyboard.press('m');
  assert.deepEqual(await becomes(page, 'selection.marks', (value) => value.length === 2), [0, marked]);
  await page.waitForFunction(() => /Marked steps \(2\)/.test(document.getElementById('details')?.textContent ?? ''));
  await page.keyboard.press('n');
  await becomes(page, 'selection.cursor', (value) => value === marked);
  await page.keyboard.press('n');
  await becomes(page, 'selection.cursor', (value) => value === 0);
  await page.keyboard.press('Shift+N');
  await becomes(page, 'selection.cursor', (value) => value === marked);
  await page.keyboard.press('n');
  await page.keyboard.press('m');
  await becomes(page, 'selection.marks', (value) => value.length === 1);
  // Zoom, pan, fit, history.
  await page.keyboard.press('w');
  const closer = await becomes(page, 'look.view', (view) => view.x1 - view.x0 < whole.x1 - whole.x0);
  await page.keyboard.press('d');
  await becomes(page, 'look.view', (view) => view.x0 > closer.x0);
  await page.keyboard.press('a');
  await page.keyboard.press('s');
  await page.keyboard.press('f');
  await page.keyboard.press('f');
  await page.keyboard.press('0');
  await becomes(page, 'look.view', (view) => view.x1 === whole.x1);
  await page.keyboard.press('Alt+ArrowLeft');
  await becomes(page, 'look.view', (view) => view.x1 !== whole.x1);
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('+');
  await page.keyboard.press('-');
  await page.keyboard.press('0');
  // Play and pause.
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await becomes(page, 'selection.cursor', (value) => value >= 1);
  await page.keyboard.press('Space');
  await becomes(page, 'selection.playing', (value) => value === false);
  // Search, hits, escape peels layers.
  await page.keyboard.press('/');
  await page.keyboard.type('op:conv');
  const [hit] = await becomes(page, 'selection.hits', (hits) => hits.length > 1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Enter');
  assert.equal(typeof hit, 'number');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'map');
  await page.keyboard.press('Escape');
  await becomes(page, 'selection.query', (query) => query === '');
  await page.keyboard.press('Escape');
  await becomes(page, 'selection.pinned', (value) => value.length === 0);
  await page.keyboard.press('Escape');
  await becomes(page, 'selection.selected', (value) => value === -1);
  assert.equal((await state(page, 'selection.marks')).length, 1, 'a mark is no layer that Escape peels');
  // What if, by Tab, and undo.
  await page.keyboard.press('Shift+Tab');
  await page.evaluate(() => document.getElementById('chip')?.focus());
  await page.keyboard.press('Enter');
  await tabTo(page, '#planner');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.delta');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'planner');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'chip');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelector('.delta') === null);
  await tabTo(page, '#budget');
  await page.keyboard.type('96K');
  await tabTo(page, '#colour-by');
  await becomes(page, 'question.budget', (value) => value === 98304);
  // The order: open, search, controls, map, steps, details, table. No trap in the map.
  await tabTo(page, '#map');
  await tabTo(page, '#step');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, '#tab-tensors');
  await page.keyboard.press('ArrowRight');
  await becomes(page, 'look.tab', (tab) => tab === 'peak');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-peak');
  await page.keyboard.press('ArrowLeft');
  await becomes(page, 'look.tab', (tab) => tab === 'tensors');
  await tabBackTo(page, '#panel tr');
  await page.keyboard.press('ArrowDown');
  await becomes(page, 'selection.selected', (value) => value >= 0);
  await page.keyboard.press('End');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  assert.ok(await page.evaluate(() => document.activeElement?.matches('#panel tr[aria-selected="true"]')));
  // Exports, help, theme, from the map.
  await page.evaluate(() => document.getElementById('map')?.focus());
  await page.keyboard.press('Control+s');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.querySelector('.menu')), null);
  await page.evaluate(() => document.getElementById('map')?.focus());
  await page.keyboard.press('Control+s');
  for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowDown');
  const { name } = await download(page, () => page.keyboard.press('Enter'));
  assert.match(name, /\.plan\.json$/);
  await page.evaluate(() => document.getElementById('map')?.focus());
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await becomes(page, 'look.theme', (theme) => theme === 'dark');
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.activeElement?.matches('#panel tr'));
  // Opening by the keyboard asks for a file.
  await page.evaluate(() => document.getElementById('map')?.focus());
  await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+o')]);
  assert.deepEqual(faults, []);
  await close();
});

test('letters can be turned off, and never act in a text field', async () => {
  const { page, close } = await openPage(browser);
  await page.focus('#search');
  await page.keyboard.type('ttt');
  assert.equal(await state(page, 'look.theme'), 'light');
  await page.click('#help');
  await page.uncheck('dialog input[type=checkbox]');
  await page.keyboard.press('Escape');
  await page.focus('#map');
  await page.keyboard.press('t');
  assert.equal(await state(page, 'look.theme'), 'light');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.equal(await state(page, 'look.letterKeys'), false);
  await close();
});

test('stepwise allocation: a box for each unknown size', async () => {
  const { page, faults, close } = await openPage(browser);
  await page.click('#welcome >> text=Stepwise allocation');
  await shown(page, 'dynamic boxes.json');
  assert.match((await verdict(page))['arena'] ?? '', /^≥ /);
  await page.click('#walk-start');
  await page.waitForSelector('#walk-next');
  for (let k = 0; k < 6; k++) {
    await page.click('#walk-next');
    await becomes(page, 'question.walk', (walk) => walk.node === k);
  }
  await page.fill('#size-6', '4K');
  await page.press('#size-6', 'Enter');
  await page.click('#walk-next');
  await becomes(page, 'question.walk', (walk) => walk.node === 6 && walk.planned !== null);
  // What is placed in part has no distance to a bound of the whole.
  const numbers = await verdict(page);
  assert.equal(numbers['this plan'], 'placed in part, of what is known');
  assert.equal(numbers['best possible'], undefined);
  assert.doesNotMatch((await page.textContent('#caption')) ?? '', /% above|can be below|smallest/);
  assert.deepEqual(faults, []);
  await close();
});

/** A list whose best plan is not known: its search goes on until somebody stops it. */
const open = sharedPath('bench/minimalloc/D.1048576.csv');

test('a long search can be stopped, by mouse and by keyboard: the best plan so far is shown with its bound, and the page goes on', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  await page.setInputFiles('#file', { name: 'open.csv', mimeType: 'text/csv', buffer: readFileSync(open) });
  await page.waitForFunction(() => /Searching: [\d,]+ nodes searched, [\d,]+ B so far, bound 986,112 B/.test(document.getElementById('busy')?.textContent ?? ''));
  // Meanwhile what was open can be used.
  await page.evaluate(() => /** @type {any} */ (globalThis).tensorArena.actions.selection.selectLargestAtPeak());
  await becomes(page, 'selection.selected', (value) => value >= 0);
  const started = Date.now();
  await page.click('#busy >> text=Stop here');
  await shown(page, 'open.csv');
  assert.ok(Date.now() - started < 5000, 'the stop took seconds');
  assert.ok(await page.isHidden('#busy'));
  const numbers = await verdict(page);
  assert.equal(numbers['best possible'], '986,112 B');
  const found = Number(numbers['arena']?.replace(/\D/g, ''));
  assert.ok(found > 986112 && found < 1.2 * 986112, numbers['arena']);
  assert.match((await page.textContent('#fit')) ?? '', /% above.*, the search was stopped/);
  assert.equal((await state(page, 'file.facts')).head.status, 'feasible');
  await page.waitForFunction(() => /search stopped, the best plan so far/.test(document.getElementById('status')?.textContent ?? ''));
  // The page goes on: what if, and the search again, stopped by keyboard.
  await ask(page, 'planner', 'linear');
  await page.waitForSelector('.delta');
  await ask(page, 'planner', 'optimal');
  await page.waitForFunction(() => /nodes searched/.test(document.getElementById('busy')?.textContent ?? ''));
  await page.focus('#busy button');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /the search was stopped/.test(document.getElementById('fit')?.textContent ?? ''));
  // A file that is opened while a search runs ends it.
  await ask(page, 'planner', 'linear');
  await page.waitForFunction(() => /linear/.test(/** @type {any} */ (globalThis).tensorArena.store.state.file.facts.head.planner));
  await ask(page, 'planner', 'optimal');
  await page.waitForFunction(() => /nodes searched/.test(document.getElementById('busy')?.textContent ?? ''));
  await drop(page, new TextEncoder().encode('id,lower,upper,size\na,0,2,16\n'), 'small.csv');
  await shown(page, 'small.csv');
  await page.waitForFunction(() => document.getElementById('busy')?.hidden);
  assert.equal((await verdict(page))['arena'], '16 B');
  await page.waitForTimeout(300);
  assert.equal(await page.textContent('#file-name'), 'small.csv');
  assert.equal((await page.textContent('#failure'))?.trim(), '');
  assert.deepEqual(faults, []);
  await close();
});

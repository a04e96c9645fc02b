// Makes the README's picture, docs/page.png: the page on a model (the first argument, or the person detector among
// the shared models, or else the bundled sample), with the largest tensor of the peak selected.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { closeAll, launch, openPage } from '../tests/page/support.js';
import { sharedPath } from '../tests/support/shared.js';

const WIDTH = 1440;
const HEIGHT = 900;

const [file = sharedPath('models/03-person_detect.tflite')] = process.argv.slice(2);
const name = basename(file).replace(/^\d+-/, '');
const model = existsSync(file) ? { bytes: readFileSync(file), name } : null;
const browser = await launch();
const { page, close } = await openPage(browser, { width: WIDTH, height: HEIGHT, model });
await page.evaluate(() => {
  const { actions } = /** @type {any} */ (globalThis).tensorArena;
  actions.file.set({ welcome: false });
  actions.question.setBudget(96 * 1024);
  actions.selection.selectLargestAtPeak();
});
await page.waitForFunction(() => /Why here/.test(document.getElementById('details')?.textContent ?? ''));
await page.waitForTimeout(400);
mkdirSync('docs', { recursive: true });
// What sticks to the window's edges would lie in the middle of a picture of the whole page.
await page.evaluate(() => {
  for (const bar of document.querySelectorAll('.bar, .foot')) /** @type {HTMLElement} */ (bar).style.position = 'static';
});
// All but what comes below the map.
const cut = await page.evaluate(() => Math.round((document.querySelector('.chart-card')?.getBoundingClientRect().bottom ?? 0) + scrollY + 14));
await page.screenshot({ path: 'docs/page.png', fullPage: true, clip: { x: 0, y: 0, width: WIDTH, height: cut } });
console.log('docs/page.png');
await close();
await closeAll(browser);

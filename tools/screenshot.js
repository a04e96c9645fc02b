// Makes the README's picture, docs/page.png: the page on a model (the first argument, or the person detector among
// the shared models, or else the bundled sample), with a budget of 96 KiB.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { closeAll, launch, openPage } from '../tests/page/support.js';
import { sharedPath } from '../tests/support/shared.js';

const WIDTH = 1366;
const HEIGHT = 768;

const [file = sharedPath('models/37-vww_96_int8.tflite')] = process.argv.slice(2);
const name = basename(file).replace(/^\d+-/, '');
const model = existsSync(file) ? { bytes: readFileSync(file), name } : null;
const browser = await launch();
const { page, close } = await openPage(browser, { width: WIDTH, height: HEIGHT, model });
await page.evaluate(() => {
  const { actions } = /** @type {any} */ (globalThis).tensorArena;
  actions.file.set({ welcome: false });
  actions.question.setBudget(96 * 1024);
});
await page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.store.state.question.offers !== null);
await page.waitForTimeout(400);
mkdirSync('docs', { recursive: true });
await page.screenshot({ path: 'docs/page.png' });
console.log('docs/page.png');
await close();
await closeAll(browser);

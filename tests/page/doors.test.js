// The page says what the command line says: each number that both show, for models, runtimes, planners, kernels and
// targets; and what leaves the page carries what its numbers depend on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { needsShared, sharedModel, sharedPath } from '../support/shared.js';
import { closeAll, commandLine, drop, grouped, launch, openPage, shown, verdict } from './support.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

const MODELS = ['02-hello_world_int8.tflite', '03-person_detect.tflite', '07-keyword_scrambled_8bit.tflite', '21-okay_nabu.tflite', '37-vww_96_int8.tflite', '41-tflm_while.tflite'];

/** What is asked, as the page's options and as the command line's. @type {readonly (readonly [Record<string, string>, readonly string[]])[]} */
const QUESTIONS = [
  [{ runtime: 'tflm' }, []],
  [{ planner: 'linear' }, ['--planner', 'linear']],
  [{ planner: 'optimal' }, ['--planner', 'optimal']],
  [{ planner: 'own', kernels: 'cmsis-nn-dsp' }, ['--kernels', 'cmsis-nn-dsp']],
  [{ kernels: 'reference', target: 'lp64' }, ['--target', 'lp64']],
  [{ target: 'cortex-m', runtime: 'tflite' }, ['--runtime', 'tflite']],
  [{ runtime: 'tflite-2018' }, ['--runtime', 'tflite-2018']],
];

/** @param {Page} page @param {Record<string, string>} options */
const replan = (page, options) => page.evaluate((change) => /** @type {any} */ (globalThis).tensorArena.actions.question.replan(change), options);

for (const name of MODELS)
  test(`${name}: every number of the answer is the command line's`, needsShared, async () => {
    const { page, faults, close } = await openPage(browser);
    await drop(page, sharedModel(name), name);
    await shown(page, name);
    for (const [change, args] of QUESTIONS) {
      await replan(page, change);
      const { out, error } = commandLine(['plan', sharedPath(`models/${name}`), '--json', ...args]);
      const plan = JSON.parse(out || `{"refused": ${JSON.stringify(error)}}`);
      const of = `${name} ${args.join(' ')}`;
      const numbers = await verdict(page);
      // Of the linear planner it is known what is in use, not what is accepted.
      const isLeast = plan.unknown.tensors + plan.unknown.operators > 0 || plan.min_arena_bytes === null;
      const whole = plan.head_bytes === undefined ? plan.arena_bytes : plan.head_bytes + plan.tail_bytes;
      assert.equal(numbers['arena'], (isLeast ? '≥ ' : '') + grouped(plan.min_arena_bytes ?? whole), of);
      assert.equal(numbers['tensors'], plan.head_bytes === undefined ? undefined : grouped(plan.head_bytes), of);
      if (plan.tail_bytes !== undefined) assert.equal(numbers['kept for good'], grouped(plan.tail_bytes), of);
      assert.equal(numbers['peak'], `${grouped(plan.peak.live_bytes)} at step ${plan.peak.step}`, of);
      const isClaimed = plan.above_bound_percent !== undefined;
      assert.equal(numbers['best possible'], plan.status === 'unsound' ? undefined : grouped(plan.lower_bound_bytes), of);
      if (isClaimed && plan.above_bound_percent > 0) assert.match(numbers['this plan'] ?? '', new RegExp(`^${plan.above_bound_percent.toFixed(1)} % above`), of);
    }
    assert.deepEqual(faults, []);
    await close();
  });

test('what leaves the page says runtime, target, kernels, planner and version', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '37-vww_96_int8.tflite';
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  await replan(page, { kernels: 'cmsis-nn-dsp', planner: 'linear' });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const sentence = (await page.textContent('#caption')) ?? '';
  for (const word of ['TFLite Micro', 'Cortex-M', 'CMSIS-NN with DSP', 'linear', `tensor-arena ${version}`]) assert.ok(sentence.includes(word), `the ticket and the picture do not say ${word}: ${sentence}`);
  for (const [label, words] of /** @type {const} */ ([['C header', ['tflm', 'cortex-m', 'cmsis-nn-dsp', 'linear', version]], ['HTML', ['cmsis-nn-dsp', 'linear', version]]])) {
    await page.click('#export');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`role=menuitem[name=/^${label}/]`)]);
    const text = readFileSync(await file.path(), 'utf8');
    for (const word of words) assert.ok(text.includes(word), `${label} does not say ${word}`);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('budget, arena, tensors and best are lines on one scale, and a whole arena over the budget does not fit', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '03-person_detect.tflite';
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  // The tensors alone would fit.
  await page.fill('#budget', '64K');
  await page.press('#budget', 'Enter');
  const over = JSON.parse(commandLine(['plan', sharedPath(`models/${name}`), '--json', '--budget', '64K']).out);
  assert.equal(over.fits, false);
  await page.waitForFunction((text) => document.querySelector('#fit .verdict')?.textContent === text, `✕ over by ${grouped(over.shortfall_bytes)}`);
  const at = await page.evaluate(() => {
    const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
    const { facts } = store.state.file;
    return [facts.end, facts.head.arena_bytes, store.state.question.budget].map((byte) => chart.scales.y(byte));
  });
  assert.ok(Number(at[0]) < Number(at[2]) && Number(at[2]) < Number(at[1]), `arena, budget, tensors from above: ${at}`);
  assert.deepEqual(faults, []);
  await close();
});

test('a change is compared with before only where both numbers tell of the same thing', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '37-vww_96_int8.tflite';
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  await replan(page, { planner: 'linear' });
  await page.waitForFunction(() => /▲ [\d,]+ B more than before/.test(document.querySelector('.delta')?.textContent ?? ''));
  await replan(page, { runtime: 'tflite', planner: 'own' });
  await page.waitForFunction(() => /not to be compared/.test(document.querySelector('.delta')?.textContent ?? ''));
  assert.doesNotMatch((await page.textContent('.delta')) ?? '', /less|more/);
  assert.deepEqual(faults, []);
  await close();
});

test('a model that the runtime refuses says so in the headline', needsShared, async () => {
  const { page, faults, close } = await openPage(browser);
  const name = '22-whitespace_tokenizer_flex_delegate.tflite';
  const { status, error } = commandLine(['plan', sharedPath(`models/${name}`), '--json']);
  await drop(page, sharedModel(name), name);
  await shown(page, name);
  assert.notEqual(status, 0);
  assert.match((await page.textContent('#need')) ?? '', /TFLite Micro✕ refuses this model/);
  const reason = (await page.textContent('#need .why')) ?? '';
  assert.ok(error?.includes(reason.replace(/\.$/, '')), `${error} does not say ${reason}`);
  assert.deepEqual(faults, []);
  await close();
});

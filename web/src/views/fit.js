/** Does it fit: a budget by its bytes or by a board's name, and by how much. */
import { byId, fill, h } from './dom.js';
import { pair, quality } from './answer.js';
import { bytes, parseBytes } from '../model/format.js';
import { isAtLeast } from '../model/sentences.js';

/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

/** Sizes that are asked for, and all the RAM of what is often asked about. */
const PRESETS = /** @type {const} */ ([
  ['64K', ''],
  ['96K', ''],
  ['128K', ''],
  ['192K', ''],
  ['256K', 'all of an nRF52840 (Nano 33 BLE)'],
  ['264K', 'all of an RP2040 (Pico)'],
  ['320K', 'all of an STM32F746'],
  ['384K', 'all of an Apollo3 (SparkFun Edge)'],
  ['512K', 'all of an ESP32-S3, without PSRAM'],
  ['520K', 'all of an RP2350 (Pico 2)'],
  ['1M', 'all of an STM32H743'],
]);

/** @param {ReturnType<typeof import('./answer.js').selectAnswer>} picked @param {Actions} actions */
export function showFit({ facts, budget }, actions) {
  if (!facts) return;
  const hadFocus = document.activeElement?.id === 'budget';
  fill(byId('fit'), h('dl', { class: 'big' }, fits(facts, budget, actions)), quality(facts));
  if (hadFocus) byId('budget').focus();
}

/** @param {Facts} facts @param {number | null} budget @param {Actions} actions */
function fits(facts, budget, actions) {
  const field = budgetField(budget, actions);
  const group = pair('', h('span', { class: 'ask' }, field, h('datalist', { id: 'budgets' }, ...PRESETS.map(([value, label]) => h('option', { value, label: label || undefined }))), verdictOf(facts, budget)));
  fill(/** @type {Element} */ (group.firstElementChild), h('label', { for: 'budget', text: 'Does it fit' }));
  return group;
}

/** @param {Facts} facts @param {number | null} budget */
function verdictOf(facts, budget) {
  if (budget === null) return h('span', { class: 'verdict quiet', text: 'a budget, like 96K' });
  const over = facts.end - budget;
  if (over > 0) return h('strong', { class: 'verdict bad', text: `✕ over by ${isAtLeast(facts) ? 'at least ' : ''}${bytes(over)}` });
  if (isAtLeast(facts)) return h('strong', { class: 'verdict', text: 'not decided' });
  return h('strong', { class: 'verdict good', text: `✓ fits, ${bytes(-over)} left` });
}

/** @param {number | null} budget @param {Actions} actions */
function budgetField(budget, actions) {
  const field = /** @type {HTMLInputElement} */ (h('input', { class: 'field', id: 'budget', list: 'budgets', placeholder: '96K', autocomplete: 'off', value: budget === null ? '' : written(budget) }));
  field.addEventListener('change', () => {
    const value = field.value.trim() === '' ? null : parseBytes(field.value);
    const isBad = field.value.trim() !== '' && value === null;
    field.setAttribute('aria-invalid', String(isBad));
    if (isBad) actions.file.say(`"${field.value}" is no size in whole bytes: write one like 192K or 65536.`);
    else {
      actions.question.setBudget(value);
      actions.file.say(value === null ? 'No budget.' : `Budget ${bytes(value)}.`);
    }
  });
  return field;
}

/** @param {number} value */
export function written(value) {
  if (value > 0 && value % 1024 ** 2 === 0) return `${value / 1024 ** 2}M`;
  return value > 0 && value % 1024 === 0 ? `${value / 1024}K` : String(value);
}

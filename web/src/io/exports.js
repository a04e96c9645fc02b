/** Exports: pictures are drawn here, texts are written by the core. */
import { save } from './save.js';
import { showMenu } from '../views/menu.js';
import { drawBase } from '../chart/draw-base.js';
import { HUGE } from '../model/facts.js';
import { ticketSentence } from '../model/sentences.js';
import { selectChart } from '../state/selectors.js';
import { count } from '../model/format.js';
import { freeze, snapshotHtml } from './snapshot.js';
import { readThemeOf } from '../chart/theme.js';

/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../chart/chart.js').Chart} Chart */

const TYPES = /** @type {Record<string, string>} */ ({ json: 'application/json', csv: 'text/csv', c: 'text/x-c', svg: 'image/svg+xml', html: 'text/html', png: 'image/png' });
const CAPTION_LINE = 18;

/** @param {HTMLElement} button @param {Store} store @param {Actions} actions @param {Chart} chart @param {import('./snapshot.js').Parts} parts  what a file of the view is made from */
export function exportMenu(button, store, actions, chart, parts) {
  const { facts } = store.state.file;
  if (!facts) return;
  const base = facts.model.name.replace(/\.\w+$/, '') || 'plan';
  /** @param {string} type @param {string} extension @param {() => Promise<string>} write  the core does, if nothing else */
  const text = (type, extension = type, write = () => actions.file.told(facts, 'text', [type])) => async () => {
    if (facts.n > HUGE) actions.file.say(`${count(facts.n)} buffers make a large file.`);
    try {
      save(new Blob([await write()], { type: TYPES[type] }), `${base}.${extension}`, actions);
    } catch (failure) {
      actions.file.fail(failure);
    }
  };
  const written = [
    { label: 'CSV', note: 'a row a buffer', act: text('csv') },
    { label: 'C header', note: 'size, alignment, offsets', act: text('c', 'h') },
    { label: 'SVG', note: 'the map as a drawing', act: text('svg') },
  ];
  const other = store.state.look.theme === 'dark' ? 'light' : 'dark';
  /** @param {number} scale @param {{ theme?: 'light' | 'dark', isTransparent?: boolean }} [how] */
  const png = (scale, how = {}) => savePng(store, facts, actions, chart, base, scale, how);
  showMenu(button, [
    { label: 'PNG', note: 'as on screen', act: () => png(chart.ratio) },
    { label: 'PNG, 2×', note: 'for print', act: () => png(2) },
    { label: 'PNG, 4×', note: 'for posters', act: () => png(4) },
    { label: `PNG, ${other}`, note: '2×, the other theme', act: () => png(2, { theme: other }) },
    { label: 'PNG, transparent', note: '2×, no background', act: () => png(2, { isTransparent: true }) },
    { label: 'JSON', note: 'the whole plan', act: text('json', 'plan.json') },
    { label: 'HTML', note: 'this view in one file', act: text('html', 'html', async () => snapshotHtml(parts, store.state, await freeze(facts, actions))) },
    ...(facts.model.kind === 'plan' ? [] : written),
  ]);
}

/**
 * The chart as it is, at any scale, with its sentence below.
 * @param {Store} store @param {import('../model/facts.js').Facts} facts  nothing is saved when others are shown by now @param {Actions} actions @param {Chart} chart @param {string} base @param {number} scale @param {{ theme?: 'light' | 'dark', isTransparent?: boolean }} how
 */
async function savePng(store, facts, actions, chart, base, scale, { theme: name, isTransparent = false }) {
  const state = selectChart(store.state);
  const { geometry } = chart;
  const theme = name ? readThemeOf(name) : chart.theme;
  const probe = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  probe.font = `12px ${theme.sans}`;
  const lines = wrap(probe, ticketSentence(facts, state.budget), geometry.width - 36);
  const canvas = document.createElement('canvas');
  const height = geometry.height + 14 + lines.length * CAPTION_LINE + 10;
  canvas.width = Math.round(geometry.width * scale);
  canvas.height = Math.round(height * scale);
  const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  c.scale(scale, scale);
  if (!isTransparent) {
    c.fillStyle = theme.card;
    c.fillRect(0, 0, geometry.width, height);
  }
  const picture = await chart.pictureAt(scale, theme);
  if (store.state.file.facts !== facts) return;
  drawBase(c, state, picture, chart.curve);
  c.fillStyle = theme.ink;
  c.font = `12px ${theme.sans}`;
  c.textAlign = 'left';
  lines.forEach((line, i) => c.fillText(line, 18, geometry.height + 14 + i * CAPTION_LINE));
  canvas.toBlob((blob) => blob && save(blob, `${base}.png`, actions), TYPES['png']);
}

/** @param {CanvasRenderingContext2D} c @param {string} text @param {number} room */
function wrap(c, text, room) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)}${lines.at(-1) ? ' ' : ''}${word}`;
    if (c.measureText(line).width <= room) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

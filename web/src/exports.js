/** Exports: pictures are drawn here, texts are written by the core. */
import { closeMenus, showMenu } from './dialogs.js';
import { drawBase } from './draw-base.js';
import { ticketSentence, HUGE, at } from './facts.js';
import { count, hex, life } from './format.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./chart.js').Chart} Chart */

const TYPES = /** @type {Record<string, string>} */ ({ json: 'application/json', csv: 'text/csv', c: 'text/x-c', svg: 'image/svg+xml', html: 'text/html', png: 'image/png' });
const CAPTION_LINE = 18;

/** @param {HTMLElement} button @param {Store} store @param {Actions} actions @param {Chart} chart */
export function exportMenu(button, store, actions, chart) {
  const { facts } = store.state;
  if (!facts) return;
  const base = facts.model.name.replace(/\.\w+$/, '') || 'plan';
  const isGiven = facts.model.kind === 'plan';
  /** @param {'json' | 'csv' | 'c' | 'svg'} format @param {string} extension */
  const text = (format, extension) => async () => {
    if (format === 'svg' && facts.n > HUGE) actions.say(`${count(facts.n)} rectangles make a large SVG.`);
    try {
      save(new Blob([await actions.host.call('text', [format])], { type: TYPES[format] }), `${base}.${extension}`, actions);
    } catch (failure) {
      actions.set({ failure: /** @type {import('./types.js').Failure} */ (failure) });
    }
  };
  const json = { label: 'JSON', note: 'the whole plan', act: text('json', 'plan.json') };
  const written = [
    { label: 'CSV', note: 'a row a buffer', act: text('csv', 'csv') },
    { label: 'C header', note: 'size, alignment, offsets', act: text('c', 'h') },
    { label: 'SVG', note: 'the map as a drawing', act: text('svg', 'svg') },
    { label: 'HTML', note: 'this view in one file', act: () => saveHtml(store, actions, base) },
  ];
  showMenu(button, [
    { label: 'PNG', note: 'as on screen', act: () => savePng(store, actions, chart, base, chart.ratio, false) },
    { label: 'PNG, 2×', note: 'for print', act: () => savePng(store, actions, chart, base, 2, false) },
    { label: 'PNG, 4×', note: 'for posters', act: () => savePng(store, actions, chart, base, 4, false) },
    { label: 'PNG, transparent', note: '2×, no background', act: () => savePng(store, actions, chart, base, 2, true) },
    json,
    ...(isGiven ? [] : written),
  ]);
}

/** @param {Blob} blob @param {string} name @param {Actions} actions */
function save(blob, name, actions) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  closeMenus();
  actions.say(`Saved ${name}.`);
}

/**
 * The chart as it is, at any scale, with its sentence below.
 * @param {Store} store @param {Actions} actions @param {Chart} chart @param {string} base @param {number} scale @param {boolean} isTransparent
 */
async function savePng(store, actions, chart, base, scale, isTransparent) {
  const { state } = store;
  if (!state.facts) return;
  const { geometry, theme } = chart;
  const probe = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  probe.font = `12px ${theme.sans}`;
  const lines = wrap(probe, ticketSentence(state.facts, state.budget), geometry.width - 36);
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
  const picture = await chart.pictureAt(scale);
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

/** One file that needs nothing else: the sentence, the core's drawing, the table. @param {Store} store @param {Actions} actions @param {string} base */
async function saveHtml(store, actions, base) {
  const { facts, budget, lit } = store.state;
  if (!facts) return;
  const svg = (await actions.host.call('text', ['svg'])).replace(/^<\?xml[^>]*\?>\s*/, '');
  const { columns } = facts;
  const rows = [];
  for (let i = 0; i < columns.n; i++) {
    if (columns.arena[i] === 0 || (lit && lit[i] === 0)) continue;
    const cells = [facts.label(i), facts.kind(i), count(at(columns.bytes, i)), Number.isNaN(at(columns.offset, i)) ? '' : hex(at(columns.offset, i)), life(at(columns.first, i), at(columns.last, i))];
    rows.push(`<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`);
  }
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(facts.model.name)}: arena</title>
<style>body{font:14px/1.5 system-ui,sans-serif;margin:24px auto;max-width:1200px;padding:0 20px;color:#14181f;background:#fff}svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:3px 12px 3px 0;border-bottom:1px solid #dde1e7;text-align:right}th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}</style></head>
<body><h1>${escapeHtml(facts.model.name)}</h1><p>${escapeHtml(ticketSentence(facts, budget))}</p>${svg}
<table><thead><tr><th>name</th><th>kind</th><th>bytes</th><th>offset</th><th>steps</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`;
  save(new Blob([html], { type: TYPES['html'] }), `${base}.html`, actions);
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '');
}

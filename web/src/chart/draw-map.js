/** The map itself: the painted pixels, labels where they fit, and what lies over each other in red. */
import { at } from '../model/facts.js';
import { count, short } from '../model/format.js';
import { fitted } from './pen.js';
import { mayOverlap } from '../model/sentences.js';

/** @typedef {import('../state/selectors.js').ChartState} State */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales' | 'scene'>} Chart  what there is to draw with */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../types.js').Picture} Picture */
/** @typedef {CanvasRenderingContext2D} Context */

const LABEL_WIDTH = 32;
const LABEL_HEIGHT = 14;
const LINE = 13;
/** More labels than this nobody reads. */
const MOST_LABELS = 1500;
/** More overlaps than this at once nobody tells apart. */
const MOST_CLASHES = 400;

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
export function drawMap(c, state, facts, chart) {
  const { map } = chart.geometry;
  const { scene, scales } = chart;
  if (!scene) return;
  const { canvas, picture } = scene;
  c.save();
  c.beginPath();
  c.rect(map.x, map.y, map.w, map.h);
  c.clip();
  c.imageSmoothingEnabled = false;
  const { x0, x1, y0, y1 } = picture.viewport;
  const top = Math.min(scales.y(y0), scales.y(y1));
  c.drawImage(canvas, scales.x(x0), top, (x1 - x0) * scales.perStep, (y1 - y0) * scales.perByte);
  const clashes = clashBoxes(facts, chart);
  drawLabels(c, state, facts, chart, picture, clashes);
  drawClashes(c, facts, chart, clashes);
  c.restore();
}

/** Fewer letters of a name than this tell nothing. */
const LEAST_LETTERS = 4;

/** A name that fits: in full, as its number, or cut where enough of it is left. @param {Context} c @param {string} name @param {number} room */
function fittedName(c, name, room) {
  const whole = [name, name.slice(name.lastIndexOf(' ') + 1)].find((text) => c.measureText(text).width <= room);
  if (whole !== undefined) return whole;
  const cut = fitted(c, name, room);
  return cut.length > LEAST_LETTERS ? cut : '';
}

/** Bytes that fit, in full or in short; a number is never cut. @param {Context} c @param {number} bytes @param {number} room */
function fittedBytes(c, bytes, room) {
  return [count(bytes), short(bytes)].find((text) => c.measureText(text).width <= room) ?? '';
}

/**
 * How far to the right a line of text can go before something else is painted there: what shares bytes, or clashes.
 * @param {Picture} picture @param {Chart} chart @param {boolean} down @param {number} i @param {{ left: number, right: number, top: number, bottom: number }} line
 */
function clearUntil({ ids, width, height, viewport: { x0, x1, y0, y1 } }, { scales }, down, i, { left, right, top, bottom }) {
  const column = (/** @type {number} */ x) => ((scales.step(x) - x0) / (x1 - x0)) * width;
  const from = Math.max(0, Math.ceil(column(left)));
  const to = Math.min(width, Math.floor(column(right)));
  for (const y of [top, bottom]) {
    const up = Math.floor(((scales.byte(y) - y0) / (y1 - y0)) * height);
    const row = (down ? up : height - 1 - up) * width;
    for (let x = from; x < to; x++)
      if (ids[row + x] !== i + 1) {
        right = Math.min(right, left + ((x - from) * (right - left)) / Math.max(1, to - from));
        break;
      }
  }
  return right;
}

/** @typedef {import('./geometry.js').Box & { clash: import('../types.js').Clash }} ClashBox */

/** What of the overlaps is in view. @param {Facts} facts @param {Chart} chart @returns {ClashBox[]} */
function clashBoxes({ plan: { clashes } }, { geometry: { map }, scales }) {
  const boxes = [];
  for (const clash of clashes) {
    const { bytes: [low, high], steps: [first, last] } = clash;
    const edges = [scales.y(low), scales.y(high)];
    const x = Math.max(map.x, scales.x(first));
    const y = Math.max(map.y, Math.min(...edges));
    const w = Math.min(map.x + map.w, scales.x(last + 1)) - x;
    const h = Math.min(map.y + map.h, Math.max(...edges)) - y;
    if (w > 0 && h > 0) boxes.push({ x, y, w: Math.max(2, w), h: Math.max(2, h), clash });
    if (boxes.length === MOST_CLASHES) break;
  }
  return boxes;
}

/** Whether stripes would cross a label at the left of a line. @param {readonly ClashBox[]} clashes @param {number} x @param {number} y */
function isStriped(clashes, x, y) {
  return clashes.some((box) => x + LABEL_WIDTH > box.x && x < box.x + box.w && y > box.y - LABEL_HEIGHT && y < box.y + box.h + LABEL_HEIGHT);
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart @param {Picture} picture @param {readonly ClashBox[]} clashes */
function drawLabels(c, { lit, down }, facts, chart, picture, clashes) {
  const { geometry: { map }, theme, scales } = chart;
  const { labels } = picture;
  const { offset, bytes, first, last } = facts.columns;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'left';
  c.textBaseline = 'alphabetic';
  const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = c.measureText('Ålpg_/');
  for (let k = 0; k < labels.length && k < MOST_LABELS; k++) {
    const i = at(labels, k);
    const left = Math.max(map.x, scales.x(Math.max(0, at(first, i))));
    const right = Math.min(map.x + map.w, scales.x(at(last, i) + 1));
    const edges = [scales.y(at(offset, i)), scales.y(at(offset, i) + at(bytes, i))];
    // The seam to the neighbour above is not the rectangle's own.
    const top = Math.max(map.y, Math.min(...edges)) + (down ? 0 : 1);
    const height = Math.min(map.y + map.h, Math.max(...edges)) - top - (down ? 1 : 0);
    if (right - left < LABEL_WIDTH || height < Math.max(LABEL_HEIGHT - 1, ascent + descent)) continue;
    c.fillStyle = lit && lit[i] === 0 ? theme.muted : theme.onFill;
    const kind = facts.kind(i);
    const mark = kind === 'input' || kind === 'output' ? 5 : kind === 'shared' ? 16 : 0;
    if (kind === 'input') c.fillRect(left + 3, top + 3, 2, height - 6);
    if (kind === 'output') c.fillRect(right - 6, top + 3, 2, height - 6);
    const start = left + 6 + (kind === 'output' ? 0 : mark);
    const two = height >= 2 * LINE + 3;
    const middle = top + (height + ascent - descent) / 2;
    if (clashes.length > 0 && isStriped(clashes, start, middle)) continue;
    /** @param {number} base @param {(room: number) => string} text */
    const write = (base, text) => {
      const until = clearUntil(picture, chart, down, i, { left: start, right, top: base - ascent, bottom: base + descent });
      const written = text(until - start - (kind === 'output' ? 8 : 3));
      if (written !== '') c.fillText(written, start, base);
      return written !== '';
    };
    const isNamed = write(two ? middle - LINE / 2 : middle, (room) => fittedName(c, facts.tinyLabel(i), room));
    if (two) write(middle + LINE / 2, (room) => fittedBytes(c, at(bytes, i), room));
    if (isNamed && kind === 'shared') link(c, left + 5, middle - (two ? LINE / 2 : 0) - 4, c.fillStyle);
  }
  c.textBaseline = 'middle';
}

/** Two links of a chain: these bytes are another tensor's too. @param {Context} c @param {number} x @param {number} y @param {string | CanvasGradient | CanvasPattern} colour */
function link(c, x, y, colour) {
  c.strokeStyle = colour;
  c.lineWidth = 1.2;
  for (const dx of [3, 8]) {
    c.beginPath();
    c.ellipse(x + dx, y, 3.6, 2.4, 0, 0, 7);
    c.stroke();
  }
  c.lineWidth = 1;
}

/** Diagonal stripes, through which what lies below can be seen. @param {Context} c @param {string} colour */
function stripes(c, colour) {
  const tile = document.createElement('canvas');
  tile.width = 8;
  tile.height = 8;
  const t = /** @type {Context} */ (tile.getContext('2d'));
  t.strokeStyle = colour;
  t.lineWidth = 2.4;
  for (const shift of [-8, 0, 8]) {
    t.moveTo(shift - 1, 9);
    t.lineTo(shift + 9, -1);
  }
  t.stroke();
  return c.createPattern(tile, 'repeat') ?? colour;
}

/** Real overlaps, on top: striped, outlined and named. What the file means to overlap is amber, the rest red. @param {Context} c @param {Facts} facts @param {Chart} chart @param {readonly ClashBox[]} clashes */
function drawClashes(c, facts, { theme }, clashes) {
  if (clashes.length === 0) return;
  const colour = mayOverlap(facts.head) ? theme.warn : theme.clash;
  const pattern = stripes(c, colour);
  c.font = `600 11px ${theme.sans}`;
  c.textAlign = 'left';
  for (const { clash: { a, b }, ...box } of clashes) {
    const { x, y, w, h } = box;
    c.fillStyle = pattern;
    c.globalAlpha = mayOverlap(facts.head) ? 0.4 : 1;
    c.fillRect(x, y, w, h);
    c.globalAlpha = 1;
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.strokeRect(x + 1, y + 1, w - 2, h - 2);
    c.lineWidth = 1;
    nameClash(c, `${facts.shortLabel(a)} × ${facts.shortLabel(b)}`, box, colour, theme.card);
  }
}

/** @param {Context} c @param {string} names @param {import('./geometry.js').Box} box @param {string} colour @param {string} ink */
function nameClash(c, names, { x, y, w, h }, colour, ink) {
  const text = h >= 20 ? fitted(c, names, w - 12) : '';
  if (text === '') return;
  c.fillStyle = colour;
  c.fillRect(x, y, Math.min(w, c.measureText(text).width + 12), 17);
  c.fillStyle = ink;
  c.fillText(text, x + 6, y + 9);
}

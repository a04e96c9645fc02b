/** Which colour a buffer gets: groups by operator, element type, size, slack or kind, and the inks they are painted with. */
import { at } from './live.js';
import { short } from './format.js';

/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {import('../types.js').Ink} Ink */
/** @typedef {{ label: string, group: number, texture?: string }} LegendEntry */

export const COLOUR_BY = /** @type {const} */ ([
  ['op', 'operator'],
  ['kind', 'kind'],
  ['dtype', 'data type'],
  ['size', 'size'],
  ['slack', 'slack'],
]);

/** Without operators there are only sizes and kinds to tell buffers apart by. @param {Facts} facts @param {string} by */
export function colourRule(facts, by) {
  return facts.isGraph || by === 'kind' ? by : 'size';
}

/** Eight fills, --g0 to --g7 of the style sheet, are told apart by every eye; further groups are one of them with a texture. */
export const FILLS = 8;

/** Textures of the core's painter. */
const [SOLID, HATCHED, DOTTED] = [0, 1, 2];
const TEXTURE_CLASSES = ['', 'hatched', 'dotted'];

/** Fill and texture of each group; those from RAMP_START on are for sizes and lengths. */
const GROUPS = /** @type {const} */ ([
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((fill) => [fill, SOLID]),
  [5, HATCHED],
  [6, HATCHED],
  [3, DOTTED],
  [1, DOTTED],
  ...[6, 1, 0, 3, 4, 5].map((fill) => [fill, SOLID]),
]);
const RAMP_START = 12;
const RAMP_LENGTH = GROUPS.length - RAMP_START;
const OTHER = 9;

/** @param {number} group */
export const fillOf = (group) => GROUPS[group]?.[0] ?? 0;

/** The class of a group's swatch. @param {number} group */
export const textureClassOf = (group) => TEXTURE_CLASSES[GROUPS[group]?.[1] ?? SOLID] ?? '';

/** The operators of each group; what is in none is "other". */
const OPERATOR_GROUPS = /** @type {const} */ ([
  ['convolution', /^(TRANSPOSE_)?CONV(_2D|_3D)?(_TRANSPOSE)?$/],
  ['depthwise convolution', /DEPTHWISE/],
  ['dense, recurrent', /FULLY|MATMUL|LSTM|RNN|GRU|SVDF|EMBEDDING|ETHOS/],
  ['pooling, reduction', /POOL|MEAN|REDUCE|^SUM$|ARG_M/],
  ['element by element', /^(ADD|SUB|MUL|DIV|ADD_N|MAXIMUM|MINIMUM|SQUARED|POW|ABS|NEG|SQRT|RSQRT|EXP|LOG|FLOOR|CEIL|ROUND|SQUARE|SIN|COS|SELECT)/],
  ['activation', /SOFTMAX|RELU|LOGISTIC|TANH|ELU|SWISH|L2_NORM|NORMALIZATION/],
  ['shape, copy', /RESHAPE|SQUEEZE|EXPAND|CONCAT|SPLIT|PAD|SLICE|TRANSPOSE|PACK|GATHER|RESIZE|SPACE|DEPTH_TO|TILE|BROADCAST|SHAPE/],
  ['model input', /^$/],
  ['quantize, cast', /QUANTIZE|CAST/],
  ['other', /./],
]);

/** @param {string} op */
export function operatorGroup(op) {
  return OPERATOR_GROUPS.findIndex(([, pattern]) => pattern.test(op));
}

const KINDS = ['input', 'output', 'intermediate', 'shared', 'variable', 'persistent', 'scratch'];
const KIND_COLOURS = [7, 2, 0, 6, 3, 9, 1];

/** Upper limits of the size classes, bytes: powers of four, so that six classes span the arena. @param {number} most */
function sizeLimits(most) {
  return Array.from({ length: RAMP_LENGTH }, (_, i) => most / 4 ** (RAMP_LENGTH - 1 - i));
}

const SLACK_LIMITS = [0, 1, 4, 16, 64, Infinity];

/**
 * @param {Facts} facts
 * @param {string} by
 * @returns {{ groups: Uint8Array, legend: LegendEntry[] }}
 */
export function colourGroups(facts, by) {
  const groups = new Uint8Array(facts.n);
  const { columns } = facts;
  /** @type {Map<number, string>} */
  const seen = new Map();
  /** @type {Map<string, number>} */
  const types = new Map();
  let most = 1;
  for (let i = 0; i < facts.n; i++) if (columns.arena[i] === 1) most = Math.max(most, at(columns.bytes, i));
  const limits = sizeLimits(most);

  /** @type {Record<string, (i: number) => [number, string]>} */
  const rules = {
    op: (i) => {
      if (columns.scratch[i]) return [10, 'scratch'];
      if (facts.uses(i).writers.length === 0 && !facts.uses(i).isInput) return [0, 'no operator'];
      const group = operatorGroup(facts.op(i));
      return [group, OPERATOR_GROUPS[group]?.[0] ?? 'other'];
    },
    kind: (i) => {
      const kind = facts.kind(i);
      return [KIND_COLOURS[KINDS.indexOf(kind)] ?? OTHER, kind];
    },
    dtype: (i) => {
      const name = facts.dtype(i) || (columns.scratch[i] ? 'scratch' : 'no type');
      if (!types.has(name)) types.set(name, types.size % RAMP_START);
      return [types.get(name) ?? OTHER, name];
    },
    size: (i) => {
      const k = limits.findIndex((limit) => at(columns.bytes, i) <= limit);
      return [RAMP_START + k, `up to ${short(limits[k] ?? most)}`];
    },
    slack: (i) => {
      const slack = facts.slack(i);
      const k = SLACK_LIMITS.findIndex((limit) => slack <= limit);
      const label = k === 0 ? 'none' : k === RAMP_LENGTH - 1 ? `more than ${SLACK_LIMITS[k - 1]} steps` : `up to ${SLACK_LIMITS[k]} steps`;
      return [RAMP_START + k, label];
    },
  };
  const rule = rules[colourRule(facts, by)] ?? rules['op'];
  for (let i = 0; i < facts.n; i++) {
    if (columns.arena[i] === 0 || rule === undefined) continue;
    const [group, label] = rule(i);
    groups[i] = group;
    if (!seen.has(group)) seen.set(group, label);
  }
  const legend = [...seen].sort((a, b) => a[0] - b[0]).map(([group, label]) => ({ group: fillOf(group), label, texture: textureClassOf(group) }));
  return { groups, legend };
}

/** How a buffer's kind shows beside its colour: hatched what is kept or allocated late, dotted what is scratch; else as its group. @param {Facts} facts @param {number} i @param {number} group */
function textureOf(facts, i, group) {
  if (facts.columns.scratch[i]) return DOTTED;
  const tensor = facts.tensor(i);
  return tensor?.isVariable || tensor?.type === 'dynamic' ? HATCHED : (GROUPS[group]?.[1] ?? SOLID);
}

/** Ink numbers: 0 nothing, 1 hole, then fill by texture, lit and dimmed. */
const FIRST_INK = 2;
const TEXTURES = 3;

/**
 * The ink of each pixel id for the core's lookup: free, seam, hole, then the buffers.
 * @param {Facts} facts
 * @param {Uint8Array} groups
 * @param {Uint8Array | null} lit  1: keeps its colour; null: all do
 */
export function makeClasses(facts, groups, lit) {
  const classes = new Uint8Array(facts.n + 3);
  classes[2] = 1;
  for (let i = 0; i < facts.n; i++) {
    const dim = lit !== null && lit[i] === 0 ? 1 : 0;
    const group = at(groups, i);
    classes[i + 3] = FIRST_INK + (fillOf(group) * TEXTURES + textureOf(facts, i, group)) * 2 + dim;
  }
  return classes;
}

/**
 * @param {{ fills: readonly string[], card: string, hole: string, holeMark: string, onFill: string }} theme  "#rrggbb"
 * @returns {Ink[]}
 */
export function makeInks(theme) {
  const card = parseColour(theme.card);
  /** @type {Ink[]} */
  const inks = [
    { fill: 0, mark: 0, texture: 0 },
    { fill: pack(parseColour(theme.hole)), mark: pack(parseColour(theme.holeMark)), texture: 1 },
  ];
  for (let fill = 0; fill < FILLS; fill++) {
    const colour = parseColour(theme.fills[fill] ?? '#888888');
    const mark = mix(colour, parseColour(theme.onFill), 0.45);
    for (let texture = 0; texture < TEXTURES; texture++) {
      inks.push({ fill: pack(colour), mark: pack(mark), texture });
      inks.push({ fill: pack(mix(card, colour, 0.3)), mark: pack(mix(card, mark, 0.3)), texture });
    }
  }
  return inks;
}

/** @param {string} text @returns {[number, number, number]} */
export function parseColour(text) {
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text.trim());
  if (match) return [parseInt(match[1] ?? '', 16), parseInt(match[2] ?? '', 16), parseInt(match[3] ?? '', 16)];
  const rgb = /^rgba?\((\d+)[ ,]+(\d+)[ ,]+(\d+)/.exec(text.trim());
  return rgb ? [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])] : [128, 128, 128];
}

/** @param {number[]} from @param {number[]} to @param {number} share @returns {[number, number, number]} */
function mix(from, to, share) {
  const one = (/** @type {number} */ k) => Math.round((from[k] ?? 0) + ((to[k] ?? 0) - (from[k] ?? 0)) * share);
  return [one(0), one(1), one(2)];
}

/** Bytes R, G, B, A in memory order. @param {number[]} colour */
function pack([red = 0, green = 0, blue = 0]) {
  return (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;
}

/**
 * The view as one HTML file: this page with the plan in it, to be opened alone and offline. It holds names, sizes,
 * places and why they are so, but nothing of the model's weights.
 */

import { at } from '../model/live.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../types.js').FrozenPlan} FrozenPlan */
/** @typedef {ReturnType<typeof keptOf>} Kept */
/** @typedef {{ core: Uint8Array, script: string, shell: string }} Parts  the page before anything was shown on it */
/** @typedef {{ frozen: FrozenPlan, kept: Kept }} Snapshot */

/** What of the page's state is the view, by slice. @param {State} state */
const keptOf = ({ question: { budget, options }, look: { view, colourBy, tab, tables, down, decimal, theme }, selection: { selected, pinned, marks, cursor, query } }) => ({
  question: { budget, options },
  look: { view, colourBy, tab, tables, down, decimal, theme },
  selection: { selected, pinned, marks, cursor, query },
});

const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";

/** Reasons of more buffers than this would be most of the file. */
const MOST_REASONS = 2000;

/** Bytes at once that can be a function's arguments. */
const PIECE = 0x8000;

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/**
 * What is shown, for a page without the model.
 * @param {Facts} facts @param {import('../state/context.js').Actions} actions
 * @returns {Promise<FrozenPlan>}
 */
export async function freeze(facts, actions) {
  const { model, plan: { whole, search, unknownSizes, refusal }, head, columns, n } = facts;
  const isGiven = model.kind === 'plan';
  const plan = JSON.parse(await actions.file.told(facts, 'text', ['json']));
  if (!isGiven) {
    // An interpreter's walk has places of its own, and a refused runtime left a problem.
    Object.assign(plan, { arena_bytes: head.arena_bytes, problems: head.problems });
    plan.buffers.forEach((/** @type {object} */ buffer, /** @type {number} */ i) => {
      const offset = at(columns.offset, i);
      Object.assign(buffer, { offset: Number.isNaN(offset) ? null : offset, bytes: at(columns.bytes, i), first: at(columns.first, i), last: at(columns.last, i) });
    });
  }
  const whys = n > MOST_REASONS ? [] : await actions.file.told(facts, 'whys', [n]);
  return { info: { ...model, kind: 'plan', runtimes: [] }, plan, whole, search, unknownSizes, refusal, whys };
}

/**
 * @param {Parts} parts
 * @param {State} state
 * @param {FrozenPlan} frozen
 */
export function snapshotHtml({ core, script, shell }, state, frozen) {
  const view = JSON.stringify({ frozen, kept: keptOf(state) }).replaceAll('<', '\\u003c');
  const style = [...(document.styleSheets[0]?.cssRules ?? [])].map(({ cssText }) => cssText).join('');
  const title = `${frozen.info.name}: arena`.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en" data-theme="${state.look.theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${title}</title><style>${style}</style><link rel="icon" href="data:,"></head>
<body>${shell}<script type="text/plain" id="core">${base64(core)}</script>
<script type="application/json" id="view">${view}</script><script type="module">${script}</script></body></html>`;
}

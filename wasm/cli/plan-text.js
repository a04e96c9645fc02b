/**
 * The core's text of a plan, safe to print. Only names that break lines need more than escapes: then what the text
 * says of the peak and of the cause is made once more from the plan's JSON, to know where the core's own lines end.
 */
import { visibleAround, visibleLines } from './visible.js';

/** @typedef {import('../index.js').Model} Model */
/** @typedef {import('../index.js').Plan} Plan */
/** @typedef {import('../index.js').PlanBuffer} PlanBuffer */
/** @typedef {import('../index.js').Planner} Planner */

/** As the core shortens and counts: bytes of a label, tensors named at the peak, problems listed. */
const LABEL_BYTES = 64;
const NAMED = 3;
const LISTED_PROBLEMS = 5;

/**
 * @param {Planner} planner
 * @param {Model} model
 */
export function planText(planner, model) {
  const text = planner.text('text');
  const plan = planner.report();
  const nodes = model.subgraphs.flatMap((subgraph) => subgraph.nodes);
  const named = [...plan.buffers, ...nodes].map(({ name }) => name).concat(plan.problems.map((problem) => problem.text));
  if (!named.some((name) => name.includes('\n'))) return visibleLines(text);
  const problems = plan.problems.slice(0, LISTED_PROBLEMS).map((problem) => /** @type {const} */ (['\nProblem     ', problem.text, '\n']));
  return visibleAround(text, [...peak(plan, model), ...cause(plan, model, text), ...problems]);
}

/** @param {number} value */
const grouped = (value) => value.toLocaleString('en-US');

/** @param {Plan} plan @param {Model} model @returns {[string, string, string][]} */
function peak({ peak: { step, live_bytes: bytes }, buffers, timeline }, model) {
  const live = buffers.filter(({ arena, shares, bytes, first, last }) => arena === 'rw' && shares === undefined && bytes > 0 && first <= step && step <= last);
  if (live.length === 0 || step < 0) return [];
  live.sort((a, b) => b.bytes - a.bytes);
  const labels = live.slice(0, NAMED).map((buffer) => `${labelOf(buffer, model)} ${grouped(buffer.bytes)}`);
  const others = live.slice(NAMED);
  if (others.length > 0) labels.push(`${others.length} more with ${grouped(others.reduce((sum, other) => sum + other.bytes, 0))}`);
  const last = labels.pop();
  const at = timeline[step];
  const node = at?.node == null ? '' : ` (${nodeLabel(model, at.subgraph, at.node)})`;
  return [['\n            ', `The peak is ${grouped(bytes)} live bytes at step ${step}${node}: ${labels.join(', ')}${labels.length > 0 ? ' and ' : ''}${last}.`, '\n']];
}

/** The highest buffer, where the text blames it. @param {Plan} plan @param {Model} model @param {string} text @returns {[string, string, string][]} */
function cause({ buffers, fits }, model, text) {
  if (fits === undefined || fits === true) return [];
  let [highest, top] = [/** @type {PlanBuffer | null} */ (null), 0];
  for (const buffer of buffers) {
    const end = Number(buffer.offset) + buffer.bytes;
    if (buffer.arena === 'rw' && buffer.offset !== null && end > top) [highest, top] = [buffer, end];
  }
  if (highest === null) return [];
  const label = labelOf(highest, model);
  const after = ` reaches byte ${grouped(top)} in steps `;
  for (const before of ['\n            Its cause is the placing: ', "\n            Its cause is the file's offline plan: "])
    if (text.includes(before + label + after)) return [[before, label, after]];
  return [];
}

/** @param {PlanBuffer} buffer @param {Model} model */
function labelOf(buffer, model) {
  if (buffer.name !== '') return shortened(buffer.name);
  if (buffer.kind === 'scratch') return `scratch of ${nodeLabel(model, buffer.subgraph ?? 0, buffer.node)}`;
  return 'tensor' in buffer ? `tensor ${buffer.tensor}` : '';
}

/** @param {Model} model @param {number} subgraph @param {number} node */
function nodeLabel(model, subgraph, node) {
  const { name = '' } = model.subgraphs[subgraph]?.nodes[node] ?? {};
  return `${name}${name === '' ? '' : ' '}#${node}`;
}

/** @param {string} name */
function shortened(name) {
  const end = name.indexOf(';');
  const bytes = new TextEncoder().encode(end > 0 ? name.slice(0, end) : name);
  let start = Math.max(0, bytes.length - LABEL_BYTES);
  if (start === 0) return new TextDecoder().decode(bytes);
  while ((Number(bytes[start]) & 0xc0) === 0x80) start++;
  return `...${new TextDecoder().decode(bytes.subarray(start))}`;
}

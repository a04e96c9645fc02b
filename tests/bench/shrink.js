// What rewriting costs and gains, natively: the arena before and after, the vectors' (golden/shrink.json), what the strips
// add, evaluations, milliseconds. `node tests/bench/shrink.js [thousandths of multiply-accumulates]` (150).
import { performance } from 'node:perf_hooks';
import { hasShared, sharedBytes, sharedJson } from '../support/shared.js';
import { shrink } from '../support/shrink.js';

const macs = Number(process.argv[2] ?? 150);
const widths = [38, 9, 9, 9, 9, 8, 9, 9, 7];

/** @param {unknown[]} cells */
function line(cells) {
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i] ?? 0) : String(cell).padStart(widths[i] ?? 0))).join('  '));
}

/** @param {any} model  of the vectors */
function measure(model) {
  const bytes = sharedBytes(model.file);
  const start = performance.now();
  const { report, error } = shrink(bytes, { macs });
  const ms = performance.now() - start;
  if (error !== undefined) return line([model.model, error]);
  const before = report.before.min_arena_bytes;
  const after = report.after.min_arena_bytes;
  const gain = `${((1 - after / before) * 100).toFixed(1)} %`;
  const extra = `${((100 * report.extra_macs) / Math.max(1, report.macs)).toFixed(2)} %`;
  line([model.model, report.operators.join('>'), before, after, model.strips_and_plan?.arena ?? model.offline_plan_only_arena, gain, extra, report.nodes, ms.toFixed(0)]);
}

if (hasShared) {
  console.log(`Models rewritten, at most ${macs / 10} % more multiply-accumulates`);
  line(['', 'operators', 'before', 'after', 'vectors', 'gain', 'macs', 'nodes', 'ms']);
  for (const model of sharedJson('golden/shrink.json').models) measure(model);
}

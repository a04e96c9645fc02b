/** tensor-arena plan: where a runtime, or the best planner, puts a model's tensors. */
import { UsageError } from '../errors.js';
import { open } from '../index.js';
import { budgetStatus } from './exit.js';
import { writeOutput } from './files.js';
import { planText } from './plan-text.js';
import { solveShown } from './progress.js';
import { visible, visibleComments } from './visible.js';

/** @type {import('./main.js').Command} */
export const plan = {
  usage: 'FILE [options]',
  summary: 'where the tensors of a model, graph or buffer list go in memory',
  options: ['runtime', 'planner', 'alignment', 'subgraph', 'nodes', 'budget', 'kernels', 'format', 'json', 'output', 'help'],
  async run({ bytes, name, values, opened }) {
    const { nodes, format, json, output, ...rest } = values;
    if (json && format !== undefined && format !== 'json') throw new UsageError('bad-argument', `--json and --format ${format} ask for two formats; give one of them`);
    const written = json ? 'json' : (format ?? 'text');
    const model = await open(bytes, { name: written === 'text' ? visible(name) : name });
    opened();
    const { runtime = model.kind === 'tflite' ? 'tflm' : 'none', kernels } = rest;
    if (kernels !== undefined && runtime !== 'tflm') throw new UsageError('bad-argument', '--kernels is for the runtime tflm; leave it out');
    const planner = model.planner(rest);
    const interrupted = await solveShown(planner, nodes);
    await writeOutput(output, report(planner, model, written));
    if (interrupted) process.stderr.write('tensor-arena: stopped; this is the best plan so far\n');
    return budgetStatus(planner.summary().fits, rest.budget);
  },
};

/**
 * Data stay as they are; what people read shows what is hidden in names.
 * @param {import('../index.js').Planner} planner
 * @param {import('../index.js').Model} model
 * @param {import('../index.js').ReportFormat} format
 */
function report(planner, model, format) {
  if (format === 'text' && model.kind !== 'plan') return planText(planner, model);
  const text = planner.text(format);
  return format === 'c' ? visibleComments(text) : text;
}

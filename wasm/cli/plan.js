/** tensor-arena plan: where a runtime, or the best planner, puts a model's tensors. */
import { UsageError } from '../errors.js';
import { open } from '../index.js';
import { checkEffect } from './effect.js';
import { EXIT, budgetStatus } from './exit.js';
import { writeOutput } from './files.js';
import { solveShown } from './progress.js';

/** @type {import('./main.js').Command} */
export const plan = {
  usage: 'FILE [options]',
  summary: 'where the tensors of a model, graph or buffer list go in memory',
  options: ['runtime', 'planner', 'alignment', 'subgraph', 'nodes', 'budget', 'target', 'kernels', 'keep-offsets', 'format', 'force', 'json', 'output', 'help'],
  async run({ bytes, name, values, opened }) {
    const { nodes, format, json, output, 'keep-offsets': keepOffsets, ...rest } = values;
    if (json && format !== undefined && format !== 'json') throw new UsageError('bad-argument', `--json and --format ${format} ask for two formats; give one of them`);
    const written = json ? 'json' : (format ?? 'text');
    const model = await open(bytes, { name });
    opened();
    if (model.kind !== 'plan') checkEffect(model.kind, written, values);
    const planner = model.planner({ ...rest, ...(keepOffsets && { keepOffsets }) });
    const interrupted = await solveShown(planner, nodes);
    await writeOutput(output, planner.text(written));
    if (interrupted) process.stderr.write('tensor-arena: stopped; this is the best plan so far\n');
    const { status, fits } = planner.summary();
    return status === 'unsound' ? EXIT.no : budgetStatus(fits, rest.budget);
  },
};

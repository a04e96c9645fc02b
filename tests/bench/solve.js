// The solver on the exact instances, the real models and a million buffers, in wasm on one thread, as tables:
// height over bound, search nodes, milliseconds. `node tests/bench/solve.js [nodes [rows]]` (2000000, 1000000).
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { open } from '../../wasm/index.js';
import { sharedPath } from '../support/shared.js';

const nodes = Number(process.argv[2] ?? 2_000_000);
const many = Number(process.argv[3] ?? 1_000_000);

/** @param {unknown[]} cells @param {number[]} widths */
function line(cells, widths) {
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  '));
}

const widths = [34, 9, 9, 12, 12, 11, 10, 8, 9];
const heads = ['', 'buffers', 'runtime', 'height', 'bound', 'over bound', 'nodes', 'ms', 'status'];

/** @param {string} name @param {any} model @param {object} options */
function measure(name, model, options) {
  const planner = model.planner({ planner: 'optimal', nodes, ...options });
  const start = performance.now();
  planner.plan();
  planner.execute();
  const ms = performance.now() - start;
  const { arenaBytes, lowerBoundBytes, searchNodes, status } = planner.summary();
  const over = lowerBoundBytes > 0 ? `${((arenaBytes / lowerBoundBytes - 1) * 100).toFixed(2)} %` : '-';
  const runtime = 'runtime' in options ? options.runtime : 'none';
  line([name, planner.layout().offsets.length, runtime, arenaBytes, lowerBoundBytes, over, searchNodes, ms.toFixed(1), status], widths);
  return ms;
}

/** @param {string} folder */
async function instances(folder) {
  console.log('The instances: smallest arena (heuristics alone, then the search), and D and J within 1,048,576 bytes');
  line(heads, widths);
  let total = 0;
  for (const file of (await readdir(folder)).sort()) {
    const model = await open(await readFile(path.join(folder, file)));
    const name = file.replace(/\.csv$/, '');
    measure(`${name} heuristics`, model, { nodes: 1 });
    const decide = /^[DJ]\./.test(file);
    total += measure(decide ? `${name} budget` : name, model, decide ? { budget: 1048576 } : {});
    if (decide) measure(`${name} minimise`, model, {});
  }
  console.log(`all at their capacities: ${total.toFixed(0)} ms\n`);
}

/** @param {string} folder */
async function models(folder) {
  console.log('Real models');
  line(heads, widths);
  for (const file of (await readdir(folder)).sort()) {
    for (const runtime of /** @type {const} */ (['tflm', 'tflite', 'tflite-2018'])) {
      try {
        const model = await open(await readFile(path.join(folder, file)));
        measure(file.slice(0, 34), model, { runtime });
      } catch (error) {
        if (runtime === 'tflm') console.log(`${file}: ${/** @type {Error} */ (error).message}`);
      }
    }
  }
  console.log();
}

/** Lives of 1 to 30 steps, four starting at each. @param {number} count */
function localLives(count) {
  let state = 1;
  const below = (/** @type {number} */ limit) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % limit;
  const text = ['id,lower,upper,size'];
  for (let i = 0; i < count; i++) {
    const lower = Math.floor(i / 4);
    text.push(`${i},${lower},${lower + 1 + below(30)},${64 * (1 + below(1024))}`);
  }
  return text.join('\n');
}

async function manyBuffers() {
  console.log(`${many} buffers with local lives`);
  line(heads, widths);
  const text = localLives(many);
  const start = performance.now();
  const model = await open(text);
  console.log(`read in ${(performance.now() - start).toFixed(0)} ms`);
  measure('heuristics and bound', model, {});
  console.log(`process memory: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
}

await instances(sharedPath('bench/minimalloc'));
await models(sharedPath('models'));
await manyBuffers();

// Runs fuzz targets one after the other, each alone on one thread until it has used its seconds of CPU, and prints
// a line for each: executions, CPU seconds, coverage. The first finding ends the run, its file named.
//   run.js [--seconds N] [--max-bytes N] TARGET...
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What each target starts from, when not from seeds of its own: those of a target that reads the same files. */
const SEEDS = /** @type {Record<string, string>} */ ({ offline: 'tflite', walk: 'block' });
const FLATBUFFERS = ['tflite', 'offline'];

const { values, positionals: targets } = parseArgs({
  options: { seconds: { type: 'string', default: '1200' }, 'max-bytes': { type: 'string', default: '65536' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);

/** @param {string} path */
function folder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}

/** The last number that the log gives after a word. @param {string} log @param {RegExp} pattern */
function lastOf(log, pattern) {
  return Number([...log.matchAll(pattern)].at(-1)?.[1] ?? 0).toLocaleString('en-US');
}

/** @param {string} target */
function fuzz(target) {
  const kind = SEEDS[target] ?? target;
  const dictionary = `tests/fuzz/${kind}.dict`;
  const found = folder(`build/fuzz/found/${target}`);
  const logFile = `build/fuzz/${target}.log`;
  const from = [folder(`build/fuzz/corpus/${target}`), `tests/fuzz/corpus/${kind}`, `build/fuzz/seeds/${kind}`];
  const missing = [dictionary, ...from].filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`${target}: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  const before = new Set(readdirSync(found));
  const output = openSync(logFile, 'w');
  const { status } = spawnSync(
    `build/fuzz/fuzz_${target}`,
    [`-max_len=${values['max-bytes']}`, '-timeout=25', '-rss_limit_mb=1024', `-dict=${dictionary}`, `-artifact_prefix=${found}/`, '-print_final_stats=1', ...from],
    { stdio: ['ignore', output, output], env: { ...process.env, FUZZ_CPU_SECONDS: String(seconds) } },
  );
  closeSync(output);
  const log = readFileSync(logFile, 'utf8');
  if (status !== 0) {
    console.log(log.split('\n').slice(-60).join('\n'));
    const files = readdirSync(found).filter((name) => !before.has(name)).map((name) => `${found}/${name}`);
    console.log(`fuzz: ${target}: FOUND ${files[0] ?? `nothing that has a file; see ${logFile}`}`);
    if (files[0]) console.log(`  again: build/fuzz/fuzz_${target} ${files[0]}; once mended, the file belongs in tests/fuzz/corpus/${kind}`);
    return false;
  }
  if (FLATBUFFERS.includes(target) && !log.includes('LLVMFuzzerCustomMutator')) throw new Error(`${target} ran without its mutator`);
  const figures = [
    [lastOf(log, /number_of_executed_units: (\d+)/g), 'executions'],
    [lastOf(log, /^cpu: (\d+) s$/gm), 'CPU seconds'],
    [lastOf(log, /\bcov: (\d+)/g), 'edges'],
    [lastOf(log, /\bft: (\d+)/g), 'features'],
  ];
  console.log(`fuzz: ${target.padEnd(8)}${figures.map(([figure = '', name]) => ` ${figure.padStart(11)} ${name}`).join('')}  nothing found`);
  return true;
}

for (const target of targets)
  if (!fuzz(target)) {
    process.exitCode = 1;
    break;
  }

// Runs the tests of the core on the build that has sanitizers and counts (build/asan): the C tests, those that drive
// native programs, and the fuzzers' corpus and seeds. Then prints which part of c/ they reached: lines and branches,
// a file at a time and in all. A fault that a sanitizer sees fails it, and so do fewer lines than COVERAGE_LINES %.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const build = 'build/asan';
const folder = `${build}/raw`;
const least = Number(process.env.COVERAGE_LINES ?? 95);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// %4m: at most four files a program, which its runs add to.
process.env.LLVM_PROFILE_FILE = resolve(folder, '%4m.profraw');
process.env.TENSOR_ARENA_NATIVE = build;

const TESTS = ['tests/c/', 'vectors', 'reader', 'offline-write', 'tflm-', 'shrink', 'rows', 'lists', 'round-trips'];
const tests = spawnSync(process.execPath, ['tests/run.js', '--variant', 'asan', ...TESTS], { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 28 });
console.log(tests.status === 0 ? tests.stdout.trim().split('\n').at(-1) : tests.stdout);
if (tests.status !== 0) process.exitCode = 1;

const { modelTargets, models, replay, replays, targets } = await import('../tests/support/replay.js');
for (const [target, own] of Object.entries(targets)) {
  const files = modelTargets.includes(target) ? [...own, ...models] : own;
  replay(replays.native, target, files);
  console.log(`replayed ${files.length} files through the fuzz target ${target}`);
}

const raw = readdirSync(folder).map((name) => `${folder}/${name}`);
execFileSync('llvm-profdata', ['merge', '-sparse', ...raw, '-o', `${build}/all.profdata`], { stdio: 'inherit' });
/** @param {string} path */
const programs = (path) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`);
const built = ['tests', 'bin', 'fuzz'].flatMap((name) => programs(`${build}/${name}`));
const exported = execFileSync(
  'llvm-cov',
  ['export', '-summary-only', `-instr-profile=${build}/all.profdata`, '-ignore-filename-regex=(^|/)tests/', ...built.flatMap((program) => ['-object', program])],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);

/** @typedef {{ count: number, covered: number }} Count */
/** @type {{ filename: string, summary: { lines: Count, branches: Count } }[]} */
const files = JSON.parse(exported).data[0].files;
const percent = (/** @type {Count} */ { covered, count }) => (count ? ((100 * covered) / count).toFixed(1) : '100.0').padStart(6);
/** @param {string} name @param {Count} lines @param {Count} branches */
const show = (name, lines, branches) =>
  console.log(`${name.padEnd(36)} lines ${percent(lines)} % of ${String(lines.count).padStart(5)}   branches ${percent(branches)} % of ${String(branches.count).padStart(5)}`);
const none = () => ({ count: 0, covered: 0 });
const total = { lines: none(), branches: none() };
for (const { filename, summary } of files) {
  show(relative(process.cwd(), filename), summary.lines, summary.branches);
  for (const kind of /** @type {const} */ (['lines', 'branches'])) {
    total[kind].count += summary[kind].count;
    total[kind].covered += summary[kind].covered;
  }
}
show('coverage of c/', total.lines, total.branches);
if ((100 * total.lines.covered) / total.lines.count < least) {
  console.error(`coverage: fewer than ${least} % of the lines`);
  process.exitCode = 1;
}

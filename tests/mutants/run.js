/**
 * Puts one-line faults into the sources, one at a time, and runs the tests that should notice. Each fault of
 * faults.json is { file, line, instead, tests, survives? }: `line` is a piece of the file that stands there once,
 * `instead` what comes in its place, `tests` the parts of paths that tests/run.js takes. A fault that no test can
 * notice says why in `survives`. Works in a copy of the tree (build/mutants), which keeps what it has built.
 *
 *   node tests/mutants/run.js [PART-OF-FILE...] [--from N] [--jobs 1]
 *
 * Prints a line for each fault and, at the end, how many were killed; exit status 1 below 95 %, or when a fault
 * that is said to survive was killed, or the other way round.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * @typedef {object} Fault
 * @property {string} file
 * @property {string} line
 * @property {string} instead
 * @property {string[]} tests
 * @property {string} [survives]  why nothing can notice it
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = join(root, 'build', 'mutants');
const LEAST_KILLED = 0.95;
const LIMIT_MS = 600_000;
/** What a test needs of the tree: no history, and no other builds. */
const NOT_COPIED = /^(\.git|build|node_modules)(\/|$)/;

const { values: options, positionals: wanted } = parseArgs({ options: { from: { type: 'string', default: '0' } }, allowPositionals: true });

/** @type {Fault[]} */
const faults = JSON.parse(readFileSync(join(root, 'tests', 'mutants', 'faults.json'), 'utf8'));

/** The tree as it is now, beside what an earlier run has built of it. */
function makeCopy() {
  mkdirSync(copy, { recursive: true });
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, filter: (path) => !NOT_COPIED.test(path.slice(root.length)) });
  if (!existsSync(join(copy, 'node_modules'))) symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const shared = process.env['TENSOR_ARENA_SHARED'] ?? join(root, '..', 'shared');
  return spawnSync(command, args, { cwd: copy, encoding: 'utf8', timeout: LIMIT_MS, maxBuffer: 1 << 28, env: { ...process.env, TENSOR_ARENA_SHARED: shared } });
}

/** Builds and runs those tests; what ended badly, or null. @param {readonly string[]} tests */
function fails(tests) {
  const built = run('make', ['-s', '-j2', 'test-build']);
  if (built.status !== 0) return 'it does not build';
  const tested = run(process.execPath, ['tests/run.js', ...tests]);
  return tested.status === 0 ? null : (/^FAIL (\S+)/m.exec(tested.stdout)?.[1] ?? 'the tests end badly');
}

/** The file with the fault in it. @param {Fault} fault @param {string} text */
function withFault({ file, line, instead }, text) {
  const [before, after, ...more] = text.split(line);
  if (after === undefined || more.length > 0) throw new Error(`${file} has ${more.length > 0 ? 'more than one' : 'no'} "${line}": mend faults.json`);
  return before + instead + after;
}

/** One fault in, the tests, the fault out. @param {Fault} fault */
function tryFault(fault) {
  const path = join(copy, fault.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, withFault(fault, text));
  try {
    return fails(fault.tests);
  } finally {
    writeFileSync(path, text);
  }
}

makeCopy();
const chosen = faults.filter(({ file }, i) => i >= Number(options.from) && (wanted.length === 0 || wanted.some((part) => file.includes(part))));
for (const fault of chosen) withFault(fault, readFileSync(join(copy, fault.file), 'utf8'));
const clean = fails([...new Set(chosen.flatMap(({ tests }) => tests))]);
if (clean !== null) throw new Error(`without any fault, ${clean}: nothing can be said`);

let killed = 0;
let contradicted = 0;
for (const [i, fault] of chosen.entries()) {
  const by = tryFault(fault);
  if (by !== null) killed++;
  const expected = (by === null) === (fault.survives !== undefined);
  if (!expected) contradicted++;
  console.log(`${by === null ? 'survived' : 'killed  '} ${i + 1}/${chosen.length} ${fault.file}: ${fault.line.trim()} -> ${fault.instead.trim()} ${by === null ? `(${fault.survives ?? 'no reason known'})` : `(${by})`}`);
}
console.log(`mutants: ${killed} of ${chosen.length} killed (${Math.floor((1000 * killed) / Math.max(chosen.length, 1)) / 10} %), ${contradicted} against what faults.json says`);
process.exitCode = killed < LEAST_KILLED * chosen.length || contradicted > 0 ? 1 : 0;

// Runs every test: the C programs (tests/c), then node:test over tests/node, tests/package and
// tests/page. Prints each failure in full and, as the very last line, `N passed, N failed`; a program that
// crashes or says nothing is a failure, and so is a run of no tests. Arguments narrow the run: each is a part
// of a path (`node tests/run.js arena page/`). `--variant NAME` takes the C programs from build/NAME.
//
// Tests that read the folder shared/ (tests/support/shared.js) are left out where it is missing, and named; where CI is
// set, that is a failure, unless the run is `--alone`: as in a clone with nothing beside it, whatever there is.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NEEDS_SHARED } from './support/shared.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const NODE_FOLDERS = ['tests/node', 'tests/package', 'tests/page'];
const C_LIMIT_MS = 300_000;
const NODE_LIMIT_MS = 600_000;
const CONCURRENCY = 2;
/** node:test's own totals, which these replace. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const { values: options, positionals: wanted } = parseArgs({
  options: { variant: { type: 'string', default: 'native' }, alone: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = (/** @type {string} */ path) => wanted.length === 0 || wanted.some((part) => path.includes(part));
const total = { passed: 0, failed: 0 };
/** The tests left out because they read shared/. @type {string[]} */
const leftOut = [];
if (options.alone) process.env.TENSOR_ARENA_SHARED = join(root, 'build', 'nothing-beside-it');

/** @param {string} folder @param {RegExp} pattern @returns {string[]} */
function list(folder, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Runs one C test program, which reports in TAP (CMOCKA_MESSAGE_OUTPUT), and counts its tests. */
function runProgram(/** @type {string} */ source) {
  const name = source.replace(/^.*\/|\.c$/g, '');
  const started = Date.now();
  const result = spawnSync(`build/${options.variant}/tests/${name}`, {
    encoding: 'utf8',
    env: { ...process.env, CMOCKA_MESSAGE_OUTPUT: 'TAP' },
    timeout: C_LIMIT_MS,
    maxBuffer: 1 << 26,
  });
  const lines = `${result.stdout ?? ''}`.split('\n');
  // What a C test leaves out is what reads shared/.
  const skipped = lines.filter((line) => / # SKIP/.test(line)).map((line) => line.replace(/^.* # SKIP */, ''));
  const passed = lines.filter((line) => /^\s*ok \d+/.test(line) && !/ # SKIP/.test(line)).length;
  const failed = lines.filter((line) => /^\s*not ok \d+/.test(line) && !/ # SKIP/.test(line)).length;
  // The plans (`1..n`) say how many tests there were to be: a program that stops half-way has not passed.
  const planned = lines.reduce((sum, line) => sum + Number(/^\s*1\.\.(\d+)/.exec(line)?.[1] ?? 0), 0);
  const ended = result.error ? result.error.message : result.signal ? `signal ${result.signal}` : `exit status ${result.status}`;
  const whole = result.status === 0 && planned > 0 && passed + failed + skipped.length === planned;
  const faults = whole ? failed : Math.max(1, failed);
  total.passed += passed;
  total.failed += faults;
  leftOut.push(...skipped.map((test) => `${source}: ${test}`));
  console.log(`${faults ? 'FAIL' : 'ok  '} ${source}: ${passed} passed, ${faults} failed (${Date.now() - started} ms)`);
  if (faults) console.log(`${result.stdout}${result.stderr}${name}: ${ended}, ${planned} tests announced\n`);
}

/** What a failed test has to say for itself. @param {any} details */
function explain(details) {
  const error = details?.error;
  const cause = error?.cause ?? error;
  return String(cause?.stack ?? cause?.message ?? cause ?? 'no reason given').replace(/^/gm, '    ');
}

/** Runs the node:test files, counting tests (not suites). @param {string[]} files */
function runNode(files) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      /** @type {Map<string, { passed: number, failed: number, leftOut: number }>} */
      const perFile = new Map(files.map((file) => [file, { passed: 0, failed: 0, leftOut: 0 }]));
      const stream = run({ files, concurrency: CONCURRENCY, timeout: NODE_LIMIT_MS });
      const output = (/** @type {{ message: string }} */ { message }) => process.stdout.write(message);
      const entry = (/** @type {any} */ data) => perFile.get(fileOf(data)) ?? { passed: 0, failed: 0, leftOut: 0 };
      stream.on('test:stdout', output);
      stream.on('test:stderr', output);
      stream.on('test:diagnostic', ({ message }) => {
        if (!SUMMARY.test(message)) console.log(`# ${message}`);
      });
      stream.on('test:pass', (data) => {
        if (isFile(data)) return;
        if (data.skip === NEEDS_SHARED) {
          leftOut.push(`${fileOf(data)}: ${data.name}`);
          entry(data).leftOut++;
        } else if (data.details?.type !== 'suite' && !data.skip && !data.todo) {
          total.passed++;
          entry(data).passed++;
        } else if (data.skip !== undefined || data.todo !== undefined) {
          total.failed++;
          entry(data).failed++;
          console.log(`FAIL ${fileOf(data)}: "${data.name}" is skipped; a test runs or is removed`);
        }
      });
      stream.on('test:fail', (data) => {
        // A suite or a file fails because of a test in it, which was counted, or for a reason of its own.
        if (/** @type {any} */ (data.details?.error)?.failureType === 'subtestsFailed') return;
        total.failed++;
        entry(data).failed++;
        console.log(`FAIL ${fileOf(data)}: ${data.name}\n${explain(data.details)}\n`);
      });
      stream.on('error', reject);
      stream.on('end', () => {
        for (const [file, count] of perFile) {
          const none = count.passed + count.failed + count.leftOut === 0;
          if (none) total.failed++;
          const mark = none || count.failed ? 'FAIL' : 'ok  ';
          console.log(`${mark} ${file}: ${count.passed} passed, ${count.failed} failed${none ? ' (ran no test)' : ''}`);
        }
        resolve();
      });
      stream.resume();
    })
  );
}

/** @param {any} data */
function fileOf(data) {
  return String(data.file ?? data.name ?? '').replace(root, '');
}

/** Is this the entry that node:test makes for a file as a whole? @param {any} data */
function isFile(data) {
  return data.nesting === 0 && fileOf({ name: data.name }) === fileOf(data) && /\.test\.js$/.test(data.name);
}

const programs = list('tests/c', /^test_.*\.c$/).filter(chosen);
const files = NODE_FOLDERS.flatMap((folder) => list(folder, /\.test\.js$/)).filter(chosen);
for (const source of programs) runProgram(source);
if (files.length > 0) await runNode(files);
if (total.passed + total.failed + leftOut.length === 0) {
  console.log('no test ran');
  total.failed = 1;
}
if (leftOut.length > 0) {
  console.log(leftOut.map((test) => `left out  ${test}\n`).join(''));
  if (process.env.CI && !options.alone) total.failed += leftOut.length;
  console.log(`${leftOut.length} tests left out: each reads the folder shared/ (TENSOR_ARENA_SHARED or ../shared), which does not lie beside this clone`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;

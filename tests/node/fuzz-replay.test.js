// The fuzzers' corpus, their seeds and the shared models once more, without a fuzzer: through the fuzz targets natively and in
// both wasm builds, and through the package with both library modules. Whatever a file is, the answer is an error with a code or a plan that is sound, and
// it comes within a second.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import '../support/keep-alive.js';
import { open, verify } from '../../wasm/index.js';
import { inputs, modelTargets, models, replay, replays, targets } from '../support/replay.js';
import { needsShared } from '../support/shared.js';

const LIMIT_MS = 1000;
/** Timers of a busy machine: what took longer is measured again before it counts as slow. */
const ATTEMPTS = 3;
for (const [build, command] of Object.entries(replays)) {
  for (const [target, files] of Object.entries(targets)) {
    test(`${build}: the fuzz target ${target} over ${files.length} files`, () => checkTarget(command, target, files));
  }
  for (const target of modelTargets) test(`${build}: the fuzz target ${target} over every real model`, needsShared, () => checkTarget(command, target, models));
}

/** @param {string[]} command @param {string} target @param {string[]} files */
function checkTarget(command, target, files) {
  const answers = replay(command, target, files);
  assert.equal(answers.length, files.length);
  let slow = answers.filter(({ ms }) => ms > LIMIT_MS);
  for (let i = 1; i < ATTEMPTS && slow.length > 0; i++) slow = replay(command, target, slow.map(({ file }) => file)).filter(({ ms }) => ms > LIMIT_MS);
  assert.deepEqual(slow, []);
}

/** Opens, describes, plans and reports; an error must be one of the package's. @param {WebAssembly.Module} wasm @param {Uint8Array} bytes */
async function answer(wasm, bytes) {
  /** @type {string[]} */
  const outcomes = [];
  const attempt = async (/** @type {() => unknown} */ what) => {
    try {
      await what();
      outcomes.push('ok');
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error);
      if (code === undefined || code === 'crashed') throw error;
      outcomes.push(code);
    }
  };
  await attempt(async () => {
    const model = await open(bytes, { wasm });
    assert.ok(Array.isArray(model.subgraphs) && Array.isArray(model.problems));
    const runtimes = model.kind === 'csv' ? ['none'] : model.kind === 'graph' ? ['tflite-2018', 'tflite'] : ['tflm', 'tflite', 'tflite-2018'];
    for (const runtime of /** @type {import('../../wasm/index.js').Runtime[]} */ (runtimes)) {
      await attempt(async () => {
        const planner = model.planner({ runtime, nodes: 500 });
        planner.plan();
        planner.execute();
        const report = planner.report();
        const verdict = await verify(report, { wasm });
        assert.ok(verdict.sound || report.status === 'overlapping' || report.status === 'unsound', `${runtime}: ${verdict.clashes[0]?.text}`);
      });
    }
  });
  return outcomes;
}

/** @type {Record<string, WebAssembly.Module>} */
const builds = {};
before(async () => {
  builds.emscripten = await WebAssembly.compile(readFileSync('dist/tensor_arena.wasm'));
  builds.wasi = await WebAssembly.compile(readFileSync('dist/tensor_arena-wasi.wasm'));
});

for (const build of ['emscripten', 'wasi']) {
  for (const [kind, files] of Object.entries(inputs)) {
    test(`${build}: the package over ${files.length} files of the kind ${kind}`, () => checkPackage(build, files));
  }
  test(`${build}: the package over every real model`, needsShared, () => checkPackage(build, models));
}

/** @param {string} build @param {string[]} files */
async function checkPackage(build, files) {
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(file));
    let ms = Infinity;
    for (let i = 0; i < ATTEMPTS && ms > LIMIT_MS; i++) {
      const start = performance.now();
      const outcomes = await answer(builds[build], bytes);
      ms = performance.now() - start;
      assert.ok(outcomes.length > 0, file);
    }
    assert.ok(ms <= LIMIT_MS, `${file} took ${Math.round(ms)} ms`);
  }
}

// The same input gives the same bytes on every target: each model, each vector's graph and random graphs, under
// each runtime and planner, through every build. Prints the matrix.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import '../support/keep-alive.js';
import { BUNDLED } from '../support/files.js';
import { engines } from '../support/matrix.js';
import { sample, tidyCases, wildCases } from '../support/random-graphs.js';
import { needsShared, sharedJson, sharedModels } from '../support/shared.js';

/** @typedef {import('../support/matrix.js').Request} Request */

/** Small, so that the search ends undecided often: that must be the same everywhere, too. */
const NODES = 2000;

/** @param {string[]} files @returns {Request[]} */
function modelRequests(files) {
  const choices = /** @type {const} */ ([
    { runtime: 'tflite-2018', planner: 'own' },
    { runtime: 'tflite', planner: 'own' },
    { runtime: 'tflm', planner: 'own' },
    { runtime: 'tflite', planner: 'linear' },
    { runtime: 'tflm', planner: 'optimal', nodes: NODES },
  ]);
  return files.flatMap((file) => {
    const input = new Uint8Array(readFileSync(file));
    return choices.map((options) => ({ label: `${basename(file)} ${options.runtime} ${options.planner}`, input, options }));
  });
}

/** @returns {Request[]} */
function vectorRequests() {
  return ['seed', 'tflite-2018', 'tflite'].flatMap((file) => {
    const runtime = file === 'tflite' ? /** @type {const} */ ('tflite') : /** @type {const} */ ('tflite-2018');
    /** @type {{ vectors: { name: string, graph: object }[] }} */
    const { vectors } = sharedJson(`golden/${file}.json`);
    return vectors.flatMap(({ name, graph }) => {
      const input = /** @type {import('../../wasm/index.js').Graph} */ ({ format: 'tensor-arena-graph', version: 1, ...graph });
      return [
        { label: `${file}: ${name}`, input, options: { runtime } },
        { label: `${file}: ${name}, optimal`, input, options: { runtime, planner: /** @type {const} */ ('optimal'), nodes: NODES } },
      ];
    });
  });
}

/** @returns {Request[]} */
function randomRequests() {
  return [...sample(tidyCases, 1, 500), ...sample(wildCases, 2, 500)].flatMap(({ graph }, i) => {
    const input = /** @type {import('../../wasm/index.js').Graph} */ ({ format: 'tensor-arena-graph', version: 1, ...graph });
    const label = `random graph ${i}`;
    return /** @type {Request[]} */ ([
      { label: `${label}, tflite-2018`, input, options: { runtime: 'tflite-2018' } },
      { label: `${label}, tflite`, input, options: { runtime: 'tflite' } },
      { label: `${label}, optimal`, input, options: { runtime: 'tflite', planner: 'optimal', nodes: NODES } },
    ]);
  });
}

/** Each build's answers are the reference's. @param {string} what @param {Request[]} requests */
async function compare(what, requests) {
  const [reference, ...others] = engines;
  assert.ok(reference && requests.length > 0, `${what}: nothing to compare`);
  const expected = await reference.answer(requests);
  assert.equal(expected.length, requests.length, `${reference.name} answered every request`);
  const plans = expected.filter((answer) => !answer.startsWith('error: ')).length;
  console.log(`${what}: ${requests.length} requests, ${plans} plans and ${requests.length - plans} errors by ${reference.name}`);
  assert.ok(plans > 0, `${what}: no plan at all`);
  /** @type {string[]} */
  const faults = [];
  for (const engine of others) {
    const answers = await engine.answer(requests);
    const different = requests.filter((_, i) => answers[i] !== expected[i]);
    console.log(`  ${engine.name.padEnd(12)} ${requests.length - different.length} identical, ${different.length} different`);
    for (const request of different.slice(0, 5)) {
      const i = requests.indexOf(request);
      faults.push(`${engine.name}, ${request.label}: ${firstDifference(String(expected[i]), String(answers[i]))}`);
    }
  }
  assert.deepEqual(faults, []);
}

/** @param {string} a @param {string} b */
function firstDifference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `byte ${at}: "${a.slice(Math.max(0, at - 20), at + 60)}" and "${b.slice(Math.max(0, at - 20), at + 60)}"`;
}

test('the bundled models give the same plans on every build', () => compare('bundled models', modelRequests(BUNDLED)));
test('every model gives the same plan on every build', needsShared, () => compare('models', modelRequests(sharedModels())));
test('every vector graph gives the same plan on every build', needsShared, () => compare('vectors', vectorRequests()));
test('1,000 random graphs give the same plans on every build', () => compare('random graphs', randomRequests()));

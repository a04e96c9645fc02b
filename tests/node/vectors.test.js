// The golden vectors, made by running the real planners, and the project's own, through every build, to the
// byte. golden/README.md says what is compared. The golden ones lie beside the repository.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import '../support/keep-alive.js';
import { engines } from '../support/engines.js';
import { needsShared, sharedPath } from '../support/shared.js';

/** @typedef {import('../../wasm/index.js').Graph} Graph */
/** @typedef {import('../../wasm/index.js').Operation} Operation */
/** @typedef {import('../support/engines.js').Answer} Answer */

/**
 * @typedef {object} Expected
 * @property {'ok' | 'error'} status
 * @property {string} [code]  the project's own vectors: which error
 * @property {string} [text]
 * @property {(number | null)[]} [offsets]
 * @property {number[]} [allocated]
 * @property {number} [arena]
 * @property {number} [persistent]
 *
 * @typedef {{ name: string, graph: Graph, plan: string, text?: string, steps: (Operation & { expect: Expected })[] }} Vector
 * @typedef {{ planner: 'tflite-2018' | 'tflite', vectors: Vector[] }} VectorFile
 */

const own = 'tests/vectors';

/** @param {Expected} expect @param {Answer} answer @param {string} where */
function compare(expect, answer, where) {
  assert.equal(answer.status === 'ok' ? 'ok' : 'error', expect.status, `${where}: ${answer.text ?? answer.status}`);
  if (expect.code !== undefined) assert.equal(answer.status, expect.code, where);
  if (expect.text !== undefined) assert.equal(answer.text, expect.text, where);
  if (expect.status === 'error') return;
  if (expect.arena !== undefined) assert.equal(answer.arena, expect.arena, `${where}: arena`);
  if (expect.persistent !== undefined) assert.equal(answer.persistent, expect.persistent, `${where}: persistent`);
  expect.offsets?.forEach((offset, tensor) => {
    if (expect.allocated?.[tensor] === 0) assert.equal(answer.offsets?.[tensor], null, `${where}: tensor ${tensor} has no place`);
    else if (offset !== null) assert.equal(answer.offsets?.[tensor], offset, `${where}: tensor ${tensor}`);
  });
}

/** @param {string} file @param {{ skip?: string | false }} options */
function testFile(file, options) {
  for (const engine of engines) {
    test(`the vectors of ${basename(file)} by ${engine.name}`, options, async () => {
      const { planner: runtime, vectors } = /** @type {VectorFile} */ (JSON.parse(readFileSync(file, 'utf8')));
      assert.ok(vectors.length > 0, `${file} has vectors`);
      for (const { name, plan, steps } of vectors)
        assert.ok(plan !== 'ok' || steps.some(({ expect }) => expect.offsets !== undefined || expect.status === 'error'), `${name} expects something`);
      for (const { name, graph, plan, text, steps } of vectors) {
        const answers = await engine.run(graph, [{ op: 'plan' }, ...steps], { runtime });
        assert.equal(answers[0]?.status, plan, `${name}: plan: ${answers[0]?.text}`);
        if (text !== undefined) assert.equal(answers[0]?.text, text, name);
        steps.forEach(({ op, expect }, i) => compare(expect, /** @type {Answer} */ (answers[i + 1]), `${name}, step ${i} (${op})`));
      }
    });
  }
}

for (const file of readdirSync(own).filter((name) => name.endsWith('.json'))) testFile(`${own}/${file}`, {});
for (const name of ['seed', 'tflite-2018', 'tflite']) testFile(sharedPath(`golden/${name}.json`), needsShared);

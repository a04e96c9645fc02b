// Firmware has its model as a C array: every door reads it as the .tflite it holds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';
import { temporaryFolder } from '../support/files.js';
import { buildModel } from '../support/model-builder.js';
import { needsShared, sharedPath } from '../support/shared.js';

const int8 = (/** @type {number} */ bytes) => ({ type: 'INT8', shape: [bytes] });
const relu = (/** @type {number} */ from, /** @type {number} */ to) => ({ op: 'RELU', inputs: [from], outputs: [to] });
const model = buildModel({ tensors: [int8(100), int8(60), int8(40)], operators: [relu(0, 1), relu(1, 2)], inputs: [0], outputs: [2] });

/** @param {Uint8Array} bytes @param {(byte: number) => string} [spell] */
const array = (bytes, spell = (byte) => `0x${byte.toString(16).padStart(2, '0')}`) => [...bytes].map(spell).join(', ').replace(/(.{70}[^,]*), /g, '$1,\n  ');

/** @type {Record<string, string>} */
const sources = {
  'xxd -i': `unsigned char model_tflite[] = {\n  ${array(model)}\n};\nunsigned int model_tflite_len = ${model.length};\n`,
  'xxd -i of a pipe': `  ${array(model)}\n`,
  'signed numbers, as TFLM itself has them': `#include "m.h"\nalignas(16) const signed char g_model[${model.length}] = {${array(model, (byte) => String((byte << 24) >> 24))},};\n`,
  'among other arrays': `const uint8_t image[] = {${array(new Uint8Array(2000))}};\nconst uint8_t m[] = {${array(model)}};\n`,
};

for (const [how, text] of Object.entries(sources))
  test(`${how}: every door answers as for the model itself`, async (t) => {
    const name = 'm';
    const [expected, given, asText] = [await open(model, { name }), await open(new TextEncoder().encode(text), { name }), await open(text, { name })];
    for (const read of [given, asText]) {
      assert.equal(read.kind, 'tflite');
      assert.deepEqual(read.subgraphs, expected.subgraphs);
      assert.deepEqual(read.size(), expected.size());
      assert.deepEqual((await read.writeOfflinePlan({ force: true })).bytes, (await expected.writeOfflinePlan({ force: true })).bytes);
    }
    const folder = temporaryFolder(t);
    for (const [file, content] of /** @type {const} */ ([['m.tflite', model], ['m.cc', text]])) writeFileSync(join(folder, file), content);
    /** @param {string} file */
    const answers = (file) =>
      [
        spawnSync(process.execPath, ['wasm/cli.js', 'size', join(folder, file)], { encoding: 'utf8' }),
        spawnSync('build/native/tensor-arena', ['--format', 'c', '--runtime', 'tflm'], { input: readFileSync(join(folder, file)), encoding: 'utf8' }),
      ].map(({ status, stdout, stderr }) => [status, stdout.replaceAll(file, 'm'), stderr]);
    assert.deepEqual(answers('m.cc'), answers('m.tflite'));
  });

test('the offline plan of a C array is checked', async () => {
  const { bytes } = await (await open(model)).writeOfflinePlan({ force: true });
  assert.ok(bytes);
  assert.equal((await verify(`char m[] = {${array(bytes)}};`)).sound, true);
});

test('a byte past the array counts in the model, not in the text', async () => {
  const cut = `char m[] = {${array(model.subarray(0, 40))}};`;
  const [expected, given] = await Promise.all([model.subarray(0, 40), cut].map((input) => open(input).catch((error) => error)));
  assert.equal(expected.code, 'truncated');
  assert.deepEqual([given.code, given.message], [expected.code, expected.message]);
});

test('C16: a reported array', needsShared, () => {
  const { status, stdout } = spawnSync(process.execPath, ['wasm/cli.js', 'size', sharedPath('cases/files/model_data.cc')], { encoding: 'utf8' });
  assert.match(stdout, /^model_data\.cc[^\n]*\nArena +[\d,]+ bytes/);
  assert.equal(status, 0);
});

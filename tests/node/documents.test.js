// Every example in the documents runs: JavaScript prints what its comments say, C compiles without a warning.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildModel } from '../support/model-builder.js';

const folder = 'build/documents';
const sample = 'selfie_segmentation.tflite';
mkdirSync(folder, { recursive: true });
for (const name of [sample, 'model.tflite']) copyFileSync(`node_modules/@mediapipe/selfie_segmentation/${sample}`, `${folder}/${name}`);

const tensor = { type: 'INT8', shape: [1, 16] };
writeFileSync(`${folder}/small.tflite`, buildModel({ tensors: [tensor, tensor], inputs: [0], outputs: [1], operators: [{ op: 'RELU', inputs: [0], outputs: [1] }] }));

for (const document of ['README.md', 'wasm/README.md']) {
  const examples = [...readFileSync(document, 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => String(code));
  assert.ok(examples.length > 0, `${document} has examples`);
  examples.forEach((code, i) => {
    test(`${document}, example ${i + 1}`, () => {
      const file = `${document.replace(/\W/g, '-')}-${i + 1}.mjs`;
      // Here the package is found by its own name, as it is where it is installed.
      writeFileSync(`${folder}/${file}`, code);
      const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }).trimEnd().split('\n').filter(Boolean);
      const expected = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
      assert.deepEqual(printed, expected);
    });
  });
}

/** Documents for readers; the changelog tells of what is gone. */
const documents = ['README.md', 'SECURITY.md', ...['c', 'docs', 'wasm', 'tests'].flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`))];

for (const document of documents)
  test(`${document}: every file that it mentions is there`, () => {
    const text = readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const mentioned = [...text.matchAll(/`((?:c|web|wasm|tests|tools|make|docs)\/[\w./-]+)`/g)].map(([, path]) => String(path));
    const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, path]) => join(dirname(document), String(path)));
    for (const path of [...mentioned, ...linked]) assert.ok(existsSync(path), `${document} mentions ${path}`);
  });

/** As README.md says: with every file of the core, or with the library that make builds. */
const ways = { 'its sources': ['-Ic/src', ...sources('c/src')], 'the library': ['build/native/libtensor_arena.a'] };

/** @param {string} root */
function sources(root) {
  return readdirSync(root, { recursive: true }).map((name) => `${root}/${name}`).filter((name) => name.endsWith('.c'));
}

for (const [way, core] of Object.entries(ways))
  test(`c/README.md, the example with ${way}`, () => {
    const [, code = ''] = /^```c\n([\s\S]*?)^```$/m.exec(readFileSync('c/README.md', 'utf8')) ?? [];
    writeFileSync(`${folder}/example.c`, code);
    execFileSync(process.env.CC ?? 'gcc', [
      ...['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Ic/include'],
      ...[`${folder}/example.c`, ...core, '-o', `${folder}/example`],
    ]);
    const printed = execFileSync(`${folder}/example`, [`${folder}/small.tflite`], { encoding: 'utf8' });
    assert.match(printed, /^\d+ bytes for \d+ buffers, proved smallest\nTFLM's own plan needs an arena of \d+\nbuffer \d+ lies at \d+\n$/);
  });

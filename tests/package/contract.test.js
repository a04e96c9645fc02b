// What the package promises to those who embed it, row by row, where a machine can see it in the package itself.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files.js';
import { installPacked, packedFiles, runScript } from '../support/packed.js';

const folder = installPacked();
const installed = join(folder, 'node_modules', 'tensor-arena');
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const graph = `{ tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }`;

/** The JavaScript that pages get, without comments. */
const sources = packedFiles()
  .filter((name) => /^wasm\/[^/]+\.js$/.test(name) && name !== 'wasm/cli.js')
  .map((name) => ({ name, text: readFileSync(name, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '') }));

test('the exports: types first, default last, each file there under its own name, no wildcards', () => {
  for (const [name, target] of Object.entries(manifest.exports)) {
    assert.doesNotMatch(name, /\*/);
    const files = typeof target === 'string' ? [target] : Object.values(target);
    for (const file of files) assert.ok(existsSync(join(installed, file)), `${name}: ${file}`);
    if (typeof target === 'string') assert.equal(name.split('/').at(-1), target.split('/').at(-1));
    else assert.deepEqual([Object.keys(target)[0], Object.keys(target).at(-1)], ['types', 'default']);
  }
  assert.ok('./package.json' in manifest.exports);
  assert.deepEqual(Object.keys(manifest.exports).filter((name) => name.endsWith('.wasm')).length, 3);
  assert.deepEqual(Object.keys(manifest.imports['#source']), ['node', 'default']);
  assert.equal(manifest.type, 'module');
  assert.equal(manifest.sideEffects, false);
  assert.equal(manifest.engines.node, '>=20.19');
  assert.equal(manifest.dependencies, undefined);
  for (const script of ['preinstall', 'install', 'postinstall']) assert.equal(manifest.scripts?.[script], undefined, script);
});

test('the tarball has licence, changes and build, and neither tests nor source maps', () => {
  const files = packedFiles();
  for (const wanted of ['LICENSE', 'CHANGELOG.md', 'README.md', 'dist/BUILDINFO.json']) assert.ok(files.includes(wanted), wanted);
  assert.deepEqual(files.filter((name) => /\.map$|\.test\.|^tests\/|\.c$/.test(name)), []);
});

test('BUILDINFO says what was built: versions of the tools, the boundary, each wasm with its hash', () => {
  const info = JSON.parse(readFileSync(join(installed, 'dist', 'BUILDINFO.json'), 'utf8'));
  const build = readFileSync(join(installed, 'dist', 'build.js'), 'utf8');
  assert.equal(info.version, manifest.version);
  assert.match(build, new RegExp(`ABI = ${info.abi};`));
  assert.match(build, new RegExp(`BUILD_ID = '${info.buildId}'`));
  for (const tool of ['emscripten', 'wasi', 'binaryen']) assert.match(info.tools[tool], /\d+\.\d+|version \d+/, tool);
  assert.equal(info.files.length, 3);
  for (const { name, bytes, sha256 } of info.files) {
    const file = readFileSync(join(installed, 'dist', name));
    assert.deepEqual([file.length, createHash('sha256').update(file).digest('hex')], [bytes, sha256], name);
  }
});

test('both library modules: no imports, at most 1 GiB, what every browser since 2021 knows', () => {
  for (const name of ['tensor_arena.wasm', 'tensor_arena-wasi.wasm']) {
    const file = join(installed, 'dist', name);
    const module = new WebAssembly.Module(readFileSync(file));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    assert.match(execFileSync('wasm-objdump', ['-x', '-j', 'memory', file], { encoding: 'utf8' }), /pages: initial=[1-9] max=16384/);
    execFileSync('wasm-validate', ['--disable-simd', '--disable-reference-types', '--disable-saturating-float-to-int', '--disable-multi-value', file]);
  }
});

test('no file asks for what pages and bundlers stumble over', () => {
  for (const { name, text } of sources) {
    assert.doesNotMatch(text, /\bimport\b[^\n]*\.wasm['"]/, `${name}: a wasm as a module`);
    assert.doesNotMatch(text, /SharedArrayBuffer|\bAtomics\b|\bblob:|createObjectURL/, name);
    assert.doesNotMatch(text, /https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)/, `${name}: an address of its own`);
    assert.doesNotMatch(text, /^(const|let|var)[^=;\n]*=\s*await\b|^await\b/m, `${name}: a top-level await`);
  }
  const urls = sources.filter(({ text }) => /new URL\('\.\.\/dist\/tensor_arena\.wasm', import\.meta\.url\)/.test(text)).map(({ name }) => name);
  assert.deepEqual(urls, ['wasm/index.js', 'wasm/web.js'], 'the literal that bundlers look for');
});

test('importing fetches and compiles nothing; Node reads its own file and never fetches it', () => {
  const source = `const calls = [];
for (const name of ['compile', 'instantiate', 'Module']) {
  const original = WebAssembly[name];
  WebAssembly[name] = name === 'Module' ? original : (...args) => (calls.push(name), original(...args));
}
globalThis.fetch = () => (calls.push('fetch'), Promise.reject(new Error('no network')));
const { open } = await import('tensor-arena');
await import('tensor-arena/inline');
await import('tensor-arena/web');
calls.push('imported');
await open(${graph});
await open(${graph});
console.log(calls.join());`;
  assert.equal(runScript(folder, 'quiet.js', source), 'imported,compile,instantiate,instantiate');
});

test('results are copies: what a caller does to them changes nothing, and no view of the memory leaves', () => {
  const source = `import { open } from 'tensor-arena';
const model = await open(${graph});
const planner = model.planner();
planner.plan();
planner.execute();
const seen = () => JSON.stringify([planner.report(), planner.layout(), planner.summary(), model.subgraphs, model.tensors, model.nodes, model.problems]);
const before = seen();
for (const values of Object.values(planner.layout())) if (ArrayBuffer.isView(values)) {
  if (values.buffer.byteLength > 64) console.log('a view of', values.buffer.byteLength, 'bytes');
  values.fill(7);
}
planner.report().buffers.length = 0;
planner.summary().arenaBytes = 1;
const clone = structuredClone([planner.report(), planner.layout(), planner.summary(), model.subgraphs, model.problems]);
console.log(seen() === before, JSON.stringify(clone[0]) === JSON.stringify(planner.report()));`;
  assert.equal(runScript(folder, 'copies.js', source), 'true true');
});

test('a wasm of another ABI is refused in a sentence that names both', (t) => {
  const text = join(temporaryFolder(t), 'other.wat');
  writeFileSync(text, '(module (memory (export "memory") 1) (func (export "abi") (result i32) i32.const 99) (func (export "build_id") (result i32) i32.const 0))');
  execFileSync('wat2wasm', [text, '-o', join(folder, 'abi.wasm')]);
  const source = `import { open } from 'tensor-arena';
await open(${graph}, { wasm: new URL('abi.wasm', import.meta.url) }).catch(({ code, message }) => console.log(code, message));`;
  assert.match(runScript(folder, 'abi.js', source), /^wasm-mismatch the wasm file has ABI 99 and this JavaScript ABI \d+: use both from one release\.$/);
});

test('what is not built, or was built of other sources, is not packed', (t) => {
  const copy = temporaryFolder(t);
  for (const part of ['tools', 'c', 'wasm', 'package.json', 'make', 'Makefile']) cpSync(part, join(copy, part), { recursive: true });
  const pack = () => spawnSync(process.execPath, ['tools/fresh.js'], { cwd: copy, encoding: 'utf8' });
  assert.match(pack().stderr, /^nothing is built: run make package page first/);
  for (const file of ['build.js', 'layouts.js', 'words.js']) cpSync(`dist/${file}`, join(copy, 'dist', file));
  assert.match(pack().stderr, /^the page is not built: /);
  for (const part of ['page', 'tensor_arena.wasm']) cpSync(join('dist', part), join(copy, 'dist', part), { recursive: true });
  assert.equal(pack().status, 0, pack().stderr);
  writeFileSync(join(copy, 'dist', 'tensor_arena.wasm'), 'another');
  assert.match(pack().stderr, /^the page holds another build: /);
  writeFileSync(join(copy, 'wasm', 'entry.js'), `${readFileSync(join(copy, 'wasm', 'entry.js'), 'utf8')}\n// changed`);
  const { status, stderr } = pack();
  assert.equal(status, 1);
  assert.match(stderr, /^dist\/ holds build \w+, the sources are build \w+: run make package page first/);
});

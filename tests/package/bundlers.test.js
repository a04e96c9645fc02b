// The installed package through esbuild and Vite, and its types through each way TypeScript resolves packages.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { installPacked, lend } from '../support/packed.js';

const folder = installPacked();

const use = `
export async function arena(options) {
  const model = await open({ tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }, options);
  const planner = model.planner();
  planner.plan();
  planner.execute();
  return planner.layout().arenaBytes;
}`;

/**
 * @param {string} name
 * @param {string} source
 * @param {import('esbuild').BuildOptions} options
 */
async function bundle(name, source, options) {
  const entry = join(folder, `${name}.js`);
  const outfile = join(folder, 'out', `${name}.js`);
  writeFileSync(entry, source);
  const result = await esbuild({ entryPoints: [entry], outfile, absWorkingDir: folder, bundle: true, format: 'esm', logLevel: 'silent', metafile: true, ...options });
  assert.deepEqual(result.warnings, []);
  return { outfile, inputs: Object.keys(/** @type {import('esbuild').Metafile} */ (result.metafile).inputs) };
}

/** @param {string} file @param {string} [argument] */
function runBundle(file, argument = '') {
  const script = `const { arena } = await import(${JSON.stringify(file)}); console.log(await arena(${argument}));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

test('esbuild for browsers: nothing of Node is in it, and it runs with the wasm beside it', async () => {
  const { outfile, inputs } = await bundle('browser', `import { open } from 'tensor-arena';${use}`, { platform: 'browser', minify: true });
  assert.ok(!inputs.some((name) => name.includes('source-node') || name.includes('inline')), inputs.join());
  const text = readFileSync(outfile, 'utf8');
  assert.doesNotMatch(text, /["']node:|\brequire\(/);
  assert.match(text, /new URL\(["'`]\.\.\/dist\/tensor_arena\.wasm["'`], ?import\.meta\.url\)/);
  const wasm = join(folder, 'out', 'core.wasm');
  copyFileSync('dist/tensor_arena.wasm', wasm);
  assert.equal(runBundle(outfile, `{ wasm: (await import('node:fs')).readFileSync(${JSON.stringify(wasm)}) }`), '160');
});

test('esbuild for Node reads the file', async () => {
  const { outfile, inputs } = await bundle('node', `import { open } from 'tensor-arena';${use}`, { platform: 'node' });
  assert.ok(inputs.some((name) => name.includes('source-node')));
  assert.equal(runBundle(outfile, `{ wasm: new URL(${JSON.stringify(new URL('../../dist/tensor_arena.wasm', import.meta.url).href)}) }`), '160');
});

test('esbuild to a format without import.meta.url: a sentence, and the wasm can be handed in', async () => {
  const entry = join(folder, 'old.js');
  const outfile = join(folder, 'out', 'old.cjs');
  writeFileSync(entry, `import { open } from 'tensor-arena';${use}`);
  await esbuild({ entryPoints: [entry], outfile, absWorkingDir: folder, bundle: true, format: 'cjs', platform: 'node', logLevel: 'silent' });
  const script = (/** @type {string} */ argument) => `require(${JSON.stringify(outfile)}).arena(${argument}).then(console.log, ({ code, message }) => console.log(code, message))`;
  const said = execFileSync(process.execPath, ['-e', script('')], { encoding: 'utf8' });
  assert.match(said, /^wasm-unavailable this bundle does not know where its files lie.* bundle as an ES module, hand the wasm in as the option wasm, or import tensor-arena\/inline\.$/m);
  const wasm = JSON.stringify(fileURLToPath(new URL('../../dist/tensor_arena.wasm', import.meta.url)));
  assert.equal(execFileSync(process.execPath, ['-e', script(`{ wasm: require('node:fs').readFileSync(${wasm}) }`)], { encoding: 'utf8' }).trim(), '160');
});

test('esbuild with the inline entry: one file that needs no other', async () => {
  const { outfile } = await bundle('inlined', `import { open } from 'tensor-arena/inline';${use}`, { platform: 'browser' });
  assert.equal(runBundle(outfile), '160');
});

test('esbuild with the wasm imported as bytes', async () => {
  const source = `import wasm from 'tensor-arena/tensor_arena.wasm';
import { open as openWith } from 'tensor-arena';
const open = (input, options) => openWith(input, { wasm, ...options });${use}`;
  const { outfile } = await bundle('binary', source, { platform: 'browser', loader: { '.wasm': 'binary' }, target: 'es2022' });
  assert.equal(runBundle(outfile), '160');
});

test('what is not used is not in the bundle', async () => {
  const { outfile } = await bundle('errors', `export { InputError } from 'tensor-arena';`, { platform: 'browser', minify: true });
  const bytes = readFileSync(outfile).length;
  assert.ok(bytes < 1200, `importing only an error class costs ${bytes} bytes`);
});

test('a Vite build carries the wasm as a file of its own', async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>');
  writeFileSync(join(folder, 'page.js'), `import { open } from 'tensor-arena';${use}\narena().then((bytes) => { document.title = String(bytes); });`);
  await vite({ root: folder, configFile: false, logLevel: 'silent', base: './', build: { outDir: 'vite', assetsInlineLimit: 0 } });
  const assets = readdirSync(join(folder, 'vite', 'assets'));
  const wasm = assets.find((name) => name.endsWith('.wasm'));
  assert.ok(wasm, assets.join());
  assert.deepEqual(readFileSync(join(folder, 'vite', 'assets', wasm)), readFileSync('dist/tensor_arena.wasm'));
  const script = readFileSync(join(folder, 'vite', 'assets', String(assets.find((name) => name.endsWith('.js')))), 'utf8');
  assert.ok(script.includes(wasm), 'the script names the file');
  assert.doesNotMatch(script, /["'`]node:/);
});

const consumer = `import { open, verify, InputError, TensorArenaError, type Graph, type Plan, type Planner } from 'tensor-arena';
import { open as openInline } from 'tensor-arena/inline';
import { open as openWeb } from 'tensor-arena/web';

const graph: Graph = { tensors: [{ bytes: 12, type: 'arena_rw' }], nodes: [], inputs: [0], outputs: [0] } as const;
export async function use(bytes: Uint8Array): Promise<number> {
  const models = [await open(bytes, { name: 'x' }), await openInline(graph), await openWeb('id,lower,upper,size')];
  const planner: Planner = models[0]!.planner({ runtime: 'tflm', planner: 'optimal', budget: 98304 });
  planner.plan();
  const { done } = await planner.solve({ nodes: 10, signal: AbortSignal.timeout(5), onProgress: ({ arenaBytes }) => arenaBytes });
  const plan: Plan = planner.report();
  for (const buffer of plan.buffers) {
    if (buffer.kind === 'scratch') buffer.node.toFixed();
    else if ('id' in buffer) buffer.id.trim();
    else buffer.tensor.toFixed();
    // @ts-expect-error results are not to be changed
    buffer.bytes = 1;
  }
  try {
    const verdict = await verify(plan);
    return verdict.clashes[0]?.bytes[0] ?? Number(done);
  } catch (error) {
    if (error instanceof InputError) return error.place.byte ?? 0;
    if (error instanceof TensorArenaError && error.code === 'crashed') return 1;
    throw error;
  }
}
// @ts-expect-error there is no such runtime
void open(graph).then((model) => model.planner({ runtime: 'tflite-2017' }));
`;

for (const [module, resolution] of /** @type {const} */ ([['node16', 'node16'], ['nodenext', 'nodenext'], ['esnext', 'bundler']]))
  test(`the types resolve and hold under ${resolution}`, () => {
    writeFileSync(join(folder, 'consumer.ts'), consumer);
    const config = join(folder, `tsconfig.${resolution}.json`);
    const compilerOptions = { module, moduleResolution: resolution, target: 'es2022', lib: ['es2023', 'dom'], types: [], strict: true, skipLibCheck: false, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const { stdout, status } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', config], { encoding: 'utf8' });
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

test('no type is left open', () => {
  const types = readFileSync('wasm/index.d.ts', 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  assert.doesNotMatch(types.replace(/'[\w-]+'/g, ''), /\bany\b/); // a word between quotes is no type
  for (const line of types.split('\n')) if (/^ {2}\w+\??: /.test(line)) assert.fail(`"${line.trim()}" is not readonly`);
});

test('publint has nothing to say', async () => {
  lend(folder, 'publint');
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: join(folder, 'node_modules', 'tensor-arena'), pack: false });
  assert.deepEqual(messages, []);
});

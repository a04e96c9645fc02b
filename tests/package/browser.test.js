// The installed package in real Chromium, under a strict policy: from its own files, from a Vite build, in a worker,
// with servers that send the wasm as they should and as they should not.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { installPacked } from '../support/packed.js';
import { serve } from '../support/static.js';

const POLICY = "default-src 'none'; img-src data:; connect-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const WASM = '/node_modules/tensor-arena/dist/tensor_arena.wasm';

const folder = installPacked();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
after(() => browser.close());

const use = `
async function arena(options) {
  const model = await open({ tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }, options);
  const planner = model.planner();
  planner.plan();
  await planner.solve();
  return planner.layout().arenaBytes;
}`;
const show = `.then((bytes) => { document.title = 'arena ' + bytes; }, (error) => { document.title = error.code + ': ' + error.message; });`;
const from = './node_modules/tensor-arena/wasm/web.js';

/** @param {string} name @param {string} script */
function page(name, script) {
  writeFileSync(join(folder, `${name}.js`), script);
  writeFileSync(join(folder, `${name}.html`), `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="./${name}.js"></script>`);
}

/**
 * Opens a page and waits until it has said something in its title.
 * @param {import('node:test').TestContext} t
 * @param {string} path
 * @param {Parameters<typeof serve>[1]} [options]
 */
async function visit(t, path, options) {
  const server = await serve(folder, { csp: POLICY, ...options });
  t.after(() => server.close());
  const tab = await browser.newPage();
  t.after(() => tab.close());
  /** @type {string[]} */
  const messages = [];
  tab.on('console', (message) => void messages.push(`${message.type()}: ${message.text()}`));
  tab.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  await tab.goto(`${server.url}/${path}`);
  // Not by waitForFunction, which evaluates a text, as the policy forbids.
  for (const until = Date.now() + 30_000; (await tab.title()) === '' && Date.now() < until; ) await tab.waitForTimeout(20);
  const title = (await tab.title()).replaceAll(server.url, 'SERVER');
  return { title, messages: messages.map((message) => message.replaceAll(server.url, 'SERVER')) };
}

page('plain', `import { open } from '${from}';${use}\narena()${show}`);

test('a page without a bundler', async (t) => {
  assert.deepEqual(await visit(t, 'plain.html'), { title: 'arena 160', messages: [] });
});

test('a server that sends the wasm with another type: it works, with one warning', async (t) => {
  page('twice', `import { open } from '${from}';${use}\nconst wasm = new URL('${WASM}', location.href);\narena({ wasm }).then(() => arena({ wasm }))${show}`);
  const { title, messages } = await visit(t, 'twice.html', { answer: (path) => (path === WASM ? { type: 'application/octet-stream' } : undefined) });
  assert.equal(title, 'arena 160');
  assert.equal(messages.length, 1, messages.join());
  assert.match(String(messages[0]), /^warning: tensor-arena: .* is served as application\/octet-stream; serve it as application\/wasm/);
});

test('a server that sends a page instead', async (t) => {
  const answer = (/** @type {string} */ path) => (path === WASM ? { type: 'text/html', body: '<!doctype html><title>app</title>' } : undefined);
  assert.equal((await visit(t, 'plain.html', { answer })).title, `wasm-unavailable: got an HTML page from SERVER${WASM}, not the wasm file: check the path.`);
});

test('a server that has no such file', async (t) => {
  const answer = (/** @type {string} */ path) => (path === WASM ? { status: 404, type: 'text/html', body: 'no' } : undefined);
  assert.match((await visit(t, 'plain.html', { answer })).title, /^wasm-unavailable: SERVER.* answered 404/);
});

test('a policy without wasm-unsafe-eval is said in a sentence', async (t) => {
  const { title } = await visit(t, 'plain.html', { csp: "default-src 'none'; connect-src 'self'; script-src 'self'" });
  assert.match(title, /^wasm-unavailable: .*could not be compiled.*script-src have 'wasm-unsafe-eval'/);
});

test('a worker takes the compiled module from the page', async (t) => {
  writeFileSync(join(folder, 'worker.js'), `import { open } from '${from}';${use}\nonmessage = async ({ data }) => postMessage(await arena({ wasm: data }));`);
  page(
    'workers',
    `const module = await WebAssembly.compileStreaming(fetch('${WASM}'));
const worker = new Worker('./worker.js', { type: 'module' });
worker.onmessage = ({ data }) => { document.title = 'arena ' + data; };
worker.postMessage(module);`,
  );
  assert.deepEqual(await visit(t, 'workers.html'), { title: 'arena 160', messages: [] });
});

test('in a sandboxed frame, which may fetch nothing, the inline entry needs no other file', async (t) => {
  writeFileSync(join(folder, 'framed-entry.js'), `import { open } from 'tensor-arena/inline';${use}\narena().then((bytes) => parent.postMessage('arena ' + bytes, '*'), (error) => parent.postMessage(error.message, '*'));`);
  await esbuild({ entryPoints: [join(folder, 'framed-entry.js')], outfile: join(folder, 'framed.js'), absWorkingDir: folder, bundle: true, format: 'iife', platform: 'browser', logLevel: 'silent', minify: true });
  writeFileSync(join(folder, 'framed.html'), '<!doctype html><meta charset="utf-8"><script src="./framed.js"></script>');
  writeFileSync(join(folder, 'sandbox.js'), `onmessage = ({ data }) => { document.title = data; };`);
  writeFileSync(join(folder, 'sandbox.html'), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="./sandbox.js"></script><iframe sandbox="allow-scripts" src="./framed.html"></iframe>');
  const csp = "default-src 'none'; img-src data:; frame-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  assert.deepEqual(await visit(t, 'sandbox.html', { csp }), { title: 'arena 160', messages: [] });
});

test('a Vite build, its wasm a file and inlined', async (t) => {
  for (const entry of ['tensor-arena', 'tensor-arena/inline']) {
    const name = `built-${entry.length}`;
    page(name, `import { open } from '${entry}';${use}\narena()${show}`);
    await vite({ root: folder, configFile: false, logLevel: 'silent', base: './', build: { outDir: name, assetsInlineLimit: 0, modulePreload: false, rollupOptions: { input: join(folder, `${name}.html`) } } });
    assert.deepEqual(await visit(t, `${name}/${name}.html`), { title: 'arena 160', messages: [] }, entry);
  }
});

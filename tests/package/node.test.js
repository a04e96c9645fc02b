// The installed package in Node: the ways in, the sources of the wasm, and that models do not touch each other.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { installPacked, packedFiles, runScript } from '../support/packed.js';
import { withTrap } from '../support/trap.js';

const snapshot = 'tests/package/files.txt';
const folder = installPacked();

const graph = `{ tensors: [{ bytes: 100 }, { bytes: 60 }], nodes: [{ inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }`;
const use = `
const model = await open(${graph}, options);
const planner = model.planner();
planner.plan();
planner.execute();
console.log(planner.layout().arenaBytes);`;

test('the tarball holds what the snapshot says', () => {
  const files = packedFiles();
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(snapshot, `${files.join('\n')}\n`);
  assert.deepEqual(files, readFileSync(snapshot, 'utf8').trimEnd().split('\n'), 'UPDATE_SNAPSHOTS=1 writes a new one');
});

test('import', () => {
  assert.equal(runScript(folder, 'import.js', `import { open } from 'tensor-arena'; const options = {};${use}`), '160');
});

test('require, which takes no module with a top-level await', () => {
  const source = `const { open } = require('tensor-arena'); const options = {}; (async () => {${use}})();`;
  assert.equal(runScript(folder, 'require.cjs', source), '160');
});

test('the inline entry needs no file', () => {
  assert.equal(runScript(folder, 'inline.js', `import { open } from 'tensor-arena/inline'; const options = {};${use}`), '160');
});

test('the web entry loads in Node, too, when it is handed the wasm', () => {
  const source = `import { readFileSync } from 'node:fs';
import { open } from 'tensor-arena/web';
const wasm = readFileSync(new URL(import.meta.resolve('tensor-arena/tensor_arena.wasm')));
const options = { wasm };${use}`;
  assert.equal(runScript(folder, 'web.js', source), '160');
});

test('the wasm as bytes, module, file URL, text of a URL and function', () => {
  const source = `import { readFileSync } from 'node:fs';
import { open } from 'tensor-arena';
const url = new URL(import.meta.resolve('tensor-arena/tensor_arena.wasm'));
const bytes = readFileSync(url);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const module = await WebAssembly.compile(bytes);
for (const wasm of [bytes, buffer, module, url, url.href, () => url, async () => module]) {
  const options = { wasm };${use}
}`;
  assert.equal(runScript(folder, 'sources.js', source), Array(7).fill('160').join('\n'));
});

test('at once, from bytes or a module that are there', () => {
  const source = `import { readFileSync } from 'node:fs';
import { openSync } from 'tensor-arena';
const bytes = readFileSync(new URL(import.meta.resolve('tensor-arena/tensor_arena.wasm')));
for (const wasm of [bytes, new WebAssembly.Module(bytes), undefined, 'x.wasm'])
  try {
    const planner = openSync(${graph}, { wasm }).planner();
    planner.plan();
    planner.execute();
    console.log(planner.layout().arenaBytes);
  } catch (error) {
    console.log(error.code);
  }`;
  assert.equal(runScript(folder, 'sync.js', source), '160\n160\nwasm-unavailable\nwasm-unavailable');
});

test('a worker thread takes the compiled module', () => {
  writeFileSync(
    join(folder, 'worker.js'),
    `import { workerData, parentPort } from 'node:worker_threads';
import { open } from 'tensor-arena';
const model = await open(${graph}, { wasm: workerData });
const planner = model.planner();
planner.plan();
planner.execute();
parentPort.postMessage({ layout: planner.layout(), plan: planner.report(), problems: model.problems });`,
  );
  const source = `import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
const module = await WebAssembly.compile(readFileSync(new URL(import.meta.resolve('tensor-arena/tensor_arena.wasm'))));
const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: module });
worker.on('message', ({ layout, plan }) => console.log(layout.arenaBytes, plan.arena_bytes));`;
  assert.equal(runScript(folder, 'main.js', source), '160 160');
});

test('over HTTP: with the right type, with a wrong one, a page instead, nothing there', async (t) => {
  const wasm = readFileSync('dist/tensor_arena.wasm');
  const server = createServer((request, response) => {
    const types = /** @type {Record<string, string>} */ ({ '/right': 'application/wasm', '/wrong': 'text/plain', '/page': 'text/html' });
    const type = types[String(request.url)];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/html' });
    response.end(request.url === '/page' ? '<!doctype html><title>not here</title>' : type ? wasm : 'no');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  writeFileSync(
    join(folder, 'http.js'),
    `import { open } from 'tensor-arena';
for (const path of ['right', 'wrong', 'wrong', 'page', 'nothing']) {
  try {
    const options = { wasm: new URL('http://127.0.0.1:${port}/' + path) };${use}
  } catch (error) {
    console.log(error.code, error.message.replace(/:\\d+/, ''));
  }
}`,
  );
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['http.js'], { cwd: folder });
  assert.deepEqual(stdout.trim().split('\n'), [
    '160',
    '160',
    '160',
    'wasm-unavailable got an HTML page from http://127.0.0.1/page, not the wasm file: check the path.',
    'wasm-unavailable http://127.0.0.1/nothing answered 404 Not Found: put tensor_arena.wasm there, hand the wasm in as the option wasm, or import tensor-arena/inline.',
  ]);
  assert.equal(stderr.match(/is served as text\/plain; serve it as application\/wasm/g)?.length, 1, 'warns once');
});

test('a wasm of another build, or of another program, is refused in a sentence', () => {
  const wasm = readFileSync('dist/tensor_arena.wasm');
  const id = /BUILD_ID = '(\w+)'/.exec(readFileSync('dist/build.js', 'utf8'))?.[1] ?? '';
  const at = wasm.indexOf(id);
  assert.ok(id.length > 0 && at > 0);
  wasm.write('0'.repeat(id.length), at);
  writeFileSync(join(folder, 'other.wasm'), wasm);
  writeFileSync(join(folder, 'empty.wasm'), Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  writeFileSync(join(folder, 'text.wasm'), 'hello');
  const source = `import { open } from 'tensor-arena';
for (const name of ['other', 'empty', 'text', 'missing'])
  try {
    await open(${graph}, { wasm: new URL(name + '.wasm', import.meta.url) });
  } catch (error) {
    console.log(error.name, error.code, error.message.replace(/file:\\S*\\//, ''));
  }`;
  assert.deepEqual(runScript(folder, 'mismatch.js', source).split('\n'), [
    `LoadError wasm-mismatch the wasm file is of build ${'0'.repeat(id.length)} and this JavaScript of build ${id}: use both from one release.`,
    'LoadError wasm-mismatch this wasm file is not the core of tensor-arena.',
    'LoadError wasm-unavailable what came from text.wasm is no wasm file (5 bytes).',
    'LoadError wasm-unavailable missing.wasm could not be read: put tensor_arena.wasm there, hand the wasm in as the option wasm, or import tensor-arena/inline.',
  ]);
});

test('a trap takes one model with it, and no other', () => {
  writeFileSync(join(folder, 'trap.wasm'), withTrap(readFileSync('dist/tensor_arena.wasm'), 'execute'));
  const source = `import { readFileSync } from 'node:fs';
import { open } from 'tensor-arena';
const module = await WebAssembly.compile(readFileSync('trap.wasm'));
const graph = ${graph};
const fine = (await open(graph)).planner();
const bad = await open(graph, { wasm: module });
const planner = bad.planner();
planner.plan();
for (const call of [() => planner.execute(), () => planner.reset(), () => bad.planner(), () => bad.problems])
  try {
    call();
  } catch (error) {
    console.log(error.name, error.code);
  }
fine.plan();
fine.execute();
const other = (await open(graph, { wasm: module })).planner();
other.plan();
console.log(fine.layout().arenaBytes, other.layout().arenaBytes);`;
  assert.deepEqual(runScript(folder, 'trap.js', source).split('\n'), [...Array(4).fill('CrashError crashed'), '160 0']);
});

test('10,000 opens leave memory flat', () => {
  const source = `import { open } from 'tensor-arena';
const graph = ${graph};
const used = [];
for (let i = 1; i <= 10_000; i++) {
  const planner = (await open(graph)).planner();
  planner.plan();
  planner.execute();
  if (i % 2500 === 0) {
    // What one collection finds unused, finalizers let go of, and the next collects.
    for (let round = 0; round < 8; round++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    used.push({ rss, heap: heapUsed + external + arrayBuffers });
  }
}
console.log(JSON.stringify(used));`;
  const used = /** @type {{ rss: number, heap: number }[]} */ (JSON.parse(runScript(folder, 'many.js', source, ['--expose-gc'])));
  const mib = used.map(({ rss, heap }) => `${(rss / 2 ** 20).toFixed(0)}/${(heap / 2 ** 20).toFixed(1)}`);
  console.log(`resident/heap MiB after each 2,500 opens: ${mib.join(', ')}`);
  const [first, , , last] = used;
  assert.ok(first && last);
  assert.ok(last.heap - first.heap < 2 ** 20, 'the heap grows by less than 1 MiB over 7,500 opens');
  assert.ok(last.rss - first.rss < 32 * 2 ** 20, 'the process grows by less than 32 MiB over 7,500 opens');
});

test('while the wasm is awaited, a timer keeps the event loop turning, and none is left', () => {
  const source = `let timers = 0;
const { setInterval: start, clearInterval: stop } = globalThis;
globalThis.setInterval = (...args) => (timers++, start(...args));
globalThis.clearInterval = (timer) => (timers--, stop(timer));
const seen = [];
for (const name of ['compile', 'instantiate']) {
  const original = WebAssembly[name];
  WebAssembly[name] = (...args) => original(...args).finally(() => seen.push(name + ' ' + timers));
}
const { open } = await import('tensor-arena');
await open(${graph});
console.log(seen.join(), timers);`;
  assert.equal(runScript(folder, 'timers.js', source), 'compile 1,instantiate 1 0');
});

test('planners that nobody holds are given back: 3,000 on one model leave its memory flat', () => {
  const source = `import { open } from 'tensor-arena';
const model = await open({ tensors: Array(2000).fill({ bytes: 100 }), nodes: [], inputs: [], outputs: [] });
const used = [];
for (let i = 1; i <= 3000; i++) {
  model.planner().plan();
  if (i % 1000 === 0) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
    used.push(process.memoryUsage().external + process.memoryUsage().arrayBuffers);
  } else if (i % 100 === 0) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
console.log(JSON.stringify(used));`;
  const used = /** @type {number[]} */ (JSON.parse(runScript(folder, 'planners.js', source, ['--expose-gc'])));
  assert.ok(Number(used.at(-1)) - Number(used[0]) < 2 ** 20, `wasm memory in bytes: ${used}`);
});

test('importing changes nothing: no new global, no output, no work left', () => {
  const source = `const before = Reflect.ownKeys(globalThis).length;
const listeners = process.eventNames().length;
await import('tensor-arena');
await import('tensor-arena/inline');
console.log(Reflect.ownKeys(globalThis).length - before, process.eventNames().length - listeners);`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', source], { cwd: folder, encoding: 'utf8' });
  assert.equal(result.stdout, '0 0\n');
  assert.equal(result.stderr, '');
});

test('what the browser gets names no module of Node and evaluates no text', () => {
  for (const file of packedFiles().filter((name) => /^wasm\/[^/]+\.js$/.test(name) && !/source-node|cli/.test(name))) {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    assert.doesNotMatch(text, /['"]node:|require\(|process\.|\beval\(|new Function/, file);
  }
});

test('the installed command plans and verifies', () => {
  const command = join('node_modules', '.bin', 'tensor-arena');
  const list = 'id,lower,upper,size,offset\np,1,4,64,0\nq,2,5,64,32\n';
  const { status, stdout } = spawnSync(command, ['verify', '-'], { cwd: folder, encoding: 'utf8', input: list });
  assert.match(stdout, /p and q share bytes 32\.\.63/);
  assert.equal(status, 1);
});

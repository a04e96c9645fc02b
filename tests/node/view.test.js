// tensor-arena view: the page on this machine, with the file in it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';

const file = 'node_modules/@mediapipe/face_detection/face_detection_short_range.tflite';

/** @param {import('node:test').TestContext} t */
async function view(t) {
  const child = spawn(process.execPath, ['wasm/cli.js', 'view', file]);
  t.after(() => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('close', resolve));
  let said = '';
  let complained = '';
  child.stderr.on('data', (data) => (complained += data));
  await new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      said += data;
      if (said.includes('\n')) resolve(undefined);
    });
    child.on('close', resolve);
  });
  const [, url] = /^face_detection_short_range\.tflite is at (http:\/\/127\.0\.0\.1:\d+\/) /.exec(said) ?? [];
  assert.ok(url, said + complained);
  return { url, interrupted: () => (child.kill('SIGINT'), ended) };
}

/** Sends bytes as they are and gives the first line of what comes back. @param {string} url @param {string} request @returns {Promise<string>} */
function ask(url, request) {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
    socket.setEncoding('latin1').setTimeout(5000, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data;
      if (answer.includes('\r\n')) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });
}

test('view serves the page and the model, and ends on an interrupt', async (t) => {
  const { url, interrupted } = await view(t);
  const page = await fetch(url);
  assert.match(String(page.headers.get('content-security-policy')), /connect-src 'self'/);
  assert.match(await page.text(), /name="tensor-arena-file" content="face_detection_short_range\.tflite"/);
  const model = new Uint8Array(await (await fetch(`${url}model`)).arrayBuffer());
  assert.deepEqual(model, new Uint8Array(readFileSync(file)));
  assert.equal((await fetch(`${url}../package.json`)).status, 404);
  assert.equal((await fetch(`${url}?file=1`)).status, 200);
  assert.equal(await interrupted(), 0);
});

test('no request ends the server', async (t) => {
  const { url, interrupted } = await view(t);
  const { host } = new URL(url);
  const paths = ['//', '///x', '/%', '/%zz', '/%2e%2e/package.json', '/../package.json', '/constructor', '/x.constructor', '/a\\b', 'http://[/', '*', `/${'a'.repeat(9000)}`];
  for (const path of paths) assert.match(await ask(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 40[04] /, path);
  assert.match(await ask(url, `GET /${'a'.repeat(99_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^(HTTP\/1\.1 431 .*)?$/);
  assert.match(await ask(url, `POST /model HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 99\r\n\r\nx`), / 405 /);
  for (const odd of ['\0\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nHost: ${host}\r\nbad header\r\n\r\n`, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`, `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: much\r\n\r\n`])
    await ask(url, odd);
  assert.equal((await fetch(`${url}model`)).status, 200);
  assert.equal(await interrupted(), 0);
});

test('only requests for this machine are answered, so that no other name for it reads the model', async (t) => {
  const { url } = await view(t);
  const { host, port } = new URL(url);
  const status = async (/** @type {string} */ header) => (await ask(url, `GET /model HTTP/1.0\r\n${header}\r\n`)).split(' ')[1];
  for (const own of [host, `localhost:${port}`, `LocalHost:${port}`]) assert.equal(await status(`Host: ${own}\r\n`), '200', own);
  for (const other of [`rebound.example:${port}`, '127.0.0.1', 'localhost', `127.0.0.1:${Number(port) + 1}`, `${host}.rebound.example`, `localhost.:${port}`]) assert.equal(await status(`Host: ${other}\r\n`), '403', other);
  assert.equal(await status(''), '403', 'no host');
});

if (existsSync('/dev/full'))
  test('view that cannot say its address ends', () => {
    const { status, stderr } = spawnSync('sh', ['-c', `exec "${process.execPath}" wasm/cli.js view ${file} > /dev/full`], { encoding: 'utf8', timeout: 20_000 });
    assert.match(stderr, /standard output cannot be written: no space is left/);
    assert.equal(status, 5);
  });

// tensor-arena view: the page on this machine, with the file in it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const file = 'node_modules/@mediapipe/face_detection/face_detection_short_range.tflite';

test('view serves the page and the model, and ends on an interrupt', async (t) => {
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
  const page = await fetch(url);
  assert.match(String(page.headers.get('content-security-policy')), /connect-src 'self'/);
  assert.match(await page.text(), /name="tensor-arena-file" content="face_detection_short_range\.tflite"/);
  const model = new Uint8Array(await (await fetch(`${url}model`)).arrayBuffer());
  assert.deepEqual(model, new Uint8Array(readFileSync(file)));
  assert.equal((await fetch(`${url}../package.json`)).status, 404);
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

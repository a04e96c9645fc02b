// No file is lost: what is read is never written over, whatever its path looks like, and what is written is written whole
// or not at all.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, openSync, closeSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { BUNDLED, temporaryFolder } from '../support/files.js';

const cli = resolve('wasm/cli.js');
const model = readFileSync(String(BUNDLED[0]));

/** A folder in which m.tflite is the model. @param {import('node:test').TestContext} t */
function folderWithModel(t) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'm.tflite'), model);
  return folder;
}

/**
 * Runs the command line in a folder. `fds` are what its standard input and output are.
 * @param {string} folder @param {string[]} args @param {{ input?: number, output?: number }} [fds]
 */
function run(folder, args, { input, output } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', stdio: [input ?? 'ignore', output ?? 'pipe', 'pipe'] });
  return { status, out: stdout, err: stderr };
}

/** @param {string} folder @param {string[]} names */
function checkWhole(folder, names) {
  assert.ok(readFileSync(join(folder, 'm.tflite')).equals(model), 'the model is whole');
  assert.deepEqual(readdirSync(folder).sort(), [...names].sort(), 'and nothing else is there');
}

test('a path through a folder that is not there leads nowhere', (t) => {
  const folder = folderWithModel(t);
  for (const args of [['plan', 'm.tflite'], ['size', 'm.tflite'], ['optimize', 'm.tflite', '--force', '--nodes', '100']]) {
    const { status, err } = run(folder, [...args, '-o', 'nosuch/../m.tflite']);
    assert.match(err, /^tensor-arena: m\.tflite: nosuch\/\.\.\/m\.tflite cannot be written: there is no such folder\n$/);
    assert.equal(status, 5);
  }
  checkWhole(folder, ['m.tflite']);
});

test('what is read is known by what it is, not by its path', (t) => {
  const folder = folderWithModel(t);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(join(elsewhere, 'deep'), { recursive: true });
  symlinkSync('elsewhere/deep', join(folder, 'lnk'));
  symlinkSync('../m.tflite', join(elsewhere, 'm.tflite'));
  symlinkSync('lnk/../m.tflite', join(folder, 'through.tflite'));
  linkSync(join(folder, 'm.tflite'), join(folder, 'hard.tflite'));
  const names = readdirSync(folder);
  for (const output of ['m.tflite', './m.tflite', 'lnk/../m.tflite', 'elsewhere/../m.tflite', 'through.tflite', 'hard.tflite', join(folder, 'm.tflite'), '/proc/self/cwd/m.tflite']) {
    const { status, err } = run(folder, ['plan', 'm.tflite', '-o', output]);
    assert.equal(err, `tensor-arena: m.tflite: ${output} is read, so it is not written over; give another file for -o\n`);
    assert.equal(status, 2);
  }
  checkWhole(folder, names);
});

test('behind a link, .. is what the system says', (t) => {
  const folder = folderWithModel(t);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(join(elsewhere, 'deep'), { recursive: true });
  symlinkSync('elsewhere/deep', join(folder, 'lnk'));
  symlinkSync('lnk/../new.svg', join(folder, 'new'));
  assert.deepEqual(run(folder, ['plan', 'm.tflite', '--format', 'svg', '-o', 'lnk/../m.tflite']), { status: 0, out: '', err: '' });
  assert.deepEqual(run(folder, ['plan', 'm.tflite', '--format', 'svg', '-o', 'new']), { status: 0, out: '', err: '' });
  assert.deepEqual(readdirSync(elsewhere).sort(), ['deep', 'm.tflite', 'new.svg']);
  for (const name of ['m.tflite', 'new.svg']) assert.match(readFileSync(join(elsewhere, name), 'utf8'), /^<svg/);
  checkWhole(folder, ['elsewhere', 'lnk', 'm.tflite', 'new']);
});

test('standard input and output are files, too', (t) => {
  const folder = folderWithModel(t);
  const file = join(folder, 'm.tflite');
  const input = openSync(file, 'r');
  for (const output of ['m.tflite', '/dev/stdin', '/dev/fd/0']) {
    const { status, err } = run(folder, ['plan', '-', '-o', output], { input });
    assert.equal(err, `tensor-arena: -: ${output} is read, so it is not written over; give another file for -o\n`);
    assert.equal(status, 2);
  }
  closeSync(input);
  for (const flag of ['a', 'r+']) {
    const output = openSync(file, flag);
    for (const args of [['plan', 'm.tflite'], ['optimize', 'm.tflite', '-o', 'new.tflite'], ['plan', 'm.tflite', '-o', '/dev/stdout']]) {
      const { status, err } = run(folder, args, { output });
      assert.match(err, /standard output goes to a file that is read, which is not written over; send it elsewhere\n$/);
      assert.equal(status, 2);
    }
    closeSync(output);
  }
  checkWhole(folder, ['m.tflite']);
});

test('a model that another file is held against is read, too', (t) => {
  const folder = folderWithModel(t);
  run(folder, ['plan', 'm.tflite', '--json', '-o', 'plan.json']);
  const { status, err } = run(folder, ['verify', 'plan.json', '--model', 'm.tflite', '-o', './m.tflite']);
  assert.match(err, /\.\/m\.tflite is read, so it is not written over/);
  assert.equal(status, 2);
  checkWhole(folder, ['m.tflite', 'plan.json']);
});

/** Writes half of a new out.txt, does what `between` says, and writes the rest. @param {string} between */
const halfWay = (between) => `
  import { replaceFile } from ${JSON.stringify(resolve('wasm/cli/replace.js'))};
  async function* content() {
    yield 'half';
    ${between}
    yield 'of it';
  }
  await replaceFile('out.txt', content());
`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const old of ['old', null])
    test(`${signal} while ${old ? 'a file is replaced' : 'a new file is written'} leaves what was there, and ends the program`, async (t) => {
      const folder = temporaryFolder(t);
      if (old !== null) writeFileSync(join(folder, 'out.txt'), old);
      const between = `
        const alive = setInterval(() => {}, 1000);
        const caught = new Promise((resolve) => process.once('${signal}', resolve));
        process.kill(process.pid, '${signal}');
        await caught;
        clearInterval(alive);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', halfWay(between)], { cwd: folder, stdio: 'inherit' });
      assert.deepEqual(await once(child, 'exit'), [null, signal]);
      assert.deepEqual(readdirSync(folder), old === null ? [] : ['out.txt']);
      if (old !== null) assert.equal(readFileSync(join(folder, 'out.txt'), 'utf8'), old);
    });

test('half-way, the old file is still whole', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'out.txt'), 'old');
  const between = `const { readFileSync } = await import('node:fs'); process.stdout.write(readFileSync('out.txt'));`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', halfWay(between)], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([stdout, status, readFileSync(join(folder, 'out.txt'), 'utf8')], ['old', 0, 'halfof it']);
});

test('Ctrl-C at any moment of optimize leaves a whole file under each name', async (t) => {
  const folder = folderWithModel(t);
  writeFileSync(join(folder, 'out.tflite'), 'old');
  const child = spawn(process.execPath, [cli, 'optimize', 'm.tflite', '-o', 'out.tflite', '--force'], { cwd: folder, stdio: 'ignore' });
  const ended = once(child, 'exit');
  // As soon as the new file appears beside the old one, or when all is done.
  const done = ended.then(() => true);
  while (!readdirSync(folder).some((name) => name.endsWith('.tmp')) && !(await Promise.race([done, new Promise((r) => setImmediate(r, false))])));
  child.kill('SIGINT');
  await ended;
  const written = readFileSync(join(folder, 'out.tflite'));
  assert.ok(written.equals(Buffer.from('old')) || written.subarray(-model.length).equals(model), 'the old file or the new one, whole');
  checkWhole(folder, ['m.tflite', 'out.tflite']);
});

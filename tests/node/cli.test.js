// The command line, run as a user runs it: what it prints, its exit status, and its one line of error.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBytes } from '../../wasm/bytes.js';
import { packGraph } from '../../wasm/graph.js';
import { open as openModel } from '../../wasm/index.js';
import { parseBytes } from '../../web/src/model/format.js';
import { BUNDLED, temporaryFolder } from '../support/files.js';
import { buildModel } from '../support/model-builder.js';
import { needsShared, sharedFiles, sharedPath } from '../support/shared.js';

const models = sharedPath('models');
/** A list whose best plan is not known: its search does not end. */
const open = sharedPath('bench/minimalloc/D.1048576.csv');

const chain = {
  format: 'tensor-arena-graph',
  version: 1,
  name: 'chain',
  tensors: [{ name: 'x', bytes: 100 }, { name: 'y', bytes: 60 }, { name: 'z', bytes: 40 }],
  nodes: [
    { name: 'ADD', inputs: [0], outputs: [1] },
    { name: 'MUL', inputs: [1], outputs: [2] },
  ],
  inputs: [0],
  outputs: [2],
};
const chainText = JSON.stringify(chain);
const chainBlock = packGraph(/** @type {import('../../wasm/index.js').Graph} */ (chain)).bytes;
const list = 'id,lower,upper,size\na,0,4,300\nb,3,8,200\nc,4,9,300\n';

/** @param {string[]} args @param {string | Uint8Array} [input] */
function run(args, input = '') {
  const result = spawnSync(process.execPath, ['wasm/cli.js', ...args], { input, encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 28 });
  return { status: result.status, out: result.stdout, err: result.stderr };
}

/** Runs what should fail: nothing on standard output, one line on standard error that says so. */
function fails(/** @type {string[]} */ args, /** @type {number} */ status, /** @type {RegExp} */ line, /** @type {string | Uint8Array} */ input = '') {
  const result = run(args, input);
  assert.match(result.err, line);
  assert.match(result.err, /^tensor-arena: [^\n]+\n$/, 'one line');
  assert.equal(result.out, '');
  assert.equal(result.status, status);
}

test('plan says in a few lines what a graph needs', () => {
  const { status, out, err } = run(['plan', '-'], chainText);
  assert.equal(err, '');
  assert.equal(status, 0);
  assert.match(out, /Arena +160 bytes/);
  assert.match(out, /tflite-2018/);
});

test('what is read is not written over, by whatever path', (t) => {
  const folder = temporaryFolder(t);
  const [file, link, model] = ['list.csv', 'link.csv', 'model.json'].map((name) => join(folder, name));
  writeFileSync(String(file), list);
  writeFileSync(String(model), chainText);
  symlinkSync(String(file), String(link));
  for (const output of [file, link]) fails(['plan', String(file), '-o', String(output)], 2, /is read, so it is not written over; give another file for -o/);
  fails(['verify', String(file), '--model', String(model), '-o', String(model)], 2, /is read, so it is not written over/);
  assert.equal(readFileSync(String(file), 'utf8'), list);
  assert.equal(readFileSync(String(model), 'utf8'), chainText);
  assert.equal(run(['plan', String(file), '-o', join(folder, 'new.txt')]).status, 0);
});

test('an option that would have no effect is refused', () => {
  for (const planner of ['own', 'linear']) fails(['plan', '-', '--planner', planner, '--nodes', '5'], 2, new RegExp(`${planner} does not search: leave --nodes out or choose optimal`), chainText);
  fails(['plan', '-', '--nodes', '5'], 2, /own does not search/, chainText);
  for (const option of ['--kernels=cmsis-nn', '--kernels=reference', '--target=lp64']) {
    fails(['plan', '-', option], 2, /--(kernels|target) is for the runtime tflm; leave it out/, chainText);
    fails(['plan', String(BUNDLED[0]), '--runtime', 'tflite', option], 2, /is for the runtime tflm; leave it out/);
  }
  fails(['plan', '-', '--force'], 2, /--force is for --format c; leave it out/, chainText);
  for (const args of [['--planner', 'optimal', '--nodes', '5'], ['--format', 'c', '--force']]) assert.equal(run(['plan', '-', ...args], chainText).status, 0);
  assert.equal(run(['plan', '-', '--nodes', '5'], list).status, 0, 'lists are searched');
});

test('small habits: help as a word, k for K, --kernels where they count', () => {
  assert.equal(run(['help']).out, run(['--help']).out);
  assert.equal(run(['plan', '-', '--budget', '1k'], chainText).status, 0);
  fails(['plan', '-', '--kernels', 'cmsis-nn'], 2, /--kernels is for the runtime tflm/, chainText);
});

test('plan --json is the plan, and --format json the same', () => {
  const { status, out } = run(['plan', '-', '--json'], chainText);
  assert.equal(status, 0);
  const plan = JSON.parse(out);
  assert.equal(plan.format, 'tensor-arena-plan');
  assert.equal(plan.source.kind, 'graph');
  assert.equal(plan.source.name, 'standard input');
  assert.equal(plan.arena_bytes, 160);
  assert.deepEqual(plan.buffers.map((/** @type {{ offset: number }} */ { offset }) => offset), [0, 100, 0]);
  assert.equal(run(['plan', '-', '--format', 'json'], chainText).out, out);
});

test('plan takes each option', () => {
  const aligned = JSON.parse(run(['plan', '-', '--json', '--alignment', '64'], chainText).out);
  assert.equal(aligned.alignment.tensor, 64);
  assert.deepEqual(aligned.buffers.map((/** @type {{ offset: number }} */ { offset }) => offset), [0, 128, 0]);
  const linear = JSON.parse(run(['plan', '-', '--json', '--planner', 'linear', '--runtime', 'tflite-2018'], chainText).out);
  assert.equal(linear.planner, 'linear');
  assert.equal(linear.arena_bytes, 200);
  for (const [format, begins] of /** @type {const} */ ([['csv', /^id,/], ['c', /^\/\*/], ['svg', /^<svg/]])) {
    const { status, out } = run(['plan', '-', '--format', format], chainText);
    assert.equal(status, 0, format);
    assert.match(out, begins);
  }
});

test('plan reads a file and writes one', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'chain.json');
  const out = join(folder, 'plan.json');
  writeFileSync(file, chainText);
  assert.deepEqual(run(['plan', file, '--json', '-o', out]), { status: 0, out: '', err: '' });
  assert.equal(readFileSync(out, 'utf8'), run(['plan', file, '--json', '-o', '-']).out);
  assert.equal(JSON.parse(readFileSync(out, 'utf8')).source.name, 'chain.json');
});

test('wrong usage ends with 2 and one line', () => {
  fails(['lay'], 2, /there is no command "lay"; use one of plan/);
  fails(['plan'], 2, /give one file/);
  fails(['plan', 'a', 'b'], 2, /give one file/);
  fails(['plan', '-', '--rumtime', 'x'], 2, /no option --rumtime; see tensor-arena plan --help/);
  fails(['plan', '-', '--runtime', 'tflite-2017'], 2, /--runtime is "tflite-2017"; use one of none, tflite-2018, tflite, tflm/);
  for (const n of ['4x', '-1', '']) fails(['plan', '-', '--alignment', n], 2, new RegExp(`--alignment is "${n}"; give a whole number`));
  for (const n of ['3', '2097152']) fails(['plan', '-', '--alignment', n], 2, new RegExp(`alignment is ${n}; give a power of two from 1 to 1048576`), chainText);
  fails(['plan', '-', '--alignment', '0'], 2, /alignment is 0; give a whole number from 1/, chainText);
  fails(['plan', '-', '--budget', '12G'], 2, /--budget is "12G"; give bytes/);
  fails(['plan', '-', '--subgraph', '9'], 2, /subgraph 9/, chainText);
  fails(['plan', '-', '--runtime', 'none'], 2, /none/, chainText);
  fails(['plan', '-', '--runtime'], 2, /--runtime needs a value, --runtime R; see tensor-arena plan --help/);
  fails(['plan', '-', '--json=yes'], 2, /--json takes no value/);
  fails(['plan', '-', '-q'], 2, /no option -q/);
  fails(['plan', '-', '-o', '--json'], 2, /-o is "--json", which is an option/);
  fails(['plan', '-', '--subgraph', '1'], 2, /a buffer list has no subgraphs: leave the subgraph out/, list);
});

test('a size is read alike by the command line, the native filter and the page', () => {
  const good = /** @type {const} */ ([
    ['0', 0], ['98304', 98304], ['98,304', 98304], ['98_304', 98304], ['0x18000', 98304], ['0X1f', 31], ['0x1K', 1024],
    ['96K', 98304], ['96k', 98304], ['64KB', 65536], ['64 KiB', 65536], ['64kib', 65536], ['7B', 7], [' 7 ', 7],
    ['1M', 1048576], ['1.5M', 1572864], ['0.5MB', 524288], ['1.5 MiB', 1572864], ['1.0K', 1024], ['1.0009765625K', 1025],
    ['0.00000095367431640625M', 1], ['0.000000953674316406250M', 1], ['5.00', 5], ['8589934591.9990234375M', 2 ** 53 - 1024], ['9007199254740991', 2 ** 53 - 1],
  ]);
  const bad = ['', 'K', '.5K', '1.K', '1.5.5K', '-1', '+1', '12G', '1e3', '0x', '0xg', '0x1.8K', '1 2', '1KK', 'x1', '9007199254740992', '8589934592M', '99999999999999999999'];
  const parts = ['1.0005K', '1.5', '0.1B', '0.3M', '1.00000000000000000001K', '0.000000953674316406251M'];
  const native = (/** @type {string} */ text) => spawnSync('build/native/tensor-arena', ['--budget', text], { input: chainBlock, encoding: 'utf8' });
  for (const [text, bytes] of good) {
    assert.deepEqual(readBytes(text), { bytes, isWhole: true }, text);
    assert.equal(parseBytes(text), bytes, text);
    const { stdout, stderr } = native(text);
    assert.equal(stderr, '', text);
    assert.equal(JSON.parse(stdout).budget_bytes, bytes, text);
  }
  for (const text of bad) {
    assert.equal(readBytes(text), null, text);
    assert.equal(native(text).stderr, `tensor-arena: --budget is "${text}"; give bytes, as in 98304, 96K or 1.5M\n`);
  }
  for (const text of parts) {
    assert.equal(readBytes(text)?.isWhole, false, text);
    assert.equal(parseBytes(text), null, text);
    assert.equal(native(text).stderr, `tensor-arena: --budget is "${text}", which is no whole number of bytes; give bytes, as in 98304, 96K or 1.5M\n`);
  }
  fails(['plan', '-', '--budget', '1.0005K'], 2, /--budget is "1\.0005K", which is no whole number of bytes; give bytes, as in 98304, 96K or 1\.5M/, chainText);
  assert.equal(JSON.parse(run(['plan', '-', '--budget', '64KB', '--json'], chainText).out).budget_bytes, 65536);
});

test('two formats at once are refused', () => {
  fails(['plan', '-', '--json', '--format', 'csv'], 2, /--json and --format csv ask for two formats; give one/, chainText);
  assert.equal(run(['plan', '-', '--json', '--format', 'json'], chainText).out, run(['plan', '-', '--json'], chainText).out);
});

test('fixed places that cannot be together are a fault of the list; offsets that cannot, an answer', () => {
  const clash = (/** @type {string} */ column) => `id,lower,upper,size,${column}\na,0,4,16,0\nb,1,3,16,8\n`;
  for (const planner of ['optimal', 'linear']) {
    for (const [list, options] of /** @type {const} */ ([[clash('fixed'), []], [clash('offset'), ['--keep-offsets']]])) {
      fails(['plan', '-', '--planner', planner, ...options], 3, /"b" is fixed at 8, on bytes where "a" lives: both have bytes 8\.\.15 in steps 1\.\.2; move one/, list);
      const native = spawnSync('build/native/tensor-arena', ['--planner', planner, ...options], { input: list, encoding: 'utf8' });
      assert.equal(native.status, 3, native.stderr);
    }
  }
  const judged = run(['plan', '-'], clash('offset'));
  assert.match(judged.out, /not sound/);
  assert.match(judged.out, /Problem +a and b share bytes 8\.\.15 in steps 1\.\.2\n/);
  assert.equal(judged.status, 1);
  const native = spawnSync('build/native/tensor-arena', ['--format', 'text', '--name', 'standard input'], { input: clash('offset'), encoding: 'utf8' });
  assert.deepEqual([native.stdout, native.status], [judged.out, 1]);
  fails(['plan', '-', '--planner', 'own', '--keep-offsets'], 2, /"own" changes no offset of a list/, clash('offset'));
  fails(['plan', '-', '--keep-offsets'], 2, /keep_offsets is for buffer lists/, chainText);
});

test('what people write for a list is told what is expected', () => {
  fails(['plan', '-'], 3, /line 1, column 3: the fields are separated by semicolons; put commas there, as in id,lower,upper,size/, list.replaceAll(',', ';'));
  fails(['plan', '-'], 3, /line 1, column 3: the fields are separated by tabs/, list.replaceAll(',', '\t'));
  fails(['plan', '-'], 3, /this is a buffer list whose columns are not named: put a line before it that names them/, list.replace(/^.*\n/, ''));
});

if (existsSync('/dev/full'))
  test('a full disk ends with 5', () => {
    fails(['plan', '-', '-o', '/dev/full'], 5, /\/dev\/full cannot be written: no space is left on the disk/, chainText);
    const shell = spawnSync('sh', ['-c', `"${process.execPath}" wasm/cli.js plan - > /dev/full`], { input: chainText, encoding: 'utf8' });
    assert.match(shell.stderr, /standard output cannot be written: no space is left on the disk/);
    assert.equal(shell.status, 5);
  });

test('a file is written whole or not at all', (t) => {
  const folder = temporaryFolder(t);
  const [file, link, dangling] = ['out.svg', 'link.svg', 'dangling.svg'].map((name) => join(folder, name));
  writeFileSync(String(file), 'old');
  chmodSync(String(file), 0o640);
  symlinkSync('out.svg', String(link));
  symlinkSync('new.svg', String(dangling));
  const rows = Array.from({ length: 3000 }, (_, i) => `${i},0,4,16`).join('\n');
  const limited = spawnSync('sh', ['-c', `trap '' XFSZ; ulimit -f 8; exec "${process.execPath}" wasm/cli.js plan - --planner linear --format csv -o "${file}"`], { input: `id,lower,upper,size\n${rows}\n`, encoding: 'utf8' });
  assert.match(limited.stderr, /cannot be written: it is too large for the disk/);
  assert.equal(limited.status, 5);
  assert.equal(readFileSync(String(file), 'utf8'), 'old');
  assert.deepEqual(readdirSync(folder).sort(), ['dangling.svg', 'link.svg', 'out.svg'], 'nothing else is left');
  for (const output of [link, dangling]) assert.deepEqual(run(['plan', '-', '--format', 'svg', '-o', String(output)], list), { status: 0, out: '', err: '' });
  assert.match(readFileSync(String(file), 'utf8'), /^<svg/);
  assert.match(readFileSync(join(folder, 'new.svg'), 'utf8'), /^<svg/);
  assert.equal(statSync(String(file)).mode & 0o777, 0o640);
  assert.ok(lstatSync(String(link)).isSymbolicLink() && lstatSync(String(dangling)).isSymbolicLink());
});

test('what is no regular file is written as it is', (t) => {
  const text = run(['plan', '-'], list).out;
  assert.equal(run(['plan', '-', '-o', '/dev/null'], list).status, 0);
  const piped = spawnSync('sh', ['-c', `"${process.execPath}" wasm/cli.js plan - -o /dev/stdout | cat`], { input: list, encoding: 'utf8' });
  assert.equal(piped.stdout, text);
  const pipe = join(temporaryFolder(t), 'pipe');
  const shell = spawnSync('sh', ['-c', `mkfifo "${pipe}"; cat "${pipe}" & "${process.execPath}" wasm/cli.js plan - -o "${pipe}"; wait`], { input: list, encoding: 'utf8', timeout: 20_000 });
  assert.equal(shell.stdout, text);
  assert.ok(lstatSync(pipe).isFIFO());
});

test('more than the sandbox holds is not read', (t) => {
  const file = join(temporaryFolder(t), 'large.tflite');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 30 + 1);
  fails(['size', file], 5, /large\.tflite: cannot be read: it is larger than 1 GiB, and the sandbox holds no more/);
  fails(['size', '/dev/zero'], 5, /\/dev\/zero: cannot be read: it is larger than 1 GiB/);
});

test('commands are found by their own names only', () => {
  for (const word of ['constructor', 'toString', '__proto__']) fails([word, 'F'], 2, /there is no command/);
});

test('an empty name, and standard input twice, are wrong usage', () => {
  fails(['plan', '-', '-o', ''], 2, /-o is empty; give a file/, chainText);
  fails(['plan', ''], 2, /give one file/);
  fails(['verify', '-', '--model', '-'], 2, /both files cannot be standard input/);
});

test('verify blames the file whose fault it is', (t) => {
  const folder = temporaryFolder(t);
  const [plan, broken] = [join(folder, 'plan.json'), join(folder, 'broken.bin')];
  writeFileSync(plan, run(['plan', '-', '--json'], chainText).out);
  writeFileSync(broken, 'broken');
  fails(['verify', plan, '--model', broken], 3, /^tensor-arena: [^:]*broken\.bin: /);
  fails(['verify', plan, '--model', join(folder, 'none')], 5, /^tensor-arena: [^:]*none: cannot be read/);
  fails(['verify', broken, '--model', '-'], 2, /^tensor-arena: [^:]*broken\.bin: only a plan JSON is held against a model/, chainText);
});

test('JSON that is nested too deeply is bad input', () => {
  const deep = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
  fails(['plan', '-'], 3, /nested too deeply/, `{"format":"tensor-arena-plan","a":${deep}}`);
  fails(['plan', '-'], 3, /unknown key "a"/, `{"a":${deep}}`);
});

/** One of each kind that must not be printed as it is. */
const hidden = '\u0000\u0007\b\t\r\u001b[31m\u007f\u0085\u009b\u200e\u200f\u202a\u202e\u2066\u2069';
const forged = `a\nArena       1 bytes${hidden}`;
const isHidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/; // eslint-disable-line no-control-regex

test('what names hide is shown in every text: of plan, verify, C, errors, and of file names', (t) => {
  const folder = temporaryFolder(t);
  const graph = JSON.stringify({
    tensors: [{ name: forged, bytes: 100 }, { name: '\n', bytes: 60 }, { name: `${'z'.repeat(80)}\n; q`, bytes: 40 }],
    nodes: [{ name: forged, inputs: [0], outputs: [1] }, { name: 'MUL', inputs: [1], outputs: [2] }],
    inputs: [0],
    outputs: [2],
  });
  const shows = (/** @type {string[]} */ args, /** @type {number} */ lines, /** @type {string} */ input = graph) => {
    const { out, err } = run(args, input);
    assert.doesNotMatch(out + err, isHidden);
    assert.equal((out + err).split('\n').length - 1, lines, out + err);
    return out + err;
  };
  assert.match(shows(['plan', '-'], 3), /at step 0 \(a\\u000aArena {7}1 bytes\\u0000\\u0007.* #0\): .* 100 and \\u000a 60\.\n$/);
  assert.match(shows(['plan', '-', '--budget', '199', '--planner', 'linear'], 5), /Its cause is the placing: \.\.\.z+\\u000a reaches byte 200 in steps 1 to 1, though the peak fits; try/);
  shows(['plan', '-', '--format', 'c'], run(['plan', '-', '--format', 'c'], chainText).out.split('\n').length - 1);
  const claims = `id,lower,upper,size,offset\n"${forged.replace('\0', '')}",1,4,64,0\n"\n",2,5,64,32\n`;
  assert.match(shows(['verify', '-'], 2, claims), / {2}a\\u000aArena.* and \\u000a share bytes 32\.\.63/);
  shows(['plan', '-'], 1, `{"a": 1,\n${hidden}`);
  shows(['plan', '-', '--runtime', forged.replace('\0', '')], 1);
  shows(['plan', join(folder, forged.replace('\0', ''))], 1);
  shows([forged.replace('\0', '')], 1);
  const file = join(folder, forged.replace('\0', ''));
  writeFileSync(file, graph);
  shows(['plan', file], 3);
  shows(['plan', '-', '-o', join(file, 'x')], 1);
  assert.equal(JSON.parse(run(['plan', file, '--json']).out).buffers[0].name, forged, 'data stay as they are');
});

test('the core itself shows what names hide: the same text natively, in the WASI command and on the command line', () => {
  const named = forged.replaceAll('\0', '');
  const rows = `id,lower,upper,size\n"${named}",0,4,64\n"\u2028*/<",2,5,64\n`;
  for (const format of ['text', 'c', 'svg']) {
    const native = spawnSync('build/native/tensor-arena', ['--format', format, '--name', named], { input: rows, encoding: 'utf8' });
    assert.equal(native.status, 0, native.stderr);
    assert.doesNotMatch(native.stdout, isHidden);
    assert.doesNotMatch(native.stdout, /^Arena {7}1 bytes/m);
    const wasi = spawnSync(process.execPath, ['--no-warnings', 'tests/support/wasi-command.js', 'dist/tensor-arena-cli.wasm', '--format', format], { input: rows, encoding: 'utf8' });
    assert.equal(wasi.stdout, run(['plan', '-', '--format', format], rows).out);
  }
  const { stderr, status } = spawnSync('build/native/tensor-arena', [], { input: `${rows}"${named}",0,4,64\n`, encoding: 'utf8' });
  assert.equal(status, 3);
  assert.match(stderr, /^tensor-arena: .*"a\\u000aArena {7}1 bytes\\u0007.*\n$/);
});

/** @param {import('node:test').TestContext} t @param {string[]} files */
async function checkLines(t, files) {
  const folder = temporaryFolder(t);
  for (const file of files) {
    const bytes = readFileSync(file);
    const { subgraphs } = await openModel(bytes);
    const names = subgraphs.flatMap(({ tensors, nodes }) => [...tensors, ...nodes]).map(({ name }) => name).filter((name) => name.length > 3);
    // A line break for the last character of each name, wherever the file has it.
    const broken = Buffer.from(bytes);
    for (const name of new Set(names))
      for (let at = bytes.indexOf(`${name}\0`); at >= 0; at = bytes.indexOf(`${name}\0`, at + 1)) broken[at + Buffer.byteLength(name) - 1] = 10;
    const [whole, cut] = [join(folder, 'whole.tflite'), join(folder, 'model.tflite')];
    writeFileSync(whole, bytes);
    writeFileSync(cut, broken);
    for (const args of [['plan'], ['plan', '--planner', 'linear', '--budget', '1K'], ['plan', '--budget', '60K'], ['plan', '--runtime', 'tflite'], ['size', '--budget', '1K'], ['optimize', '-o', join(folder, 'out'), '--nodes', '1000', '--budget', '1K']]) {
      const [plain, shown] = [whole, cut].map((path) => run([String(args[0]), path, ...args.slice(1)]));
      const heads = (/** @type {string | undefined} */ out) => out?.split('\n').map((line) => line.slice(0, 11).replace('whole.t', 'model.t'));
      assert.deepEqual(heads(shown?.out), heads(plain?.out), `${file} ${args.join(' ')}`);
      assert.match(String(shown?.out), /\\u000a/);
    }
  }
}

const SAME_LINES = 'the lines of a model whose names have line breaks are those of the model';
test(SAME_LINES, (t) => checkLines(t, BUNDLED.slice(0, 1)));
test(`${SAME_LINES}, of real models`, needsShared, (t) => checkLines(t, sharedFiles('models', /^(03-person_detect|25-l2_norm|41-tflm_while)/)));

test('a plan is no input for plan', () => {
  const plan = run(['plan', '-', '--json'], chainText).out;
  fails(['plan', '-'], 2, /this is a plan/, plan);
});

test('bad input ends with 3 and one line', () => {
  fails(['plan', '-'], 3, /-: .*empty/);
  fails(['plan', '-'], 3, /no valid JSON/, '{"tensors":');
  fails(['plan', '-'], 3, /unknown key "tenzors"/, JSON.stringify({ ...chain, tenzors: [] }));
  fails(['plan', '-'], 3, /node 0 input 1 refers to tensor 9 of 3/, JSON.stringify({ ...chain, nodes: [{ inputs: [0, 9] }] }));
});

test('what cannot be read or written ends with 5', (t) => {
  const folder = temporaryFolder(t);
  fails(['plan', join(folder, 'nothing')], 5, /nothing: cannot be read: there is no such file/);
  fails(['plan', folder], 5, /cannot be read: it is a folder/);
  fails(['plan', '-', '-o', join(folder, 'no', 'plan')], 5, /plan cannot be written: there is no such folder/, chainText);
});

test('help and version go to standard output', () => {
  assert.match(run([]).out, /usage: tensor-arena COMMAND/);
  assert.match(run(['--help']).out, /plan +where the tensors/);
  assert.match(run(['plan', '--help']).out, /--runtime R/);
  assert.equal(run(['--version']).out, `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`);
});

const person = `${models}/03-person_detect.tflite`;

test('size answers in its second line, in JSON, and by its exit status', needsShared, () => {
  assert.match(run(['size', person]).out.split('\n')[1] ?? '', /^Arena +82,304 bytes/);
  const needed = JSON.parse(run(['size', person, '--json', '--target', 'lp64', '--kernels', 'reference']).out);
  assert.equal(needed.format, 'tensor-arena-size');
  assert.equal(needed.target, 'lp64');
  const fits = run(['size', person, '--json', '--budget', '96K']);
  assert.equal(JSON.parse(fits.out).fits, true);
  assert.equal(fits.status, 0);
  const short = run(['size', person, '--budget', '64K']);
  assert.match(short.out, /does not fit, 16,768 bytes short/);
  assert.equal(short.status, 1);
  fails(['size', '-'], 2, /only a \.tflite file/, chainText);
  fails(['size', person, '--target', 'z80'], 2, /--target is "z80"; use one of cortex-m, ilp32, lp64/);
});

test('tflm plans all subgraphs: one that is asked for is an error', needsShared, () => {
  fails(['plan', person, '--subgraph', '5'], 2, /tflm plans all subgraphs together: leave the subgraph out/);
  assert.equal(run(['plan', person, '--subgraph', '0']).status, 0);
});

test('optimize says when a smaller head makes no smaller arena, and why', needsShared, (t) => {
  const { status, out } = run(['optimize', `${models}/21-okay_nabu.tflite`, '-o', join(temporaryFolder(t), 'out.tflite')]);
  assert.match(out, /The head shrinks by 64 bytes; the smallest arena stays the same, for AllocateTensors needs it while it starts/);
  assert.equal(status, 0);
});

test('the sizes in problems are grouped as all sizes are', needsShared, () => {
  assert.match(run(['plan', `${models}/25-l2_norm_composite.tflite`]).out, /still keeps 9,296 bytes for them/);
});

test('a real model: the command line and the native filter print the same bytes', needsShared, () => {
  const { status, out } = run(['plan', person, '--runtime', 'tflite-2018', '--json']);
  assert.equal(status, 0);
  const native = spawnSync('build/native/tensor-arena', ['--runtime', 'tflite-2018', '--name', '03-person_detect.tflite'], {
    input: readFileSync(person),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.equal(native.stdout, out);
  assert.equal(native.status, 0);
});

test('where an offline plan overlaps on purpose, no bound is named', needsShared, () => {
  const vela = `${models}/04-person_detect_vela.tflite`;
  const { status, out } = run(['plan', vela, '--budget', '60K']);
  assert.equal(status, 1);
  assert.match(out, /^Head +at least 74,464 bytes: the file's offline plan lays live tensors over each other on purpose$/m);
  assert.match(out, /Its cause is the file's own plan: _split_1_scratch reaches byte 74,464 in steps 0 to 1\n/);
  assert.doesNotMatch(out, /bound|no plan|smallest|side by side/i);
  const svg = run(['plan', vela, '--format', 'svg']).out;
  assert.doesNotMatch(svg, /class="b"/, "the curve has no bound's line");
  assert.match(run(['plan', vela, '--format', 'svg', '--planner', 'optimal']).out, /class="b"/);
  // The JSON says so in its status: lower_bound_bytes is what lives that share nothing would need.
  const plan = JSON.parse(run(['plan', vela, '--json']).out);
  assert.equal(plan.status, 'overlapping');
});

test('files that are no model end with 3 and say why', needsShared, () => {
  fails(['plan', `${models}/33-0_subgraphs.bin`, '--runtime', 'tflite-2018'], 3, /33-0_subgraphs\.bin: .*no subgraph/);
  fails(['plan', `${models}/35-test_model_broken.bin`, '--runtime', 'tflite-2018'], 3, /35-test_model_broken\.bin: /);
  fails(['plan', `${models}/36-invalid_model.bin`, '--runtime', 'tflite-2018'], 3, /36-invalid_model\.bin: not a model/);
});

for (const name of ['32-2_subgraphs.bin', '34-empty_model.bin'])
  test(`${name}, which has no tensors, has nothing to plan`, needsShared, () => {
    const { status, out } = run(['plan', `${models}/${name}`, '--runtime', 'tflite-2018']);
    assert.equal(status, 0);
    assert.match(out, /nothing to plan/i);
    assert.equal(JSON.parse(run(['plan', `${models}/${name}`, '--runtime', 'tflite-2018', '--json']).out).arena_bytes, 0);
  });

test('verify says sound, or names each clash and ends with 1', () => {
  const sound = run(['verify', '-'], run(['plan', '-', '--json'], chainText).out);
  assert.deepEqual(sound, { status: 0, out: 'standard input: sound\n', err: '' });
  const claimed = 'id,lower,upper,size,offset\np,1,4,64,0\nq,2,5,64,32\n';
  const clash = run(['verify', '-'], claimed);
  assert.equal(clash.out, 'standard input: not sound: 1 fault\n  p and q share bytes 32..63 in steps 2..3\n');
  assert.equal(clash.status, 1);
  const verdict = JSON.parse(run(['verify', '-', '--json'], claimed).out);
  assert.equal(verdict.format, 'tensor-arena-verdict');
  assert.deepEqual(verdict.clashes[0].bytes, [32, 63]);
  assert.deepEqual(verdict.clashes[0].steps, [2, 3]);
});

test('verify takes only what holds a plan', () => {
  fails(['verify', '-'], 2, /a graph holds no plan/, chainText);
  fails(['verify', '-'], 2, /no offset column/, 'id,lower,upper,size\np,1,4,64\n');
  fails(['verify', '-'], 3, /plan JSON: buffers is missing/, '{"format":"tensor-arena-plan"}'.replace('}', ',"version":1,"source":{"kind":"csv","name":""},"runtime":"none","planner":"optimal","subgraph":null,"alignment":{"arena":1,"tensor":1},"status":"feasible","arena_bytes":0,"persistent_bytes":0,"lower_bound_bytes":0,"constant_bytes":0,"peak":{"step":-1,"live_bytes":0},"steps":0,"timeline":[]}'));
});

test('verify --same-as says that two models compute the same, or which operator does not', (t) => {
  const folder = temporaryFolder(t);
  const [old, other] = [join(folder, 'old.tflite'), join(folder, 'other\u0007.tflite')];
  const model = (/** @type {string} */ op) => buildModel({
    tensors: [{ shape: [4] }, { shape: [4] }],
    operators: [{ op, inputs: [0], outputs: [1] }, ...(op === 'RELU6' ? [{ op: 'RELU', inputs: [0], outputs: [2] }] : [])],
    ...(op === 'RELU6' && { tensors: [0, 1, 2].map(() => ({ shape: [4] })) }),
    inputs: [0],
    outputs: [1],
  });
  writeFileSync(old, model('RELU6'));
  writeFileSync(other, model('RELU'));
  const same = run(['verify', old, '--same-as', old]);
  assert.deepEqual(same, { status: 0, out: 'old.tflite: computes the same as old.tflite, proved for 2 operators\n', err: '' });
  const differs = run(['verify', other, '--same-as', old]);
  assert.equal(differs.out, 'other\\u0007.tflite: not shown to compute the same as old.tflite\n  output 0 holds nothing of tensor 1\n');
  assert.equal(differs.status, 1);
  const unknown = run(['verify', '-', '--same-as', other, '--json'], model('RELU6'));
  assert.equal(unknown.status, 4);
  const { format, same: answer, node, text } = JSON.parse(unknown.out);
  assert.deepEqual([format, answer, node, text], ['tensor-arena-same', null, 0, 'the old model has no RELU6, and what it does is not known here']);
  fails(['verify', '-', '--same-as', '-'], 2, /both files cannot be standard input/);
  fails(['verify', old, '--same-as', other, '--model', other], 2, /give one of them/);
  fails(['verify', old, '--same-as', other, '-o', other], 2, /is read, so it is not written over/);
  fails(['verify', old, '--same-as', '-'], 3, /^tensor-arena: -: not a model/, 'nothing of the kind');
});

test('check runs two models on LiteRT and says identical, or where they differ', (t) => {
  const folder = temporaryFolder(t);
  const write = (/** @type {string} */ name, /** @type {string} */ op) => {
    const file = join(folder, name);
    writeFileSync(file, buildModel({ tensors: [{ shape: [4] }, { shape: [4] }], operators: [{ op, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] }));
    return file;
  };
  const [relu, abs, unknown] = [write('relu.tflite', 'RELU'), write('abs.tflite', 'ABS'), write('unknown.tflite', 'CUSTOM')];
  assert.deepEqual(run(['check', relu, relu, '--seeds', '2']), { status: 0, out: 'relu.tflite and relu.tflite: identical on LiteRT, 1 output of 16 bytes for 2 seeds\n', err: '' });
  const differs = run(['check', relu, abs]);
  assert.match(differs.out, /^relu\.tflite and abs\.tflite: differ in output 0 from byte \d+ on, with seed 1\n$/);
  assert.equal(differs.status, 1);
  assert.equal(JSON.parse(run(['check', relu, abs, '--json']).out).outcome, 'different');
  fails(['check', relu, unknown], 4, /unknown\.tflite: LiteRT does not take this model/);
  fails(['check', relu], 2, /give 2 files/);
  fails(['check', relu, relu, '--seeds', '0'], 2, /nothing would be run/);
});

test('a buffer list is planned optimally, or one after the other, and can be written back and verified', () => {
  const plan = JSON.parse(run(['plan', '-', '--json'], list).out);
  assert.equal(plan.source.kind, 'csv');
  assert.equal(plan.runtime, 'none');
  assert.equal(plan.planner, 'optimal');
  assert.equal(plan.status, 'optimal');
  assert.equal(plan.arena_bytes, 500);
  assert.equal(JSON.parse(run(['plan', '-', '--json', '--planner', 'linear'], list).out).arena_bytes, 800);
  const written = run(['plan', '-', '--format', 'csv'], list).out;
  assert.match(written, /^id,lower,upper,size,.*offset/);
  assert.deepEqual(run(['verify', '-'], written), { status: 0, out: 'standard input: sound\n', err: '' });
});

test('a budget decides the exit status', () => {
  const fits = run(['plan', '-', '--budget', '500', '--json'], list);
  assert.equal(JSON.parse(fits.out).fits, true);
  assert.equal(JSON.parse(fits.out).budget_bytes, 500);
  assert.equal(fits.status, 0);
  const short = run(['plan', '-', '--budget', '499'], list);
  assert.match(short.out, /no plan fits, at least 1 bytes? short/);
  assert.equal(short.status, 1);
  const own = run(['plan', '-', '--budget', '100'], chainText);
  assert.match(own.out, /does not fit, 60 bytes short/);
  assert.equal(own.status, 1);
});

test('a budget that is not decided within the node budget ends with 4', needsShared, () => {
  const undecided = run(['plan', open, '--budget', '986112', '--nodes', '2000']);
  assert.match(undecided.out, /not decided within the node budget/);
  assert.equal(undecided.status, 4);
});

test('an interrupt ends a long search with the best plan so far', needsShared, async () => {
  const child = spawn(process.execPath, ['wasm/cli.js', 'plan', open, '--nodes', '1000000000000', '--json']);
  const text = { out: '', err: '' };
  child.stdout.on('data', (data) => (text.out += data));
  child.stderr.on('data', (data) => (text.err += data));
  setTimeout(() => child.kill('SIGINT'), 3000);
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(text.err, 'tensor-arena: stopped; this is the best plan so far\n', 'and no progress where it is no terminal');
  const plan = JSON.parse(text.out);
  assert.equal(plan.status, 'feasible');
  assert.ok(plan.arena_bytes >= plan.lower_bound_bytes && plan.arena_bytes < 2 * plan.lower_bound_bytes);
  assert.equal(status, 0);
});

test('the native filter and the WASI command take what the command line takes and give the same bytes', () => {
  /** @param {string[]} args @param {string} input */
  const filters = (args, input) =>
    [
      spawnSync('build/native/tensor-arena', args, { input, encoding: 'utf8' }),
      spawnSync(process.execPath, ['--no-warnings', 'tests/support/wasi-command.js', 'dist/tensor-arena-cli.wasm', ...args], { input, encoding: 'utf8' }),
    ].map(({ status, stdout, stderr }) => ({ status, out: stdout, err: stderr }));
  for (const args of [['--name', 'standard input'], ['--planner', 'linear', '--name', 'standard input'], ['--budget', '499', '--name', 'standard input']]) {
    const options = args.filter((word) => word !== '--name' && word !== 'standard input');
    const expected = run(['plan', '-', '--json', ...options], list);
    assert.deepEqual(filters(args, list), [expected, expected], args.join(' '));
  }
  for (const [args, input, status] of /** @type {[string[], string, number][]} */ ([[['--runtime', 'tflm'], list, 2], [['--speed', '9'], list, 2], [[], 'no model', 3]])) {
    const [native, wasi] = filters(args, input);
    assert.equal(native?.status, status);
    assert.deepEqual(wasi, native);
    assert.match(String(native?.err), /^tensor-arena: /);
  }
});

/** The command line: finds the command, reads its file, and turns what happens into an exit status. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.js';
import { check } from './check.js';
import { EXIT, exitStatus, isTooDeep } from './exit.js';
import { FileError, isSameFile, readInputFile, writeOutput } from './files.js';
import { describe, inputsOf, parse } from './options.js';
import { optimize } from './optimize.js';
import { plan } from './plan.js';
import { size } from './size.js';
import { verify } from './verify.js';
import { view } from './view.js';
import { visible } from './visible.js';

/**
 * @typedef {object} Call
 * @property {Uint8Array} bytes
 * @property {string} name  the input file's, without its folders
 * @property {string} file  as given
 * @property {readonly string[]} files  all of them
 * @property {Record<string, any>} values  the options
 * @property {(file: string) => void} about  to be called with the file that errors are about from now on
 * @property {() => void} opened  to be called when the input has been understood
 */

/**
 * @typedef {object} Command
 * @property {string} usage
 * @property {string} summary
 * @property {readonly string[]} options
 * @property {number} [files]  how many it takes; 1 where not said
 * @property {(call: Call) => Promise<number>} run  gives the exit status
 */

/** @type {Readonly<Record<string, Command>>} */
const COMMANDS = Object.freeze({ plan, size, verify, optimize, check, view });

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function main(args) {
  // A complaint that cannot be written is lost; the exit status still says it.
  process.stderr.on('error', () => {});
  const [word = '--help', ...rest] = args;
  if (word === '--help' || word === '-h' || word === 'help') return print(help());
  if (word === '--version') return print(`${await version()}\n`);
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command === undefined) return complain(`there is no command "${word}"; use one of ${Object.keys(COMMANDS).join(', ')}`, EXIT.usage);
  return run(word, command, rest);
}

/**
 * @param {string} word
 * @param {Command} command
 * @param {readonly string[]} args
 */
async function run(word, command, args) {
  let subject = '';
  let isOpen = false;
  try {
    const { files, values } = parse(args, command.options, word);
    if (values.help) return await say(`usage: tensor-arena ${word} ${command.usage}\n  ${command.summary}\n${describe(command.options)}`);
    const [file = ''] = files;
    const wanted = command.files ?? 1;
    if (files.length !== wanted || files.includes('')) throw new UsageError('bad-argument', `give ${wanted === 1 ? 'one file' : `${wanted} files`} (- for standard input), as in tensor-arena ${word} ${command.usage.replace(/ \[.*/, '')}`);
    const read = [...files, ...inputsOf(values)];
    if (read.filter((name) => name === '-').length > 1) throw new UsageError('bad-argument', 'both files cannot be standard input; give the name of one');
    subject = file;
    await refuseToWriteOver(read, values.output);
    const input = await readInputFile(file);
    return await command.run({ ...input, file, files, values, about: (name) => void (subject = name), opened: () => void (isOpen = true) });
  } catch (error) {
    const status = error instanceof FileError ? EXIT.failed : exitStatus(error, isOpen);
    const sentence = isTooDeep(error) ? 'this is nested too deeply' : /** @type {Error} */ (error).message;
    return complain(subject === '' ? sentence : `${subject}: ${sentence}`, status);
  }
}

/** @param {readonly string[]} inputs @param {string} [output] */
async function refuseToWriteOver(inputs, output = '-') {
  for (const input of inputs) {
    if (await isSameFile(input, '-')) throw new UsageError('bad-argument', 'standard output goes to a file that is read, which is not written over; send it elsewhere');
    if (await isSameFile(input, output)) throw new UsageError('bad-argument', `${output} is read, so it is not written over; give another file for -o`);
  }
}

/** @param {string} text */
async function say(text) {
  await writeOutput(undefined, text);
  return EXIT.good;
}

/** What is asked of no command. @param {string} text */
async function print(text) {
  try {
    return await say(text);
  } catch (error) {
    return complain(/** @type {Error} */ (error).message, EXIT.failed);
  }
}

/**
 * @param {string} message
 * @param {number} status
 */
function complain(message, status) {
  process.stderr.write(`tensor-arena: ${visible(message)}\n`);
  return status;
}

function help() {
  const names = Object.keys(COMMANDS);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}\n`).join('');
  return `usage: tensor-arena COMMAND FILE [options]\n${lines}tensor-arena COMMAND --help lists a command's options.
Exit status: 0 good, 1 the answer is no, 2 wrong usage, 3 bad input, 4 not decided within the node budget,
5 input, output or memory failed.\n`;
}

async function version() {
  const file = new URL('../../package.json', import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')).version;
}

/** The options of the commands: how they are spelt, what they take, and what becomes of it. */
import { parseArgs } from 'node:util';
import { readBytes } from '../bytes.js';
import { UsageError } from '../errors.js';
import { CHIPS, FORMATS, KERNELS, KINDS, PLANNERS, RUNTIMES, TARGETS } from '../names.js';
import { defaultRuntime } from './effect.js';

/**
 * @typedef {object} Option
 * @property {string} [short]
 * @property {string} [value]  what stands for its value in the usage; without it, the option is a flag
 * @property {(text: string, name: string) => unknown} [read]
 * @property {boolean} [isInput]  its value is a file that is read
 * @property {string} help
 */

/** @param {readonly string[]} words */
function oneOf(words) {
  return (/** @type {string} */ text, /** @type {string} */ name) => {
    if (!words.includes(text)) throw new UsageError('bad-argument', `${name} is "${text}"; use one of ${words.join(', ')}`);
    return text;
  };
}

/** @param {string} text @param {string} name */
function whole(text, name) {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new UsageError('bad-argument', `${name} is "${text}"; give a whole number`);
  return value;
}

/** @param {string} text @param {string} name */
function bytes(text, name) {
  const read = readBytes(text);
  if (read?.isWhole) return read.bytes;
  throw new UsageError('bad-argument', `${name} is "${text}"${read ? ', which is no whole number of bytes' : ''}; give bytes, as in 98304, 96K or 1.5M`);
}

/** What begins with - is an option, but for - itself. @param {string} text @param {string} name */
function path(text, name) {
  if (text === '') throw new UsageError('bad-argument', `${name} is empty; give a file`);
  if (/^-./.test(text)) throw new UsageError('bad-argument', `${name} is "${text}", which is an option; give a file (./${text} for one of that name)`);
  return text;
}

/** @type {Readonly<Record<string, Option>>} */
export const OPTIONS = Object.freeze({
  runtime: { value: 'R', read: oneOf(RUNTIMES), help: `which runtime: ${RUNTIMES.join(', ')} (default: ${KINDS.map((kind) => `${defaultRuntime(kind).name} for ${kind}`).join(', ')})` },
  planner: { value: 'P', read: oneOf(PLANNERS), help: `who places: ${PLANNERS.join(', ')} (default: ${PLANNERS[0]}; for csv without offsets ${PLANNERS[defaultRuntime('csv').planner]})` },
  alignment: { value: 'N', read: whole, help: 'of each tensor, bytes: a power of two up to 1048576 (tflm: 16)' },
  subgraph: { value: 'K', read: whole, help: 'which subgraph (default: 0; tflm plans all together)' },
  nodes: { value: 'N', read: whole, help: 'how many nodes the search may visit (default: 2000000)' },
  budget: { value: 'N[KB|MB]', read: bytes, help: 'bytes the arena should fit: says whether it does' },
  kernels: { value: 'K', read: oneOf(KERNELS), help: `TFLM's kernels: ${KERNELS.join(', ')} (default: ${KERNELS[0]}; ${KERNELS.slice(1).map((kernels) => `${kernels} is for ${CHIPS[kernels]}`).join(', ')})` },
  target: { value: 'T', read: oneOf(TARGETS), help: `TFLM's target: ${TARGETS.join(', ')} (default: ${TARGETS[0]})` },
  'keep-offsets': { help: 'buffer lists: rows with an offset stay there, and the others go around them' },
  format: { value: 'F', read: oneOf(FORMATS), help: `${FORMATS.join(', ')} (default: text)` },
  json: { help: 'JSON instead of text' },
  model: { value: 'MODEL', read: path, isInput: true, help: 'the model that a plan JSON was made for: its lives are then held against the uses' },
  'same-as': { value: 'OLD', read: path, isInput: true, help: 'a .tflite that FILE, a .tflite too, is to compute the same as: proved operator by operator' },
  seeds: { value: 'N', read: whole, help: 'how many inputs to run both on (default: 3)' },
  force: { help: 'optimize: write the file even where nothing is gained; plan: let a C header of lower bounds be used' },
  output: { short: 'o', value: 'OUT', read: path, help: 'write there (default or -: standard output; optimize must be given a file)' },
  help: { short: 'h', help: 'this text' },
});

/**
 * @typedef {object} Parsed
 * @property {string[]} files
 * @property {Record<string, any>} values  by option name, read
 */

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} names  the options the command takes
 * @param {string} command
 * @returns {Parsed}
 */
export function parse(args, names, command) {
  /** @type {Record<string, { type: 'string' | 'boolean', short?: string }>} */
  const known = {};
  for (const name of names) {
    const option = OPTIONS[name];
    known[name] = { type: option?.value === undefined ? 'boolean' : 'string', ...(option?.short && { short: option.short }) };
  }
  const { tokens, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: false, tokens: true });
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const token of tokens)
    if (token.kind === 'option') values[token.name] = read(token, names, command);
  return { files: positionals, values };
}

/**
 * One option as it was given.
 * @param {{ name: string, rawName: string, value?: string | undefined }} given
 * @param {readonly string[]} names
 * @param {string} command
 */
function read({ name, rawName, value }, names, command) {
  const option = names.includes(name) ? OPTIONS[name] : undefined;
  const help = `see tensor-arena ${command} --help`;
  if (option === undefined) throw new UsageError('bad-argument', `there is no option ${rawName}; ${help}`);
  if (option.read === undefined) {
    if (value !== undefined) throw new UsageError('bad-argument', `${rawName} takes no value; ${help}`);
    return true;
  }
  if (value === undefined) throw new UsageError('bad-argument', `${rawName} needs a value, ${rawName} ${option.value}; ${help}`);
  return option.read(value, rawName);
}

/** The files that options name to be read. @param {Record<string, any>} values @returns {string[]} */
export function inputsOf(values) {
  return Object.keys(values).filter((name) => OPTIONS[name]?.isInput).map((name) => values[name]);
}

/**
 * @param {readonly string[]} names
 * @returns {string} a line for each option
 */
export function describe(names) {
  const spelt = names.map((name) => {
    const { short, value } = /** @type {Option} */ (OPTIONS[name]);
    return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  });
  const width = Math.max(...spelt.map((text) => text.length));
  return names.map((name, i) => `  ${spelt[i]?.padEnd(width)}  ${OPTIONS[name]?.help}\n`).join('');
}

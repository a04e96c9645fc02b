// Writes the core as one C file beside its public header: every header of c/src once, then every source, with the
// names that belong to one file prefixed by its folder and name, so that no two meet.
// Usage: node tools/amalgamate.js OUT.c OUT.h
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = 'c/src';
const PUBLIC = 'c/include';
const [outC = 'dist/tensor_arena.c', outH = 'dist/tensor_arena.h'] = process.argv.slice(2);

/** @typedef {{ text: string, kind: 'word' | 'space' | 'directive' | 'other' }} Token */

/** In the order in which they are tried: what is skipped whole, words, and single characters. */
const TOKEN = /(?<space>\s+|\/\*[^]*?\*\/|\/\/.*)|(?<other>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\d[\w.]*|->)|(?<word>[A-Za-z_]\w*)|(?<sign>[^])/y;

/** @param {string} text @returns {Token[]} */
function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let found; (found = TOKEN.exec(text)); ) {
    const kind = found.groups?.['space'] !== undefined ? 'space' : found.groups?.['word'] !== undefined ? 'word' : 'other';
    tokens.push({ text: found[0], kind });
  }
  return tokens;
}

/**
 * The tokens of each file-scope declaration, bodies included. Directives are no declarations.
 * @param {string} text
 */
function declarationsOf(text) {
  const tokens = tokensOf(text.replace(/^[ \t]*#(?:.*\\\n)*.*$/gm, '')).filter(({ kind }) => kind !== 'space');
  /** @type {string[][]} */
  const declarations = [];
  /** @type {string[]} */
  let current = [];
  let depth = 0;
  for (const { text: token } of tokens) {
    current.push(token);
    if (token === '{' || token === '(' || token === '[') depth++;
    if (token === '}' || token === ')' || token === ']') depth--;
    // A function ends with its body; everything else at a semicolon.
    const isFunction = token === '}' && current[current.indexOf('{') - 1] === ')';
    if (depth === 0 && (token === ';' || isFunction)) {
      declarations.push(current);
      current = [];
    }
  }
  return declarations;
}

/** The tokens of a declaration that stand in no brackets. @param {string[]} declaration */
function outermost(declaration) {
  let depth = 0;
  return declaration.filter((token) => {
    if (/^[([{]$/.test(token)) return depth++ === 0;
    if (/^[)\]}]$/.test(token)) return --depth === 0;
    return depth === 0;
  });
}

const isWord = (/** @type {string | undefined} */ token) => token !== undefined && /^[A-Za-z_]\w*$/.test(token);

/**
 * What a declaration names that no other file can see: static objects and functions, types, enumerators.
 * @param {string[]} declaration
 */
function namesIn(declaration) {
  /** @type {string[]} */
  const names = [];
  const tag = /^(struct|union|enum)$/;
  const body = declaration.indexOf('{');
  const head = outermost(declaration);
  declaration.forEach((token, i) => {
    if (tag.test(token) && isWord(declaration[i + 1]) && declaration[i + 2] === '{') names.push(String(declaration[i + 1]));
    if (token !== 'enum') return;
    const open = declaration.indexOf('{', i);
    if (open < 0 || open > i + 2) return;
    const close = declaration.indexOf('}', open);
    for (let at = open; at < close; at++) if (/^[{,]$/.test(String(declaration[at])) && isWord(declaration[at + 1])) names.push(String(declaration[at + 1]));
  });
  if (head[0] === 'typedef') {
    const pointer = declaration.indexOf('*', declaration.indexOf('('));
    const isFunctionPointer = declaration.includes('(') && body < 0 && declaration[declaration.indexOf('(') + 1] === '*';
    names.push(String(isFunctionPointer ? declaration[pointer + 1] : head.filter(isWord).at(-1)));
    if (!isFunctionPointer && body < 0 && head.includes('(')) names.splice(-1, 1, String(head[head.indexOf('(') - 1]));
  }
  if (head[0] === 'static') {
    // The name stands before its parameters, its length, its value or its end.
    const end = head.findIndex((token) => /^[([=;]$/.test(token));
    if (isWord(head[end - 1])) names.push(String(head[end - 1]));
  }
  return names;
}

/**
 * The text with those names prefixed, wherever they are no members.
 * @param {string} text
 * @param {ReadonlySet<string>} names
 * @param {string} prefix
 */
function renamed(text, names, prefix) {
  const tokens = tokensOf(text);
  const solid = tokens.filter(({ kind }) => kind !== 'space');
  /** @type {Set<Token>} */
  const members = new Set();
  /** @type {boolean[]} for each open brace: of a struct or union */
  const braces = [];
  let offsetofDepth = -1;
  let depth = 0;
  solid.forEach((token, i) => {
    const [before, after] = [solid[i - 1]?.text, solid[i + 1]?.text];
    if (token.text === '{') braces.push([solid[i - 1]?.text, solid[i - 2]?.text].some((word) => word === 'struct' || word === 'union'));
    if (token.text === '}') braces.pop();
    if (token.text === '(') depth++;
    if (token.text === 'offsetof') offsetofDepth = depth + 1;
    if (token.text === ')' && --depth < offsetofDepth) offsetofDepth = -1;
    if (token.kind !== 'word') return;
    const declared = braces.at(-1) === true && (/^[;,[]$/.test(String(after)) || (after === ')' && before === '*'));
    const ofOffsetof = offsetofDepth >= 0 && before === ',';
    if (before === '.' || before === '->' || declared || ofOffsetof) members.add(token);
  });
  return tokens.map((token) => (token.kind === 'word' && names.has(token.text) && !members.has(token) ? prefix + token.text : token.text)).join('');
}

/** @type {Set<string>} headers that are in already */
const included = new Set();

/** A file with its includes in their place: headers the first time they are asked for, lists each time. @param {string} path @returns {string} */
function expanded(path) {
  return readFileSync(path, 'utf8').replace(/^[ \t]*#[ \t]*include "([^"]+)".*\n/gm, (_, name) => {
    const target = [join(SOURCES, name), join(PUBLIC, name), join(dirname(path), name)].find(existsSync);
    if (target === undefined) throw new Error(`${path} includes "${name}", which is nowhere`);
    if (target === join(PUBLIC, 'tensor_arena.h')) return '';
    if (target.endsWith('.def')) return expanded(target);
    if (included.has(target)) return '';
    included.add(target);
    return expanded(target);
  });
}

/** The macros that a source leaves defined. @param {string} text */
function macrosOf(text) {
  const defined = new Set([...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)/gm)].map(([, name]) => String(name)));
  for (const [, name] of text.matchAll(/^[ \t]*#[ \t]*undef[ \t]+(\w+)/gm)) defined.delete(String(name));
  return [...defined];
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).sort();
const headers = files.filter((file) => file.endsWith('.h'));
const sources = files.filter((file) => file.endsWith('.c'));

let text = `/* tensor-arena as one file: compile it, and include tensor_arena.h. Made from c/ by \`make amalgamation\`. */\n#include "tensor_arena.h"\n`;
for (const header of headers) {
  const path = join(SOURCES, header);
  if (included.has(path)) continue;
  included.add(path);
  text += expanded(path);
}
for (const source of sources) {
  const own = expanded(join(SOURCES, source));
  const names = new Set(declarationsOf(own).flatMap(namesIn).filter((name) => !name.startsWith('ta_')));
  const prefix = `${source.replace(/\.c$/, '').replaceAll('/', '_')}_`;
  text += `\n/* ==== ${source} ==== */\n${renamed(own, names, prefix)}`;
  for (const macro of macrosOf(own)) text += `#undef ${macro}\n`;
}
writeFileSync(outC, text);
// The public header alone: the lists it includes stand in it.
included.clear();
writeFileSync(outH, expanded(join(PUBLIC, 'tensor_arena.h')));

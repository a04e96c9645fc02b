// Reads every #include under c/src and fails on one that points up or sideways: a folder includes itself and
// the folders of the lines before its own in layers.json. Also fails on a system header that is not listed
// there: the core has no I/O, no clock and no floating-point library.
import { readFileSync, readdirSync } from 'node:fs';

/** @type {{ layers: string[][], systemHeaders: string[] }} */
const { layers, systemHeaders } = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));
const rank = new Map(layers.flatMap((folders, level) => folders.map((folder) => [folder, level])));

/** @type {string[]} */
const faults = [];
let arrows = 0;
for (const entry of readdirSync('c/src', { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.[ch]$/.test(entry)) continue;
  const path = `c/src/${entry}`;
  const folder = /** @type {string} */ (entry.split('/')[0]);
  const own = rank.get(folder);
  if (own === undefined) faults.push(`${path}: tools/layers.json has no layer "${folder}"`);
  readFileSync(path, 'utf8').split('\n').forEach((line, index) => {
    const include = /^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)/.exec(line);
    if (!include) return;
    const place = `${path}:${index + 1}`;
    const [, quoted, system] = include;
    if (system !== undefined) {
      if (!systemHeaders.includes(system)) faults.push(`${place}: <${system}> is not a header that the core may use`);
      return;
    }
    if (quoted === undefined || /^tensor_arena\w*\.(h|def)$/.test(quoted)) return;
    arrows++;
    const target = quoted.split('/').length > 1 ? /** @type {string} */ (quoted.split('/')[0]) : '';
    const level = rank.get(target);
    if (level === undefined) faults.push(`${place}: "${quoted}" does not start with a folder of c/src`);
    else if (own !== undefined && target !== folder && level >= own)
      faults.push(`${place}: ${folder} includes ${quoted}, which is ${level > own ? 'above it' : 'beside it'}`);
  });
}
for (const fault of faults) console.error(fault);
console.log(`layers: ${arrows} includes between ${rank.size} folders, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;

// Compares the manifest of exports (wasm/exports.txt) with the boundary's C (EXPORT in wasm/*.c)
// and with wasm modules, name by name and i32 by i32, and fails on any import.
// Arguments: the modules.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { readManifest } from './manifest.js';

/** Added by each toolchain's linker: the constructor that a reactor's host calls first. */
const TOOLCHAIN = new Set(['_initialize']);
/** What every browser since 2021 knows; nothing else may be in a module. */
const FEATURES = ['--disable-simd', '--disable-reference-types', '--disable-saturating-float-to-int', '--disable-multi-value'];

/** @param {number} parameters @param {boolean} result */
const signature = (parameters, result) => `(${Array(parameters).fill('i32').join(', ')}) -> ${result ? 'i32' : 'nil'}`;

/** Name to signature, from the C: `EXPORT(name, parameter, ...)`, which always returns an i32. */
function declared() {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const file of readdirSync('wasm').filter((name) => /\.c$/.test(name))) {
    const text = readFileSync(`wasm/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*#.*$/gm, '');
    for (const [, name = '', list = ''] of text.matchAll(/^EXPORT\((\w+),([^)]*)\)/gm))
      found.set(name, signature(list.trim() === 'void' ? 0 : list.split(',').length, true));
  }
  return found;
}

/** Name to signature, and the imports, from a module. @param {string} file */
function compiled(file) {
  const text = execFileSync('wasm-objdump', ['-x', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const types = new Map([...text.matchAll(/- type\[(\d+)\] (\(.*?\) -> .*)/g)].map(([, index, type]) => [index, type]));
  const functions = new Map([...text.matchAll(/- func\[(\d+)\] sig=(\d+)/g)].map(([, index, type]) => [index, types.get(type)]));
  /** @type {Map<string, string>} */
  const exports = new Map();
  for (const [, kind, index, name = ''] of text.matchAll(/- (\w+)\[(\d+)\](?: <.*?>)? -> "(.*)"/g))
    exports.set(name, kind === 'func' ? String(functions.get(index)) : String(kind));
  return exports;
}

/** @type {string[]} */
const faults = [];
/** @param {string} where @param {Map<string, string>} actual @param {Map<string, string>} expected */
function compare(where, actual, expected) {
  for (const [name, type] of expected) {
    const found = actual.get(name);
    if (found === undefined) faults.push(`${where}: ${name} is in wasm/exports.txt and not here`);
    else if (found !== type) faults.push(`${where}: ${name} is ${found}, in wasm/exports.txt it is ${type}`);
  }
  for (const name of actual.keys()) if (!expected.has(name)) faults.push(`${where}: ${name} is not in wasm/exports.txt`);
}

const manifest = readManifest();
const functions = new Map(
  manifest.filter(({ kind }) => kind === 'function').map(({ name, parameters, result }) => [name, signature(parameters, result)]),
);
const all = new Map([...functions, ...manifest.filter(({ kind }) => kind === 'memory').map(({ name }) => /** @type {const} */ ([name, 'memory']))]);
compare('wasm/*.c', declared(), functions);
for (const file of process.argv.slice(2)) {
  const exports = compiled(file);
  for (const name of TOOLCHAIN) if (!all.has(name)) exports.delete(name);
  compare(file, exports, all);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)));
  for (const { module, name } of imports) faults.push(`${file}: imports ${module}.${name}; a library module imports nothing`);
  try {
    execFileSync('wasm-validate', [...FEATURES, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    faults.push(`${file}: ${/** @type {{ stderr: string }} */ (error).stderr}`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`exports: ${functions.size} functions, ${process.argv.length - 2} modules, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;

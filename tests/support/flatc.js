// Reads .tflite files with flatc, from a schema text made of tflite-schema.js.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA, UNIONS } from './tflite-schema.js';

const SCALARS = /** @type {Record<string, string>} */ ({ i8: 'byte', u8: 'ubyte', bool: 'bool', i32: 'int', u32: 'uint', u64: 'ulong', i64: 'long', f32: 'float' });

/** @param {string} type */
function typeOf(type) {
  const [, vector, element = type, alignment] = /^(\[)?([^\]:]+)(?::(\d+))?\]?$/.exec(type) ?? [];
  const word = SCALARS[element] ?? element.replace(/[<>]/g, '');
  return (vector ? `[${word}]` : word) + (alignment ? ` (force_align: ${alignment})` : '');
}

function schemaText() {
  const unions = Object.entries(UNIONS).map(([name, members]) => `union ${name} { ${Object.keys(members).filter((member) => member !== 'NONE').join(', ')} }`);
  const known = new Set(Object.keys(SCHEMA));
  const others = [...new Set(Object.values(UNIONS).flatMap((members) => Object.keys(members)))].filter((name) => name !== 'NONE' && !known.has(name));
  const tables = Object.entries(SCHEMA).map(([table, fields]) => {
    // A union's tag is a field of its own, which flatc adds itself.
    const written = fields.filter(({ name }, i) => !fields[i + 1]?.type.startsWith('<') || name !== `${fields[i + 1]?.name}_type`);
    const lines = written.map(({ name, type, otherwise }, i) => {
      const value = type in SCALARS && otherwise !== 0 ? ` = ${otherwise}` : '';
      return `  ${name === '-' ? `unused_${i}` : name}: ${typeOf(type)}${value};`;
    });
    return `table ${table} {\n${lines.join('\n')}\n}`;
  });
  return [...others.map((name) => `table ${name} {}`), ...unions, ...tables, 'root_type Model;', 'file_identifier "TFL3";'].join('\n');
}

/**
 * The model as flatc prints it.
 * @param {string} folder  for its files
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function readWithFlatc(folder, bytes) {
  writeFileSync(join(folder, 'model.fbs'), schemaText());
  writeFileSync(join(folder, 'model.bin'), bytes);
  execFileSync('flatc', ['--json', '--strict-json', '--allow-non-utf8', '--defaults-json', '-o', folder, join(folder, 'model.fbs'), '--', join(folder, 'model.bin')]);
  return JSON.parse(readFileSync(join(folder, 'model.json'), 'latin1'));
}

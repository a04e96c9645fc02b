// Prints a C program which prints dist/layouts.js: where each field of each public struct lies, as the compiler has it.
// Structs with pointers stay in C and are left out. An array's field has its offset, and `NAME_length` its entries.
import { readFileSync } from 'node:fs';

const header = readFileSync('c/include/tensor_arena.h', 'utf8').replace(/\/\*[^]*?\*\//g, '');
const STRUCT = /typedef struct (ta_\w+) \{([^}]*)\} \1;/g;

/** The declarators of a body: `int32_t first, last;` has two. @param {string} body */
function fieldsOf(body) {
  return body.split(';').flatMap((declaration) => {
    const list = declaration.trim().replace(/^(?:const )?\w+\s+/, '');
    return list === '' ? [] : list.split(',').map((field) => field.trim());
  });
}

const lines = ['#include <stddef.h>', '#include <stdio.h>', '#include "tensor_arena.h"', '', 'int main(void) {', '  puts("/** Made by the build: where the fields of the core\'s structs lie, in bytes. SIZE is the whole struct\'s. */");'];
for (const [, name, body] of header.matchAll(STRUCT)) {
  if (name === undefined || body === undefined || body.includes('*')) continue;
  const constant = name.replace(/^ta_/, '').toUpperCase();
  lines.push(`  printf("export const ${constant} = Object.freeze({\\n  SIZE: %zu,\\n", sizeof(${name}));`);
  for (const field of fieldsOf(body)) {
    const member = field.replace(/\[.*/, '');
    lines.push(`  printf("  ${member}: %zu,\\n", offsetof(${name}, ${member}));`);
    if (member !== field) lines.push(`  printf("  ${member}_length: %zu,\\n", sizeof((${name}){0}.${member}) / sizeof((${name}){0}.${member}[0]));`);
  }
  lines.push('  puts("});");');
}
lines.push('  return 0;', '}');
console.log(lines.join('\n'));

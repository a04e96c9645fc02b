// Prints the build id: 16 hex digits of a hash over everything that decides what the wasm and its
// JavaScript do. Two checkouts of the same sources print the same.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const hash = createHash('sha256').update(readFileSync('Makefile'));
for (const root of ['c', 'wasm', 'make']) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(c|h|def|js|txt|mk)$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
}
process.stdout.write(`${hash.digest('hex').slice(0, 16)}\n`);

// Prints what the built files weigh, and fails when one is over its limit.
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const KIB = 1024;
/** Limits in bytes: a page loads the whole core before it can show anything. */
const LIMITS = [
  { file: 'build/emscripten/tensor_arena.wasm', bytes: 256 * KIB },
  { file: 'build/wasi/tensor_arena.wasm', bytes: 256 * KIB },
];

let over = 0;
for (const limit of LIMITS) {
  if (!existsSync(limit.file)) {
    console.log(`sizes: ${limit.file} is not built`);
    over++;
    continue;
  }
  const data = readFileSync(limit.file);
  const good = data.length <= limit.bytes;
  if (!good) over++;
  console.log(`sizes: ${limit.file} ${data.length} bytes (gzip ${gzipSync(data, { level: 9 }).length}), at most ${limit.bytes}${good ? '' : ': TOO LARGE'}`);
}
process.exitCode = over ? 1 : 0;

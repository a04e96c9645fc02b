// The verifier on long buffer lists, in wasm on one thread: reading and checking, sound and with every neighbour
// clashing, as a table. `node tests/bench/verify.js [rows]` (1000000).
import { open, verify } from '../../wasm/index.js';

const most = Number(process.argv[2] ?? 1_000_000);
const LIVE = 128;

/** Blocks of 8 bytes, 64 new ones a step, each for two steps; `spread` bytes from one to the next. @param {number} n @param {number} spread */
function list(n, spread) {
  const rows = Array.from({ length: n }, (_, i) => `${i},${i >> 6},${(i >> 6) + 2},8,${spread * (i % LIVE)}`);
  return `id,lower,upper,size,offset\n${rows.join('\n')}\n`;
}

/** @param {() => Promise<unknown>} work */
async function milliseconds(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

console.log(['rows', 'read ms', 'verify ms', 'us a row', 'clashes'].map((head) => head.padStart(12)).join(''));
for (let n = 1000; n <= most; n *= 10)
  for (const spread of [8, 4]) {
    const text = list(n, spread);
    const read = await milliseconds(() => open(text));
    let clashes = 0;
    const all = await milliseconds(async () => void ({ clashCount: clashes } = await verify(text)));
    console.log([n, read.toFixed(1), all.toFixed(1), ((all * 1000) / n).toFixed(2), clashes].map((cell) => String(cell).padStart(12)).join(''));
  }

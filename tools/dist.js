// Makes what is shipped beside the JavaScript out of the Emscripten build: dist/tensor_arena.wasm, the build
// id that ties both together (dist/build.js), the module as text for the inline entry (dist/inline.js), and
// dist/BUILDINFO, which says what made it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const wasm = readFileSync('build/emscripten/tensor_arena.wasm');
const buildId = readFileSync('build/build-id', 'utf8').trim();
const header = readFileSync('c/include/tensor_arena.h', 'utf8');
const abi = /#define TA_ABI_VERSION (\d+)/.exec(header)?.[1];
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const compiler = execFileSync(process.env.EMCC ?? 'emcc', ['--version'], { encoding: 'utf8' }).split('\n')[0];

mkdirSync('dist', { recursive: true });
writeFileSync('dist/tensor_arena.wasm', wasm);
writeFileSync(
  'dist/build.js',
  `/** Made by the build: what the wasm file of this build says of itself. */
export const ABI = ${abi};
export const BUILD_ID = '${buildId}';
export const VERSION = '${version}';
`,
);
writeFileSync(
  'dist/inline.js',
  `/** Made by the build: tensor_arena.wasm in base64. */
export const WASM_BASE64 =
  '${wasm.toString('base64')}';
`,
);
writeFileSync(
  'dist/BUILDINFO',
  [
    `version ${version}`,
    `abi ${abi}`,
    `build ${buildId}`,
    `compiler ${compiler}`,
    `tensor_arena.wasm ${wasm.length} bytes, sha256 ${createHash('sha256').update(wasm).digest('hex')}`,
    '',
  ].join('\n'),
);

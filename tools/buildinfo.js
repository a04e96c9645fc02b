// Prints what was built, with what, as JSON: the boundary's version, the build id, the tools' versions and
// each file's bytes and SHA-256. Arguments: the files. Two builds of the same sources print the same.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** First line of what a command prints of its version. @param {string} command */
const version = (command) => execSync(`${command} --version`, { encoding: 'utf8' }).split('\n')[0]?.trim();

const build = readFileSync('dist/build.js', 'utf8');
const info = {
  version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  abi: Number(/ABI = (\d+)/.exec(build)?.[1]),
  buildId: /BUILD_ID = '(\w+)'/.exec(build)?.[1],
  tools: {
    emscripten: version(process.env.EMCC ?? 'emcc'),
    wasi: version(process.env.WASI_CC ?? 'clang'),
    binaryen: version('wasm-opt'),
  },
  files: process.argv.slice(2).map((file) => {
    const bytes = readFileSync(file);
    return { name: basename(file), bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }),
};
process.stdout.write(`${JSON.stringify(info, null, 2)}\n`);

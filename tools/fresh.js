// Before packing: refuses what is not built, or was built of other sources than those here.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What is wrong with dist/, or nothing. */
function fault() {
  const wanted = execFileSync(process.execPath, ['tools/build-id.js'], { encoding: 'utf8' }).trim();
  if (!existsSync('dist/build.js')) return 'nothing is built';
  const built = /BUILD_ID = '(\w+)'/.exec(readFileSync('dist/build.js', 'utf8'))?.[1];
  if (built !== wanted) return `dist/ holds build ${built}, the sources are build ${wanted}`;
  if (!existsSync('dist/page/index.html')) return 'the page is not built';
  if (!readFileSync('dist/page/tensor_arena.wasm').equals(readFileSync('dist/tensor_arena.wasm'))) return 'the page holds another build';
  return undefined;
}

const told = fault();
if (told !== undefined) {
  console.error(`${told}: run make package page first`);
  process.exitCode = 1;
}

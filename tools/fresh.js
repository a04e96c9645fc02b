// Before packing: refuses what was built of other sources than those here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const wanted = execFileSync(process.execPath, ['tools/build-id.js'], { encoding: 'utf8' }).trim();
let built = 'nothing';
try {
  built = /BUILD_ID = '(\w+)'/.exec(readFileSync('dist/build.js', 'utf8'))?.[1] ?? built;
} catch {
  // Not built at all: said below.
}
if (built !== wanted) {
  console.error(`dist/ holds build ${built}, the sources are build ${wanted}: run make package first`);
  process.exitCode = 1;
}

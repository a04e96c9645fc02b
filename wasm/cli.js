#!/usr/bin/env node
import { existsSync } from 'node:fs';

if (existsSync(new URL('../dist/build.js', import.meta.url))) {
  const { main } = await import('./cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write('tensor-arena: nothing is built here; run make package page first\n');
  process.exitCode = 5;
}

// The package as users get it: packed, and installed from the tarball into a folder of its own, without a network.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** What npm would put into the tarball. @returns {string[]} */
export function packedFiles() {
  const output = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = /** @type {[{ files: { path: string }[] }]} */ (JSON.parse(output));
  return files.map(({ path }) => path).sort();
}

/** @returns {string} a folder whose node_modules holds the package; gone after the file's tests */
export function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), 'tensor-arena-package-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const quiet = { encoding: /** @type {const} */ ('utf8'), stdio: /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe']) };
  const tarball = execFileSync(npm, ['pack', '--silent', '--pack-destination', folder], quiet).trim().split('\n').at(-1);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  execFileSync(npm, ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`], { ...quiet, cwd: folder });
  return folder;
}

/** Lets the consumer use one of this repository's development packages. @param {string} folder @param {string} name */
export function lend(folder, name) {
  symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
}

/**
 * Runs a script in the consumer's folder and gives what it printed.
 * @param {string} folder
 * @param {string} file
 * @param {string} source
 * @param {string[]} [flags]
 */
export function runScript(folder, file, source, flags = []) {
  writeFileSync(join(folder, file), source);
  return execFileSync(process.execPath, [...flags, file], { cwd: folder, encoding: 'utf8', timeout: 300_000 }).trim();
}

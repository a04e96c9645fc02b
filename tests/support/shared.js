// The folder of real models, golden vectors and known instances that may lie beside the repository: where it is, what is
// in it, and what marks a test that reads it. It is too large to be part of a clone, and a clone alone passes: without the
// folder such a test is left out, and tests/run.js counts and names it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const SHARED = resolve(process.env['TENSOR_ARENA_SHARED'] || '../shared');
export const hasShared = existsSync(SHARED);
/** Why a test is left out, as tests/run.js knows it. */
export const NEEDS_SHARED = 'it reads the folder shared/, which does not lie beside this clone';

/** The options of a test that reads the folder: `test(name, needsShared, () => ...)`. */
export const needsShared = { skip: !hasShared && NEEDS_SHARED };

/** @param {string} path  inside the folder */
export const sharedPath = (path) => join(SHARED, path);

/** The files of one of its folders, in order; none without it. @param {string} folder @param {RegExp} pattern */
export function sharedFiles(folder, pattern) {
  if (!hasShared) return [];
  return readdirSync(sharedPath(folder)).filter((name) => pattern.test(name)).sort().map((name) => sharedPath(join(folder, name)));
}

/** @param {string} path */
export const sharedBytes = (path) => new Uint8Array(readFileSync(sharedPath(path)));

/** A model by its name. @param {string} name */
export const sharedModel = (name) => sharedBytes(join('models', name));

/** @param {string} path @returns {any} */
export const sharedJson = (path) => JSON.parse(readFileSync(sharedPath(path), 'utf8'));

/** Every model's path, also the broken ones'. */
export const sharedModels = () => sharedFiles('models', /\.(tflite|bin)$/);

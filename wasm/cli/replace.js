/** Writing a file whole or not at all: beside it first, and then in its place. */
import { randomUUID } from 'node:crypto';
import { access, chmod, chown, constants, lstat, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links as Linux follows. */
const MOST_LINKS = 40;

/** The folder takes no new file, or the file is a mount of its own: it can only be written where it is. */
const ONLY_IN_PLACE = ['EACCES', 'EPERM', 'EROFS', 'EBUSY'];

/**
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export async function replaceFile(file, content) {
  const target = await followLinks(file);
  const old = await stat(target).catch(unlessAbsent);
  if (isDevice(target) || (old && !old.isFile())) return writeFile(file, content);
  if (old) await access(target, constants.W_OK);
  const beside = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID()}.tmp`);
  try {
    await writeFile(beside, content, { flag: 'wx' });
    if (old) await takeAfter(beside, old);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    if (!old || !ONLY_IN_PLACE.includes(codeOf(error))) throw error;
    await writeFile(target, content);
  }
}

/** Where a link leads, even to what is not there yet. @param {string} file */
async function followLinks(file) {
  let at = resolve(file);
  for (let links = 0; links < MOST_LINKS && !isDevice(at); links++) {
    const found = await lstat(at).catch(unlessAbsent);
    if (!found?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  return at;
}

/** /dev/stdout and its like lead to what is already open. @param {string} path */
function isDevice(path) {
  return /^\/(dev|proc)\//.test(path);
}

/**
 * Permissions stay, and the owner where that is allowed.
 * @param {string} file
 * @param {import('node:fs').Stats} old
 */
async function takeAfter(file, { uid, gid, mode }) {
  await chown(file, uid, gid).catch(() => {});
  await chmod(file, mode & 0o7777);
}

/** @param {unknown} error @returns {null} */
function unlessAbsent(error) {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

/** @param {unknown} error */
function codeOf(error) {
  return String(/** @type {NodeJS.ErrnoException} */ (error).code);
}

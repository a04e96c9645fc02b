/** Writing a file whole or not at all: beside it first, and then in its place. */
import { randomUUID } from 'node:crypto';
import { access, chmod, chown, constants, lstat, open, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, sep } from 'node:path';

/** As many links as Linux follows. */
const MOST_LINKS = 40;
/** What ends the program unless it is caught. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const NEW_MODE = 0o666;
const PERMISSIONS = 0o7777;

/**
 * A disk that is full and a signal leave what was there, and nothing beside it. A signal then ends the program as it would have.
 * @param {string} file
 * @param {string | Uint8Array | AsyncIterable<string | Uint8Array>} content
 */
export async function replaceFile(file, content) {
  const target = await followLinks(file);
  const old = await stat(target).catch(unlessAbsent);
  if (isOpenAlready(target) || (old && !old.isFile())) return writeFile(file, content);
  if (old) await access(target, constants.W_OK);
  const beside = inFolderOf(target, `.${basename(target).slice(0, 60)}.${randomUUID()}.tmp`);
  await untilSignal(async (signal) => {
    try {
      await writeNew(beside, content, old?.mode ?? NEW_MODE, signal);
      if (old) await takeAfter(beside, old);
      signal.throwIfAborted();
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true }).catch(() => {});
      throw error;
    }
  });
}

/**
 * @param {string} file  must not be there
 * @param {string | Uint8Array | AsyncIterable<string | Uint8Array>} content
 * @param {number} mode
 * @param {AbortSignal} signal
 */
async function writeNew(file, content, mode, signal) {
  const handle = await open(file, 'wx', mode & PERMISSIONS);
  try {
    await writeFile(handle, content, { signal });
    // A name must not lead to bytes that are still to be written.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Runs what must tidy up after itself: a signal aborts it, and ends the program once it has.
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
async function untilSignal(work) {
  const stop = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let caught;
  const onSignal = (/** @type {NodeJS.Signals} */ name) => {
    caught = name;
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    await work(stop.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
    if (caught !== undefined) process.kill(process.pid, caught);
  }
}

/** Where a link leads, even to what is not there yet. @param {string} file */
async function followLinks(file) {
  let at = file;
  for (let links = 0; links < MOST_LINKS && !isOpenAlready(at); links++) {
    const found = await lstat(at).catch(unlessAbsent);
    if (!found?.isSymbolicLink()) return at;
    const next = await readlink(at);
    at = isAbsolute(next) ? next : inFolderOf(at, next);
  }
  return at;
}

/** The system finds what `..` leads to: behind a link that is elsewhere than the text says. @param {string} path @param {string} name */
function inFolderOf(path, name) {
  return `${dirname(path)}${sep}${name}`;
}

/** /dev/stdout and its like lead to what is already open. @param {string} path */
function isOpenAlready(path) {
  return /^\/dev\/(fd\/|std(in|out|err)$)|^\/proc\/.*\/fd\//.test(path);
}

/**
 * Permissions stay, and the owner where that is allowed.
 * @param {string} file
 * @param {import('node:fs').Stats} old
 */
async function takeAfter(file, { uid, gid, mode }) {
  await chown(file, uid, gid).catch(() => {});
  await chmod(file, mode & PERMISSIONS);
}

/** @param {unknown} error @returns {null} */
function unlessAbsent(error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
  throw error;
}

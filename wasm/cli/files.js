/** Reading and writing, with - for standard input and output. */
import { fstatSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { replaceFile } from './replace.js';

/** Input or output failed. */
export class FileError extends Error {}

/** As much as the sandbox holds. */
const MOST_BYTES = 2 ** 30;
const CHUNK_BYTES = 2 ** 20;

/**
 * @param {string} file
 * @returns {Promise<{ bytes: Uint8Array, name: string }>}
 */
export async function readInputFile(file) {
  try {
    if (file === '-') return { bytes: await readStream(process.stdin), name: 'standard input' };
    return { bytes: await readPath(file), name: basename(file) };
  } catch (cause) {
    throw new FileError(`cannot be read: ${reason(cause, 'there is no such file')}`, { cause });
  }
}

/** @param {string} file */
async function readPath(file) {
  const handle = await open(file);
  try {
    const found = await handle.stat();
    if (found.size > MOST_BYTES) throw tooLarge();
    return found.isFile() ? await handle.readFile() : await readStream(handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false }));
  } finally {
    await handle.close();
  }
}

/** What may never end. @param {NodeJS.ReadableStream} stream */
async function readStream(stream) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(/** @type {Buffer} */ (chunk));
  }
  return Buffer.concat(chunks, bytes);
}

function tooLarge() {
  return Object.assign(new Error(), { code: 'ERR_FS_FILE_TOO_LARGE' });
}

/**
 * Whether what is written would lie in a file that is read, as the system finds both, by whatever path or link.
 * @param {string} input  a path, or - for standard input
 * @param {string} output  a path, or - for standard output
 */
export async function isSameFile(input, output) {
  try {
    const [one, other] = await Promise.all([found(input, process.stdin.fd), found(output, process.stdout.fd)]);
    return one.isFile() && one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false; // one is not there: reading or writing says so
  }
}

/** @param {string} file @param {number} standard  what - stands for */
async function found(file, standard) {
  return file === '-' ? fstatSync(standard, { bigint: true }) : stat(file, { bigint: true });
}

/**
 * @param {string | undefined} file
 * @param {string | Uint8Array} content
 */
export async function writeOutput(file, content) {
  try {
    if (file === undefined || file === '-') await writeStandardOutput(content);
    else await replaceFile(file, content);
  } catch (cause) {
    throw new FileError(`${file ?? 'standard output'} cannot be written: ${reason(cause, 'there is no such folder')}`, { cause });
  }
}

/** @param {string | Uint8Array} content */
function writeStandardOutput(content) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      process.stdout.once('error', reject);
      process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
    })
  );
}

/** @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left on the disk',
  EFBIG: 'it is too large for the disk',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 1 GiB, and the sandbox holds no more',
  EIO: 'the disk failed',
  EPIPE: 'the reader has gone',
});

/** @param {unknown} error @param {string} absent  what is not there */
function reason(error, absent) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'ENOENT' ? absent : (WORDS[String(code)] ?? `the system says ${code}`);
}

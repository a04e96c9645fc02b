/** Reading and writing, with - for standard input and output. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Input or output failed. */
export class FileError extends Error {}

/**
 * @param {string} file
 * @returns {Promise<{ bytes: Uint8Array, name: string }>}
 */
export async function readInputFile(file) {
  try {
    if (file === '-') return { bytes: await readStandardInput(), name: 'standard input' };
    return { bytes: await readFile(file), name: basename(file) };
  } catch (cause) {
    throw new FileError(`cannot be read: ${reason(cause, 'there is no such file')}`, { cause });
  }
}

async function readStandardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether two paths lead to one file on the disk, by links too. @param {string | undefined} a @param {string | undefined} b */
export async function isSameFile(a = '-', b = '-') {
  if (a === '-' || b === '-') return false;
  try {
    const [one, other] = await Promise.all([stat(a, { bigint: true }), stat(b, { bigint: true })]);
    return one.isFile() && one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false; // one is not there: reading or writing says so
  }
}

/**
 * @param {string | undefined} file
 * @param {string | Uint8Array} content
 */
export async function writeOutput(file, content) {
  try {
    if (file === undefined || file === '-') await writeStandardOutput(content);
    else await writeFile(file, content);
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
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  EIO: 'the disk failed',
  EPIPE: 'the reader has gone',
});

/** @param {unknown} error @param {string} absent  what is not there */
function reason(error, absent) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'ENOENT' ? absent : (WORDS[String(code)] ?? `the system says ${code}`);
}

/** How Node, Deno and Bun read a wasm URL: files from the disk, never by fetch. */
import { readFile } from 'node:fs/promises';
import { LoadError } from './errors.js';
import { compileBytes, fetchModule, NOT_THERE, toBytes } from './module.js';

/** @param {URL} url */
export async function compileUrl(url) {
  if (url.protocol !== 'file:') return fetchModule(url);
  /** @type {Uint8Array} */
  let bytes;
  try {
    bytes = await readFile(url);
  } catch (cause) {
    throw new LoadError('wasm-unavailable', `${url.href} could not be read: ${NOT_THERE}.`, undefined, { cause });
  }
  return compileBytes(toBytes(bytes), url.href);
}

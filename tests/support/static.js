// A small static server for the browser tests: folders, headers and types as each test wants them.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

/**
 * @typedef {object} Answer
 * @property {number} [status]
 * @property {string} [type]
 * @property {string | Buffer} [body]
 */

/**
 * @param {string} root
 * @param {{ csp?: string, answer?: (path: string) => Answer | undefined }} options  `answer` goes before the files
 */
export async function serve(root, { csp, answer } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(String(request.url), 'http://localhost');
    const file = join(root, normalize(pathname));
    const own = answer?.(pathname) ?? {};
    try {
      const body = own.body ?? readFileSync(statSync(file).isDirectory() ? join(file, 'index.html') : file);
      const type = own.type ?? TYPES[extname(pathname) || '.html'] ?? 'application/octet-stream';
      response.writeHead(own.status ?? 200, { 'content-type': type, ...(csp && { 'content-security-policy': csp }) });
      response.end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>nothing here</title>');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

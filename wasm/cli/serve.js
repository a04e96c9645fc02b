/** Serves the page, and one model with it, to this machine only. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('../../dist/page/', import.meta.url);

const TYPES = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
  tflite: 'application/octet-stream',
});

/** The page may run its own scripts and talk to where it came from; to nowhere else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** @param {string} text */
function escapeAttribute(text) {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * @param {string} path  as the browser asks for it
 * @param {{ bytes: Uint8Array, name: string } | null} model
 * @returns {Promise<{ body: Uint8Array | string, type: string } | null>}
 */
async function answer(path, model) {
  if (path === '/model' && model) return { body: model.bytes, type: 'application/octet-stream' };
  const name = path === '/' ? 'index.html' : path.slice(1);
  if (!/^(samples\/)?[\w.-]+$/.test(name) || name.includes('..')) return null;
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined) return null;
  const body = await readFile(new URL(name, PAGE)).catch(() => null);
  if (body === null) return null;
  if (name !== 'index.html' || !model) return { body, type };
  const meta = `<meta name="tensor-arena-file" content="${escapeAttribute(model.name)}">`;
  return { body: body.toString('utf8').replace('</head>', () => `${meta}\n</head>`), type };
}

/**
 * @param {object} [options]
 * @param {{ bytes: Uint8Array, name: string } | null} [options.model]  shown instead of the sample
 * @param {number} [options.port]  0: any that is free
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function serve({ model = null, port = 0 } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const found = request.method === 'GET' || request.method === 'HEAD' ? await answer(path, model) : null;
    if (!found) {
      response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end('There is no such file here.\n');
      return;
    }
    response.writeHead(200, { ...HEADERS, 'content-type': found.type });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${address.port}/`, close: () => void (server.close(), server.closeAllConnections()) });
    });
  });
}

/** Where the page's files are, for messages. */
export const pageFolder = fileURLToPath(PAGE);

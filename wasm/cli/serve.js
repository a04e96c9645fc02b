/** Serves the page, and one model with it, to this machine only. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('../../dist/page/', import.meta.url);

/** @typedef {{ bytes: Uint8Array, name: string } | null} Shown  the model */
/** @typedef {import('node:http').IncomingMessage} Request */

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['tflite', 'application/octet-stream'],
]);

/** The page may run its own scripts and talk to where it came from; to nowhere else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** @param {string} text */
function escapeAttribute(text) {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * @param {string} path  as the browser asks for it
 * @param {Shown} model
 * @returns {Promise<{ body: Uint8Array | string, type: string } | null>}
 */
async function find(path, model) {
  if (path === '/model' && model) return { body: model.bytes, type: 'application/octet-stream' };
  const [, name = ''] = /^\/((?:samples\/)?[\w.-]+)$/.exec(path === '/' ? '/index.html' : path) ?? [];
  const type = TYPES.get(name.slice(name.lastIndexOf('.') + 1));
  if (type === undefined || name.includes('..')) return null;
  const body = await readFile(new URL(name, PAGE)).catch(() => null);
  if (body === null) return null;
  if (name !== 'index.html' || !model) return { body, type };
  const meta = `<meta name="tensor-arena-file" content="${escapeAttribute(model.name)}">`;
  return { body: body.toString('utf8').replace('</head>', () => `${meta}\n</head>`), type };
}

/**
 * A page of another name that resolves to this machine must not read the model: only this machine's own names are
 * answered.
 * @param {Request} request
 */
function isForUs({ headers, socket }) {
  return [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`].includes(String(headers.host).toLowerCase());
}

/**
 * @param {Request} request
 * @param {Shown} model
 */
async function answer(request, model) {
  if (!isForUs(request)) return refusal(403, 'This server answers only to its own address.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'Only GET and HEAD are answered.', { allow: 'GET, HEAD', connection: 'close' });
  const [path = ''] = String(request.url).split('?');
  const found = await find(path, model);
  return found ? { status: 200, headers: { 'content-type': found.type }, body: found.body } : refusal(404, 'There is no such file here.');
}

/**
 * @param {number} status
 * @param {string} sentence
 * @param {Record<string, string>} [headers]
 */
function refusal(status, sentence, headers = {}) {
  return { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: `${sentence}\n` };
}

/**
 * No request ends the server: what goes wrong with one is its own answer.
 * @param {Request} request
 * @param {import('node:http').ServerResponse} response
 * @param {Shown} model
 */
async function respond(request, response, model) {
  for (const stream of [request, response]) stream.on('error', () => response.destroy());
  const { status, headers, body } = await answer(request, model).catch(() => refusal(500, 'This request could not be answered.'));
  response.writeHead(status, { ...HEADERS, ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * @param {object} [options]
 * @param {Shown} [options.model]  shown instead of the sample
 * @param {number} [options.port]  0: any that is free
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function serve({ model = null, port = 0 } = {}) {
  const server = createServer((request, response) => void respond(request, response, model));
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${address.port}/`, close: () => void (server.close(), server.closeAllConnections()) });
    });
  });
}

/** Where the page's files are, for messages. */
export const pageFolder = fileURLToPath(PAGE);

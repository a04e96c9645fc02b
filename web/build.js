/** Builds the page into dist/: served (dist/page/) and as one file (dist/tensor-arena.html). */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}dist/page`;
const wasm = `${root}dist/tensor_arena.wasm`;
/** The real models that the development packages bring. */
const SAMPLES = [
  `${root}node_modules/@mediapipe/face_detection/face_detection_short_range.tflite`,
  `${root}node_modules/@mediapipe/selfie_segmentation/selfie_segmentation.tflite`,
];
/** @param {string} path */
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = { bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8', legalComments: 'none', logLevel: 'warning' };

/** The page's script, in one file: what repeats between page and worker is smaller together. */
async function bundle() {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [`${root}web/src/app.js`], write: false });
  const { code, errors } = await minify('main.js', outputFiles[0]?.text ?? '', { module: true, compress: true, mangle: true });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}

const html = readFileSync(`${root}web/index.html`, 'utf8').replace(/\n\s+/g, '\n'); // without what indents it
const { outputFiles } = await build({ entryPoints: [`${root}web/style.css`], minify: true, write: false, logLevel: 'warning' });
const css = outputFiles[0]?.text ?? '';

/** Between markup and what replaces it nothing is read as a pattern. @param {string} head @param {string} foot */
const fillIn = (head, foot) => html.replace('<!-- HEAD -->', () => head).replace('<!-- FOOT -->', () => foot);

/** The theme before the first paint. */
const EARLY = `try{const t=JSON.parse(localStorage.getItem('tensor-arena')||'{}').theme;document.documentElement.dataset.theme=t||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light')}catch{}`;

rmSync(page, { recursive: true, force: true });
mkdirSync(`${page}/samples`, { recursive: true });
writeFileSync(`${page}/early.js`, EARLY);
writeFileSync(`${page}/style.css`, css);
const script = (await bundle()).replaceAll('</script', '<\\/script');
writeFileSync(`${page}/main.js`, script);
writeFileSync(`${page}/index.html`, fillIn('<script src="early.js"></script>\n<link rel="stylesheet" href="style.css">\n<link rel="icon" href="data:,">', '<script type="module" src="main.js"></script>'));
copyFileSync(wasm, `${page}/tensor_arena.wasm`);
for (const sample of SAMPLES) copyFileSync(sample, `${page}/samples/${baseName(sample)}`);

/** @param {string} text */
const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** @param {string} id @param {string} path */
const inlined = (id, path) => `<script type="text/plain" id="${id}">${readFileSync(path).toString('base64')}</script>`;

const policy = `default-src 'none'; script-src ${sha256(EARLY)} ${sha256(script)} 'wasm-unsafe-eval'; style-src ${sha256(css)}; img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'`;
writeFileSync(
  `${root}dist/tensor-arena.html`,
  fillIn(
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<script>${EARLY}</script>\n<style>${css}</style>\n<link rel="icon" href="data:,">`,
    `${inlined('core', wasm)}\n${SAMPLES.map((sample) => inlined(`sample-${baseName(sample)}`, sample)).join('\n')}\n<script type="module">${script}</script>`,
  ),
);

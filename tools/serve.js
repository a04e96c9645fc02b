// Serves the page. `npm start` ends here. PORT: where (default 8080, or any port when that is taken).
import { serve } from '../wasm/cli/serve.js';

const port = Number(process.env['PORT'] ?? 8080);
const { url } = await serve({ port }).catch(() => serve({ port: 0 }));
console.log(`tensor-arena is at ${url} (Ctrl+C ends it)`);

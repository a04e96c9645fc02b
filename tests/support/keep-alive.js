// Imported by tests that open many models. Node 20 now and then waits for ever when promises of WebAssembly are
// all that its event loop has to wait for: it then waits for its workers, of which none has anything to do. A
// timer keeps it in the loop proper.
import { after } from 'node:test';

const timer = setInterval(() => {}, 1000);
after(() => clearInterval(timer));

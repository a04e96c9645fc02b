/** One file for both sides: on the page it is the page, in a worker the engine. */
import { startPage } from './main.js';
import { startWorker } from './engine/worker.js';

if (typeof document === 'undefined') startWorker();
else startPage();

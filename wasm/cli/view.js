/** tensor-arena view: the page, on this machine only, with the file in it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '../index.js';
import { EXIT } from './exit.js';
import { FileError, writeOutput } from './files.js';
import { pageFolder, serve } from './serve.js';
import { visible } from './visible.js';

/** @type {import('./main.js').Command} */
export const view = {
  usage: 'FILE',
  summary: 'serves the page on this file and prints its address; Ctrl-C ends it',
  options: ['help'],
  async run({ bytes, name, opened }) {
    await open(bytes, { name });
    opened();
    if (!existsSync(join(pageFolder, 'index.html'))) throw new FileError(`the page is not there: ${pageFolder} has no index.html`);
    const { url, close } = await serve({ model: { bytes, name } });
    try {
      await writeOutput(undefined, `${visible(name)} is at ${url} (Ctrl-C ends it)\n`);
      await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
      return EXIT.good;
    } finally {
      close();
    }
  },
};

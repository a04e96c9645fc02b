// A folder of its own for each test that writes files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param {{ after: (done: () => void) => void }} t */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'tensor-arena-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// The models that lie in node_modules, and a folder of its own for each test that writes files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The models that every clone has. */
export const BUNDLED = [
  'node_modules/@mediapipe/face_detection/face_detection_short_range.tflite',
  'node_modules/@mediapipe/selfie_segmentation/selfie_segmentation.tflite',
];

/** @param {{ after: (done: () => void) => void }} t */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'tensor-arena-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What can be looked at without a file: real models, which come with the build, and what is written here. */
import { loadSample } from './assets.js';

/** @typedef {import('../views/welcome.js').Sample} Sample */

/**
 * A graph whose dynamic tensors show stepwise allocation: a detector's shape, where what is found decides sizes.
 */
const STEPWISE = {
  format: 'tensor-arena-graph',
  version: 1,
  name: 'detector with dynamic boxes',
  alignment: 4,
  tensors: [
    { name: 'image', bytes: 49152 },
    { name: 'features/a', bytes: 65536 },
    { name: 'features/b', bytes: 32768 },
    { name: 'features/c', bytes: 16384 },
    { name: 'scores', bytes: 7668 },
    { name: 'boxes', bytes: 7668 },
    { name: 'kept boxes (size known when it runs)', bytes: 0, type: 'dynamic' },
    { name: 'crops (size known when it runs)', bytes: 0, type: 'dynamic' },
    { name: 'labels', bytes: 4000 },
  ],
  nodes: [
    { name: 'CONV_2D', inputs: [0], outputs: [1] },
    { name: 'MAX_POOL_2D', inputs: [1], outputs: [2] },
    { name: 'CONV_2D', inputs: [2], outputs: [3] },
    { name: 'CONV_2D', inputs: [3], outputs: [4] },
    { name: 'CONV_2D', inputs: [3], outputs: [5] },
    { name: 'NON_MAX_SUPPRESSION_V4', inputs: [5, 4], outputs: [6] },
    { name: 'GATHER', inputs: [0, 6], outputs: [7] },
    { name: 'FULLY_CONNECTED', inputs: [7], outputs: [8] },
  ],
  inputs: [0],
  outputs: [6, 8],
};

/** A buffer list with two faults: a gap that nothing fills, and two live buffers that share bytes. */
const BAD_PLAN = `id,lower,upper,size,offset
input,0,2,8192,0
conv1,1,3,16384,24576
conv2,2,4,8192,28672
conv3,3,5,8192,0
output,4,6,4096,12288
`;

/** @param {string} text */
const encode = (text) => new TextEncoder().encode(text);

/** Each is fetched when it is first asked for. @returns {Sample[]} */
export const samples = () => [
  { name: 'face_detection_short_range.tflite', label: 'Face detection', about: 'A real model of 164 operators: where its peak is and what it is made of', bytes: once(() => loadSample('face_detection_short_range.tflite')) },
  { name: 'selfie_segmentation.tflite', label: 'Selfie segmentation', about: 'A real model with skips: tensors that wait long for their readers', bytes: once(() => loadSample('selfie_segmentation.tflite')) },
  { name: 'dynamic boxes.json', label: 'Stepwise allocation', about: 'Tensors whose sizes are known only when it runs, step by step', bytes: async () => encode(JSON.stringify(STEPWISE)) },
  { name: 'a bad plan.csv', label: 'A bad plan', about: 'Two live buffers over each other, and a gap that nothing fills', bytes: async () => encode(BAD_PLAN) },
];

/** @template T @param {() => Promise<T>} make */
function once(make) {
  /** @type {Promise<T> | null} */
  let made = null;
  return () => (made ??= make());
}

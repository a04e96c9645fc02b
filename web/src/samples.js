/** Samples that are written here. The real models come with the build. */

/**
 * A graph whose dynamic tensors show stepwise allocation: a detector's shape, where what is found decides sizes.
 */
export const STEPWISE = {
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

/** @param {number} i @param {string} name @param {number} bytes @param {number} first @param {number} last @param {number} offset */
const buffer = (i, name, bytes, first, last, offset) => ({ tensor: i, subgraph: 0, kind: 'tensor', name, bytes, arena: 'rw', first, last, offset });

/** A plan with two faults: a gap that nothing fills, and two live tensors that share bytes. */
export const BAD_PLAN = {
  format: 'tensor-arena-plan',
  version: 1,
  source: { kind: 'graph', name: 'a bad plan' },
  runtime: 'tflite',
  planner: 'own',
  subgraph: 0,
  alignment: { arena: 16, tensor: 16 },
  status: 'feasible',
  arena_bytes: 40960,
  persistent_bytes: 0,
  lower_bound_bytes: 24576,
  constant_bytes: 0,
  peak: { step: 2, live_bytes: 24576 },
  steps: 6,
  timeline: [],
  buffers: [
    buffer(0, 'input', 8192, 0, 1, 0),
    buffer(1, 'conv1', 16384, 1, 2, 24576),
    buffer(2, 'conv2', 8192, 2, 3, 28672),
    buffer(3, 'conv3', 8192, 3, 4, 0),
    buffer(4, 'output', 4096, 4, 5, 12288),
  ],
  problems: [],
};

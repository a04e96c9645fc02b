// The whole arena: control flow and variables, what the items are and in which order, budgets, and the short answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel, words } from '../support/model-builder.js';
import { needsShared, sharedModel } from '../support/shared.js';
import { engines } from '../support/tflm.js';

/** @typedef {import('../support/tflm.js').Raw} Raw */
/** @typedef {import('../support/tflm.js').Engine} Engine */

/** @param {number} bytes @param {Raw} [more] */
const int8 = (bytes, more = {}) => ({ type: 'INT8', shape: [bytes], ...more });
const handle = { type: 'RESOURCE', shape: [] };

/** @param {string} op @param {number[]} inputs @param {number[]} outputs @param {any} [options] */
const node = (op, inputs, outputs, options) => ({ op, inputs, outputs, options });

/** @param {string} name @param {number} tensor */
const varHandle = (name, tensor) => node('VAR_HANDLE', [], [tensor], ['VarHandleOptions', { container: 'c', shared_name: name }]);

/** @param {Engine} engine @param {Raw} model @param {Raw} [options] */
async function ask(engine, model, options = {}) {
  const [answer] = await engine.answer([/** @type {any} */ ({ call: 'size', file: buildModel(model), ...options })]);
  return answer;
}

/** @param {Engine} engine @param {Raw} model @param {Raw} [options] @returns {Promise<Raw>} */
async function sizeOf(engine, model, options) {
  const { status, text, report } = await ask(engine, model, options);
  assert.equal(status, 'ok', text);
  return report;
}

/** @param {Raw} size @param {string} what @returns {number[]} */
const bytesOf = ({ items }, what) => items.filter((/** @type {Raw} */ item) => item.what === what).map((/** @type {Raw} */ { bytes }) => bytes);

const QUANTIZATION = { scale: [0.5, 0.5, 0.5], zero_point: [0, 0, 0] };

/** Everything that can stand in a tail, in two subgraphs. */
const EVERYTHING = {
  subgraphs: [
    {
      tensors: [
        int8(8, { quantization: QUANTIZATION }), // 0 input
        int8(8), // 1 output
        handle, // 2
        int8(40, { is_variable: true }), // 3
        { type: 'INT8', shape: [4, 4] }, // 4
        { type: 'INT32', shape: [2, 2], data: 16 }, // 5 paddings
        { type: 'INT8', shape: [6, 6] }, // 6
      ],
      operators: [
        varHandle('x', 2),
        node('ASSIGN_VARIABLE', [2, 0], []),
        node('LEAKY_RELU', [0], [1]),
        node('MIRROR_PAD', [4, 5], [6]),
      ],
      inputs: [0],
      outputs: [1],
    },
    { tensors: [int8(4)], operators: [], inputs: [0], outputs: [0] },
  ],
};

for (const engine of engines) {
  test(`${engine.name}: the items, in TFLM's order, add up to the tail`, async () => {
    const size = await sizeOf(engine, EVERYTHING, { target: 'ilp32' });
    assert.deepEqual(Object.keys(size), [
      'format', 'version', 'runtime', 'target', 'kernels', 'head_bytes', 'tail_bytes', 'arena_used_bytes',
      'min_arena_bytes', 'covered', 'missing', 'items', 'peak',
    ]);
    assert.deepEqual([size.format, size.version, size.runtime, size.target, size.kernels], ['tensor-arena-size', 1, 'tflm', 'ilp32', 'reference']);
    // Each item is (what is aligned up after it) - (what was there before).
    assert.deepEqual(size.items, [
      { what: 'SingleArenaBufferAllocator', bytes: 36 },
      { what: 'GreedyMemoryPlanner', bytes: 44 }, // 80
      { what: 'MicroAllocator', bytes: 36 }, // 116
      { what: 'MicroResourceVariables', bytes: 12 }, // 128, aligned to 16
      { what: 'MicroResourceVariables', bytes: 32 }, // 20 * 1: 148, up to 160
      { what: 'MicroBuiltinDataAllocator', bytes: 8 }, // 168
      { what: 'SubgraphAllocations', bytes: 16 }, // 184
      { what: 'TfLiteEvalTensor', bytes: 84, subgraph: 0 }, // 12 * 7: 268
      { what: 'TfLiteEvalTensor', bytes: 12, subgraph: 1 }, // 280
      { what: 'NodeAndRegistration', bytes: 128, subgraph: 0 }, // 32 * 4: 408
      { what: 'builtin data', bytes: 8, subgraph: 0, node: 0 }, // 416
      { what: 'builtin data', bytes: 4, subgraph: 0, node: 2 }, // 420
      { what: 'builtin data', bytes: 4, subgraph: 0, node: 3 }, // 424
      { what: 'Init', bytes: 8, subgraph: 0, node: 0 }, // 428, up to 432
      { what: 'Init', bytes: 32, subgraph: 0, node: 2 }, // 456, up to 464
      { what: 'Init', bytes: 32, subgraph: 0, node: 3 }, // 484, up to 496
      { what: 'Prepare', bytes: 16, subgraph: 0, node: 1 }, // 8 bytes: 504, up to 512
      { what: 'scratch handles', bytes: 8 }, // 4 * 2: 520
      { what: 'variable tensor', bytes: 40, subgraph: 0, tensor: 3 }, // 560
      { what: 'input pointers', bytes: 16 }, // 564, up to 576
      { what: 'input TfLiteTensor', bytes: 68, subgraph: 0, tensor: 0 }, // 40, 12 and 4 + 4 * 3: 644
      { what: 'output pointers', bytes: 12 }, // 648, up to 656
      { what: 'output TfLiteTensor', bytes: 40, subgraph: 0, tensor: 1 }, // 696
    ]);
    assert.equal(size.tail_bytes, 696);
    // 0 and 1 (16 each), 4 (16), 6 (36, up to 48), two scratch buffers of 4 * 2, up to 16 each: life [3, 4] of 0, 1
    // is over when MIRROR_PAD runs, which needs 16 + 48 + 16 + 16; tensor 4 is never produced and lives from -1 on,
    // and so does subgraph 1's tensor, which nothing reaches: 112 in all at the worst.
    assert.equal(size.arena_used_bytes, size.head_bytes + 696);
    // Plan: up(560, 16) + 40 * 7 buffers + (12 * (2 + 12) + 4 * 2 = 176, + 24 * (8 + 2) = 416): 560 + 280 + 416
    assert.equal(size.min_arena_bytes, 1256 + 8);
  });

  test(`${engine.name}: a variable is allocated once, at the first assignment that knows it`, async () => {
    const size = await sizeOf(engine, {
      subgraphs: [
        {
          tensors: [handle, int8(20), handle, handle, int8(20)],
          operators: [
            varHandle('a', 0), varHandle('a', 2), varHandle('b', 3),
            node('ASSIGN_VARIABLE', [0, 1], []), node('ASSIGN_VARIABLE', [2, 1], []), node('ASSIGN_VARIABLE', [3, 1], []),
            node('READ_VARIABLE', [0], [4]),
          ],
          inputs: [1],
          outputs: [4],
        },
        // A handle that arrives as an input has no pointer in Prepare.
        { tensors: [handle, int8(300)], operators: [node('ASSIGN_VARIABLE', [0, 1], [])], inputs: [0, 1], outputs: [] },
      ],
    }, { target: 'ilp32' });
    assert.deepEqual(bytesOf(size, 'MicroResourceVariables'), [12, 64]); // 116 to 128; 20 * 3: 188, up to 192
    assert.deepEqual(bytesOf(size, 'Prepare').length, 2);
    assert.deepEqual(bytesOf(size, 'Prepare'), [32, 32]); // 20 bytes each, up to 16
    // 192 + 8 + 16 (subgraphs) + 12 * 5 + 12 * 2 + 32 * 7 + 32 = 556; builtin 3 * 8 = 580; Init up to 592, 608, 624;
    // Prepare 656, 688; inputs 4: 704, 40: 744; outputs 4: 752, 40: 792
    assert.equal(size.tail_bytes, 792);
  });

  test(`${engine.name}: a variable's objects with 64-bit pointers`, async () => {
    const model = { tensors: [handle], operators: [varHandle('a', 0)], inputs: [], outputs: [] };
    const size = await sizeOf(engine, model, { target: 'lp64' });
    assert.deepEqual(bytesOf(size, 'MicroResourceVariables'), [24, 48]); // 72 * 3 = 216; + 16: 240; + 40: 288
    assert.deepEqual(bytesOf(size, 'builtin data'), [16]);
    // 288 + 16 + 16 + 24 + 64 + 16 = 424; Init 4: 432; the empty arrays of inputs and outputs change nothing
    assert.equal(size.tail_bytes, 432);
  });

  test(`${engine.name}: without a VAR_HANDLE there is no MicroResourceVariables`, async () => {
    const size = await sizeOf(engine, { tensors: [int8(4)], inputs: [0], outputs: [0] });
    assert.deepEqual(bytesOf(size, 'MicroResourceVariables'), []);
  });

  test(`${engine.name}: IF, WHILE and CALL_ONCE`, async () => {
    const size = await sizeOf(engine, {
      subgraphs: [
        {
          tensors: [{ type: 'BOOL', shape: [1] }, int8(4), int8(4)],
          operators: [
            node('CALL_ONCE', [], [], ['CallOnceOptions', { init_subgraph_index: 1 }]),
            node('IF', [0, 1], [2], ['IfOptions', { then_subgraph_index: 1, else_subgraph_index: 1 }]),
            node('WHILE', [2], [2], ['WhileOptions', { cond_subgraph_index: 1, body_subgraph_index: 1 }]),
          ],
          inputs: [0, 1],
          outputs: [2],
        },
        { tensors: [], operators: [] },
      ],
    });
    assert.deepEqual(bytesOf(size, 'builtin data'), [4, 8, 8]);
    // cortex-m: 36 + 44 + 36 + 8 + 8 * 2 + 12 * 3 + 32 * 3 = 272; + 20 = 292; Init of 8: 304, 320, 336;
    // inputs 8: 352, + 32 * 2 = 416; outputs 4: 432, + 32 = 464
    assert.equal(size.tail_bytes, 464);
    // 336 + 40 * 3 buffers + up(12 * 12 + 4 * 2 + 24 * 3 = 224, 16) = 680
    assert.equal(size.min_arena_bytes, 688);
  });

  test(`${engine.name}: no tensors and no scratch: the plan's lists are not rounded`, async () => {
    // cortex-m: 36 + 44 + 36 + 8 + 8 = 132, + 12 * 12 + 4 = 280, up to 288; the tail ends at 144
    const size = await sizeOf(engine, { tensors: [], operators: [] });
    assert.deepEqual([size.head_bytes, size.tail_bytes, size.min_arena_bytes], [0, 144, 288]);
  });

  test(`${engine.name}: a variable of an offline plan is in the head, of any other in the tail`, async () => {
    const model = { tensors: [int8(16), int8(64, { is_variable: true }), int8(16)], operators: [node('FLOOR', [0, 1], [2])], inputs: [0], outputs: [2] };
    const online = await sizeOf(engine, model);
    assert.equal(bytesOf(online, 'variable tensor').length, 1);
    const offline = await sizeOf(engine, { ...model, metadata: { OfflineMemoryAllocation: words([0, 1, 3, -1, 0, -1]) } });
    assert.deepEqual(bytesOf(offline, 'variable tensor'), []);
    assert.equal(offline.head_bytes - online.head_bytes, 64);
    assert.equal((await ask(engine, { ...model, metadata: { OfflineMemoryAllocation: words([0, 1, 3, -1, 0, -1]) } }, { planner: 'linear' })).status, 'refused-by-runtime');
  });

  test(`${engine.name}: the linear planner's own object, and no smallest arena`, async () => {
    for (const [target, bytes] of /** @type {const} */ ([['cortex-m', 4108], ['ilp32', 4108], ['lp64', 8216]])) {
      const size = await sizeOf(engine, EVERYTHING, { target, planner: 'linear' });
      assert.deepEqual(bytesOf(size, 'LinearMemoryPlanner'), [bytes]);
      assert.deepEqual(bytesOf(size, 'GreedyMemoryPlanner'), []);
      assert.equal(size.min_arena_bytes, null);
      assert.equal(size.head_bytes, 16 + 16 + 16 + 48 + 16 + 16 + 16);
    }
  });

  test(`${engine.name}: a budget is decided, unless the figures are lower bounds`, async () => {
    const model = { tensors: [], operators: [] };
    const custom = { tensors: [int8(4), int8(4)], operators: [{ custom: 'own', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] };
    const of = async (/** @type {Raw} */ options, /** @type {Raw} */ which = model) => {
      const { budget_bytes, fits } = await sizeOf(engine, which, options);
      return [budget_bytes, fits];
    };
    assert.deepEqual(await of({ budget: 288 }), [288, true]);
    assert.deepEqual(await of({ budget: 287 }), [287, false]);
    assert.deepEqual(await of({ budget: 100000, planner: 'linear' }), [100000, null]);
    assert.deepEqual(await of({ budget: 100, planner: 'linear' }), [100, false]);
    assert.deepEqual(await of({ budget: 100000 }, custom), [100000, null]);
    assert.deepEqual(await of({ budget: 16 }, custom), [16, false]);
    const { covered, missing } = await sizeOf(engine, custom);
    assert.deepEqual([covered, missing], [false, ['own']]);
  });

  test(`${engine.name}: each operator left out is named once`, async () => {
    const size = await sizeOf(engine, {
      tensors: [int8(4), int8(4)],
      operators: [{ custom: 'b' }, { op: 'TOPK_V2' }, { custom: 'b' }, { custom: 'a' }].map((op) => ({ ...op, inputs: [0], outputs: [1] })),
      inputs: [0],
      outputs: [1],
    });
    assert.deepEqual(size.missing, ['TOPK_V2', 'a', 'b']);
    assert.deepEqual(bytesOf(size, 'NodeAndRegistration'), [128]);
    assert.deepEqual(bytesOf(size, 'Init'), []);
  });

  test(`${engine.name}: an unknown dimension is refused with its place`, async () => {
    const unknown = { tensors: [{ type: 'INT8', shape: [4, -1], name: 'x' }], inputs: [0], outputs: [0] };
    const { status, text, place } = await ask(engine, unknown);
    assert.equal(status, 'refused-by-runtime');
    assert.match(text, /tensor 0 \(x\) of subgraph 0: dimension 1 is not known; give it a value/);
    assert.equal(place.tensor, 0);
  });

  test(`${engine.name}: the short answer says how big the arena must be first`, async () => {
    const { text } = await ask(engine, EVERYTHING, { format: 'text', budget: 4096 });
    const lines = text.split('\n');
    assert.match(lines[0], /TensorFlow Lite Micro, cortex-m, reference kernels/);
    assert.match(lines[1], /^Arena +1,264 bytes, aligned to 16: the smallest that AllocateTensors accepts$/);
    assert.match(lines[2], /^Budget +4,096 bytes: fits, 2,832 bytes left$/);
    assert.match(text, /^Tail +\d+ bytes/m);
    const short = await ask(engine, EVERYTHING, { format: 'text', budget: 1000 });
    assert.match(short.text, /^Budget +1,000 bytes: does not fit, 264 bytes short$/m);
    const left = await ask(engine, { tensors: [int8(4)], operators: [{ custom: 'own', inputs: [0], outputs: [0] }], inputs: [0], outputs: [0] }, { format: 'text' });
    assert.match(left.text, /^Arena +at least /m);
    assert.match(left.text, /^Left out +own: /m);
    const linear = await ask(engine, EVERYTHING, { format: 'text', planner: 'linear' });
    assert.match(linear.text, /not known for the linear planner/);
  });

  test(`${engine.name}: the figures that the operator tables quote`, needsShared, async () => {
    const quoted = [
      ['03-person_detect', 'cortex-m', 'reference', 55296, 26996, 82304],
      ['03-person_detect', 'ilp32', 'reference', 55296, 27004, 82304],
      ['03-person_detect', 'ilp32', 'cmsis-nn', 55296, 27020, 82320],
      ['37-vww_96_int8', 'ilp32', 'cmsis-nn', 73728, 26988, 100720],
      ['09-kws_ref_model', 'ilp32', 'cmsis-nn', 16000, 6828, 22832],
      ['10-pretrainedResnet_quant', 'ilp32', 'cmsis-nn', 49728, 5276, 55008],
      ['07-keyword_scrambled_8bit', 'ilp32', 'cmsis-nn', 672, 7628, 10640],
      ['09-kws_ref_model', 'ilp32', 'cmsis-nn-mve', 20464, 6892, 27360],
      ['07-keyword_scrambled_8bit', 'ilp32', 'cmsis-nn-mve', 672, 9308, 12320],
      ['10-pretrainedResnet_quant', 'ilp32', 'cmsis-nn-dsp', 49728, 5292, 55024],
    ];
    const model = (/** @type {unknown} */ name) => sharedModel(`${name}.tflite`);
    const answers = await engine.answer(
      quoted.map(([name, target, kernels]) => /** @type {any} */ ({ call: 'size', file: model(name), target, kernels })),
    );
    answers.forEach(({ report }, i) => {
      assert.deepEqual([report.head_bytes, report.tail_bytes, report.min_arena_bytes], quoted[i].slice(3), quoted[i].slice(0, 3).join(' '));
    });
    const [used, needed] = await engine.answer([
      { call: 'size', file: model('02-hello_world_int8'), target: 'lp64' },
      { call: 'size', file: model('11-ad01_int8'), target: 'lp64' },
    ]);
    assert.deepEqual([used.report.arena_used_bytes, used.report.min_arena_bytes], [1184, 1616]);
    assert.deepEqual([needed.report.arena_used_bytes, needed.report.min_arena_bytes], [3424, 4080]);
  });
}

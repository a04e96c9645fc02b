// TensorFlow Lite Micro's plan: which buffers, lives over several subgraphs, control flow, variables, offline plans,
// and what it refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel, words } from '../support/model-builder.js';
import { engines } from '../support/tflm.js';

/** @typedef {import('../support/tflm.js').Raw} Raw */
/** @typedef {import('../support/tflm.js').Engine} Engine */

/** @param {number} bytes @param {Raw} [more] */
const int8 = (bytes, more = {}) => ({ type: 'INT8', shape: [bytes], ...more });

/** An operator that asks for nothing. @param {number[]} inputs @param {number[]} outputs */
const floor = (inputs, outputs) => ({ op: 'FLOOR', inputs, outputs });

/** @param {string} op @param {number[]} inputs @param {number[]} outputs @param {any} options */
const run = (op, inputs, outputs, options) => ({ op, inputs, outputs, options });

/** @param {Engine} engine @param {Raw} model @param {Raw} [options] */
async function ask(engine, model, options = {}) {
  const [answer] = await engine.answer([/** @type {any} */ ({ call: 'plan', file: buildModel(model), ...options })]);
  return answer;
}

/** @param {Engine} engine @param {Raw} model @param {Raw} [options] @returns {Promise<Raw>} */
async function planOf(engine, model, options) {
  const { status, text, report } = await ask(engine, model, options);
  assert.equal(status, 'ok', text);
  return report;
}

/** @param {Raw} plan @returns {(number | null)[][]} first, last, offset of each buffer */
const lives = ({ buffers }) => buffers.map((/** @type {Raw} */ { first, last, offset }) => [first, last, offset]);

/** @param {Raw} plan @returns {string[]} */
const codes = ({ problems }) => problems.map((/** @type {Raw} */ { code }) => code);

/** Buffers that share bytes while both live. @param {Raw} plan */
function overlaps({ buffers }) {
  const placed = buffers.filter((/** @type {Raw} */ { offset, bytes }) => offset !== null && bytes > 0);
  return placed.flatMap((/** @type {Raw} */ a, /** @type {number} */ i) =>
    placed.slice(i + 1).filter((/** @type {Raw} */ b) =>
      a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes),
  );
}

/** @param {number[]} offsets one a tensor */
const offline = (offsets, subgraphs = 1) => ({ OfflineMemoryAllocation: words([0, subgraphs, offsets.length, ...offsets]) });

for (const engine of engines) {
  test(`${engine.name}: an output that nobody reads lives during its own operator`, async () => {
    const plan = await planOf(engine, {
      tensors: [int8(128), int8(128), int8(64), int8(128)],
      operators: [{ op: 'SPLIT', inputs: [0, 0], outputs: [1, 2] }, floor([1], [3])],
      inputs: [0],
      outputs: [3],
    });
    assert.deepEqual(lives(plan).map(([first, last]) => [first, last]), [[0, 1], [1, 2], [1, 1], [2, 2]]);
    assert.equal(plan.arena_bytes, 320);
    assert.deepEqual(overlaps(plan), []);
  });

  test(`${engine.name}: scratch overlaps neither the inputs nor the outputs of its operator`, async () => {
    // 8 * 1 * 8 * 8 elements of an INT4 filter are unpacked into 512 bytes of scratch.
    const plan = await planOf(engine, {
      tensors: [
        { type: 'INT8', shape: [1, 4, 32, 8] },
        { type: 'INT4', shape: [8, 1, 8, 8], data: 256 },
        { type: 'INT8', shape: [1, 4, 32, 8] },
      ],
      operators: [run('CONV_2D', [0, 1, -1], [2], ['Conv2DOptions', { stride_w: 1, stride_h: 1 }])],
      inputs: [0],
      outputs: [2],
    });
    const scratch = plan.buffers.at(-1);
    assert.deepEqual([scratch.kind, scratch.node, scratch.bytes, scratch.first, scratch.last], ['scratch', 0, 512, 1, 1]);
    assert.equal(plan.arena_bytes, 2560);
    assert.deepEqual(overlaps(plan), []);
  });

  test(`${engine.name}: equal sizes: the later added is placed first`, async () => {
    const plan = await planOf(engine, {
      tensors: [int8(16), int8(16), int8(32)],
      operators: [floor([0, 1], [2])],
      inputs: [0, 1],
      outputs: [2],
    });
    assert.deepEqual(lives(plan), [[0, 1, 48], [0, 1, 32], [1, 1, 0]]);
  });

  test(`${engine.name}: the subgraphs of a WHILE: a loop variable that the condition ignores has its own bytes`, async () => {
    const twice = (/** @type {number} */ from, /** @type {number} */ to) => ({ op: 'MUL', inputs: [from, 4], outputs: [to] });
    const plan = await planOf(engine, {
      subgraphs: [
        {
          tensors: [int8(4), int8(48), int8(4), int8(48)],
          operators: [run('WHILE', [0, 1], [2, 3], ['WhileOptions', { cond_subgraph_index: 1, body_subgraph_index: 2 }])],
          inputs: [0, 1],
          outputs: [2, 3],
        },
        {
          tensors: [int8(4), int8(48), { type: 'BOOL', shape: [1] }, int8(4, { data: 4 })],
          operators: [{ op: 'LESS', inputs: [0, 3], outputs: [2] }],
          inputs: [0, 1],
          outputs: [2],
        },
        {
          tensors: [int8(4), int8(48), int8(4), int8(48), int8(1, { data: 1 })],
          operators: [twice(0, 2), twice(1, 3)],
          inputs: [0, 1],
          outputs: [2, 3],
        },
      ],
    });
    // Steps: 0 inputs, 1 WHILE, 2 into cond, 3 LESS, 4 into body, 5 and 6 its MULs.
    assert.equal(plan.steps, 7);
    assert.deepEqual(plan.timeline.map((/** @type {Raw} */ { subgraph, node }) => [subgraph, node]), [
      [0, null], [0, 0], [1, null], [1, 0], [2, null], [2, 0], [2, 1],
    ]);
    const of = (/** @type {number} */ subgraph) =>
      plan.buffers.filter((/** @type {Raw} */ b) => b.subgraph === subgraph && b.arena === 'rw')
        .map((/** @type {Raw} */ { first, last, bytes }) => [first, last, bytes]);
    assert.deepEqual(of(0), [[0, 6, 16], [0, 6, 48], [1, 6, 16], [1, 6, 48]]);
    assert.deepEqual(of(1), [[2, 3, 16], [2, 2, 48], [3, 3, 16]]);
    assert.deepEqual(of(2), [[4, 5, 16], [4, 6, 48], [5, 6, 16], [6, 6, 48]]);
    assert.deepEqual(overlaps(plan), []);
    assert.equal(plan.subgraph, null);
  });

  test(`${engine.name}: IF enters then and else, CALL_ONCE its initialiser; a subgraph is walked again at every call`, async () => {
    const leaf = { tensors: [int8(16), int8(16)], operators: [floor([0], [1])], inputs: [0], outputs: [1] };
    const plan = await planOf(engine, {
      subgraphs: [
        {
          tensors: [{ type: 'BOOL', shape: [1] }, int8(16), int8(16)],
          operators: [
            run('CALL_ONCE', [], [], ['CallOnceOptions', { init_subgraph_index: 3 }]),
            run('IF', [0, 1], [2], ['IfOptions', { then_subgraph_index: 1, else_subgraph_index: 2 }]),
            run('IF', [0, 2], [2], ['IfOptions', { then_subgraph_index: 1, else_subgraph_index: 1 }]),
          ],
          inputs: [0, 1],
          outputs: [2],
        },
        leaf,
        leaf,
        { tensors: [], operators: [] },
      ],
    });
    assert.deepEqual(plan.timeline.map((/** @type {Raw} */ { subgraph, node }) => [subgraph, node]), [
      [0, null], [0, 0], [3, null], [0, 1], [1, null], [1, 0], [2, null], [2, 0], [0, 2], [1, null], [1, 0], [1, null], [1, 0],
    ]);
    // The first step of a tensor stays, the last one moves on with every call.
    assert.deepEqual(lives(plan).map(([first, last]) => [first, last]), [[0, 12], [0, 7], [3, 12], [4, 12], [5, 12], [6, 7], [7, 7]]);
  });

  test(`${engine.name}: what is never produced and what is never reached`, async () => {
    const plan = await planOf(engine, {
      subgraphs: [
        { tensors: [int8(16), int8(16), int8(16)], operators: [floor([0, 1], [2])], inputs: [0], outputs: [2] },
        {
          tensors: [int8(64), int8(2, { data: 2 }), int8(64)],
          operators: [{ op: 'MIRROR_PAD', inputs: [0, 1], outputs: [2] }],
          inputs: [0],
          outputs: [2],
        },
      ],
    });
    assert.deepEqual(lives(plan).map(([first, last]) => [first, last]), [[0, 1], [-1, 1], [1, 1], [-1, -1], [-1, -1], [-1, -1], [-1, -1], [-1, -1]]);
    assert.equal(plan.arena_bytes, 176); // what begins at -1 conflicts at -1: 64 + 64 + 16 + 16 and 16
    assert.ok(codes(plan).includes('scratch-never-used'));
    const unused = plan.problems.find((/** @type {Raw} */ { code }) => code === 'never-used');
    assert.match(unused.text, /touches 4 of the buffers; .* 160 bytes for them, side by side unless an offline plan says where/);
    assert.deepEqual(plan.peak, { step: 1, live_bytes: 48 }); // of a step of the run
  });

  test(`${engine.name}: a subgraph that runs itself is refused, one called without end of ways is limited`, async () => {
    /** @param {number} to */
    const loop = (to) => run('WHILE', [0], [1], ['WhileOptions', { cond_subgraph_index: to, body_subgraph_index: to }]);
    /** @param {number} to */
    const graph = (to) => ({ tensors: [int8(1), int8(1)], operators: [loop(to)], inputs: [0], outputs: [1] });
    const itself = await ask(engine, graph(0));
    assert.equal(itself.status, 'refused-by-runtime');
    assert.match(itself.text, /subgraph 0 runs itself/);
    const ring = await ask(engine, { subgraphs: [graph(1), graph(2), graph(1)] });
    assert.equal(ring.status, 'refused-by-runtime');
    assert.match(ring.text, /subgraph 1 runs itself/);
    const depth = 60;
    const subgraphs = [...Array(depth).keys()].map((i) => graph(i + 1));
    const bomb = await ask(engine, { subgraphs: [...subgraphs, { tensors: [int8(1)], inputs: [0], outputs: [0] }] });
    assert.equal(bomb.status, 'over-limit');
    assert.match(bomb.text, /more than \d+ steps/);
  });

  test(`${engine.name}: a variable sits in the tail, a VAR_HANDLE's output in its operator`, async () => {
    const plan = await planOf(engine, {
      tensors: [int8(64, { is_variable: true }), { type: 'RESOURCE', shape: [] }, int8(16), int8(16), int8(5, { data: 5 })],
      operators: [
        run('VAR_HANDLE', [], [1], ['VarHandleOptions', { shared_name: 'a' }]),
        { op: 'ASSIGN_VARIABLE', inputs: [1, 2], outputs: [] },
        floor([0, 2], [3]),
      ],
      inputs: [2],
      outputs: [3],
    });
    assert.deepEqual(plan.buffers.map((/** @type {Raw} */ { arena }) => arena), [null, null, 'rw', 'rw', null]);
    assert.equal(plan.arena_bytes, 32);
    const refused = await engine.answer([
      { call: 'plan', file: buildModel({ tensors: [{ type: 'STRING', shape: [1] }], inputs: [0], outputs: [0] }) },
    ]);
    assert.equal(refused[0].status, 'refused-by-runtime');
    assert.match(refused[0].text, /tensor 0 .*type string/);
    assert.equal(refused[0].place.tensor, 0);
  });

  test(`${engine.name}: an offline plan is taken as it is, and the rest goes into its gaps`, async () => {
    const model = {
      tensors: [int8(64), int8(16), int8(64), int8(8, { data: 8 }), int8(32)],
      operators: [floor([0], [1]), floor([0, 1, 3], [2]), floor([2], [4])],
      inputs: [0],
      outputs: [4],
    };
    const mixed = await planOf(engine, { ...model, metadata: offline([96, -1, 0, 5, -1]) });
    assert.deepEqual(lives(mixed), [[0, 2, 96], [1, 2, 64], [2, 3, 0], [-1, 2, null], [3, 3, 64]]);
    assert.equal(mixed.arena_bytes, 160);
    assert.deepEqual(codes(mixed), []); // a constant's offset is ignored
    assert.equal(mixed.status, 'feasible');

    const askew = await planOf(engine, { ...model, metadata: offline([100, -1, 0, -1, -1]) });
    assert.equal(askew.arena_bytes, 164); // not rounded
    assert.deepEqual(codes(askew), ['offline-misaligned']);
    assert.equal(askew.status, 'unsound');

    const before = await planOf(engine, { ...model, metadata: offline([-16, -1, 64, -1, -1]) });
    assert.deepEqual(codes(before), ['offline-negative']);
    assert.equal(before.buffers[0].offset, null);
    assert.equal(before.status, 'unsound');
    // Bytes -16 to 48 are taken while it lives: the next is at 48.
    assert.deepEqual(lives(before).map(([, , offset]) => offset), [null, 48, 64, null, 0]);

    const linear = await ask(engine, { ...model, metadata: offline([96, -1, 0, -1, -1]) }, { planner: 'linear' });
    assert.equal(linear.status, 'refused-by-runtime');
  });

  test(`${engine.name}: offsets count over all subgraphs`, async () => {
    const plan = await planOf(engine, {
      subgraphs: [
        { tensors: [int8(16), int8(16), int8(16)], operators: [floor([0, 1], [2])], inputs: [0, 1], outputs: [2] },
        { tensors: [int8(16), int8(16)], operators: [floor([0], [1])], inputs: [0], outputs: [1] },
      ],
      metadata: offline([0, 64, -1, 0, -1], 2),
    });
    assert.deepEqual(plan.buffers.map((/** @type {Raw} */ { offset }) => offset), [0, 64, 16, 0, 16]);
  });

  test(`${engine.name}: live buffers over each other, as the file has them`, async () => {
    const plan = await planOf(engine, {
      tensors: [int8(16), int8(64), int8(64), int8(16)],
      operators: [floor([0], [1]), floor([1], [2]), floor([1, 2], [3]), floor([2, 3], [3])],
      inputs: [0],
      outputs: [3],
      metadata: offline([-1, 0, 32, -1]),
    });
    assert.equal(plan.status, 'unsound');
    assert.deepEqual(codes(plan).filter((code) => code.startsWith('offline')), ['offline-overlap']);
    const problem = plan.problems.find((/** @type {Raw} */ { code }) => code === 'offline-overlap');
    assert.match(problem.text, /tensor 2 of subgraph 0 over tensor 1 of subgraph 0/);
    const [, p, q] = plan.buffers;
    assert.deepEqual([Math.max(p.offset, q.offset), Math.min(p.offset + p.bytes, q.offset + q.bytes)], [32, 64]);
    assert.deepEqual([Math.max(p.first, q.first), Math.min(p.last, q.last)], [2, 3]);
  });

  test(`${engine.name}: a variable that the offline plan places`, async () => {
    const state = int8(64, { is_variable: true });
    const model = {
      tensors: [int8(16), state, int8(16), int8(16), int8(64)],
      operators: [floor([0], [2]), floor([1, 2], [3]), floor([3], [4]), floor([4], [4]), floor([4], [4])],
      inputs: [0],
      outputs: [4],
      metadata: offline([-1, 0, -1, -1, -1]),
    };
    // TFLM lets others have its bytes after its last use ...
    const own = await planOf(engine, model);
    assert.deepEqual([own.buffers[1].first, own.buffers[1].last, own.buffers[1].offset], [-1, 2, 0]);
    assert.equal(own.buffers[4].offset, 0);
    assert.deepEqual(codes(own).filter((code) => code.startsWith('offline')), ['offline-variable']);
    // ... a plan of ours does not: it holds its state for all of the run.
    const optimal = await planOf(engine, model, { planner: 'optimal' });
    assert.deepEqual([optimal.buffers[1].first, optimal.buffers[1].last], [0, 5]);
    assert.deepEqual(overlaps(optimal), []);
    assert.equal(optimal.arena_bytes, 144); // 64 + 64 + 16: the state, tensors 4 and 3
  });

  test(`${engine.name}: a variable of a later subgraph is looked up as if it were one of the first`, async () => {
    const variable = int8(64, { is_variable: true });
    const plan = await planOf(engine, {
      subgraphs: [
        { tensors: [int8(16), int8(16)], operators: [floor([0], [1])], inputs: [0], outputs: [1] },
        { tensors: [variable, variable], operators: [] },
      ],
      metadata: offline([0, -1, -1, 64], 2),
    });
    const problems = plan.problems.filter((/** @type {Raw} */ { code }) => code === 'offline-variable-confused');
    assert.equal(problems.length, 2);
    assert.match(problems[0].text, /placed nowhere/);
    assert.match(problems[1].text, /placed twice/);
  });

  test(`${engine.name}: sizes past 32 bits are told in full, unknown dimensions too`, async () => {
    const large = await ask(engine, { tensors: [{ shape: [65536, 65536] }], inputs: [0], outputs: [0] });
    assert.equal(large.status, 'over-limit');
    assert.match(large.text, /17179869184 bytes, larger than the limit/);
    const unknown = { tensors: [{ type: 'INT8', shape: [-1, 440, 16], shape_signature: [-1, 440, 16] }], inputs: [0], outputs: [0] };
    const plan = await planOf(engine, unknown);
    assert.equal(plan.buffers[0].offset, null);
    assert.match(plan.problems[0].text, /dimension 0 .*not known/);
    const placeholder = await planOf(engine, {
      tensors: [{ type: 'INT8', shape: [1, 440, 16], shape_signature: [-1, 440, 16] }],
      inputs: [0],
      outputs: [0],
    });
    assert.equal(placeholder.arena_bytes, 7040);
    const half = { type: 'INT8', shape: [2 ** 30] };
    const sum = await ask(engine, { tensors: [half, half, half], operators: [floor([0], [1]), floor([0, 1], [2])], inputs: [0], outputs: [2] });
    assert.equal(sum.status, 'over-limit');
    assert.match(sum.text, /3221225472/);
  });

  test(`${engine.name}: what TFLM refuses`, async () => {
    const empty = await ask(engine, { tensors: [int8(1), { type: 'INT8', shape: [0, 2] }], operators: [floor([0], [1])], inputs: [0], outputs: [1] });
    assert.equal(empty.status, 'refused-by-runtime');
    assert.match(empty.text, /op 0 \(FLOOR\) of subgraph 0: an output has a dimension of 0/);
    const legacy = await planOf(engine, { tensors: [int8(1), { type: 'INT8', shape: [0] }], operators: [floor([0], [1])], inputs: [0], outputs: [1] });
    assert.equal(legacy.arena_bytes, 16);
    const many = { tensors: Array(1025).fill(int8(1)), operators: [floor([...Array(1024).keys()], [1024])], inputs: [], outputs: [1024] };
    assert.equal((await ask(engine, many)).status, 'ok');
    const linear = await ask(engine, many, { planner: 'linear' });
    assert.equal(linear.status, 'refused-by-runtime');
    assert.match(linear.text, /1024 buffers, and this model needs 1025/);
    const noFilter = await ask(engine, { tensors: [{ type: 'INT8', shape: [1, 2, 2, 1] }, int8(4)], operators: [{ op: 'CONV_2D', inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] });
    assert.equal(noFilter.status, 'refused-by-runtime');
    assert.match(noFilter.text, /CONV_2D.* it has no input 1/);
    const product = await ask(engine, {
      tensors: [{ shape: [2, 3] }, { shape: [3, 4] }, { shape: [9] }],
      operators: [{ op: 'BATCH_MATMUL', inputs: [0, 1], outputs: [2], options: ['BatchMatMulOptions', {}] }],
      inputs: [0, 1],
      outputs: [2],
    });
    assert.equal(product.status, 'refused-by-runtime');
    const intermediate = await ask(engine, {
      tensors: [int8(4), int8(4), int8(4)],
      operators: [{ op: 'FLOOR', inputs: [0], outputs: [1], intermediates: [2] }],
      inputs: [0],
      outputs: [1],
    });
    assert.match(intermediate.text, /intermediate tensor is not empty/);
    const omitted = await ask(engine, { tensors: [int8(4)], operators: [floor([0], [-1])], inputs: [0], outputs: [0] });
    assert.equal(omitted.status, 'bad-index');
  });

  test(`${engine.name}: an operator outside the tables is named, and the plan is without its scratch`, async () => {
    const plan = await planOf(engine, {
      tensors: [int8(4), int8(4)],
      operators: [{ op: 'TOPK_V2', inputs: [0], outputs: [1] }],
      inputs: [0],
      outputs: [1],
    });
    const problem = plan.problems.find((/** @type {Raw} */ { code }) => code === 'operator-not-covered');
    assert.match(problem.text, /TOPK_V2/);
    assert.equal(problem.node, 0);
  });
}

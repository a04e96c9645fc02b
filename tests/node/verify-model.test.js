// A plan held against its model: what it leaves out, makes smaller or lays into another's bytes is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, verify } from '../../wasm/index.js';

/** @typedef {import('../../wasm/index.js').PlanBuffer} Buffer */

const graph = /** @type {const} */ ({
  tensors: [{ name: 'x', bytes: 64 }, { name: 'a', bytes: 64 }, { name: 'b', bytes: 64 }, { name: 'y', bytes: 64 }],
  nodes: [
    { name: 'CONV', inputs: [0], outputs: [1] },
    { name: 'RELU', inputs: [1], outputs: [2], inplace: 4 },
    { name: 'CONV', inputs: [2], outputs: [3] },
  ],
  inputs: [0],
  outputs: [3],
});

/** @param {import('../../wasm/index.js').Runtime} runtime */
async function planned(runtime) {
  const planner = (await open(graph)).planner({ runtime });
  planner.plan();
  planner.execute();
  return planner.report();
}

for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite']))
  test(`${runtime}: a plan that does not place what its model needs`, async () => {
    const plan = await planned(runtime);
    /** @param {(buffer: Buffer, i: number) => object | null} change */
    const changed = (change) => verify({ ...plan, buffers: /** @type {Buffer[]} */ (plan.buffers.map(change).filter(Boolean)) }, { model: graph });
    assert.ok((await changed((buffer) => buffer)).sound);
    const lacking = await changed((buffer) => ({ ...buffer, arena: null, offset: null }));
    assert.equal(lacking.sound, false);
    assert.deepEqual([lacking.clashCount, lacking.clashes[0]?.kind, lacking.clashes[0]?.text], [4, 'unplaced', 'x has no offset']);
    await assert.rejects(changed((buffer) => ({ ...buffer, bytes: 16 })), { code: 'bad-argument', message: /tensor 0 of subgraph 0 has 16 bytes in it and needs 64/ });
    await assert.rejects(changed((buffer, i) => (i === 2 ? null : buffer)), { code: 'bad-argument', message: /tensor 2 of subgraph 0 is not in it/ });
    const shared = await changed((buffer, i) => (i === 0 ? { ...buffer, offset: 0 } : { ...buffer, offset: 0, shares: 0 }));
    assert.equal(shared.sound, false);
    await assert.rejects(verify({ ...plan, steps: 0 }, { model: graph }), { code: 'bad-argument', message: /0 steps and a timeline of 3/ });
  });

test('a buffer that says of no tensor is refused', async () => {
  const plan = await planned('tflite');
  for (const tensor of ['length', undefined, 0.5, -1])
    await assert.rejects(verify(/** @type {any} */ ({ ...plan, buffers: [{ ...plan.buffers[0], tensor }] })), { code: 'bad-syntax', message: /buffers\[0\]\.tensor/ });
});

test('what works in place may share; with other bytes than the model has, where a node joins the two', async () => {
  const model = await open(graph);
  const planner = model.planner({ runtime: 'tflite' });
  planner.plan();
  planner.execute();
  const own = planner.report();
  assert.ok(own.buffers.some(({ shares }) => shares !== undefined), 'the runtime shares here');
  assert.ok((await verify(own, { model: graph })).sound);
  planner.reset();
  for (const tensor of [0, 1, 2, 3]) planner.resize(tensor, 96);
  planner.execute();
  const larger = planner.report();
  assert.ok((await verify(larger, { model: graph })).sound);
});

test('input is read when it is given, whatever becomes of it then', async () => {
  const list = new TextEncoder().encode('id,lower,upper,size,offset\na,0,4,300,0\n');
  const [opened, verified] = [open(list), verify(list)];
  structuredClone(list.buffer, { transfer: [list.buffer] });
  assert.equal((await opened).rows.length, 1);
  assert.equal((await verified).sound, true);
  const mine = structuredClone(graph);
  const held = open(mine);
  /** @type {any} */ (mine.tensors[0]).bytes = 1;
  assert.equal((await held).tensors[0]?.bytes, 64);
});

test('a long search lets timers have their turn', async () => {
  const rows = Array.from({ length: 90 }, (_, i) => `${i},${(i * 37) % 50},${((i * 37) % 50) + 3 + ((i * 29) % 17)},${1 + ((i * 7919) % 1009)}`);
  const planner = (await open(`id,lower,upper,size\n${rows.join('\n')}\n`)).planner();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  const solved = planner.solve({ nodes: 1e12, signal: AbortSignal.timeout(400) });
  await solved.then(({ done }) => assert.ok(done), ({ name }) => assert.ok(name === 'TimeoutError' && ticks > 3, `${ticks} ticks`));
  clearInterval(ticking);
});

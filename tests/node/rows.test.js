// The rows of a buffer list as the page shows and cuts them: by what the core has read of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../wasm/index.js';
import { claimedOffsets, rowsWithin } from '../../web/src/engine/rows.js';

/** @param {readonly string[]} lines */
const rowsOf = async (lines) => (await open(lines.join('\n'))).rows;

/** The list of what lives between two steps, read again. @param {readonly string[]} lines @param {number} from @param {number} to */
async function within(lines, from, to) {
  const list = rowsWithin(await rowsOf(lines), from, to);
  return (await open(list)).rows;
}

test('a list is cut to the rows that live between two steps, whatever the order of its columns', async () => {
  const lines = ['size,upper,id,lower', '64,3,a,0', '64,9,"b, with a comma",3', '64,5,c,4', '', '64,20,d,9'];
  const rows = await rowsOf(lines);
  assert.deepEqual(await within(lines, 4, 4), [rows[1], rows[2]]);
  assert.deepEqual(await within(lines, 9, 30), [rows[3]]);
  assert.deepEqual(await within(lines, 8, 8), [rows[1]]);
  assert.match(new TextDecoder().decode(rowsWithin(rows, 30, 40)), /^id,lower,upper,size,[a-z,]+\n$/);
});

test('what a view is of stays; so do names, places and alignments', async () => {
  const lines = ['id,lower,upper,size,alignment,offset,alias', 'root,0,1,64,32,96,', 'other,0,1,64,1,,', 'view,2,3,16,,,root+32', '"view of ""it""",8,9,8,,,view+4'];
  const cut = await within(lines, 8, 8);
  assert.deepEqual(cut.map(({ id }) => id), ['root', 'view of "it"']);
  assert.deepEqual(cut.map(({ alias, alias_bytes }) => [alias, alias_bytes]), [[null, 0], [0, 36]]);
  assert.deepEqual([cut[0]?.offset, cut[0]?.alignment], [96, 32]);
});

test('a view lies where its buffer does, and so many bytes further; ids that are no UTF-8 are told apart', async () => {
  const views = await rowsOf(['id,lower,upper,size,offset,alias', 'w,0,4,8,,v+4', 'v,0,4,16,,a+32', 'a,0,4,64,128,', 'b,0,4,64,,']);
  assert.deepEqual([...claimedOffsets(views)], [164, 160, 128, NaN]);
  const odd = await open(Uint8Array.from(Buffer.from('id,lower,upper,size,offset,alias\n\xff,0,4,64,0,\n\xfe,0,4,48,,\xff+16\n', 'latin1')));
  assert.deepEqual([...claimedOffsets(odd.rows)], [0, 16]);
  const cut = await open(rowsWithin(odd.rows, 0, 9));
  assert.deepEqual([...claimedOffsets(cut.rows)], [0, 16]);
});

// What the page reads of a long buffer list by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsWithin } from '../../web/src/rows.js';

/** @param {string[]} lines @param {number} from @param {number} to */
const within = (lines, from, to) => new TextDecoder().decode(rowsWithin(new TextEncoder().encode(lines.join('\n')), from, to)).trimEnd().split('\n').slice(1);

test('a list is cut to the rows that live between two steps, whatever the order of its columns', () => {
  const rows = ['64,3,a,0', '64,9,"b, with a comma",3', '64,5,c,4', '', '64,20,d,9'];
  assert.deepEqual(within(['size,upper,id,lower', ...rows], 4, 4), [rows[1], rows[2]]);
  assert.deepEqual(within(['size,upper,id,lower', ...rows], 9, 30), [rows[4]]);
  assert.deepEqual(within(['size,upper,id,lower', ...rows], 30, 40), []);
});

test('what a view is of stays, through several views', () => {
  const rows = ['root,0,1,64,', 'other,0,1,64,', 'view,2,3,16,root+32', '"view of ""it""",8,9,8,view+4'];
  assert.deepEqual(within(['id,lower,upper,size,alias', ...rows], 8, 8), [rows[0], rows[2], rows[3]]);
});

// Every row of the reference kernels' table, on a model made for it: builtin data, Init, Prepare, scratch,
// temporaries and new shapes, at every target. The figures are the table's formulas worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFERENCE_CASES } from '../support/tflm-cases.js';
import { decided, runCases } from '../support/tflm-runner.js';
import { SIZE_TARGETS, engines } from '../support/tflm.js';

const OPERATORS = 117;
/** These need more than one operator or subgraph: tflm-control.test.js. */
const ELSEWHERE = ['IF', 'WHILE', 'CALL_ONCE', 'VAR_HANDLE', 'READ_VARIABLE', 'ASSIGN_VARIABLE'];

for (const engine of engines) {
  test(`${engine.name}: what each operator's reference kernel adds to the arena`, async () => {
    await runCases(engine, REFERENCE_CASES, SIZE_TARGETS, 'reference');
  });
}

test('every operator of the table has a case, and one in which its temporaries decide', () => {
  const names = new Set(REFERENCE_CASES.map(({ op, custom }) => custom ?? op));
  assert.equal(names.size + ELSEWHERE.length, OPERATORS);
  const undecided = [...names].filter((name) => {
    const cases = REFERENCE_CASES.filter(({ op, custom }) => (custom ?? op) === name);
    return cases.some(({ temporaries }) => temporaries) && !cases.some((one) => decided.has(one));
  });
  assert.deepEqual(undecided, []);
});

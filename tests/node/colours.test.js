// The page's eight fills: told apart by every eye, in both themes, with text on them that can be read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contrast, difference, seen } from '../support/colour.js';

/** The least difference (CIEDE2000) between any two. */
const LEAST = /** @type {const} */ ({ normal: 12, deutan: 8, protan: 8 });
const FILLS = Array.from({ length: 8 }, (_, i) => `g${i}`);

const sheet = readFileSync('web/style.css', 'utf8');

/** The colours of a theme, by name. @param {RegExp} rule */
function coloursOf(rule) {
  const body = rule.exec(sheet)?.[1] ?? '';
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]));
}

const THEMES = { light: coloursOf(/:root \{([^}]*)\}/), dark: coloursOf(/:root\[data-theme="dark"\] \{([^}]*)\}/) };

test('the measure gives the figures that Sharma, Wu and Dalal published for it', () => {
  assert.equal(difference([50, 2.6772, -79.7751], [50, 0, -82.7485]).toFixed(4), '2.0425');
  assert.equal(difference([50, 2.5, 0], [58, 24, 15]).toFixed(4), '19.4535');
  assert.equal(difference([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514]).toFixed(4), '0.9082');
  assert.equal(contrast('#ffffff', '#000000').toFixed(1), '21.0');
});

for (const [theme, colours] of Object.entries(THEMES))
  test(`${theme}: any two fills differ for every eye`, () => {
    for (const [i, one] of FILLS.entries())
      for (const other of FILLS.slice(0, i))
        for (const [sight, least] of Object.entries(LEAST)) {
          const apart = seen(String(colours[one]), String(colours[other]), /** @type {keyof typeof LEAST} */ (sight));
          assert.ok(apart >= Number(least), `${one} and ${other} are ${apart.toFixed(1)} apart for ${sight} sight`);
        }
  });

for (const [theme, colours] of Object.entries(THEMES))
  test(`${theme}: text on a fill is read at 4.5:1, and a fill stands 3:1 off the card`, () => {
    for (const fill of FILLS) {
      assert.ok(contrast(String(colours[fill]), String(colours['on-fill'])) >= 4.5, `${fill}: text`);
      assert.ok(contrast(String(colours[fill]), String(colours['card'])) >= 3, `${fill}: card`);
    }
  });

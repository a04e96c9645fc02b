// Labels on the map: each lies wholly in what is painted of its rectangle, or is left out; numbers are never cut.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { needsShared, sharedModel } from '../support/shared.js';
import { closeAll, drop, launch, openPage, settled, shown } from './support.js';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => closeAll(browser));

/** Texts that the map writes, with their boxes, and what of each lies on no pixel of one buffer. @param {import('playwright-core').Page} page */
async function labelFaults(page) {
  await settled(page);
  return page.evaluate(async () => {
    const { chart, store } = /** @type {any} */ (globalThis).tensorArena;
    /** @type {{ text: string, left: number, right: number, top: number, bottom: number }[]} */
    const labels = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      if (this.textBaseline === 'alphabetic') {
        const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text);
        labels.push({ text, left: x, right: x + width, top: y - up, bottom: y + down });
      }
      fillText.call(this, text, x, y);
    };
    chart.draw('base');
    while (!chart.isSettled) await new Promise(requestAnimationFrame);
    CanvasRenderingContext2D.prototype.fillText = fillText;
    const { columns } = store.state.file.facts;
    const { x, y } = chart.scales;
    const { map } = chart.geometry;
    const faults = labels.flatMap(({ text, left, right, top, bottom }) => {
      const id = chart.bufferAt((left + right) / 2, (top + bottom) / 2);
      if (id < 0) return [`${text}: on nothing`];
      const low = Math.min(y(columns.offset[id]), y(columns.offset[id] + columns.bytes[id]));
      const high = Math.max(y(columns.offset[id]), y(columns.offset[id] + columns.bytes[id]));
      const inside = left >= Math.max(map.x, x(columns.first[id])) && right <= Math.min(map.x + map.w, x(columns.last[id] + 1)) && top >= Math.max(map.y, low) && bottom <= Math.min(map.y + map.h, high);
      if (!inside) return [`${text}: ${[left, right, top, bottom].map(Math.round)} in ${[x(columns.first[id]), x(columns.last[id] + 1), low, high].map(Math.round)}`];
      const corners = [[left + 1, top + 1], [right - 1, top + 1], [left + 1, bottom - 1], [right - 1, bottom - 1]];
      return corners.every(([a, b]) => chart.bufferAt(a, b) === id) ? [] : [`${text}: something else is painted there`];
    });
    const cut = labels.filter(({ text }) => /^[\d,.]+…$/.test(text)).map(({ text }) => `${text}: a number that is cut`);
    return { n: labels.length, faults: [...faults, ...cut] };
  });
}

/** Rectangles of each height from 9 to 40 px, and narrow ones, one above the other. */
const LOW = {
  tensors: Array.from({ length: 26 }, (_, i) => ({ name: `layer_${i}/jpg_ylqÅ`, bytes: 64 * (3 + i) })),
  nodes: Array.from({ length: 6 }, (_, i) => ({ name: 'CONV_2D', inputs: i === 0 ? Array.from({ length: 20 }, (_x, k) => k) : [19 + i], outputs: [20 + i] })),
  inputs: Array.from({ length: 20 }, (_, i) => i),
  outputs: [25],
};

test('in low rectangles a label fits or is left out', async (t) => {
  const { page, faults, close } = await openPage(browser);
  await drop(page, new TextEncoder().encode(JSON.stringify(LOW)), 'low.json');
  await shown(page, 'low.json');
  let seen = 0;
  for (const height of [700, 900, 1300])
    for (const down of [false, true]) {
      await page.setViewportSize({ width: 1440, height });
      await page.evaluate((is) => /** @type {any} */ (globalThis).tensorArena.actions.look.set({ down: is }), down);
      const found = await labelFaults(page);
      assert.deepEqual(found.faults, [], `${height}, ${down}`);
      seen += found.n;
    }
  t.diagnostic(`${seen} labels`);
  assert.ok(seen > 60);
  assert.deepEqual(faults, []);
  await close();
});

test('on real models, at several zooms, no label is cut through', needsShared, async (t) => {
  const { page, faults, close } = await openPage(browser);
  let seen = 0;
  for (const name of ['03-person_detect.tflite', '06-audio_preprocessor_int8.tflite', '13-mobilenet_v2_1.0_224_quant.tflite'])
    for (const runtime of ['tflm', 'tflite']) {
      await drop(page, sharedModel(name), name);
      await shown(page, name);
      await page.evaluate((wanted) => /** @type {any} */ (globalThis).tensorArena.actions.question.replan({ runtime: wanted }), runtime);
      for (const factor of [1, 2.7]) {
        await page.evaluate((by) => /** @type {any} */ (globalThis).tensorArena.actions.look.zoom(by), factor);
        const found = await labelFaults(page);
        assert.deepEqual(found.faults, [], `${name} ${runtime} ${factor}`);
        seen += found.n;
      }
    }
  t.diagnostic(`${seen} labels`);
  assert.ok(seen > 80);
  assert.deepEqual(faults, []);
  await close();
});

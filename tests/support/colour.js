// How far apart two colours look: CIEDE2000 (Sharma, Wu and Dalal, 2005), also as seen without one kind of cone
// (Machado, Oliveira and Fernandes, 2009, severity 1), and the contrast of WCAG 2.

/** @typedef {readonly [number, number, number]} Triple */

/** Rows of what turns linear sRGB into what a dichromat sees. */
export const SIGHTS = /** @type {const} */ ({
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
});

/** @param {readonly Triple[]} rows @param {Triple} v @returns {Triple} */
const times = (rows, v) => /** @type {Triple} */ (/** @type {unknown} */ (rows.map(([a, b, c]) => a * v[0] + b * v[1] + c * v[2])));

/** "#rrggbb" as linear sRGB, 0 to 1. @param {string} hex @returns {Triple} */
export function linear(hex) {
  const part = (/** @type {number} */ at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const TO_XYZ = /** @type {const} */ ([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]);
const WHITE = /** @type {const} */ ([0.95047, 1, 1.08883]);

/** CIE L*a*b* under D65. @param {Triple} rgb  linear @returns {Triple} */
export function lab(rgb) {
  const [x, y, z] = times(TO_XYZ, rgb).map((value, i) => {
    const t = Math.max(0, value) / /** @type {number} */ (WHITE[i]);
    return t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116;
  });
  return [116 * Number(y) - 16, 500 * (Number(x) - Number(y)), 200 * (Number(y) - Number(z))];
}

const RADIANS = Math.PI / 180;

/** CIEDE2000. @param {Triple} one @param {Triple} other  L*a*b* */
export function difference([L1, a1, b1], [L2, a2, b2]) {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const G = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + G), a2 * (1 + G)];
  const [C1, C2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = (/** @type {number} */ b, /** @type {number} */ x) => (b === 0 && x === 0 ? 0 : (Math.atan2(b, x) / RADIANS + 360) % 360);
  const [h1, h2] = [hue(b1, x1), hue(b2, x2)];
  const turn = C1 * C2 === 0 ? 0 : h2 - h1 > 180 ? h2 - h1 - 360 : h2 - h1 < -180 ? h2 - h1 + 360 : h2 - h1;
  const [dL, dC, dH] = [L2 - L1, C2 - C1, 2 * Math.sqrt(C1 * C2) * Math.sin((turn / 2) * RADIANS)];
  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  const h = C1 * C2 === 0 ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
  const T = 1 - 0.17 * Math.cos((h - 30) * RADIANS) + 0.24 * Math.cos(2 * h * RADIANS) + 0.32 * Math.cos((3 * h + 6) * RADIANS) - 0.2 * Math.cos((4 * h - 63) * RADIANS);
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  const RT = -2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * RADIANS);
  return Math.sqrt((dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * (dC / SC) * (dH / SH));
}

/** How far apart two colours look to somebody. @param {string} one @param {string} other  "#rrggbb" @param {keyof typeof SIGHTS} sight */
export function seen(one, other, sight) {
  const as = (/** @type {string} */ hex) => lab(times(SIGHTS[sight], linear(hex)));
  return difference(as(one), as(other));
}

/** @param {string} one @param {string} other */
export function contrast(one, other) {
  const [bright, dark] = [one, other].map((hex) => times(TO_XYZ, linear(hex))[1]).sort((a, b) => b - a);
  return (Number(bright) + 0.05) / (Number(dark) + 0.05);
}

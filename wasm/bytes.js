/** Sizes as people write them: 98304, 98,304, 0x18000, 96K, 96 KiB, 0.5MB, 1.5M. The native filter reads the same (c/cli/bytes.c). */

/** Powers of two, whatever the unit is called: that is what memories come in. @type {Readonly<Record<string, bigint>>} */
const UNITS = Object.freeze({ '': 1n, b: 1n, k: 1024n, kb: 1024n, kib: 1024n, m: 1024n ** 2n, mb: 1024n ** 2n, mib: 1024n ** 2n });

/**
 * @param {string} text
 * @returns {{ bytes: number, isWhole: boolean } | null}  null: it is no size, or one past what a number holds. What is
 *   not whole is no number of bytes, and `bytes` only about it
 */
export function readBytes(text) {
  const [, digits = '', fraction = '', unit = ''] = /^\s*(0x[\da-f]+|\d[\d,_]*)(?:\.(\d+))?\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const scale = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  const isHex = /^0x/i.test(digits);
  if (digits === '' || scale === undefined || (isHex && fraction !== '')) return null;
  const whole = BigInt(digits.replace(/[,_]/g, '')) * scale;
  const part = BigInt(`0${fraction}`) * scale;
  const parts = 10n ** BigInt(fraction.length);
  const bytes = Number(whole + part / parts);
  return Number.isSafeInteger(bytes) ? { bytes, isWhole: part % parts === 0n } : null;
}

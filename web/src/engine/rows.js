/** The rows of a buffer list, as the core has read them: where they are claimed to lie, and those that live between two steps. */

/** @typedef {import('../../../wasm/index.js').Row} Row */

/** @param {readonly Row[]} rows */
export const namesOf = (rows) => rows.map(({ id }) => id);

/** Where each row is claimed to lie; NaN: nowhere. A view lies in the row that `alias` names, which is none itself. @param {readonly Row[]} rows */
export function claimedOffsets(rows) {
  return Float64Array.from(rows, ({ offset, alias, alias_bytes: shift }) => offset ?? (alias === null ? NaN : (rows[alias]?.offset ?? NaN) + shift));
}

/**
 * A list of what lives between two steps, both included, and of the buffers that those are views of.
 * @param {readonly Row[]} rows @param {number} from @param {number} to
 */
export function rowsWithin(rows, from, to) {
  const kept = new Set();
  rows.forEach((row, i) => {
    if (row.first > to || row.last < from) return;
    kept.add(i);
    if (row.alias !== null) kept.add(row.alias);
  });
  const ids = uniqueIds(rows);
  const lines = rows.flatMap(({ first, last, bytes, alignment, offset, fixed, arena, alias, alias_bytes }, i) => {
    if (!kept.has(i)) return [];
    const view = alias === null ? '' : `${ids[alias]}+${alias_bytes}`;
    return [[quoted(ids[i] ?? ''), first, last + 1, bytes, alignment, alias === null ? (offset ?? '') : '', fixed ?? '', arena, quoted(view)].join(',')];
  });
  return new TextEncoder().encode(['id,lower,upper,size,alignment,offset,fixed,arena,alias', ...lines, ''].join('\n'));
}

/** Ids may have become the same where bytes are no UTF-8. @param {readonly Row[]} rows */
function uniqueIds(rows) {
  const seen = new Set();
  return rows.map(({ id }, i) => {
    const unique = seen.has(id) ? `${id} (row ${i})` : id;
    seen.add(unique);
    return unique;
  });
}

/** A field as the core reads it back. @param {string} text */
function quoted(text) {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

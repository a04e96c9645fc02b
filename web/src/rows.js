/** The ids and offsets of a buffer list that the core has read: what it tells of each row would be larger than the list. */

/** A field: in quotes, where a doubled quote stands for one, or up to the next comma. */
const FIELD = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^,]*))(?:,|$)/y;

/** @param {string} line @returns {string[]} */
function fieldsOf(line) {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  const fields = [];
  for (FIELD.lastIndex = 0; FIELD.lastIndex < line.length; ) {
    const [, quoted, plain = ''] = FIELD.exec(line) ?? [];
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

/** Lines; one that ends inside quotes goes on in the next. @param {string} text @returns {string[]} */
function linesOf(text) {
  const lines = text.split('\n');
  if (!text.includes('"')) return lines;
  const whole = [];
  let open = '';
  for (const line of lines) {
    const joined = open + line;
    const isOpen = (joined.split('"').length - 1) % 2 === 1;
    open = isOpen ? `${joined}\n` : '';
    if (!isOpen) whole.push(joined);
  }
  return whole;
}

/** What a list's lines are without its empty ones, and where its columns are (-1: it has none such). @param {Uint8Array} list @param {readonly string[]} titles */
function tableOf(list, titles) {
  const [head = '', ...rows] = linesOf(new TextDecoder().decode(list)).filter((line) => line.trim() !== '');
  const titled = fieldsOf(head.trimEnd());
  return { head, rows, columns: titles.map((title) => titled.indexOf(title)) };
}

/**
 * Of a list that the core has read, what lives between two steps, both included, and the buffers that those are views of.
 * @param {Uint8Array} list @param {number} from @param {number} to
 */
export function rowsWithin(list, from, to) {
  const { head, rows, columns } = tableOf(list, ['id', 'lower', 'upper', 'alias']);
  const [id = 0, lower = 1, upper = 2, alias = -1] = columns;
  const all = rows.map((row) => fieldsOf(row.trimEnd()));
  const kept = all.map((fields) => Number(fields[lower]) <= to && Number(fields[upper]) > from);
  if (alias >= 0) {
    const rowOf = new Map(all.map((fields, i) => [fields[id], i]));
    const left = [...kept.keys()].filter((i) => kept[i]);
    for (let i = left.pop(); i !== undefined; i = left.pop()) {
      const root = rowOf.get((all[i]?.[alias] ?? '').replace(/\+\d+$/, ''));
      if (root === undefined || kept[root]) continue;
      kept[root] = true;
      left.push(root);
    }
  }
  return new TextEncoder().encode([head, ...rows.filter((_, i) => kept[i]), ''].join('\n'));
}

/**
 * Places of views: their buffer's and the bytes that `id+bytes` names. The core has read the list: no view is its own.
 * @param {string[]} names @param {Float64Array} offsets @param {Map<number, string>} aliases
 */
function placeViews(names, offsets, aliases) {
  const rowOf = new Map(names.map((name, i) => [name, i]));
  for (const row of aliases.keys()) {
    let at = row;
    let shift = 0;
    for (let alias = aliases.get(at); alias !== undefined && Number.isNaN(offsets[at]); alias = aliases.get(at)) {
      const plus = alias.lastIndexOf('+');
      shift += Number(alias.slice(plus + 1));
      at = rowOf.get(alias.slice(0, plus)) ?? at;
    }
    offsets[row] = (offsets[at] ?? NaN) + shift;
  }
}

/**
 * @param {Uint8Array} list
 * @returns {{ names: string[], offsets: Float64Array, alignments: Float64Array }}  NaN: the row has no offset
 */
export function readRows(list) {
  const { rows, columns } = tableOf(list, ['id', 'offset', 'alignment', 'alias']);
  const [id = 0, place = -1, alignment = -1, alias = -1] = columns;
  const offsets = new Float64Array(rows.length).fill(NaN);
  const alignments = new Float64Array(rows.length).fill(1);
  /** @type {Map<number, string>} */
  const aliases = new Map();
  const names = rows.map((row, i) => {
    const fields = fieldsOf(row.trimEnd());
    if (fields[place]) offsets[i] = Number(fields[place]);
    if (fields[alignment]) alignments[i] = Number(fields[alignment]);
    if (fields[alias]) aliases.set(i, fields[alias]);
    return fields[id] ?? '';
  });
  if (aliases.size > 0) placeViews(names, offsets, aliases);
  return { names, offsets, alignments };
}

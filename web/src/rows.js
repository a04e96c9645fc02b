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
  const [titles = '', ...rows] = linesOf(new TextDecoder().decode(list)).filter((line) => line.trim() !== '');
  const titled = fieldsOf(titles.trimEnd());
  const [id = 0, place = -1, alignment = -1, alias = -1] = ['id', 'offset', 'alignment', 'alias'].map((title) => titled.indexOf(title));
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

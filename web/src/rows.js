/** The ids and offsets of a buffer list that the core has read: what it tells of each row would be larger than the list. */

/** A field and its end: in quotes, where a doubled quote stands for one, or up to a comma or the line's end. */
const FIELD = /[ \t]*(?:"([^"]*(?:""[^"]*)*)"|((?:[ \t]*(?:[^ \t\r\n,]+|\r(?!\n|$)))*))[ \t]*(,|\r?(?:\n|$))/y;

/**
 * Rows as the core reads them: blank lines are none.
 * @param {Uint8Array} list @param {readonly string[]} titles
 * @returns {{ head: string, rows: { line: string, fields: string[] }[], columns: number[] }}  columns: where those of the titles are, or -1
 */
function tableOf(list, titles) {
  const text = new TextDecoder().decode(list);
  const rows = [];
  FIELD.lastIndex = 0;
  for (let from = 0; from < text.length; from = FIELD.lastIndex) {
    const fields = [];
    for (let more = true; more; ) {
      const found = FIELD.exec(text);
      if (!found) throw new Error('the page cannot read this list as the core does.');
      const [, quoted, plain = '', end] = found;
      fields.push(quoted?.replaceAll('""', '"') ?? plain);
      more = end === ',';
    }
    const line = text.slice(from, FIELD.lastIndex);
    if (/[^ \t\r\n]/.test(line)) rows.push({ line, fields });
  }
  const { line: head = '', fields: titled = [] } = rows.shift() ?? {};
  return { head, rows, columns: titles.map((title) => titled.indexOf(title)) };
}

/**
 * Of a list that the core has read, what lives between two steps, both included, and the buffers that those are views of.
 * @param {Uint8Array} list @param {number} from @param {number} to
 */
export function rowsWithin(list, from, to) {
  const { head, rows, columns } = tableOf(list, ['id', 'lower', 'upper', 'alias']);
  const [id = 0, lower = 1, upper = 2, alias = -1] = columns;
  const kept = rows.map(({ fields }) => Number(fields[lower]) <= to && Number(fields[upper]) > from);
  if (alias >= 0) {
    const rowOf = new Map(rows.map(({ fields }, i) => [fields[id], i]));
    const left = [...kept.keys()].filter((i) => kept[i]);
    for (let i = left.pop(); i !== undefined; i = left.pop()) {
      const root = rowOf.get((rows[i]?.fields[alias] ?? '').replace(/\+\d+$/, ''));
      if (root === undefined || kept[root]) continue;
      kept[root] = true;
      left.push(root);
    }
  }
  return new TextEncoder().encode([head, ...rows.filter((_, i) => kept[i]).map(({ line }) => line)].join(''));
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
  const names = rows.map(({ fields }, i) => {
    if (fields[place]) offsets[i] = Number(fields[place]);
    if (fields[alignment]) alignments[i] = Number(fields[alignment]);
    if (fields[alias]) aliases.set(i, fields[alias]);
    return fields[id] ?? '';
  });
  if (aliases.size > 0) placeViews(names, offsets, aliases);
  return { names, offsets, alignments };
}

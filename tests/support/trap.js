// A copy of a wasm module in which one export traps, to see what the package makes of it.

/** @param {Uint8Array} bytes @param {number} at @returns {[value: number, after: number]} an unsigned LEB128 */
function leb(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = Number(bytes[at++]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

/** Where each section's content begins. @param {Uint8Array} bytes @returns {Map<number, number>} by section number */
function sections(bytes) {
  const found = new Map();
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, content] = leb(bytes, at + 1);
    found.set(id, content);
    at = content + size;
  }
  return found;
}

/** @param {Uint8Array} bytes @param {number} at  the export section @param {string} name @returns {number} */
function exportedFunction(bytes, at, name) {
  let [count, here] = leb(bytes, at);
  for (; count > 0; count--) {
    const [length, text] = leb(bytes, here);
    const found = new TextDecoder().decode(bytes.subarray(text, text + length));
    const [index, after] = leb(bytes, text + length + 1);
    if (found === name) return index;
    here = after;
  }
  throw new Error(`the module has no export ${name}`);
}

/**
 * @param {Uint8Array} wasm  a module without imports
 * @param {string} name
 * @returns {Uint8Array}
 */
export function withTrap(wasm, name) {
  const bytes = Uint8Array.from(wasm);
  const at = sections(bytes);
  const index = exportedFunction(bytes, Number(at.get(7)), name);
  let [, here] = leb(bytes, Number(at.get(10)));
  for (let i = 0; i < index; i++) {
    const [size, body] = leb(bytes, here);
    here = body + size;
  }
  let [, body] = leb(bytes, here);
  let groups;
  [groups, body] = leb(bytes, body);
  for (; groups > 0; groups--) body = leb(bytes, body)[1] + 1;
  // `local.get N` becomes `unreachable, nop`: the same length, and what follows stays valid.
  if (bytes[body] !== 0x20) throw new Error(`${name} does not begin with local.get`);
  bytes[body] = 0x00;
  bytes[body + 1] = 0x01;
  return bytes;
}

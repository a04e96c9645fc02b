// A .tflite file put together word by word, for what the FlatBuffers library would never write: parts that
// are shared, overlap, or claim what is not there. Parents first: references lead forward.

/** A table: where it and its vtable are, and the word of each slot. @typedef {{ at: number, vtable: number, slot: Record<number, number> }} Table */

export class RawFile {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #length = 8;

  constructor() {
    this.#bytes.set(new TextEncoder().encode('TFL3'), 4);
  }

  /** Zero bytes at the end, aligned to 4. @param {number} bytes @returns {number} their position */
  room(bytes) {
    const at = (this.#length + 3) & ~3;
    if (at + bytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, at + bytes));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#length = at + bytes;
    return at;
  }

  /** @param {number} at @param {number} value */
  word(at, value) {
    this.#view.setUint32(at, value >>> 0, true);
  }

  /** @param {number} at @param {number} value */
  half(at, value) {
    this.#view.setUint16(at, value, true);
  }

  /** @param {number} from @param {number} to */
  refer(from, to) {
    this.word(from, to - from);
  }

  /** A table with a word for each slot given, 0 at first. @param {...number} slots in ascending order @returns {Table} */
  table(...slots) {
    const vtableBytes = 4 + 2 * (Math.max(-1, ...slots) + 1);
    const vtable = this.room(vtableBytes);
    const at = this.room(4 + 4 * slots.length);
    this.half(vtable, vtableBytes);
    this.half(vtable + 2, 4 + 4 * slots.length);
    this.word(at, at - vtable);
    /** @type {Record<number, number>} */
    const slot = {};
    slots.forEach((number, i) => {
      this.half(vtable + 4 + 2 * number, 4 + 4 * i);
      slot[number] = at + 4 + 4 * i;
    });
    return { at, vtable, slot };
  }

  /** @param {number} count @param {number} [elementBytes] @returns {number} its position; elements follow its word */
  vector(count, elementBytes = 4) {
    const at = this.room(4 + count * elementBytes);
    this.word(at, count);
    return at;
  }

  /** A vector of tables that all are `table`. @param {number} count @param {() => Table} make called once, behind the vector */
  shared(count, make) {
    const at = this.vector(count);
    const { at: table } = make();
    for (let i = 0; i < count; i++) this.refer(at + 4 + 4 * i, table);
    return at;
  }

  /** @param {string} text @returns {number} */
  string(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.vector(bytes.length + 1, 1);
    this.word(at, bytes.length);
    this.#bytes.set(bytes, at + 4);
    return at;
  }

  /** A Model of version 3 with these slots; its word 0 is set. @param {...number} slots */
  model(...slots) {
    const model = this.table(0, ...slots);
    this.refer(0, model.at);
    this.word(model.slot[0], 3);
    return model;
  }

  get bytes() {
    return this.#bytes.slice(0, this.#length);
  }
}

/** The map's painter: the core's rasteriser in an instance of its own, fed with a plan's columns. */
import { BUFFER, FRAME, INK, WINDOW } from '../../../dist/layouts.js';
import { Instance } from '../../../wasm/instance.js';

/** @typedef {import('../types.js').Columns} Columns */
/** @typedef {import('../types.js').Frame} Frame */
/** @typedef {import('../types.js').Ink} Ink */

/** TA_NO_INDEX, and both halves of TA_NO_OFFSET. */
const NONE = 0xffffffff;

/** A ta_frame's units. */
const STEP_UNITS = 65536;
const BYTE_UNITS = 256;

/** The most buffers that a pick or the labels name. */
const MOST_FOUND = 4096;

/** Memory that grows when it must and is used again from picture to picture. */
class Room {
  #instance;
  #at = 0;
  #bytes = 0;

  /** @param {Instance} instance */
  constructor(instance) {
    this.#instance = instance;
  }

  /** @param {number} bytes @returns {number} the address */
  of(bytes) {
    if (bytes > this.#bytes) {
      if (this.#at !== 0) this.#instance.free(this.#at);
      this.#at = this.#instance.put(new Uint8Array(bytes));
      this.#bytes = bytes;
    }
    return this.#at;
  }
}

/** @param {DataView} view @param {number} at @param {number} value */
function setWide(view, at, value) {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, value / 2 ** 32, true);
}

/** The columns as ta_buffers. @param {Columns} columns */
function packBuffers(columns) {
  const bytes = new Uint8Array(columns.n * BUFFER.SIZE);
  const view = new DataView(bytes.buffer);
  const { first, last, offset, arena, shares } = columns;
  for (let i = 0; i < columns.n; i++) {
    const at = i * BUFFER.SIZE;
    const place = /** @type {number} */ (offset[i]);
    const root = /** @type {number} */ (shares[i]);
    setWide(view, at + BUFFER.bytes, /** @type {number} */ (columns.bytes[i]));
    if (Number.isNaN(place) || place < 0) {
      view.setUint32(at + BUFFER.offset, NONE, true);
      view.setUint32(at + BUFFER.offset + 4, NONE, true);
    } else setWide(view, at + BUFFER.offset, place);
    view.setInt32(at + BUFFER.first, /** @type {number} */ (first[i]), true);
    view.setInt32(at + BUFFER.last, /** @type {number} */ (last[i]), true);
    view.setUint32(at + BUFFER.index, i, true);
    view.setUint32(at + BUFFER.shares, root < 0 ? NONE : root, true);
    view.setUint8(at + BUFFER.arena, /** @type {number} */ (arena[i]));
    view.setUint8(at + BUFFER.in_plan, Number(arena[i] === 1 && root < 0));
  }
  return bytes;
}

export class MapView {
  #instance;
  #handle;
  #frame;
  #ids;
  #rgba;
  #classes;
  #inks;
  #found;

  /** @param {Instance} instance  @param {Columns} columns */
  constructor(instance, columns) {
    this.#instance = instance;
    const buffers = instance.put(packBuffers(columns));
    this.#handle = instance.yielded('view', buffers, columns.n).value;
    instance.free(buffers);
    this.#frame = new Room(instance);
    this.#ids = new Room(instance);
    this.#rgba = new Room(instance);
    this.#classes = new Room(instance);
    this.#inks = new Room(instance);
    this.#found = new Room(instance);
  }

  /** @param {WebAssembly.Module} module @param {Columns} columns */
  static async of(module, columns) {
    return new MapView(await Instance.start(module), columns);
  }

  get memoryBytes() {
    return this.#instance.memoryBytes;
  }

  /** @param {Frame} frame */
  #put(frame) {
    const at = this.#frame.of(FRAME.SIZE);
    const view = this.#instance.view();
    const wide = (/** @type {number} */ offset, /** @type {number} */ value) =>
      view.setBigInt64(at + offset, BigInt(Math.round(value)), true);
    wide(FRAME.window + WINDOW.x0, frame.x0 * STEP_UNITS);
    wide(FRAME.window + WINDOW.x1, frame.x1 * STEP_UNITS);
    wide(FRAME.window + WINDOW.y0, frame.y0 * BYTE_UNITS);
    wide(FRAME.window + WINDOW.y1, frame.y1 * BYTE_UNITS);
    view.setUint32(at + FRAME.width, frame.width, true);
    view.setUint32(at + FRAME.height, frame.height, true);
    view.setUint32(at + FRAME.down, Number(frame.down), true);
    view.setUint32(at + FRAME.reserved, 0, true);
    return at;
  }

  /** @param {Frame} frame */
  #paint(frame) {
    const ids = this.#ids.of(frame.width * frame.height * 4);
    const at = this.#put(frame);
    this.#instance.call('raster', this.#handle, at, ids);
    return { at, ids };
  }

  /** The id of each pixel. @param {Frame} frame */
  raster(frame) {
    const { ids } = this.#paint(frame);
    return this.#words(ids, frame.width * frame.height);
  }

  /**
   * The id and the colour of each pixel.
   * @param {Frame} frame
   * @param {Uint8Array} classes
   * @param {readonly Ink[]} inks
   * @param {number} scale  the textures' pixel size
   */
  picture(frame, classes, inks, scale) {
    const { at, ids } = this.#paint(frame);
    const pixels = frame.width * frame.height;
    const rgba = this.#rgba.of(pixels * 4);
    const classesAt = this.#classes.of(classes.length);
    const inksAt = this.#inks.of(inks.length * INK.SIZE);
    this.#instance.bytes(classesAt, classes.length).set(classes);
    const view = this.#instance.view();
    inks.forEach(({ fill, mark, texture }, i) => {
      view.setUint32(inksAt + i * INK.SIZE + INK.fill, fill, true);
      view.setUint32(inksAt + i * INK.SIZE + INK.mark, mark, true);
      view.setUint32(inksAt + i * INK.SIZE + INK.texture, texture, true);
    });
    this.#instance.call('colour', ids, at, classesAt, inksAt, scale, rgba);
    return {
      ids: this.#words(ids, pixels),
      pixels: new Uint8ClampedArray(this.#instance.bytes(rgba, pixels * 4).slice().buffer),
    };
  }

  /** The buffers in one pixel: how many, and the first of them. @param {Frame} frame @param {number} x @param {number} y */
  pick(frame, x, y) {
    const found = this.#found.of(MOST_FOUND * 4);
    const at = this.#put(frame);
    const count = this.#instance.value('pick', this.#handle, at, x, y, found, MOST_FOUND);
    return { count, buffers: this.#words(found, Math.min(count, MOST_FOUND)) };
  }

  /** The buffers with room for a label. @param {Frame} frame @param {number} minWidth @param {number} minHeight */
  labels(frame, minWidth, minHeight) {
    const found = this.#found.of(MOST_FOUND * 4);
    const at = this.#put(frame);
    return this.#words(found, this.#instance.value('labels', this.#handle, at, minWidth, minHeight, found, MOST_FOUND));
  }

  /** Live bytes and highest end for each pixel column. @param {Frame} frame */
  curve(frame) {
    const bytes = frame.width * 8;
    const columns = this.#found.of(Math.max(MOST_FOUND * 4, bytes * 2));
    const at = this.#put(frame);
    this.#instance.call('curve', this.#handle, at, columns, columns + bytes);
    return { live: this.#wides(columns, frame.width), high: this.#wides(columns + bytes, frame.width) };
  }

  /** @param {number} at @param {number} count */
  #words(at, count) {
    return new Uint32Array(this.#instance.bytes(at, count * 4).slice().buffer);
  }

  /** @param {number} at @param {number} count */
  #wides(at, count) {
    const view = this.#instance.view();
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++)
      values[i] = view.getUint32(at + 8 * i + 4, true) * 2 ** 32 + view.getUint32(at + 8 * i, true);
    return values;
  }
}

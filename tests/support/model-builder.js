// Makes .tflite files for tests, with the official FlatBuffers library and the schema as data (tflite-schema.js).
//
//   encodeModel(raw)    a Model as the schema has it -> bytes. Nothing is checked: tests make broken models.
//   decodeModel(bytes)  bytes -> the same shape, read by the official library.
//   rawModel(model)     a short form (below) -> the schema's form.
//   buildModel(model)   the two in one: the usual way.
//
// The short form: { subgraphs: [{ name, tensors, operators, inputs, outputs }], metadata: { name: bytes },
// signatures: { key: subgraph }, ... }, or one subgraph's fields at the top level. Fields it does not know are the
// schema's own and are passed through.
//   tensor: { name, type: 'INT8', shape, data, keep: 'inside' | 'offset' | 'external', ... }; data (a typed
//           array, bytes, or a number of zero bytes) makes a constant, kept in one of the format's three ways.
//   operator: { op: 'CONV_2D' or a number, custom: 'name', version, inputs, outputs, options: ['Conv2DOptions', {}],
//           options2: [...], custom_options: bytes, or an object that becomes a FlexBuffers map, ... }
import { readFileSync } from 'node:fs';
import { Builder, ByteBuffer } from 'flatbuffers';
import { builder as flexBuilder } from 'flatbuffers/js/flexbuffers.js';
import { TENSOR_TYPES, UNIONS, fieldsOf } from './tflite-schema.js';

/** @typedef {Record<string, any>} Raw a table of the schema, by field name */

/** Operator numbers by name, from the core's own list. @type {Record<string, number>} */
export const OPERATORS = Object.fromEntries(
  [...readFileSync(new URL('../../c/src/graph/ops.def', import.meta.url), 'utf8').matchAll(/^OP\((\d+), (\w+)/gm)].map(
    ([, number, name]) => [name, Number(number)],
  ),
);

const PLACEHOLDER_FOR_GREATER = 127;
const LAST_SLOT_OFFSET = 4;

/** @type {Record<string, { bytes: number, add: (b: Builder, v: any) => void, field: (b: Builder, slot: number, v: any, otherwise: any) => void }>} */
const SCALARS = {
  i8: { bytes: 1, add: (b, v) => b.addInt8(v), field: (b, s, v, d) => b.addFieldInt8(s, v, d) },
  u8: { bytes: 1, add: (b, v) => b.addInt8(v), field: (b, s, v, d) => b.addFieldInt8(s, v, d) },
  bool: { bytes: 1, add: (b, v) => b.addInt8(Number(v)), field: (b, s, v, d) => b.addFieldInt8(s, Number(v), d) },
  i32: { bytes: 4, add: (b, v) => b.addInt32(v), field: (b, s, v, d) => b.addFieldInt32(s, v, d) },
  u32: { bytes: 4, add: (b, v) => b.addInt32(v), field: (b, s, v, d) => b.addFieldInt32(s, v, d) },
  f32: { bytes: 4, add: (b, v) => b.addFloat32(v), field: (b, s, v, d) => b.addFieldFloat32(s, v, d) },
  i64: { bytes: 8, add: (b, v) => b.addInt64(BigInt(v)), field: (b, s, v, d) => b.addFieldInt64(s, BigInt(v), BigInt(d)) },
  u64: { bytes: 8, add: (b, v) => b.addInt64(BigInt(v)), field: (b, s, v, d) => b.addFieldInt64(s, BigInt(v), BigInt(d)) },
};

/** The element type and alignment of `[type]` or `[type:alignment]`. @param {string} type */
function elementOf(type) {
  const [element, alignment] = type.slice(1, -1).split(':');
  return { element, alignment: Number(alignment ?? 0) };
}

/** Writes what an offset field points to. @param {Builder} b @param {string} type @param {any} value @returns {number} */
function writeChild(b, type, value) {
  if (type === 'string') return b.createString(value);
  if (type.startsWith('<')) return writeTable(b, value[0], value[1] ?? {});
  if (!type.startsWith('[')) return writeTable(b, type, value);
  const { element, alignment } = elementOf(type);
  const scalar = SCALARS[element];
  const items = scalar ? [...value] : value.map((/** @type {any} */ item) => writeChild(b, element, item));
  const bytes = scalar?.bytes ?? 4;
  b.startVector(bytes, items.length, alignment || bytes);
  for (const item of items.reverse()) scalar ? scalar.add(b, item) : b.addOffset(item);
  return b.endVector();
}

/** @param {Builder} b @param {string} table @param {Raw} raw @returns {number} */
function writeTable(b, table, raw) {
  const fields = fieldsOf(table);
  for (const name of Object.keys(raw)) {
    if (!fields.some((field) => field.name === name)) throw new Error(`${table} has no field ${name}`);
  }
  const children = fields.map((field) =>
    raw[field.name] == null || field.type in SCALARS ? 0 : writeChild(b, field.type, raw[field.name]),
  );
  b.startObject(fields.length);
  fields.forEach((field, slot) => {
    const value = raw[field.name];
    if (value == null) return;
    if (field.type in SCALARS) SCALARS[field.type].field(b, slot, value, field.otherwise);
    else b.addFieldOffset(slot, children[slot], 0);
    const union = /^<(.*)>$/.exec(field.type)?.[1];
    if (!union) return;
    const tag = UNIONS[/** @type {keyof typeof UNIONS} */ (union)][value[0]];
    if (tag === undefined) throw new Error(`${union} has no ${value[0]}`);
    b.addFieldInt8(slot - 1, tag, 0);
  });
  return b.endObject();
}

/**
 * @param {Raw} raw a Model
 * @param {{ identifier?: string }} [options]
 * @returns {Uint8Array}
 */
export function encodeModel(raw, { identifier = 'TFL3' } = {}) {
  const b = new Builder(1024);
  b.finish(writeTable(b, 'Model', raw), identifier);
  return b.asUint8Array().slice();
}

/** @param {ByteBuffer} bb @param {string} type @param {number} at @returns {any} */
function readScalar(bb, type, at) {
  switch (type) {
    case 'i8': return bb.readInt8(at);
    case 'u8': return bb.readUint8(at);
    case 'bool': return bb.readInt8(at) !== 0;
    case 'i32': return bb.readInt32(at);
    case 'u32': return bb.readUint32(at);
    case 'f32': return bb.readFloat32(at);
    case 'i64': return Number(bb.readInt64(at));
    default: return Number(bb.readUint64(at));
  }
}

/** @param {ByteBuffer} bb @param {string} type @param {number} at where the reference stands @returns {any} */
function readChild(bb, type, at) {
  if (type === 'string') return bb.__string(at);
  if (!type.startsWith('[')) return readTable(bb, type, bb.__indirect(at));
  const { element } = elementOf(type);
  const start = bb.__vector(at);
  const n = bb.__vector_len(at);
  if (element === 'u8') return bb.bytes().slice(start, start + n);
  const bytes = SCALARS[element]?.bytes ?? 4;
  return Array.from({ length: n }, (_, i) =>
    element in SCALARS ? readScalar(bb, element, start + i * bytes) : readChild(bb, element, start + i * bytes),
  );
}

/** @param {ByteBuffer} bb @param {string} table @param {number} at @returns {Raw} */
function readTable(bb, table, at) {
  /** @type {Raw} */
  const raw = {};
  fieldsOf(table).forEach(({ name, type }, slot) => {
    const offset = bb.__offset(at, LAST_SLOT_OFFSET + 2 * slot);
    if (offset === 0) return;
    const union = /^<(.*)>$/.exec(type)?.[1];
    if (type in SCALARS) {
      raw[name] = readScalar(bb, type, at + offset);
    } else if (union) {
      const tag = bb.readUint8(at + bb.__offset(at, LAST_SLOT_OFFSET + 2 * (slot - 1)));
      const names = Object.entries(UNIONS[/** @type {keyof typeof UNIONS} */ (union)]);
      const member = names.find(([, number]) => number === tag)?.[0] ?? `${tag}`;
      raw[name] = [member, readTable(bb, member, bb.__indirect(at + offset))];
    } else {
      raw[name] = readChild(bb, type, at + offset);
    }
  });
  return raw;
}

/** Reads a model with the official library. @param {Uint8Array} bytes @returns {Raw} */
export function decodeModel(bytes) {
  const bb = new ByteBuffer(bytes);
  if (!bb.__has_identifier('TFL3')) throw new Error('no identifier TFL3');
  return readTable(bb, 'Model', bb.readInt32(bb.position()) + bb.position());
}

/** A FlexBuffers map, as custom operators keep their options. @param {Record<string, number>} map @returns {Uint8Array} */
function flexMap(map) {
  const b = flexBuilder();
  b.startMap();
  for (const [key, value] of Object.entries(map)) {
    b.addKey(key);
    b.addInt(value);
  }
  b.end();
  return b.finish();
}

/** @param {ArrayBufferView | ArrayLike<number> | number} data */
function bytesOf(data) {
  if (typeof data === 'number') return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.from(data);
}

/**
 * What a short form grows into besides its subgraphs.
 * @typedef {{ codes: Raw[], buffers: Raw[], externals: Raw[] }} Parts
 */

/** @param {Raw} short @param {Parts} parts @returns {Raw} */
function rawTensor({ data, keep = 'inside', type = 'FLOAT32', ...rest }, parts) {
  /** @type {Raw} */
  const tensor = { ...rest, type: typeof type === 'number' ? type : TENSOR_TYPES[type] };
  if (data === undefined) return tensor;
  const bytes = bytesOf(data);
  if (keep === 'external') {
    parts.externals.push({ id: parts.externals.length + 1, length: bytes.length });
    return { ...tensor, external_buffer: parts.externals.length };
  }
  parts.buffers.push(keep === 'offset' ? { appended: bytes } : { data: bytes });
  return { ...tensor, buffer: parts.buffers.length - 1 };
}

/** @param {Raw} short @param {Parts} parts @returns {Raw} */
function rawOperator({ op = 'CUSTOM', custom, version = 1, options, options2, custom_options, ...rest }, parts) {
  const number = typeof op === 'number' ? op : OPERATORS[op];
  if (number === undefined) throw new Error(`no operator ${op}`);
  const code = {
    deprecated_builtin_code: Math.min(number, PLACEHOLDER_FOR_GREATER),
    builtin_code: number,
    version,
    ...(custom === undefined ? {} : { custom_code: custom }),
  };
  const same = (/** @type {Raw} */ other) => JSON.stringify(other) === JSON.stringify(code);
  if (!parts.codes.some(same)) parts.codes.push(code);
  /** @type {Raw} */
  const operator = { opcode_index: parts.codes.findIndex(same), ...rest };
  if (options) operator.builtin_options = options;
  if (options2) operator.builtin_options_2 = options2;
  if (custom_options) {
    const isBytes = custom_options instanceof Uint8Array || Array.isArray(custom_options);
    operator.custom_options = isBytes ? custom_options : flexMap(custom_options);
  }
  return operator;
}

/**
 * The schema's form of a short form. A Buffer in it may have `appended` bytes, which buildModel puts behind the
 * FlatBuffer, at Buffer.offset.
 * @param {Raw} short
 * @returns {Raw}
 */
export function rawModel({ subgraphs, tensors, operators, inputs, outputs, name, metadata = {}, signatures = {}, ...rest }) {
  const parts = { codes: [], buffers: [{}], externals: /** @type {Raw[]} */ ([]) };
  const graphs = subgraphs ?? [{ name, tensors, operators, inputs, outputs }];
  const raw = {
    version: 3,
    subgraphs: graphs.map((/** @type {Raw} */ { tensors = [], operators = [], inputs = [], outputs = [], ...graph }) => ({
      ...graph,
      tensors: tensors.map((/** @type {Raw} */ tensor) => rawTensor(tensor, parts)),
      operators: operators.map((/** @type {Raw} */ operator) => rawOperator(operator, parts)),
      inputs,
      outputs,
    })),
    metadata: Object.entries(metadata).map(([key, data]) => {
      parts.buffers.push({ data: bytesOf(data) });
      return { name: key, buffer: parts.buffers.length - 1 };
    }),
    signature_defs: Object.entries(signatures).map(([key, subgraph]) => ({ signature_key: key, subgraph_index: subgraph })),
    operator_codes: parts.codes,
    buffers: parts.buffers,
    ...(parts.externals.length ? { external_buffer_groups: [{ name: 'weights' }], external_buffers: parts.externals } : {}),
  };
  return { ...raw, ...rest };
}

/** @param {Raw} short @returns {Uint8Array} */
export function buildModel(short) {
  return encodeAppended(rawModel(short));
}

/**
 * encodeModel, and the `appended` bytes of buffers behind it, each 16-aligned. Offsets are never 0, so encoding
 * with any offset gives the length that the true ones need.
 * @param {Raw} raw
 * @returns {Uint8Array}
 */
function encodeAppended(raw) {
  const placed = (/** @type {number} */ start) => {
    let at = start;
    return raw.buffers.map((/** @type {Raw} */ { appended, ...buffer }) => {
      if (!appended) return buffer;
      at = Math.ceil(at / 16) * 16;
      const entry = { ...buffer, offset: at, size: appended.length };
      at += appended.length;
      return entry;
    });
  };
  const { length } = encodeModel({ ...raw, buffers: placed(16) });
  const buffers = placed(length);
  const flat = encodeModel({ ...raw, buffers });
  const end = Math.max(length, ...buffers.map((/** @type {Raw} */ b) => Number(b.offset ?? 0) + Number(b.size ?? 0)));
  const whole = new Uint8Array(end);
  whole.set(flat);
  raw.buffers.forEach((/** @type {Raw} */ { appended }, /** @type {number} */ i) => {
    if (appended) whole.set(appended, buffers[i].offset);
  });
  return whole;
}

/** Little-endian 32-bit words as bytes: an offline plan's payload. @param {number[]} words @returns {Uint8Array} */
export function words(words) {
  return new Uint8Array(Int32Array.from(words).buffer);
}

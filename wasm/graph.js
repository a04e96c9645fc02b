/**
 * Graph JSON: checked key by key, and packed into the block that the core reads (tensor_arena.h, "packed graph
 * blocks"). Indices are only checked to be numbers here; the core says which of them point nowhere.
 */
import { Checker } from './check.js';
import { INT32_MAX, OPERATIONS, TYPES } from './names.js';

/** @typedef {import('./index.js').Graph} Graph */
/** @typedef {import('./index.js').Operation} Operation */

const FORMAT = 'tensor-arena-graph';
const KEYS = Object.freeze({
  graph: ['format', 'version', 'name', 'alignment', 'preserve_all', 'tensors', 'nodes', 'inputs', 'outputs', 'variables'],
  tensor: ['name', 'bytes', 'type', 'is_variable'],
  node: ['name', 'inputs', 'outputs', 'temporaries', 'inplace'],
});

const MAGIC = 0x42474154;
const VERSION = 1;
const HEADER_BYTES = 48;
const TENSOR_BYTES = 20;
const NODE_BYTES = 20;
const OPERATION_BYTES = 20;

const check = new Checker('graph JSON');

/**
 * @param {unknown} value
 * @param {string} where
 * @returns {number[]}
 */
function indices(value, where) {
  return check.list(value, where).map((index, i) => check.whole(index, -INT32_MAX - 1, INT32_MAX, `${where}[${i}]`));
}

/**
 * @param {unknown} value
 * @param {number} i
 */
function readTensor(value, i) {
  const where = `tensors[${i}]`;
  const tensor = check.object(value, where, KEYS.tensor);
  const isVariable = check.flag(tensor.is_variable ?? false, `${where}.is_variable`);
  return {
    name: check.text(tensor.name ?? '', `${where}.name`),
    bytes: check.bytes(tensor.bytes, `${where}.bytes`),
    type: check.word(tensor.type ?? (isVariable ? 'arena_rw_persistent' : 'arena_rw'), TYPES, `${where}.type`),
    isVariable,
  };
}

/**
 * @param {unknown} value
 * @param {number} i
 */
function readNode(value, i) {
  const where = `nodes[${i}]`;
  const node = check.object(value, where, KEYS.node);
  return {
    name: check.text(node.name ?? '', `${where}.name`),
    inputs: indices(node.inputs ?? [], `${where}.inputs`),
    outputs: indices(node.outputs ?? [], `${where}.outputs`),
    temporaries: indices(node.temporaries ?? [], `${where}.temporaries`),
    inplace: check.whole(node.inplace ?? 0, 0, 255, `${where}.inplace`),
  };
}

/** @param {unknown} value */
function readGraph(value) {
  const graph = check.object(value, 'the graph', KEYS.graph);
  check.word(graph.format ?? FORMAT, [FORMAT], 'format');
  check.whole(graph.version ?? 1, 1, 1, 'version');
  const tensors = check.list(graph.tensors, 'tensors').map(readTensor);
  return {
    name: check.text(graph.name ?? '', 'name'),
    alignment: graph.alignment === undefined ? 0 : check.whole(graph.alignment, 1, INT32_MAX, 'alignment'),
    preserveAll: check.flag(graph.preserve_all ?? false, 'preserve_all'),
    tensors,
    nodes: check.list(graph.nodes, 'nodes').map(readNode),
    inputs: indices(graph.inputs, 'inputs'),
    outputs: indices(graph.outputs, 'outputs'),
    // Without the list, the tensors that are marked are the variables.
    variables:
      graph.variables === undefined
        ? tensors.flatMap((tensor, i) => (tensor.isVariable ? [i] : []))
        : indices(graph.variables, 'variables'),
  };
}

/** Writes little-endian words one after the other. */
class Writer {
  /** @param {number} bytes */
  constructor(bytes) {
    this.bytes = new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer);
    this.at = 0;
  }

  /** @param {...number} words */
  words(...words) {
    for (const word of words) this.word(word);
  }

  /** @param {number} word */
  word(word) {
    this.view.setInt32(this.at, word, true);
    this.at += 4;
  }

  /** @param {number} value */
  wide(value) {
    this.view.setBigUint64(this.at, BigInt(value), true);
    this.at += 8;
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
}

/**
 * @param {Writer} out
 * @param {Operation} operation
 */
function writeOperation(out, operation) {
  const { op } = operation;
  const first = op === 'execute' ? operation.first : op === 'reset_after' ? operation.node : 0;
  const tensor = op === 'resize' || op === 'retype' ? operation.tensor : first;
  const second = op === 'execute' ? operation.last : op === 'retype' ? TYPES.indexOf(operation.type) : 0;
  out.words(OPERATIONS.indexOf(op), tensor, second);
  out.wide(op === 'resize' ? operation.bytes : 0);
}

/**
 * A graph, and what a planner made of it should do, as one block. Throws InputError, naming the key, for what
 * is no graph.
 * @param {Graph} value
 * @param {readonly Operation[]} [operations]
 * @returns {{ bytes: Uint8Array, name: string }} the block, and the graph's own name
 */
export function packGraph(value, operations = []) {
  const graph = readGraph(value);
  const encoder = new TextEncoder();
  const named = [...graph.tensors, ...graph.nodes].map(({ name }) => encoder.encode(name));
  const textBytes = named.reduce((sum, name) => sum + name.length, 0);
  const nodeLists = graph.nodes.flatMap((node) => [node.inputs, node.outputs, node.temporaries]);
  const lists = [graph.inputs, graph.outputs, graph.variables, ...nodeLists];
  const nIndices = lists.reduce((sum, each) => sum + each.length, 0);
  const { tensors, nodes } = graph;

  const out = new Writer(
    HEADER_BYTES +
      tensors.length * TENSOR_BYTES +
      nodes.length * NODE_BYTES +
      nIndices * 4 +
      operations.length * OPERATION_BYTES +
      textBytes,
  );
  out.words(MAGIC, VERSION, graph.alignment, Number(graph.preserveAll), tensors.length, nodes.length);
  out.words(graph.inputs.length, graph.outputs.length, graph.variables.length, nIndices, operations.length, textBytes);
  tensors.forEach((tensor, i) => {
    out.wide(tensor.bytes);
    out.words(tensor.type, Number(tensor.isVariable), named[i]?.length ?? 0);
  });
  nodes.forEach((node, i) => {
    const name = named[tensors.length + i];
    out.words(node.inputs.length, node.outputs.length, node.temporaries.length, node.inplace, name?.length ?? 0);
  });
  for (const each of lists) for (const index of each) out.word(index);
  for (const operation of operations) writeOperation(out, operation);
  for (const name of named) out.raw(name);
  return { bytes: out.bytes, name: graph.name };
}

/** The walk of TensorFlow Lite's interpreter over a graph with dynamic tensors, without computing anything. */
import { WALK_STEP } from '../dist/layouts.js';
import { INT32_MAX, integer } from './names.js';
import { checkOptions } from './option-keys.js';
import { freeWithOwner, readLayout, writeOptions } from './planner.js';

/** @typedef {import('./index.js').InterpreterOptions} InterpreterOptions */
/** @typedef {import('./index.js').Layout} Layout */
/** @typedef {import('./index.js').WalkStep} WalkStep */
/** @typedef {import('./instance.js').Instance} Instance */

const OPTION_KEYS = ['runtime', 'alignment', 'subgraph', 'preserveAll'];

export class Interpreter {
  /** @type {Instance} */
  #instance;
  /** @type {number} */
  #handle;

  /**
   * @param {Instance} instance  with a model open
   * @param {InterpreterOptions} options
   */
  constructor(instance, options) {
    checkOptions(options, OPTION_KEYS, 'interpreter()');
    writeOptions(instance, options);
    this.#instance = instance;
    this.#handle = instance.yielded('walk').value;
    freeWithOwner(this, instance, this.#handle, 'walk_free');
  }

  /** @returns {[first: number, last: number] | null} */
  allocateTensors() {
    return this.#step('walk_allocate').planned;
  }

  /** @returns {WalkStep} */
  next() {
    return this.#step('walk_next');
  }

  /**
   * @param {number} tensor
   * @param {number} bytes
   */
  setBytes(tensor, bytes) {
    const index = integer(tensor, 0, INT32_MAX, 'tensor');
    const size = integer(bytes, 0, Number.MAX_SAFE_INTEGER, 'bytes');
    this.#instance.withWide(size, (at) => this.#instance.call('walk_set_bytes', this.#handle, index, at));
  }

  /** @returns {Layout} */
  layout() {
    return readLayout(this.#instance, this.#instance.value('walk_planner', this.#handle));
  }

  /** @param {string} call */
  #step(call) {
    const { value } = this.#instance.yielded(call, this.#handle);
    const view = this.#instance.view();
    const [node, first, last] = [WALK_STEP.node, WALK_STEP.planned_first, WALK_STEP.planned_last].map((offset) => view.getInt32(value + offset, true));
    return {
      node: Number(node),
      planned: /** @type {[number, number] | null} */ (Number(first) < 0 ? null : [first, last]),
      done: view.getUint32(value + WALK_STEP.done, true) === 1,
    };
  }
}

/**
 * The errors this package throws. Each has a stable `code`; those that come from the core carry the names of
 * tensor_arena_status.def, and the place they are about.
 */

/** @typedef {import('./index.js').Place} Place */

/** @type {Place} */
const NOWHERE = Object.freeze({ subgraph: null, node: null, tensor: null, byte: null });

export class TensorArenaError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Place} [place]
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, place = NOWHERE, options = undefined) {
    super(message, options);
    this.code = code;
    this.place = place;
  }

  get name() {
    return /** @type {typeof TensorArenaError} */ (this.constructor).called;
  }

  /** Written out, as bundlers shorten the names of classes. */
  static called = 'TensorArenaError';
}

/** The bytes, graph, list or plan that was given is not right. */
export class InputError extends TensorArenaError {
  static called = 'InputError';
}

/** The call is not right: an argument, its order, or a thing that this runtime or input has no part in. */
export class UsageError extends TensorArenaError {
  static called = 'UsageError';
}

/** Memory ran out, or a number is larger than the core represents. */
export class LimitError extends TensorArenaError {
  static called = 'LimitError';
}

/** The input was understood, and the answer is no. */
export class AnswerError extends TensorArenaError {
  static called = 'AnswerError';
}

/** The wasm module could not be had, or does not belong to this JavaScript. */
export class LoadError extends TensorArenaError {
  static called = 'LoadError';
}

/** The core trapped. The model it happened in is gone; others are not touched. */
export class CrashError extends TensorArenaError {
  static called = 'CrashError';
}

/** Exit statuses, and which error gives which. */
import { AnswerError, InputError, LimitError, UsageError } from '../errors.js';

export const EXIT = Object.freeze({
  good: 0,
  /** The answer is no: does not fit, unsound, the runtime would refuse the model. */
  no: 1,
  usage: 2,
  input: 3,
  undecided: 4,
  /** Input, output or memory failed. */
  failed: 5,
});

/** What was asked could not be found out. */
export class Undecided extends Error {}

/** Whether nested input has used up the stack. @param {unknown} error @returns {boolean} */
export function isTooDeep(error) {
  if (!(error instanceof Error)) return false;
  return (error instanceof RangeError && error.message.includes('call stack')) || isTooDeep(error.cause);
}

/**
 * @param {unknown} error
 * @param {boolean} opened  the input was read, so that an index that does not exist came from an option
 * @returns {number}
 */
export function exitStatus(error, opened) {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof InputError) return opened && error.code === 'bad-index' ? EXIT.usage : EXIT.input;
  if (error instanceof Undecided) return EXIT.undecided;
  if (isTooDeep(error)) return EXIT.input;
  if (error instanceof AnswerError) return EXIT.no;
  if (error instanceof LimitError) return error.code === 'over-limit' ? EXIT.input : EXIT.failed;
  return EXIT.failed;
}

/**
 * With a budget, whether it is kept decides the status.
 * @param {boolean | null} fits
 * @param {number | undefined} budget
 */
export function budgetStatus(fits, budget) {
  if (budget === undefined || fits === true) return EXIT.good;
  return fits === null ? EXIT.undecided : EXIT.no;
}

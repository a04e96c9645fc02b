/** The state before anything is open. */
import { notCompared } from './compare.js';
import { noFile } from './file.js';
import { firstLook } from './look.js';
import { noQuestion } from './question.js';
import { nothingSelected } from './selection.js';

/** @param {Partial<import('./look.js').LookState>} habits  what the last visit left @returns {import('./store.js').State} */
export const initialState = (habits) => ({ file: noFile(), question: noQuestion(), look: firstLook(habits), selection: nothingSelected(), compare: notCompared() });

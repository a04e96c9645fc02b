/** Names of files and words of the user in texts for people; the core shows what a model's names hide by itself. */
import { HIDDEN } from '../../dist/words.js';

const CHARACTERS = new RegExp(`[${HIDDEN}]`, 'g');

/** @param {string} character */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line. @param {string} text */
export function visible(text) {
  return text.replace(CHARACTERS, escaped);
}

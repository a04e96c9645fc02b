/**
 * What a model's author may have hidden in names: characters that steer a terminal, break a line, or turn the
 * direction of what follows. Texts for people show them as escapes.
 */

/** C0, DEL, C1, line and paragraph separators, and what sets a direction. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g; // eslint-disable-line no-control-regex

/** @param {string} character */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line. @param {string} text */
export function visible(text) {
  return text.replace(HIDDEN, escaped);
}

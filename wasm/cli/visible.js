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

/** Lines, whose ends are the program's own. @param {string} text */
export function visibleLines(text) {
  return text.split('\n').map(visible).join('\n');
}

/** A C file: what is hidden in its comments becomes what the core puts for control characters. @param {string} text */
export function visibleComments(text) {
  return text.replace(HIDDEN, (character) => (character === '\n' ? character : '?'));
}

/**
 * A text of the core, in which names may break lines.
 * @param {string} text
 * @param {readonly (readonly [before: string, name: string, after: string])[]} named  what of the text is no line of
 *   the core's, in the order of the text, with the core's own words around it
 */
export function visibleAround(text, named) {
  let shown = '';
  let at = 0;
  for (const [before, name, after] of named) {
    const found = text.indexOf(before + name + after, at);
    // Not where it should be: better one long line than a forged one.
    if (found < 0) return `${visible(text.trimEnd())}\n`;
    shown += visibleLines(text.slice(at, found + before.length)) + visible(name);
    at = found + before.length + name.length;
  }
  return shown + visibleLines(text.slice(at));
}

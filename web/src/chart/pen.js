/** What is drawn all over the chart: lines, and text that fits. */

/** @typedef {CanvasRenderingContext2D} Context */

/** A crisp horizontal line. @param {Context} c @param {number} x @param {number} y @param {number} w */
export function line(c, x, y, w) {
  c.beginPath();
  c.moveTo(x, Math.round(y) + 0.5);
  c.lineTo(x + w, Math.round(y) + 0.5);
  c.stroke();
}

/** @param {Context} c @param {number} x @param {number} y @param {number} w @param {string} colour @param {number[]} pattern */
export function dashed(c, x, y, w, colour, pattern) {
  c.setLineDash(pattern);
  c.strokeStyle = colour;
  line(c, x, y, w);
  c.setLineDash([]);
}

/** The text, cut with an ellipsis where it must be; '' when not even that fits. @param {Context} c @param {string} text @param {number} room */
export function fitted(c, text, room) {
  if (c.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (c.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}

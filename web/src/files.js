/** Files come in by the button, by dropping and by pasting. */
import { byId } from './dom.js';

/** @param {import('./actions.js').Actions} actions */
export function listenForFiles(actions) {
  const input = /** @type {HTMLInputElement} */ (byId('file'));
  const shade = byId('drop');
  let depth = 0;

  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) actions.openFile(file, file.name);
    input.value = '';
  });
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth++;
    shade.classList.add('on');
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) shade.classList.remove('on');
  });
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    depth = 0;
    shade.classList.remove('on');
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    actions.openFile(file, file.name);
  });
  addEventListener('paste', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('input, textarea')) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) actions.openFile(file, file.name);
    else if (text.trim() !== '') openText(actions, text);
  });
  return () => input.click();
}

/** @param {import('./actions.js').Actions} actions @param {string} text */
export function openText(actions, text) {
  const isJson = text.trimStart().startsWith('{');
  actions.openBytes(new TextEncoder().encode(text), isJson ? 'pasted.json' : 'pasted.csv');
}

/** Files come in by the button, by dropping and by pasting. */
import { byId } from '../views/dom.js';

/** @param {import('../state/context.js').Actions} actions */
export function listenForFiles(actions) {
  const input = /** @type {HTMLInputElement} */ (byId('file'));
  const shade = byId('drop');
  let depth = 0;

  input.addEventListener('change', () => {
    openFiles(actions, [...(input.files ?? [])]);
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
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    if (event.altKey && files.length === 1) compareWith(actions, files);
    else openFiles(actions, files);
  });
  addEventListener('paste', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('input, textarea')) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) actions.file.openFile(file, file.name);
    else if (text.trim() !== '') openText(actions, text);
  });
  return () => input.click();
}

/** @param {import('../state/context.js').Actions} actions @param {string} text */
export function openText(actions, text) {
  const isJson = text.trimStart().startsWith('{');
  actions.file.openBytes(new TextEncoder().encode(text), isJson ? 'pasted.json' : 'pasted.csv');
}

/** One file is opened, two are compared, the first with the second; of more one is to choose. @param {import('../state/context.js').Actions} actions @param {readonly File[]} files */
async function openFiles(actions, files) {
  const [first, second] = files;
  if (files.length > 2) actions.file.say(`${files.length} files at once: drop one to open it, or two to compare them.`);
  else if (first && second) {
    await actions.file.openFile(second, second.name);
    await compareWith(actions, [first]);
  } else if (first) await actions.file.openFile(first, first.name);
}

/** Puts a file beside what is open. @param {import('../state/context.js').Actions} actions @param {readonly File[]} files */
export async function compareWith(actions, [file]) {
  if (file) await actions.compare.withFile(new Uint8Array(await file.arrayBuffer()), file.name);
}

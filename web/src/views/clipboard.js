/** @param {string} text @param {import('../state/context.js').Actions} actions */
export async function copyText(text, actions) {
  try {
    await navigator.clipboard.writeText(text);
    actions.file.say('Copied.');
  } catch {
    actions.file.say('The browser does not let this page copy.');
  }
}

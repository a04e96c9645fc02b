// What the page's tests share: the served page in real Chromium, with an eye on its console and its requests.
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { serve } from '../../wasm/cli/serve.js';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** What failed tests left open. @type {Set<() => void>} */
const servers = new Set();

/** @param {import('playwright-core').Browser} browser */
export async function closeAll(browser) {
  await browser.close();
  for (const close of servers) close();
}

/**
 * The page, opened and ready. Console messages and failed loads are kept in `faults`.
 * @param {import('playwright-core').Browser} browser
 * @param {{ width?: number, height?: number, theme?: 'light' | 'dark', url?: string, model?: { bytes: Uint8Array, name: string } | null }} [options]
 */
export async function openPage(browser, { width = 1440, height = 900, theme = 'light', url, model = null } = {}) {
  const server = url === undefined ? await serve({ model }) : null;
  if (server) servers.add(server.close);
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  /** @type {string[]} */
  const requests = [];
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url ?? server?.url ?? '');
  await page.waitForSelector('html[data-ready]');
  return {
    page,
    faults,
    requests,
    close: async () => {
      await context.close();
      server?.close();
    },
  };
}

/**
 * Drops a file on the page, and waits until it is shown or refused.
 * @param {import('playwright-core').Page} page
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export async function drop(page, bytes, name) {
  await page.evaluate(
    ({ base64, name: fileName }) => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], fileName));
      for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    { base64: Buffer.from(bytes).toString('base64'), name },
  );
}

/** Waits for a model of this name. @param {import('playwright-core').Page} page @param {string} name */
export async function shown(page, name) {
  await page.waitForFunction((wanted) => document.getElementById('file-name')?.textContent === wanted, name);
}

/** Waits until the map is drawn as it is to be. @param {import('playwright-core').Page} page */
export async function settled(page) {
  await page.waitForFunction(() => /** @type {any} */ (globalThis).tensorArena.chart.isSettled);
}

/** The numbers of the answer by their labels. @param {import('playwright-core').Page} page @returns {Promise<Record<string, string>>} */
export async function verdict(page) {
  return page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#answer .sum > div')].map((div) => [div.querySelector('dt')?.textContent ?? '', div.querySelector('dd')?.textContent ?? ''])));
}

/** Asks in another way, by the chip. @param {import('playwright-core').Page} page @param {'runtime' | 'planner' | 'kernels' | 'target' | 'alignment' | 'subgraph'} what @param {string} value */
export async function ask(page, what, value) {
  if (await page.isHidden('#question')) await page.click('#chip');
  await page.selectOption(`#${what}`, value);
  await page.keyboard.press('Escape');
}

/** @param {import('playwright-core').Page} page @param {'tensors' | 'peak' | 'steps' | 'problems'} tab */
export async function openTable(page, tab) {
  if ((await page.getAttribute(`#tab-${tab}`, 'aria-expanded')) !== 'true') await page.click(`#tab-${tab}`);
}

/** What is open: the plan without its buffers. @param {import('playwright-core').Page} page */
export async function planHead(page) {
  return page.evaluate(() => {
    const { store } = /** @type {any} */ (globalThis).tensorArena;
    const { facts } = store.state.file;
    return { head: facts.head, whole: facts.plan.whole };
  });
}

/** @param {string[]} args */
export function commandLine(args) {
  try {
    return { status: 0, out: execFileSync('node', ['wasm/cli.js', ...args], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }) };
  } catch (error) {
    const { status, stdout, stderr } = /** @type {{ status: number, stdout: string, stderr: string }} */ (error);
    return { status, out: stdout, error: stderr };
  }
}

/** @param {number} n */
export const grouped = (n) => `${n.toLocaleString('en-US')} B`;

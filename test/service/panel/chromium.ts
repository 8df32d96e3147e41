/** A real browser: the machine's Chromium. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM_PATH, type SkipReason, withoutChromium } from '../../helpers/needs.ts';
import { withoutWhole } from '../../helpers/whole.ts';

/** Its path; empty where there is none. */
export const CHROMIUM = CHROMIUM_PATH ?? '';

/** Why tests start none: one takes tens of seconds of a core, so only .ci/run does. */
export const withoutBrowser: readonly (SkipReason | null)[] = [withoutWhole, withoutChromium];

/** For everything that a test of a browser awaits: a machine with other work is much slower. */
const PATIENCE_MS = 120_000;

export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: PATIENCE_MS,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

export interface Opened {
  readonly page: Page;
  /** Script errors, and violations of the policy. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** A new tab, with the token's cookie or without. */
export async function open(
  browser: Browser,
  url: string,
  path: string,
  { token = '', ...options }: BrowserContextOptions & { token?: string } = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  if (token !== '') await page.goto(`${url}/panel?token=${token}`, { waitUntil: 'domcontentloaded' });
  await page.goto(`${url}${path}`, { waitUntil: 'domcontentloaded' });
  if (options.javaScriptEnabled !== false) await page.locator('#live', { hasText: /^live$/ }).waitFor();
  return { page, complaints, close: () => context.close() };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations that axe finds, each with its element. */
export async function breaches(page: Page): Promise<string[]> {
  // By the debugger: the page's policy blocks foreign scripts.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Judge };
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
      rules: { 'label-content-name-mismatch': { enabled: true } },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary.split('\n')[1] ?? ''}`),
    );
  });
}

interface Judge {
  run(options: object): Promise<{ violations: readonly Breach[] }>;
}
interface Breach {
  readonly id: string;
  readonly nodes: readonly { readonly target: string; readonly failureSummary: string }[];
}

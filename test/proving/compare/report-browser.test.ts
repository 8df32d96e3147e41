/** The page of a comparison in a real browser: on a desk and on a telephone, light and dark, by keyboard and on paper, and nothing is loaded or run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparisonHtml } from '../../../src/proving/compare/html-report.ts';
import { unless } from '../../helpers/unless.ts';
import { breaches, launch, withoutBrowser } from '../../service/panel/chromium.ts';
import { recordedResult, SIDES, serviceResult } from './reported.ts';

const PAGES = [
  ['service', 1440, 'light'],
  ['service', 390, 'dark'],
  ['recorded', 1440, 'dark'],
  ['recorded', 390, 'light'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'muster-compare-'));
/** A folder for pictures of the pages, to look at them. */
const PICTURES = process.env['PICTURES'];
let browser: Browser;

unless(...withoutBrowser).describe('the page of a comparison', () => {
  beforeAll(async () => {
    const service = serviceResult();
    const [first] = service.groups;
    const about = {
      recordings: ['session.har'],
      known: new Set(first === undefined ? [] : [first.key]),
      version: '1.2.3',
    };
    const groups = service.groups.map((one) => ({ ...one, isKnown: one === first }));
    writeFileSync(
      join(folder, 'service.html'),
      comparisonHtml({ ...service, groups }, { ...about, sides: SIDES, isRedacted: true }),
    );
    writeFileSync(
      join(folder, 'recorded.html'),
      comparisonHtml(recordedResult(false), { ...about, sides: null, isRedacted: false }),
    );
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(
    name: string,
    width: number,
    colorScheme: 'light' | 'dark',
    look: (page: Page) => Promise<void>,
  ) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const loaded: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => loaded.push(request.url().split('/').at(-1) ?? ''));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.goto(`file://${join(folder, name)}.html`);
    await look(page);
    await context.close();
    expect([loaded, complaints]).toEqual([[`${name}.html`], []]);
  }

  test.each(PAGES)('breaks no rule of accessibility, and fits: %s, %i pixels, %s', async (name, width, scheme) => {
    await opened(name, width, scheme, async (page) => {
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      expect(await breaches(page)).toEqual([]);
      const sizes = '[document.documentElement.scrollWidth, innerWidth]';
      const [wide, seen] = (await page.evaluate(sizes)) as number[];
      expect(wide).toBe(seen);
      // The policy allows the style, and no script is there.
      expect(await page.evaluate('getComputedStyle(document.querySelector(".verdict")).fontWeight')).toBe('700');
      expect(await page.locator('script').count()).toBe(0);
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `compare-${name}-${width}-${scheme}.png`), fullPage: true });
    });
  });

  test('the first key leads to the result, and the list of contents to each section', async () => {
    await opened('service', 1440, 'light', async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to the result');
      await page.keyboard.press('Enter');
      expect(await page.locator(':focus').getAttribute('id')).toBe('different');
      for (const link of await page.locator('nav a').all()) {
        await link.press('Enter');
        expect(`#${await page.locator(':focus').getAttribute('id')}`).toBe(await link.getAttribute('href'));
      }
    });
  });

  test('paper has what is folded', async () => {
    await opened('service', 1440, 'light', async (page) => {
      const row = page.locator('section[aria-labelledby=same] tbody tr').first();
      expect(await row.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await row.evaluate((one) => (one as unknown as { clientHeight: number }).clientHeight)).toBeGreaterThan(0);
    });
  });
});

/** The guide and the API reference in a real browser: accessible and not too wide at two widths, with a search, tabs and a theme. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GUIDE, START_PAGE } from '../../../src/service/api/guide/contents.ts';
import { unless } from '../../helpers/unless.ts';
import { ApiHarness } from '../api/harness.ts';
import { breaches, launch, withoutBrowser } from './chromium.ts';

const PAGES = GUIDE.flatMap(({ pages }) => pages.map((name) => `/guide/${name === START_PAGE ? '' : `${name}.html`}`));

unless(...withoutBrowser).describe('the guide in a browser', () => {
  let browser: Browser;
  let harness: ApiHarness;
  const complaints: string[] = [];
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launch(), ApiHarness.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.stop();
  });

  async function opened(path: string, width = 1440, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${harness.url}${path}`, { waitUntil: 'load' });
    return page;
  }

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    'no page is wider than %i pixels, in %s, or complains of anything',
    async (width, colorScheme) => {
      const page = await opened('/guide/', width, colorScheme);
      for (const path of [...PAGES, '/docs']) {
        await page.goto(`${harness.url}${path}`, { waitUntil: 'load' });
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([path, over]).toEqual([path, 0]);
      }
      expect(complaints).toEqual([]);
    },
    120_000,
  );

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    'pages of each kind keep the rules of accessibility at %i pixels, in %s',
    async (width, colorScheme) => {
      const page = await opened('/guide/', width, colorScheme);
      for (const path of [
        '/guide/',
        '/guide/quick-start-receiver.html',
        '/guide/actions.html',
        '/guide/events.html',
        '/docs',
      ]) {
        await page.goto(`${harness.url}${path}`, { waitUntil: 'load' });
        expect([path, await breaches(page)]).toEqual([path, []]);
      }
    },
    120_000,
  );

  test('the search finds a section by its words, by keyboard alone', async () => {
    const page = await opened('/guide/');
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secret');
    await page.locator('#results li[role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/webhooks.html#rotate-the-secret');
    await page.keyboard.press('/');
    await page.keyboard.type('no such words at all');
    await page.locator('#results .none').waitFor();
  });

  test('blocks for two shells are tabs, and a choice holds on the next page', async () => {
    const page = await opened('/guide/quick-start-receiver.html');
    await page.getByRole('tab', { name: 'PowerShell' }).first().click();
    expect(await page.locator('.tab[data-shell=sh]:visible').count()).toBe(0);
    await page.goto(`${harness.url}/guide/own-watches.html`);
    expect(await page.locator('.tab[data-shell=powershell]:visible').count()).toBe(1);
  });

  test('the theme changes, and stays on the next page', async () => {
    const page = await opened('/guide/');
    const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const before = await colour();
    await page.locator('#theme').click();
    const after = await colour();
    expect(after).not.toBe(before);
    await page.goto(`${harness.url}/guide/webhooks.html`);
    expect(await colour()).toBe(after);
  });

  test('the reference finds an operation by its path and a schema by its field', async () => {
    const page = await opened('/docs');
    const shown = () => page.locator('nav.wide a[data-find]:visible').allInnerTexts();
    await page.keyboard.press('/');
    await page.keyboard.type('rotate');
    expect((await shown()).join(' ')).toContain('/v1/webhooks/{id}/rotate-secret');
    await page.locator('input.find:visible').fill('battery_pct');
    expect(await shown()).toContain('LowBatteryDetails');
    await page.locator('input.find:visible').fill('muster.ended');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs#event-muster.ended');
  });
});

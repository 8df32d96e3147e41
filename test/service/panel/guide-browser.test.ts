/** The guide and the API reference in a real browser: accessible and not too wide at two widths, with a search, tabs and a theme. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GUIDE, START_PAGE } from '../../../src/service/api/guide/contents.ts';
import { unless } from '../../helpers/unless.ts';
import { ApiHarness } from '../api/harness.ts';
import { breaches, launch, withoutBrowser } from './chromium.ts';

const PAGES = GUIDE.flatMap(({ pages }) => pages.map((name) => `/guide/${name === START_PAGE ? '' : `${name}.html`}`));

/** One page of each kind. */
const REFERENCE = [
  ...['/docs', '/docs/listAlerts', '/docs/performAction', '/docs/schemas', '/docs/schemas/Alert', '/docs/events'],
  ...['/docs/problems', '/problems/not-found'],
];

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
      for (const path of [...PAGES, ...REFERENCE]) {
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
        ...REFERENCE,
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

  test('the theme changes, and stays on the next page of the guide, the reference and the problems', async () => {
    const page = await opened('/guide/');
    const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    for (const [from, to, theme] of [
      ['/guide/', '/guide/webhooks.html', 'Dark'],
      ['/docs', '/problems/not-found', 'Light'],
      ['/docs/events', '/docs', 'Dark'],
      ['/guide/', '/docs', ''],
    ] as const) {
      await page.goto(harness.url + from);
      const before = await colour();
      await page.locator('#theme').selectOption(theme);
      const after = await colour();
      expect(after).not.toBe(before);
      await page.goto(harness.url + to);
      expect(await colour()).toBe(after);
    }
  });

  test('the reference finds operations, schemas by a field, and events, from any page and by keyboard alone', async () => {
    const page = await opened('/docs/schemas/Alert');
    const results = page.locator('#results li[role=option]');
    await page.keyboard.press('/');
    for (const [query, found, to] of [
      ['rotate', 'POST /v1/webhooks/{id}/rotate-secret', 'rotateWebhookSecret'],
      ['battery_pct', 'LowBatteryDetails', 'schemas/LowBatteryDetails'],
      ['muster.ended', 'muster.ended', 'events#event-muster.ended'],
      ['invalid_transition', 'invalid_transition', '../problems/invalid-transition'],
    ] as const) {
      await page.locator('#search').fill(query);
      await results.filter({ hasText: found }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(new URL(to, `${harness.url}/docs/`).href);
      await page.keyboard.press('/');
    }
  });

  test('an anchor of the former single page leads to the page that has its content, and without a script to an entry', async () => {
    const page = await opened('/docs#schema-Alert');
    await page.waitForURL(`${harness.url}/docs/schemas/Alert`);
    await page.goto(`${harness.url}/docs#first-steps`);
    expect(page.url()).toBe(`${harness.url}/docs#first-steps`);
    await page.evaluate('location.hash = "listAlerts"');
    await page.waitForURL(`${harness.url}/docs/listAlerts`);
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${harness.url}/docs#schema-Alert`);
    expect(await plain.locator('.search').isVisible()).toBe(false);
    await plain.locator(':target a').click();
    await plain.waitForURL(`${harness.url}/docs/schemas/Alert`);
    await plain.context().close();
  });
});

/** The report in a browser and printed: under its policy, light and dark, narrow and wide, on A4. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { REPORT_POLICY, reportPage } from '../../../../src/service/panel/after-action/page.ts';
import { unless } from '../../../helpers/unless.ts';
import { breaches, launch, withoutBrowser } from '../chromium.ts';
import { reportOf, scenario } from './scenario.ts';

const ended = reportOf(scenario());
const [first] = ended.people ?? [];
const PAGES: Record<string, string> = {
  '/active': reportPage(reportOf(scenario(33))),
  '/ended': reportPage(ended),
  '/large': reportPage({
    ...ended,
    people: Array.from({ length: 300 }, (_, place) => ({
      ...(first as NonNullable<typeof first>),
      worker: { id: String(place), externalId: `E-${place}`, name: `Ana María Ruiz ${place}`, contractor: 'Norte SL' },
    })),
  }),
};

let browser: Browser;
let server: Server;
const complaints: string[] = [];

async function look<T>(path: string, options: BrowserContextOptions, see: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return await see(page);
  } finally {
    await context.close();
  }
}

/** What the eye meets first: paper and ink. */
const colours = (page: Page) =>
  page.evaluate<string[]>(
    '(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))',
  );

const LIGHT = ['rgb(255, 255, 255)', 'rgb(29, 36, 48)'];

unless(...withoutBrowser).describe('the report in a browser', () => {
  beforeAll(async () => {
    server = createServer(({ url = '' }, answer) => {
      answer.setHeader('content-type', 'text/html; charset=utf-8');
      answer.setHeader('content-security-policy', REPORT_POLICY);
      answer.end(PAGES[url] ?? '');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    browser = await launch();
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  test.each(['light', 'dark'] as const)('breaks no rule of accessibility, %s', async (colorScheme) => {
    for (const path of ['/active', '/ended'])
      for (const width of [390, 1280]) {
        const found = await look(path, { colorScheme, viewport: { width, height: 800 } }, breaches);
        expect([path, width, found]).toEqual([path, width, []]);
      }
  });

  test.each([390, 1280])('is no wider than a window of %i', async (width) => {
    const wide = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await look('/large', { viewport: { width, height: 800 } }, wide)).toBe(width);
  });

  test('cuts nothing on the right of a phone: each row is a list, and the curve fits', async () => {
    await look('/active', { viewport: { width: 390, height: 800 } }, async (page) => {
      const beyond = await page.evaluate<string[]>(
        '[...document.querySelectorAll("td,caption,svg,.legend li,h1,dd")].filter((one) => one.getBoundingClientRect().right > 390).map((one) => one.textContent)',
      );
      expect(beyond).toEqual([]);
    });
  });

  test('follows the theme on a screen, and is always light on paper', async () => {
    await look('/ended', { colorScheme: 'dark' }, async (page) => {
      expect(await colours(page)).not.toEqual(LIGHT);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await colours(page)).toEqual(LIGHT);
      expect(await page.locator('nav').isVisible()).toBe(false);
      expect(await page.locator('.sign').isVisible()).toBe(true);
    });
  });

  test('prints on A4, with the head of a long table on each of its pages', async () => {
    await look('/large', {}, async (page) => {
      const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const boxes = [...paper.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
        ...[Math.round(Number(width)), Math.round(Number(height))],
      ]);
      expect(boxes.length).toBeGreaterThan(4);
      expect(new Set(boxes.map(String))).toEqual(new Set(['595,842']));
      await page.emulateMedia({ media: 'print' });
      const display = await page.evaluate<string[]>(
        '[...document.querySelectorAll("thead")].map((one) => getComputedStyle(one).display)',
      );
      expect(new Set(display)).toEqual(new Set(['table-header-group']));
    });
  });
});

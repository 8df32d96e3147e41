/** The report of a drill in a real browser: one layout and two, on a desk and on a telephone, light and dark, and nothing is loaded or run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { figuresOf } from '../../../src/proving/drill/figures.ts';
import { drillHtml } from '../../../src/proving/drill/html-report.ts';
import { TEXTS, type Texts } from '../../helpers/drawn-texts.ts';
import { unless } from '../../helpers/unless.ts';
import { breaches, launch, withoutBrowser } from '../../service/panel/chromium.ts';
import { layoutFrom, played, SETTING, WORKS } from './layouts.ts';

const PAGES = [
  ['one', 1280, 'light'],
  ['one', 1280, 'dark'],
  ['one', 390, 'light'],
  ['two', 1280, 'light'],
  ['two', 390, 'dark'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'muster-drill-'));
/** A folder for pictures of the pages, to look at them. */
const PICTURES = process.env['PICTURES'];
let browser: Browser;

unless(...withoutBrowser).describe('the report of a drill', () => {
  beforeAll(async () => {
    const crowd = 'crowd:\n  pack: {in: Hall, count: 120}\n  few: {in: Yard, count: 30}\n';
    const wider = WORKS.replace('[[40, 0, 0.9]]', '[[40, 0, 0.9], [80, 25, 3]]').replace('Old works', 'Wide <works>');
    const [one, other] = await Promise.all(
      [WORKS, wider].map(async (text) => {
        const layout = layoutFrom(`${text}${crowd}`);
        const setting = { ...SETTING, afterMs: 5_000, excluded: ['Hill'] };
        return figuresOf(layout, setting, await played(layout, 5, setting));
      }),
    );
    const about = { seed: '1', runsRequested: 5, version: '1.2.3' };
    writeFileSync(join(folder, 'one.html'), drillHtml({ ...about, layouts: [one!] }));
    writeFileSync(join(folder, 'two.html'), drillHtml({ ...about, layouts: [one!, other!] }));
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
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      javaScriptEnabled: true,
    });
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url().split('/').at(-1) ?? ''));
    await page.goto(`file://${join(folder, name)}.html`);
    await look(page);
    await context.close();
    expect(loaded).toEqual([`${name}.html`]);
  }

  test.each(PAGES)('breaks no rule of accessibility, and fits: %s, %i pixels, %s', async (name, width, scheme) => {
    await opened(name, width, scheme, async (page) => {
      expect(await breaches(page)).toEqual([]);
      const [wide, seen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
      expect(wide).toBe(seen);
      expect(await page.locator('script').count()).toBe(0);
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `drill-${name}-${width}-${scheme}.png`), fullPage: true });
    });
  });

  test.each(
    PAGES,
  )('has drawings whose texts can be read and do not overlap: %s, %i pixels, %s', async (name, width, scheme) => {
    await opened(name, width, scheme, async (page) => {
      expect((await page.evaluate(TEXTS)) as Texts).toEqual({ overlaps: [], tiny: [], pale: [] });
    });
  });

  test('shows the queue at the door on the plan, and the curve with its band', async () => {
    await opened('one', 1280, 'light', async (page) => {
      expect(await page.locator('svg.plant circle.queue title').first().textContent()).toMatch(
        /^Hall, door at 40, 0: longest \d+/,
      );
      expect(await page.locator('svg.plant .heat rect').count()).toBeGreaterThan(0);
      expect(await page.locator('svg.plant polygon.excluded title').textContent()).toContain('Hill');
      expect(await page.locator('.if-wide path.band-0').isVisible()).toBe(true);
      expect(await page.locator('table', { hasText: 'injured' }).first().isVisible()).toBe(true);
    });
  });

  test('puts two plans on one scale and both curves in one picture, and escapes what a file names', async () => {
    await opened('two', 1280, 'light', async (page) => {
      const boxes = await page
        .locator('svg.plant')
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { getAttribute(name: string): string }).getAttribute('viewBox')),
        );
      expect(boxes).toHaveLength(2);
      expect(boxes[0]).toBe(boxes[1]);
      const [left, right] = [
        await page.locator('svg.plant').first().boundingBox(),
        await page.locator('svg.plant').last().boundingBox(),
      ];
      expect(left?.y).toBe(right?.y);
      expect(await page.locator('.if-wide path.line-0, .if-wide path.line-1').count()).toBe(2);
      expect(await page.locator('h2', { hasText: 'B: Wide <works>' }).count()).toBe(1);
    });
  });
});

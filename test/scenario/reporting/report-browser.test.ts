/** A failing run's report in a real browser: it opens at the failure, and can be read on a desk and on a telephone, light and dark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { Witness } from '../../../src/scenario/reporting/witness.ts';
import { TEXTS, type Texts } from '../../helpers/drawn-texts.ts';
import { breaches, hasChromium, launch } from '../../panel/chromium.ts';

const SCENARIO = `
scenario: Evacuation of a harbour with people who cannot leave
seed: 7
site:
  name: Terminal
  origin: [43.361, -8.412]
  zones:
    Dock 1: {type: work_area, box: [0, 0, 100, 80]}
    Dock 2: {type: work_area, box: [120, 0, 220, 80]}
    Boiler house: {type: forbidden, box: [60, 90, 90, 110]}
    Gate A: {type: assembly_point, box: [-60, 0, -30, 30], serves: [general]}
    Gate B: {type: assembly_point, box: [-60, 34, -30, 60], serves: [tsunami]}
workers:
  ana: {in: Dock 1}
  luis: {in: Dock 1}
  eva: {in: Dock 2}
  marta: {at: [20, 20]}
  jon: {at: [24, 22]}
  iker: {at: [26, 24]}
  quiet: {at: [150, 40]}
  bare: {at: [155, 42], worn: off}
receivers: {erp: {events: [alert.*, muster.*]}, down: {events: [alert.*]}}
steps:
  - mark: The receiver is down
  - receiver: {name: down, does: 503}
  - sos: {who: eva}
    after: 20s
  - expect: {alert: sos, of: eva, severity: low}
    within: 10s
  - start_muster: {kind: general, by: Shift lead}
    as: m
    after: 10s
  - move: {who: [ana, luis], to: Gate A}
  - move: {who: marta, to: Gate B}
  - cannot_evacuate: {who: eva, reason: trapped}
  - cannot_evacuate: {who: jon, reason: injured}
  - cannot_evacuate: {who: iker, reason: helping}
  - signal: {who: quiet, is: lost}
  - wait: 4m
  - check: {muster: $m, totals: {safe: 8}}
`;

const PAGES = [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'muster-page-'));
const file = join(folder, 'report.html');
/** A folder for pictures of the page, to look at them. */
const PICTURES = process.env['PICTURES'];
let browser: Browser;

describe.skipIf(!hasChromium)('the report of a failing run', () => {
  beforeAll(async () => {
    const witness = new Witness();
    const result = await runFile('page.scenario.yaml', {
      mode: 'fast' as const,
      boot: bootStage,
      sink: () => {},
      witness,
      read: (path) => (path === 'page.scenario.yaml' ? SCENARIO : undefined),
    });
    writeFileSync(file, htmlReport(witness.report(result, '1.2.3', 'sandbox run page.scenario.yaml --seed 7')));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(
    width: number,
    colorScheme: 'light' | 'dark',
    look: (page: Page) => Promise<void>,
    hash = '',
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`file://${file}${hash}`);
    await page.locator('body.live').waitFor();
    await look(page);
    await context.close();
    expect(complaints).toEqual([]);
  }

  test.each(PAGES)('breaks no rule of accessibility, contrast among them: %i pixels, %s', async (width, scheme) => {
    await opened(width, scheme, async (page) => {
      expect(await breaches(page)).toEqual([]);
      const [wide, seen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
      expect(wide).toBe(seen);
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `report-${width}-${scheme}.png`), fullPage: true });
    });
  });

  test.each(PAGES)('has drawings whose texts can be read and do not overlap: %i pixels, %s', async (width, scheme) => {
    await opened(width, scheme, async (page) => {
      for (const share of [1, 0.3, 0.55]) {
        await slideTo(page, share);
        const { overlaps, tiny, pale } = (await page.evaluate(TEXTS)) as Texts;
        expect({ share, overlaps, tiny, pale }).toEqual({ share, overlaps: [], tiny: [], pale: [] });
      }
    });
  });

  test('opens at the first failure, from where links lead to the next and to the step', async () => {
    await opened(1280, 'light', async (page) => {
      const top = () => page.evaluate('document.activeElement.getBoundingClientRect().top');
      expect(await page.evaluate('document.activeElement.id')).toBe('failure-1');
      expect(await top()).toBeGreaterThanOrEqual(0);
      expect(await top()).toBeLessThan(200);
      await page.locator('#failure-1 a', { hasText: 'next failure' }).click();
      expect(await page.evaluate('location.hash')).toBe('#failure-2');
      await page.locator('#failure-1 summary').first().click();
      expect(await page.locator('#failure-1 details pre').first().isVisible()).toBe(true);
    });
    await opened(
      390,
      'dark',
      async (page) => {
        // An address with a fragment wins.
        expect(await page.evaluate('document.activeElement.id')).not.toBe('failure-1');
      },
      '#line-24',
    );
  });

  test('moves people through time, each with the shape of how they stood then', async () => {
    await opened(1280, 'light', async (page) => {
      const shapes = () =>
        page
          .locator('.plant .person use')
          .evaluateAll((all) =>
            all.map((one) => (one as unknown as { getAttribute(name: string): string | null }).getAttribute('href')),
          );
      const end = await shapes();
      expect(end).toEqual(
        expect.arrayContaining(['#is-trapped', '#is-injured', '#is-helping', '#is-safe', '#is-no_signal']),
      );
      await slideTo(page, 0);
      expect(new Set(await shapes())).toEqual(new Set(['#is-calm']));
    });
  });
});

/** Slider positions: a tenth, half and all of the run. */
const slideTo = (page: Page, share: number): Promise<unknown> =>
  page.evaluate(`(() => {
    const slider = document.querySelector('.time input');
    slider.value = slider.max * ${share};
    slider.dispatchEvent(new Event('input'));
  })()`);

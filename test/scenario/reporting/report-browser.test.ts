/** A failing run's report in a real browser: it opens at the failure, can be stepped through, and can be read on a desk and on a telephone, light and dark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { TEXTS, type Texts } from '../../helpers/drawn-texts.ts';
import { unless } from '../../helpers/unless.ts';
import { breaches, launch, withoutBrowser } from '../../service/panel/chromium.ts';
import { reported } from './reported.ts';

const SCENARIO = `
scenario: Evacuation <img src=x onerror=alert(1)> of a harbour
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
  - mark: The muster
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
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'muster-page-'));
const file = join(folder, 'report.html');
const trueFile = join(folder, 'true.html');
/** A folder for pictures of the page, to look at them. */
const PICTURES = process.env['PICTURES'];
let browser: Browser;

unless(...withoutBrowser).describe('the report of a failing run', () => {
  beforeAll(async () => {
    writeFileSync(file, htmlReport(await reported(SCENARIO)));
    writeFileSync(trueFile, htmlReport(await reported(SCENARIO, { truth: true })));
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
    from = file,
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`file://${from}`)) complaints.push(`request ${request.url()}`);
    });
    await page.goto(`file://${from}${hash}`);
    await page.locator('body.live').waitFor();
    await look(page);
    await context.close();
    expect(complaints).toEqual([]);
  }

  test.each(PAGES)('breaks no rule of accessibility, contrast among them: %i pixels, %s', async (width, scheme) => {
    await opened(width, scheme, async (page) => {
      // With everything open that opens.
      await page.locator('.log details summary').first().click();
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
        // A mark may stand on the name of a zone, as in the panel: it is where the person is.
        const covered = overlaps.filter((pair) => !/^. \/|\/ .$/u.test(pair));
        expect({ share, covered, tiny, pale }).toEqual({ share, covered: [], tiny: [], pale: [] });
      }
    });
  });

  test('opens at the first failure: the check, its values, what happened near it and the plan are in one view', async () => {
    await opened(1440, 'light', async (page) => {
      expect(await page.evaluate('document.activeElement.id')).toBe('failure-1');
      expect(await timeOf(page)).toBe('00:00:30.000');
      const parts = [
        '#failure-1 h3',
        '#failure-1 .gots',
        '#failure-1 .near',
        '#failure-1 .wide:has(.around)',
        '.map svg',
      ];
      for (const part of parts) {
        const box = await page.locator(part).first().boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(100);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
      }
      expect(await page.locator('#failure-1 .gots tbody').innerText()).toMatch(/severity\s+low\s+critical/);
    });
  });

  test.each([
    1440, 390,
  ])('at %i pixels opens with the result, the name of the scenario and the failure in view, whose step is marked', async (width) => {
    await opened(width, 'light', async (page) => {
      for (const part of ['.run .verdict', '#failure-1 h3', '#failure-1 .gots']) {
        const box = await page.locator(part).boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(0);
        expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
      }
      expect(await page.locator('.run').innerText()).toMatch(/^failed Evacuation/);
      const line = /line (\d+):/.exec(await page.locator('#failure-1 h3').innerText())?.[1];
      const marked = page.locator('tr[aria-current]');
      expect(await marked.locator('td').last().innerText()).toBe(line);
      expect(await page.locator('#instant').innerText()).toContain('expect alert sos');
      expect(await marked.innerText()).toMatch(/nearest: severity critical/);
      // A step that begins at the same instant is marked when it is chosen.
      await page.locator('.steps tr.mark button', { hasText: '00:00:30' }).click();
      expect(await marked.innerText()).toContain('The muster');
    });
  });

  test('a click on a failure, on a step or on a happening goes to its instant', async () => {
    await opened(1440, 'light', async (page) => {
      await page.locator('#failure-2 h3 a').click();
      await page.locator('#at', { hasText: '00:04:40.000' }).waitFor();
      expect(await page.evaluate('location.hash')).toBe('#failure-2');
      expect(await page.locator('#failure-2 .gots').isVisible()).toBe(true);
      expect(await page.locator('#failure-1 .gots').isVisible()).toBe(false);
      expect(await page.locator('.banner .totals').innerText()).toMatch(/expected\s+8\s+. safe\s+2\s+25 %/);
      expect(await page.locator('.people [data-title]').innerText()).toBe('6 people are missing');
      const missing = await page.locator('.people tbody tr').allInnerTexts();
      expect(missing).toHaveLength(6);
      expect(missing).toContainEqual(expect.stringMatching(/No signal[\s\S]*quiet[\s\S]*Dock 2/));
      await page.locator('#failure-2 a', { hasText: 'previous failure' }).click();
      await page.locator('#at', { hasText: '00:00:30.000' }).waitFor();
      await page.locator('[data-go=failure-next]').click();
      expect(await timeOf(page)).toBe('00:04:40.000');
      await page.locator('[data-go=failure-before]').click();
      expect(await timeOf(page)).toBe('00:00:30.000');
      await page.locator('.steps button.jump', { hasText: '00:00:40.000' }).first().click();
      expect(await timeOf(page)).toBe('00:00:40.000');
      expect(await page.evaluate('location.hash')).toBe('#t=40.000');
      await page.locator('.around button.jump').first().click();
      expect(await timeOf(page)).toBe('00:00:20.000');
      await page.locator('.around summary').first().click();
      expect(await page.locator('.around pre').first().innerText()).toContain('"type": "alert.created"');
    });
  });

  test('an address with an instant opens there', async () => {
    await opened(390, 'dark', async (page) => expect(await timeOf(page)).toBe('00:01:10.500'), '#t=70.5');
    await opened(
      390,
      'dark',
      async (page) => {
        expect(await page.evaluate('document.activeElement.id')).not.toBe('failure-1');
        expect(await timeOf(page)).toBe('00:00:00.000');
      },
      '#line-24',
    );
  });

  test('moves people through time, each with the sign that the panel has for them', async () => {
    await opened(1440, 'light', async (page) => {
      await slideTo(page, 1);
      const signs = ['rescue', 'wrong_point', 'no_signal'];
      expect(await signsOf(page)).toEqual(expect.arrayContaining(signs));
      const end = await safeDots(page);
      expect(end).not.toBe('');
      await slideTo(page, 0);
      expect(await signsOf(page)).toEqual(['not_worn']);
      expect(await safeDots(page)).toBe('');
      await page.locator('[data-go=play]').click();
      await page.locator('#speed').selectOption('60');
      await page.locator('#at', { hasText: '00:04:40.000' }).waitFor();
      expect(await safeDots(page)).toBe(end);
    });
  });

  test('lists people with their places in words, by person or by place, and as the filter says', async () => {
    await opened(1440, 'light', async (page) => {
      await slideTo(page, 1);
      await page.locator('.views a', { hasText: 'By place' }).click();
      expect(await page.locator('.places h3').allInnerTexts()).toContain('Dock 2');
      await page.locator('.views a', { hasText: 'One by one' }).click();
      await page.locator('[data-filter]').fill('quiet');
      expect(await page.locator('.people tbody tr').count()).toBe(1);
      await page.locator('[data-filter]').fill('');
      expect(await page.locator('.people tbody tr').count()).toBe(6);
      expect(await page.evaluate('location.search')).toBe('');
      await page.locator('.zoom [data-zoom=in]').click();
      await wholeView(page);
    });
  });

  test('filters by worker, alert and receiver', async () => {
    await opened(1440, 'light', async (page) => {
      await slideTo(page, 1);
      const texts = () => page.locator('.log tbody tr').allInnerTexts();
      const all = await texts();
      await page.locator('#filter-worker').selectOption({ label: 'jon' });
      const ofJon = await texts();
      expect(ofJon.length).toBeLessThan(all.length);
      expect(ofJon.every((text) => /of jon|alert\./.test(text))).toBe(true);
      expect(await page.locator('.mark.chosen title').textContent()).toContain('jon');
      await page.locator('#filter-worker').selectOption('');
      expect(await page.locator('.mark.chosen').count()).toBe(0);
      // A link of a person chooses them, and again nobody.
      await page.locator('.people tr', { hasText: 'eva' }).locator('th a').click();
      expect(await page.locator('#filter-worker').inputValue()).toBe('2');
      expect(await page.locator('.mark.chosen title').textContent()).toContain('eva');
      await page.locator('.mark.chosen text').first().click();
      expect(await page.locator('#filter-worker').inputValue()).toBe('');
      await page.locator('.people .what a', { hasText: 'SOS' }).first().click();
      expect(await page.locator('#filter-alert').inputValue()).not.toBe('');
      await page.locator('#filter-alert').selectOption('');
      await page.locator('#filter-receiver').selectOption({ label: 'down' });
      expect((await texts()).every((text) => /down ←/.test(text))).toBe(true);
      await page.locator('#filter-receiver').selectOption('');
      await page.locator('#filter-alert').selectOption({ index: 1 });
      expect((await texts()).some((text) => /alert.created sos of eva/.test(text))).toBe(true);
    });
  });

  test('follows keys: events, steps, failures, the ends, and a list of the keys', async () => {
    await opened(1440, 'light', async (page) => {
      const times = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
        return timeOf(page);
      };
      expect(await times('Home')).toBe('00:00:00.000');
      expect(await times('ArrowRight')).toBe('00:00:20.000');
      expect(await times('ArrowRight', 'ArrowLeft')).toBe('00:00:20.000');
      expect(await times('j')).toBe('00:00:30.000');
      expect(await times('k')).toBe('00:00:20.000');
      expect(await times('n')).toBe('00:04:40.000');
      expect(await page.evaluate('document.activeElement.id')).toBe('failure-2');
      expect(await times('p')).toBe('00:00:30.000');
      // The map has some of the keys while it has the focus.
      await page.locator('.map.large').focus();
      expect(await times('+', 'ArrowRight', '-', '0')).toBe('00:00:30.000');
      expect(await times('End')).toBe('00:04:40.000');
      expect(await page.locator('#instant').innerText()).toMatch(
        /^00:04:40.000: check muster .*; 4 open alerts, 2 of 8 safe$/,
      );
      await page.keyboard.press('?');
      expect(await page.locator('#keys dl').isVisible()).toBe(true);
      await page.locator('#single-keys').uncheck();
      await page.locator('#at').click();
      expect(await times('k')).toBe('00:04:40.000');
    });
  });

  test('shows ground truth as a layer of the map and as a table, under its badge, only where it was asked for', async () => {
    const look = async (page: Page): Promise<void> => {
      await slideTo(page, 1);
      expect(await page.locator('.true-places').getAttribute('d')).toMatch(/^(M-?\d+ -?\d+h0){8}$/);
      await page.locator('.true-table summary').click();
      await page.locator('#truth tbody tr', { hasText: 'quiet' }).waitFor();
      expect(await page.locator('#truth tbody tr').count()).toBe(8);
      expect(await page.locator('.true-key .truth').innerText()).toBe('ground truth');
      expect(await breaches(page)).toEqual([]);
    };
    await opened(1440, 'dark', look, '', trueFile);
    await opened(1440, 'dark', async (page) => {
      for (const part of ['.true-places', '#truth', '.truth']) expect(await page.locator(part).count()).toBe(0);
    });
  });

  test('on paper has the summary, every failure and the steps, without the player', async () => {
    await opened(1440, 'dark', async (page) => {
      await page.emulateMedia({ media: 'print' });
      for (const part of ['#failure-1 .gots', '#failure-2 .gots', '.steps', '.facts', '.map svg', '.people tbody tr'])
        expect(await page.locator(part).first().isVisible()).toBe(true);
      for (const part of ['.player', '.log']) expect(await page.locator(part).isVisible()).toBe(false);
    });
  });

  test('without scripts has the summary, the failures and the steps', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    for (const part of ['#failure-1 .gots', '#failure-2 .gots', '.steps', '.facts', '.map svg', '.people tbody tr'])
      expect(await page.locator(part).first().isVisible()).toBe(true);
    for (const part of ['.player', '.log']) expect(await page.locator(part).isVisible()).toBe(false);
    expect(await page.locator('h1').innerText()).toBe('Evacuation <img src=x onerror=alert(1)> of a harbour');
    await context.close();
  });
});

/** Slider positions: a tenth, half and all of the run. */
const slideTo = (page: Page, share: number): Promise<unknown> =>
  page.evaluate(`(() => {
    const slider = document.getElementById('scrubber');
    slider.value = slider.max * ${share};
    slider.dispatchEvent(new Event('input'));
  })()`);

const timeOf = (page: Page): Promise<string> => page.locator('#at').innerText();

/** The ranks of the marks on the map. */
const signsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.map .mark')].map((mark) => mark.getAttribute('class').split(' ')[1])`);

/** Where the dots of safe people are. */
const safeDots = (page: Page): Promise<string | null> => page.locator('.map .dots.safe').getAttribute('d');

/** Goes back to the view that the map had first, which differs. */
const wholeView = async (page: Page): Promise<void> => {
  const before = await page.locator('.map svg').getAttribute('viewBox');
  await page.locator('.zoom [data-zoom=all]').click();
  const first = await page.locator('.map svg').getAttribute('viewBox');
  expect(first).not.toBe(before);
};

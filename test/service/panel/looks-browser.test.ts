/** How pages look and are used in a real browser: widths, bytes, the keyboard alone, and no script. */
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unless } from '../../helpers/unless.ts';
import { breaches, launch, open, withoutBrowser } from './chromium.ts';
import { Panel } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';
/** A page with its style and script, compressed. */
const MOST_BYTES = 60_000;

let browser: Browser;
let panel: Panel;
let musterId = '';

const PHONE = { viewport: { width: 390, height: 844 } };
const DESK = { viewport: { width: 1440, height: 900 } };

/** The bytes of a page with its style and script, as a browser loads them. */
async function bytesOf(path: string): Promise<number> {
  const cookie = await panel.cookie();
  const text = await panel.text(path, { cookie });
  const assets = [...text.matchAll(/(?:href|src)="(\/panel\/assets\/[^"]+)"/g)].map(([, asset = '']) => asset);
  const parts = [text, ...(await Promise.all(assets.map((asset) => panel.text(asset))))];
  return parts.reduce((sum, part) => sum + gzipSync(part).length, 0);
}

/** Presses Tab until the focus is on such an element; the number of presses. */
async function tabTo(page: Page, selector: string): Promise<number> {
  for (let presses = 1; presses <= 80; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return presses;
  }
  throw new Error(`${selector} is not reached with Tab`);
}

unless(...withoutBrowser).describe('the panel in a late muster', () => {
  beforeAll(async () => {
    [browser, panel] = await Promise.all([launch(), Panel.start({ watches: 660 })]);
    const { muster_id } = await panel.act({
      action: 'start_muster',
      kind: 'tsunami',
      site: SITE,
      by: 'Desk',
      deadline: '1m',
    });
    musterId = String(muster_id);
    await panel.act({ action: 'cannot_evacuate', who: 'W-001', reason: 'trapped' });
    await panel.act({ action: 'sos', who: 'W-002' });
    await panel.act({ action: 'fall', who: 'W-004', answers: 'never' });
    await panel.clock.advance(90_000);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.stop();
  });

  test('at 390 pixels the strip has the whole name of the site, "safe", "rescue" and "Open" in one line of 40 pixels', async () => {
    const { page, close } = await open(browser, panel.url, '/panel', { token: panel.token, ...PHONE });
    const [where, strip] = (await page.evaluate(`['.urgent .where', '.urgent'].map((one) => {
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.querySelector(one);
      return { cut: scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1, height: clientHeight };
    })`)) as { cut: boolean; height: number }[];
    expect([where?.cut, strip?.cut, (strip?.height ?? 99) < 40]).toEqual([false, false, true]);
    // As it is seen: without what only a screen reader has.
    const seen = (await page.evaluate(`(() => {
      const strip = document.querySelector('.urgent').cloneNode(true);
      for (const word of strip.querySelectorAll('.word,.hidden')) word.remove();
      return strip.textContent;
    })()`)) as string;
    expect(seen).toMatch(/LATE \d+:\d\d min\d+\/\d+ safe ▲ 3 rescueOpen/);
    for (const one of ['.urgent .short', '.urgent .way']) {
      const box = await page.locator(one).boundingBox();
      expect(box?.width).toBeGreaterThan(25);
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    // All of the strip is the way there.
    await page.locator('.urgent').click({ position: { x: 20, y: 15 } });
    await page.waitForURL(new RegExp(`/panel/musters/${musterId}$`));
    await close();
  });

  test('at 1440 pixels links, sites and clock are in one row', async () => {
    const { page, close } = await open(browser, panel.url, '/panel', { token: panel.token, ...DESK });
    const rows = (await page.evaluate(
      "[...document.querySelectorAll('header nav a:not(.help), header time')].map((one) => { const { y, height } = one.getBoundingClientRect(); return Math.round((y + height / 2) / 12); })",
    )) as number[];
    expect(Math.max(...rows) - Math.min(...rows)).toBeLessThanOrEqual(1);
    await close();
  });

  test('on a phone all links of the header are in view, and a link leads to the map', async () => {
    const { page, close } = await open(browser, panel.url, `/panel/musters/${musterId}`, {
      token: panel.token,
      ...PHONE,
    });
    const links = (await page.evaluate(
      "[...document.querySelectorAll('header nav a')].filter((one) => one.offsetParent !== null && one.getBoundingClientRect().right > 390).map((one) => one.textContent)",
    )) as string[];
    expect(links).toEqual([]);
    await page.locator('a', { hasText: 'Map and assembly points' }).click();
    await page.waitForFunction("document.querySelector('.map.large').getBoundingClientRect().top < innerHeight");
    await close();
  });

  test('on a phone the buttons of a row are for fingers, its text is whole, and the strip has a margin', async () => {
    const { page, close } = await open(browser, panel.url, `/panel/musters/${musterId}`, {
      token: panel.token,
      ...PHONE,
    });
    const row = page.locator('table.people tr.rescue', { hasText: 'W-004' });
    const buttons = row.locator('.do > form > button, .do summary');
    const [acknowledge, safe] = await Promise.all([0, 1].map((place) => buttons.nth(place).boundingBox()));
    expect(Math.min(acknowledge?.height ?? 0, safe?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect((safe?.y ?? 0) - (acknowledge?.y ?? 0) - (acknowledge?.height ?? 0)).toBeGreaterThanOrEqual(8);
    const what = row.locator('.what');
    expect(await what.textContent()).toMatch(/SOS after a fall, no answer 1 min/);
    const cut = await page.evaluate(
      "(() => { const cell = [...document.querySelectorAll('.what')].find((one) => one.textContent.includes('no answer')); return [cell.scrollWidth - cell.clientWidth, cell.scrollHeight - cell.clientHeight]; })()",
    );
    expect(Math.max(...(cut as number[]))).toBeLessThanOrEqual(1);
    const last = await page.locator('.urgent > :last-child').boundingBox();
    expect((last?.x ?? 390) + (last?.width ?? 0)).toBeLessThanOrEqual(382);
    await close();
  });

  test('at 1440 pixels the names of three sites are whole, and a quiet site is one line', async () => {
    const { page, close } = await open(browser, panel.url, '/panel', { token: panel.token, ...DESK });
    const [cut, high] = (await page.evaluate(
      "[[...document.querySelectorAll('nav .sites a,.quiet a')].filter((one) => one.scrollWidth > one.clientWidth + 1).length, Math.max(...[...document.querySelectorAll('.quiet p')].map((one) => one.clientHeight))]",
    )) as number[];
    expect([cut, (high ?? 99) < 26]).toEqual([0, true]);
    await close();
  });

  test('no page is more than 60,000 bytes, also with a whole list of hundreds of people', async () => {
    const site = panel.siteId(SITE);
    for (const path of [`/panel/musters/${musterId}`, `/panel/sites/${site}`])
      for (const query of ['', '?all=1', '?by=place', '?all=1&sheet=1'])
        expect([path, query, Math.max(MOST_BYTES, await bytesOf(path + query))]).toEqual([path, query, MOST_BYTES]);
  });

  test('everybody is listed without a script, in sheets', async () => {
    const path = `/panel/musters/${musterId}`;
    const { page, close } = await open(browser, panel.url, path, { javaScriptEnabled: false });
    await page.locator('.urgent', { hasText: 'LATE' }).waitFor();
    await page.locator('.banner', { hasText: '3 to rescue' }).waitFor();
    const missing = Number.parseInt((await page.locator('.people h2').textContent()) ?? '', 10);
    const codes = new Set<string>();
    await page.locator('a', { hasText: 'Show all' }).click();
    for (;;) {
      for (const code of await page.locator('.people tbody .code').allTextContents()) codes.add(code);
      const next = page.locator('a', { hasText: 'Show the next' });
      if ((await next.count()) === 0) break;
      await next.click();
    }
    expect(codes.size).toBe(missing);
    await close();
  });

  test('the keyboard alone leads from any page to "Mark safe" in a dozen presses', async () => {
    const { page, complaints, close } = await open(browser, panel.url, '/panel', { token: panel.token, ...DESK });
    expect(await tabTo(page, '.skip')).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/panel/musters/${musterId}#missing$`));
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    // From the top of that page too, the list is one press away.
    await page.goto(`${panel.url}/panel/musters/${musterId}`, { waitUntil: 'domcontentloaded' });
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    expect(await tabTo(page, '.skip[href="#missing"]')).toBe(1);
    await page.keyboard.press('Enter');
    expect(await tabTo(page, '.people tbody tr:first-child summary')).toBeLessThanOrEqual(8);
    await page.keyboard.press('Enter');
    await page.locator('button:focus', { hasText: 'Yes, mark as safe' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#timeline', { hasText: 'Marked' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('after it, who was not safe has what happened beside the name on a phone, and no rule of accessibility is broken', async () => {
    await panel.act({ action: 'end_muster', muster: musterId, outcome: 'completed', by: 'Desk' });
    const [alert] = [...panel.sandbox.engine.world.all('alert')];
    const { page, close } = await open(browser, panel.url, `/panel/musters/${musterId}`, PHONE);
    const cut = (await page.evaluate(
      "[...document.querySelectorAll('.unsafe td:first-child')].filter((one) => one.getBoundingClientRect().left > 60).length",
    )) as number;
    expect(cut).toBe(0);
    for (const path of [`/panel/musters/${musterId}`, `/panel/alerts/${alert?.id}`, '/panel/musters']) {
      await page.goto(panel.url + path, { waitUntil: 'domcontentloaded' });
      expect([path, await breaches(page)]).toEqual([path, []]);
    }
    await close();
  });
});

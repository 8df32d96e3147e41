/** The page of a muster in a real browser: the map first, lists that stay under the reader, questions that move nothing. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unless } from '../../helpers/unless.ts';
import { launch, open, withoutBrowser } from './chromium.ts';
import { Panel } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';

let browser: Browser;
let panel: Panel;
let path = '';

interface SeenRow {
  readonly code: string;
  readonly y: number;
}

interface Column {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** The rows of the missing list with their places in the window. */
const rowsOn = (page: Page): Promise<SeenRow[]> =>
  page.evaluate(
    "[...document.querySelectorAll('.people tbody tr')].map((row) => ({ code: row.querySelector('.code').textContent, y: row.getBoundingClientRect().y }))",
  );

const rowOf = (page: Page, code: string) =>
  page.locator('.people tbody tr', { has: page.locator(`.code >> text=${code}`) });

unless(...withoutBrowser).describe('the page of a muster in a browser', () => {
  beforeAll(async () => {
    [browser, panel] = await Promise.all([launch(), Panel.start({ watches: 24 })]);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.stop();
  });

  /** A muster with somebody to rescue, two who help, and others who have not arrived. */
  async function begin(): Promise<void> {
    const active = panel.sandbox.engine.world.indexes.activeMuster(panel.siteId(SITE));
    if (active !== undefined)
      await panel.act({ action: 'end_muster', outcome: 'cancelled', by: 'Desk', muster: active.id });
    for (const { id, status } of [...panel.sandbox.engine.world.all('alert')])
      if (status !== 'resolved') await panel.act({ action: 'resolve', alert: id, by: 'Desk', via: 'panel' });
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Desk' });
    await panel.act({ action: 'cannot_evacuate', who: 'W-001', reason: 'injured' });
    for (const who of ['W-002', 'W-003']) await panel.act({ action: 'cannot_evacuate', who, reason: 'helping' });
    await count();
    path = `/panel/musters/${muster_id}`;
  }
  const count = () => panel.clock.advance(5_000);
  const codesOn = async (page: Page) => (await rowsOn(page)).map(({ code }) => code);

  test.each([
    'a pointer',
    'a finger',
    'the focus',
  ] as const)('no row of the missing list moves or leaves under %s: who becomes safe stays without a button, who is new waits above', async (what) => {
    await begin();
    const { page, complaints, close } = await open(browser, panel.url, `${path}?filter=!pending`, {
      token: panel.token,
      viewport: { width: 1440, height: 900 },
      hasTouch: true,
    });
    expect((await codesOn(page)).slice(0, 3)).toEqual(['W-001', 'W-002', 'W-003']);
    const box = (await page.locator('.people [data-hold]').boundingBox()) ?? { x: 0, y: 0 };
    // On the place of the second row, which is no link.
    const [x, y] = [box.x + 230, box.y + 95];
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchEnd') =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchStart' ? [{ x, y }] : [] });
    if (what === 'a pointer') await page.mouse.move(x, y);
    else if (what === 'a finger') await touch('touchStart');
    else await page.locator('.people tbody a').first().focus();
    const before = await rowsOn(page);

    // The first becomes safe, the third is to be rescued, and so is somebody who was not in the list.
    await panel.act({ action: 'mark_safe', who: 'W-001', by: 'Desk' });
    await panel.act({ action: 'sos', who: 'W-003' });
    await panel.act({ action: 'cannot_evacuate', who: 'W-005', reason: 'trapped' });
    await count();
    await page.locator('.people tbody tr.safe', { hasText: 'W-001' }).waitFor();
    await page.locator('.people tbody tr.rescue', { hasText: 'W-003' }).waitFor();
    await page.locator('[data-fresh]', { hasText: '1 new person' }).waitFor();
    expect(await rowsOn(page)).toEqual(before);
    expect(await rowOf(page, 'W-001').getByText('Mark safe').count()).toBe(0);
    expect(await rowOf(page, 'W-003').locator('summary', { hasText: 'Mark safe' }).count()).toBe(1);

    if (what === 'a pointer') await page.mouse.move(5, 5);
    else if (what === 'a finger') await touch('touchEnd');
    else await page.locator('.people input[type=search]').focus();
    await rowOf(page, 'W-001').waitFor({ state: 'detached' });
    const [one, two, three] = await codesOn(page);
    expect([new Set([one, two]), three]).toEqual([new Set(['W-003', 'W-005']), 'W-002']);
    expect(await page.locator('[data-fresh]').textContent()).toBe('');
    expect(complaints).toEqual([]);
    await close();
  });

  test('people who wait are shown at once on request, and a filter applies under the pointer', async () => {
    await begin();
    const { page, close } = await open(browser, panel.url, `${path}?filter=!pending`, { token: panel.token });
    await page.locator('.people tbody tr').first().hover();
    await panel.act({ action: 'cannot_evacuate', who: 'W-006', reason: 'trapped' });
    await count();
    await page.locator('[data-fresh]', { hasText: '1 new person' }).waitFor();
    expect(await rowOf(page, 'W-006').count()).toBe(0);
    await page.locator('[data-show]').focus();
    await page.keyboard.press('Enter');
    await rowOf(page, 'W-006').waitFor();
    expect(await page.evaluate("document.activeElement.closest('tr') !== null")).toBe(true);
    await page.locator('.people input[type=search]').fill('W-002');
    await page.locator('.people h2', { hasText: '1 person is missing' }).waitFor();
    expect(await codesOn(page)).toEqual(['W-002']);
    await close();
  });

  test.each([
    390, 768, 1440, 1920,
  ])('has columns whose heights differ by less than a screen with 58 people missing, at %i pixels', async (width) => {
    if (path === '') await begin();
    const height = width < 1_000 ? 844 : 900;
    const { page, close } = await open(browser, panel.url, path, { token: panel.token, viewport: { width, height } });
    const [plan, list, wide] = (await page.evaluate(`(() => {
        const body = document.querySelector('.people tbody');
        while (body.children.length < 58) body.append(body.lastElementChild.cloneNode(true));
        const [plan, people, curve] = ['.plan', '.watch > .people', '.watch > .curve'].map((one) => document.querySelector(one).getBoundingClientRect());
        return [{ x: plan.x, width: plan.width, height: plan.height }, { x: people.x, width: people.width, height: people.height + curve.height }, document.documentElement.scrollWidth];
      })()`)) as [Column, Column, number];
    expect(Math.abs(plan.height - list.height)).toBeLessThan(height);
    expect(wide).toBeLessThanOrEqual(width);
    if (width < 1_000) expect(plan.x).toBe(list.x);
    else {
      expect(plan.x + plan.width).toBeLessThanOrEqual(list.x);
      expect(plan.width / (plan.width + list.width)).toBeCloseTo(0.6, 1);
    }
    await close();
  });

  test('"Mark safe" asks above the page as "End the muster" does: nothing moves, one question is open, Escape closes it', async () => {
    await begin();
    const { page, complaints, close } = await open(browser, panel.url, path, { token: panel.token });
    const before = await rowsOn(page);
    const openOnes = () =>
      page.evaluate("[...document.querySelectorAll('form:popover-open')].map(({ textContent }) => textContent)");
    await page.locator('.people tbody summary', { hasText: 'Mark safe' }).last().click();
    await page.locator('button:focus', { hasText: 'Yes, mark as safe' }).waitFor();
    expect(await rowsOn(page)).toEqual(before.map((row) => ({ ...row, y: expect.any(Number) })));
    const box = await page.locator('form:popover-open').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    // The question survives the next count.
    await count();
    await expect.poll(openOnes).toEqual([expect.stringContaining('Nobody looks for a worker')]);
    await page.locator('summary', { hasText: 'End the muster' }).click();
    // The other question closes in an event after the press.
    await expect.poll(openOnes).toEqual([expect.stringContaining('Nobody is counted after the end')]);
    await page.locator('form:popover-open select:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('form:popover-open').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  test('the names of full points stand above the dots of people, as the people to rescue do', async () => {
    const { page, close } = await open(browser, panel.url, path);
    const order = await page.evaluate(
      "[...document.querySelector('.map.large svg').children].map((part) => part.getAttribute('class').split(' ')[0])",
    );
    expect(order).toEqual(['ground', 'layer', 'dots', 'dots', 'dots', 'marks']);
    expect(await page.locator('.map.large .labels .assembly_point').count()).toBeGreaterThan(0);
    expect(await page.locator('.map.large .ground .name.assembly_point').count()).toBe(0);
    await close();
  });
});

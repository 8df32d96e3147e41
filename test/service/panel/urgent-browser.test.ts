/** What is urgent, in a real browser: the strip and the home page live, filters apply at once, the clock is set. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { html } from '../../../src/base/text/html.ts';
import type { Alert, Muster } from '../../../src/contract/resources.ts';
import type { StreamSite } from '../../../src/contract/stream.ts';
import { stripView } from '../../../src/watching/regions/strip.ts';
import { STYLE } from '../../../src/watching/regions/style.ts';
import { MUSTERING, QUIET, worldOf } from '../../dashboard/harbour.ts';
import { unless } from '../../helpers/unless.ts';
import { launch, type Opened, open, withoutBrowser } from './chromium.ts';
import { Panel } from './panel.ts';

/** 134 minutes after the deadline. */
const LATE = Date.parse(MUSTERING.musters[0]?.deadline?.at ?? '') + 134.3 * 60_000;

/** Musters and alerts at sites with short and long names, and up to a dozen alerts at others. */
const STRIPS = ['Dock', 'Planta de almacenamiento y regasificación de la Bahía de Algeciras'].flatMap((name) =>
  [0, 1, 12].flatMap((others) => {
    const [site] = MUSTERING.sites as [StreamSite];
    const [muster] = MUSTERING.musters as [Muster];
    const [, sos] = MUSTERING.alerts as [Alert, Alert];
    const sites = [
      { ...site, name },
      ...Array.from({ length: others }, (_, n) => ({ ...site, id: `site ${n}`, name: `Site ${n}` })),
    ];
    const worker = { ...sos.worker, name: 'Maximiliano Fernández de Córdoba y Álvarez de Toledo' };
    const alertAt = (at: StreamSite, type: string) =>
      ({ ...sos, id: `${type} ${at.id}`, type, details: {}, worker, site: { id: at.id, name: at.name } }) as Alert;
    const elsewhere = sites.slice(1).map((at) => alertAt(at, 'sos'));
    const totals = { ...muster.totals, expected: 2_345, safe: 1_999 };
    return [
      ...(['tsunami', 'earthquake'] as const).map((kind) =>
        worldOf({
          ...MUSTERING,
          sites,
          alerts: elsewhere,
          musters: [{ ...muster, kind, totals, site: { id: site.id, name } }],
        }),
      ),
      ...['sos', 'evacuation_help', 'forbidden_zone_entry'].map((type) =>
        worldOf({ ...QUIET, sites, alerts: [alertAt(sites[0] as StreamSite, type), ...elsewhere] }),
      ),
    ];
  }),
);

const PHONE = { viewport: { width: 390, height: 844 } };

unless(...withoutBrowser).describe('what is urgent, in a browser', () => {
  let browser: Browser;
  let panel: Panel;
  const tabs: Opened[] = [];
  const tab = async (path: string, options: Parameters<typeof open>[3] = {}) => {
    const opened = await open(browser, panel.url, path, options);
    tabs.push(opened);
    return opened.page;
  };
  beforeAll(async () => {
    [browser, panel] = await Promise.all([launch(), Panel.start({ watches: 24 })]);
  });
  afterEach(async () => {
    const complaints = tabs.flatMap((one) => one.complaints);
    for (const one of tabs.splice(0)) await one.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.stop();
  });

  test('the home page ranks the sites anew when one becomes urgent, and a strip comes and stays in view', async () => {
    const page = await tab('/panel', PHONE);
    await page.locator('.quiet', { hasText: 'Terminal Puerto Alerce' }).waitFor();
    expect(await page.locator('.urgent').count()).toBe(0);
    // The owner of a quiet site has a line of its own, not the rest of another.
    for (const owner of await page.locator('.quiet .owner').all())
      expect((await owner.boundingBox())?.width).toBeGreaterThan(200);
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-002' });
    await page.locator('.site h2', { hasText: 'Terminal Puerto Alerce' }).waitFor();
    expect(await page.locator('.quiet', { hasText: 'Terminal Puerto Alerce' }).count()).toBe(0);
    await page.locator('nav a .count', { hasText: '1' }).waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const strip = await page.locator('.urgent').boundingBox();
    expect([strip?.y, (strip?.height ?? 99) < 40, strip?.width]).toEqual([0, true, 390]);
    const way = await page.locator('.urgent .way').boundingBox();
    expect((way?.x ?? 999) + (way?.width ?? 0)).toBeLessThanOrEqual(390);
    await page.locator('.urgent .way').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/panel/alerts/${alert_id}$`));
  });

  test('a screen reader hears of another worst emergency once, and of no second and no count', async () => {
    const page = await tab('/panel/calls');
    await page.locator('.urgent', { hasText: 'SOS' }).waitFor();
    expect(await page.locator('#worst').textContent()).toBe('');
    const site = panel.siteId('Astillero Ría Brava');
    const { muster_id } = await panel.act({
      action: 'start_muster',
      kind: 'general',
      site,
      by: 'Desk',
      deadline: '1m',
    });
    const text = /^Urgent: General muster at Astillero Ría Brava, \d+ of \d+ safe\.$/;
    await page.locator('#worst', { hasText: text }).waitFor({ state: 'attached' });
    const announced = await page.locator('#worst').textContent();
    await panel.clock.advance(180_000);
    await page.locator('.urgent .late', { hasText: 'LATE 2:0' }).waitFor();
    expect(await page.locator('#worst').textContent()).toBe(announced);
    await page.locator('nav a', { hasText: 'Musters 1' }).waitFor();
    await panel.act({ action: 'end_muster', muster: muster_id as string, outcome: 'cancelled', by: 'Desk' });
    await page.locator('#worst', { hasText: 'Urgent: SOS' }).waitFor({ state: 'attached' });
  });

  test('the filter of the alerts applies at once, and stays in the address', async () => {
    const page = await tab('/panel/alerts');
    const rows = page.locator('table.alerts tbody tr');
    expect(await rows.count()).toBeGreaterThan(0);
    expect(await page.locator('form[data-at-once] button').isVisible()).toBe(false);
    await page.locator('select[name=status]').selectOption('resolved');
    await page.locator('main', { hasText: 'No alert fits this filter.' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=resolved');
    await page.locator('select[name=status]').selectOption('');
    await rows.first().waitFor();
  });

  test.each([
    ['/panel/deliveries', 'select[name=type]', 'alert.reopened', '?type=alert.reopened'],
    ['/panel/calls', 'select[name=client]', 'nobody', '?client=nobody'],
  ])('the filter of %s applies at once too', async (path, field, value, search) => {
    const page = await tab(path);
    expect(await page.locator('form[data-at-once] button').isVisible()).toBe(false);
    const fetched = page.waitForResponse((answer) => answer.url().includes(`${search}&part=list`));
    await page.locator(field).selectOption(value);
    await fetched;
    expect(new URL(page.url()).search).toBe(search);
  });

  test('the clock is paused, sped up and advanced from the header by keyboard; advancing asks first', async () => {
    const page = await tab('/panel/calls', { token: panel.token });
    const state = () => panel.sandbox.engine.clock.state();
    const button = (name: string) => page.locator('header').getByRole('button', { name });
    await button('Pause').press('Enter');
    await button('Resume').waitFor();
    expect(state().paused).toBe(true);
    await button('Resume').press('Enter');
    await button('Pause').waitFor();
    await page.locator('header summary', { hasText: '× 1' }).press('Enter');
    await button('× 10').first().press('Enter');
    await page.locator('header summary', { hasText: '× 10' }).waitFor();
    expect(state().speed).toBe(10);
    const before = panel.clock.now();
    await page.locator('header summary', { hasText: 'Advance' }).press('Enter');
    await page.locator('header input[name=advance]:focus').fill('1h');
    await page.locator('header', { hasText: 'Time does not go back.' }).waitFor();
    expect(panel.clock.now()).toBe(before);
    await page.keyboard.press('Enter');
    await expect.poll(() => panel.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
  });

  test('the theme is that of the system until somebody chooses one, which holds on all pages and in the guide', async () => {
    const page = await tab('/panel', { colorScheme: 'dark' });
    const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await colour();
    await page.locator('#theme').selectOption('Light');
    const light = await colour();
    expect(light).not.toBe(dark);
    await page.goto(`${panel.url}/panel/alerts`);
    expect([await colour(), await page.locator('#theme').inputValue()]).toEqual([light, 'Light']);
    await page.goto(`${panel.url}/guide/`);
    expect(await page.locator('#theme').inputValue()).toBe('Light');
    await page.goto(`${panel.url}/panel`);
    await page.locator('#theme').selectOption('');
    expect(await colour()).toBe(dark);
  });

  test.each([
    320, 360, 390, 577, 768, 801, 1440,
  ])('at %i pixels all of the strip is in view in one line, whatever the names and the figures', async (width) => {
    const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
    const strips = STRIPS.map(
      (world) => html`<div class="strip">${stripView({ world, now: LATE }, { here: 'panel/calls' })}</div>`.text,
    );
    await page.setContent(`<style>${STYLE}</style>${strips.join('')}`);
    const beyond = (await page.evaluate(`[...document.querySelectorAll('.urgent')].flatMap((strip) => {
      const { top, bottom, right } = strip.getBoundingClientRect();
      const isOut = (one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && one.closest('.word,.hidden,.where *') === null && (box.right > right + 0.5 || box.top < top - 0.5 || box.bottom > bottom + 0.5);
      };
      return strip.scrollWidth > strip.clientWidth || strip.clientHeight > 40 || [...strip.querySelectorAll('*')].some(isOut) ? strip.textContent : [];
    })`)) as string[];
    expect(beyond).toEqual([]);
    await page.context().close();
  });

  test('a mark of the map stays the same element while others come and go', async () => {
    const page = await tab(`/panel/sites/${panel.siteId('Terminal Puerto Alerce')}`);
    const mark = (code: string) => `.map .mark[href$="${panel.workerId(code)}"]`;
    await page.locator(mark('W-002')).waitFor();
    await page.evaluate(`window.kept = document.querySelector('${mark('W-002')}')`);
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-001' });
    await page.locator(mark('W-001')).waitFor();
    await panel.act({ action: 'resolve', alert: alert_id as string, by: 'Desk', reason: 'Test' });
    await page.locator(mark('W-001')).waitFor({ state: 'detached' });
    expect(await page.evaluate(`window.kept === document.querySelector('${mark('W-002')}')`)).toBe(true);
  });
});

/** The panel in a real browser: live, by keyboard, at two widths, light and dark. */
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StreamSnapshot } from '../../../src/contract/stream.ts';
import { unless } from '../../helpers/unless.ts';
import { watchOption } from '../../helpers/whole.ts';
import { breaches, launch, type Opened, open, withoutBrowser } from './chromium.ts';
import { Panel } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';
/** Set it to keep screenshots of all pages. */
const PICTURES = process.env['PICTURES'];

let browser: Browser;
let panel: Panel;
const tabs: Opened[] = [];

const tab = async (path: string, options: Parameters<typeof open>[3] = {}): Promise<Opened> => {
  const opened = await open(browser, panel.url, path, options);
  tabs.push(opened);
  return opened;
};
let loaded: Promise<readonly string[]> | null = null;

/** One page of each kind, with content. */
function paths(): Promise<readonly string[]> {
  loaded ??= (async () => {
    await panel.post('/panel/inbox', { what: 'open' }, { cookie: await panel.cookie() });
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-001' });
    const { muster_id } = await panel.act({ action: 'start_muster', kind: 'general', site: SITE, by: 'Shift lead' });
    await panel.act({ action: 'cannot_evacuate', who: 'W-006', reason: 'injured' });
    await panel.clock.advance(10_000);
    await panel.get('/v1/alerts', { authorization: 'Bearer nonsense' });
    const [attempt] = await panel.sandbox.store.attempts({ limit: 1 });
    return [
      ...['/', '/panel', '/panel/alerts', '/panel/musters', '/panel/enter', `/panel/sites/${panel.siteId(SITE)}`],
      ...['/panel/deliveries', `/panel/deliveries/${attempt?.eventId}`, '/panel/calls'],
      ...[`/panel/musters/${muster_id}`, `/panel/alerts/${alert_id}`, `/panel/people/${panel.workerId('W-001')}`],
    ];
  })();
  return loaded;
}

const acting = (path: string): Promise<Opened> => tab(path, { token: panel.token });

unless(...withoutBrowser).describe('the panel in a browser', () => {
  beforeAll(async () => {
    [browser, panel] = await Promise.all([launch(), Panel.start(watchOption(66))]);
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

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('no page of %i pixels breaks a rule of accessibility, %s', async (width, colorScheme) => {
    const { page } = await tab('/panel', { token: panel.token, colorScheme, viewport: { width, height: 900 } });
    for (const path of ['/docs', ...(await paths())]) {
      await page.goto(`${panel.url}${path}`, { waitUntil: 'domcontentloaded' });
      expect([path, await breaches(page)]).toEqual([path, []]);
    }
  });

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('no page is wider than %i pixels, in %s', async (width, colorScheme) => {
    const { page } = await tab('/panel', { token: panel.token, colorScheme, viewport: { width, height: 900 } });
    for (const path of await paths()) {
      await page.goto(`${panel.url}${path}`, { waitUntil: 'domcontentloaded' });
      const [wide, seen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
        number,
        number,
      ];
      expect([path, wide <= seen]).toEqual([path, true]);
      const picture = await page.screenshot({ fullPage: true });
      // An empty page is a few hundred bytes.
      expect([path, picture.length > 10_000]).toEqual([path, true]);
      if (PICTURES !== undefined) {
        const name = path
          .replace(/[0-9a-f]{8}-[0-9a-f-]+/, 'one')
          .replace(/\W+/g, '-')
          .slice(1);
        writeFileSync(join(PICTURES, `${name}-${width}-${colorScheme}.png`), picture);
      }
    }
  });

  test.each([1440, 390])('the header is equally high on all pages of %i pixels', async (width) => {
    const { page } = await tab('/panel', { viewport: { width, height: 900 } });
    // In steps of 4 pixels: a clock and a search differ by less.
    const heights = new Map<string, unknown>();
    for (const path of ['/panel', '/panel/alerts', '/docs', '/docs/listAlerts', '/guide/', '/problems/not-found']) {
      await page.goto(`${panel.url}${path}`, { waitUntil: 'load' });
      heights.set(
        path,
        await page.evaluate('Math.round(document.querySelector(".top").getBoundingClientRect().bottom / 4)'),
      );
    }
    expect([new Set(heights.values()).size, [...heights]]).toEqual([1, [...heights]]);
  });

  test('a new alert comes by itself, is said aloud where it is critical, and is in the tab', async () => {
    const { page } = await tab('/panel');
    await panel.act({ action: 'sos', who: 'W-020' });
    const { name } = panel.worker('W-020');
    await page.locator('section.alerts', { hasText: name }).waitFor();
    await page.locator('#alarm', { hasText: `Critical: SOS: ${name}` }).waitFor({ state: 'attached' });
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Control room|safe · Control room/);
  });

  test('an alert is acknowledged and resolved with the keyboard alone, and its timeline follows', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-021' });
    const { page } = await acting(`/panel/alerts/${alert_id}`);
    const alert = () => panel.sandbox.engine.world.need('alert', alert_id as string);
    await page.getByRole('button', { name: 'Acknowledge' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#said', { hasText: 'Acknowledged.' }).waitFor();
    await page.locator('.timeline', { hasText: 'by Control room' }).waitFor();
    expect(alert()).toMatchObject({ status: 'acknowledged', acknowledged: { by: 'Control room' } });

    await page.locator('summary', { hasText: 'Resolve' }).focus();
    await page.keyboard.press('Space');
    // The first field has the focus.
    await page.locator('input[name=reason]:focus').waitFor();
    await page.keyboard.type('Worker attended');
    await page.keyboard.press('Enter');
    await page.locator('.timeline', { hasText: 'Reason: Worker attended' }).waitFor();
    expect(alert().status).toBe('resolved');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  test('the timeline of a worker follows the watch and the alerts', async () => {
    const { page } = await tab(`/panel/people/${panel.workerId('W-025')}`);
    await panel.act({ action: 'sos', who: 'W-025' });
    await page.locator('#timeline', { hasText: `SOS: ${panel.worker('W-025').name}` }).waitFor();
  });

  test('a question that is open stays so while the page lives, with what was typed in it', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-022' });
    const { page } = await acting('/panel');
    const row = page.locator(`tr[data-key="${alert_id}"]`);
    await row.locator('summary').click();
    await row.locator('input[name=reason]:focus').waitFor();
    await page.keyboard.type('On my w');
    await panel.act({ action: 'sos', who: 'W-023' });
    await page.locator('section.alerts', { hasText: panel.worker('W-023').name }).waitFor();
    await page.keyboard.type('ay');
    expect(await row.locator('input[name=reason]').inputValue()).toBe('On my way');
    await page.keyboard.press('Escape');
    expect(await row.locator('details').getAttribute('open')).toBeNull();
  });

  test('what the state does not allow is said where it was asked, and nothing changes', async () => {
    const { page } = await acting(`/panel/sites/${panel.siteId('Astillero Ría Brava')}`);
    await page.locator('summary', { hasText: 'Start a muster' }).click();
    await page.locator('input[name=deadline]').fill('soon');
    await page.getByRole('button', { name: 'Start the muster' }).click();
    await page.locator('#said.bad', { hasText: 'deadline' }).waitFor();
    expect(panel.sandbox.engine.world.indexes.activeMuster(panel.siteId('Astillero Ría Brava'))).toBeUndefined();
    // Browsers log the 422.
    tabs.at(-1)?.complaints.splice(0);
  });

  test('a muster is started, followed and steered: the page tells what the API tells', async () => {
    const site = panel.siteId('Astillero Ría Brava');
    const { page } = await acting(`/panel/sites/${site}`);
    await page.locator('summary', { hasText: 'Start a muster' }).click();
    await page.locator('input[name=reason]').fill('Drill');
    await page.getByRole('button', { name: 'Start the muster' }).click();
    await page.locator('.banner a').click();
    await page.waitForURL(/musters/);
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    const muster = () => panel.sandbox.engine.world.indexes.activeMuster(site);
    await panel.clock.advance(4 * 60_000);
    const { totals } = muster() ?? { totals: { safe: -1, expected: -1 } };
    await page.locator('.totals .safe dd', { hasText: new RegExp(`^${totals.safe} `) }).waitFor();
    const cells = page.locator('.totals > div:not(.rescue) dd');
    const shown = (await cells.allTextContents()).map((text) => Number.parseInt(text, 10));
    const { expected, pending, not_worn, no_signal, wrong_point, help } = muster()?.totals ?? {};
    expect(shown).toEqual([expected, totals.safe, help, wrong_point, no_signal, not_worn, pending]);
    const missing = (expected ?? 0) - totals.safe;
    await page.locator('.people h2', { hasText: `${missing} ` }).waitFor();
    expect(await page.locator('.people tbody tr').count()).toBe(missing);
    expect((await page.locator('.curve .line').getAttribute('d'))?.length).toBeGreaterThan(20);
    expect(await page.title()).toContain(`${totals.safe}/${expected} safe`);

    await page.locator('summary', { hasText: 'Exclude' }).first().click();
    await page.locator('input[name=reason]:focus').waitFor();
    await page.keyboard.type('Smoke');
    await page.keyboard.press('Enter');
    await page.locator('.points', { hasText: 'excluded: Smoke, by Control room' }).waitFor();
    await page.locator('#timeline', { hasText: 'Excluded' }).waitFor();
    await page.locator('.people tbody tr').first().locator('summary', { hasText: 'Mark safe' }).focus();
    await page.keyboard.press('Enter');
    // The first press asks, and the question has the focus.
    await page.locator('.people button:focus', { hasText: 'Yes, mark as safe' }).waitFor();
    expect(muster()?.timeline.some(({ what }) => what.startsWith('Marked'))).toBe(false);
    await page.keyboard.press('Enter');
    await page.locator('#timeline', { hasText: 'Marked' }).waitFor();
    await page.locator('summary', { hasText: 'End the muster' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.locator('.banner', { hasText: 'completed' }).waitFor();
  });

  test('everybody whose position may be seen is on the map, and it moves and zooms by keys', async () => {
    const site = panel.siteId('Astillero Ría Brava');
    const { page } = await tab(`/panel/sites/${site}`);
    const seen = await fetch(`${panel.url}/v1/sandbox/stream?once=true`, {
      headers: { authorization: `Bearer ${panel.token}` },
    });
    const snapshot = JSON.parse(/data: (.*)/.exec(await seen.text())?.[1] ?? '') as StreamSnapshot;
    const here = new Set(snapshot.workers.filter(({ site_id }) => site_id === site).map(({ id }) => id));
    const located = snapshot.people.filter(
      ({ worker_id, location }) => here.has(worker_id) && location !== null,
    ).length;
    const drawn = await page.evaluate(
      `[[...document.querySelectorAll('.dots')].map((path) => (path.getAttribute('d').match(/m/g) ?? []).length).reduce((a, b) => a + b), [...document.querySelectorAll('.mark')].reduce((sum, mark) => sum + Number(mark.dataset.count), 0)]`,
    );
    const [dots, marked] = drawn as [number, number];
    // People who stand within three pixels are one dot.
    expect(dots).toBeGreaterThan((located - marked) / 2);
    expect(dots).toBeLessThanOrEqual(located - marked);
    const map = page.locator('.map[tabindex]');
    const box = () => map.locator('svg').getAttribute('viewBox');
    /** What the map shows once a key has changed it. */
    const after = async (key: string, before: string | null) => {
      await map.press(key);
      await map.locator(`svg:not([viewBox="${before}"])`).waitFor();
      return box();
    };
    const first = await box();
    const moved = await after('ArrowRight', await after('+', first));
    expect(await after('0', moved)).toBe(first);
  });

  test('the missing list is on the right of the map above the fold, and on a phone right after the counters', async () => {
    const path = (await paths()).find((one) => one.startsWith('/panel/musters/')) ?? '';
    const { page } = await tab(path, { viewport: { width: 1440, height: 900 } });
    const box = async (selector: string) => {
      const found = await page.locator(selector).first().boundingBox();
      if (found === null) throw new Error(`no ${selector}`);
      return found;
    };
    const [row, map] = [await box('table.people tbody tr:nth-child(5)'), await box('.map.large svg')];
    expect(row.y + row.height).toBeLessThan(900);
    expect(map.y + map.height).toBeLessThan(900);
    expect(map.x + map.width).toBeLessThanOrEqual(row.x);
    const zoom = await box('.zoom');
    expect(zoom.y).toBeGreaterThanOrEqual(map.y + map.height);
    await page.setViewportSize({ width: 390, height: 844 });
    const [counters, first, mapBelow] = [await box('.totals'), await box('.people h2'), await box('.map.large svg')];
    // Between them is a line that leads to the map.
    expect(first.y - (counters.y + counters.height)).toBeLessThan(90);
    expect(mapBelow.y).toBeGreaterThan(first.y);
    const sizes = (await page.evaluate(
      "[...document.querySelectorAll('.plot text')].map((one) => getComputedStyle(one).fontSize)",
    )) as string[];
    expect(new Set(sizes)).toEqual(new Set(['12px']));
  });

  test('the list by place lives too: who is injured comes to stand in the open', async () => {
    await paths();
    const { page } = await tab(`/panel/sites/${panel.siteId(SITE)}?by=place`);
    await panel.act({ action: 'cannot_evacuate', who: 'W-027', reason: 'trapped' });
    await panel.clock.advance(10_000);
    await page.locator('.places > li.rescue > ul > li', { hasText: 'W-027' }).waitFor();
    await page.locator('.places p', { hasText: '1 trapped' }).first().waitFor();
  });

  test('the verdict of a scenario comes by itself to the page that plays it', async () => {
    const { page } = await acting('/');
    await page.locator('select[name=scenario]').selectOption('sos-buttons');
    await page.locator('#scenarios input[name=token]').fill(panel.token);
    await page.getByRole('button', { name: 'Play it' }).click();
    await page.locator('.verdict.running').waitFor();
    await panel.clock.advance(20 * 60_000);
    await page.locator('.verdict.passed').waitFor();
  });

  test('the list of all alerts follows, and keeps its filter', async () => {
    const { page } = await tab('/panel/alerts?status=resolved');
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-030' });
    await panel.act({ action: 'resolve', alert: alert_id as string, by: 'Desk 2', via: 'panel' });
    await page.locator(`tr[data-key="${alert_id}"]`, { hasText: 'resolved' }).waitFor();
    expect(await page.locator('select[name=status]').inputValue()).toBe('resolved');
  });

  test('the place of a worker follows them in the rows of alerts, on home and on the list of all alerts', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-031' });
    const place = `[data-whose="${alert_id}"]`;
    const pages = [(await tab('/panel/alerts')).page, (await tab('/panel')).page];
    for (const page of pages) await page.locator(place).waitFor();
    await panel.act({ action: 'move', who: 'W-031', to: 'Cerro Mirador' });
    await panel.clock.advance(15 * 60_000);
    for (const page of pages) await page.locator(place, { hasText: 'Cerro Mirador' }).waitFor();
  });

  test('a delivery comes by itself, and its curl command is copied', async () => {
    await paths();
    const { page } = await acting('/panel/deliveries');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { name } = panel.worker('W-031');
    await panel.act({ action: 'sos', who: 'W-031' });
    await panel.clock.advance(1_000);
    await page.locator('.attempts li', { hasText: `SOS by button ${name}` }).waitFor();
    const shown = page.locator('.shown', { hasText: `SOS: ${name}` });
    await shown.locator('summary', { hasText: 'As curl' }).first().click();
    await shown.getByRole('button', { name: 'Copy as curl' }).first().click();
    await page.locator('#said', { hasText: 'Copied.' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain("curl -i -g 'http://127.0.0.1");
    await shown.getByRole('button', { name: 'Resend' }).first().click();
    await page.locator('#said', { hasText: 'The event is sent again.' }).waitFor();
    await panel.clock.advance(1_000);
    await expect.poll(() => page.locator('.attempts li', { hasText: `SOS by button ${name}` }).count()).toBe(2);
  });

  test('a call of a client comes by itself', async () => {
    const { page } = await tab('/panel/calls?problems=');
    await panel.get('/v1/musters?kindd=general', { authorization: 'Bearer nonsense' });
    await page.locator('.calls li', { hasText: '/v1/musters?kindd=general' }).waitFor();
  });

  test('deliveries are read, filtered and followed without JavaScript', async () => {
    await paths();
    const { page } = await tab('/panel/deliveries', { javaScriptEnabled: false });
    await page.locator('select[name=type]').selectOption('muster.started');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.locator('.attempts a', { hasText: 'general muster' }).first().click();
    await page.locator('h1', { hasText: 'Delivery of muster.started' }).waitFor();
    await page.locator('.shown', { hasText: 'computed again with the secret: the same' }).waitFor();
    await page.locator('.shown summary', { hasText: 'As curl' }).first().click();
    await page.locator('.shown pre', { hasText: '--data-binary' }).first().waitFor();
  });

  test('typing in the filter narrows the list at once', async () => {
    const site = panel.siteId('Fundición Cerro Pardo');
    const everybody = [...panel.sandbox.engine.world.indexes.workersOfSite.of(site).values()];
    const { page } = await tab(`/panel/sites/${site}`);
    const rows = page.locator('.people tbody tr');
    expect(await rows.count()).toBe(everybody.length);
    await page.locator('input[type=search]').fill(everybody[3]?.name ?? '');
    await page.locator('.people h2', { hasText: '1 person' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.locator('input[type=search]').fill(`!${everybody[3]?.name}`);
    await page.locator('.people h2', { hasText: `${everybody.length - 1} people` }).waitFor();
  });

  test('a page whose ticket has ended gets another one by itself', async () => {
    const opened = await tab('/panel');
    let requests = 0;
    await opened.page.route('**/v1/sandbox/stream**', (route) =>
      ++requests === 1 ? route.fulfill({ status: 401, body: '' }) : route.continue(),
    );
    await opened.page.reload({ waitUntil: 'domcontentloaded' });
    await opened.page.locator('#live.broken').waitFor();
    await opened.page.locator('#live', { hasText: /^live$/ }).waitFor();
    expect(requests).toBe(2);
    // The browser logs the 401.
    opened.complaints.splice(0);
  });

  test('a deep link shows its content without JavaScript, and its forms work', async () => {
    const { alert_id } = await panel.act({ action: 'sos', who: 'W-024' });
    const { page } = await tab(`/panel/alerts/${alert_id}`, { token: panel.token, javaScriptEnabled: false });
    await page.locator('h1', { hasText: panel.worker('W-024').name }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.locator('.timeline', { hasText: 'by Control room' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/panel/alerts/${alert_id}`);
  });

  test('a worker is marked safe after a question, also without JavaScript', async () => {
    await paths();
    const muster = () => panel.sandbox.engine.world.indexes.activeMuster(panel.siteId(SITE));
    const isMarked = () => muster()?.timeline.some(({ what }) => what.includes(panel.worker('W-006').name));
    const path = `/panel/people/${panel.workerId('W-006')}`;
    const { page } = await tab(path, { token: panel.token, javaScriptEnabled: false });
    await page.locator('summary', { hasText: 'Mark safe' }).click();
    expect([isMarked(), new URL(page.url()).pathname]).toEqual([false, path]);
    await page.getByRole('button', { name: 'Yes, mark as safe' }).click();
    await page.locator('h1', { hasText: panel.worker('W-006').name }).waitFor();
    expect(isMarked()).toBe(true);
  });
});

unless(...withoutBrowser).describe('a page whose sandbox goes', () => {
  test('says so, and lives again when it is back', async () => {
    const one = await launch();
    const first = await Panel.start({ fleet: false });
    const port = Number(new URL(first.url).port);
    const opened = await open(one, first.url, '/panel');
    await first.stop();
    await opened.page
      .locator('#live.broken', { hasText: /^Connection lost at \d\d:\d\d:\d\d; this is what/ })
      .waitFor();
    const opacity = (): Promise<unknown> =>
      opened.page.evaluate("getComputedStyle(document.querySelector('main')).opacity");
    expect(await opacity()).toBe('0.5');
    const second = await Panel.start({ fleet: false, port });
    try {
      await opened.page.locator('#live', { hasText: /^live$/ }).waitFor();
      expect(await opacity()).toBe('1');
    } finally {
      await one.close();
      await second.stop();
    }
  });
});

/** A proxy at a path, which it removes. What came without the path is kept. */
async function proxyAt(root: string, target: () => string) {
  const strays: string[] = [];
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '';
    // The browser asks for it by itself where a page names no icon.
    if (path === '/favicon.ico') return void answer.writeHead(204).end();
    if (!path.startsWith(root)) {
      strays.push(`${incoming.method} ${path}`);
      return void answer.writeHead(404).end();
    }
    const { hostname, port } = new URL(target());
    const passed = request(
      { hostname, port, method: incoming.method, headers: incoming.headers, path: path.slice(root.length) || '/' },
      (reply) => void reply.pipe(answer.writeHead(reply.statusCode ?? 502, reply.headers)),
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    return void incoming.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, strays, stop };
}

unless(...withoutBrowser).describe('the panel behind a proxy that removes a path', () => {
  let at: Awaited<ReturnType<typeof proxyAt>>;
  let behind: Panel;
  let chromium: Browser;
  beforeAll(async () => {
    at = await proxyAt('/some/path', () => behind.url);
    [chromium, behind] = await Promise.all([launch(), Panel.start({ ...watchOption(12), publicUrl: at.url })]);
  });
  afterAll(async () => {
    await chromium?.close();
    at?.stop();
    await behind?.stop();
  });

  test('is live, acts, and asks for nothing outside of the path, whatever is followed', async () => {
    const { page, complaints, close } = await open(chromium, at.url, '/panel/alerts', { token: behind.token });
    // Drawn by the page itself, from the stream.
    const { alert_id } = await behind.act({ action: 'sos', who: 'W-001' });
    await page.goto(`${at.url}/panel`);
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    const { alert_id: second } = await behind.act({ action: 'sos', who: 'W-002' });
    await page.locator(`main a[href="/some/path/panel/alerts/${second}"]`).first().click();
    await page.waitForURL(`${at.url}/panel/alerts/${second}`);
    // Sent by a script, and fetched again after it.
    await page.locator('form[action="/some/path/panel/actions"] button', { hasText: 'Acknowledge' }).first().click();
    await page.locator('#alert', { hasText: 'acknowledged' }).first().waitFor();
    // Forms of the browser, which redirect.
    await page.locator('footer input[name=operator]').fill('Ana');
    await page.locator('footer form[action$="/panel/operator"] button').click();
    await page.waitForURL(`${at.url}/panel/alerts/${second}`);
    await page.goto(at.url);
    for (const path of [
      '',
      '/docs',
      '/guide/',
      '/guide/webhooks.html',
      `/panel/alerts/${alert_id}`,
      '/problems/not-found',
    ])
      await page.goto(`${at.url}${path}`, { waitUntil: 'load' });
    await page.goto(`${at.url}/guide/`);
    await page.locator('input[type=search]').first().fill('webhook');
    await page.locator('[role=listbox] a, .results a, #results a').first().waitFor();
    await page.goto(`${at.url}/panel`);
    const links = (await page.evaluate('[...document.links].map(({ href }) => href)')) as string[];
    for (const link of new Set(links.filter((one) => !one.includes('#')))) {
      const answer = await page.goto(link, { waitUntil: 'domcontentloaded' });
      expect([link, link.startsWith(at.url), answer?.status()]).toEqual([link, true, 200]);
    }
    expect([at.strays, complaints]).toEqual([[], []]);
    await close();
  });
});

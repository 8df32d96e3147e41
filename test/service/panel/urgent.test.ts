/** What is urgent, on every page without JavaScript: the strip, the counts, the order of sites and alerts, and the clock. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clockControls } from '../../../src/watching/regions/clock.ts';
import { navView } from '../../../src/watching/regions/navigation.ts';
import { MUSTERING, PANEL_USER, QUIET, worldOf } from '../../dashboard/harbour.ts';
import { Panel, words } from './panel.ts';

const SITE = 'Terminal Puerto Alerce';

let panel: Panel;
let cookie: string;
beforeAll(async () => {
  panel = await Panel.start({ watches: 14 });
  cookie = await panel.cookie();
});
afterAll(() => panel.stop());

const STRIP = /<p class="urgent[\s\S]*?<\/p>/;
const stripOf = (page: string): string => words(STRIP.exec(page)?.[0] ?? '').trim();
const navOf = (page: string): string => words(/<nav[\s\S]*?<\/nav>/.exec(page)?.[0] ?? '');
const press = (fields: Record<string, string>, headers: Record<string, string> = { cookie }) =>
  panel.post('/panel/clock', fields, headers);

describe('while nothing is urgent', () => {
  test('no page has a strip, no link has a count, and all sites are quiet', async () => {
    const page = await panel.text('/panel');
    expect([STRIP.test(page), navOf(page)]).toEqual([false, expect.stringMatching(/Alerts Musters Deliveries Calls/)]);
    expect(words(page)).toContain('Sites, all quiet');
  });
});

describe('while something is urgent', () => {
  beforeAll(async () => {
    await panel.act({ action: 'sos', who: 'W-002' });
    await panel.clock.advance(10_000);
    await panel.act({ action: 'call_request', who: 'W-003' });
    await panel.act({ action: 'start_muster', kind: 'tsunami', site: SITE, by: 'Shift lead', deadline: '1m' });
    await panel.clock.advance(2 * 60_000);
  });

  test('a strip on each page says what, where, how late, how many are safe, and the way there', async () => {
    const [muster] = [...panel.sandbox.engine.world.all('muster')];
    for (const path of ['/', '/panel', '/panel/alerts', '/panel/deliveries', '/panel/calls']) {
      const strip = stripOf(await panel.text(path));
      expect([path, strip]).toEqual([
        path,
        expect.stringMatching(
          /^⇉ tsunami muster Terminal Puerto Alerce LATE 1:00 min \d+\/\d+ safe ▲ \d+ to rescue rescue Open /,
        ),
      ]);
    }
    expect(await panel.text('/panel')).toMatch(new RegExp(`class="way" href="/panel/musters/${muster?.id}"`));
    // The page itself needs no way there.
    expect(stripOf(await panel.text(`/panel/musters/${muster?.id}`))).not.toContain('Open');
  });

  test('pages without a login have no data', async () => {
    for (const path of ['/docs', '/guide/', '/problems/not-found', '/panel/enter']) {
      const page = await panel.text(path, { accept: 'text/html' });
      expect([path, STRIP.test(page), page.includes(SITE)]).toEqual([path, false, false]);
    }
  });

  test('the navigation counts what is open and active', async () => {
    const open = [...panel.sandbox.engine.world.all('alert')].filter(({ status }) => status !== 'resolved').length;
    expect(navOf(await panel.text('/panel/calls'))).toContain(`Alerts ${open} open Musters 1 active Deliveries Calls`);
  });

  test('the navigation counts the deliveries that failed and will be tried again, and no others', () => {
    const reader = { ...PANEL_USER, acts: false };
    // One waits after two attempts, and one is delivered.
    const first = MUSTERING.deliveries[0]!;
    const deliveries = [...MUSTERING.deliveries, { ...first, id: 'untried', tries: 0 }];
    const links = navView({ world: worldOf({ ...MUSTERING, deliveries }), now: 0, reader }, {});
    expect(words(links.text)).toContain('Deliveries 1 failing Calls');
  });

  test('the site of the muster comes first on the home page, then the alerts, then the quiet sites', async () => {
    const page = words(await panel.text('/panel'));
    const places = ['Tsunami muster at', /\d+ open alerts/, 'Quiet sites', 'Astillero Ría Brava Ría Brava, A Coruña'];
    const found = places.map((one) => page.search(one));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  test('unacknowledged critical alerts come first in the list, then the newest, whatever the filter', async () => {
    const rows = async (query: string) =>
      (await panel.text(`/panel/alerts${query}`)).match(/<tr data-key[\s\S]*?<\/tr>/g)?.map(words) ?? [];
    const isFirst = (row: string): boolean => row.includes('critical') && row.includes('unacknowledged');
    for (const query of ['', '?status=unacknowledged']) {
      const list = await rows(query);
      const firsts = list.filter(isFirst).length;
      expect(firsts).toBeGreaterThan(0);
      expect(list.slice(0, firsts).every(isFirst)).toBe(true);
      // It is newer than the first of them.
      expect(list.findIndex((row) => row.includes('medium'))).toBeGreaterThanOrEqual(firsts);
    }
    expect(await rows('?status=resolved')).toEqual([]);
  });
});

describe('the clock in the header', () => {
  const state = () => panel.sandbox.engine.clock.state();

  test('is set by nobody who has not shown the control token, and by no foreign page', async () => {
    expect(await panel.text('/panel')).not.toContain('/panel/clock');
    expect((await press({ pause: 'true' }, {})).status).toBe(401);
    expect((await press({ pause: 'true' }, { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect(state().paused).toBe(false);
  });

  test('is paused, sped up and resumed, and the page says so', async () => {
    expect((await press({ pause: 'true' })).status).toBe(303);
    expect(state().paused).toBe(true);
    expect(words(await panel.text('/panel', { cookie }))).toMatch(/paused Resume the clock/);
    await press({ resume: 'true' });
    await press({ speed: '60' });
    expect(state()).toMatchObject({ paused: false, speed: 60 });
    await press({ speed: '1' });
  });

  test('is advanced, and what is wrong with a span is said', async () => {
    const before = panel.clock.now();
    expect((await press({ advance: '1m' })).status).toBe(303);
    expect(panel.clock.now() - before).toBe(60_000);
    const say = async (fields: Record<string, string>) => {
      const answer = await press(fields, { cookie, accept: 'application/json' });
      return [answer.status, ((await answer.json()) as { said: string }).said];
    };
    expect(await say({ advance: 'soon' })).toEqual([422, 'Write a duration like 90s, 15m or 8h.']);
    expect(await say({ advance: '40d' })).toEqual([409, 'The span must be at most 31d.']);
    expect(await say({ speed: '0' })).toEqual([422, 'The speed is a number above 0 and at most 10000.']);
    expect(panel.clock.now() - before).toBe(60_000);
  });

  test('has no forms where the reader may not set it, as with several nodes', () => {
    const look = (setsClock: boolean) => ({ world: worldOf(QUIET), now: 0, reader: { ...PANEL_USER, setsClock } });
    expect(clockControls(look(false)).text).toBe('');
    expect(words(clockControls(look(true)).text)).toMatch(/Pause .* Time does not go back\. .* Yes, advance/);
  });
});

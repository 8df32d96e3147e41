/** What no size, no other site and no moment may hide: open critical alerts, active musters, and who was not safe. */
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/contract/resources.ts';
import type { StreamChange, StreamSite, StreamSnapshot } from '../../src/contract/stream.ts';
import { press } from '../../src/dashboard/press.ts';
import { rowAloud, stateAloud } from '../../src/dashboard/reader/aloud.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { type DashboardView, sceneOf, siteOf, withSite } from '../../src/dashboard/view.ts';
import { sitePage } from '../../src/service/panel/pages/overview.ts';
import { afterChange, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';
import { eachOf } from '../helpers/each-of.ts';
import { inputsOf } from '../helpers/whole.ts';
import { frameText } from './drawn.ts';
import {
  alertId,
  MUSTER_ID,
  MUSTERING,
  NOW,
  notSafeLine,
  PANEL_USER,
  QUIET,
  SITE_ID,
  viewer,
  workerId,
  worldOf,
} from './harbour.ts';

const SIZES: readonly (readonly [columns: number, rows: number])[] = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
];

const OTHER: StreamSite = { ...MUSTERING.sites[0]!, id: '00000001-0000-4000-8000-000000000009', name: 'Zinc Works' };
const FIRST: StreamSite = { ...OTHER, id: '00000001-0000-4000-8000-000000000008', name: 'Alloy Works' };
const [lowBattery, sos] = MUSTERING.alerts as [Alert, Alert];

const alertAt = (site: StreamSite, change: Partial<Alert> = {}): Alert =>
  ({ ...sos, id: alertId(90), site: { id: site.id, name: site.name }, ...change }) as Alert;

/** A quiet harbour among other sites, which the stream reported in another order than `GET /v1/sites`. */
const THREE: StreamSnapshot = { ...QUIET, sites: [OTHER, QUIET.sites[0]!, FIRST] };

const text = (world: StreamState, view: DashboardView, columns: number, rows: number, at = 0): string =>
  frameText({ world, view, connection: { is: 'open' }, at }, { columns, rows }, theme('mono')).join('\n');

const ALL_SAFE = { ...MUSTERING.musters[0]!.totals, safe: 24 };
const atHarbour = viewer({ siteId: SITE_ID });

describe('the site', () => {
  test('is that of the example worker, and where nobody has a code the first in the order of GET /v1/sites', () => {
    expect(siteOf(worldOf(THREE), viewer())?.name).toBe('North Harbour');
    const [one, ...others] = QUIET.workers;
    const moved = { ...THREE, workers: [...others, { ...one!, site_id: OTHER.id }] };
    expect(siteOf(worldOf(moved), viewer())?.name).toBe('Zinc Works');
    const nobody = { ...THREE, workers: QUIET.workers.map((worker) => ({ ...worker, external_id: null })) };
    expect(siteOf(worldOf(nobody), viewer())?.name).toBe('Alloy Works');
  });

  test.each([
    ['with an active muster', { musters: MUSTERING.musters, alerts: [alertAt(OTHER)] }, 'North Harbour'],
    ['of the most urgent open critical alert', { alerts: [lowBattery, alertAt(OTHER)] }, 'Zinc Works'],
    ['of the example worker, where an alert is not critical', { alerts: [lowBattery] }, 'North Harbour'],
    [
      'with an active muster in which all are safe, where nothing is urgent',
      { musters: [{ ...MUSTERING.musters[0]!, site: { id: FIRST.id, name: FIRST.name }, totals: ALL_SAFE }] },
      'Alloy Works',
    ],
  ])('the site that is shown first is the one %s', (_what, change, name) => {
    expect(siteOf(worldOf({ ...THREE, ...change }), viewer())?.name).toBe(name);
  });

  test('stays selected when an emergency begins elsewhere', () => {
    const world = worldOf(THREE);
    const pinned = withSite(viewer(), world);
    const muster = { ...MUSTERING.musters[0]!, site: { id: OTHER.id, name: OTHER.name } };
    const later = afterChange(world, { subject: 'muster', at: NOW, muster }, 0);
    expect(siteOf(later, viewer())?.name).toBe('Zinc Works');
    expect(siteOf(later, pinned)?.name).toBe('North Harbour');
    expect(withSite(pinned, later)).toBe(pinned);
  });

  test('is chosen anew where the selected one is gone', () => {
    const pinned = withSite(viewer(), worldOf(THREE));
    const gone = worldOf({ ...THREE, sites: [OTHER] });
    expect(withSite(pinned, gone).siteId).toBe(OTHER.id);
  });
});

describe('emergencies elsewhere', () => {
  const muster = { ...MUSTERING.musters[0]!, id: 'other', site: { id: FIRST.id, name: FIRST.name } };
  const alerts = [
    alertAt(OTHER),
    alertAt(OTHER, { id: alertId(91) }),
    alertAt(OTHER, { id: alertId(92), severity: 'high' }),
  ];
  const world = worldOf({ ...THREE, alerts, musters: [muster] });

  eachOf(SIZES, 2)(
    'are counted in the title bar at %i x %i, also under the help and while a row is open',
    (columns, rows) => {
      for (const change of [{}, { isHelpOpen: true }, { isDetailOpen: true }, { pane: 'webhooks' as const }]) {
        const [title] = text(world, { ...atHarbour, ...change }, columns, rows).split('\n');
        expect(title).toMatch(columns >= 110 ? /■ elsewhere: 2 critical, 1 muster \(n\)/ : /■3/);
      }
    },
  );

  test('are in red, and without colours in bold and brackets', () => {
    expect(text(world, atHarbour, 80, 24).split('\n')[0]).toContain('[■3 elsewhere: n]');
    const dark = frameText(
      { world, view: atHarbour, connection: { is: 'open' }, at: 0 },
      { columns: 80, rows: 24 },
      theme('dark'),
    );
    expect(dark[0]).toMatch(/\x1b\[(?:41|97|1)m[^■]*■3 elsewhere/);
  });

  test('are where n goes, one after the other, and around', () => {
    const visit = (view: DashboardView): DashboardView => press('n', view, sceneOf(world, view, 0), world, 0).view;
    const first = visit(viewer({ siteId: SITE_ID, filter: 'W-001' }));
    expect([first.siteId, first.filter]).toEqual([OTHER.id, '']);
    expect(visit(first).siteId).toBe(FIRST.id);
    expect(visit(visit(first)).siteId).toBe(OTHER.id);
  });

  test('are none where n says so', () => {
    const quiet = worldOf(THREE);
    const { view } = press('n', atHarbour, sceneOf(quiet, atHarbour, 0), quiet, 0);
    expect([view.siteId, view.reply?.text]).toEqual([
      SITE_ID,
      'No other site has an active muster or an open critical alert.',
    ]);
  });

  test('are counted while the screen is frozen, and so is what began at this site', () => {
    const before = worldOf(THREE);
    const view = { ...atHarbour, frozen: before };
    const now = worldOf({ ...THREE, alerts: [...alerts, sos] });
    const [title] = text(now, view, 120, 40).split('\n');
    expect(title).toContain('elsewhere: 2 critical');
    expect(title).toContain('■1 NEW, FROZEN');
  });

  test('are named where the terminal is too small for anything else', () => {
    const tiny = text(
      worldOf({ ...MUSTERING, sites: [...MUSTERING.sites, OTHER], alerts: [...MUSTERING.alerts, ...alerts] }),
      atHarbour,
      59,
      5,
    );
    expect(tiny.trim()).toBe('1 to rescue, 1 critical, 2 elsewhere, 19/24 safe, too smal…');
  });
});

/** Somebody else: alerts of one person are one row. */
const otherWorker = (n: number) => ({ ...sos.worker, id: workerId(n) }) as Alert['worker'];

describe('the open alerts', () => {
  const many = [
    ...Array.from({ length: 60 }, (_, n) => ({
      ...lowBattery,
      id: alertId(100 + n),
      date_created: new Date(Date.parse(NOW) + n).toISOString(),
      status: 'unacknowledged' as const,
    })),
    { ...sos, id: alertId(200), status: 'acknowledged' as const, acknowledged: { at: NOW, by: 'M. Vidal' } },
    { ...lowBattery, id: alertId(201), severity: 'high' as const },
    { ...sos, id: alertId(202), worker: otherWorker(202) },
    { ...sos, id: alertId(203), status: 'resolved' as const },
  ] as Alert[];
  // The list of people has them too.
  const world = worldOf({ ...QUIET, alerts: many, people: [] });

  test('are the unacknowledged critical ones first, then by severity, then the newest, and none that is resolved', () => {
    const { alerts } = sceneOf(world, viewer(), 0);
    expect(alerts.slice(0, 4).map(({ id }) => id)).toEqual([alertId(202), alertId(200), alertId(201), alertId(159)]);
    expect(alerts).toHaveLength(63);
  });

  eachOf(SIZES, 2)('open alerts that do not fit are counted at %i x %i', (columns, rows) => {
    const page = text(world, viewer(), columns, rows);
    const listed = page.match(/[■▣□] (?:SOS|Low battery)/g)?.length ?? 0;
    const [, more] = /… (\d+) more/.exec(page.slice(page.indexOf('4 Alerts'))) ?? [];
    expect(listed + Number(more)).toBe(63);
    expect(page).toContain(columns >= 110 ? '■ 2 critical' : '■2');
  });

  test('critical alerts take no room from the events, and those that do not fit are counted', () => {
    const critical = Array.from({ length: 30 }, (_, n) => ({
      ...sos,
      id: alertId(300 + n),
      worker: otherWorker(300 + n),
    }));
    const page = text(worldOf({ ...QUIET, alerts: critical }), viewer(), 80, 24);
    expect(page.match(/■ SOS/g)).toHaveLength(4);
    expect(page).toContain('… 26 more (26 critical)');
  });
});

describe('after a muster', () => {
  const place = QUIET.people[19]!.location!;
  const notSafe = [
    notSafeLine(22, { status: 'no_signal', reason: 'no_signal', location_withheld: true }),
    notSafeLine(20, {
      status: 'help',
      reason: 'trapped',
      location: { ...place, position_date_utc: '2026-10-05T05:58:00.000Z' },
    }),
    notSafeLine(77, {}),
  ];
  const ended = { ...MUSTERING.musters[0]!, status: 'completed' as const, ended_at: '2026-10-05T06:12:00.000Z' };
  const world = worldOf({ ...QUIET, musters: [ended], not_safe: notSafe });

  eachOf(SIZES, 2)('workers who were not safe are listed with reason and last place at %i x %i', (columns, rows) => {
    const page = text(world, viewer(), columns, rows);
    expect(page).toMatch(/3 not safe (?:when the muster ended at 06:12:00|at the end of the muster)/);
    expect(page).toMatch(/▲ Trapped +W-020 +Ana.* +Tank/);
    expect(page.indexOf('Trapped')).toBeLessThan(page.indexOf('At the site now:'));
  });

  test('dashboard and panel list them in one order: those to rescue, then those with a call for help, then by status', () => {
    const reasons = ['pending', 'evacuation_help', 'no_signal', 'sos', 'help', 'injured', 'wrong_point'] as const;
    const statuses = ['pending', 'help', 'no_signal', 'pending', 'help', 'help', 'wrong_point'] as const;
    const state = worldOf({
      ...QUIET,
      musters: [ended],
      not_safe: reasons.map((reason, n) => notSafeLine(n + 1, { reason, status: statuses[n] as 'help' })),
    });
    const order = ['SOS', 'injured', 'called for help', 'called for help', 'wrong point', 'no signal', 'not arrived'];
    expect(sceneOf(state, viewer(), 0).notSafe.map(({ word }) => word)).toEqual(order);
    const reader = { ...PANEL_USER, all: true };
    const page = sitePage({ world: state, now: Date.parse(NOW), reader }, SITE_ID, [])?.main.text ?? '';
    const rows = [...page.matchAll(/<tr data-key="not-safe [^>]*>.*?<\/i> ([^<]*)</g)].map(([, word = '']) => word);
    expect(rows.map((word) => word.toLowerCase())).toEqual(order.map((word) => word.toLowerCase()));
  });

  test('a worker who is gone has the beginning of the id, and a place that may not be seen says so', () => {
    const page = text(world, viewer(), 200, 60);
    expect(page).toMatch(/◇ No signal +W-022 +Ana Ruiz W +withheld/);
    expect(page).toMatch(/▹ Not arrived +0000…0077 +not known/);
    expect(page).toMatch(/Trapped .* Tank Farm +@05:58/);
  });

  test('the list ends with the next muster', () => {
    const next = { ...MUSTERING.musters[0]!, id: 'next', started_at: '2026-10-05T06:12:20.000Z' };
    const changes: StreamChange[] = [
      { subject: 'muster', at: NOW, muster: next },
      { subject: 'not_safe', at: NOW, site_id: SITE_ID, not_safe: [] },
    ];
    const state = changes.reduce((known, change) => afterChange(known, change, 0), world);
    expect(text(state, viewer(), 120, 40)).not.toContain('not safe');
  });

  test('a row of it opens the details, and its worker is the one on the map', () => {
    const view = viewer({ isDetailOpen: true });
    const page = text(world, view, 120, 40);
    expect(page).toMatch(/then +not safe when the muster ended: trapped/);
    expect(page).toMatch(/last place +Tank Farm at 05:58/);
    expect(press('y', viewer(), sceneOf(world, viewer(), 0), world, 0).order).toMatchObject({ text: workerId(20) });
  });

  test('a muster with people missing is never cut to another figure', () => {
    const totals = { ...ended.totals, expected: 58, safe: 0 };
    const state = worldOf({ ...QUIET, musters: [{ ...ended, totals }] });
    const widths = Array.from({ length: 71 }, (_, n) => 60 + n);
    for (const columns of inputsOf(widths, 24))
      expect(text(state, viewer(), columns, 24)).toMatch(/0 of 58 safe, 58 not safe|58 of 58 not safe/);
  });
});

describe('the figures of a muster', () => {
  const totalsOf = (page: string): number[] => {
    const line = page.split('\n').find((one) => /\d+ .*safe/.test(one) && one.includes('△')) ?? '';
    const counters = line.replace(/▲.*$/, '').replace(/EXPECTED \d+|\/\d+|\d+\.\d %.*/g, '');
    return [...counters.matchAll(/\d+/g)].map(([count]) => Number(count));
  };

  eachOf(SIZES, 2)('add up to those expected at %i x %i, and rescue is apart from them', (columns, rows) => {
    const page = text(worldOf(MUSTERING), viewer(), columns, rows);
    expect(totalsOf(page).reduce((sum, count) => sum + count, 0)).toBe(24);
    expect(page).toMatch(/▲ ?1 (?:to rescue|rescue|resc)/);
  });

  test('are 100 % and green only when everybody is safe', () => {
    const [muster] = MUSTERING.musters;
    const totals = { expected: 2_000, safe: 1_999, help: 0, wrong_point: 0, pending: 1, no_signal: 0, not_worn: 0 };
    const nearly = worldOf({ ...MUSTERING, people: [], musters: [{ ...muster!, totals }] });
    expect(text(nearly, viewer(), 120, 40)).toContain('99.9 % safe');
    expect(text(nearly, viewer(), 120, 40)).not.toMatch(/safe [▁-▇]*█+ 1999\/2000/);
  });

  test('the bar shows people to rescue out of their status', () => {
    const [, , , bar] = text(worldOf(MUSTERING), viewer(), 120, 40).split('\n');
    expect(bar).toMatch(/^ █+▲+▓+▒+◇+◌+$/);
  });
});

describe('before the first snapshot', () => {
  eachOf(SIZES, 2)('nothing is claimed at %i x %i', (columns, rows) => {
    const page = text(EMPTY_STATE, viewer(), columns, rows);
    expect(page).toContain('Waiting for the sandbox.');
    expect(page).not.toMatch(/\bno\b|[Nn]obody|[Ee]verybody|safe|open|\d+ (?:people|of)|Alerts \d/);
  });

  test.each(['M', 'e', 'a', 's', 'n', 'space', 'T'])('%s says that the sandbox has not answered', (key) => {
    const { view, order } = press(key, viewer(), sceneOf(EMPTY_STATE, viewer(), 0), EMPTY_STATE, 0);
    expect([order, view.question, view.reply?.text]).toEqual([null, null, 'The sandbox has not answered yet.']);
  });
});

describe('a screen reader', () => {
  test('hears of emergencies elsewhere and of who was not safe, and of nothing before the first snapshot', () => {
    const linesOf = (world: StreamState, view = atHarbour): string[] => stateAloud(sceneOf(world, view, 0), view);
    expect(linesOf(EMPTY_STATE)).toEqual(['The sandbox has not answered yet.']);
    expect(linesOf(worldOf({ ...THREE, alerts: [alertAt(OTHER)] }))).toContain(
      'Emergency at Zinc Works: 1 open critical alert. n goes there.',
    );
    const line = { muster_id: MUSTER_ID, worker_id: workerId(20), location: null, location_withheld: true };
    const left = worldOf({
      ...QUIET,
      not_safe: [{ ...line, status: 'help', reason: 'trapped' }],
      musters: [{ ...MUSTERING.musters[0]!, status: 'completed' }],
    });
    const sentence = 'Not safe when the muster ended: trapped, W-020, Ana Ruiz U, withheld.';
    expect(linesOf(left)).toContain(sentence);
    expect(rowAloud(sceneOf(left, atHarbour, 0), atHarbour)).toBe(sentence);
  });
});

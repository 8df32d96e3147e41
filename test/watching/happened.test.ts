/** The words of a row: what happened to whom, who came to a point in the last minute, what an event changed. */
import { describe, expect, test } from 'vitest';
import type { AlertType, EventType } from '../../src/contract/enumerations.ts';
import type { Event } from '../../src/contract/events.ts';
import { DETAILS_BY_TYPE } from '../../src/contract/resources/details.ts';
import type { Alert } from '../../src/contract/resources.ts';
import { alertTable, otherAlertsView } from '../../src/watching/regions/alerts.ts';
import { pointsView } from '../../src/watching/regions/muster.ts';
import {
  arrivalsOf,
  countsAfter,
  countsIn,
  countsText,
  type PointCounts,
  recentOf,
} from '../../src/watching/state/arrivals.ts';
import { aboutText, eventWords } from '../../src/watching/state/deliveries.ts';
import { whatText, whereNow } from '../../src/watching/state/happened.ts';
import { EMPTY_STATE } from '../../src/watching/state/state.ts';
import { GATE, HILL, MUSTERING, NOW, PANEL_USER, person, SITE_ID, workerId, worldOf } from '../dashboard/harbour.ts';
import { words } from '../service/panel/panel.ts';

const LOOKING = { reader: PANEL_USER, now: Date.parse(NOW), world: EMPTY_STATE };
const MUSTER = MUSTERING.musters[0]!;
const [SOME_ALERT] = MUSTERING.alerts as [Alert];

const hazard = { magnitude: null, distance_km: null, official: true, felt_at_site: true, eta: null };

describe('what a row says of an alert', () => {
  const table: readonly (readonly [AlertType, object, string])[] = [
    ['sos', { trigger: 'watch_button' }, 'SOS by button'],
    ['sos', { trigger: 'watch_hardware_button' }, 'SOS by button'],
    ['sos', { trigger: 'after_fall' }, 'SOS after a fall'],
    ['sos', { trigger: 'control_room' }, 'SOS by control room'],
    ['fall_detected', { escalated_to_sos: false }, 'Fall'],
    ['fall_detected', { escalated_to_sos: true }, 'Fall, no answer'],
    ['evacuation_help', { reason: 'trapped' }, 'Trapped'],
    ['evacuation_help', { reason: 'injured' }, 'Injured'],
    ['evacuation_help', { reason: 'helping' }, 'Helping'],
    ['evacuation_help', { reason: null }, 'Cannot evacuate'],
    ['forbidden_zone_entry', { zone_type: 'forbidden', permit_reference: null }, 'Forbidden zone'],
    ['restricted_zone_entry', { zone_type: 'restricted', permit_reference: null }, 'Restricted zone'],
    ['permit_expired_inside', { zone_type: 'restricted', permit_reference: 'P-1' }, 'Permit expired'],
    ['permit_closed_inside', { zone_type: 'restricted', permit_reference: 'P-1' }, 'Permit closed'],
    ['heat_stress', { heat_index_c: null }, 'Heat'],
    ['heat_stress', { heat_index_c: 41.5 }, 'Heat, 41.5 °C'],
    ['worker_call_request', { voice_note: false }, 'Call requested'],
    ['worker_call_request', { voice_note: true }, 'Call requested, voice note'],
    ['device_offline', { minutes_silent: 12 }, 'Watch offline, 12 min'],
    ['low_battery', { battery_pct: 9 }, 'Low battery, 9 %'],
    ['earthquake', { ...hazard, magnitude: 7.1 }, 'Earthquake, 7.1'],
    ['tsunami_risk', hazard, 'Tsunami risk'],
  ];
  test.each(table)('%s %j is "%s"', (type, details, text) => {
    expect(whatText({ type, details } as Alert)).toBe(text);
  });

  test('has a row here for each type', () => {
    expect(new Set(table.map(([type]) => type))).toEqual(new Set(Object.keys(DETAILS_BY_TYPE)));
  });
});

describe('a table of alerts', () => {
  const alert = (n: number, change: Partial<Alert> = {}): Alert => ({
    ...SOME_ALERT,
    id: workerId(900 + n),
    type: 'evacuation_help',
    severity: 'critical',
    status: 'unacknowledged',
    title: `Cannot evacuate: Ana Ruiz ${n} in Tank Farm`,
    zone: { id: GATE, name: 'Tank Farm' },
    worker: { id: workerId(n), external_id: `W-${n}`, name: `Ana Ruiz ${n}`, contractor: null },
    details: { reason: 'helping', muster_id: MUSTER.id },
    date_created: NOW,
    ...change,
  });
  const rowsOf = (alerts: readonly Alert[]): string[] =>
    alertTable(alerts, LOOKING).text.match(/<tr data-key[\s\S]*?<\/tr>/g) ?? [];

  test('has what happened, the person and the place in columns, and the title of the API as the name of the row', () => {
    const [row = ''] = rowsOf([alert(1, { details: { reason: 'trapped', muster_id: MUSTER.id } })]);
    expect(row).toContain('aria-label="Cannot evacuate: Ana Ruiz 1 in Tank Farm"');
    const cells = [...row.matchAll(/<(?:td|th)[^>]*>([\s\S]*?)<\/(?:td|th)>/g)].map(([, cell = '']) =>
      words(cell).trim(),
    );
    expect(cells.slice(0, 5)).toEqual(['■ critical', '⊞ Trapped', 'Ana Ruiz 1 W-1', 'Tank Farm', 'unacknowledged']);
  });

  test('folds 50 helpers into one row, below the alerts of people to rescue, with a link to each', () => {
    const helpers = Array.from({ length: 50 }, (_, n) => alert(n + 1));
    const rows = rowsOf([...helpers, alert(60, { details: { reason: 'injured', muster_id: MUSTER.id } })]);
    expect(rows).toHaveLength(2);
    expect(words(rows[0] ?? '')).toContain('Injured');
    expect(words(rows[1] ?? '')).toMatch(/⊕ Helping: 50 people/);
    expect(rows[1]?.match(/href="\/panel\/alerts\//g)).toHaveLength(50);
  });

  test('has one helper below all other open alerts, with a name, no critical sign and no primary button', () => {
    const low = alert(61, { type: 'low_battery', severity: 'low', details: { battery_pct: 9 } });
    const rows = rowsOf([alert(1), low]);
    expect(words(rows[0] ?? '')).toContain('Low battery');
    expect(words(rows[1] ?? '')).toMatch(/⊕ Helping: \S+/);
    expect(rows[1]).not.toMatch(/■|class="primary">Acknowledge/);
  });

  test('of one person with two critical alerts is one row, which leads to both', () => {
    const trapped = { reason: 'trapped', muster_id: MUSTER.id } as const;
    const second = alert(9, { details: trapped, worker: alert(1).worker });
    const rows = rowsOf([alert(1, { details: trapped }), alert(2, { details: trapped }), second]);
    expect(rows.map((row) => words(row).includes('2 alerts, Trapped'))).toEqual([true, false]);
    expect(rows[0]).toContain(`href="/panel/alerts/${second.id}"`);
  });

  test('says that the place of a worker is withheld in a muster, and otherwise where the alert was raised', () => {
    const zone = MUSTERING.sites[0]!.zones[0]!;
    const [raised, resolved] = [alert(20, { zone }), alert(20, { zone, status: 'resolved' })];
    const places = ([{}, { fares: 'pending' }] as const).map((fares) => {
      const hidden = { location: null, place: { kind: 'withheld', age_s: null } } as const;
      const world = worldOf({ ...MUSTERING, people: [{ ...person({ n: 20, x: 0, y: 0, ...fares }), ...hidden }] });
      return [raised, resolved].map((one) => whereNow(world, one));
    });
    expect(places).toEqual([
      [zone.name, zone.name],
      ['withheld', zone.name],
    ]);
  });

  test('of a muster is absent where the rows of people have all alerts', () => {
    expect(otherAlertsView([], LOOKING).text).toBe('');
    expect(words(otherAlertsView([alert(1)], LOOKING).text)).toContain('1 other open alert');
  });
});

describe('the arrivals of the last minute at a point', () => {
  const counts = (hill: number) => ({
    assembly_points: MUSTER.assembly_points.map((one) => ({ ...one, count: one.id === HILL ? hill : 0 })),
  });
  const seen = [0, 20, 50, 100].reduce<readonly PointCounts[]>(
    (known, s) => countsAfter(known, counts(s / 10), s * 1_000),
    [],
  );
  const hill = (count: number | null, nowS: number, startedS = 0) =>
    arrivalsOf(seen, { id: HILL, count }, nowS * 1_000, startedS * 1_000);

  test('are those who came since the count that was valid a minute ago', () => {
    expect(hill(10, 100)).toBe(8);
    expect(hill(10, 110)).toBe(5);
    expect(hill(10, 160)).toBe(0);
    expect(hill(3, 160)).toBe(-7);
  });

  test('are all who are there in the first minute of the muster, and not known where nobody counted', () => {
    expect(arrivalsOf([], { id: HILL, count: 4 }, 30_000, 0)).toBe(4);
    expect(arrivalsOf([], { id: HILL, count: 4 }, 90_000, 0)).toBeNull();
    expect(hill(null, 100)).toBeNull();
  });

  test('need only the counts of that minute, which a page passes on as text', () => {
    expect(recentOf(seen, 100_000).map(({ at }) => at)).toEqual([20_000, 50_000, 100_000]);
    expect(countsIn(countsText(seen))).toEqual(seen);
    expect(countsIn('nonsense;x y=z')).toEqual([]);
  });

  test('stand beside the count and the capacity', () => {
    const now = Date.parse(MUSTER.started_at) + 10 * 60_000;
    const before = [{ at: now - 60_000, counts: { [GATE]: 0, [HILL]: 14 } }];
    const at = (recently: Parameters<typeof pointsView>[3]) =>
      words(pointsView({ ...MUSTER, ...counts(19) }, MUSTERING.sites[0]!.zones, PANEL_USER, recently).text);
    expect(at({ counts: before, now })).toMatch(/Hill 19\/80 \+5 arrived/);
    expect(at(null)).not.toContain('Last minute');
  });
});

describe('what a row says of a delivery', () => {
  const event = (type: EventType, data: object): Event =>
    ({ id: SITE_ID, type, created_at: NOW, organization_id: null, site_id: SITE_ID, data }) as unknown as Event;

  test('is what changed in the muster, in the words of the counters, and not its title', () => {
    const before = { ...MUSTER, totals: { ...MUSTER.totals, safe: 52, pending: 6 } };
    const after = { ...MUSTER, totals: { ...MUSTER.totals, safe: 53, pending: 5 } };
    const updated = event('muster.updated', { muster: after });
    expect(eventWords(updated, before)).toEqual({
      what: 'safe 52 to 53, not arrived 6 to 5',
      whom: `${MUSTER.kind} muster`,
      where: 'North Harbour',
    });
    expect(eventWords(updated, null).what).toBe(`53 of ${MUSTER.totals.expected} safe`);
    expect(aboutText(updated)).toBe(`${MUSTER.kind} muster at North Harbour`);
  });

  test('is what happened to whom in an alert', () => {
    const alert: Alert = { ...SOME_ALERT, type: 'sos', details: { trigger: 'watch_button' }, zone: null };
    expect(eventWords(event('alert.created', { alert }), null)).toEqual({
      what: 'SOS by button',
      whom: 'W-022',
      where: 'North Harbour',
    });
  });
});

test('a row of a delivery has the kind of a muster once', () => {
  const started = { type: 'muster.started', data: { muster: MUSTER } } as Event;
  expect(eventWords(started, null)).toMatchObject({ what: 'started, "Warning"', whom: 'tsunami muster' });
});

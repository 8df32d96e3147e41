/** What is urgent, and in which order: worlds and the rank of their sites. */
import { describe, expect, test } from 'vitest';
import type { Alert, Muster } from '../../src/contract/resources.ts';
import type { StreamSite, StreamSnapshot } from '../../src/contract/stream.ts';
import { stripView } from '../../src/watching/regions/strip.ts';
import { byAttention, byUrgency } from '../../src/watching/state/alert-order.ts';
import { emergenciesOf, hurryOf, sitesByUrgency, worstOf } from '../../src/watching/state/emergencies.ts';
import { byRisk, rowsOf } from '../../src/watching/state/people.ts';
import { MUSTERING, NOW, person, QUIET, SITE_ID, workerId, worldOf } from '../dashboard/harbour.ts';

const id = (n: number): string => `00000001-0000-4000-8000-00000000000${n}`;
const siteOf = (n: number, name: string): StreamSite => ({
  ...MUSTERING.sites[0]!,
  id: n === 1 ? SITE_ID : id(n),
  name,
});
const [ALLOY, HARBOUR, ZINC] = [siteOf(8, 'Alloy'), siteOf(1, 'Harbour'), siteOf(9, 'Zinc')];
const SOS = MUSTERING.alerts[1]!;

const alert = (site: StreamSite, key: string, change: Partial<Alert> = {}): Alert =>
  ({ ...SOS, id: key, site: { id: site.id, name: site.name }, ...change }) as Alert;
const muster = (site: StreamSite, change: Partial<Muster> = {}): Muster =>
  ({
    ...MUSTERING.musters[0]!,
    id: `muster of ${site.name}`,
    site: { id: site.id, name: site.name },
    ...change,
  }) as Muster;

const safe = { totals: { ...MUSTERING.musters[0]!.totals, safe: 24 } };
const due = (minute: string) => ({ deadline: { at: `2026-10-05T06:${minute}:00.000Z`, source: 'official' as const } });
const acknowledged = { status: 'acknowledged' as const };
const rescued = person({ n: 20, x: 330, y: 110, fares: 'help', help: 'injured', rescue: true });

/** `urgent`: the sites with an emergency, worst first. `first`: all sites in their order. `more`: than the worst. */
interface Row {
  readonly alerts?: readonly Alert[];
  readonly musters?: readonly Muster[];
  readonly people?: StreamSnapshot['people'];
  readonly urgent: string;
  readonly first?: string;
  /** The other musters and alerts. */
  readonly more?: readonly [number, number];
}

const ROWS: readonly (readonly [what: string, row: Row])[] = [
  ['a quiet world', { urgent: '', first: 'Alloy Harbour Zinc' }],
  ['an alert that is not critical', { alerts: [alert(ZINC, 'a', { severity: 'high' })], urgent: '' }],
  [
    'a call of somebody who only helps another',
    {
      alerts: [alert(ZINC, 'a', { type: 'evacuation_help', details: { reason: 'helping', muster_id: 'm' } })],
      urgent: '',
    },
  ],
  ['a critical alert that is resolved', { alerts: [alert(ZINC, 'a', { status: 'resolved' })], urgent: '' }],
  ['an open critical alert', { alerts: [alert(ZINC, 'a')], urgent: 'Zinc', first: 'Zinc Alloy Harbour', more: [0, 0] }],
  ['a muster that ended with people missing', { musters: [muster(ZINC, { status: 'completed' })], urgent: '' }],
  ['a muster in which all are safe', { musters: [muster(ZINC, safe)], urgent: '', first: 'Zinc Alloy Harbour' }],
  [
    'such a muster with a critical alert',
    { musters: [muster(ZINC, safe)], alerts: [alert(ZINC, 'a')], urgent: 'Zinc', more: [0, 0] },
  ],
  ['a muster with somebody not safe', { musters: [muster(HARBOUR)], urgent: 'Harbour', first: 'Harbour Alloy Zinc' }],
  [
    'a muster and alerts elsewhere, which are more urgent than its own',
    {
      musters: [muster(ZINC)],
      alerts: [alert(ZINC, 'z', acknowledged), alert(ALLOY, 'a'), alert(ALLOY, 'b')],
      urgent: 'Zinc Alloy',
      more: [0, 3],
    },
  ],
  [
    'two musters, the later one with somebody to rescue',
    {
      musters: [muster(ZINC, due('05')), muster(HARBOUR, due('30'))],
      people: [rescued],
      urgent: 'Harbour Zinc',
      more: [1, 0],
    },
  ],
  [
    'two musters, one without a deadline',
    { musters: [muster(ALLOY, { deadline: null }), muster(ZINC)], urgent: 'Zinc Alloy' },
  ],
  [
    'two musters with one deadline',
    { musters: [muster(ALLOY), muster(ZINC, { started_at: '2026-10-05T06:00:00.000Z' })], urgent: 'Zinc Alloy' },
  ],
  [
    'alerts at two sites, the newer one acknowledged',
    {
      alerts: [alert(ALLOY, 'a', { ...acknowledged, date_created: NOW }), alert(ZINC, 'b')],
      urgent: 'Zinc Alloy',
      more: [0, 1],
    },
  ],
  [
    'the alert of somebody to rescue, who is counted in the muster',
    { musters: [muster(HARBOUR)], people: [rescued], alerts: [alert(HARBOUR, 'a')], urgent: 'Harbour', more: [0, 0] },
  ],
  [
    'the alert of somebody else on the site of a muster',
    {
      musters: [muster(HARBOUR)],
      people: [rescued],
      alerts: [alert(HARBOUR, 'a', { worker: { ...SOS.worker!, id: workerId(3) } })],
      urgent: 'Harbour',
      more: [0, 1],
    },
  ],
  [
    'the alert of the whole site of a muster',
    { musters: [muster(HARBOUR)], alerts: [alert(HARBOUR, 'a', { worker: null })], urgent: 'Harbour', more: [0, 0] },
  ],
];

describe('the order of the sites', () => {
  test.each(ROWS)('%s', (_what, { alerts = [], musters = [], people = QUIET.people, urgent, first, more }) => {
    // The stream reports sites in any order.
    const world = worldOf({
      ...QUIET,
      sites: [ZINC, ALLOY, HARBOUR],
      people,
      alerts: [...alerts],
      musters: [...musters],
    });
    const names = (sites: readonly StreamSite[]): string => sites.map(({ name }) => name).join(' ');
    expect(names(emergenciesOf(world).map(({ site }) => site))).toBe(urgent);
    if (first !== undefined) expect(names(sitesByUrgency(world))).toBe(first);
    expect(worstOf(world) === null).toBe(urgent === '');
    if (more !== undefined) expect(worstOf(world)?.more).toEqual({ musters: more[0], alerts: more[1] });
  });
});

test.each([
  'critical',
  'low',
] as const)('an acknowledged alert of severity %s of somebody missing is above one of somebody safe', (severity) => {
  const of = (n: number) => ({ severity, worker: { id: workerId(n), external_id: `W-0${n}`, contractor: null } });
  const world = worldOf({
    ...MUSTERING,
    people: [person({ n: 1, x: 10, y: 10, fares: 'safe' }), person({ n: 21, x: 10, y: 10, fares: 'pending' })],
    alerts: [alert(HARBOUR, 'safe', of(1)), alert(HARBOUR, 'missing', { ...acknowledged, ...of(21) })],
  });
  const alerts = [...world.alerts.values()];
  for (const order of [byUrgency(world), byAttention(world)])
    expect(alerts.toSorted(order).map(({ id }) => id)).toEqual(['missing', 'safe']);
});

test('an acknowledged SOS of somebody to rescue is above a critical entry of another, for alerts as for people', () => {
  const of = (n: number) => ({ worker: { id: workerId(n), external_id: `W-0${n}`, contractor: null } });
  const entry = { type: 'forbidden_zone_entry', ...of(21), date_created: '2026-10-05T06:00:00.000Z' } as const;
  const world = worldOf({
    ...MUSTERING,
    people: [person({ n: 21, x: 10, y: 10, fares: 'pending' }), rescued],
    alerts: [alert(HARBOUR, 'entry', entry), alert(HARBOUR, 'sos', { ...acknowledged, ...of(20) })],
  });
  const alerts = [...world.alerts.values()];
  const rows = rowsOf(world, MUSTERING.sites[0]!, MUSTERING.musters[0]!, alerts);
  for (const order of [byUrgency(world), byAttention(world)])
    expect(alerts.toSorted(order).map(({ id }) => id)).toEqual(['sos', 'entry']);
  expect(byRisk(rows, 0).map(({ id }) => id)).toEqual([20, 21].map(workerId));
});

test.each([
  ['-05:01', 1, null],
  ['-05:00', 1, 'soon'],
  ['00:00', 1, 'soon'],
  ['00:01', 1, 'over'],
  ['00:01', 0, null],
  ['-01:00', 0, null],
] as const)('a deadline at %s with %i people not safe makes the hurry %s', (at, missing, hurry) => {
  const [minutes = 0, seconds = 0] = at.replace('-', '').split(':').map(Number);
  const passed = (minutes * 60 + seconds) * (at.startsWith('-') ? -1_000 : 1_000);
  const { totals } = MUSTERING.musters[0]!;
  const one = muster(HARBOUR, { ...due('30'), totals: { ...totals, safe: totals.expected - missing } });
  expect(hurryOf(one, Date.parse(one.deadline?.at ?? '') + passed)).toBe(hurry);
});

test('the strip says what else is urgent, and on a narrow screen the number, with the words for a screen reader', () => {
  const world = worldOf({
    ...QUIET,
    sites: [ZINC, ALLOY, HARBOUR],
    musters: [muster(ZINC), muster(HARBOUR)],
    alerts: [alert(ALLOY, 'a'), alert(ALLOY, 'b')],
  });
  expect(stripView({ world, now: Date.parse(NOW) }, {}).text).toContain(
    '<a href="/panel"><span class="more"><span class="word"> +1 muster, +2 alerts</span><span class="short" aria-hidden="true"> +3</span></span></a>',
  );
});

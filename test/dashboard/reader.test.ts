/** The screen reader: sentences for what is worth hearing, and the same keys. */
import { describe, expect, test } from 'vitest';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import { KEYS, shownKeys } from '../../src/dashboard/keys.ts';
import { press } from '../../src/dashboard/press.ts';
import { choiceKey, keysAloud, paneAloud, questionAloud, stateAloud } from '../../src/dashboard/reader/aloud.ts';
import { Speech } from '../../src/dashboard/reader/reader.ts';
import { sentencesOf } from '../../src/dashboard/reader/spoken.ts';
import { sceneOf } from '../../src/dashboard/view.ts';
import { event, GATE, HILL, MUSTERING, NOW, QUIET, type Undated, viewer, WITH_TRUTH, worldOf } from './harbour.ts';

const [battery, sos] = MUSTERING.alerts as [StreamSnapshot['alerts'][0], StreamSnapshot['alerts'][0]];
const muster = MUSTERING.musters[0]!;
const says = (snapshot: StreamSnapshot, change: Undated): string[] =>
  sentencesOf(worldOf(snapshot), { at: NOW, ...change }).map(({ at, text }) => `${at.slice(11, 19)}. ${text}`);

describe('what is worth hearing', () => {
  test('a call for help, with how many are safe', () => {
    const help = {
      ...sos,
      id: 'help',
      type: 'evacuation_help' as const,
      details: { reason: 'injured' },
    } as unknown as typeof sos;
    expect(says(MUSTERING, event('alert.created', { alert: help }))).toEqual([
      '06:12:30. Critical, Injured, W-020, Tank Farm. 19 of 24 safe, 1 called for help.',
    ]);
  });

  test('another alert, and what became of it', () => {
    expect(says(QUIET, event('alert.created', { alert: sos }))).toEqual([
      '06:12:30. Critical, SOS by button, W-020, Tank Farm.',
    ]);
    expect(says(QUIET, event('alert.created', { alert: battery }))).toEqual([
      '06:12:30. Low, Low battery, 9 %, W-022, Tank Farm.',
    ]);
    const tsunami = {
      ...sos,
      type: 'tsunami_risk' as const,
      details: {},
      worker: null,
      zone: null,
    } as unknown as typeof sos;
    expect(says(QUIET, event('alert.created', { alert: tsunami }))).toEqual([
      '06:12:30. Critical, Tsunami risk, the whole of North Harbour.',
    ]);
    const by = { at: NOW, by: 'M. Vidal' };
    const acknowledged = { ...sos, status: 'acknowledged' as const, acknowledged: by };
    expect(says(MUSTERING, event('alert.acknowledged', { alert: acknowledged }))).toEqual([
      '06:12:30. Acknowledged by M. Vidal: Critical, SOS by button, W-020, Tank Farm.',
    ]);
    expect(says(MUSTERING, event('alert.resolved', { alert: { ...sos, resolved: { ...by, note: null } } }))).toEqual([
      '06:12:30. Resolved by M. Vidal: Critical, SOS by button, W-020, Tank Farm.',
    ]);
    expect(says(MUSTERING, event('alert.reopened', { alert: sos }))).toEqual([
      '06:12:30. Open again: Critical, SOS by button, W-020, Tank Farm.',
    ]);
    expect(says(MUSTERING, event('alert.worker_acknowledged', { alert: sos }))).toEqual([
      '06:12:30. Seen on the watch that help comes: Critical, SOS by button, W-020, Tank Farm.',
    ]);
    expect(says(MUSTERING, { subject: 'alert', alert: { ...sos, status: 'resolved' } })).toEqual([]);
  });

  test('a muster: its beginning, a point that is excluded, its totals, its end', () => {
    expect(says(QUIET, event('muster.started', { muster }))).toEqual([
      '06:12:30. Tsunami muster at North Harbour, evacuating, deadline 06:25:00, official. 19 of 24 safe, 1 called for help.',
    ]);
    const excluded = { reason: 'fire', recommended: false, at: NOW, by: 'Desk' };
    const points = muster.assembly_points.map((point) => (point.id === HILL ? { ...point, excluded } : point));
    expect(
      says(MUSTERING, event('muster.targets_changed', { muster: { ...muster, assembly_points: points } })),
    ).toEqual(['06:12:30. Hill is excluded by Desk: fire.']);
    const open = muster.assembly_points.map((point) => (point.id === GATE ? { ...point, excluded: null } : point));
    expect(says(MUSTERING, event('muster.targets_changed', { muster: { ...muster, assembly_points: open } }))).toEqual([
      '06:12:30. Gate A is a target again.',
    ]);
    const totals = { ...muster.totals, safe: 20, pending: 0 };
    expect(says(MUSTERING, event('muster.updated', { muster: { ...muster, totals } }))).toEqual([
      '06:12:30. 20 of 24 safe, 1 called for help, 1 at a wrong point, 1 without signal, 1 without their watch on.',
    ]);
    const over = { ...muster, status: 'completed' as const, totals: { ...totals, safe: 24, help: 0 } };
    expect(says(MUSTERING, event('muster.ended', { muster: over }))[0]).toMatch(
      /The muster is completed\. 24 of 24 safe, /,
    );
  });

  test('a receiver that begins to fail, and one that hears again', () => {
    const [failing, fine] = MUSTERING.destinations as [
      StreamSnapshot['destinations'][0],
      StreamSnapshot['destinations'][0],
    ];
    expect(says(MUSTERING, { subject: 'destination', destination: { ...fine, failing_since: NOW } })).toEqual([
      '06:12:30. Deliveries to receiver.example fail.',
    ]);
    expect(says(MUSTERING, { subject: 'destination', destination: { ...failing, failing_since: null } })).toEqual([
      '06:12:30. Deliveries to slow.example arrive again.',
    ]);
    expect(says(MUSTERING, { subject: 'delivery', delivery: MUSTERING.deliveries[0]! })).toEqual([]);
    const lost = { ...MUSTERING.deliveries[0]!, state: 'lost' as const };
    expect(says(MUSTERING, { subject: 'delivery', delivery: lost })[0]).toMatch(/A delivery is lost: alert\.created/);
  });

  test('nobody who only walks', () => {
    expect(says(MUSTERING, { subject: 'person', people: MUSTERING.people })).toEqual([]);
    expect(says(WITH_TRUTH, { subject: 'truth', truth: WITH_TRUTH.truth! })).toEqual([]);
  });
});

test('totals are said every 5 s at most, and then the newest; all else at once', () => {
  const spoken: string[] = [];
  const timers: { ms: number; task: () => void }[] = [];
  const speech = new Speech(
    (text) => spoken.push(text),
    (ms, task) => {
      timers.push({ ms, task });
      return () => {};
    },
  );
  const totals = (text: string) => speech.add({ text, totalsOf: 'm' });
  totals('19 safe');
  totals('20 safe');
  totals('21 safe');
  speech.add({ text: 'Help.', totalsOf: null });
  expect(spoken).toEqual(['19 safe', 'Help.']);
  timers.shift()!.task();
  expect(spoken.slice(2)).toEqual(['21 safe']);
  expect(timers.map(({ ms }) => ms)).toEqual([5_000]);
  timers.shift()!.task();
  expect(timers).toEqual([]);
  totals('22 safe');
  expect(spoken.at(-1)).toBe('22 safe');
});

describe('what is read out when it is asked for', () => {
  const scene = (snapshot: StreamSnapshot) => sceneOf(worldOf(snapshot), viewer(), 0);

  test('all of it, in words', () => {
    expect(stateAloud(scene(MUSTERING), viewer())).toEqual([
      'Tsunami muster at North Harbour, evacuating, deadline 06:25:00, official. 1 to rescue, 19 of 24 safe, 1 called for help, 1 at a wrong point, 1 not arrived, 1 without signal, 1 without their watch on.',
      '24 of 24 are located.',
      'Gate A, excluded recommended, by M. Vidal: too low, 1 are here.',
      'Hill, 19 safe, of 80 that it holds.',
      '5 missing.',
      'Injured, to be rescued, W-020, Ana Ruiz U, Tank Farm, seen 12s ago.',
      'Wrong point, W-021, Ana Ruiz V, Gate A, seen 0s ago.',
      'No signal, W-022, Ana Ruiz W, Container Yard, seen 4m ago.',
      'Not worn, W-023, Ana Ruiz X, Container Yard, seen 0s ago.',
      'Not arrived, W-024, Ana Ruiz Y, 30 m from Tank Farm, seen 0s ago.',
      '2 open alerts.',
      'Critical, SOS by button, W-020, Tank Farm, unacknowledged, 1m ago.',
      'Low, Low battery, 9 %, W-022, Container Yard, acknowledged by M. Vidal, 22m ago.',
      'Webhooks to slow.example, 0 delivered, 0 attempts failed, 1 waiting, 0 lost, failing for 2m.',
      expect.stringMatching(/^Webhooks to receiver\.example, 0 delivered/),
    ]);
  });

  test('a quiet morning is reported as one', () => {
    expect(stateAloud(scene(QUIET), viewer())).toEqual(
      expect.arrayContaining(['North Harbour: no muster is under way. 24 people.', 'No alert is open.']),
    );
    expect(paneAloud(scene(QUIET), viewer(), 'people')).toHaveLength(12);
    expect(paneAloud(scene(QUIET), viewer(), 'people').at(-1)).toBe('And 14 more.');
  });

  test('ground truth only where it is on', () => {
    const known = scene(WITH_TRUTH);
    expect(stateAloud(known, viewer()).join(' ')).not.toContain('TRUTH');
    expect(stateAloud(known, viewer({ truth: true })).join(' ')).toContain('TRUTH fixes off 0 m');
  });
});

describe('a question', () => {
  test('has numbers for its choices', () => {
    const world = worldOf(QUIET);
    const { view } = press('m', viewer(), sceneOf(world, viewer(), 0), world, 0);
    expect(questionAloud(view.question!, 'Desk')).toEqual([
      'Start a muster, as Desk?',
      'At North Harbour: everybody there must evacuate.',
      '1: general.',
      '2: tsunami.',
      '3: earthquake.',
      '4: no.',
      'Press a number. Escape leaves it.',
    ]);
    expect(['1', '2', '4', '9', 'escape'].map((key) => choiceKey(view.question, key))).toEqual([
      'g',
      't',
      'n',
      '',
      'escape',
    ]);
    expect(choiceKey(null, '2')).toBe('2');
  });
});

test('the keys are listed as lines, all but those that turn a picture', () => {
  const lines = keysAloud().join('\n');
  expect(lines).toContain('Shift T: ground truth on the map.');
  expect(lines).not.toMatch(/[↑↓←→]|nearer|theme/);
  for (const effect of ['acknowledge', 'start-muster', 'state', 'quit'])
    expect(lines).toContain(KEYS.find((row) => row.effect === effect)!.help);
  expect(lines).not.toContain(`${shownKeys(KEYS.find(({ effect }) => effect === 'zoom-in')!)}:`);
});

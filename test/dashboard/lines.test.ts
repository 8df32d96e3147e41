/** The stream as lines and sentences: for a pipe, and for a screen reader. */
import { describe, expect, test } from 'vitest';
import type { StreamChange, StreamDelivery } from '../../src/contract/stream.ts';
import { changeLines, snapshotLines } from '../../src/dashboard/reader/plain.ts';
import { sentencesOf } from '../../src/dashboard/reader/spoken.ts';
import { afterChange } from '../../src/watching/state/state.ts';
import { event, MUSTERING, NOW, person, SITE_ID, type Undated, worldOf } from './harbour.ts';

const world = worldOf(MUSTERING);
const at = (change: Undated): StreamChange => ({ at: NOW, ...change });
const sos = MUSTERING.alerts[1]!;
const muster = MUSTERING.musters[0]!;

describe('one fact a line', () => {
  test('a clock that only sends its time again is no news, in lines and in sentences', () => {
    const clockAt = (speed: number, paused = false): StreamChange =>
      at({ subject: 'clock', clock: { now: '2026-10-05T06:20:00Z', speed, paused } }) as StreamChange;
    const known = afterChange(world, clockAt(60), 1);
    const news = (change: StreamChange) =>
      [changeLines(known, afterChange(known, change, 1), change), sentencesOf(known, change)].map(
        ({ length }) => length,
      );
    expect([clockAt(60), clockAt(10), clockAt(60, true)].map(news)).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test('a beginning tells of the muster that is under way and of open alerts', () => {
    expect(snapshotLines(MUSTERING)).toEqual([
      '06:12:30 begin    North Harbour: 24 people, 2 open alerts, 2 destinations.',
      '06:12:30 muster   Tsunami muster at North Harbour, evacuating, deadline 06:25:00, official. 1 to rescue, 19 of 24 safe, 1 called for help, 1 at a wrong point, 1 not arrived, 1 without signal, 1 without their watch on.',
      '06:12:30 alert    Low, Low battery, 9 %, W-022, Container Yard, acknowledged by M. Vidal.',
      '06:12:30 alert    Critical, SOS by button, W-020, Tank Farm, unacknowledged.',
    ]);
  });

  test('a change tells what is other than before, and a walk tells nothing', () => {
    const lines = (next: Undated): string[] => changeLines(world, afterChange(world, at(next), 1), at(next));
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'pending' })] })).toEqual([]);
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'safe' })] })).toEqual([
      '06:12:30 person   Safe, W-024, Ana Ruiz Y, 55 m from Container Yard.',
    ]);
    const resolved = { ...sos, status: 'resolved' as const, resolved: { at: NOW, by: 'M. Vidal', note: null } };
    expect(lines(event('alert.resolved', { alert: resolved }))).toEqual([
      '06:12:30 alert    Resolved by M. Vidal: Critical, SOS by button, W-020, Tank Farm.',
    ]);
    const [waiting, done] = MUSTERING.deliveries as [StreamDelivery, StreamDelivery];
    expect(lines({ subject: 'delivery', delivery: { ...waiting, tries: 3 } })).toEqual([
      '06:12:30 delivery alert.created, to slow.example, failed 503, attempt 4, in 0:24.',
    ]);
    expect(lines({ subject: 'delivery', delivery: { ...done, took_ms: 41.4 } })).toEqual([
      '06:12:30 delivery muster.updated, to receiver.example, delivered 204, 41 ms.',
    ]);
    expect(lines({ subject: 'delivery', delivery: { ...waiting, tries: 0 } })).toEqual([]);
    expect(lines({ subject: 'alert', alert: { ...sos, assigned_to: 'M. Vidal' } })).toEqual([]);
    expect(
      lines({
        subject: 'muster',
        muster: { ...muster, site: { id: SITE_ID, name: 'North Harbour' }, targets_revision: 3 },
      }),
    ).toEqual([]);
    expect(lines({ subject: 'clock', clock: { now: NOW, speed: 1, paused: true } })).toEqual([
      '06:12:30 clock    Time stands still.',
    ]);
  });
});

/** The stream as lines and sentences: for a pipe, and for a screen reader. */
import { describe, expect, test } from 'vitest';
import type { StreamChange } from '../../src/contract/stream.ts';
import { changeLines, snapshotLines } from '../../src/dashboard/reader/plain.ts';
import { sentencesOf } from '../../src/dashboard/reader/spoken.ts';
import { afterChange } from '../../src/watching/state/state.ts';
import { MUSTERING, NOW, person, SITE_ID, type Undated, worldOf } from './harbour.ts';

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
      [changeLines(known, change), sentencesOf(known, change)].map(({ length }) => length);
    expect([clockAt(60), clockAt(10), clockAt(60, true)].map(news)).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test('a beginning tells of the muster that is under way and of open alerts', () => {
    expect(snapshotLines(MUSTERING)).toEqual([
      '06:12:30 begin    North Harbour: 24 people, 2 open alerts, 2 destinations',
      '06:12:30 muster   North Harbour tsunami evacuating 19 of 24 safe, 1 called for help, 1 wrong point, 1 not arrived, 1 no signal, 1 not worn',
      '06:12:30 alert    low low battery: W-022 in Tank Farm acknowledged',
      '06:12:30 alert    critical SOS: W-020 in Tank Farm unacknowledged',
    ]);
  });

  test('a change tells what is other than before, and a walk tells nothing', () => {
    const lines = (next: Undated): string[] => changeLines(world, at(next));
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'pending' })] })).toEqual([]);
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'safe' })] })).toEqual([
      '06:12:30 person   W-024 safe',
    ]);
    expect(lines({ subject: 'alert', alert: { ...sos, status: 'resolved' } })).toEqual([
      '06:12:30 alert    critical SOS: W-020 in Tank Farm resolved',
    ]);
    expect(lines({ subject: 'alert', alert: { ...sos, assigned_to: 'M. Vidal' } })).toEqual([]);
    expect(
      lines({
        subject: 'muster',
        muster: { ...muster, site: { id: SITE_ID, name: 'North Harbour' }, targets_revision: 3 },
      }),
    ).toEqual([]);
    expect(lines({ subject: 'clock', clock: { now: NOW, speed: 1, paused: true } })).toEqual([
      '06:12:30 clock    paused',
    ]);
  });
});

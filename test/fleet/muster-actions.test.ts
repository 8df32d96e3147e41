/** What befalls a watch in a muster, and who has the last word on it. [watch-protocol `help`, `declare`] */
import { describe, expect, it } from 'vitest';
import { WatchMachine } from '../../src/fleet/watch/machine.ts';
import { MusterActions } from '../../src/fleet/wearer/muster-actions.ts';

const NOW = 1_791_180_000_000;

function watchThat(is: { worn?: boolean; covered?: boolean; seen?: boolean } = {}) {
  const machine = new WatchMachine({
    serial: 'SIM-1',
    salt: '1',
    lastSession: 0,
    worn: true,
    positionEveryMs: 60_000,
    alarmEveryMs: 10_000,
    stagger: 1,
  });
  const state = { worn: true, covered: true, seen: true, ...is };
  const musterActions = new MusterActions({
    machine,
    worn: () => state.worn,
    covered: () => state.covered,
    seen: () => state.seen,
    wear: (how) => {
      state.worn = how === 'on';
    },
    lose: () => {
      state.covered = false;
    },
    regain: () => {
      state.covered = true;
      return Promise.resolve();
    },
  });
  machine.beginSession();
  const eventsOf = (): unknown[] => {
    const events: unknown[] = [];
    for (let next = machine.next(NOW, true); next !== null; next = machine.next(NOW, true)) {
      machine.delivered(next.parcel);
      if (next.parcel.is === 'event') events.push({ kind: next.parcel.item.kind, ...next.parcel.item.fields });
    }
    return events;
  };
  return { musterActions, state, eventsOf };
}

describe('a watch in a muster', () => {
  it('says that its wearer needs help and why', () => {
    const { musterActions, eventsOf } = watchThat();
    musterActions.do({ kind: 'help', reason: 'trapped' }, NOW);
    expect(eventsOf()).toEqual([{ kind: 'help', reason: 'trapped' }]);
  });

  it('says at which point its wearer is where it shows no position, and otherwise only if they always say it', () => {
    for (const [seen, ifUnseen, says] of [
      [true, true, false],
      [true, false, true],
      [false, true, true],
      [false, false, true],
    ] as const) {
      const { musterActions, eventsOf } = watchThat({ seen });
      musterActions.do({ kind: 'declare', pointId: 'p', ifUnseen }, NOW);
      expect(eventsOf()).toEqual(says ? [{ kind: 'declare', point_id: 'p' }] : []);
    }
  });

  it('says nothing while nobody wears it', () => {
    const { musterActions, eventsOf } = watchThat({ seen: false });
    musterActions.do({ kind: 'takes-off' }, NOW);
    musterActions.do({ kind: 'help', reason: 'injured' }, NOW);
    musterActions.do({ kind: 'declare', pointId: 'p', ifUnseen: true }, NOW);
    expect(eventsOf()).toEqual([]);
    musterActions.do({ kind: 'puts-on' }, NOW);
    musterActions.do({ kind: 'help', reason: 'injured' }, NOW);
    expect(eventsOf()).toEqual([{ kind: 'help', reason: 'injured' }]);
  });

  it('is not put on by a muster when somebody had taken it off before, or said since how it is worn', () => {
    const before = watchThat({ worn: false });
    before.musterActions.do({ kind: 'takes-off' }, NOW);
    before.musterActions.do({ kind: 'puts-on' }, NOW);
    expect(before.state.worn).toBe(false);
    const since = watchThat();
    since.musterActions.do({ kind: 'takes-off' }, NOW);
    since.musterActions.orderedWear();
    since.musterActions.do({ kind: 'puts-on' }, NOW);
    expect(since.state.worn).toBe(false);
  });

  it('is on the wrist and in cover for whoever is told to do something, and stays so', () => {
    const { musterActions, state } = watchThat();
    musterActions.do({ kind: 'takes-off' }, NOW);
    musterActions.do({ kind: 'cover-lost' }, NOW);
    expect(state).toMatchObject({ worn: false, covered: false });
    expect(musterActions.toHand(NOW)).not.toBeNull();
    expect(state).toMatchObject({ worn: true, covered: true });
    expect(musterActions.toHand(NOW)).toBeNull();
    const reported = watchThat({ worn: false, covered: false });
    expect(reported.musterActions.toHand(NOW)).toBeNull();
    expect(reported.state).toMatchObject({ worn: false, covered: false });
  });

  it('comes back into cover, unless somebody took the cover away before or since', () => {
    const own = watchThat();
    own.musterActions.do({ kind: 'cover-lost' }, NOW);
    expect(own.state.covered).toBe(false);
    own.musterActions.do({ kind: 'cover-back' }, NOW);
    expect(own.state.covered).toBe(true);
    const before = watchThat({ covered: false });
    before.musterActions.do({ kind: 'cover-lost' }, NOW);
    before.musterActions.do({ kind: 'cover-back' }, NOW);
    expect(before.state.covered).toBe(false);
    const since = watchThat();
    since.musterActions.do({ kind: 'cover-lost' }, NOW);
    since.musterActions.orderedCover();
    since.musterActions.do({ kind: 'cover-back' }, NOW);
    expect(since.state.covered).toBe(false);
  });
});

/** A watch that is kept and resumed says and shows what the uninterrupted one does, given the same inputs. [decisions 9, a restart] */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import { check } from '../../../src/contract/check.ts';
import type { MusterNotice } from '../../../src/contract/watch.ts';
import type { KeptItem } from '../../../src/fleet/connection/outbox.ts';
import { KeptMachine, KeptPower } from '../../../src/fleet/kept/documents.ts';
import { itemKey } from '../../../src/fleet/kept/keeper.ts';
import { HEAD_KEY } from '../../../src/fleet/kept/memory.ts';
import { recall } from '../../../src/fleet/kept/recall.ts';
import { Charge } from '../../../src/fleet/watch/charge.ts';
import { WatchMachine } from '../../../src/fleet/watch/machine.ts';
import { Power } from '../../../src/fleet/watch/power.ts';
import { noticeKey } from '../../../src/fleet/watch/screen.ts';
import { isWhole } from '../../helpers/whole.ts';

const START = 1_791_180_000_000;
const SERIAL = 'W-001';

const RUNS = isWhole ? 300 : 30;

const newMachine = (): WatchMachine =>
  new WatchMachine({
    serial: SERIAL,
    salt: 'test',
    lastSession: 3,
    worn: true,
    positionEveryMs: 10_000,
    alarmEveryMs: 5_000,
    stagger: 0.4,
  });

const musterOf = (n: number): MusterNotice => ({
  muster_id: idFrom('muster', n),
  status: n % 3 === 0 ? 'completed' : 'active',
  kind: 'general',
  phase: 'evacuating',
  revision: n + 1,
  deadline: null,
  points: [],
});

/** What a watch lives through; `n` picks one of a few alerts, falls or musters. */
type Input = { readonly is: (typeof INPUTS)[number]; readonly n: number; readonly afterMs: number };
const INPUTS = [
  'connect',
  'position',
  'battery',
  'sos',
  'fall',
  'call',
  'help',
  'declare',
  'answer',
  'acknowledge',
  'prompt',
  'alert',
  'resolved',
  'rest',
  'vehicle',
  'muster',
  'config',
  'report',
  'skew',
  'take-off',
] as const;
const input: fc.Arbitrary<Input> = fc.record({
  is: fc.constantFrom(...INPUTS),
  n: fc.integer({ min: 0, max: 4 }),
  afterMs: fc.integer({ min: 0, max: 20_000 }),
});
/** Connected: all that it has to publish is published, `sent` of it at once. */
const say = fc.record({ is: fc.constant('say' as const), n: fc.integer({ min: 1, max: 6 }), afterMs: fc.constant(1) });

const CONNECT = { is: 'connect', n: 0, afterMs: 1 } as const;

/** What comes of an input, as far as anybody could tell. */
function live(machine: WatchMachine, { is, n }: Input | { is: 'say'; n: number }, now: number): unknown {
  const fallId = idFrom('fall', n);
  const alert_id = idFrom('alert', n);
  switch (is) {
    case 'connect':
      machine.beginSession();
      return machine.connected(now);
    case 'say':
      return Array.from({ length: n }, () => {
        const next = machine.next(now, n % 2 === 0);
        if (next !== null) machine.delivered(next.parcel);
        return next?.message;
      });
    case 'position': {
      const place = {
        latitude: 37 + n / 1e4,
        longitude: -6,
        uncertainty_m: 3,
        source: 'gps',
        in_vehicle: false,
      } as const;
      return machine.reportPosition({ t: formatInstant(now), ...place, worn: machine.worn });
    }
    case 'battery':
      return machine.reportBattery(80 - n, now);
    case 'sos':
      return machine.report('sos', { with: 'watch_button' }, now);
    case 'fall':
      return machine.fall(n === 0 ? null : { answer: n % 2 === 0 ? 'ok' : 'help', afterMs: 5_000 }, now);
    case 'call':
      return machine.report('call', { voice_note: n > 2 }, now);
    case 'help':
      return machine.report('help', { reason: n > 2 ? 'trapped' : null }, now);
    case 'declare':
      return machine.report('declare', { point_id: alert_id }, now);
    case 'answer':
      return machine.answer(n % 2 === 0 ? 'ok' : 'help', now);
    case 'acknowledge':
      return machine.acknowledge(n === 0 ? undefined : alert_id, now);
    case 'prompt':
      return machine.onAlert({ kind: 'prompt', fall_id: fallId, until: formatInstant(now + 10_000 * n) }, now);
    case 'alert':
    case 'resolved': {
      const status = is === 'alert' ? 'unacknowledged' : 'resolved';
      return machine.onAlert({ kind: 'alert', alert_id, type: 'sos', status, by: null }, now);
    }
    case 'rest':
      return machine.onAlert({ kind: 'rest', alert_id }, now);
    case 'vehicle':
      return machine.onAlert({ kind: 'vehicle', warning_id: alert_id, vehicle_type: 'van', distance_m: n }, now);
    case 'muster':
      return machine.onMuster(musterOf(n), now);
    case 'config':
      return machine.onConfig({ position_every_s: 5 + n, alarm_every_s: 2 + n, prompt_s: 30 }, now);
    case 'report':
      return machine.reported(now);
    case 'skew':
      machine.skewMs = n * 1_000;
      return null;
    case 'take-off':
      machine.worn = n > 2;
      return null;
  }
}

const looked = (machine: WatchMachine, now: number) => ({
  shown: machine.shown(now),
  alarmed: machine.alarmed,
  nextReportAt: machine.nextReportAt,
  session: machine.session,
});

/** Its outbox on a disk, and the process that reads it. */
class Disk {
  readonly items = new Map<string, string>();

  write(machine: WatchMachine): void {
    const { puts, removals } = machine.outbox.keep();
    for (const [number, item] of puts) this.items.set(itemKey(SERIAL, number), JSON.stringify(item));
    for (const number of removals) this.items.delete(itemKey(SERIAL, number));
  }

  resume(machine: WatchMachine): WatchMachine {
    const checked = check(KeptMachine, JSON.parse(JSON.stringify(machine.kept())));
    if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
    const recalled = recall(new Map([[HEAD_KEY, '{"version":1,"at":0}'], ...this.items]));
    expect(recalled?.unreadable).toEqual([]);
    const shown = checked.value.screen.muster;
    const notices = [0, 1, 2, 3, 4].map(musterOf);
    const resumed = newMachine();
    resumed.resumeOutbox(recalled?.items.get(SERIAL) ?? []);
    resumed.resume(checked.value, notices.find((reported) => noticeKey(reported) === shown) ?? null, 0);
    return resumed;
  }
}

describe('a watch', () => {
  it('goes on as the uninterrupted one, whatever it had said, heard and not said yet', () => {
    let sent = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: input }, say), { maxLength: 40 }),
        fc.array(fc.oneof({ weight: 3, arbitrary: input }, say), { maxLength: 30 }),
        fc.array(input, { maxLength: 10 }),
        fc.nat({ max: 40 }),
        (before, after, offline, written) => {
          const machine = newMachine();
          const disk = new Disk();
          let now = START;
          for (const [n, one] of before.entries()) {
            now += one.afterMs;
            live(machine, one, now);
            if (n === written) disk.write(machine);
          }
          disk.write(machine);
          const resumed = disk.resume(machine);
          // A charge is published anew at each connection, and not kept.
          for (const both of [machine, resumed]) both.reportBattery(50, now);
          // Whatever happens before it is connected again, it says nothing in a session that is over.
          for (const one of [...offline, CONNECT, ...after, CONNECT, { is: 'say', n: 6, afterMs: 1 } as const]) {
            now += one.afterMs;
            const [was, is] = [live(machine, one, now), live(resumed, one, now)];
            expect(is).toEqual(was);
            expect(looked(resumed, now)).toEqual(looked(machine, now));
            if (one.is === 'say') sent += 1;
          }
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? RUNS), seed: 3 },
    );
    expect(sent).toBeGreaterThan(RUNS);
  });

  it('sends what it kept under its own id, the gravest first, and nothing of what was heard already', () => {
    const machine = newMachine();
    const disk = new Disk();
    const { item: call } = machine.report('call', { voice_note: true }, START);
    disk.write(machine);
    live(machine, { is: 'connect', n: 0 } as Input, START);
    live(machine, { is: 'say', n: 2 }, START);
    const { item: sos } = machine.report('sos', { with: 'watch_button' }, START + 1);
    const { item: help } = machine.report('help', { reason: 'trapped' }, START + 2);
    disk.write(machine);
    const resumed = disk.resume(machine);
    live(resumed, { is: 'connect', n: 0 } as Input, START + 9_000);
    const ids = Array.from({ length: 4 }, () => {
      const next = resumed.next(START + 9_000, true);
      if (next !== null) resumed.delivered(next.parcel);
      return (next?.message.payload as { id?: string } | undefined)?.id;
    });
    expect(ids).toEqual([undefined, sos.id, help.id, undefined]);
    expect(ids).not.toContain(call.id);
    expect(resumed.session).toBe(5);
  });

  it('a damaged file of a watch names the items that are no messages, and keeps the others', () => {
    const event = (kind: string, fields: object) =>
      JSON.stringify({ is: 'event', kind, id: idFrom(kind), at: START, fields });
    const texts = new Map([
      [HEAD_KEY, '{"version":1,"at":0}'],
      [itemKey(SERIAL, 1), event('sos', { with: 'watch_button' })],
      [itemKey(SERIAL, 2), event('sos', { with: 'watch_button', pulse: 61 })],
      [itemKey(SERIAL, 3), event('help', { reason: 'tired' })],
      [itemKey(SERIAL, 4), '{"is":"position","fix":{"latitude":91}}'],
      [itemKey(SERIAL, 5), 'not json'],
      [itemKey(SERIAL, 12), event('call', { voice_note: false })],
    ]);
    const { items, unreadable } = recall(texts)!;
    expect(items.get(SERIAL)?.map(([number, item]) => [number, (item as KeptItem & { kind: string }).kind])).toEqual([
      [1, 'sos'],
      [12, 'call'],
    ]);
    expect(unreadable).toHaveLength(4);
  });
});

describe('a battery', () => {
  it('has the level that it would have had, and dies and says its charge when it would have, later by the gap', () => {
    const modes = fc.constantFrom('normal' as const, 'alarm' as const, 'charging' as const);
    const step = fc.record({
      mode: modes,
      pct: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 3 }),
      drain: fc.option(fc.integer({ min: 0, max: 3_000 }), { freq: 3 }),
      minutes: fc.integer({ min: 0, max: 90 }),
    });
    const apply = (
      power: Power,
      { mode, pct, drain }: { mode: 'normal' | 'alarm' | 'charging'; pct: number | null; drain: number | null },
      now: number,
    ) => {
      power.use(mode, now);
      if (pct !== null || drain !== null)
        power.set({ ...(pct === null ? {} : { pct }), ...(drain === null ? {} : { drain }) }, now);
      power.reported(now);
      return [power.pct(now), power.charging, power.dead, power.isLow(now)];
    };
    const newPower = () => new Power(new Charge(70, { normal: 4.5, alarm: 20 }, START), 2);
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.array(step, { maxLength: 8 }),
        fc.nat(5_000),
        (before, after, gapS) => {
          const power = newPower();
          let now = START;
          for (const one of before) {
            now += one.minutes * 60_000;
            apply(power, one, now);
          }
          const checked = check(KeptPower, JSON.parse(JSON.stringify(power.kept())));
          if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
          const resumed = newPower();
          const gapMs = gapS * 1_000;
          resumed.resume(checked.value, gapMs);
          for (const one of after) {
            now += one.minutes * 60_000;
            expect(apply(resumed, one, now + gapMs)).toEqual(apply(power, one, now));
            expect(Math.abs(resumed.dueAt - gapMs - power.dueAt) <= 1 || resumed.dueAt === power.dueAt).toBe(true);
          }
        },
      ),
      { numRuns: RUNS, seed: 5 },
    );
  });
});

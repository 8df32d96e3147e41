/** Who is missing, as a client sees it: statuses of the last count, the rest of now, and no more than the contract shows. [spec 2, decisions 1, 4, 6] */
import { describe, expect, test } from 'vitest';
import type { MissingWorker } from '../../../../src/contract/resources.ts';
import { clientOf, type Viewer, viewerOf } from '../../../../src/service/domain/access/viewer.ts';
import { missingIn, missingView } from '../../../../src/service/domain/views/muster.ts';
import type { Client } from '../../../../src/service/domain/world/documents.ts';
import { type Options, ORG } from '../small-world.ts';
import { AT, MusterWorld } from './muster-world.ts';

function list(small: MusterWorld, part: Partial<Viewer> = {}, positions = true): MissingWorker[] {
  const viewer = { ...viewerOf(clientOf(small.world, ORG) as Client), ...part };
  const found = missingIn(small.world, small.muster(), viewer, small.now);
  return found.map((one) => missingView(small.world, one, viewer, positions));
}

const entry = (small: MusterWorld, n: number, positions = true) =>
  list(small, {}, positions).find(({ worker }) => worker.id === small.workerId(n));

const begun = (options: Options = {}): MusterWorld => {
  const small = new MusterWorld(options);
  small.start();
  return small;
};

describe('the missing list', () => {
  test('has everybody who was not safe at the last count, and nobody else', () => {
    const small = begun();
    small.declare(1, 'Gate A');
    expect(list(small)).toHaveLength(3);
    small.wait(5);
    expect(list(small).map(({ worker }) => worker.name)).toEqual(['Luis Paz', 'Eva Mar']);
    const { expected, safe } = small.shown().totals;
    expect(list(small)).toHaveLength(expected - safe);
  });

  test('is empty once the muster has ended', () => {
    const small = begun();
    small.end();
    expect(list(small)).toEqual([]);
  });

  test('has who asked for help first, then who was never seen, then who was seen longest ago', () => {
    const small = begun();
    small.now += 1_000;
    small.goes(1, 'nowhere');
    small.now += 1_000;
    small.goes(2, 'nowhere');
    small.help(2);
    small.wait(10);
    expect(list(small).map(({ worker }) => worker.id)).toEqual([2, 3, 1].map((n) => small.workerId(n)));
    const worker = small.world.need('worker', small.workerId(1));
    small.world.put('worker', { ...worker, deviceId: null });
    expect(list(small)).toMatchObject([{ status: 'help' }, { device: null, last_seen_at: null, location: null }, {}]);
  });

  test('tells why somebody cannot evacuate, as of the last count', () => {
    const small = begun();
    small.help(1, 'trapped');
    expect(entry(small, 1)).toMatchObject({ status: 'pending', help_reason: null });
    small.wait(5);
    expect(entry(small, 1)).toMatchObject({ status: 'help', help_reason: 'trapped' });
    small.help(1, 'injured');
    small.wait(5);
    expect(entry(small, 1)?.help_reason).toBe('injured');
    small.help(1, null);
    small.wait(5);
    expect(entry(small, 1)?.help_reason).toBe('injured');
    small.update(small.alert('evacuation_help'), 'resolved');
    small.wait(5);
    expect(entry(small, 1)).toMatchObject({ status: 'pending', help_reason: null });
  });

  test.each(['sos', 'fall'] as const)('says now that somebody with an open %s needs rescue', (what) => {
    const small = begun();
    expect(entry(small, 1)?.needs_rescue).toBe(false);
    small[what](1);
    expect(entry(small, 1)).toMatchObject({ status: 'pending', needs_rescue: true });
    small.update(small.alert(what === 'sos' ? 'sos' : 'fall_detected'), 'resolved');
    expect(entry(small, 1)?.needs_rescue).toBe(false);
  });

  test('tells at which point somebody is, and whether it is a good one', () => {
    const small = begun();
    small.goes(1, 'tower');
    small.goes(2, 'gate');
    small.wait(5);
    const tower = { id: small.pointId('Tower'), name: 'Tower', valid: false };
    expect(entry(small, 1)).toMatchObject({ status: 'wrong_point', assembly_point: tower, declared_at: null });
    const gate = { id: small.pointId('Gate A'), name: 'Gate A', valid: true };
    expect(entry(small, 2)).toMatchObject({ status: 'pending', assembly_point: gate });
    expect(entry(small, 3)?.assembly_point).toBeNull();
  });

  test('tells where somebody said they were and when, also after they were seen elsewhere', () => {
    const small = begun();
    small.now += 1_234;
    small.declare(1, 'Gate A');
    small.goes(1, 'nowhere');
    small.wait(5);
    expect(entry(small, 1)).toMatchObject({
      status: 'pending',
      assembly_point: { name: 'Gate A', valid: true },
      declared_at: '2026-10-05T06:00:01.234Z',
    });
  });

  test('keeps a status until the next count, and shows the rest as of now', () => {
    const small = begun();
    small.now += 1_000;
    small.goes(1, 'hill');
    const shown = entry(small, 1);
    expect(shown).toMatchObject({ status: 'pending', assembly_point: null, last_seen_at: '2026-10-05T06:00:01.000Z' });
    const { latitude, longitude } = small.fix(...AT.hill);
    expect(shown?.location).toMatchObject({ latitude, longitude });
  });
});

describe('what the contract shows of who is missing', () => {
  test('a name is there only where it includes names', () => {
    const small = begun({ client: { includeWorkerNames: false } });
    expect(list(small)).toHaveLength(3);
    for (const { worker } of list(small)) expect(Object.keys(worker)).toEqual(['id', 'external_id', 'contractor']);
    expect(JSON.stringify(list(small))).not.toMatch(/Ruiz|Paz|Mar/);
  });

  test('other contractors’ workers do not exist for it; the totals are the banner’s', () => {
    const small = begun({ client: { contractors: ['Norte SL'] } });
    expect(list(small).map(({ worker }) => worker.contractor)).toEqual(['Norte SL']);
    expect(small.shown().totals.expected).toBe(3);
  });

  test('a location needs positions:read; without it, it is withheld where there is one', () => {
    const small = begun();
    expect(entry(small, 1)).toMatchObject({ location: { masked: false }, location_withheld: false });
    expect(entry(small, 1, false)).toMatchObject({ location: null, location_withheld: true });
    const device = small.world.need('device', small.device(1));
    small.world.putTelemetry({ ...small.world.telemetry(device.id), fix: null });
    for (const positions of [true, false])
      expect(entry(small, 1, positions)).toMatchObject({ location: null, location_withheld: false });
  });

  test('somebody in a privacy zone is at the zone’s point', () => {
    const small = begun();
    small.at(1, 285, 165);
    const shown = entry(small, 1)?.location;
    expect(shown).toMatchObject({ masked: true, source: 'zone', uncertainty_m: null, height: null });
    small.at(1, 275, 155);
    expect(entry(small, 1)?.location).toEqual(shown);
  });
});

/** The house rules catch a service that breaks them, whatever the scenario is about: each with a stage that was doctored. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Alert, Muster } from '../../../src/contract/resources.ts';
import type { BootRequest } from '../../../src/scenario/playing/ports.ts';
import { SAMPLES } from '../../contract/samples.ts';
import { playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

/** What the run says of a world in which this happens 1 s after the start. */
async function reported(happens: (world: SmallWorld, request: BootRequest) => void): Promise<string> {
  const { result } = await playSteps(['wait: 5s'], (world, request) => world.at(1_000, () => happens(world, request)));
  return result.failures.map(({ text }) => text).join('\n');
}

const MUSTER = SAMPLES['Muster'] as unknown as Muster;
const near = (distance_m: number) => ({
  nearby: [
    { kind: 'person', worker: null, vehicle_type: null, distance_m, reported_at: '' },
  ] as unknown as Alert['nearby'],
});
const LOCATION = { latitude: 43.36125, longitude: -8.41233, uncertainty_m: 3, source: 'gps', masked: false } as never;

/** POSTs to the built-in receiver as a broken service would. */
function deliver({ clock, forwards }: BootRequest, path: string, signatures: (timestamp: string) => string): void {
  const release = clock.hold('delivery', 'a doctored delivery');
  const timestamp = String(Math.floor(clock.wall() / 1000));
  const headers = {
    'x-service-event-id': 'e1',
    'x-service-timestamp': timestamp,
    'x-service-signature': signatures(timestamp),
  };
  const url = `${forwards.get('erp.receiver.example')}${path}`;
  request(url, { method: 'POST', headers }, (answer) => answer.resume().on('end', release)).end('{}');
}

const signed = (timestamp: string) =>
  `v1=${createHmac('sha256', 'whsec_small').update(`${timestamp}.{}`).digest('hex')}`;

describe('a house rule tells, with the step that was under way,', () => {
  test('of a vital sign anywhere', async () => {
    expect(
      await reported((world) => world.alert('a1', { details: { trigger: 'watch_button', heart_rate: 140 } as never })),
    ).toMatch(/✗ small.scenario.yaml:7 {2}built-in rule: no vital sign leaves.*\n.*has the key heart_rate/);
  });

  test('of a name without the contract, also in a title', async () => {
    const failures = await reported((world) => {
      Object.assign(world.look.house, { mayName: () => false, namesOf: () => ['Ana Ruiz'] });
      world.alert('a1', { title: 'SOS: Ana Ruiz in Dock' });
    });
    expect(failures).toContain('built-in rule: names only with the contract');
    expect(failures).toContain('the alert sos a1 has the name Ana Ruiz, which the contract does not include');
  });

  test('but not of one that was rendered while the contract included it', async () => {
    const { result } = await playSteps(['wait: 2s', 'api: {get: /v1/sites, answers: {status: 200}}'], (world) => {
      let included = true;
      Object.assign(world.look.house, { mayName: () => included, namesOf: () => ['Small plant'] });
      world.at(1_000, () => {
        world.alert('a1', { title: 'Small plant' });
        included = false;
      });
    });
    expect(result.failures).toEqual([]);
  });

  test('of an event that is not what GET answers', async () => {
    const failures = await reported((world) => {
      world.alert('a1', {});
      world.doctor = (event) => {
        const { alert } = event.data as { alert: Alert };
        return { ...event, data: { alert: { ...alert, status: 'resolved' } } } as never;
      };
      world.event('alert.created', 'a1');
    });
    expect(failures).toContain('built-in rule: an event is what GET answers');
    expect(failures).toContain('alert.created event-1 differs from GET in status');
  });

  test('of an id that is given twice', async () => {
    const failures = await reported((world) => {
      world.alert('a1', {}, 'alert.created');
      world.doctor = (event) => ({ ...event, id: 'event-1' });
      world.event('alert.acknowledged', 'a1');
    });
    expect(failures).toContain('two events have the id event-1');
  });

  test('of a date_last_modified that goes back', async () => {
    const failures = await reported((world) => {
      world.alert('a1', { date_last_modified: '2026-10-05T06:00:02.000Z' });
      world.alert('a1', { date_last_modified: '2026-10-05T06:00:01.000Z' });
    });
    expect(failures).toContain('went from 2026-10-05T06:00:02.000Z to 2026-10-05T06:00:01.000Z');
  });

  test('of a targets_revision that goes back', async () => {
    const failures = await reported((world) => {
      world.muster('m', { targets_revision: 3 });
      world.muster('m', { targets_revision: 2 });
    });
    expect(failures).toContain('built-in rule: targets_revision never decreases');
  });

  test('of totals of an active muster that do not add up; those of a closed one need not', async () => {
    const totals = {
      ...MUSTER.totals,
      expected: 5,
      safe: 1,
      help: 0,
      wrong_point: 0,
      pending: 1,
      no_signal: 0,
      not_worn: 0,
    };
    expect(await reported((world) => world.muster('m', { totals }))).toContain(
      'the muster m expects 5, and its parts are 2',
    );
    expect(await reported((world) => world.muster('m', { totals, status: 'completed' }))).toBe('');
  });

  test('of somebody nearby at 100 m; at 99 m all is well', async () => {
    expect(await reported((world) => world.alert('a1', near(100)))).toContain('has somebody at 100 m');
    expect(await reported((world) => world.alert('a1', near(99)))).toBe('');
  });

  test('of a location that is withheld and told all the same', async () => {
    const alert = { location: LOCATION, location_withheld: true };
    expect(await reported((world) => world.alert('a1', alert))).toContain('has a location that is withheld');
  });

  test('of the place of somebody whom the veil hides, wherever it stands; not of one that was shown before', async () => {
    const place = { workerId: 'worker-luis', latitude: 43.36125, longitude: -8.41233 };
    const failures = await reported((world) => {
      Object.assign(world.look.house, { places: () => [{ ...place, shown: false }] });
      world.alert('a1', { location: LOCATION });
    });
    expect(failures).toContain('has the place of the hidden worker worker-luis');
    const before = await reported((world) => {
      let shown = true;
      Object.assign(world.look.house, { places: () => [{ ...place, shown }] });
      world.alert('a1', { location: LOCATION });
      shown = false;
      world.alert('a1', { status: 'resolved' });
    });
    expect(before).toBe('');
  });

  test('of a third signature', async () => {
    const failures = await reported((_world, request) =>
      deliver(request, '/', (at) => [signed(at), signed(at), signed(at)].join(',')),
    );
    expect(failures).toContain('a delivery to erp carries 3 signatures');
  });

  test('of a redirect that is followed', async () => {
    const failures = await reported((_world, request) => deliver(request, '/elsewhere', signed));
    expect(failures).toContain('the redirect of erp was followed');
  });
});

test('each breach is reported once, and the run has failed', async () => {
  const { result } = await playSmall(scenarioOf(['wait: 5s']), (world) => {
    for (const ms of [1_000, 2_000, 3_000]) world.at(ms, () => world.alert('a1', near(150)));
  });
  expect(result).toMatchObject({ verdict: 'failed', exitCode: 1 });
  expect(result.failures).toHaveLength(1);
});

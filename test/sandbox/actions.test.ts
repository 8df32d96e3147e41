import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import {
  ACTION_NAMES,
  ACTIONS,
  type ActionBody,
  type ActionName,
  type ActionResult,
  actionExample,
} from '../../src/contract/actions.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import type { Alert, Client, Muster, Site, Worker } from '../../src/service/domain/world/documents.ts';
import { eachOf } from '../helpers/each-of.ts';
import { isWhole } from '../helpers/whole.ts';

const START = Date.UTC(2026, 9, 5, 15);

let clock: ReturnType<typeof lockstepClock>;
let sandbox: Sandbox;

/** A world from its beginning; the default one without a number of watches. */
async function begin(watches?: number): Promise<void> {
  clock = lockstepClock({ start: START });
  sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: 'actions',
    clock,
    dataDir: `actions-${process.pid}`,
    ...(watches === undefined ? {} : { watches }),
  });
}

async function end(): Promise<void> {
  await sandbox.stop();
  clock.stop();
}

beforeAll(() => begin());
afterAll(end);

const world = () => sandbox.engine.world;

/** Every answer of this file names what the row of its action says, which the types of the library follow from. */
function asTheRowSays({ action }: ActionBody, result: ActionResult): void {
  const gives: readonly string[] = ACTIONS[action].gives;
  const known = gives.map((key) => key.replace('?', ''));
  expect(known, `${action} answers`).toEqual(expect.arrayContaining(Object.keys(result)));
  const needed = gives.filter((key) => !key.endsWith('?') && !(result.buffered === true && key === 'alert_id'));
  expect(Object.keys(result), `${action} answers`).toEqual(expect.arrayContaining(needed));
}

/** `action.field` of each field that a handler has read; `act.ts` itself reads `who` and `near`. */
const readFields = new Set<string>();
const HANDLERS = /src\/sandbox\/actions\/(?!act\.ts|dry-run\.ts)[\w-]+\.ts/;

/** The body; it notes which of its fields a handler reads. */
const noting = (body: ActionBody): ActionBody =>
  new Proxy(body, {
    get: (target, name) => {
      const isHandler = name === 'who' || name === 'near' || HANDLERS.test(new Error().stack ?? '');
      if (isHandler) readFields.add(`${body.action}.${String(name)}`);
      return Reflect.get(target, name);
    },
  });

async function perform(body: ActionBody) {
  const outcome = await sandbox.act(noting(body));
  if (!isRejection(outcome))
    for (const result of 'results' in outcome.answer ? outcome.answer.results : [outcome.answer.result])
      asTheRowSays(body, result);
  return isRejection(outcome)
    ? { status: 0, code: outcome.code, detail: outcome.detail, result: undefined }
    : {
        status: outcome.status as number,
        code: null,
        detail: '',
        result: 'result' in outcome.answer ? outcome.answer.result : outcome.answer.results[0],
      };
}

async function done(body: ActionBody) {
  const { status, detail, result } = await perform(body);
  if (result === undefined) throw new Error(`${body.action}: ${detail}`);
  return { status, ...result };
}

const activeMuster = () => [...world().all('muster')].find(({ status }) => status === 'active') as Muster;
const alertOf = (id: string | undefined): Alert => world().need('alert', id as string);
const site = (): Site => [...world().all('site')].find(({ name }) => name === 'Terminal Puerto Alerce') as Site;
const worker = (externalId: string): Worker =>
  [...world().all('worker')].find((one) => one.externalId === externalId) as Worker;
const alertsOf = (externalId: string, type: Alert['type']) =>
  [...world().all('alert')].filter((one) => one.worker?.externalId === externalId && one.type === type);
const telemetry = (externalId: string) => world().telemetry(worker(externalId).deviceId as string);
/** As the customer's system makes one. */
const makeDestination = () => {
  const [client] = [...world().all('client')];
  const { id: clientId, organizationId } = client as Client;
  const destination = {
    clientId,
    organizationId,
    url: 'https://receiver.example/hook',
    filters: {},
    secret: 'whsec_x',
  };
  return sandbox.engine.submit({ type: 'create-destination', ...destination, eventTypes: ['muster.*'] });
};

/** Everything that hangs on the last action has happened. */
const settle = () => clock.advance(1_000);

/** Actions whose example needs what the world does not have by itself: a prompt, an alert of that id, a muster. */
const NEEDS_MORE: readonly ActionName[] = ['answer', 'acknowledge', 'resolve', 'reopen', 'assign'];
const NEEDS_A_MUSTER: readonly ActionName[] = [
  'start_muster',
  'cannot_evacuate',
  'declare',
  'exclude_point',
  'reinstate_point',
  'change_kind',
  'mark_safe',
  'inspect',
  'end_muster',
];
const ALONE = ACTION_NAMES.filter((name) => !NEEDS_MORE.includes(name) && !NEEDS_A_MUSTER.includes(name));

describe('every action of the catalogue', () => {
  // With all rows, each has a world of its own: what one action does can neither let another work nor keep it from working.
  // `npm test` gives one to those actions that change more than a worker.
  const APART: readonly ActionName[] = [
    'heat',
    'hazard',
    'wind',
    'deliveries',
    'api_fault',
    'broker',
    'limits',
    'privacy',
  ];
  const shared = () => ({ clock, sandbox });
  let others: ReturnType<typeof shared>;
  beforeEach(() => {
    others = shared();
  });
  afterEach(async () => {
    if (sandbox === others.sandbox) return;
    await end();
    ({ clock, sandbox } = others);
  });
  /** As many watches as have the people of the examples. */
  const beginFor = async (name: ActionName) => {
    if (isWhole || APART.includes(name)) await begin(name === 'unveil' ? undefined : 30);
  };

  test.each(ALONE)('%s: its example works on the default world', async (name) => {
    await beginFor(name);
    if (name === 'press_ack') await done({ action: 'sos', who: 'W-014' });
    if (name === 'deliveries' || name === 'resend') await makeDestination();
    if (name === 'leave') await done({ action: 'enter', who: 'W-014', zone: 'Tank Farm' });
    expect(await perform(actionExample(name))).toMatchObject({ code: null });
    await settle();
  });

  test('about a muster works in a muster, in this order', async () => {
    await begin(30);
    for (const name of NEEDS_A_MUSTER) {
      if (name === 'inspect') {
        const missing = [...world().all('expected')].filter(({ status }) => status !== 'safe');
        for (const { workerId } of missing) await done({ action: 'mark_safe', who: workerId, by: 'Shift lead' });
        await clock.advance(5_000);
      }
      const muster = name.endsWith('_point') ? { muster: activeMuster().id } : {};
      const performed = await perform({ ...actionExample(name), ...muster } as ActionBody);
      expect(performed, `${name}: ${performed.detail}`).toMatchObject({ code: null });
      if (name === 'cannot_evacuate')
        expect(alertOf(performed.result?.alert_id)).toMatchObject({
          type: 'evacuation_help',
          details: { reason: 'trapped', muster_id: expect.any(String) },
        });
    }
  });

  const ofPeople = ALONE.filter((name) => Object.hasOwn(ACTIONS[name].fields.properties, 'who'));
  eachOf(
    ofPeople.map((name) => [name] as const),
    6,
  )('%s, of a person, names who and which watch', async (name) => {
    await beginFor(name);
    if (name === 'press_ack') await done({ action: 'sos', who: 'W-010' });
    if (name === 'leave') await done({ action: 'enter', who: 'W-010', zone: 'Tank Farm' });
    const who = name === 'unveil' ? 'W-067' : 'W-010';
    const body = { ...actionExample(name), who } as ActionBody;
    const { id, deviceId } = worker(who);
    expect(await done(body)).toMatchObject({ worker_id: id, device_id: deviceId });
    await settle();
  });
});

describe('a worker', () => {
  test('a fall is not escalated when the worker answers that they are fine', async () => {
    const { alert_id } = await done({ action: 'fall', who: 'W-031' });
    await settle();
    await done({ action: 'answer', who: 'W-031', with: 'ok' });
    await clock.advance(60_000);
    expect(alertOf(alert_id)).toMatchObject({ details: { escalated_to_sos: false } });
  });

  test('a request for a call raises its alert; out of coverage the watch records a voice note and sends both later', async () => {
    const { alert_id } = await done({ action: 'call_request', who: 'W-030' });
    expect(alertOf(alert_id)).toMatchObject({ type: 'worker_call_request', details: { voice_note: false } });
    await done({ action: 'signal', who: 'W-031', is: 'lost' });
    expect(await done({ action: 'call_request', who: 'W-031' })).toMatchObject({ status: 202, buffered: true });
    await clock.advance(60_000);
    await done({ action: 'signal', who: 'W-031', is: 'back' });
    await settle();
    const [late] = alertsOf('W-031', 'worker_call_request');
    expect(late).toMatchObject({ details: { voice_note: true } });
  });

  test('cannot say that they cannot evacuate while there is nothing to evacuate from', async () => {
    expect(await perform({ action: 'cannot_evacuate', who: 'W-030', reason: 'trapped' })).toMatchObject({
      code: 'action_refused',
    });
  });

  test('can declare themselves at an assembly point, not at another zone', async () => {
    expect(await perform({ action: 'declare', who: 'W-030', point: 'Gate A' })).toMatchObject({ code: null });
    expect(await perform({ action: 'declare', who: 'W-030', point: 'Tank Farm' })).toMatchObject({
      code: 'action_refused',
    });
  });

  test.each([
    ['off', false],
    ['unknown', null],
    ['on', true],
  ] as const)('the telemetry of a watch says whether it is worn: %s', async (is, worn) => {
    await done({ action: 'wear', who: 'W-032', is });
    expect(telemetry('W-032').worn).toBe(worn);
  });

  test('changes role and contractor, and is active or not', async () => {
    await done({ action: 'worker', who: 'W-033', role: 'Rigger', contractor: null, active: false });
    expect(worker('W-033')).toMatchObject({ role: 'Rigger', contractor: null, isActive: false });
  });
});

describe('a watch', () => {
  test('goes out of service', async () => {
    await done({ action: 'device', who: 'W-034', status: 'maintenance' });
    expect(world().need('device', worker('W-034').deviceId as string).status).toBe('maintenance');
  });

  test.each(['20s', '-2m'])('with a clock that is %s off stamps by it', async (clock_skew) => {
    await done({ action: 'device', who: 'W-035', clock_skew });
    await done({ action: 'sos', who: 'W-035' });
    const pressed = await done({ action: 'press_ack', who: 'W-035' });
    const off = (alertOf(pressed.alert_id).workerAcknowledgedAt as number) - clock.now();
    expect(off).toBe(clock_skew === '20s' ? 20_000 : -120_000);
    await done({ action: 'resolve', alert: pressed.alert_id as string, by: 'Desk' });
  });

  test('is exchanged for one from the stores, which speaks from then on', async () => {
    const old = worker('W-036').deviceId;
    const swapped = await done({ action: 'device', who: 'W-036', swap_to: 'STORE-1' });
    expect(swapped.device_id).not.toBe(old);
    expect(worker('W-036').deviceId).toBe(swapped.device_id);
    const { alert_id } = await done({ action: 'sos', who: 'STORE-1' });
    expect(alertOf(alert_id)).toMatchObject({ worker: { externalId: 'W-036' }, device: { serial: 'STORE-1' } });
  });
});

describe('movement', () => {
  test('into a restricted zone raises its alert at once, and out of it ends the stay', async () => {
    const { alert_id } = await done({ action: 'enter', who: 'W-037', zone: 'Tank Farm' });
    expect(alertOf(alert_id)).toMatchObject({ type: 'restricted_zone_entry', zone: { name: 'Tank Farm' } });
    const stays = () => world().indexes.staysOfDevice.of(worker('W-037').deviceId as string).length;
    expect(stays()).toBe(1);
    await done({ action: 'leave', who: 'W-037', zone: 'Tank Farm' });
    await settle();
    expect(stays()).toBe(0);
    expect(await perform({ action: 'leave', who: 'W-037', zone: 'Tank Farm' })).toMatchObject({
      code: 'action_refused',
    });
  });

  test('into a forbidden zone is of high severity', async () => {
    const { alert_id } = await done({ action: 'enter', who: 'W-038', zone: 'Flare Pad' });
    expect(alertOf(alert_id)).toMatchObject({ type: 'forbidden_zone_entry', severity: 'high' });
  });

  test('to exactly that place is reported at once', async () => {
    const at = { latitude: -32.7641, longitude: -71.4921 };
    await done({
      action: 'position',
      who: 'W-039',
      at,
      uncertainty_m: 4,
      height_m: 5.5,
      building: 'Workshop',
      floor: 'Gallery',
    });
    expect(telemetry('W-039').fix).toMatchObject({
      uncertaintyM: 4,
      height: { heightM: 5.5, building: 'Workshop', floor: 'Gallery' },
    });
    expect(telemetry('W-039').fix?.latitude).toBeCloseTo(at.latitude, 6);
  });

  test.each([
    ['a zone', 'Container Yard'],
    ['a colleague', 'W-041'],
    ['metres', [100, 100] as [number, number]],
  ])('to %s takes time', async (_, to) => {
    const before = telemetry('W-040').fix;
    await done({ action: 'move', who: 'W-040', to, pace: 2 });
    expect(telemetry('W-040').fix).toEqual(before);
    await clock.advance(30_000);
    expect(telemetry('W-040').fix).not.toEqual(before);
  });

  test('of a vehicle near somebody is shown on the watch, acknowledged, and told in the incident', async () => {
    const { alert_id } = await done({ action: 'sos', who: 'W-042' });
    await done({ action: 'vehicle', near: 'W-042', type: 'reach stacker', distance: '6m', acknowledged_after: '3s' });
    await clock.advance(5_000);
    expect(alertOf(alert_id).vehicleWarnings).toMatchObject([
      { vehicleType: 'reach stacker', distanceM: 6, workerAcknowledgedAt: expect.any(Number) },
    ]);
  });
});

describe('the plant', () => {
  test('opens a permit, which ends by time or by hand while somebody is inside', async () => {
    for (const [who, is, type] of [
      ['W-043', 'expired', 'permit_expired_inside'],
      ['W-044', 'closed', 'permit_closed_inside'],
    ] as const) {
      const { permit_id } = await done({
        action: 'permit',
        who,
        zone: 'Tank Farm',
        is: 'open',
        reference: `WP-${who}`,
      });
      expect((await done({ action: 'enter', who, zone: 'Tank Farm' })).alert_id).toBeUndefined();
      const { alert_id } = await done({ action: 'permit', who, zone: 'Tank Farm', is });
      expect(alertOf(alert_id)).toMatchObject({ type, details: { permit_reference: `WP-${who}` } });
      expect(world().need('permit', permit_id as string).endedAt).toBe(clock.now());
    }
  });

  test('lets a permit run out by itself', async () => {
    await done({ action: 'permit', who: 'W-051', zone: 'Tank Farm', is: 'open', until: '90s' });
    await clock.advance(89_000);
    await done({ action: 'enter', who: 'W-051', zone: 'Tank Farm' });
    expect(alertsOf('W-051', 'permit_expired_inside')).toEqual([]);
    await clock.advance(2_000);
    expect(alertsOf('W-051', 'permit_expired_inside')).toHaveLength(1);
    expect(alertsOf('W-051', 'restricted_zone_entry')).toEqual([]);
  });

  test('refuses to close a permit that nobody holds', async () => {
    expect(await perform({ action: 'permit', who: 'W-046', zone: 'Tank Farm', is: 'closed' })).toMatchObject({
      code: 'action_refused',
    });
  });

  test('gets hot for all outdoors, or for one', async () => {
    const { alert_id } = await done({ action: 'heat', who: 'W-085', index_c: 33, sun: '65m' });
    expect(alertOf(alert_id)).toMatchObject({
      type: 'heat_stress',
      details: { heat_index_c: 33, sun_exposure_minutes: 65 },
    });
    const there = world().need('site', worker('W-086').siteId);
    await done({ action: 'heat', site: there.name, temperature_c: 40, humidity_pct: 45 });
    const hot = [...world().all('alert')].filter((one) => one.type === 'heat_stress' && one.site.id === there.id);
    expect(hot.length).toBeGreaterThan(5);
    expect(world().need('site', there.id).heatIndexC).toBeCloseTo(51.3, 0);
    await done({ action: 'heat', site: there.name, index_c: null });
  });

  test.each([
    [{}],
    [{ temperature_c: 30 }],
    [{ humidity_pct: 30 }],
    [{ index_c: 30, temperature_c: 30, humidity_pct: 30 }],
    // No air on Earth is like this. [decisions 5 `heat_stress`]
    [{ temperature_c: 40, humidity_pct: 80 }],
    [{ temperature_c: 60, humidity_pct: 30 }],
    [{ temperature_c: 36, humidity_pct: 100 }],
  ])('does not take %j for heat', async (fields) => {
    expect(await perform({ action: 'heat', who: 'W-047', ...fields })).toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    [{ temperature_c: 40, humidity_pct: 75 }],
    [{ temperature_c: 60, humidity_pct: 10 }],
    [{ temperature_c: 35, humidity_pct: 100 }],
    [{ temperature_c: -20, humidity_pct: 0 }],
    [{ index_c: 80 }],
  ])('takes %j for heat', async (fields) => {
    expect(await perform({ action: 'heat', who: 'W-047', ...fields })).toMatchObject({ code: null });
    await done({ action: 'heat', who: 'W-047', index_c: null });
  });

  test('shakes: the hazard is an alert of the site', async () => {
    const sites = [...world().all('site')];
    const other = sites.find((one) => one.name !== site().name) as Site;
    const { alert_id } = await done({ action: 'hazard', kind: 'tsunami_risk', site: other.name, eta: '40m' });
    expect(alertOf(alert_id)).toMatchObject({
      type: 'tsunami_risk',
      details: { official: false, felt_at_site: false, eta: new Date(clock.now() + 40 * 60_000).toISOString() },
    });
  });

  test('says which sites there are where none is named and there is more than one', async () => {
    const { code, detail } = await perform({ action: 'wind', from_deg: 90 });
    expect(code).toBe('validation_failed');
    for (const { name } of world().all('site')) expect(detail).toContain(name);
  });
});

describe('the control room', () => {
  test('takes charge of an alert by the API or at the panel, resolves, reopens and assigns it', async () => {
    const { alert_id } = await done({ action: 'sos', who: 'W-048' });
    const alert = alert_id as string;
    await done({ action: 'acknowledge', alert, by: 'Desk 2', via: 'panel' });
    expect(alertOf(alert)).toMatchObject({ acknowledged: { by: 'Desk 2' }, assignedTo: 'Desk 2' });
    await done({ action: 'resolve', alert, by: 'Desk 2', reason: 'Attended', note: 'Fine' });
    expect(alertOf(alert)).toMatchObject({ resolved: { by: 'Customer operator (via integration)', note: 'Fine' } });
    expect(await perform({ action: 'acknowledge', alert, by: 'Desk 2' })).toMatchObject({ code: 'action_refused' });
    await done({ action: 'reopen', alert, by: 'Lead' });
    await done({ action: 'assign', alert, by: 'Lead', to: 'Desk 3' });
    expect(alertOf(alert)).toMatchObject({ status: 'unacknowledged', assignedTo: 'Desk 3' });
  });

  test('names its operator with their id in the customer’s system', async () => {
    const { alert_id } = await done({ action: 'sos', who: 'W-047' });
    const alert = alert_id as string;
    await done({ action: 'acknowledge', alert, by: 'Desk 2', external_id: 'OP-7' });
    await done({ action: 'resolve', alert, by: 'Desk 2', external_id: 'OP-7', reason: 'Attended' });
    const people = alertOf(alert).timeline.map(({ by }) => by);
    expect(people.slice(-2)).toEqual(['Desk 2 (OP-7)', 'Desk 2 (OP-7)']);
  });

  test('raises an SOS in the name of a worker', async () => {
    const { alert_id } = await done({ action: 'panel_sos', who: 'W-049', by: 'Desk 2' });
    expect(alertOf(alert_id)).toMatchObject({ details: { trigger: 'control_room' } });
  });
});

describe('a name that nothing has', () => {
  test.each([
    [{ action: 'enter', who: 'W-014', zone: 'Tank Form' }, 'Tank Farm'],
    [{ action: 'hazard', kind: 'earthquake', site: 'Terminal Puerto Alerse' }, 'Terminal Puerto Alerce'],
  ] as [ActionBody, string][])('%j: did you mean %s', async (body, meant) => {
    expect(await perform(body)).toMatchObject({ code: 'not_found', detail: expect.stringContaining(meant) });
  });
});

test('events are delivered again by their id, or of the types that are named', async () => {
  await makeDestination();
  const to = [...world().all('destination')].at(-1)?.id as string;
  const unknown = await perform({ action: 'resend', to, event: '00000000-0000-4000-8000-000000000000' });
  expect(unknown).toMatchObject({ code: 'not_found' });
  expect(await done({ action: 'resend', to, since: '24h', only: ['muster.*'] })).toMatchObject({ status: 200 });
});

test('every field of the catalogue is read by the handler of its action', () => {
  const fields = ACTION_NAMES.flatMap((name) =>
    Object.keys(ACTIONS[name].fields.properties).map((field) => `${name}.${field}`),
  );
  expect(fields.filter((field) => !readFields.has(field))).toEqual([]);
});

/** The plant's register and what a watch tells in passing: swaps, contact, births, positions. [spec 2 Worker, Device, watch-protocol] */
import { describe, expect, test } from 'vitest';
import { lastSeenAt } from '../../../src/service/domain/watches/contact.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

describe('somebody was last seen', () => {
  const fix = { ...new SmallWorld().fix(20, 20), at: 500 };

  test.each([
    ['never', null, null, null],
    ['at the last contact, without a position', null, 400, 400],
    ['at the last position, without a contact', fix, null, 500],
    ['at the later of both: the position', fix, 400, 500],
    ['at the later of both: the contact', fix, 600, 600],
  ])('%s', (_words, position, lastContactAt, seen) => {
    const telemetry = new SmallWorld().world.telemetry(UNKNOWN);
    expect(lastSeenAt({ ...telemetry, fix: position, lastContactAt })).toBe(seen);
  });
});

describe('the register', () => {
  const worker = (small: SmallWorld, n: number) => small.world.need('worker', small.workerId(n));
  const device = (small: SmallWorld, n: number) => small.world.need('device', small.device(n));
  const swap = (small: SmallWorld, n: number, serial: string) =>
    small.do({ type: 'swap-watch', workerId: small.workerId(n), serial, keyHash: 'h' });

  test('knows neither workers nor watches that are not there', () => {
    const small = new SmallWorld();
    const answers = [
      small.do({ type: 'change-worker', workerId: UNKNOWN, role: 'Rigger' }),
      small.do({ type: 'change-device', deviceId: UNKNOWN, status: 'lost' }),
      small.do({ type: 'swap-watch', workerId: UNKNOWN, serial: 'SIM-2', keyHash: '' }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ rejected: true, code: 'not_found' });
  });

  test('changes what is said of a worker and leaves the rest', () => {
    const small = new SmallWorld();
    const change = { type: 'change-worker', workerId: small.workerId(2) } as const;
    const before = worker(small, 2);
    small.do({ ...change, role: 'Rigger' });
    expect(worker(small, 2)).toEqual({ ...before, role: 'Rigger' });
    small.do({ ...change, isActive: false });
    expect(worker(small, 2)).toEqual({ ...before, role: 'Rigger', isActive: false });
    small.do({ ...change, role: null, contractor: 'Sur SL' });
    expect(worker(small, 2)).toEqual({ ...before, role: null, isActive: false, contractor: 'Sur SL' });
  });

  test('changes the status of a watch, and says which it was', () => {
    const small = new SmallWorld();
    const before = device(small, 1);
    expect(small.do({ type: 'change-device', deviceId: before.id, status: 'lost' })).toMatchObject({
      deviceId: before.id,
    });
    expect(device(small, 1)).toEqual({ ...before, status: 'lost' });
  });

  test('gives a worker a new watch of the model that they had', () => {
    const small = new SmallWorld();
    small.world.put('device', { ...device(small, 1), model: 'W2', emulated: false, status: 'maintenance' });
    const { deviceId } = swap(small, 1, 'NEW-1') as { deviceId: string };
    expect(small.world.need('device', deviceId)).toEqual({
      ...device(small, 1),
      id: deviceId,
      serial: 'NEW-1',
      keyHash: 'h',
      workerId: small.workerId(1),
      status: 'active',
    });
    expect(worker(small, 1).deviceId).toBe(deviceId);
    expect(device(small, 1)).toMatchObject({ workerId: null, status: 'maintenance' });
  });

  test('gives a worker without a watch an emulated one of no model, or a free one', () => {
    const small = new SmallWorld();
    small.world.put('worker', { ...worker(small, 1), deviceId: null });
    small.world.put('device', { ...device(small, 1), workerId: null, status: 'inactive' });
    swap(small, 1, 'NEW-1');
    const fresh = small.world.need('device', worker(small, 1).deviceId as string);
    expect(fresh).toMatchObject({ serial: 'NEW-1', emulated: true, model: null, status: 'active' });
    small.world.put('worker', { ...worker(small, 2), deviceId: null });
    swap(small, 2, 'SIM-1');
    expect(worker(small, 2).deviceId).toBe(small.device(1));
    expect(device(small, 1)).toMatchObject({ workerId: small.workerId(2), status: 'active' });
  });

  test('leaves whoever wore the watch without one where the worker had none to give', () => {
    const small = new SmallWorld();
    small.world.put('worker', { ...worker(small, 1), deviceId: null });
    swap(small, 1, 'SIM-2');
    expect([worker(small, 1).deviceId, worker(small, 2).deviceId]).toEqual([small.device(2), null]);
  });

  test('gives nobody the watch that they wear, nor one of another site or company', () => {
    const small = new SmallWorld();
    addQuarry(small);
    small.world.put('device', { ...device(small, 2), siteId: QUARRY.site });
    small.world.put('device', { ...device(small, 3), organizationId: QUARRY.organization });
    for (const serial of ['SIM-1', 'SIM-2', 'SIM-3', QUARRY.serial])
      expect(swap(small, 1, serial)).toMatchObject({ rejected: true, code: 'action_refused' });
    expect(worker(small, 1).deviceId).toBe(small.device(1));
  });
});

describe('a watch', () => {
  const reported = (small: SmallWorld, n = 1) => small.world.telemetry(small.device(n));

  test('tells its session and firmware at its birth, which is contact', () => {
    const small = new SmallWorld();
    small.now += MINUTE;
    const before = reported(small);
    small.do({ type: 'report-birth', deviceId: small.device(1), session: 7, firmware: '2.1' });
    expect(reported(small)).toEqual({ ...before, session: 7, firmware: '2.1', lastContactAt: T0 + MINUTE });
  });

  test('tells its charge, which is contact', () => {
    const small = new SmallWorld();
    small.now += MINUTE;
    const before = reported(small);
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 55, charging: true });
    expect(reported(small)).toEqual({ ...before, batteryPct: 55, charging: true, lastContactAt: T0 + MINUTE });
  });

  test('tells what it knows of a fix, whether it is worn, and that it was heard', () => {
    const small = new SmallWorld();
    small.now += MINUTE;
    const height = { heightM: 8, uncertaintyM: 2, building: 'Hall', floor: '2' };
    const fix = small.fix(40, 40, { uncertaintyM: 12, source: 'network', height, inVehicle: true, at: T0 + 5_000 });
    small.do({ type: 'report-position', deviceId: small.device(1), fixes: [{ ...fix, worn: false }] });
    expect(reported(small)).toMatchObject({ worn: false, lastContactAt: T0 + MINUTE });
    expect(reported(small).fix).toEqual(fix);
  });

  test('is heard also where it says nothing new of its place', () => {
    const small = new SmallWorld();
    small.now += 10 * MINUTE;
    const before = reported(small);
    small.at(1, 90, 90, { at: T0 + 5 * MINUTE - 1 });
    expect(reported(small)).toEqual({ ...before, lastContactAt: small.now });
    small.do({ type: 'report-position', deviceId: small.device(2), fixes: [] });
    expect(reported(small, 2)).toMatchObject({ fix: null, lastContactAt: small.now });
  });

  test.each([
    [10 * MINUTE, 1],
    [10 * MINUTE + 1, 0],
  ])('its position of the moment %i ms ago is old after 5 min: %i of 2', (ago, moved) => {
    const small = new SmallWorld();
    small.now += 20 * MINUTE;
    const at = small.now - ago / 2;
    small.at(1, 90, 90, { at });
    expect(reported(small).fix?.at === at).toBe(moved === 1);
  });

  test('a watch with an inactive wearer keeps its position, and no rule judges it', () => {
    const small = new SmallWorld();
    small.zone('Flare pad', 'forbidden', [400, 0, 460, 40]);
    const inSun = () => reported(small).inSun;
    small.now = Date.UTC(2026, 9, 5, 12);
    small.at(1, 430, 20);
    expect([inSun(), reported(small).entering.length]).toEqual([true, 1]);
    small.do({ type: 'change-worker', workerId: small.workerId(1), isActive: false });
    const before = reported(small);
    small.now += 1_000;
    small.at(1, 431, 20);
    expect(reported(small)).toEqual({ ...before, fix: small.fix(431, 20), lastContactAt: small.now });
    expect(small.alerts()).toEqual([]);
  });

  test('a watch that nobody wears raises no alert, and its position is kept', () => {
    const small = new SmallWorld();
    small.zone('Flare pad', 'forbidden', [400, 0, 460, 40]);
    small.world.put('device', { ...small.world.need('device', small.device(1)), workerId: null });
    for (let fixes = 0; fixes < 3; fixes++) small.at(1, 430, 20);
    expect([small.alerts(), reported(small).fix]).toEqual([[], small.fix(430, 20)]);
  });
});

/** The one way to change the world: documents, what a transaction touched, telemetry beside it, and what is taken back. [decisions 9, watch-protocol] */
import { describe, expect, test } from 'vitest';
import { World } from '../../../../src/service/domain/world/world.ts';
import { SmallWorld, T0 } from '../small-world.ts';

const organization = (id: string, name = id) => ({ id, name, technicalContact: '' });
const names = (world: World) => [...world.all('organization')].map(({ name }) => name);

describe('documents', () => {
  test('are found by their id; one that another names has to be there', () => {
    const world = new World();
    world.put('organization', organization('a'));
    expect([world.get('organization', 'a')?.name, world.get('organization', 'b')]).toEqual(['a', undefined]);
    expect(world.need('organization', 'a')).toBe(world.get('organization', 'a'));
    expect(() => world.need('organization', 'b')).toThrow('no organization b in the world');
  });

  test('are counted and listed in the order in which they came, without removed ones', () => {
    const world = new World();
    for (const id of ['b', 'a', 'c']) world.put('organization', organization(id));
    world.commit();
    world.remove('organization', 'a');
    world.remove('organization', 'nobody');
    expect([names(world), world.count('organization')]).toEqual([['b', 'c'], 2]);
    world.put('organization', organization('a', 'again'));
    expect([names(world), world.count('organization')]).toEqual([['b', 'again', 'c'], 3]);
    world.remove('organization', 'a');
    world.commit();
    world.put('organization', organization('a', 'anew'));
    expect([names(world), world.count('organization')]).toEqual([['b', 'c', 'anew'], 3]);
  });

  test('loaded documents are no part of a transaction', () => {
    const world = new World();
    world.load('organization', organization('a'));
    world.load('device', { ...new SmallWorld().world.need('device', new SmallWorld().device(1)) });
    expect([world.touched(), world.indexes.deviceId('SIM-1')]).toEqual([[], new SmallWorld().device(1)]);
    world.rollback();
    expect(names(world)).toEqual(['a']);
  });
});

describe('a transaction', () => {
  const begun = () => {
    const world = new World();
    for (const id of ['a', 'b']) world.put('organization', organization(id));
    world.commit();
    return world;
  };

  test('has touched each document once: what it was before, and what it is after', () => {
    const world = begun();
    const [a, b] = [world.need('organization', 'a'), world.need('organization', 'b')];
    expect(world.touched()).toEqual([]);
    world.put('organization', organization('a', 'A1'));
    world.put('organization', organization('a', 'A2'));
    world.remove('organization', 'b');
    world.put('organization', organization('c'));
    world.remove('organization', 'c');
    expect(world.touched()).toEqual([
      { kind: 'organization', id: 'a', before: a, after: organization('a', 'A2') },
      { kind: 'organization', id: 'b', before: b, after: undefined },
      { kind: 'organization', id: 'c', before: undefined, after: undefined },
    ]);
    world.commit();
    expect(world.touched()).toEqual([]);
  });

  test('can be taken back to a point in it: what it touched up to there stays', () => {
    const world = begun();
    world.put('organization', organization('a', 'A1'));
    const savepoint = world.savepoint();
    const touched = world.touched().map((one) => ({ ...one }));
    world.put('organization', organization('a', 'A2'));
    world.remove('organization', 'a');
    world.put('organization', organization('c'));
    world.remove('organization', 'b');
    world.rollbackTo(savepoint);
    expect(world.touched()).toEqual(touched);
    expect([names(world), world.count('organization')]).toEqual([['A1', 'b'], 2]);
    world.rollback();
    expect([world.touched(), names(world)]).toEqual([[], ['a', 'b']]);
    // What was new and is taken back has left no place behind.
    world.put('organization', organization('d'));
    world.put('organization', organization('c'));
    expect(names(world)).toEqual(['a', 'b', 'd', 'c']);
  });

  test('a rolled back transaction restores a removed document to its place, however often it changed', () => {
    const world = begun();
    world.remove('organization', 'a');
    world.put('organization', organization('a', 'A1'));
    world.remove('organization', 'a');
    world.rollback();
    expect([names(world), world.count('organization')]).toEqual([['a', 'b'], 2]);
    world.remove('organization', 'a');
    world.commit();
    world.rollback();
    expect([names(world), world.count('organization')]).toEqual([['b'], 1]);
  });
});

describe('telemetry', () => {
  const report = (world: World, id: string, part = {}) => world.putTelemetry({ ...world.telemetry(id), ...part });

  test('of a watch that was never heard says nothing', () => {
    expect(new World().telemetry('w')).toEqual({
      id: 'w',
      fix: null,
      batteryPct: null,
      charging: false,
      worn: null,
      session: 0,
      firmware: null,
      lastContactAt: null,
      entering: [],
      batteryPlace: null,
      sun: [],
      inSun: false,
      stays: [],
    });
    expect(new World().count('telemetry')).toBe(0);
  });

  test('telemetry that changed is taken once, and again if it could not be written', () => {
    const world = new World();
    report(world, 'a', { batteryPct: 5 });
    report(world, 'b');
    report(world, 'a', { batteryPct: 6 });
    expect(world.touched()).toEqual([]);
    expect(world.takeTelemetry().map(({ id, batteryPct }) => [id, batteryPct])).toEqual([
      ['a', 6],
      ['b', null],
    ]);
    expect(world.takeTelemetry()).toEqual([]);
    world.keepTelemetry(['b', 'gone']);
    expect(world.takeTelemetry().map(({ id }) => id)).toEqual(['b']);
  });

  test('telemetry that is rolled back is what it was, except for contacts since', () => {
    const world = new World();
    report(world, 'a', { batteryPct: 5, lastContactAt: T0 });
    world.commit();
    const before = world.telemetry('a');
    report(world, 'a', { batteryPct: 6, lastContactAt: T0 + 1 });
    world.rollback();
    expect(world.telemetry('a')).toBe(before);
    report(world, 'a', { batteryPct: 6 });
    report(world, 'new', { batteryPct: 7 });
    world.contact('a', T0 + 9);
    world.contact('new', T0 + 8);
    world.rollback();
    expect(world.telemetry('a')).toEqual({ ...before, lastContactAt: T0 + 9 });
    expect(world.telemetry('new')).toMatchObject({ batteryPct: null, lastContactAt: T0 + 8 });
  });

  test('keeps the later contact where an earlier one is taken back to', () => {
    const world = new World();
    report(world, 'a', { lastContactAt: T0 + 50 });
    world.commit();
    world.contact('a', T0 + 20);
    report(world, 'a', { batteryPct: 1, lastContactAt: T0 + 60 });
    world.rollback();
    expect(world.telemetry('a')).toMatchObject({ batteryPct: null });
    report(world, 'b', { lastContactAt: T0 + 50 });
    world.commit();
    const savepoint = world.savepoint();
    report(world, 'b', { lastContactAt: T0 + 70 });
    world.contact('b', T0 + 40);
    world.rollbackTo(savepoint);
    expect(world.telemetry('b').lastContactAt).toBe(T0 + 50);
  });

  test('is not new where a contact says the same moment, and a commit ends what contacts outlive', () => {
    const world = new World();
    world.contact('a', T0);
    const known = world.telemetry('a');
    expect(world.takeTelemetry()).toEqual([known]);
    world.contact('a', T0);
    expect(world.telemetry('a')).toBe(known);
    expect(world.takeTelemetry()).toEqual([]);
    world.commit();
    report(world, 'a', { lastContactAt: T0 + 5 });
    world.rollback();
    expect(world.telemetry('a')).toBe(known);
  });

  test('of a watch that has left is kept for nobody, and that of one that comes back is', () => {
    const world = new World();
    report(world, 'a', { batteryPct: 5 });
    world.commit();
    world.takeTelemetry();
    world.remove('telemetry', 'a');
    expect([world.count('telemetry'), world.telemetry('a').batteryPct]).toEqual([0, null]);
    report(world, 'a', { batteryPct: 9 });
    expect([world.count('telemetry'), [...world.all('telemetry')].length]).toEqual([1, 1]);
    world.commit();
    expect(world.telemetry('a').batteryPct).toBe(9);
    world.remove('telemetry', 'a');
    world.commit();
    expect([world.count('telemetry'), world.takeTelemetry()]).toEqual([0, []]);
  });
});

test('messages heard before a moment are forgotten, and later ones are not', () => {
  const world = new World();
  const accept = (id: string, at: number) => world.put('heard', { id, at, content: '' });
  accept('a', T0 - 1);
  accept('b', T0);
  accept('c', T0 - 2);
  world.commit();
  world.remove('heard', 'c');
  world.forgetUplinks(T0);
  expect([...world.all('heard')].map(({ id }) => id)).toEqual(['b']);
});

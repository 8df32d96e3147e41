/** The muster of a site on `all/muster`: kept for those who come while it is active, one last word when it ends. [watch-protocol] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { allFilter, musterTopic, upEventTopic } from '../../../src/contract/watch.ts';
import { startBroker } from '../../../src/service/broker/broker.ts';
import type { Command } from '../../../src/service/domain/commands.ts';
import { afterTest, bench } from '../../helpers/broker-bench.ts';
import { RawWatch } from '../../helpers/raw-watch.ts';
import { ORIGIN, type Plant, SITE, START, serialOf } from '../../helpers/watch-world.ts';
import { START_MUSTER } from '../domain/small-world.ts';

const TOPIC = musterTopic(SITE);
const GATE = idFrom('gate');

async function submit({ engine }: Plant, command: Command): Promise<string> {
  const outcome = await engine.submit(command);
  if (outcome.rejected) throw new Error(outcome.detail);
  return outcome.done.musterId ?? '';
}

function gate({ world }: Plant): void {
  const ring = [[10, 10], [30, 10], [30, 30], [10, 30]] as const; // biome-ignore format: a ring reads as one line
  const rest = { elevationM: null, elevationSource: null, vertical: false, capacity: null, minHeightM: null };
  const assemblyPoint = { serves: ['general'], ...rest } as const;
  const zone = {
    id: GATE,
    siteId: SITE,
    name: 'Gate',
    type: 'assembly_point',
    ring,
    assemblyPoint,
    floors: [],
  } as const;
  world.load('zone', zone);
}

const START_HERE: Command = { ...START_MUSTER, siteId: SITE };

describe('all/muster', () => {
  it('says each step, is there for who comes later, and is cleared after the last word', async () => {
    const { plant, watch } = await bench({ onPlant: gate });
    const early = await watch(serialOf(1));
    const musterId = await submit(plant, START_HERE);
    const begun = { muster_id: musterId, status: 'active', kind: 'general', phase: 'evacuating', revision: 1 };
    expect(await early.messageOn(TOPIC)).toMatchObject({
      ...begun,
      points: [{ id: GATE, name: 'Gate', status: 'available', serves: ['general'], vertical: false }],
    });
    await submit(plant, { type: 'exclude-point', musterId, pointId: GATE, reason: 'Smoke', by: 'Lead' });
    expect(await early.messageOn(TOPIC)).toMatchObject({ revision: 2, points: [{ status: 'excluded' }] });
    const late = await watch(serialOf(2));
    expect(await late.messageOn(TOPIC)).toMatchObject({ muster_id: musterId, revision: 2 });
    await submit(plant, { type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' });
    for (const one of [early, late]) {
      expect(await one.messageOn(TOPIC)).toMatchObject({ muster_id: musterId, status: 'completed' });
      expect(await one.messageOn(TOPIC)).toBeNull();
    }
    const last = await watch(serialOf(1), 2);
    await last.ping();
    expect(last.received.some((packet) => packet.cmd === 'publish' && packet.topic === TOPIC)).toBe(false);
  });

  it('is there again after a restart of the broker', async () => {
    const { plant, broker, clock } = await bench({ onPlant: gate });
    const musterId = await submit(plant, START_HERE);
    await broker.stop();
    const again = await startBroker({ host: '127.0.0.1', port: 0, engine: plant.engine, clock });
    afterTest(() => again.stop());
    const own = new RawWatch(again.port, serialOf(1));
    afterTest(() => own.vanish());
    await own.connect();
    await own.subscribe(allFilter(SITE));
    expect(await own.messageOn(TOPIC)).toMatchObject({ muster_id: musterId, status: 'active' });
  });
});

describe('what a wearer tells in a muster', () => {
  const stamp = { session: 1, t: new Date(START).toISOString() };

  it('reaches the count: a call for help, and where they say they are', async () => {
    const { plant, watch } = await bench({ onPlant: gate });
    for (const n of [1, 2]) {
      const fix = { ...ORIGIN, uncertaintyM: 4, source: 'gps', height: null, inVehicle: false, at: START } as const;
      const { world } = plant;
      const deviceId = world.indexes.deviceId(serialOf(n)) ?? '';
      await submit(plant, { type: 'report-position', deviceId, fixes: [{ ...fix, worn: true }] });
    }
    const musterId = await submit(plant, START_HERE);
    const [one, two] = [await watch(serialOf(1)), await watch(serialOf(2))];
    const help = { id: idFrom('help'), ...stamp, seq: 2, reason: 'trapped' };
    await one.publish(upEventTopic(SITE, serialOf(1), 'help'), help);
    const declare = { id: idFrom('declare'), ...stamp, seq: 2, point_id: GATE.toUpperCase() };
    await two.publish(upEventTopic(SITE, serialOf(2), 'declare'), declare);
    await submit(plant, { type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' });
    expect(plant.world.need('muster', musterId).totals).toMatchObject({ expected: 2, safe: 1 });
    expect([...plant.world.all('alert')]).toMatchObject([
      { type: 'evacuation_help', details: { reason: 'trapped', muster_id: musterId } },
    ]);
  });
});

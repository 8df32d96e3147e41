/** Several nodes on one database and one broker: the owner of a site is killed, paused or cut off in the middle of a muster, under load. */
import { join } from 'node:path';
import { settableClock, withoutFaketime } from '../helpers/faketime.ts';
import { type Lack, withoutMosquitto } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { withoutPostgres } from '../helpers/postgres-server.ts';
import { type Extent, type Fault, type FaultReport, Findings, ms, pause } from './harness.ts';
import { NodesPlant, type PlantNode } from './nodes-plant.ts';

/** Another node receives from a site within this. */
const TAKEN_OVER_MS = 10_000;

/** From the mark to the event of the count, which comes every 5 s. */
const COUNTED_WITHIN_MS = 15_000;

type Blow = (victim: PlantNode) => (plant: NodesPlant) => Promise<void>;

const kill: Blow = (victim) => {
  victim.sandbox.child.kill('SIGKILL');
  return async (plant) => {
    await victim.sandbox.ended;
    await plant.boot(victim);
  };
};

const freeze: Blow = (victim) => {
  victim.sandbox.child.kill('SIGSTOP');
  return async () => {
    victim.sandbox.child.kill('SIGCONT');
  };
};

const cutOff: Blow = (victim) => {
  victim.toDatabase.cut();
  victim.toBroker.cut();
  return async () => {
    victim.toDatabase.mend();
    victim.toBroker.mend();
  };
};

const cutOffFromBroker: Blow = (victim) => {
  victim.toBroker.cut();
  return async () => victim.toBroker.mend();
};

async function takeOver(blow: Blow, extent: Extent): Promise<FaultReport> {
  const findings = new Findings();
  const plant = await NodesPlant.make();
  const takenOver: number[] = [];
  try {
    await plant.join('a');
    await plant.join('b');
    await plant.destination();
    await plant.untilShared();
    await plant.startFleet();
    const [site] = await plant.sites();
    const started = await plant.act({ action: 'start_muster', site: site?.name, kind: 'general', by: 'Control' });
    findings.must(started?.status === 200, `the muster was refused: ${JSON.stringify(started?.body)}`);
    await plant.load();
    const rounds = extent === 'whole' ? 5 : 1;
    const workers = await plant.expected();
    for (let round = 0; round < rounds; round++) {
      await pause(3_000);
      const victim = await plant.ownerOf(site?.id ?? '');
      if (victim === null) throw new Error('no node has the site');
      const mend = blow(victim);
      const struckAt = performance.now();
      for (;;) {
        const owner = await plant.ownerOf(site?.id ?? '');
        if (owner !== null && owner !== victim) break;
        if (performance.now() - struckAt > 3 * TAKEN_OVER_MS) throw new Error('no other node took the site');
        await pause(50);
      }
      takenOver.push(performance.now() - struckAt);
      // Who is marked safe is counted by the node that has the site.
      const who = workers[round];
      const others = plant.nodes.filter((node) => node !== victim);
      const marked = await plant.act({ action: 'mark_safe', who, by: 'Control' }, others);
      findings.must(marked?.status === 200, `nobody could be marked safe: ${JSON.stringify(marked?.body)}`);
      const end = performance.now() + COUNTED_WITHIN_MS;
      while ((await musterEvents(plant, site?.id ?? '')).safe <= round && performance.now() < end) await pause(100);
      findings.must(performance.now() < end, 'the node that took over does not count');
      await pause(3_000);
      await mend(plant);
      await pause(3_000);
      await plant.untilShared();
    }
    await plant.rest();
    await plant.drained();
    const compared = await plant.compare();
    const { presses, pressesLost, changes, changesLost, doubled, outOfOrder, undelivered, otherBytes } = compared;
    findings.must(presses > 0 && changes > 0, 'there was no load');
    findings.must(pressesLost === 0, `${pressesLost} of ${presses} presses are lost`);
    findings.must(changesLost === 0, `${changesLost} of ${changes} acknowledged changes are lost`);
    findings.must(doubled === 0, `${doubled} were done twice`);
    findings.must(outOfOrder === 0, `${outOfOrder} events are out of order`);
    findings.must(undelivered + otherBytes === 0, `${undelivered} never delivered, ${otherBytes} with other bytes`);
    findings.must(Math.max(...takenOver) <= TAKEN_OVER_MS, `taken over after ${ms(Math.max(...takenOver))}`);
    const muster = await musterEvents(plant, site?.id ?? '');
    findings.must(muster.isActive && muster.started === 1, 'the muster does not go on, or began twice');
    return findings.report({
      rounds,
      'taken over after at most': ms(Math.max(...takenOver)),
      presses,
      'presses lost': pressesLost,
      changes,
      'changes lost': changesLost,
      doubled,
      events: compared.events,
      duplicates: compared.duplicates,
      updates: muster.updates,
      safe: muster.safe,
    });
  } finally {
    await plant.end();
  }
}

/** The clock of one of two nodes goes wrong under load. */
async function wrongClock(extent: Extent): Promise<FaultReport> {
  const findings = new Findings();
  const folder = ownFolder();
  const clock = settableClock(join(folder.path, 'clock'));
  const plant = await NodesPlant.make();
  let latestMs = 0;
  try {
    await plant.join('a');
    await plant.join('b', clock.env);
    await plant.destination();
    await plant.untilShared();
    await plant.load();
    for (const by of extent === 'whole' ? ['+5s', '-5s', '+1d', '+0.9s'] : ['+5s']) {
      clock.set(by);
      await pause(4_000);
      const isWrong = by !== '+0.9s';
      findings.must(!isWrong || (await plant.claimsOf('b')) === 0, `the node whose clock is ${by} off keeps its sites`);
      clock.set('+0s');
      await pause(2_000);
    }
    for (const { body, wallAt } of plant.receiver.received)
      latestMs = Math.max(latestMs, Math.abs(wallAt - Date.parse(JSON.parse(body).created_at)));
    await plant.untilShared();
    await plant.rest();
    await plant.drained();
    const { presses, pressesLost, changes, changesLost, doubled, outOfOrder, events, undelivered } =
      await plant.compare();
    findings.must(presses > 0 && changes > 0, 'there was no load');
    findings.must(pressesLost + changesLost === 0, `${pressesLost} presses and ${changesLost} changes are lost`);
    findings.must(
      doubled + outOfOrder + undelivered === 0,
      `${doubled} twice, ${outOfOrder} out of order, ${undelivered} undelivered`,
    );
    // The first attempt of each delivery, with a second for a destination that changes its node.
    findings.must(latestMs < 2_000, `a webhook came ${ms(latestMs)} from its created_at`);
    const figures = { presses, 'presses lost': pressesLost, changes, 'changes lost': changesLost, events, undelivered };
    return findings.report({ ...figures, 'from created_at to the receiver at most': ms(latestMs) });
  } finally {
    await plant.end();
    folder.remove();
  }
}

/** The service's list of the muster, and whether it goes on. */
async function musterEvents(plant: NodesPlant, siteId: string) {
  const rows = await plant.server.query(
    plant.database,
    `SELECT type, body FROM muster_sandbox.events WHERE site_id = '${siteId}' AND type LIKE 'muster.%' ORDER BY seq`,
  );
  const active = await plant.server.query(
    plant.database,
    `SELECT 1 FROM muster_sandbox.documents WHERE kind = 'muster' AND body::jsonb->>'status' = 'active'`,
  );
  const counts = rows.flatMap(({ type, body }) => {
    const { data } = JSON.parse(String(body)) as { data: { muster: { totals: { safe: number } } } };
    return type === 'muster.updated' ? [data.muster.totals.safe] : [];
  });
  const started = rows.filter(({ type }) => type === 'muster.started').length;
  return {
    isActive: active.length > 0,
    started,
    updates: counts.length,
    safe: counts.at(-1) ?? 0,
  };
}

const missing = (): Lack | null => withoutPostgres ?? withoutMosquitto;

export const NODES: readonly Fault[] = [
  {
    id: 'F13',
    wholeOnly: true,
    title: 'the node that owns a site is killed in the middle of a muster',
    missing,
    run: (extent) => takeOver(kill, extent),
  },
  {
    id: 'F14',
    title: 'the node that owns a site sleeps (SIGSTOP), and wakes when another has its sites',
    missing,
    run: (extent) => takeOver(freeze, extent),
  },
  {
    id: 'F15',
    wholeOnly: true,
    title: 'the node that owns a site is cut off from database and broker',
    missing,
    run: (extent) => takeOver(cutOff, extent),
  },
  {
    id: 'F16',
    wholeOnly: true,
    title: 'the node that owns a site is cut off from the broker alone',
    missing,
    run: (extent) => takeOver(cutOffFromBroker, extent),
  },
  {
    id: 'F18',
    title: 'the clock of a node is 5 s ahead or behind, a day ahead, or 0.9 s ahead',
    missing: () => withoutFaketime ?? missing(),
    run: wrongClock,
  },
];

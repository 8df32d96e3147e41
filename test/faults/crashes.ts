/** The process dies: at any moment, between a receiver's answer and its record, inside a transaction; or it is stopped, or held. */
import { resolve } from 'node:path';
import { run } from '../product/sandbox-process.ts';
import { type Extent, type Fault, FaultPlant, type FaultReport, Findings, ms, pause, percentile } from './harness.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** At one kill: 4 in flight to the one destination, and what was repeated at the start. [decisions 7] */
const MOST_DUPLICATES = 64;

/** Kills it `loops` times, each time as `kill` does it; then it must deliver all that it acknowledged. */
async function killLoop(
  loops: number,
  kill: (plant: FaultPlant, loop: number, alerts: readonly string[]) => Promise<void>,
): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  let mostDuplicates = 0;
  try {
    await plant.up();
    await plant.destination();
    const alerts = await plant.openAlerts();
    await plant.sandbox.stop();
    for (let loop = 0; loop < loops; loop++) {
      const before = plant.duplicates;
      await kill(plant, loop, alerts);
      findings.must(plant.integrity(), `integrity_check after kill ${loop + 1} is not ok`);
      mostDuplicates = Math.max(mostDuplicates, plant.duplicates - before);
    }
    await plant.up();
    await plant.drained();
    const { acknowledged, lost, events, undelivered, otherBytes, duplicates, unknown } = plant.compare();
    findings.must(lost === 0, `${lost} acknowledged changes have no event`);
    findings.must(undelivered === 0, `${undelivered} events were never delivered`);
    findings.must(otherBytes === 0, `${otherBytes} deliveries carried other bytes than the log has`);
    findings.must(mostDuplicates <= MOST_DUPLICATES, `${mostDuplicates} duplicates at one kill`);
    findings.must(unknown <= loops * alerts.length, `${unknown} changes were written and not acknowledged`);
    return findings.report({
      kills: loops,
      acknowledged,
      lost,
      events,
      undelivered,
      duplicates,
      'most at a kill': mostDuplicates,
    });
  } finally {
    await plant.end();
  }
}

const atAnyMoment = async (extent: Extent): Promise<FaultReport> => {
  const readyMs: number[] = [];
  const report = await killLoop(extent === 'whole' ? 200 : 8, async (plant, loop, alerts) => {
    const startedAt = performance.now();
    const { child, ended } = await plant.up();
    readyMs.push(performance.now() - startedAt);
    const written = plant.write(alerts);
    // Spread over half a second, and the same in each run.
    await pause((loop * 131) % (extent === 'whole' ? 1_000 : 500));
    child.kill('SIGKILL');
    await ended;
    await written;
  });
  return { ...report, figures: { ...report.figures, 'ready p99': ms(percentile(readyMs, 0.99)) } };
};

const atTheAnswer = (extent: Extent): Promise<FaultReport> =>
  killLoop(extent === 'whole' ? 100 : 6, async (plant, loop, alerts) => {
    const { ended } = await plant.up('die-at-answer.mjs', { DIE_AT: String(1 + (loop % 7)) });
    await Promise.all([plant.write(alerts), ended]);
  });

const inTheCommit = (extent: Extent): Promise<FaultReport> =>
  killLoop(extent === 'whole' ? 100 : 6, async (plant, loop, alerts) => {
    const env = { DIE_AT: String(1 + (loop % 9)), DIE_BEFORE: loop % 2 === 0 ? 'EVENT' : 'COMMIT', DIE_ROOT: ROOT };
    const { ended } = await plant.up('die-in-commit.mjs', env);
    await Promise.all([plant.write(alerts), ended]);
  });

async function stopsAndHolds(extent: Extent): Promise<FaultReport> {
  const plant = await FaultPlant.make();
  const findings = new Findings();
  const stopMs: number[] = [];
  try {
    await plant.up();
    await plant.destination();
    const alerts = await plant.openAlerts();
    for (let n = 0; n < (extent === 'whole' ? 20 : 3); n++) {
      const written = plant.write(alerts);
      await pause(150);
      const startedAt = performance.now();
      plant.sandbox.child.kill('SIGTERM');
      const { code } = await plant.sandbox.ended;
      stopMs.push(performance.now() - startedAt);
      findings.must(code === 0, `SIGTERM ${n + 1} ended with ${code}`);
      await written;
      await plant.up();
    }
    // Held: the receiver waits, the operating system keeps the sockets, and nothing is sent twice but what was in flight.
    const before = plant.duplicates;
    const written = plant.write(alerts);
    await pause(200);
    const { child } = plant.sandbox;
    child.kill('SIGSTOP');
    await pause(extent === 'whole' ? 30_000 : 6_000);
    child.kill('SIGCONT');
    await pause(500);
    plant.stopWriting();
    await written;
    await plant.drained();
    const heldDuplicates = plant.duplicates - before;
    findings.must(heldDuplicates <= 4, `${heldDuplicates} events came twice after SIGCONT; 4 were in flight`);
    // A second process on the same folder refuses at once and names the first.
    const startedAt = performance.now();
    const second = await run(['up', '--data-dir', plant.dataDir, '--port', '0', '--mqtt-port', '0', '--no-fleet']);
    const refusedMs = performance.now() - startedAt;
    findings.must(second.code === 3, `a second process on the same folder ended with ${second.code}`);
    const { acknowledged, lost, undelivered, otherBytes } = plant.compare();
    findings.must(lost === 0, `${lost} acknowledged changes have no event`);
    findings.must(undelivered === 0, `${undelivered} events were never delivered`);
    findings.must(otherBytes === 0, `${otherBytes} deliveries carried other bytes`);
    findings.should(Math.max(...stopMs) <= 6_000, `a stop took ${ms(Math.max(...stopMs))}`);
    const figures = { stops: stopMs.length, 'slowest stop': ms(Math.max(...stopMs)), acknowledged, lost, undelivered };
    return findings.report({ ...figures, 'twice after hold': heldDuplicates, 'second refused': ms(refusedMs) });
  } finally {
    await plant.end();
  }
}

export const CRASHES: readonly Fault[] = [
  { id: 'F1', title: 'kill -9 at any moment under load', run: atAnyMoment },
  { id: 'F2', title: 'death after the receiver’s 2xx, before it is recorded', run: atTheAnswer },
  { id: 'F3', title: 'death inside the transaction of a change and its deliveries', run: inTheCommit },
  { id: 'F12', title: 'SIGTERM under load, SIGSTOP and SIGCONT, a second process', run: stopsAndHolds },
];

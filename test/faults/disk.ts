/** The disk is full, or lies: what cannot be written is refused, and what was acknowledged is there. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { failFsync, SmallDisk, withoutSmallDisk, withoutStrace } from '../helpers/small-disk.ts';
import { type Extent, type Fault, FaultPlant, type FaultReport, Findings, ms, pause } from './harness.ts';

async function fullDisk(extent: Extent): Promise<FaultReport> {
  const findings = new Findings();
  const disk = SmallDisk.of('12m');
  const plant = await FaultPlant.make([], join(disk.path, 'data'));
  let worstMs = 0;
  let refusals = 0;
  try {
    await plant.up();
    await plant.destination();
    const alerts = await plant.openAlerts();
    for (let round = 0; round < (extent === 'whole' ? 10 : 2); round++) {
      const before = plant.refused.get(503) ?? 0;
      const written = plant.write(alerts);
      await pause(200);
      disk.fill();
      const end = performance.now() + 20_000;
      while ((plant.refused.get(503) ?? 0) === before && performance.now() < end) await pause(20);
      refusals = (plant.refused.get(503) ?? 0) - before;
      findings.must(refusals > 0, `the full disk of round ${round + 1} refused nothing with 503`);
      await pause(300);
      rmSync(join(disk.path, 'filler'));
      const freedAt = performance.now();
      const answered = plant.answered;
      while (plant.answered === answered && performance.now() < freedAt + 20_000) await pause(10);
      worstMs = Math.max(worstMs, performance.now() - freedAt);
      plant.stopWriting();
      await written;
      findings.must(plant.sandbox.child.exitCode === null, 'the process ended');
    }
    await plant.drained();
    const { acknowledged, lost, undelivered, otherBytes } = plant.compare();
    findings.must(lost === 0, `${lost} acknowledged changes have no event`);
    findings.must(undelivered === 0, `${undelivered} events were never delivered`);
    findings.must(otherBytes === 0, `${otherBytes} deliveries carried other bytes`);
    findings.should(worstMs <= 10_000, `it took ${ms(worstMs)} until it worked again`);
    findings.must(plant.integrity(), 'integrity_check is not ok');
    const refused = [...plant.refused].map(([status, count]) => `${status}: ${count}`).join(', ');
    return findings.report({ acknowledged, lost, undelivered, refused, 'works again after': ms(worstMs) });
  } finally {
    await plant.end();
    disk.remove();
  }
}

/** The n-th fsync and all after it fail, in a process that is at work already. */
async function lyingDisk(extent: Extent): Promise<FaultReport> {
  const findings = new Findings();
  const values = Array.from({ length: extent === 'whole' ? 20 : 3 }, (_, n) => 1 + n * 3);
  let [acknowledged, lost, unknownMost, refused] = [0, 0, 0, 0];
  const ends = new Map<string, number>();
  for (const from of values) {
    const plant = await FaultPlant.make();
    try {
      await plant.up();
      await plant.destination();
      const alerts = await plant.openAlerts();
      const { exitCode } = plant.sandbox.child;
      findings.must(exitCode === null, 'the sandbox ended before the fault');
      const tracer = await failFsync(plant.sandbox.child, from);
      const written = plant.write(alerts);
      const broke = Promise.race([
        plant.sandbox.ended.then(({ code }) => `exit ${code}`),
        pause(6_000).then(() => `answers ${[...plant.refused.keys()].join(', ')}`),
      ]);
      const how = await broke;
      ends.set(how, (ends.get(how) ?? 0) + 1);
      findings.must(/^exit [1-9]/.test(how) || how.includes('503'), `after EIO from fsync ${from} it ${how}`);
      plant.stopWriting();
      tracer.kill('SIGKILL');
      await written;
      if (plant.sandbox.child.exitCode === null) plant.sandbox.child.kill('SIGKILL');
      await plant.sandbox.ended;
      await plant.up();
      await plant.drained();
      const compared = plant.compare();
      acknowledged += compared.acknowledged;
      lost += compared.lost;
      refused += [...plant.refused.values()].reduce((sum, count) => sum + count, 0);
      unknownMost = Math.max(unknownMost, compared.unknown);
      findings.must(compared.undelivered === 0, `${compared.undelivered} events were never delivered (fsync ${from})`);
      // A change for each writer may be on disk though its commit was reported as failed.
      findings.must(
        compared.unknown <= alerts.length,
        `${compared.unknown} changes were written and refused (fsync ${from})`,
      );
    } finally {
      await plant.end();
    }
  }
  findings.must(lost === 0, `${lost} acknowledged changes have no event`);
  const ended = [...ends].map(([how, count]) => `${how} x${count}`).join(', ');
  return findings.report({ tries: values.length, acknowledged, lost, 'unknown at most': unknownMost, refused, ended });
}

export const DISKS: readonly Fault[] = [
  {
    id: 'F4',
    title: 'a disk that is full under load, and has room again',
    missing: () => withoutSmallDisk,
    run: fullDisk,
  },
  { id: 'F5', title: 'fsync that fails with EIO from the n-th call on', missing: () => withoutStrace, run: lyingDisk },
];

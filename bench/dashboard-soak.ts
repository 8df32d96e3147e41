/** Whether the dashboard stays as small as it began: 2,000 people in an evacuation, its memory each minute; `npm run bench dashboard-soak 30`. */
import { type Crowded, crowdedSandbox, OnTerminal, pause } from './on-terminal.ts';
import { packed } from './packed.ts';

/** People on the first site, of 3,700 on the three sites of the default world. */
const PEOPLE = 2_000;
const WATCHES = 3_700;
const MINUTES = 30;
const BUDGET_MB = 220;
/** Minutes after which most are safe, and all are called out anew. */
const EVACUATION_MINUTES = 10;
const PANE_KEYS = '12345';

export async function benchDashboardSoak(): Promise<void> {
  const minutes = Number(process.argv[3] ?? MINUTES);
  const product = packed();
  const sandbox = await crowdedSandbox(product.bin, WATCHES);
  const terminal = new OnTerminal([product.bin, 'dashboard', '--data-dir', sandbox.folder]);
  const seen: number[] = [];
  try {
    await terminal.shows('SANDBOX');
    let [bytes, cpuS] = [0, 0];
    for (let minute = 0; minute <= minutes; minute += 1) {
      if (minute % EVACUATION_MINUTES === 0) await callOut(sandbox, minute > 0);
      // A viewer looks around: other panes, other rows.
      terminal.press(`${PANE_KEYS[minute % PANE_KEYS.length]}jjj`);
      const costs = terminal.costs();
      seen.push(costs.rssMb);
      const [kb, cpu] = [(terminal.bytes - bytes) / 1024 / 60, (100 * (costs.cpuS - cpuS)) / 60];
      const rates = minute === 0 ? '' : `  ${kb.toFixed(0)} KB/s  ${cpu.toFixed(1)} % of a core`;
      console.log(`  minute ${String(minute).padStart(2)}  ${costs.rssMb.toFixed(0)} MB${rates}`);
      [bytes, cpuS] = [terminal.bytes, costs.cpuS];
      if (minute < minutes) await pause(60_000);
    }
  } finally {
    await terminal.quit();
    await sandbox.stop();
    product.remove();
  }
  const [start, end, peak] = [seen[1] ?? Number.NaN, seen.at(-1) ?? Number.NaN, Math.max(...seen)];
  console.log(
    `dashboard-soak: ${PEOPLE} people, ${minutes} min: ${start.toFixed(0)} MB after the first, ${end.toFixed(0)} MB at the end, at most ${peak.toFixed(0)} MB (${peak <= BUDGET_MB ? 'within' : 'OVER'} ${BUDGET_MB})`,
  );
}

async function callOut(sandbox: Crowded, isAgain: boolean): Promise<void> {
  const site = 'Terminal Puerto Alerce';
  if (isAgain) await sandbox.act({ action: 'end_muster', outcome: 'completed', by: 'Bench' });
  await sandbox.act({ action: 'start_muster', site, kind: 'tsunami', by: 'Bench' });
}

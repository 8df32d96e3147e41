/** `sandbox status`: the addresses and the state of the sandbox of a data folder. [cli] */

import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { SEVERITIES, type Severity } from '../../contract/enumerations.ts';
import type { NodeList } from '../../contract/resources/node-list.ts';
import { MUSTER_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import type { StreamSnapshot } from '../../contract/stream.ts';
import { snapshotOf } from '../../dashboard/stream.ts';
import { coverageFloorFlag } from '../coverage/flags.ts';
import { colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { addReportFlags, type RequestedReports, requestedReports } from '../reports.ts';
import { callSandbox, type FoundSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
If no sandbox is running on the data folder, the exit code is 3.

Examples:
  ${CLI} status
  ${CLI} status --data-dir /tmp/muster-sandbox-1a2b3c
  ${CLI} status --coverage --coverage-floor operations=80
  ${CLI} status --json | jq -e '.data.alerts.open == 0'`;

/** A watch without contact for this time counts as silent; simulated ms. [decisions 5] */
const SILENT_MS = 10 * 60_000;

export function defineStatus(program: Command, ended: (code: number) => void): void {
  const asking = program
    .command('status')
    .description('show the addresses and the state of the running sandbox')
    .option(
      '--coverage [files...]',
      'show what of the contract your programs have met; with files: those of their runs',
    )
    .addOption(coverageFloorFlag())
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'status'));
  addReportFlags(asking)
    .addHelpText('after', HELP)
    .action(async (flags: StatusFlags, command: Command) => {
      const reports = requestedReports('status', command);
      if (flags.coverage !== undefined) {
        const { coverage } = await import('../coverage/command.ts');
        return ended(await coverage({ ...flags, files: flags.coverage === true ? [] : flags.coverage }, reports));
      }
      mustCover(flags, reports);
      const found = findRunning(flags.dataDir);
      const { status: answered, body } = await callSandbox(found, 'GET', '/v1/sandbox/clock');
      if (answered !== 200) throw refusedCall(answered, body);
      const { body: among } = await callSandbox(found, 'GET', '/v1/sandbox/nodes');
      const status = statusOf(found, await snapshotOf(found), among as NodeList);
      if (flags.json === true) out(JSON.stringify(envelope('status', status)));
      else print(status);
      ended(EXIT.done);
    });
}

interface StatusFlags {
  readonly coverage?: true | string[];
  readonly coverageFloor?: readonly string[];
  readonly json?: boolean;
  readonly dataDir: string;
}

/** Reports and floors are those of the coverage. */
function mustCover({ coverageFloor }: StatusFlags, { folder }: RequestedReports<'status'>): void {
  if (coverageFloor === undefined && folder === null) return;
  const flag = coverageFloor === undefined ? '--report and --out need' : '--coverage-floor needs';
  throw usage(`${flag} --coverage.`, `Write: ${CLI} status --coverage`);
}

/** The status. Values that only the data folder has are null if the sandbox was found by its address. */
function statusOf({ apiUrl, ready }: FoundSandbox, now: StreamSnapshot, { nodes }: NodeList) {
  const seenAfter = Date.parse(now.clock.now) - SILENT_MS;
  const watched = now.people.filter(({ device_id }) => device_id !== null);
  const seen = watched.filter(({ date_last_seen: at }) => at !== null && Date.parse(at) >= seenAfter);
  const open = SEVERITIES.map((severity) => [severity, now.alerts.filter((one) => one.severity === severity).length]);
  return {
    running: true,
    api_url: apiUrl,
    mqtt_url: ready?.mqtt_url ?? null,
    panel_url: ready?.panel_url ?? `${apiUrl}/panel`,
    data_dir: ready?.data_dir ?? null,
    pid: ready?.pid ?? null,
    clock: now.clock,
    sites: now.sites.map(({ name }) => name),
    watches: { worn_by_people: watched.length, seen_in_10_min: seen.length },
    alerts: { open: now.alerts.length, by_severity: Object.fromEntries(open) as Record<string, number> },
    musters: now.musters
      .filter(({ status }) => status === 'active')
      .map(({ id, kind, phase, site, totals }) => ({ id, kind, phase, site: site.name, totals })),
    destinations: now.destinations.length,
    deliveries_waiting: now.deliveries.length,
    nodes,
  };
}

function print(status: ReturnType<typeof statusOf>): void {
  const paint = colourOf(process.stdout);
  const line = (label: string, text: string) => outLine(`${paint('dim', label.padEnd(9))} ${text}`);
  const { clock, watches, alerts, musters } = status;
  line('API', status.api_url);
  if (status.mqtt_url !== null) line('MQTT', status.mqtt_url);
  line('panel', status.panel_url);
  if (status.data_dir !== null) line('data', status.data_dir);
  if (status.pid !== null) line('process', String(status.pid));
  const pace = clock.paused
    ? 'paused'
    : clock.speed === 1
      ? 'at the speed of the wall'
      : `${clock.speed} times as fast`;
  for (const { name, address, sites, destinations, clock_ahead_ms: aheadMs, is_self: isSelf } of status.nodes)
    line(
      'node',
      `${name}${isSelf ? ' (this one)' : ''} at ${address}: ${plural(sites, 'site')}, ${plural(destinations, 'destination')}, its clock ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`,
    );
  line('clock', `${clock.now.slice(0, 19).replace('T', ' ')} UTC, ${pace}`);
  line('sites', status.sites.join(', '));
  line(
    'watches',
    `${watches.worn_by_people} with a wearer, ${watches.seen_in_10_min} of them heard in the last 10 min`,
  );
  const kinds = Object.entries(alerts.by_severity).filter(([, count]) => count > 0);
  const graded = kinds.map(([severity, count]) => `${count} ${SEVERITY_TERMS[severity as Severity].word}`).join(', ');
  line('alerts', alerts.open === 0 ? 'none open' : `${alerts.open} open: ${graded}`);
  for (const { kind, phase, site, totals } of musters)
    line('muster', `${kind} at ${site}, ${MUSTER_TERMS[phase].word}: ${totals.safe} of ${totals.expected} safe`);
  if (musters.length === 0) line('musters', 'none active');
  line(
    'webhooks',
    `${plural(status.destinations, 'destination')}, ${status.deliveries_waiting} deliveries wait for their next attempt`,
  );
}

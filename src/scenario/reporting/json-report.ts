/** Runs as JSON for custom reports: the data of `--json`, every check, and all deliveries. */
import { printableLines } from '../../base/text/printable.ts';
import { commandOf } from '../model/again.ts';
import type { ReportReceiver, RunReport } from './report-data.ts';
import { runData } from './run-data.ts';

export function jsonReport(reports: readonly RunReport[]): string {
  return `${printableLines(JSON.stringify({ schema_version: 1, runs: reports.map(reportData) }, null, 2))}\n`;
}

const reportData = ({ result, version, start, rerun, steps, alerts, musters, receivers, around }: RunReport) => ({
  ...runData(result),
  version,
  start,
  rerun,
  error: result.error,
  failures: result.failures.map(({ calledAt: { line }, step, whole, rows, beganMs, atMs, again }, place) => ({
    line,
    step,
    text: whole,
    rows,
    began_s: beganMs / 1000,
    at_s: atMs / 1000,
    again: commandOf(again),
    around: (around[place]?.happenings ?? []).map(({ t, kind, text, body }) => ({ at_s: t / 1000, kind, text, body })),
  })),
  checks: steps
    .filter(({ kind }) => kind === 'passed' || kind === 'failed' || kind === 'skipped')
    .map(({ line, t, text, kind, waitedMs }) => ({
      line,
      at_s: t / 1000,
      text,
      verdict: kind,
      waited_s: waitedMs / 1000,
    })),
  alerts: alerts.map(({ id, type, severity, who, changes }) => ({
    id,
    type,
    severity,
    who,
    changes: changes.map(({ t, what, by }) => ({ at_s: t / 1000, what, by })),
  })),
  musters: musters.map(({ id, site, counts }) => ({
    id,
    site,
    counts: counts.map(({ t, kind, phase, totals }) => ({ at_s: t / 1000, kind, phase, totals })),
  })),
  receivers: receivers.map(delivered),
});

function delivered({ name, attempts }: ReportReceiver) {
  const last = new Map(attempts.map(({ eventId, result }) => [eventId, result]));
  const count = (wanted: string): number => [...last.values()].filter((result) => result === wanted).length;
  return {
    name,
    events: last.size,
    attempts: attempts.length,
    delivered: count('delivered'),
    waiting: count('waiting'),
    lost: count('lost'),
  };
}

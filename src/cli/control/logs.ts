/** `sandbox logs`: the request log, the delivery attempts and the other logs of a running sandbox, or those of a run. [cli] */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { later } from '../../base/time/timers.ts';
import type { DeliveryAttempt } from '../../contract/resources/logs.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { AttemptEvents } from '../deliveries/attempt-events.ts';
import { AttemptLog, isFirstOrLast } from '../deliveries/failing.ts';
import { LiveLines } from '../live-lines.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { readerLeft } from '../streams.ts';
import { LOGS, type LogsKind, type LogsRow, linesOf } from './logs-lines.ts';

const HELP = `
KIND is one of (default: requests):
  requests     calls of the API by your own programs with their status; errors with their message and fix. --all also
               shows calls with the control token, calls of /v1/sandbox, and those of scenarios, library and tools
  deliveries   attempts to deliver an event, with the reply of the receiver
  events       the event log, as clients receive it; this does not count against the rate limit of a client
  watches      connections and messages at the broker: accepted, or refused with the reason; also accepted input that
               production may refuse (an old t, MQTT 3.1, a wrong clock)
  mail         e-mails to the technical contact about lost deliveries

With --run FILE (the run.jsonl of "${CLI} run --out"), KIND is events, deliveries, mail or checks (default: checks):
  checks       each failed check, what differed, and what happened near it

Examples:
  ${CLI} logs requests --follow
  ${CLI} logs deliveries --limit 200 --json
  ${CLI} logs checks --run report/run.jsonl
  ${CLI} logs events --run report/run.jsonl --about ana --from 40s --to 1m`;

/** Polling interval; wall ms. */
const EVERY_MS = 400;

interface LogFlags {
  readonly follow?: boolean;
  readonly all?: boolean;
  readonly details?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly dataDir: string;
  readonly run?: string;
  readonly about?: string;
  readonly from?: string;
  readonly to?: string;
}

const limitOf = (text: string): number => {
  const number = Number(text);
  if (!/^\d{1,4}$/.test(text) || number < 1 || number > 1_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 1000.');
  return number;
};

export function defineLogs(program: Command, ended: (code: number) => void): void {
  program
    .command('logs [kind]')
    .description('show requests, deliveries, events, watch messages or e-mails of the running sandbox, or ask a run')
    .option('--follow', 'print new rows until Ctrl-C')
    .option('--all', 'also show calls with the control token, of /v1/sandbox, and of our own programs')
    .addOption(new Option('--limit <n>', 'number of newest rows to show').argParser(limitOf).default(50))
    .option('--details', 'with --follow on a terminal: also show ids')
    .option('--run <file>', 'ask the run.jsonl of a run that is over, instead of a running sandbox')
    .option('--about <worker|alert>', 'with --run: only what is about this worker or alert')
    .option('--from <time>', 'with --run: only from this time on, a duration from the start such as 50s')
    .option('--to <time>', 'with --run: only up to this time')
    .option('--json', 'print the result as one JSON object; with --follow, one per row')
    .addOption(sandboxFlag('dataDir', 'logs'))
    .addHelpText('after', HELP)
    .action(async (kind: string | undefined, flags: LogFlags) => {
      const { run } = flags;
      mustFit(flags);
      if (run === undefined) return ended(await logs(kindOf(kind), flags));
      // The logs of a running sandbox need nothing of the scenario language, which takes time to load.
      const { logsOfRun } = await import('./run-logs.ts');
      ended(logsOfRun(kind, { ...flags, run }));
    });
}

/** Flags of one form are refused with the other, because they would have no effect. */
function mustFit({ run, about, from, to, follow, all }: LogFlags): void {
  const given = (flags: Readonly<Record<string, unknown>>) =>
    Object.entries(flags).find(([, value]) => value !== undefined && value !== false)?.[0];
  const ofRun = given({ '--about': about, '--from': from, '--to': to });
  if (run === undefined && ofRun !== undefined)
    throw usage(`${ofRun} needs --run.`, `Name the log of a run: ${CLI} logs checks --run report/run.jsonl`);
  const ofSandbox = given({ '--follow': follow, '--all': all });
  if (run !== undefined && ofSandbox !== undefined)
    throw usage(`${ofSandbox} is for a running sandbox, and the run of --run is over.`, `Leave out ${ofSandbox}.`);
}

function kindOf(kind = 'requests'): LogsKind {
  const known = LOGS.find((one) => one === kind);
  if (kind === 'checks')
    throw usage('The failed checks are in the log of a run.', `${CLI} logs checks --run report/run.jsonl`);
  if (known === undefined)
    throw usage(`"${kind}" is not a log.${didYouMean(kind, LOGS)}`, `There are ${LOGS.join(', ')}.`);
  return known;
}

async function logs(kind: LogsKind, flags: LogFlags): Promise<number> {
  const found = findRunning(flags.dataDir);
  const rows = await newest(found, kind, flags.limit, flags);
  if (flags.follow !== true && flags.json === true) {
    out(JSON.stringify(envelope('logs', { [kind]: rows })));
    return EXIT.done;
  }
  const lines = new LogsOutput(kind, flags);
  await lines.add(found, rows);
  if (flags.follow !== true) return EXIT.done;
  const running = runUntilSignal();
  const known = new Set(rows.map(({ id }) => id));
  let over = false;
  const noMore = Promise.race([running.ended, readerLeft]);
  void noMore.then(() => {
    over = true;
  });
  while (!over) {
    await Promise.race([noMore, new Promise<void>((resolve) => later(EVERY_MS, resolve))]);
    if (over) break;
    const fresh = (await newest(found, kind, 1_000, flags)).filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    await lines.add(found, fresh);
  }
  running.done();
  return (await noMore) === 'SIGINT' ? EXIT.interrupted : EXIT.done;
}

/** Returns the newest rows, the oldest first. */
async function newest(found: FoundSandbox, kind: LogsKind, limit: number, { all }: LogFlags): Promise<LogsRow[]> {
  const own = kind === 'requests' && all !== true ? '&own=true' : '';
  const { status, body } = await callSandbox(found, 'GET', `/v1/sandbox/${kind}?limit=${limit}${own}`);
  if (status !== 200) throw new CommandError(EXIT.environment, 'refused', `The sandbox answered ${status}.`);
  return (body as { data: LogsRow[] }).data.reverse();
}

/** On a terminal `--follow` shows rows that differ only in their times as one line, and no ids without `--details`. */
class LogsOutput {
  readonly #kind: LogsKind;
  readonly #flags: LogFlags;
  readonly #lines = new LiveLines(process.stdout);
  readonly #events = new AttemptEvents();
  readonly #attempts = new AttemptLog(this.#lines, colourOf(process.stdout));

  constructor(kind: LogsKind, flags: LogFlags) {
    this.#kind = kind;
    this.#flags = flags;
  }

  async add(sandbox: FoundSandbox, rows: readonly LogsRow[]): Promise<void> {
    if (this.#kind === 'deliveries' && this.#flags.json !== true)
      await this.#events.find(sandbox, rows as readonly unknown[] as readonly DeliveryAttempt[]);
    for (const row of rows) this.#row(row);
  }

  #row(row: LogsRow): void {
    const { json, follow, details } = this.#flags;
    if (json === true) return outLine(JSON.stringify(row));
    const hasIds = follow !== true || details === true || process.stdout.isTTY !== true;
    if (this.#kind === 'deliveries') return this.#delivery(row, hasIds);
    const lines = linesOf(this.#kind, row, { hasIds });
    if (follow !== true) return this.#lines.add(lines);
    this.#lines.add(lines, linesOf(this.#kind, { ...row, took_ms: 0 }, { when: '', hasIds }).join('\n'));
  }

  #delivery(row: LogsRow, hasIds: boolean): void {
    const attempt = row as unknown as DeliveryAttempt;
    const lines = linesOf('deliveries', row, { hasIds, event: this.#events.of(attempt) });
    if (this.#flags.follow !== true) return this.#lines.add(lines);
    const { url } = attempt.request;
    this.#attempts.add(url, url, attempt, { lines, isOwn: isFirstOrLast(attempt) });
  }
}

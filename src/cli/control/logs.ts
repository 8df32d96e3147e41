/** `sandbox logs`: the request log and the delivery attempts. [cli] */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { later } from '../../base/time/timers.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { readerLeft } from '../streams.ts';

const HELP = `
KIND is one of (default: requests):
  requests     calls of the API with their status; errors with their message and fix. Calls with the control token are
               shown only with --all
  deliveries   attempts to deliver an event, with the reply of the receiver
  events       the event log, as clients receive it; this does not count against the rate limit of a client
  watches      connections and messages at the broker: accepted, or refused with the reason; also accepted input that
               production may refuse (an old t, MQTT 3.1, a wrong clock)
  mail         e-mails to the technical contact about lost deliveries

Examples:
  ${CLI} logs requests --follow
  ${CLI} logs deliveries --limit 200 --json`;

/** Polling interval; wall ms. */
const EVERY_MS = 400;

type LogsRow = Record<string, unknown> & { readonly id: string };
const KINDS = ['requests', 'deliveries', 'events', 'watches', 'mail'] as const;
type LogsKind = (typeof KINDS)[number];

interface LogFlags {
  readonly follow?: boolean;
  readonly all?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly dataDir: string;
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
    .description('show requests, deliveries, events, watch messages or e-mails of the running sandbox')
    .option('--follow', 'print new rows until Ctrl-C')
    .option('--all', 'also show calls with the control token')
    .addOption(new Option('--limit <n>', 'number of newest rows to show').argParser(limitOf).default(50))
    .option('--json', 'print the result as one JSON object; with --follow, one per row')
    .addOption(sandboxFlag('dataDir', 'logs'))
    .addHelpText('after', HELP)
    .action(async (kind: string | undefined, flags: LogFlags) => {
      ended(await logs(kindOf(kind), flags));
    });
}

function kindOf(kind = 'requests'): LogsKind {
  const known = KINDS.find((one) => one === kind);
  if (known === undefined)
    throw usage(`"${kind}" is not a log.${didYouMean(kind, KINDS)}`, `There are ${KINDS.join(', ')}.`);
  return known;
}

async function logs(kind: LogsKind, flags: LogFlags): Promise<number> {
  const found = findRunning(flags.dataDir);
  const rows = await newest(found, kind, flags.limit, flags);
  if (flags.follow !== true && flags.json === true) {
    out(JSON.stringify(envelope('logs', { [kind]: rows })));
    return EXIT.done;
  }
  tell(kind, rows, flags);
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
    tell(kind, fresh, flags);
  }
  running.done();
  return (await noMore) === 'SIGINT' ? EXIT.interrupted : EXIT.done;
}

/** Returns the newest rows, the oldest first. */
async function newest(found: FoundSandbox, kind: LogsKind, limit: number, { all }: LogFlags): Promise<LogsRow[]> {
  const { status, body } = await callSandbox(found, 'GET', `/v1/sandbox/${kind}?limit=${limit}`);
  if (status !== 200) throw new CommandError(EXIT.environment, 'refused', `The sandbox answered ${status}.`);
  const rows = (body as { data: LogsRow[] }).data.reverse();
  return all === true ? rows : rows.filter(({ note }) => note !== 'control token');
}

function tell(kind: LogsKind, rows: readonly LogsRow[], { json }: LogFlags): void {
  for (const row of rows) {
    if (json === true) outLine(JSON.stringify(row));
    else for (const line of kind === 'requests' ? requestLines(row) : [LINES[kind](row)]) outLine(line);
  }
}

const LINES: { readonly [K in Exclude<LogsKind, 'requests'>]: (row: LogsRow) => string } = {
  deliveries: deliveryLine,
  events: eventLine,
  watches: watchLine,
  mail: mailLine,
};

/** A line per request. For a problem, its message and its fix follow, as the panel's page of calls shows them. */
function requestLines(row: LogsRow): readonly string[] {
  const paint = colourOf(process.stdout);
  const status = Number(row['status']);
  // For a connection that ended before it sent a request, only the reason is known.
  const isRequest = row['method'] !== '-';
  const query = row['query'] === '' ? '' : `?${row['query']}`;
  const warnings = (row['warnings'] as string[]).map((warning) => `  ${paint(33, warning)}`).join('');
  const code = row['code'] === null ? '' : `  ${row['code']}`;
  const line = `${paint(2, String(row['at']).slice(11, 23))}  ${paint(status < 400 ? 32 : 31, String(status))}  ${isRequest ? `${String(row['method']).padEnd(6)} ${row['path']}${query}` : `-      ${row['note'] ?? '-'}`}  ${paint(2, `${row['client_id'] ?? '-'}  ${row['took_ms']} ms`)}${code}${warnings}`;
  const places = (row['errors'] as { pointer: string; detail: string }[]).map(
    ({ pointer, detail }) => `${INDENT}${pointer} ${detail}`,
  );
  const detail = row['detail'] === null ? [] : [`${INDENT}${row['detail']}`];
  const fix = row['fix'] === null ? [] : [paint(2, `${INDENT}fix: ${row['fix']}`)];
  return [line, ...detail, ...places, ...fix];
}

const INDENT = ' '.repeat(14);

function deliveryLine(row: LogsRow): string {
  const paint = colourOf(process.stdout);
  const delivered = row['result'] === 'delivered';
  const how = delivered ? paint(32, String(row['status'])) : paint(31, String(row['error'] ?? row['status']));
  const { url } = row['request'] as { url: string };
  return `${paint(2, String(row['at']).slice(11, 23))}  ${String(row['event_type']).padEnd(26)} → ${url}  ${how}  try ${row['try']}  ${paint(2, `${row['took_ms']} ms, event ${row['event_id']}`)}`;
}

function watchLine(row: LogsRow): string {
  const paint = colourOf(process.stdout);
  const colour = { refused: 31, noted: 33 }[String(row['kind'])] ?? 32;
  const text = [row['what'], row['why']].filter((word) => word !== null).join(': ');
  return `${paint(2, String(row['at']).slice(11, 23))}  ${paint(colour, String(row['kind']).padEnd(8))} ${row['serial'] ?? 'somebody'}  ${text}`;
}

function eventLine(row: LogsRow): string {
  const paint = colourOf(process.stdout);
  const { alert, muster } = row['data'] as Record<string, Record<string, unknown> | undefined>;
  const about = alert === undefined ? `${muster?.['kind']} muster, ${muster?.['phase']}` : String(alert['title']);
  return `${paint(2, String(row['created_at']).slice(11, 23))}  ${String(row['type']).padEnd(26)} ${about}  ${paint(2, `event ${row['id']}`)}`;
}

function mailLine(row: LogsRow): string {
  const paint = colourOf(process.stdout);
  const text = String(row['text']).trimEnd().replaceAll('\n', '\n    ');
  return `${paint(2, String(row['at']).slice(11, 23))}  to ${row['to']}: ${paint(1, String(row['subject']))}\n    ${text}`;
}

/** `sandbox compare`: compares a real service, or recorded traffic, with the contract and with this sandbox. [cli] */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Static, Type } from 'typebox';
import { assert } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';
import type { Deviation } from '../../compare/exchange.ts';
import { ContractJudge } from '../../compare/judge.ts';
import { type ComparedCheck, observe } from '../../compare/observe.ts';
import { readRecording, UnreadableRecording } from '../../compare/recorded.ts';
import { type DeviationGroup, groupedDeviations } from '../../compare/report.ts';
import { paced, ServiceRefused, serviceAt } from '../../compare/service.ts';
import { check } from '../../contract/check.ts';
import { DEFAULT_LIMITS } from '../../contract/requests.ts';
import { isMap } from '../../contract/schema.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { VERSION } from '../../sandbox/version.ts';
import { escaped } from '../../scenario/reporting/junit.ts';
import { CommandError, colourOf, EXIT, envelope, out, talkLine, usage } from '../output.ts';
import { wholeNumber } from '../values.ts';

const HELP = `
Of recorded traffic (--recorded): judges each answer and each delivery of a HAR file, or of a folder of deliveries (NAME.json with
its headers in NAME.headers), against the contract: status, headers, body, order, and what several of them say of one alert,
evacuation or event. Nothing is sent anywhere. With --secret the signatures are computed again.

Of a service (--to URL --client FILE): sends the same read-only requests to the service and to a sandbox of its own, and reports for each
whether the answers are the same.
FILE is JSON: {"client_id": "...", "client_secret": "..."}. At most a tenth of the rate limit is used, unless --rate says otherwise.
Nothing is written, at either side.

Names and secrets are in no report; --redact off shows bodies as they are. With --baseline, the JSON of an earlier run, only new
differences fail.

Examples:
  ${CLI} compare --recorded session.har --secret whsec_...
  ${CLI} compare --to https://api.example.com --client client.json
  ${CLI} compare --recorded session.har --json > known.json
  ${CLI} compare --recorded session.har --baseline known.json

Exit codes: 0 nothing differs, 1 something differs, 2 wrong usage, 3 the service cannot be reached.`;

const ClientFile = Type.Object({
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
});

interface CompareFlags {
  readonly to?: string;
  readonly client?: string;
  readonly recorded: readonly string[];
  readonly secret: readonly string[];
  readonly rate?: number;
  readonly baseline?: string;
  readonly redact?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

interface ComparisonResult {
  readonly checks: readonly ComparedCheck[];
  readonly groups: readonly DeviationGroup[];
  readonly judged: ReadonlyMap<string, number>;
}

const several = (value: string, before: readonly string[]): string[] => [...before, value];

export function defineCompare(program: Command, ended: (code: number) => void): void {
  program
    .command('compare')
    .description('compare a real service, or recorded traffic, with the contract and with this sandbox')
    .option('--to <url>', 'the service: where /v1/ begins')
    .option('--client <file>', 'its client: {client_id, client_secret}')
    .option('--recorded <file>', 'a HAR file, or a folder of deliveries; may be repeated', several, [])
    .option(
      '--secret <whsec>',
      'the secret of a destination whose deliveries were recorded; may be repeated',
      several,
      [],
    )
    .option('--rate <n>', 'requests a minute; default: a tenth of the limit', wholeNumber(100_000))
    .option('--baseline <file>', 'the JSON of an earlier run, whose differences are known')
    .option('--redact <off>', 'off: names and secrets of the traffic are in the report')
    .option('--junit <file>', 'write JUnit XML')
    .option('--json', 'the result as one JSON object')
    .addHelpText('after', HELP)
    .action(async (flags: CompareFlags) => ended(await compare(flags)));
}

async function compare(flags: CompareFlags): Promise<number> {
  const { to, recorded, redact, baseline, junit, json } = flags;
  if ((to === undefined) === (recorded.length === 0))
    throw usage(
      'Name a service with --to and --client, or traffic with --recorded.',
      `${CLI} compare --help has examples.`,
    );
  if (redact !== undefined && redact !== 'off')
    throw usage(`--redact ${redact} is nothing. Write --redact off, or leave it out.`);
  const known = baseline === undefined ? new Set<string>() : keysOf(baseline);
  const judge = new ContractJudge({ secrets: flags.secret });
  const { checks, deviations } =
    to === undefined
      ? { checks: [], deviations: judgedTraffic(recorded, judge) }
      : await observedService(to, flags, judge);
  const groups = groupedDeviations(deviations, { isRedacted: redact !== 'off', known });
  const compared = { checks: checks.map((one) => one), groups, judged: judge.judged };
  const isNew = (key: string) => !known.has(key);
  const differs =
    checks.some((one) => one.result === 'different' && isNew(keyOf(one))) || groups.some((one) => !one.isKnown);
  if (junit !== undefined) writeFileSync(junit, junitOf(compared, known));
  if (json === true) out(JSON.stringify(envelope('compare', dataOf(compared))));
  else print(compared, known);
  return differs ? EXIT.failed : EXIT.done;
}

function judgedTraffic(paths: readonly string[], judge: ContractJudge): Deviation[] {
  try {
    const deviations = paths.flatMap((path) => readRecording(path).flatMap((one) => judge.add(one)));
    if (judge.judged.size > 0) return deviations;
  } catch (error) {
    if (error instanceof UnreadableRecording)
      throw new CommandError(EXIT.usage, 'unreadable_recording', error.message, { actions: [error.fix] });
    throw error;
  }
  throw new CommandError(
    EXIT.usage,
    'nothing_recorded',
    `${paths.join(', ')} has no call of the API and no delivery.`,
    {
      actions: ['Record with content, and look whether paths begin with /v1/.'],
    },
  );
}

async function observedService(to: string, { client, rate }: CompareFlags, judge: ContractJudge) {
  if (client === undefined) throw usage('--to needs --client: a JSON file with client_id and client_secret.');
  if (!/^https?:\/\/[^\s/]+/.test(to)) throw usage(`${to} is no address. Write https://api.example.com.`);
  const secrets = clientOf(client);
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-compare-'));
  const sandbox = await startSandbox({ memory: true, dataDir, fleet: false, port: 0, mqttPort: 0, seed: '1' });
  try {
    const [own] = sandbox.ready.clients;
    assert(own !== undefined, 'The default world has a client.');
    const pace = paced(rate ?? DEFAULT_LIMITS.requests_per_minute / 10);
    const service = serviceAt('service', to.replace(/\/$/, ''), secrets, pace);
    const free = async () => {};
    return await observe({
      service,
      sandbox: serviceAt('sandbox', sandbox.ready.api_url, own, free),
      judge,
      pace: free,
      onCheck: () => {},
    });
  } catch (error) {
    if (!(error instanceof ServiceRefused)) throw error;
    throw new CommandError(EXIT.environment, 'service_not_reachable', error.message, {
      actions: ['Look at --to and --client, and whether the service runs.'],
    });
  } finally {
    await sandbox.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function clientOf(path: string): Static<typeof ClientFile> {
  const read = check(ClientFile, jsonFile(path));
  if (read.ok) return read.value;
  throw usage(`${path} is no client. Write {"client_id": "...", "client_secret": "..."}.`);
}

function jsonFile(path: string): unknown {
  const text = readUserText(path, { mostBytes: FILE_LIMITS.credentials });
  if (typeof text !== 'string') throw usage(`${path} ${text?.why ?? 'is missing'}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${path} is not JSON.`);
  }
}

/** The keys of the differences in an earlier report. */
function keysOf(path: string): Set<string> {
  const value = jsonFile(path);
  const data = isMap(value) ? value['data'] : undefined;
  if (!isMap(data) || !Array.isArray(data['deviations']) || !Array.isArray(data['checks']))
    throw usage(`${path} is no report of compare. Write one with: ${CLI} compare ... --json > ${path}`);
  const keys = [...data['deviations'], ...data['checks']].map((one) => (isMap(one) ? one['key'] : undefined));
  return new Set(keys.filter((key) => typeof key === 'string'));
}

const keyOf = ({ request, differences }: ComparedCheck): string => `${request} ${differences.join('; ')}`;

const dataOf = ({ checks, groups, judged }: ComparisonResult) => ({
  checks: checks.map((one) => ({ key: keyOf(one), ...one })),
  deviations: groups.map(({ isKnown, ...group }) => ({ ...group, known: isKnown })),
  judged: Object.fromEntries(judged),
});

function print({ checks, groups, judged }: ComparisonResult, known: ReadonlySet<string>): void {
  const paint = colourOf(process.stdout);
  for (const one of checks) {
    const isKnown = one.result === 'different' && known.has(keyOf(one));
    const mark = { same: paint(32, 'same     '), different: paint(31, 'different'), unknown: paint(33, 'unknown  ') }[
      one.result
    ];
    out(`${mark}  ${one.request}  ${one.name} ${paint(2, one.clause)}${isKnown ? '  known' : ''}`);
    for (const difference of one.differences) out(`             ${difference}`);
  }
  if (checks.length > 0) out('');
  for (const { operation, clause, pointer, detail, times, example, isKnown } of groups) {
    const where = pointer === '' ? '' : `  ${pointer}`;
    out(`${paint(31, 'deviates')}  ${operation}${where}  ${detail} ${paint(2, clause)}${isKnown ? '  known' : ''}`);
    out(
      `          ${times} ${times === 1 ? 'time' : 'times'}; the smallest: ${example.request}${example.status === null ? '' : ` ${example.status}`} (${example.source})`,
    );
    if (example.body !== '') out(`          ${example.body}`);
  }
  const exchanges = [...judged.values()].reduce((sum, count) => sum + count, 0);
  const count = (result: ComparedCheck['result']) => checks.filter((one) => one.result === result).length;
  const compared =
    checks.length === 0 ? '' : `${count('same')} same, ${count('different')} different, ${count('unknown')} unknown; `;
  talkLine(
    `${compared}${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'} of ${judged.size} operations judged, ${groups.length} kinds of deviation`,
  );
}

function junitOf({ checks, groups, judged }: ComparisonResult, known: ReadonlySet<string>): string {
  const cases = [
    ...checks.map((one) => {
      const isFailed = one.result === 'different' && !known.has(keyOf(one));
      return testCase(`${one.request} ${one.name}`, isFailed ? one.differences.join('\n') : null);
    }),
    ...[...judged.keys()].map((operation) => {
      const failed = groups.filter((group) => group.operation === operation && !group.isKnown);
      const text = failed.map(({ pointer, detail, clause }) => `${pointer} ${detail} ${clause}`).join('\n');
      return testCase(operation, failed.length === 0 ? null : text);
    }),
  ];
  const failures = cases.filter((text) => text.includes('<failure')).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="compare" tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="compare" tests="${cases.length}" failures="${failures}">`,
    `    <properties><property name="version" value="${escaped(VERSION)}"/></properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const testCase = (name: string, failure: string | null): string =>
  failure === null
    ? `    <testcase name="${escaped(name)}" classname="compare"/>`
    : `    <testcase name="${escaped(name)}" classname="compare"><failure message="${escaped(failure.split('\n')[0] ?? '')}">${escaped(failure)}</failure></testcase>`;

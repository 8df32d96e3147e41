/** `sandbox compare`: compares a real service, or recorded traffic, with the contract and with this sandbox. [cli] */
import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { differencesIn, unjudgedGroups } from '../../proving/compare/comparison-result.ts';
import type { Deviation } from '../../proving/compare/exchange.ts';
import { comparisonHtml } from '../../proving/compare/html-report.ts';
import { ContractJudge } from '../../proving/compare/judging/judge.ts';
import { profileText } from '../../proving/compare/open-points/profile.ts';
import { readRecording, UnreadableRecording } from '../../proving/compare/recorded.ts';
import { groupedDeviations } from '../../proving/compare/report.ts';
import { VERSION } from '../../sandbox/version.ts';
import { CommandError, EXIT, envelope, out, talk, talkLine, usage } from '../output.ts';
import { writeReportFile } from '../report-file.ts';
import {
  addReportFlags,
  envelopeText,
  mainReport,
  type RequestedReports,
  requestedReports,
  writeReports,
} from '../reports.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { sandboxOptions } from '../up/options.ts';
import { wholeNumber } from '../values.ts';
import { baselineKeys, clientOf } from './inputs.ts';
import { dataOf, junitOf, print, unjudgedSentence } from './print.ts';
import { allowedWrites, observedService } from './to-service.ts';

const HELP = `
With --to and --client: sends the same read-only requests to the service and to a new sandbox, and reports for each request
whether the answers are the same. The file of --client is JSON: {"client_id": "...", "client_secret": "..."}. Without --rate,
compare uses a tenth of the rate limit. It also checks the answers against the contract, as it does for recorded traffic.

With --recorded: checks each answer and each delivery against the contract: status, headers, body, order, and whether several
answers agree about one alert, evacuation or event. It sends no requests. With --secret, it verifies the signatures.

compare writes nothing at the service without --allow-writes, and reports the checks that were left out:
  destinations             creates webhook destinations at an address that does not exist, and deletes them
  acknowledge=ALERT_ID     acknowledges this alert

The report shows which reading the service has of each point that the specification leaves open (${CLI} gaps).
--save stores these readings in a file for ${CLI} up --profile FILE.

Reports contain no names of people and sites without --redact off, and never tokens or secrets. With --baseline, only
differences that the earlier report does not contain fail.

Examples:
  ${CLI} compare --recorded session.har --secret whsec_...
  ${CLI} compare --to https://api.example.com --client client.json
  ${CLI} compare --to https://api.example.com --client client.json --save profile.yaml
  ${CLI} compare --to https://api.example.com --client client.json --report html,junit
  ${CLI} compare --recorded session.har --report json --out known
  ${CLI} compare --recorded session.har --baseline known/report.json

Exit codes: 0 no differences, 1 differences, 2 wrong usage, 3 the service cannot be reached or refuses the client,
or nothing differs and no check of a whole group (such as alerts) could be judged.`;

interface CompareFlags {
  readonly to?: string;
  readonly client?: string;
  readonly recorded: readonly string[];
  readonly secret: readonly string[];
  readonly rate?: number;
  readonly save?: string;
  readonly profile?: string;
  readonly allowWrites: readonly string[];
  readonly baseline?: string;
  readonly redact?: string;
  readonly json?: boolean;
}

const several = (value: string, before: readonly string[]): string[] => [...before, value];

export function defineCompare(program: Command, ended: (code: number) => void): void {
  const comparing = program
    .command('compare')
    .description('compare a real service, or recorded traffic, with the contract and with this sandbox')
    .option('--to <url>', 'base URL of the service, without /v1')
    .option('--client <file>', 'JSON file with the client: {client_id, client_secret}')
    .addOption(
      new Option('--recorded <file>', 'HAR file, or folder of deliveries (repeatable)')
        .argParser(several)
        .default([], 'none'),
    )
    .addOption(
      new Option('--secret <whsec>', 'secret of a recorded destination, to verify signatures (repeatable)')
        .argParser(several)
        .default([], 'none'),
    )
    .addOption(
      new Option('--allow-writes <what...>', 'permitted writes: destinations, acknowledge=ALERT_ID')
        .argParser(several)
        .default([], 'none'),
    )
    .option('--save <file>', `write the observed readings of the open points to this file, for ${CLI} up --profile`)
    .addOption(sandboxFlag('profile', 'compare'))
    .option('--rate <n>', 'requests per minute (default: a tenth of the rate limit)', wholeNumber(100_000))
    .option('--baseline <file>', 'JSON report of an earlier run; its differences do not fail')
    .option('--redact <off>', '"off" includes names of people and sites in the report')
    .option('--json', 'print the result as one JSON object');
  addReportFlags(comparing)
    .addHelpText('after', HELP)
    .action(async (flags: CompareFlags, command: Command) =>
      ended(await compare(flags, requestedReports('compare', command))),
    );
}

async function compare(flags: CompareFlags, reports: RequestedReports<'compare'>): Promise<number> {
  const { to, recorded, redact, baseline, json, save, profile } = flags;
  if ((to === undefined) === (recorded.length === 0))
    throw usage(
      'Name a service with --to and --client, or traffic with --recorded.',
      `${CLI} compare --help has examples.`,
    );
  if (save !== undefined && to === undefined)
    throw usage('--save stores what --to observes. Name a service with --to and --client.');
  if (redact !== undefined && redact !== 'off')
    throw usage(`--redact ${redact} is not valid. Write --redact off, or leave it out.`);
  const known = baseline === undefined ? new Set<string>() : baselineKeys(baseline);
  const judge = new ContractJudge({ secrets: flags.secret, isSequential: to !== undefined });
  const { checks, deviations, points, sides } =
    to === undefined
      ? { checks: [], points: [], sides: null, deviations: judgedTraffic(recorded, judge) }
      : await observedService({
          to,
          client: clientOf(flags.client ?? missingClient()),
          rate: flags.rate,
          judge,
          allowed: allowedWrites(flags.allowWrites),
          assumptions: profile === undefined ? undefined : sandboxOptions({ profile }).assumptions,
        });
  const isRedacted = redact !== 'off';
  const groups = groupedDeviations(deviations, { isRedacted, known });
  const compared = { checks, groups, points, judged: judge.judged };
  if (save !== undefined) writeReportFile(save, profileText(points));
  const isNew = (one: { readonly key: string }) => !known.has(one.key);
  const differs = differencesIn(compared).some(isNew);
  const line = envelope('compare', dataOf(compared));
  if (json === true) out(JSON.stringify(line));
  const about = { sides, recordings: recorded, known, isRedacted, version: VERSION };
  writeReports(reports, {
    'report.html': () => comparisonHtml(compared, about),
    'junit.xml': () => junitOf(compared, known),
    'report.json': () => envelopeText(line),
  });
  if (json !== true) print(compared, known, mainReport(reports));
  if (differs) return EXIT.failed;
  const unjudged = unjudgedGroups(compared);
  if (json === true && unjudged.length > 0) talkLine(unjudgedSentence(unjudged));
  return unjudged.length === 0 ? EXIT.done : EXIT.environment;
}

function missingClient(): never {
  throw usage('--to needs --client: a JSON file with client_id and client_secret.');
}

function judgedTraffic(paths: readonly string[], judge: ContractJudge): Deviation[] {
  try {
    const traffic = paths.flatMap(readRecording);
    const deviations = traffic.flatMap((one) => judge.add(one));
    const bare = traffic.filter(({ isWithoutContent }) => isWithoutContent === true).length;
    if (bare > 0)
      talk(`note  ${bare} of ${traffic.length} are recorded without content, and judged by status and headers only.`);
    if (judge.judged.size > 0) return deviations;
  } catch (error) {
    if (error instanceof UnreadableRecording)
      throw new CommandError(EXIT.usage, 'unreadable_recording', error.message, { actions: [error.fix] });
    throw error;
  }
  throw new CommandError(EXIT.usage, 'nothing_recorded', `${paths.join(', ')} contains no API call and no delivery.`, {
    actions: ['Record with content, and check that the paths begin with /v1/.'],
  });
}

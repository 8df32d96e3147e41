/** `sandbox certify URL`: judges a webhook receiver against the contract by numbered checks. [cli] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Outage } from '../base/assert.ts';
import { parseDuration } from '../base/durations.ts';
import { randomSecret } from '../base/ids.ts';
import { ApiClientWatch } from '../certify/api-client-watch.ts';
import { CHECKS } from '../certify/catalogue.ts';
import { type CertifyOptions, type CheckVerdict, certify, countsOf } from '../certify/certify.ts';
import { CHECK_GROUPS, CHECK_NEEDS, clauseText } from '../certify/check.ts';
import { DeliveryMaker } from '../certify/deliveries.ts';
import type { CertifiedSite } from '../certify/events.ts';
import { PROBE_HELP, ReceiverProbe } from '../certify/probe.ts';
import { ReceiverProcess } from '../certify/receiver-process.ts';
import { type CertifyReport, certifyHtml, certifyJunit, verdictData } from '../certify/reports.ts';
import { VERSION } from '../sandbox/version.ts';
import { printSummary, VerdictPrinter } from './certify-lines.ts';
import { type CertifySandbox, startCertifySandbox } from './certify-sandbox.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, talkLine, usage } from './output.ts';
import { runUntilSignal } from './signals.ts';
import { port } from './values.ts';

/** Used where none is given: a receiver that is being certified has to know it before. */
const DEFAULT_SECRET = 'whsec_only_for_sandbox_certify_never_in_production';

const HELP = `
Sends a receiver what the service sends, and what it never sends, and says of each what came back, what production would
make of it, and the cure. No check is passed that could not be seen: those are "not judged", with what they need.

The secret: your receiver has to know it before. Give the one that it has with --secret (or SANDBOX_WEBHOOK_SECRET), such as
that of sandbox listen, or let it have ${DEFAULT_SECRET}, which is used otherwise.
With --start-command certify starts the receiver itself, with the secret in SANDBOX_WEBHOOK_SECRET (a new one unless given),
the address of a sandbox's API in SANDBOX_API_URL, a client in SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET, and the port of
URL in PORT. The log of that sandbox has events that no delivery brings: the receiver is judged by how it fetches them.
--api-port N offers the same to a receiver that runs already; its client's id and secret, which are printed, never change.

${PROBE_HELP}

Point it at a test system: what is sent looks like an emergency. All alerts say simulated: true, but for one each of checks 15
and 41, and all musters say that they are a drill.

Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage, 3 the receiver cannot be reached (nothing is judged then).

Examples:
  sandbox certify http://127.0.0.1:3000/hook --secret whsec_mine
  sandbox certify http://127.0.0.1:3000/hook --start-command 'node receiver.js' --probe http://127.0.0.1:3000/state
  sandbox certify http://127.0.0.1:3000/hook --only 11,29-32
  sandbox certify http://127.0.0.1:3000/hook --junit certify.xml --html certify.html
  sandbox certify --list`;

interface CertifyFlags {
  readonly secret?: string;
  readonly startCommand?: string;
  readonly startTimeout: number;
  readonly skipVerify?: boolean;
  readonly apiPort?: number;
  readonly clientWait: number;
  readonly probe?: string;
  readonly only?: ReadonlySet<number>;
  readonly list?: boolean;
  readonly junit?: string;
  readonly html?: string;
  readonly json?: boolean;
}

const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError('It must be a duration like 30s or 2m.');
  return ms;
};

/** `7,12` and `29-32`. */
const numbersOf = (text: string): ReadonlySet<number> => {
  const numbers = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d{1,2})(?:-(\d{1,2}))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === undefined || first > last)
      throw new InvalidArgumentError('It must be numbers of checks, like 7,12 or 29-32.');
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
  const unknown = numbers.find((number) => CHECKS.every((check) => check.number !== number));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no check ${unknown}: they go from 1 to ${CHECKS.length}, and sandbox certify --list prints them.`,
    );
  return new Set(numbers);
};

export function defineCertify(program: Command, ended: (code: number) => void): void {
  program
    .command('certify [url]')
    .description('judge a webhook receiver against the contract: numbered checks, verdicts with the reason')
    .addOption(new Option('--secret <secret>', 'what deliveries are signed with').env('SANDBOX_WEBHOOK_SECRET'))
    .option('--start-command <command>', 'starts the receiver, with secret and API in its environment')
    .addOption(
      new Option('--start-timeout <duration>', 'how long it may take to listen')
        .argParser(durationOf)
        .default(30_000, '30s'),
    )
    .addOption(new Option('--probe <url>', 'an address of the receiver that says what it holds'))
    .addOption(
      new Option('--api-port <port>', 'offer the API of a sandbox there to a receiver that runs already').argParser(
        port,
      ),
    )
    .addOption(
      new Option('--client-wait <duration>', 'how long its calls of the API are waited for')
        .argParser(durationOf)
        .default(30_000, '30s'),
    )
    .addOption(new Option('--only <numbers>', 'these checks, and 1 and 2, which all others need').argParser(numbersOf))
    .option('--skip-verify', 'accept any certificate of an https receiver')
    .option('--list', 'print the checks')
    .option('--junit <file>', 'write the verdicts as JUnit XML')
    .option('--html <file>', 'write the verdicts as one page, with each request and answer')
    .option('--json', 'the verdicts as one JSON object')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, flags: CertifyFlags) => {
      if (flags.list === true) return list(flags);
      ended(await judge(targetOf(url), flags));
    });
}

function list({ json }: CertifyFlags): void {
  const rows = CHECKS.map(({ number, group, title, clause, needs }) => ({ number, group, title, clause, needs }));
  if (json === true) return out(JSON.stringify(envelope('certify', { checks: rows })));
  const paint = colourOf(process.stdout);
  for (const [place, { number, group, title, clause, needs }] of rows.entries()) {
    if (rows[place - 1]?.group !== group) out(`${place === 0 ? '' : '\n'}${paint(1, CHECK_GROUPS[group])}`);
    const need = needs.length === 0 ? '' : `; needs ${needs.map((name) => CHECK_NEEDS[name].flag).join(', ')}`;
    outLine(`${String(number).padStart(3)}  ${title}  ${paint(2, `${clauseText({ clause })}${need}`)}`);
  }
}

function targetOf(url: string | undefined): URL {
  if (url === undefined)
    throw usage('certify needs the address of a receiver.', 'Write: sandbox certify http://127.0.0.1:3000/hook');
  return addressOf(url, 'The receiver');
}

function addressOf(text: string, what: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usage(`${what} ${text} is not an address. Write it as http://127.0.0.1:3000/hook.`);
  return new URL(text);
}

/** What a run starts, and stops in reverse. */
interface StartedForCertify {
  readonly make: DeliveryMaker;
  readonly client: ApiClientWatch | null;
  readonly process: ReceiverProcess | null;
  readonly stop: () => Promise<void>;
}

async function judge(target: URL, flags: CertifyFlags): Promise<number> {
  const probe = flags.probe === undefined ? null : new ReceiverProbe(addressOf(flags.probe, '--probe'));
  const { only, json } = flags;
  const checks = only === undefined ? CHECKS : CHECKS.filter(({ number }) => number <= 2 || only.has(number));
  const running = runUntilSignal();
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const started = await start(target, flags);
  running.beforeForced(() => started.process?.kill());
  let verdicts: CheckVerdict[];
  try {
    const printer = new VerdictPrinter();
    const onVerdict = (verdict: CheckVerdict) => (json === true ? undefined : printer.take(verdict));
    if (json !== true) printHead(target, flags, started);
    const { make, client, process } = started;
    const options: CertifyOptions = {
      ...{ target, make, checks, probe, client, process, onVerdict, signal: ended.signal },
      ...{ clientWaitMs: flags.clientWait, skipVerify: flags.skipVerify === true },
    };
    verdicts = await certify(options);
    printer.end();
  } finally {
    await started.stop();
    running.done();
  }
  const report = { url: target.href, version: VERSION, verdicts, counts: countsOf(verdicts) };
  writeReport(flags.junit, certifyJunit, report);
  writeReport(flags.html, certifyHtml, report);
  if (ended.signal.aborted)
    throw new CommandError(
      EXIT.interrupted,
      'interrupted',
      `Interrupted after ${verdicts.length} of ${checks.length} checks.`,
      { details: verdicts.map(verdictData), retryable: true },
    );
  if (json === true) out(JSON.stringify(envelope('certify', reportData(report), warningsOf(target))));
  else printSummary(report);
  for (const file of [flags.junit, flags.html]) if (file !== undefined) talkLine(`report  ${file}`);
  return report.counts.failed > 0 ? EXIT.failed : EXIT.done;
}

const reportData = ({ url, verdicts, counts }: CertifyReport) => ({
  ...{ url, passed: counts.failed === 0, counts, checks: verdicts.map(verdictData) },
});

/** Stops what was started when a later part fails. */
async function start(target: URL, flags: CertifyFlags): Promise<StartedForCertify> {
  const { startCommand, apiPort } = flags;
  const secret = flags.secret ?? (startCommand === undefined ? DEFAULT_SECRET : `whsec_${randomSecret(32)}`);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    if (startCommand === undefined && apiPort === undefined)
      return { make: new DeliveryMaker(secret, NO_SANDBOX), client: null, process: null, stop };
    const sandbox: CertifySandbox = await startCertifySandbox();
    stops.push(sandbox.stop);
    const client = await ApiClientWatch.start(sandbox, apiPort ?? 0);
    client.missed.push(...sandbox.missed);
    stops.push(() => client.stop());
    const make = new DeliveryMaker(secret, sandbox.site);
    if (startCommand === undefined) return { make, client, process: null, stop };
    const environment = {
      SANDBOX_API_URL: client.url,
      SANDBOX_CLIENT_ID: sandbox.clientId,
      SANDBOX_CLIENT_SECRET: sandbox.clientSecret,
      SANDBOX_WEBHOOK_SECRET: secret,
    };
    const child = new ReceiverProcess(startCommand, target, environment, flags.startTimeout);
    stops.push(() => child.stop());
    await child.start();
    return { make, client, process: child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A company that no API knows. */
const NO_SANDBOX: CertifiedSite = {
  organizationId: '3f0c1d52-7a64-4c19-9d38-5b8e2f6a7c10',
  siteId: '8b1e4a77-2d93-4f56-8c0a-6e9d3b5f1a24',
  name: 'Terminal Puerto Alerce',
  panelUrl: 'https://panel.example',
};

const warningsOf = ({ protocol }: URL): string[] =>
  protocol === 'https:' ? [] : ['Production delivers to public https addresses only; this one was judged as it is.'];

function printHead(target: URL, flags: CertifyFlags, { make, client }: StartedForCertify): void {
  const paint = colourOf(process.stdout);
  outLine(`${paint(1, 'certify')}  ${target.href}`);
  outLine(
    `secret   ${make.secret}${flags.secret === undefined && flags.startCommand === undefined ? paint(2, '   (the receiver has to have it; --secret takes another)') : ''}`,
  );
  if (client !== null) {
    outLine(`API      ${client.url}`);
    outLine(`client   ${client.sandbox.clientId}, secret ${client.sandbox.clientSecret}`);
  }
}

function writeReport(file: string | undefined, write: (report: CertifyReport) => string, report: CertifyReport): void {
  if (file === undefined) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, write(report));
  } catch (error) {
    const cure = 'Name another file, in a folder that exists.';
    throw new Outage({ code: 'not_writable', message: `${file} cannot be written: ${(error as Error).message}`, cure });
  }
}

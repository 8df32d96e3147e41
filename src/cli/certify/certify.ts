/** `sandbox certify`: judges a webhook receiver, or a watch, against the contract by numbered checks. [cli] */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { randomSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import { parseDuration } from '../../base/time/durations.ts';
import { ApiClientWatch } from '../../certify/api-client-watch.ts';
import { CHECKS } from '../../certify/catalogue.ts';
import { type CertifyOptions, type CheckOutcome, certify, countsOf } from '../../certify/certify.ts';
import type { ReceiverCheck } from '../../certify/check.ts';
import { DeliveryMaker } from '../../certify/deliveries.ts';
import type { CertifiedSite } from '../../certify/events.ts';
import { PagesProbe, PROBE_HELP, ReceiverProbe, SecretAddress } from '../../certify/probe.ts';
import { RECEIVER_ZONE, ReceiverProcess } from '../../certify/receiver-process.ts';
import type { CertifyReport } from '../../certify/reports.ts';
import { HARNESS_HELP } from '../../certify/watch/device-process.ts';
import { VERSION } from '../../sandbox/version.ts';
import { receiverAddress } from '../deliveries/receiver-address.ts';
import { colourOf, outLine, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { port } from '../values.ts';
import { OutcomePrinter } from './lines.ts';
import { type CertifySandbox, startCertifySandbox } from './receiver-sandbox.ts';
import { chosenChecks, endCertify, listChecks } from './report.ts';
import type { WatchFlags } from './watch.ts';

/** Used where none is given: a receiver that is being certified has to know it before. */
const DEFAULT_SECRET = 'whsec_only_for_sandbox_certify_never_in_production';

const HELP = `
Of a webhook receiver (certify URL):
Sends a receiver what the service sends, and what it never sends, and says of each what came back, what production would
make of it, and the fix. No check is passed that could not be seen: those are "not judged", with what they need.

The secret: your receiver has to know it before. Give the one that it has with --secret (or SANDBOX_WEBHOOK_SECRET), such as
that of ${CLI} listen, or let it have ${DEFAULT_SECRET}, which is used otherwise.
With --start-command certify starts the receiver itself, with the secret in SANDBOX_WEBHOOK_SECRET (a new one unless given),
the address of a sandbox's API in SANDBOX_API_URL, a client in SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET, and the port of
URL in PORT. The API knows the alerts and musters that were delivered, and the log of that sandbox has events that no delivery
brings: the receiver is judged by how it fetches them, and by what it does after a 429 and a 401, which come when its own calls have
ended and new alerts were delivered. It runs with TZ=${RECEIVER_ZONE}, so that a local time in a call is seen.
--api-port N offers the same to a receiver that runs already; its client's id and secret, which are printed, never change.

${PROBE_HELP}

Point it at a test system: what is sent looks like an emergency. All alerts say simulated: true, but for one each of checks 15
and 41, and all musters say that they are a drill.

Of a watch (certify --watch SERIAL): firmware, a gateway, or anything else that speaks the watch protocol.
Boots a sandbox in memory that knows the serial, listens as its broker, and holds a conversation by script with whatever connects:
reports, presses, falls, alerts, a muster, a lost PUBACK, an outage, a second client with its serial. With --start-command certify
starts the device itself, with SANDBOX_MQTT_URL, SANDBOX_WATCH_SERIAL, SANDBOX_WATCH_KEY and SANDBOX_SITE_ID in its environment; a
device that runs already is pointed at the broker and the key that are printed (--host 0.0.0.0 with --watch-key lets it in from
the network; the key of a loopback broker is the same each time). With --data-dir the plant is that of a sandbox that runs, so that
its dashboard shows what happens; the watch must be one that it leaves to you. Whatever needs a hand is asked for at the terminal.

${HARNESS_HELP}

Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage, 3 the receiver cannot be reached, or the watch does not connect
(nothing is judged then), or a check that was asked for (--only, --probe, --start-command, --api-port) could not be judged.

Examples:
  ${CLI} certify http://127.0.0.1:3000/hook --secret whsec_mine
  ${CLI} certify http://127.0.0.1:3000/hook --start-command 'node receiver.js' --probe http://127.0.0.1:3000/state
  ${CLI} certify http://127.0.0.1:3000/hook --start-command 'node receiver.js' --secret-to http://127.0.0.1:3000/secret
  ${CLI} certify http://127.0.0.1:3000/hook --only 11,29-32
  ${CLI} certify http://127.0.0.1:3000/hook --junit certify.xml --html certify.html
  ${CLI} certify --list
  ${CLI} certify --watch ACME-0001 --host 0.0.0.0 --watch-key k3y
  ${CLI} certify --watch ACME-0001 --start-command './build/simulator' --junit watch.xml
  ${CLI} certify --watch ACME-0001 --list`;

interface CertifyFlags extends Omit<WatchFlags, 'watch'> {
  readonly watch?: string;
  readonly secret?: string;
  readonly skipVerify?: boolean;
  readonly apiPort?: number;
  readonly clientWait: number;
  readonly probe?: string;
  readonly probePages?: string;
  readonly secretTo?: string;
  readonly list?: boolean;
}

const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError('It must be a duration like 30s or 2m.');
  return ms;
};

export function defineCertify(program: Command, ended: (code: number) => void): void {
  program
    .command('certify [url]')
    .description('judge a webhook receiver or a watch against the contract: numbered checks, verdicts with the reason')
    .addOption(new Option('--secret <secret>', 'what deliveries are signed with').env('SANDBOX_WEBHOOK_SECRET'))
    .option('--start-command <command>', 'starts the receiver or the device, with all that it needs in its environment')
    .addOption(sandboxFlag('allowCommands', 'certify'))
    .addOption(
      new Option('--start-timeout <duration>', 'how long it may take to listen, or the watch to connect')
        .argParser(durationOf)
        .default(30_000, '30s'),
    )
    .addOption(new Option('--probe <url>', 'an address of the receiver that says what it holds'))
    .addOption(new Option('--probe-pages <url>', 'an address of the receiver that says whom it paged'))
    .addOption(new Option('--secret-to <url>', 'an address of the receiver that takes a new secret while it runs'))
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
    .addOption(new Option('--only <numbers>', 'these checks; of a receiver also 1 and 2, which all others need'))
    .option('--watch <serial>', 'judge the watch that connects with this serial')
    .addOption(new Option('--watch-key <key>', 'the key that the watch has').env('SANDBOX_WATCH_KEY'))
    .option('--data-dir <folder>', 'judge it before the sandbox that runs there, with its watch, key and intervals')
    .option('--host <address>', 'where the broker for the watch listens', '127.0.0.1')
    .addOption(
      new Option('--mqtt-port <port>', 'its port (default: 1883; with --start-command a free one)').argParser(port),
    )
    .addOption(
      new Option('--position-every <duration>', 'the interval of positions that down/config requests from the watch')
        .argParser(durationOf)
        .default(2_000, '2s'),
    )
    .addOption(
      new Option('--alarm-every <duration>', 'the same, during an alert or a muster')
        .argParser(durationOf)
        .default(1_000, '1s'),
    )
    .addOption(
      new Option(
        '--prompt <duration>',
        'how long the prompt of a fall lasts (default: 30s; 4s with a harness)',
      ).argParser(durationOf),
    )
    .option('--unattended', 'do not prompt: checks that need a person are not judged')
    .option('--skip-verify', 'accept any certificate of an https receiver')
    .option('--list', 'print the checks')
    .option('--junit <file>', 'write the verdicts as JUnit XML')
    .option('--html <file>', 'write the verdicts as one page, with each request and answer')
    .option('--json', 'the verdicts as one JSON object')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, flags: CertifyFlags) => {
      const { watch, list = false, json = false } = flags;
      if (watch === undefined) return list ? listChecks(CHECKS, json) : ended(await judge(targetOf(url), flags));
      if (url !== undefined) throw usage('certify takes the address of a receiver or --watch SERIAL, not both.');
      // Receivers need nothing of MQTT.
      if (list) return listChecks((await import('../../certify/watch/catalogue.ts')).WATCH_CHECKS, json);
      const { judgeWatch } = await import('./watch.ts');
      ended(await judgeWatch({ ...flags, watch }));
    });
}

function targetOf(url: string | undefined): URL {
  if (url === undefined)
    throw usage(
      'certify needs the address of a receiver.',
      `Write: ${CLI} certify http://127.0.0.1:3000/hook, or for a watch: ${CLI} certify --watch SERIAL`,
    );
  return addressOf(url, 'The receiver');
}

function addressOf(text: string, what: string): URL {
  return new URL(receiverAddress(what, text));
}

/** What a run starts, and stops in reverse. */
interface StartedForCertify {
  readonly make: DeliveryMaker;
  readonly client: ApiClientWatch | null;
  readonly process: ReceiverProcess | null;
  readonly stop: () => Promise<void>;
}

async function judge(target: URL, flags: CertifyFlags): Promise<number> {
  const addressAt = (flag: 'probe' | 'probePages' | 'secretTo', name: string): URL | null =>
    flags[flag] === undefined ? null : addressOf(flags[flag], name);
  const probeAt = addressAt('probe', '--probe');
  const pagesAt = addressAt('probePages', '--probe-pages') ?? probeAt;
  const secretAt = addressAt('secretTo', '--secret-to');
  const { json } = flags;
  const only = chosenChecks(flags.only, CHECKS);
  const checks = CHECKS.filter((check) => check.number <= 2 || only.includes(check));
  const running = runUntilSignal();
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const started = await start(target, flags);
  running.beforeForced(() => started.process?.kill());
  let outcomes: CheckOutcome[];
  try {
    const printer = new OutcomePrinter();
    const onOutcome = (outcome: CheckOutcome) => (json === true ? undefined : printer.take(outcome));
    if (json !== true) printHead(target, flags, started);
    const { make, client, process } = started;
    const options: CertifyOptions = {
      target,
      make,
      checks,
      probe: probeAt && new ReceiverProbe(probeAt),
      pages: pagesAt && new PagesProbe(pagesAt),
      secretTo: secretAt && new SecretAddress(secretAt),
      client,
      process,
      onOutcome,
      signal: ended.signal,
      clientWaitMs: flags.clientWait,
      skipVerify: flags.skipVerify === true,
    };
    outcomes = await certify(options);
    printer.end();
  } finally {
    await started.stop();
    running.done();
  }
  const report: CertifyReport = {
    url: target.href,
    subject: 'Webhook receiver',
    version: VERSION,
    outcomes,
    counts: countsOf(outcomes),
  };
  return endCertify(report, flags, {
    isInterrupted: ended.signal.aborted,
    checks: checks.length,
    warnings: warningsOf(target),
    requested: requestedOf(checks, only, flags),
  });
}

/** The requested checks: those named by number, and those whose requirement is a flag that was given. */
function requestedOf(
  checks: readonly ReceiverCheck[],
  only: readonly ReceiverCheck[],
  { only: numbers, probe, probePages, secretTo, startCommand, apiPort }: CertifyFlags,
): ReceiverCheck[] {
  if (numbers !== undefined) return [...only];
  const given = {
    probe: probe !== undefined,
    pages: probePages !== undefined,
    secretTo: secretTo !== undefined,
    // What is started may be a receiver only, which calls nothing.
    client: apiPort !== undefined,
    process: startCommand !== undefined,
  };
  return checks.filter(({ needs }) => needs.length > 0 && needs.every((need) => given[need]));
}

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
    `secret   ${make.secret}${flags.secret === undefined && flags.startCommand === undefined ? paint(2, `   (the receiver has to have it; --secret takes another, as that of ${CLI} listen --print-secret)`) : ''}`,
  );
  if (client !== null) {
    outLine(`API      ${client.url}`);
    outLine(`client   ${client.sandbox.clientId}, secret ${client.sandbox.clientSecret}`);
  }
}

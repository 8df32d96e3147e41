/** `sandbox certify`: judges a webhook receiver, or a watch, against the contract by numbered checks. [cli] */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { randomSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import { parseDuration } from '../../base/time/durations.ts';
import { ApiClientWatch } from '../../proving/certify/api-client-watch.ts';
import { CHECKS } from '../../proving/certify/catalogue.ts';
import { type CertifyOptions, type CheckOutcome, certify, countsOf } from '../../proving/certify/certify.ts';
import type { ReceiverCheck } from '../../proving/certify/check.ts';
import { DeliveryMaker } from '../../proving/certify/deliveries.ts';
import type { CertifiedSite } from '../../proving/certify/events.ts';
import { PagesProbe, PROBE_HELP, ReceiverProbe, SecretAddress } from '../../proving/certify/probe.ts';
import { RECEIVER_ZONE, ReceiverProcess } from '../../proving/certify/receiver-process.ts';
import type { CertifyReport } from '../../proving/certify/reports.ts';
import { HARNESS_HELP } from '../../proving/certify/watch/device-process.ts';
import { listenHostOf } from '../../sandbox/options/values.ts';
import { VERSION } from '../../sandbox/version.ts';
import { receiverAddress } from '../deliveries/receiver-address.ts';
import { colourOf, outLine, usage } from '../output.ts';
import { addReportFlags, requestedReports } from '../reports.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { port } from '../values.ts';
import { OutcomePrinter } from './lines.ts';
import { type CertifySandbox, startCertifySandbox } from './receiver-sandbox.ts';
import { chosenChecks, endCertify, listChecks } from './report.ts';
import type { WatchFlags } from './watch.ts';

/** The default secret. It is fixed, because a receiver must know the secret before the test. */
const DEFAULT_SECRET = 'whsec_only_for_sandbox_certify_never_in_production';

const HELP = `
To test a webhook receiver: certify URL

The command sends the receiver correct and incorrect deliveries. For each check it reports what the receiver
replied, what this would cause in production, and the fix. A check that could not be observed does not pass: it is
"not judged", with the reason.

The receiver must know the secret of the deliveries before the test. There are three ways:
  --secret, or SANDBOX_WEBHOOK_SECRET    the secret that the receiver has, such as that of "${CLI} listen"
  without it                             configure ${DEFAULT_SECRET} in the receiver
  --start-command                        certify starts the receiver with a new secret

With --start-command, the environment of the receiver has SANDBOX_WEBHOOK_SECRET, PORT (the port of URL),
SANDBOX_API_URL (the API of a sandbox), SANDBOX_CLIENT_ID and SANDBOX_CLIENT_SECRET. The API has the alerts and
musters that were delivered, and its event log also has events that were not delivered. Some checks judge how
the receiver fetches these events, and what it does after a 429 and a 401. These replies come after its first
calls, with new alerts. TZ is ${RECEIVER_ZONE}, so a check can find calls that use local time. --api-port N
offers the same API to a receiver that is already running. The command prints the id and secret of its client,
which never change.

${PROBE_HELP}

Use a test system: the deliveries look like an emergency. All alerts have simulated: true, except one in each of
the checks 15 and 41, and all musters are marked as drills.

To test a watch (firmware, a gateway, or any other client of the watch protocol): certify --watch SERIAL

The command starts a sandbox in memory with an MQTT broker, waits for the watch with this serial, and plays a
script: reports, button presses, falls, alerts, a muster, a lost PUBACK, an outage, a second client with the
same serial. If a step needs a person, a prompt appears in the terminal.
  --start-command               certify starts the device, with SANDBOX_MQTT_URL, SANDBOX_WATCH_SERIAL,
                                SANDBOX_WATCH_KEY and SANDBOX_SITE_ID in its environment
  a device that is running      connect it to the printed broker with the printed key
  --host 0.0.0.0 --watch-key    accepts a device from the network; on loopback, the key is always the same
  --data-dir                    uses the plant of a running sandbox, so its dashboard shows the test; the watch must
                                be one that this sandbox does not emulate

${HARNESS_HELP}

Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage, 3 the receiver cannot be reached, the watch does
not connect, a requested check (--only, --probe, --start-command, --api-port, --client-wait) could not be judged, or a check is
inconclusive, because this machine was busy.

Examples:
  ${CLI} certify http://127.0.0.1:3000/hook --secret whsec_mine
  ${CLI} certify http://127.0.0.1:3000/hook --start-command 'node receiver.js' --probe http://127.0.0.1:3000/state
  ${CLI} certify http://127.0.0.1:3000/hook --start-command 'node receiver.js' --secret-to http://127.0.0.1:3000/secret
  ${CLI} certify http://127.0.0.1:3000/hook --only 11,29-32
  ${CLI} certify http://127.0.0.1:3000/hook --report junit,html --out report
  ${CLI} certify --list
  ${CLI} certify --watch ACME-0001 --host 0.0.0.0 --watch-key k3y
  ${CLI} certify --watch ACME-0001 --start-command './build/simulator' --report junit
  ${CLI} certify --watch ACME-0001 --list`;

interface CertifyFlags extends Omit<WatchFlags, 'watch'> {
  readonly watch?: string;
  readonly secret?: string;
  readonly skipVerify?: boolean;
  readonly apiPort?: number;
  readonly clientWait: number;
  /** True if the user wrote --client-wait, and so requests the checks of the client. */
  readonly asksForCalls: boolean;
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
  const certifying = program
    .command('certify [url]')
    .description('test a webhook receiver or a watch against the contract with numbered checks')
    .addOption(new Option('--secret <secret>', 'secret that signs the deliveries').env('SANDBOX_WEBHOOK_SECRET'))
    .option(
      '--start-command <command>',
      'command that starts the receiver or the device; its environment has the addresses and secrets',
    )
    .addOption(sandboxFlag('allowCommands', 'certify'))
    .addOption(
      new Option('--start-timeout <duration>', 'longest time until the receiver listens or the watch connects')
        .argParser(durationOf)
        .default(30_000, '30s'),
    )
    .addOption(new Option('--probe <url>', 'address of the receiver that returns its alerts and musters'))
    .addOption(new Option('--probe-pages <url>', 'address of the receiver that returns the people that it paged'))
    .addOption(new Option('--secret-to <url>', 'address of the receiver that accepts a new secret while it runs'))
    .addOption(
      new Option(
        '--api-port <port>',
        'port at which a receiver that is already running can call the API of a sandbox',
      ).argParser(port),
    )
    .addOption(
      new Option('--client-wait <duration>', 'longest time to wait for the API calls of the receiver')
        .argParser(durationOf)
        .default(30_000, '30s'),
    )
    .addOption(
      new Option(
        '--only <numbers>',
        'run only these checks, such as 11,29-32; for a receiver also 1 and 2, which the others need',
      ),
    )
    .option('--watch <serial>', 'test the watch that connects with this serial')
    .addOption(new Option('--watch-key <key>', 'key of the watch').env('SANDBOX_WATCH_KEY'))
    .option(
      '--data-dir <folder>',
      'test a watch of the sandbox that runs on this data folder, with its key and intervals',
    )
    .option('--host <address>', 'address at which the broker for the watch listens', listenHostOf, '127.0.0.1')
    .addOption(
      new Option(
        '--mqtt-port <port>',
        'port of the broker for the watch (default: 1883; with --start-command: a free port)',
      ).argParser(port),
    )
    .addOption(
      new Option('--position-every <duration>', 'interval of positions that down/config sets for the watch')
        .argParser(durationOf)
        .default(2_000, '2s'),
    )
    .addOption(
      new Option('--alarm-every <duration>', 'interval of positions during an alert or a muster')
        .argParser(durationOf)
        .default(1_000, '1s'),
    )
    .addOption(
      new Option(
        '--prompt <duration>',
        'time in which the worker can answer the prompt after a fall (default: 30s; 4s with a harness)',
      ).argParser(durationOf),
    )
    .option('--unattended', 'do not prompt; checks that need a person are not judged')
    .option('--skip-verify', 'accept any certificate of an https receiver')
    .option('--list', 'print the list of checks and end')
    .option('--json', 'print the results as one JSON object');
  addReportFlags(certifying)
    .addHelpText('after', HELP)
    .action(
      async (
        url: string | undefined,
        given: Omit<CertifyFlags, 'reports' | 'asksForCalls' | 'words'>,
        command: Command,
      ) => {
        const asksForCalls = command.getOptionValueSource('clientWait') !== 'default';
        const words = command.parent?.args ?? [];
        const flags: CertifyFlags = { ...given, words, asksForCalls, reports: requestedReports('certify', command) };
        const { watch, list = false, json = false } = flags;
        if (watch === undefined) return list ? listChecks(CHECKS, json) : ended(await judge(targetOf(url), flags));
        if (url !== undefined) throw usage('certify takes the address of a receiver or --watch SERIAL, not both.');
        // Tests of receivers need no MQTT code, so it is loaded only for watches.
        if (list) return listChecks((await import('../../proving/certify/watch/catalogue.ts')).WATCH_CHECKS, json);
        const { judgeWatch } = await import('./watch.ts');
        ended(await judgeWatch({ ...flags, watch }));
      },
    );
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

/** What a run starts. `stop` ends the parts in reverse order. */
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
  const requested = requestedOf(checks, only, flags);
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
    warnings: [...warningsOf(target), ...unseenCalls(outcomes, requested)],
    requested,
  });
}

/** The requested checks: the checks that `--only` names, or else the checks whose needs are all given by flags. */
function requestedOf(
  checks: readonly ReceiverCheck[],
  only: readonly ReceiverCheck[],
  { only: numbers, probe, probePages, secretTo, startCommand, apiPort, asksForCalls }: CertifyFlags,
): ReceiverCheck[] {
  if (numbers !== undefined) return [...only];
  const given = {
    probe: probe !== undefined,
    pages: probePages !== undefined,
    secretTo: secretTo !== undefined,
    // A started process may be only a receiver, which makes no calls.
    client: apiPort !== undefined || asksForCalls,
    process: startCommand !== undefined,
  };
  return checks.filter(({ needs }) => needs.length > 0 && needs.every((need) => given[need]));
}

/** Starts the parts of a run. If one part fails, it stops those that were started before. */
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

/** A company that does not exist in any API. */
const NO_SANDBOX: CertifiedSite = {
  organizationId: '3f0c1d52-7a64-4c19-9d38-5b8e2f6a7c10',
  siteId: '8b1e4a77-2d93-4f56-8c0a-6e9d3b5f1a24',
  name: 'Terminal Puerto Alerce',
  panelUrl: 'https://panel.example',
  otherSite: { id: 'c2a95f0e-61d7-4b38-a4e2-0f7d8c1b6935', name: 'Planta Norte' },
};

/** With --start-command alone, the checks of the client are not requested. */
function unseenCalls(outcomes: readonly CheckOutcome[], requested: readonly ReceiverCheck[]): string[] {
  const isUnseen = ({ check, result }: CheckOutcome) =>
    check.group === 'client' && result === 'not_judged' && requested.every(({ number }) => number !== check.number);
  const [first, ...more] = outcomes.filter(isUnseen);
  if (first === undefined || first.fix?.includes('--api-port') === true) return [];
  const count = more.length === 0 ? `Check ${first.check.number} of` : `${more.length + 1} checks of`;
  return [`${count} its calls of the API could not be judged: ${first.got}. --client-wait requests them.`];
}

const warningsOf = ({ protocol }: URL): string[] =>
  protocol === 'https:'
    ? []
    : ['Production delivers only to public https addresses; this address was tested without that rule.'];

function printHead(target: URL, flags: CertifyFlags, { make, client }: StartedForCertify): void {
  const paint = colourOf(process.stdout);
  outLine(`${paint('bold', 'certify')}  ${target.href}`);
  outLine(
    `secret   ${make.secret}${flags.secret === undefined && flags.startCommand === undefined ? paint('dim', `   (the receiver has to have it; --secret takes another, as that of ${CLI} listen --print-secret)`) : ''}`,
  );
  if (client !== null) {
    outLine(`API      ${client.url}`);
    outLine(`client   ${client.sandbox.clientId}, secret ${client.sandbox.clientSecret}`);
  }
}

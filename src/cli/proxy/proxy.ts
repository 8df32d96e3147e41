/**
 * `sandbox proxy`: forwards requests to the real service, judges each exchange, and writes a HAR without secrets. [cli, proxy]
 */
import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { later } from '../../base/time/timers.ts';
import type { Deviation } from '../../proving/compare/exchange.ts';
import { comparisonHtml } from '../../proving/compare/html-report.ts';
import { ContractJudge } from '../../proving/compare/judging/judge.ts';
import {
  type ForwardingServer,
  type PassedExchange,
  startForwarding,
} from '../../proving/compare/proxy/forwarding-server.ts';
import { HarFile } from '../../proving/compare/proxy/har-file.ts';
import { callOf, deliveryOf, EventLogReader } from '../../proving/compare/proxy/proxy-judge.ts';
import { type DeviationGroup, groupedDeviations, keyOfDeviation } from '../../proving/compare/report.ts';
import { serviceAt } from '../../proving/compare/service.ts';
import { TokenHolders } from '../../proving/compare/token-holders.ts';
import { LOOPBACK } from '../../sandbox/listeners/host-rule.ts';
import { VERSION } from '../../sandbox/version.ts';
import { baselineKeys, clientOf, serviceAddress } from '../compare/inputs.ts';
import { junitOf } from '../compare/print.ts';
import { receiverAddress } from '../deliveries/receiver-address.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, talkLine } from '../output.ts';
import { addReportFlags, envelopeText, type RequestedReports, requestedReports, writeReports } from '../reports.ts';
import { runUntilSignal } from '../signals.ts';
import { port } from '../values.ts';

const HELP = `
Use the printed address as the base address of your client. The proxy forwards each request to the service, returns its answer
unchanged, and checks both against the contract as ${CLI} compare --recorded does.

With --webhooks-to, the proxy prints a second address, which you register as a destination at the service. The service reaches
only public addresses, so use a tunnel. The proxy forwards each delivery to your receiver byte for byte, and verifies its
signature with --secret. Without --webhooks-to, and with --client, the proxy reads GET /v1/events every 10 s and checks the events.

--har writes the traffic as HAR 1.2 for ${CLI} compare --recorded. The file is complete after each entry. The proxy never
stores or prints tokens and secrets. The HAR contains names and bodies; the terminal shows them only with --redact off.

Examples:
  ${CLI} proxy --to https://api.example.com
  ${CLI} proxy --to https://api.example.com --har session.har --client client.json
  ${CLI} proxy --to https://api.example.com --report junit,html
  ${CLI} proxy --to https://api.example.com --webhooks-to 3000 --secret whsec_...

Exit codes: 0 no deviations, 1 deviations, 2 wrong usage, 3 a port is taken or the service cannot be reached.`;

/** Polling interval of the event log: 6 requests per minute, a hundredth of the rate limit; wall ms. */
const LOG_EVERY_MS = 10_000;

/** Most deviations that are kept for the final report. */
const MOST_DEVIATIONS = 10_000;

interface ProxyFlags {
  readonly to: string;
  readonly port?: number;
  readonly webhooksTo?: string;
  readonly webhooksPort?: number;
  readonly secret: readonly string[];
  readonly client?: string;
  readonly har?: string;
  readonly redact?: string;
  readonly baseline?: string;
  readonly json?: boolean;
}

const several = (value: string, before: readonly string[]): string[] => [...before, value];

export function defineProxy(program: Command, ended: (code: number) => void): void {
  const proxying = program
    .command('proxy')
    .description('forward requests to the real service, and check each answer')
    .requiredOption('--to <url>', 'base URL of the service, without /v1')
    .option('--port <n>', 'port of the proxy (default: a free port)', port)
    .option('--webhooks-to <url>', 'URL of your receiver, which gets the deliveries of the service')
    .option('--webhooks-port <n>', 'port for deliveries (default: a free port)', port)
    .addOption(
      new Option('--secret <whsec>', 'secret of the destination, to verify signatures (repeatable)')
        .argParser(several)
        .default([], 'none'),
    )
    .option(
      '--client <file>',
      'JSON file with a client {client_id, client_secret}, to check the events of GET /v1/events',
    )
    .option('--har <file>', 'write the traffic as HAR to this file, without tokens and secrets')
    .option('--baseline <file>', 'JSON report of an earlier run; its deviations do not fail')
    .option('--redact <off>', '"off" shows names of people and sites in the terminal')
    .option('--json', 'print one JSON object per line: the addresses, each kind of deviation, and the result');
  addReportFlags(proxying)
    .addHelpText('after', HELP)
    .action(async (flags: ProxyFlags, command: Command) =>
      ended(await proxy(flags, requestedReports('proxy', command))),
    );
}

async function proxy(flags: ProxyFlags, reports: RequestedReports<'proxy'>): Promise<number> {
  const to = serviceAddress(flags.to);
  const running = new RunningProxy(to, flags, reports);
  const until = runUntilSignal();
  try {
    await running.start();
    await until.ended;
    return await running.stop();
  } finally {
    until.done();
  }
}

class RunningProxy {
  readonly #to: string;
  readonly #flags: ProxyFlags;
  readonly #reports: RequestedReports<'proxy'>;
  readonly #judge: ContractJudge;
  readonly #log: EventLogReader | null;
  readonly #har: HarFile | null;
  readonly #holders = new TokenHolders();
  readonly #deviations: Deviation[] = [];
  readonly #printed = new Set<string>();
  readonly #baseline: ReadonlySet<string>;
  #servers: ForwardingServer[] = [];
  #stopPolling = () => {};
  #reading: Promise<void> = Promise.resolve();

  constructor(to: string, flags: ProxyFlags, reports: RequestedReports<'proxy'>) {
    this.#to = to;
    this.#flags = flags;
    this.#reports = reports;
    this.#judge = new ContractJudge({ secrets: flags.secret });
    this.#baseline = flags.baseline === undefined ? new Set() : baselineKeys(flags.baseline);
    const client = flags.client === undefined ? null : clientOf(flags.client);
    // If the proxy forwards deliveries, it judges the events in them.
    const isPolled = client !== null && flags.webhooksTo === undefined;
    this.#log = isPolled
      ? new EventLogReader(
          serviceAt('service', to, client, async () => {}),
          this.#judge,
        )
      : null;
    this.#har = flags.har === undefined ? null : openHar(flags.har);
  }

  async start(): Promise<void> {
    const { port: at = 0, webhooksTo, webhooksPort = 0, json } = this.#flags;
    const api = await this.#listen(
      (target) => `${this.#to}${target}`,
      at,
      true,
      (exchange) => this.#passed(exchange),
    );
    const receiver = webhooksTo === undefined ? null : receiverAddress('--webhooks-to', webhooksTo);
    const webhooks =
      receiver === null
        ? null
        : await this.#listen(underReceiver(receiver), webhooksPort, false, (exchange) => this.#delivered(exchange));
    const addresses = {
      api_url: api.url,
      to: this.#to,
      webhooks_url: webhooks?.url ?? null,
      har: this.#flags.har ?? null,
    };
    if (json === true) out(JSON.stringify({ kind: 'ready', ...addresses }));
    else {
      outLine(`${api.url} forwards requests to ${this.#to}`);
      if (webhooks !== null) outLine(`${webhooks.url} forwards deliveries to ${receiver}`);
    }
    if (this.#log !== null) this.#poll();
  }

  /** Judges the event log once more, prints the result, and returns the exit code. */
  async stop(): Promise<number> {
    this.#stopPolling();
    for (const server of this.#servers) await server.stop();
    await this.#reading;
    if (this.#log !== null) await this.#readLog();
    this.#har?.close();
    const groups = this.#groups(this.#deviations);
    const exchanges = [...this.#judge.judged.values()].reduce((sum, count) => sum + count, 0);
    const judged = Object.fromEntries(this.#judge.judged);
    const line = envelope('proxy', { deviations: groups, judged });
    if (this.#flags.json === true) out(JSON.stringify(line));
    else talkLine(`${exchanges} exchanges and deliveries checked, ${groups.length} kinds of deviation`);
    const report = { checks: [], points: [], groups, judged: this.#judge.judged };
    const about = {
      sides: null,
      recordings: [],
      forwardedTo: this.#to,
      known: this.#baseline,
      isRedacted: this.#flags.redact !== 'off',
      version: VERSION,
    };
    writeReports(this.#reports, {
      'report.html': () => comparisonHtml(report, about),
      'junit.xml': () => junitOf(report, this.#baseline),
      'report.json': () => envelopeText(line),
    });
    return groups.some(({ isKnown }) => !isKnown) ? EXIT.failed : EXIT.done;
  }

  async #listen(
    addressOf: (target: string) => string,
    at: number,
    isJudged: boolean,
    onExchange: (exchange: PassedExchange) => void,
  ): Promise<ForwardingServer> {
    const server = await startForwarding({ addressOf, host: LOOPBACK, port: at, isJudged, onExchange }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new CommandError(EXIT.environment, 'port_not_free', `Port ${at} cannot be used: ${error.message}.`, {
          actions: ['Choose another port, or leave it out for a free one.'],
        });
      },
    );
    this.#servers.push(server);
    return server;
  }

  #passed(exchange: PassedExchange): void {
    this.#har?.add(exchange);
    const call = callOf(exchange, this.#holders);
    if (call !== undefined) this.#found(this.#judge.add(call));
  }

  #delivered(exchange: PassedExchange): void {
    this.#har?.add(exchange);
    const isSigned = exchange.sentHeaders.some(([name]) => name.toLowerCase() === 'x-service-signature');
    if (isSigned || exchange.method === 'POST') this.#found(this.#judge.add(deliveryOf(exchange)));
  }

  #poll(): void {
    this.#reading = this.#readLog().then(() => {
      this.#stopPolling = later(LOG_EVERY_MS, () => this.#poll());
    });
  }

  async #readLog(): Promise<void> {
    const found = await this.#log?.read().catch((error: Error) => {
      talkLine(`warning  the event log is not judged: ${error.message}`);
      return [];
    });
    this.#found(found ?? []);
  }

  /** Prints each kind of deviation at its first occurrence. */
  #found(deviations: readonly Deviation[]): void {
    for (const one of deviations) {
      if (this.#deviations.length < MOST_DEVIATIONS) this.#deviations.push(one);
      const key = keyOfDeviation(one);
      if (this.#printed.has(key) || this.#baseline.has(key)) continue;
      this.#printed.add(key);
      const [group] = this.#groups([one]);
      if (group !== undefined) this.#print(group);
    }
  }

  #print(group: DeviationGroup): void {
    const { isKnown: _, ...shown } = group;
    if (this.#flags.json === true) return out(JSON.stringify({ kind: 'deviation', ...shown }));
    const paint = colourOf(process.stdout);
    const { operation, clause, pointer, detail, example } = group;
    const place = pointer === '' ? '' : `  ${pointer}`;
    out(`${paint('red', 'deviates')}  ${operation}${place}  ${detail} ${paint('dim', clause)}`);
    if (example.body !== '') out(`          ${example.request}  ${example.body}`);
  }

  #groups(deviations: readonly Deviation[]): DeviationGroup[] {
    return groupedDeviations(deviations, { isRedacted: this.#flags.redact !== 'off', known: this.#baseline });
  }
}

/** If the URL of the receiver has a path, all deliveries go to that URL. Otherwise they keep the path of the destination. */
function underReceiver(receiver: string): (target: string) => string {
  const { origin, pathname, search } = new URL(receiver);
  return (target) => (pathname === '/' && search === '' ? `${origin}${target}` : receiver);
}

function openHar(path: string): HarFile {
  try {
    return new HarFile(path, VERSION);
  } catch (error) {
    throw new CommandError(EXIT.usage, 'file_not_written', `${path} cannot be written: ${(error as Error).message}.`, {
      actions: ['Name another file with --har.'],
    });
  }
}

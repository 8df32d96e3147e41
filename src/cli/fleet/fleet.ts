/** `sandbox fleet`: only the emulated watches, with any broker that supports the watch protocol. [cli, fleet] */
import { type Command, Option } from 'commander';
import { given } from '../../base/given.ts';
import { CLI } from '../../base/text/command-form.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { later, wallMs } from '../../base/time/timers.ts';
import type { FleetNotice } from '../../fleet/fleet.ts';
import { type LoneFleet, type LoneFleetOptions, startLoneFleet } from '../../sandbox/fleet/lone-fleet.ts';
import { EXIT, envelope, out, talk, talkLine } from '../output.ts';
import { takes, type UpFlags } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { type Sources, sandboxOptions, sourcesOf } from '../up/options.ts';
import { shard } from '../values.ts';
import { type BrokerFlags, brokerOf, defineBroker } from './broker-options.ts';
import { sourceOf } from './watches.ts';

const HELP = `
Connects emulated watches, with their workers, to a broker. This is the fleet of "${CLI} up" in its own
process or on its own machine. It emulates the same watches as "up": all except two per site, which are for your
own client.

The command needs the watches and their keys. It gets them from:
  --data-dir       the sandbox that is running on this machine (default)
  --credentials    a file that a sandbox on another machine wrote
  --seed           the seed that the sandbox was started with
Without --broker, it connects to the broker of that sandbox. After Ctrl-C, each watch disconnects cleanly.

Examples:
  ${CLI} up --no-fleet                       in one terminal, and in another terminal:
  ${CLI} fleet                               the watches of this sandbox
  ${CLI} fleet --shard 1/2                   half of the watches; 2/2 in another process has the other half
  ${CLI} env --format json > watches.json    on the machine of the sandbox; then, with this file on your machine:
  ${CLI} fleet --broker mqtt://10.0.0.5:1883 --credentials watches.json
  ${CLI} fleet --broker mqtt://10.0.0.5:1883 --seed 7 --watches 1000   for ${CLI} up --seed 7 --watches 1000 --no-fleet
  ${CLI} fleet --broker mqtts://broker.example:8883 --ca ca.pem --credentials watches.json    over TLS, with your own CA
  ${CLI} fleet --broker wss://broker.example/mqtt --credentials watches.json                  over WebSockets

Exit codes: 130 after Ctrl-C, 0 after SIGTERM, 2 wrong usage, 3 the broker cannot be reached or refuses a watch.`;

interface FleetFlags
  extends BrokerFlags,
    Pick<UpFlags, 'watches' | 'credentials' | 'seed' | 'site' | 'speed' | 'start' | 'json'> {
  readonly shard?: { part: number; of: number };
  readonly dataDir: string;
}

export function defineFleet(program: Command, ended: (code: number) => void): void {
  const command = program
    .command('fleet')
    .description('connect emulated watches to a broker, without the rest of the sandbox; runs until Ctrl-C');
  takes(defineBroker(command), 'watches').addOption(
    new Option(
      '--shard <i/n>',
      'emulate part i of n of the watches, such as 2/4, to distribute them over n processes',
    ).argParser(shard),
  );
  takes(command, 'credentials', 'seed', 'site', 'speed', 'start', 'dataDir')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', HELP)
    .action(async (flags: FleetFlags) => ended(await runFleet(flags, sourcesOf(command))));
}

async function runFleet(flags: FleetFlags, sources: Sources): Promise<number> {
  const json = flags.json === true;
  const options = await optionsOf(flags, sources);
  if (options.brokerTls?.insecure === true)
    talk('warning  --insecure: the certificate of the broker is not checked, so anybody on the way can read the keys.');
  const running = runUntilSignal();
  const troubles = new Troubles(({ kind, at, watches, serial, why }) => {
    if (json) out(JSON.stringify({ event: kind, at, watches, serial, why }));
    else talkLine(`${at.slice(11, 19)}  ${watches === 1 ? serial : `${watches} watches`} ${TROUBLE[kind]}: ${why}`);
  });
  let fleet: LoneFleet | null = null;
  try {
    const starting = startLoneFleet({ ...options, onNotice: (notice) => troubles.take(notice) });
    const first = await Promise.race([starting, running.ended]);
    fleet = await starting;
    if (typeof first === 'object') printReady(options, fleet, json);
    const why = await running.ended;
    if (!json) talk('stopping …');
    return why === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  } finally {
    troubles.stop();
    await fleet?.stop();
    running.done();
  }
}

async function optionsOf(flags: FleetFlags, sources: Sources): Promise<LoneFleetOptions> {
  const { watches, shard: part, seed } = flags;
  const { start, site } = sandboxOptions(given({ start: flags.start, site: flags.site }), sources);
  const source = await sourceOf(flags);
  const broker = brokerOf(flags, source);
  const clock = { ...source.clock, ...given({ speed: flags.speed, start }) };
  return {
    ...broker,
    listed: source.listed,
    ...clock,
    ...given({ watches, shard: part, seed, site }),
  };
}

function printReady({ brokerUrl, shard: part }: LoneFleetOptions, { watches }: LoneFleet, json: boolean): void {
  const share = part === undefined ? null : `${part.part}/${part.of}`;
  if (json) {
    const data = { event: 'ready', broker_url: brokerUrl, pid: process.pid, watches, shard: share };
    out(JSON.stringify(envelope('fleet', data)));
    return;
  }
  const who = watches === 1 ? '1 emulated watch is' : `${watches} emulated watches are`;
  out(`${who} connected to ${brokerUrl}${share === null ? '' : ` (shard ${share})`}. Ctrl-C disconnects them.`);
}

const TROUBLE: Readonly<Record<FleetNotice['kind'], string>> = {
  'link-failed': 'cannot connect',
  'downlink-unreadable': 'cannot read what the service sends',
  'watch-failed': 'failed (our bug) and left the fleet; the rest go on',
  'person-failed': 'has a wearer who stands still from now on (our bug)',
};

interface Trouble {
  readonly kind: FleetNotice['kind'];
  readonly at: string;
  /** Number of watches that failed for this reason. */
  readonly watches: number;
  /** Example serial. */
  readonly serial: string;
  readonly why: string;
}

/** Aggregates messages, so that a lost broker is one line and not one per watch. */
class Troubles {
  readonly #tell: (trouble: Trouble) => void;
  #waiting = new Map<string, Omit<Trouble, 'at'>>();
  #cancel: (() => void) | null = null;

  constructor(tell: (trouble: Trouble) => void) {
    this.#tell = tell;
  }

  take({ kind, serial, why }: FleetNotice): void {
    const key = `${kind} ${why}`;
    const known = this.#waiting.get(key);
    this.#waiting.set(key, { kind, why, serial: known?.serial ?? serial, watches: (known?.watches ?? 0) + 1 });
    this.#cancel ??= later(TOGETHER_MS, () => this.#flush());
  }

  stop(): void {
    this.#cancel?.();
  }

  #flush(): void {
    this.#cancel = null;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const at = formatInstant(wallMs());
    for (const trouble of waiting.values()) this.#tell({ at, ...trouble });
  }
}

/** Time within which messages are aggregated; ms. */
const TOGETHER_MS = 1_000;

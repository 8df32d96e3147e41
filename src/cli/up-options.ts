/** Converts flags to the options of a sandbox: reads files and validates values. [cli, up] */

import { statSync } from 'node:fs';
import { CLOCK_BEGIN, CLOCK_END } from '../base/clock.ts';
import { CLI } from '../base/command-form.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { type BrokerEndpoint, endpointOf } from '../broker/external/address.ts';
import { type Assumptions, isSwitch, SWITCHES } from '../contract/gaps.ts';
import { didYouMean } from '../contract/sentences.ts';
import type { Mistake } from '../plant/mistakes.ts';
import { countOfMistakes, renderMistakes } from '../plant/shown-mistakes.ts';
import type { SiteFile } from '../plant/site-file.ts';
import {
  addressOf,
  besides,
  credentialsOf as credentialsIn,
  databaseUrlOf,
  forwardOf,
  originOf,
  smtpUrlOf,
  withoutPassword,
} from '../sandbox/option-values.ts';
import type { SandboxOptions } from '../sandbox/options.ts';
import type { CredentialsFile } from '../sandbox/world-from-plan.ts';
import { checkedSiteFile } from '../scenario/mend/checked-part.ts';
import { readNamed } from '../scenario/reading/merged-file.ts';
import { CommandError, EXIT, talk, usage } from './output.ts';
import { receiverAddress } from './receiver-address.ts';
import { switchIn } from './values.ts';

export interface UpFlags {
  readonly host?: string;
  readonly port?: number;
  readonly mqttPort?: number;
  readonly dataDir?: string;
  readonly memory?: boolean | string;
  readonly tls?: boolean | string;
  readonly skipVerify?: boolean | string;
  readonly acceptLoss?: boolean;
  readonly site?: string;
  readonly watches?: number;
  readonly fleet?: boolean;
  readonly seed?: string;
  readonly speed?: number;
  readonly start?: string;
  readonly publicUrl?: string;
  readonly credentials?: string;
  readonly forward?: string[];
  readonly readyFile?: string;
  readonly json?: boolean;
  readonly scenario?: string;
  readonly database?: string;
  readonly broker?: string;
  readonly node?: string;
  readonly smtp?: string;
  readonly strict?: boolean | string;
  readonly cors?: string;
  readonly assume?: string[];
  readonly ambient?: string;
  readonly truth?: string;
  readonly dashboard?: boolean;
}

export function sandboxOptions(flags: UpFlags): SandboxOptions {
  const { host, port, mqttPort, dataDir, watches, seed, speed, truth } = flags;
  if (flags.dashboard === true && flags.json === true)
    throw usage('--dashboard draws where --json writes. Leave out one of the two.');
  const memory = isOn(flags.memory);
  if (memory && flags.database !== undefined)
    throw usage('--memory keeps nothing, and --database says where to keep it. Leave out one of the two.');
  if (truth !== undefined && flags.fleet === false)
    throw usage('--truth tells of emulated watches, and --no-fleet has none. Leave out one of the two.');
  if (flags.node !== undefined) soundNode(flags.node, flags);
  return {
    ...given({ host, port, mqttPort, dataDir, watches, seed, speed, truth }),
    memory,
    tls: isOn(flags.tls),
    skipVerify: isOn(flags.skipVerify),
    acceptLoss: flags.acceptLoss === true,
    strict: isOn(flags.strict),
    ...(flags.node === undefined ? {} : { node: flags.node }),
    fleet: flags.fleet !== false && flags.node === undefined,
    ...(flags.database === undefined ? {} : { database: databaseOf(flags.database) }),
    ...(flags.broker === undefined ? {} : { broker: brokerUrlOf(flags) }),
    ...(flags.smtp === undefined ? {} : { smtp: smtpOf(flags.smtp) }),
    ...(flags.site === undefined ? {} : { site: siteOf(flags.site) }),
    ...(flags.ambient === undefined ? {} : { ambient: ambientOf(flags.ambient) }),
    ...(flags.start === undefined ? {} : { start: startOf(flags.start) }),
    ...(flags.publicUrl === undefined ? {} : { publicUrl: publicUrlOf(flags.publicUrl) }),
    ...(flags.cors === undefined ? {} : { cors: corsOf(flags.cors) }),
    ...(flags.credentials === undefined ? {} : { credentials: credentialsOf(flags.credentials) }),
    forwards: forwardsOf(flags.forward ?? []),
    assumptions: assumptionsOf(flags.assume ?? []),
  };
}

/** The entries that were given. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** The text of a file that a person named. Throws a usage error. [decisions 9, Limits of scenario files] */
export function readText(file: string, what: string, mostBytes: number = FILE_LIMITS.document): string {
  const text = readUserText(file, { mostBytes });
  if (typeof text === 'string') return text;
  throw usage(`The ${what} ${file} ${text.why}.`);
}

/** A part as in scenarios; reports all mistakes with their places. */
export function siteOf(file: string): NonNullable<SandboxOptions['site']> {
  const text = readText(file, 'site file');
  const { plan, crew, contract, mistakes, ...remarks } = checkedSiteFile(text, file, { readFile: besides(file) });
  if (plan === null || mistakes.length > 0) throw unsoundSite(mistakes, file, text);
  talkRemarks(remarks, text);
  return { planned: plan, crew, contract, text };
}

/** What a site file says, but hardly means; and what holds where it says nothing. */
export function talkRemarks({ warnings, notes }: Pick<SiteFile, 'warnings' | 'notes'>, text: string): void {
  if (warnings.length > 0) talk(renderMistakes(warnings, () => text));
  for (const note of notes) talk(renderMistakes([{ ...note, message: `note  ${note.message}` }], () => undefined));
}

/** All mistakes of a site file, with their places. */
export function unsoundSite(mistakes: readonly Mistake[], file: string, text: string): CommandError {
  const read = readNamed(file);
  const textIn = (path: string): string => {
    const own = path === file ? text : read(path);
    return typeof own === 'string' ? own : text;
  };
  const many = mistakes.length === 1 ? 'a mistake' : countOfMistakes(mistakes.length);
  const message = `The site file has ${many}:\n\n${renderMistakes(mistakes, textIn)}`;
  return new CommandError(EXIT.usage, 'invalid_file', message, { details: mistakes });
}

export function startOf(text: string): number {
  const start = parseInstant(text);
  if (start === null) throw usage(`--start ${text} is not a time. Write it as 2026-10-05T06:00:00Z.`);
  if (start < CLOCK_BEGIN || start > CLOCK_END)
    throw usage(
      `--start ${text} is out of reach: simulated time lies between ${formatInstant(CLOCK_BEGIN)} and ${formatInstant(CLOCK_END)}.`,
    );
  return start;
}

function ambientOf(text: string): 'calm' | 'busy' {
  if (text === 'calm' || text === 'busy') return text;
  throw usage(`--ambient ${text} is neither calm nor busy.`, 'Leave it out, and nothing happens unasked.');
}

function corsOf(text: string): string {
  const origin = originOf(text);
  if (origin !== null) return origin;
  throw usage(
    `--cors ${text} is not an origin.`,
    'Write scheme, host and port, as --cors http://localhost:5173; pages elsewhere stay out.',
  );
}

function publicUrlOf(text: string): string {
  if (addressOf(text) !== null) return text;
  throw usage(`--public-url ${text} is not an address. Write it as https://sandbox.example.`);
}

/** A flag, or its variable. */
export const isOn = (value: boolean | string | undefined): boolean =>
  typeof value === 'string' ? switchIn(value) === true : value === true;

export function databaseOf(text: string): string {
  if (databaseUrlOf(text) !== null) return text;
  throw usage(
    `--database ${withoutPassword(text)} is not the address of a Postgres database.`,
    'Write it as: --database postgres://user:password@127.0.0.1:5432/NAME. Without it the world is kept in the data folder.',
  );
}

/** `--broker` of the service. */
export function externalBrokerOf(text: string): BrokerEndpoint {
  const endpoint = endpointOf(text);
  if (endpoint !== null) return endpoint;
  throw usage(
    // Without what may be a password.
    `--broker ${text.replace(/\/\/.*@/, '//...@')} is not the address of a broker.`,
    'Write it as: --broker mqtt://127.0.0.1:1883, or mqtts://user:password@broker.example:8883',
  );
}

function brokerUrlOf({ broker = '', mqttPort }: UpFlags): string {
  externalBrokerOf(broker);
  if (mqttPort !== undefined)
    throw usage('--mqtt-port is of the sandbox’s own broker, and with --broker it has none. Leave out one of the two.');
  return broker;
}

/** What belongs to one process cannot be asked of several. */
function soundNode(name: string, flags: UpFlags): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name))
    throw usage(
      `--node ${name} is not a name for a node.`,
      'Write letters, digits, dots and dashes, 40 at most: --node a',
    );
  if (flags.database === undefined || flags.broker === undefined)
    throw usage(
      '--node says that several nodes share a database and a broker, and one of the two is missing.',
      'Give both: --node a --database postgres://user:password@host/NAME --broker mqtt://host:1883',
    );
  if (isOn(flags.tls))
    throw usage(
      '--tls makes certificates for one data folder, and nodes have one each.',
      'Leave out --tls or --node. For several nodes, put a proxy that speaks TLS in front of them.',
    );
  const alone = (['speed', 'start', 'scenario', 'ambient', 'truth'] as const).find((flag) => flags[flag] !== undefined);
  if (alone !== undefined)
    throw usage(
      `--${alone} is for a sandbox of one process: nodes keep real time, and their watches are elsewhere.`,
      `Leave out --${alone} or --node. Watches come from ${CLI} fleet --broker URL.`,
    );
}

function smtpOf(text: string): URL {
  const url = smtpUrlOf(text);
  if (url !== null) return url;
  throw usage(
    `--smtp ${withoutPassword(text)} is not the address of a mail server.`,
    'Write it as: --smtp smtp://127.0.0.1:1025, or smtps://user:password@mail.example',
  );
}

function forwardsOf(entries: readonly string[]): Map<string, string> {
  const forwards = new Map<string, string>();
  for (const entry of entries) {
    const [host = '', ...url] = entry.split('=');
    const forward = url.length === 0 ? null : forwardOf(host, receiverAddress(`--forward ${host}:`, url.join('=')));
    if (forward === null)
      throw usage(
        `--forward ${entry} is not of the form HOST=URL.`,
        'Write it as: --forward receiver.example=http://127.0.0.1:3000',
      );
    forwards.set(...forward);
  }
  return forwards;
}

/** Entries of `--assume`, and characters of one. A settings file may have many and long ones. */
const MOST_ASSUMED = 100;
const LONGEST_ASSUMED = 100;

function assumptionsOf(entries: readonly string[]): Partial<Assumptions> {
  const assumptions: Record<string, string> = {};
  if (entries.length > MOST_ASSUMED)
    throw usage(`--assume is given ${entries.length} times. Give each switch once.`, `${CLI} gaps lists them.`);
  for (const entry of entries) {
    if (entry.length > LONGEST_ASSUMED)
      throw usage(
        `--assume ${entry.slice(0, LONGEST_ASSUMED)}… is longer than any switch with its value.`,
        `${CLI} gaps lists them.`,
      );
    const [name = '', value = ''] = entry.split('=', 2);
    if (!isSwitch(name)) {
      throw usage(
        `--assume ${entry}: "${name}" is not a switch.${didYouMean(name, Object.keys(SWITCHES))}`,
        `${CLI} gaps lists them.`,
      );
    }
    const values: readonly string[] = SWITCHES[name];
    if (!values.includes(value))
      throw usage(
        `--assume ${entry}: ${name} is ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`,
        `Write it as: --assume ${name}=${values[1]}`,
      );
    assumptions[name] = value;
  }
  return assumptions as Partial<Assumptions>;
}

function credentialsOf(file: string): CredentialsFile {
  const text = readText(file, 'credentials file', FILE_LIMITS.credentials);
  // The file belongs to the user and others may need to read it: warn, and leave its mode alone.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0 && statSync(file).isFile())
    talk(`warning  others on this machine can read the credentials file ${file}: chmod 600 ${file}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The reason of the parser would quote the file, and with it perhaps a secret.
    throw usage(`The credentials file ${file} is not JSON.`);
  }
  const credentials = credentialsIn(content);
  if (typeof credentials === 'string') throw usage(`The credentials file ${file} ${credentials}.`);
  return credentials;
}

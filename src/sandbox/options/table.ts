/**
 * The options of a sandbox, each declared once: flags, variables, settings, the options of the library, help, completion
 * and documentation derive from this table. [cli, up]
 */
import { Type } from 'typebox';
import { API_PORT, MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import { CLI } from '../../base/text/command-form.ts';
import { endpointOf } from '../../broker/external/address.ts';
import { quoted } from '../../contract/sentences.ts';
import { whole } from '../../contract/shapes.ts';
import { DEFAULT_WATCHES } from '../../plant/default-world.ts';
import { LOOPBACK } from '../listeners/host-rule.ts';
import { type AlsoTaken, aFile, aNumber, aSwitch, aText, entries, inCodeOnly, type OptionRow } from './kinds.ts';
import type { SandboxOptions } from './options.ts';
import { asItIs, assumptionsOf, FORWARDS_EXAMPLE, forwardsOf, parsed, startOf } from './readers.ts';
import * as values from './values.ts';

const DEFAULT_MQTT_PORT = `${MQTT_PORT}; with --tls ${MQTTS_PORT}`;
const AMBIENT = ['calm', 'busy'] as const;
const ANY_OBJECT = Type.Object({}, { additionalProperties: true });
const asUp: AlsoTaken = { help: `as of ${CLI} up`, byVariable: true };

/** Commands that look for the sandbox of a data folder. */
const CALLING = [
  ...['fleet', 'clock', 'status', 'stop', 'reset', 'env', 'world', 'logs', 'strictness', 'openapi', 'asyncapi'],
  ...['record', 'replay', 'trigger', 'dashboard', 'listen', 'explain-delivery'],
];
const inDataDir = (help: string): AlsoTaken => ({ help, byVariable: true, default: values.DEFAULT_DATA_DIR });

const ALLOW_COMMANDS = 'start commands that sandbox.config.yaml names, itself or by a scenario';

/** Every option, by its name in code and in the sandbox. */
export const OPTIONS = {
  host: aText('--host <address>', 'SANDBOX_HOST', {
    help: 'address to listen on',
    inLibrary: 'Address to listen on.',
    example: LOOPBACK,
    default: LOOPBACK,
    longest: values.LONGEST_TEXT,
    read: asItIs,
    also: { doctor: { help: 'address to listen on', byVariable: true, default: LOOPBACK } },
  }),
  port: aNumber('--port <n>', 'SANDBOX_PORT', {
    help: 'port of the API, 0 picks a free one',
    inLibrary: 'Port of the API; 0 picks a free one.',
    example: 0,
    default: String(API_PORT),
    defaultInExec: 'a free one',
    defaultInLibrary: 'a free one',
    range: values.PORT,
    also: { doctor: { help: `port of the API (default: ${API_PORT})`, byVariable: true } },
  }),
  mqttPort: aNumber('--mqtt-port <n>', 'SANDBOX_MQTT_PORT', {
    help: 'port of the broker, 0 picks a free one',
    inLibrary: 'Port of the broker; 0 picks a free one.',
    example: 0,
    default: DEFAULT_MQTT_PORT,
    defaultInExec: 'a free one',
    defaultInLibrary: 'a free one',
    range: values.PORT,
    also: { doctor: { help: `port of the broker (default: ${DEFAULT_MQTT_PORT})`, byVariable: true } },
  }),
  tls: aSwitch('--tls', 'SANDBOX_TLS', {
    help: 'speak https and mqtts only, with a certificate authority of the data folder',
    inLibrary:
      'Speak https and mqtts only. Clients trust the certificate authority `ready.ca_file`, which the data folder keeps.',
    also: { doctor: asUp },
  }),
  dataDir: aText('--data-dir <folder>', 'SANDBOX_DATA_DIR', {
    help: 'where state is kept',
    inLibrary: 'Keep the world in this folder.',
    example: values.DEFAULT_DATA_DIR,
    default: values.DEFAULT_DATA_DIR,
    defaultInExec: 'none, nothing is kept',
    defaultInLibrary: 'none, nothing is kept',
    longest: values.LONGEST_TEXT,
    read: asItIs,
    also: {
      ...Object.fromEntries(CALLING.map((command) => [command, inDataDir('of the running sandbox')])),
      snapshot: inDataDir('of the sandbox'),
      doctor: inDataDir('where state is kept'),
    },
  }),
  acceptLoss: aSwitch('--accept-loss', null, {
    help: 'continue with a damaged data folder, after reporting what is lost',
    inLibrary: 'Continue with what is left of a damaged data folder; `warnings` list what was lost.',
  }),
  memory: aSwitch('--memory', 'SANDBOX_MEMORY', {
    help: 'keep nothing on disk',
    inLibrary:
      'Keep nothing on disk; any number of such sandboxes run beside each other in one folder. False without `dataDir`: keep the world in .sandbox.',
    defaultInLibrary: 'true without `dataDir` and `database`',
  }),
  site: aFile('--site <file>', 'SANDBOX_SITE', {
    help: 'a plant of your own in the place of the first site',
    inLibrary: 'The path of a site file: your own plant, which replaces the first site.',
    example: 'my-plant.yaml',
    longest: values.LONGEST_TEXT,
    file: 'site',
    also: { fleet: { help: 'of the sandbox: its plant in the place of the first site', byVariable: false } },
  }),
  watches: aNumber('--watches <n>', 'SANDBOX_WATCHES', {
    help: 'watches in all, split by site',
    inLibrary: 'Watches in all, split by site.',
    example: 12,
    default: String(DEFAULT_WATCHES),
    range: values.WATCHES,
    also: {
      fleet: {
        help: 'number of the watches, from all sites; with --seed: in all, as up --watches',
        byVariable: true,
      },
      doctor: { help: 'watches in all', byVariable: true, default: DEFAULT_WATCHES },
    },
  }),
  fleet: aSwitch('--no-fleet', null, {
    help: 'emulate no watch',
    inLibrary: 'Emulate watches. Default: true.',
  }),
  seed: aText('--seed <n>', 'SANDBOX_SEED', {
    help: 'world, ids and secrets follow from it',
    inLibrary: 'The number from which world, ids and secrets follow. Default: the world of seed 1 with random secrets.',
    example: '7',
    longest: values.LONGEST_TEXT,
    inCode: { schema: whole(0), type: 'string | number', example: '7' },
    read: (seed: string | number) => ({ value: String(seed) }),
    also: {
      fleet: { help: 'of the sandbox: watches and keys follow from it', byVariable: true },
      run: { help: 'overrides the seed of the file; "random" selects one', byVariable: false },
    },
  }),
  speed: aNumber('--speed <n>', 'SANDBOX_SPEED', {
    help: 'simulated seconds per second',
    inLibrary: 'Simulated seconds per second.',
    example: 60,
    default: '1',
    range: values.SPEED,
    also: {
      fleet: { help: 'simulated seconds per second, as the sandbox', byVariable: false },
      run: { help: 'simulated seconds per second, with --mode scaled', byVariable: false },
    },
  }),
  start: aText('--start <time>', 'SANDBOX_START', {
    help: 'simulated time to begin at, as 2026-10-05T06:00:00Z',
    inLibrary: 'The simulated time at the start: ISO 8601, or ms since the Unix epoch.',
    example: '2026-10-05T06:00:00Z',
    longest: values.LONGEST_TEXT,
    inCode: { schema: Type.Number(), type: 'string | number | Date' },
    read: startOf,
    also: { fleet: { help: 'simulated time to begin at, as the sandbox', byVariable: false } },
  }),
  publicUrl: aText('--public-url <url>', 'SANDBOX_PUBLIC_URL', {
    help: 'base address in links and problem types',
    inLibrary: 'Base address in links and problem types.',
    example: 'https://sandbox.example',
    longest: values.LONGEST_TEXT,
    read: parsed(
      values.addressOf,
      'is not an address. Write it as https://sandbox.example.',
      'must be an http or https address',
    ),
  }),
  credentials: aFile('--credentials <file>', 'SANDBOX_CREDENTIALS', {
    help: 'JSON with control_token, clients {id: secret} and watches {serial: key}',
    inLibrary: 'Secrets of your own, or the path of a JSON file with them.',
    example: 'credentials.json',
    longest: values.LONGEST_TEXT,
    file: 'credentials',
    inCode: { schema: ANY_OBJECT, type: 'Credentials | string', example: "{control_token: '...'}" },
    also: { fleet: { help: `watches and keys, as ${CLI} env --format json writes them`, byVariable: false } },
  }),
  forwards: entries('--forward <host=url>', null, {
    help: 'send what goes to https://HOST/... to this local address (repeatable)',
    inLibrary: 'Host name -> local address: requests to `https://HOST/...` are sent to that address.',
    example: 'receiver.example=http://127.0.0.1:3000',
    most: values.MOST_FORWARDS,
    inCode: {
      schema: ANY_OBJECT,
      type: 'Readonly<Record<string, string>> | ReadonlyMap<string, string>',
      example: FORWARDS_EXAMPLE,
    },
    read: forwardsOf,
  }),
  skipVerify: aSwitch('--skip-verify', 'SANDBOX_SKIP_VERIFY', {
    help: 'targets of --forward may have self-signed certificates; nothing else',
    inLibrary: 'Targets of `forwards` may have self-signed certificates; nothing else.',
  }),
  readyFile: aText('--ready-file <file>', 'SANDBOX_READY_FILE', {
    help: 'write the ready line to this file too, for you alone (0600); removed at the start and at a clean stop',
    inLibrary: null,
    example: 'ready.json',
    longest: values.LONGEST_TEXT,
    read: asItIs,
  }),
  json: aSwitch('--json', null, { help: 'one JSON object a line', inLibrary: null }),
  scenario: aText('--scenario <file>', null, {
    help: 'play this scenario in it, in its own time',
    inLibrary: null,
    example: 'my.scenario.yaml',
    longest: values.LONGEST_TEXT,
    read: asItIs,
  }),
  allowCommands: aSwitch('--allow-commands', 'SANDBOX_ALLOW_COMMANDS', {
    help: ALLOW_COMMANDS,
    inLibrary: null,
    also: {
      run: { help: ALLOW_COMMANDS, byVariable: true },
      certify: { help: ALLOW_COMMANDS, byVariable: true },
      explore: { help: ALLOW_COMMANDS, byVariable: true },
      mcp: { help: 'scenarios and receivers may start the commands that they name', byVariable: true },
    },
  }),
  database: aText('--database <url>', 'SANDBOX_DATABASE', {
    help: 'keep the world in Postgres, as postgres://user:password@host:port/name',
    inLibrary: 'Keep the world in Postgres: `postgres://user:password@host:port/name`.',
    example: 'postgres://user:password@127.0.0.1:5432/name',
    longest: values.LONGEST_TEXT,
    isSecret: true,
    read: parsed(
      values.databaseUrlOf,
      'is not the address of a Postgres database.',
      'must be the address of a Postgres database',
      (write) =>
        `Write it as: ${write('postgres://user:password@127.0.0.1:5432/NAME')}. Without it the world is kept in the data folder.`,
    ),
    also: { doctor: { help: `as of ${CLI} up; looks at the difference between the clocks`, byVariable: true } },
  }),
  broker: aText('--broker <url>', 'SANDBOX_BROKER', {
    help: 'use this broker in place of one of its own: mqtt:// or mqtts://user:password@host:port',
    inLibrary: 'Use this broker in place of the sandbox’s own: `mqtt://` or `mqtts://user:password@host:port`.',
    example: 'mqtt://127.0.0.1:1883',
    longest: values.LONGEST_TEXT,
    isSecret: true,
    read: parsed(
      (text) => (endpointOf(text) === null ? null : text),
      'is not the address of a broker.',
      'must be the address of a broker',
      (write) => `Write it as: ${write('mqtt://127.0.0.1:1883')}, or mqtts://user:password@broker.example:8883`,
    ),
    also: {
      doctor: { help: `as of ${CLI} up; --broker mqtt://127.0.0.1:1883`, byVariable: true },
      env: { help: `as of ${CLI} up: its user is in the files of Mosquitto too`, byVariable: true },
    },
  }),
  node: aText('--node <name>', 'SANDBOX_NODE', {
    help: 'one of several nodes, under this name, that share --database and --broker',
    inLibrary: null,
    example: 'a',
    longest: values.LONGEST_TEXT,
    read: parsed(
      (text) => (values.isNodeName(text) ? text : null),
      'is not a name for a node.',
      'must be the name of a node',
      (write) => `Write letters, digits, dots and dashes, ${values.LONGEST_NODE_NAME} at most: ${write('a')}`,
    ),
  }),
  smtp: aText('--smtp <url>', 'SANDBOX_SMTP', {
    help: 'send the e-mails about lost deliveries, as smtp://host:port; without it they are files',
    inLibrary: 'Send the e-mails about lost deliveries: `smtp://host:port`. Default: they are written as files.',
    example: 'smtp://127.0.0.1:1025',
    longest: values.LONGEST_TEXT,
    isSecret: true,
    read: parsed(
      values.smtpUrlOf,
      'is not the address of a mail server.',
      'must be the address of a mail server',
      (write) => `Write it as: ${write('smtp://127.0.0.1:1025')}, or smtps://user:password@mail.example`,
    ),
  }),
  cors: aText('--cors <origin>', 'SANDBOX_CORS', {
    help: 'let pages of this origin call the API, as http://localhost:5173',
    inLibrary: 'An origin, such as `http://localhost:5173`, whose pages may call the API from a browser.',
    example: 'http://localhost:5173',
    longest: values.LONGEST_TEXT,
    read: parsed(
      values.originOf,
      'is not an origin.',
      'must be an origin: scheme, host and port',
      (write) => `Write scheme, host and port, as ${write('http://localhost:5173')}; pages elsewhere stay out.`,
    ),
  }),
  profile: aFile('--profile <file>', 'SANDBOX_PROFILE', {
    help: `readings of open points that ${CLI} compare --save stored; --assume wins`,
    inLibrary: 'Readings of open points that `sandbox compare --save` stored, by the path of the file; `assume` wins.',
    example: 'profile.yaml',
    longest: values.LONGEST_TEXT,
    file: 'profile',
    also: {
      compare: {
        help: 'readings of the sandbox that is compared with, as compare --save stored them',
        byVariable: false,
      },
    },
  }),
  assume: entries('--assume <name=value>', null, {
    help: `another reading of an open point, as ${CLI} gaps lists them (repeatable)`,
    inLibrary: "Other readings of open points of the specification, as `sandbox gaps` lists them: `{retry: 'delay'}`.",
    example: 'retry=delay',
    most: values.MOST_ASSUMED,
    inCode: { schema: ANY_OBJECT, type: 'Readonly<Record<string, string>>', example: "{retry: 'delay'}" },
    read: assumptionsOf,
  }),
  strict: aSwitch('--strict', 'SANDBOX_STRICT', {
    help: `refuse what this sandbox takes but production may refuse; ${CLI} strictness lists what was used`,
    inLibrary: 'Refuse input that this sandbox accepts and production may refuse.',
  }),
  ambient: aText('--ambient <kind>', null, {
    help: 'background activity: calm or busy; without it, nothing happens by itself',
    inLibrary: 'Background activity. Without it, nothing happens by itself.',
    example: 'busy',
    longest: values.LONGEST_TEXT,
    words: AMBIENT,
    read: parsed(
      (text) => AMBIENT.find((word) => word === text) ?? null,
      'is neither calm nor busy.',
      `must be one of ${AMBIENT.map(quoted).join(', ')}`,
      () => 'Leave it out, and nothing happens unasked.',
    ),
  }),
  truth: aText('--truth <file>', 'SANDBOX_TRUTH', {
    help: 'write the real position of every worker to this file, as NDJSON',
    inLibrary: 'Write the real position of every worker to this file, as NDJSON.',
    example: 'truth.ndjson',
    longest: values.LONGEST_TEXT,
    read: asItIs,
  }),
  dashboard: aSwitch('--dashboard', null, {
    help: 'open the terminal dashboard; q in it stops the sandbox too',
    inLibrary: null,
    isOfUpAlone: true,
  }),
  onNotice: inCodeOnly({
    help: 'notices of what happens, after each commit',
    inLibrary: 'A function that gets each notice, right after its commit.',
    example: '(notice) => console.log(notice.kind)',
    inCode: { schema: Type.Unknown(), type: '((notice: Notice) => void)' },
    fits: (value) => typeof value === 'function',
  }),
};

export type OptionName = keyof typeof OPTIONS;
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** What the sandbox calls the option, where the name differs. */
export const targetOf = (name: OptionName): string => (name === 'assume' || name === 'profile' ? 'assumptions' : name);
type TargetOf<N> = N extends 'assume' | 'profile' ? 'assumptions' : N;

/** Options of an entrance, which the sandbox does not take. */
export const OF_ENTRANCES = ['json', 'scenario', 'readyFile', 'allowCommands', 'dashboard'] as const;

/** Each option of the sandbox is read into the type that the sandbox takes. */
type OptionRows = {
  readonly [N in OptionName]: TargetOf<N> extends keyof SandboxOptions
    ? OptionRow<NonNullable<SandboxOptions[TargetOf<N>]>>
    : N extends (typeof OF_ENTRANCES)[number]
      ? OptionRow
      : never;
};
export const ROWS: OptionRows = OPTIONS;

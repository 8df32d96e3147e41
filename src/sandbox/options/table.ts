/**
 * The options of a sandbox, each declared once. The flags, variables, settings, library options, help, completion and
 * documentation are derived from this table. [cli, up]
 */
import { Type } from 'typebox';
import { API_PORT, MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import { CLI } from '../../base/text/command-form.ts';
import { quoted } from '../../contract/sentences.ts';
import { whole } from '../../contract/shapes.ts';
import { DEFAULT_WATCHES } from '../../plant/world-size.ts';
import { endpointOf } from '../../service/broker/external/address.ts';
import { LOOPBACK } from '../listeners/host-rule.ts';
import { type AlsoTaken, aFile, aNumber, aSwitch, aText, entries, inCodeOnly, type OptionRow } from './kinds.ts';
import type { SandboxOptions } from './options.ts';
import { asItIs, assumptionsOf, FORWARDS_EXAMPLE, forwardsOf, parsed, seedOf, startOf } from './readers.ts';
import * as values from './values.ts';

const DEFAULT_MQTT_PORT = `${MQTT_PORT}; with --tls ${MQTTS_PORT}`;
const AMBIENT = ['calm', 'busy'] as const;
const ANY_OBJECT = Type.Object({}, { additionalProperties: true });
const asUp: AlsoTaken = { help: `same as ${CLI} up --tls`, byVariable: true };

/** Commands that look for the sandbox that uses a data folder. */
const CALLING = [
  ...['fleet', 'clock', 'status', 'stop', 'reset', 'env', 'world', 'logs', 'strictness', 'openapi', 'asyncapi'],
  ...['record', 'replay', 'trigger', 'dashboard', 'listen', 'explain-delivery'],
];
const inDataDir = (help: string): AlsoTaken => ({ help, byVariable: true, default: values.DEFAULT_DATA_DIR });

const ALLOW_COMMANDS = 'allow commands from sandbox.config.yaml, and from scenarios that this file names';

/** Every option, by its name in code and in the sandbox. */
export const OPTIONS = {
  host: aText('--host <address>', 'SANDBOX_HOST', {
    help: 'address to listen on',
    inLibrary: 'Address to listen on.',
    example: LOOPBACK,
    default: LOOPBACK,
    longest: values.LONGEST_TEXT,
    read: (text) => ({ value: values.listenHostOf(text) }),
    also: { doctor: { help: 'address to listen on', byVariable: true, default: LOOPBACK } },
  }),
  port: aNumber('--port <n>', 'SANDBOX_PORT', {
    help: 'port of the API; 0 selects a free port',
    inLibrary: 'Port of the API; 0 selects a free port.',
    example: 0,
    default: String(API_PORT),
    defaultInExec: 'a free port',
    defaultInLibrary: 'a free port',
    range: values.PORT,
    also: { doctor: { help: `port of the API (default: ${API_PORT})`, byVariable: true } },
  }),
  mqttPort: aNumber('--mqtt-port <n>', 'SANDBOX_MQTT_PORT', {
    help: 'port of the MQTT broker; 0 selects a free port',
    inLibrary: 'Port of the MQTT broker; 0 selects a free port.',
    example: 0,
    default: DEFAULT_MQTT_PORT,
    defaultInExec: 'a free port',
    defaultInLibrary: 'a free port',
    range: values.PORT,
    also: { doctor: { help: `port of the MQTT broker (default: ${DEFAULT_MQTT_PORT})`, byVariable: true } },
  }),
  tls: aSwitch('--tls', 'SANDBOX_TLS', {
    help: 'use only https and mqtts, with a certificate authority that the data folder stores',
    inLibrary:
      'Use only https and mqtts. Clients must trust the certificate authority in the file `ready.ca_file`, which is in the data folder.',
    also: { doctor: asUp },
  }),
  dataDir: aText('--data-dir <folder>', 'SANDBOX_DATA_DIR', {
    help: 'folder that stores the state',
    inLibrary: 'The folder that stores the state.',
    example: values.DEFAULT_DATA_DIR,
    default: values.DEFAULT_DATA_DIR,
    defaultInExec: 'none, nothing is stored',
    defaultInLibrary: 'none, nothing is stored',
    longest: values.LONGEST_TEXT,
    read: asItIs,
    also: {
      ...Object.fromEntries(CALLING.map((command) => [command, inDataDir('data folder of the running sandbox')])),
      snapshot: inDataDir('data folder of the sandbox'),
      doctor: inDataDir('data folder to check'),
      explore: inDataDir('data folder of the running sandbox to which a system with url is reset after the search'),
    },
  }),
  acceptLoss: aSwitch('--accept-loss', null, {
    help: 'start even if the data folder is damaged; the start reports what was lost',
    inLibrary: 'Start even if the data folder is damaged; `warnings` list what was lost.',
  }),
  memory: aSwitch('--memory', 'SANDBOX_MEMORY', {
    help: 'store nothing on disk; the state is lost at the end',
    inLibrary:
      'Store nothing on disk. Any number of such sandboxes can run at the same time in one folder. If it is false and `dataDir` is not given, the folder .sandbox stores the state.',
    defaultInLibrary: 'true without `dataDir` and `database`',
  }),
  site: aFile('--site <file>', 'SANDBOX_SITE', {
    help: 'site file of your own plant; it replaces the first site',
    inLibrary: 'The path of a site file: your own plant, which replaces the first site.',
    example: 'my-plant.yaml',
    longest: values.LONGEST_TEXT,
    file: 'site',
    also: { fleet: { help: 'site file that the sandbox was started with', byVariable: false } },
  }),
  watches: aNumber('--watches <n>', 'SANDBOX_WATCHES', {
    help: 'total number of watches, distributed over the sites',
    inLibrary: 'Total number of watches, distributed over the sites.',
    example: 12,
    default: String(DEFAULT_WATCHES),
    range: values.WATCHES,
    also: {
      fleet: {
        help: 'number of watches to connect, from all sites; with --seed: the number that up --watches got',
        byVariable: true,
      },
      doctor: { help: 'total number of watches', byVariable: true, default: DEFAULT_WATCHES },
    },
  }),
  fleet: aSwitch('--no-fleet', null, {
    help: 'do not emulate watches',
    inLibrary: 'Emulate watches. Default: true.',
  }),
  seed: aText('--seed <n>', 'SANDBOX_SEED', {
    help: 'number that determines the world, ids and secrets; without it: the world of seed 1, random secrets',
    inLibrary:
      'The number that determines the world, ids and secrets. Default: the world of seed 1 with random secrets.',
    example: '7',
    longest: values.LONGEST_TEXT,
    inCode: { schema: whole(0), type: 'string | number', example: '7' },
    read: seedOf,
    also: {
      fleet: { help: 'seed of the sandbox; it determines the watches and their keys', byVariable: true },
      run: { help: 'use this seed instead of that of the file; "random" selects one', byVariable: false },
    },
  }),
  speed: aNumber('--speed <n>', 'SANDBOX_SPEED', {
    help: 'simulated seconds per real second',
    inLibrary: 'Simulated seconds per real second.',
    example: 60,
    default: '1',
    range: values.SPEED,
    also: {
      fleet: { help: 'simulated seconds per real second; use the value of the sandbox', byVariable: false },
      run: { help: 'with --mode scaled: simulated seconds per real second', byVariable: false },
    },
  }),
  start: aText('--start <time>', 'SANDBOX_START', {
    help: 'simulated time at the start, such as 2026-10-05T06:00:00Z',
    inLibrary: 'The simulated time at the start: ISO 8601, or ms since the Unix epoch.',
    example: '2026-10-05T06:00:00Z',
    longest: values.LONGEST_TEXT,
    inCode: { schema: Type.Number(), type: 'string | number | Date' },
    read: startOf,
    also: { fleet: { help: 'simulated time at the start; use the value of the sandbox', byVariable: false } },
  }),
  publicUrl: aText('--public-url <url>', 'SANDBOX_PUBLIC_URL', {
    help: 'base address that links and problem types use; it may have a path, which a proxy removes',
    inLibrary: 'Base address that links and problem types use. It may have a path, which a proxy removes.',
    example: 'https://sandbox.example/path',
    longest: values.LONGEST_TEXT,
    isSecret: true,
    read: parsed(
      values.baseAddressOf,
      'is not a base address.',
      'must be an http or https address, with or without a path, and without a user, a query and a fragment',
      (write) =>
        `Write scheme, host, and the path if there is one: ${write('https://sandbox.example/path')}. A query, a fragment and a user part are refused.`,
    ),
  }),
  credentials: aFile('--credentials <file>', 'SANDBOX_CREDENTIALS', {
    help: 'JSON file with your own secrets: control_token, clients {id: secret}, watches {serial: key}',
    inLibrary: 'Secrets of your own, or the path of a JSON file with them.',
    example: 'credentials.json',
    longest: values.LONGEST_TEXT,
    file: 'credentials',
    inCode: { schema: ANY_OBJECT, type: 'Credentials | string', example: "{control_token: '...'}" },
    also: {
      fleet: { help: `JSON file with the watches and keys; ${CLI} env --format json writes it`, byVariable: false },
    },
  }),
  forwards: entries('--forward <host=url>', null, {
    help: 'send requests for https://HOST/... to this local address (repeatable)',
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
    help: 'accept self-signed certificates of the targets of --forward, and of no other address',
    inLibrary: 'Accept self-signed certificates of the targets of `forwards`, and of no other address.',
  }),
  readyFile: aText('--ready-file <file>', 'SANDBOX_READY_FILE', {
    help: 'also write the ready line to this file (mode 0600); a start and a clean stop remove it',
    inLibrary: null,
    example: 'ready.json',
    longest: values.LONGEST_TEXT,
    read: asItIs,
  }),
  json: aSwitch('--json', null, { help: 'print one JSON object per line', inLibrary: null }),
  scenario: aText('--scenario <file>', null, {
    help: 'play this scenario in the sandbox after the start, at the speed of its clock',
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
      mcp: { help: 'allow the commands that scenarios and receivers start', byVariable: true },
    },
  }),
  database: aText('--database <url>', 'SANDBOX_DATABASE', {
    help: 'store the state in Postgres: postgres://user:password@host:port/name',
    inLibrary: 'Store the state in Postgres: `postgres://user:password@host:port/name`.',
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
    also: {
      doctor: { help: `same as ${CLI} up --database; checks the difference between the clocks`, byVariable: true },
    },
  }),
  broker: aText('--broker <url>', 'SANDBOX_BROKER', {
    help: 'use this MQTT broker instead of starting one: mqtt:// or mqtts://user:password@host:port',
    inLibrary: 'Use this MQTT broker instead of starting one: `mqtt://` or `mqtts://user:password@host:port`.',
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
      doctor: { help: `same as ${CLI} up --broker, such as mqtt://127.0.0.1:1883`, byVariable: true },
      env: { help: `same as ${CLI} up --broker; adds its user to the Mosquitto files`, byVariable: true },
    },
  }),
  node: aText('--node <name>', 'SANDBOX_NODE', {
    help: 'run as the node with this name; several nodes share --database and --broker',
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
    help: 'mail server for the e-mails about lost deliveries: smtp://host:port; without it: files',
    inLibrary: 'Mail server for the e-mails about lost deliveries: `smtp://host:port`. Default: write them as files.',
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
    help: 'allow web pages of this origin to call the API, such as http://localhost:5173',
    inLibrary: 'Allow web pages of this origin, such as `http://localhost:5173`, to call the API.',
    example: 'http://localhost:5173',
    longest: values.LONGEST_TEXT,
    read: parsed(
      values.originOf,
      'is not an origin.',
      'must be an origin: scheme, host and port',
      (write) =>
        `Write scheme, host and port, as ${write('http://localhost:5173')}; pages of other origins cannot call the API.`,
    ),
  }),
  profile: aFile('--profile <file>', 'SANDBOX_PROFILE', {
    help: `file with the readings of open points, from ${CLI} compare --save; --assume overrides it`,
    inLibrary: 'The path of a file with readings of open points, from `sandbox compare --save`; `assume` overrides it.',
    example: 'profile.yaml',
    longest: values.LONGEST_TEXT,
    file: 'profile',
    also: {
      compare: {
        help: 'file with the readings that the compared sandbox uses, from compare --save',
        byVariable: false,
      },
    },
  }),
  assume: entries('--assume <name=value>', null, {
    help: `use another reading of an open point; ${CLI} gaps lists them (repeatable)`,
    inLibrary: "Other readings of open points of the specification: `{retry: 'delay'}`. `sandbox gaps` lists them.",
    example: 'retry=delay',
    most: values.MOST_ASSUMED,
    inCode: { schema: ANY_OBJECT, type: 'Readonly<Record<string, string>>', example: "{retry: 'delay'}" },
    read: assumptionsOf,
  }),
  strict: aSwitch('--strict', 'SANDBOX_STRICT', {
    help: `refuse non-standard input, which production may refuse; ${CLI} strictness lists what clients used`,
    inLibrary: 'Refuse non-standard input, which the sandbox otherwise accepts and production may refuse.',
  }),
  ambient: aText('--ambient <kind>', null, {
    help: 'generate background activity, such as calls, falls and radio outages: calm or busy; without it: none',
    inLibrary: 'Generate background activity, such as calls, falls and radio outages. Default: none.',
    example: 'busy',
    longest: values.LONGEST_TEXT,
    words: AMBIENT,
    read: parsed(
      (text) => AMBIENT.find((word) => word === text) ?? null,
      'is neither calm nor busy.',
      `must be one of ${AMBIENT.map(quoted).join(', ')}`,
      () => 'Without it, the sandbox generates no background activity.',
    ),
  }),
  truth: aText('--truth <file>', 'SANDBOX_TRUTH', {
    help: 'write the real position of each worker to this NDJSON file',
    inLibrary: 'Write the real position of each worker to this NDJSON file.',
    example: 'truth.ndjson',
    longest: values.LONGEST_TEXT,
    read: asItIs,
  }),
  dashboard: aSwitch('--dashboard', null, {
    help: 'open the terminal dashboard; its key q also stops the sandbox',
    inLibrary: null,
    isOfUpAlone: true,
  }),
  onNotice: inCodeOnly({
    help: 'function that receives each notice after its commit',
    inLibrary: 'A function that receives each notice after its commit.',
    example: '(notice) => console.log(notice.kind)',
    inCode: { schema: Type.Unknown(), type: '((notice: Notice) => void)' },
    fits: (value) => typeof value === 'function',
  }),
};

export type OptionName = keyof typeof OPTIONS;
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** Returns the name of the option in the sandbox, which differs for some options. */
export const targetOf = (name: OptionName): string => (name === 'assume' || name === 'profile' ? 'assumptions' : name);
type TargetOf<N> = N extends 'assume' | 'profile' ? 'assumptions' : N;

/** Options of an entrance; the sandbox does not use them. */
export const OF_ENTRANCES = ['json', 'scenario', 'readyFile', 'allowCommands', 'dashboard'] as const;

/** Ensures that each option is read into the type that the sandbox uses. */
type OptionRows = {
  readonly [N in OptionName]: TargetOf<N> extends keyof SandboxOptions
    ? OptionRow<NonNullable<SandboxOptions[TargetOf<N>]>>
    : N extends (typeof OF_ENTRANCES)[number]
      ? OptionRow
      : never;
};
export const ROWS: OptionRows = OPTIONS;

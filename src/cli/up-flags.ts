/** The flags of `sandbox up`, which `sandbox exec` takes too. [cli, up] */
import { Option } from 'commander';
import { CLI } from '../base/command-form.ts';
import { allowCommandsOption } from './shell-commands.ts';
import { count, factor, many, port } from './values.ts';

const option = (flags: string, description: string): Option => new Option(flags, description);

/** Made anew for each command: commander keeps state in an option. */
export const upOptions = (): readonly Option[] => [
  option('--host <address>', 'address to listen on (default: 127.0.0.1)').env('SANDBOX_HOST'),
  option('--port <n>', 'port of the API, 0 picks a free one (default: 4600)').argParser(port).env('SANDBOX_PORT'),
  option('--mqtt-port <n>', 'port of the broker, 0 picks a free one (default: 1883; with --tls 8883)')
    .argParser(port)
    .env('SANDBOX_MQTT_PORT'),
  option('--tls', 'speak https and mqtts only, with a certificate authority of the data folder').env('SANDBOX_TLS'),
  option('--data-dir <folder>', 'where state is kept (default: .sandbox)').env('SANDBOX_DATA_DIR'),
  option('--accept-loss', 'go on with a damaged data folder, after saying what is lost'),
  option('--memory', 'keep nothing on disk').env('SANDBOX_MEMORY'),
  option('--site <file>', 'a plant of your own in the place of the first site').env('SANDBOX_SITE'),
  option('--watches <n>', 'watches in all, split by site').argParser(count).env('SANDBOX_WATCHES'),
  option('--no-fleet', 'emulate no watch'),
  option('--seed <n>', 'world, ids and secrets follow from it').env('SANDBOX_SEED'),
  option('--speed <n>', 'simulated seconds per second').argParser(factor).env('SANDBOX_SPEED'),
  option('--start <time>', 'simulated time to begin at, as 2026-10-05T06:00:00Z').env('SANDBOX_START'),
  option('--public-url <url>', 'base address in links and problem types').env('SANDBOX_PUBLIC_URL'),
  option('--credentials <file>', 'JSON with control_token, clients {id: secret} and watches {serial: key}').env(
    'SANDBOX_CREDENTIALS',
  ),
  option('--forward <host=url>', 'send what goes to https://HOST/... to this local address (repeatable)').argParser(
    many,
  ),
  option('--skip-verify', 'targets of --forward may have self-signed certificates; nothing else').env(
    'SANDBOX_SKIP_VERIFY',
  ),
  option(
    '--ready-file <file>',
    'write the ready line to this file too, for you alone (0600); removed at the start and at a clean stop',
  ).env('SANDBOX_READY_FILE'),
  option('--json', 'one JSON object a line'),
  option('--scenario <file>', 'play this scenario in it, in its own time'),
  allowCommandsOption(),
  option('--database <url>', 'keep the world in Postgres, as postgres://user:password@host:port/name').env(
    'SANDBOX_DATABASE',
  ),
  option(
    '--broker <url>',
    'use this broker in place of one of its own: mqtt:// or mqtts://user:password@host:port',
  ).env('SANDBOX_BROKER'),
  option('--node <name>', 'one of several nodes, under this name, that share --database and --broker').env(
    'SANDBOX_NODE',
  ),
  option('--smtp <url>', 'send the e-mails about lost deliveries, as smtp://host:port; without it they are files').env(
    'SANDBOX_SMTP',
  ),
  option('--cors <origin>', 'let pages of this origin call the API, as http://localhost:5173').env('SANDBOX_CORS'),
  option('--assume <name=value>', `another reading of an open point, as ${CLI} gaps lists them (repeatable)`).argParser(
    many,
  ),
  option(
    '--strict',
    `refuse what this sandbox takes but production may refuse; ${CLI} strictness lists what was used`,
  ).env('SANDBOX_STRICT'),
  option('--ambient <kind>', 'background life: calm or busy; without it nothing happens unasked'),
  option('--truth <file>', 'write where everybody truly is to this file, as NDJSON').env('SANDBOX_TRUTH'),
  option('--dashboard', 'open the terminal dashboard; q in it stops the sandbox too'),
];

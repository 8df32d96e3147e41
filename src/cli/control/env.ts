/** `sandbox env`: addresses and credentials of the running sandbox for a shell, a file, or CI. [cli] */
import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { type ReadyLine, type ReadyWatch, trustVariables } from '../../contract/banner.ts';
import { allWatches } from '../../sandbox/watch-list.ts';
import { EXIT, envelope, out } from '../output.ts';
import { findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { sourcesOf } from '../up/options.ts';
import { aclLines, passwordLines, type ServiceUser, serviceUserOf } from './mosquitto-files.ts';

const HELP = `
Examples:
  eval "$(${CLI} env --format sh)"         sets the variables in this shell, and exports them
  ${CLI} env > .env                        writes a file
  ${CLI} env --format github >> "$GITHUB_ENV"
  ${CLI} env --format json | jq .watches   lists the watches with their keys
  ${CLI} env --format mosquitto-passwords --broker mqtt://sandbox:PASSWORD@127.0.0.1 > passwords    its password_file
  ${CLI} env --format mosquitto-acl --broker mqtt://sandbox:PASSWORD@127.0.0.1 > acl                its acl_file`;

type ReadyEnv = ReadyLine['data'];
type Pairs = Readonly<Record<string, string>>;

/** The output formats. For a shell, the values are quoted and the variables are exported. */
const FORMATS = {
  sh: (pairs: Pairs) => Object.entries(pairs).map(([name, value]) => `export ${name}=${shellWord(value)}`),
  dotenv: (pairs: Pairs) => Object.entries(pairs).map(([name, value]) => `${name}=${value}`),
  json: (pairs: Pairs, watches: readonly ReadyWatch[]) => [JSON.stringify({ ...pairs, watches }, null, 2)],
  github: (pairs: Pairs) => githubLines(pairs),
  'mosquitto-passwords': (_: Pairs, watches: readonly ReadyWatch[], service: ServiceUser) =>
    passwordLines(watches, service),
  'mosquitto-acl': (_: Pairs, watches: readonly ReadyWatch[], service: ServiceUser) => aclLines(watches, service),
};

interface EnvFlags {
  readonly format: keyof typeof FORMATS;
  readonly broker?: string;
  readonly dataDir: string;
  readonly json?: boolean;
}

export function defineEnv(program: Command, ended: (code: number) => void): void {
  program
    .command('env')
    .description('print the addresses and credentials of the running sandbox')
    .addOption(new Option('--format <format>', 'format of the output').choices(Object.keys(FORMATS)).default('dotenv'))
    .addOption(sandboxFlag('broker', 'env'))
    .addOption(sandboxFlag('dataDir', 'env'))
    .option('--json', 'print the values of --format json in a JSON object with its status')
    .addHelpText('after', HELP)
    .action((flags: EnvFlags, command: Command) => {
      const found = findRunning(flags.dataDir);
      const pairs =
        found.ready === null
          ? {
              SANDBOX_API_URL: found.apiUrl,
              ...trustVariables(found.ca === null ? undefined : process.env['SANDBOX_CA_FILE']),
            }
          : pairsOf(found.ready);
      const watches = found.ready === null ? [] : allWatches(found.ready);
      if (flags.json === true) out(JSON.stringify(envelope('env', { ...pairs, watches })));
      else
        for (const line of FORMATS[flags.format](pairs, watches, serviceUserOf(flags.broker, sourcesOf(command))))
          out(line);
      ended(EXIT.done);
    });
}

const shellWord = (value: string): string =>
  /^[\w.:/@%+-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

/** The variables of the sandbox. Variable names of the second client end in _2. */
export function pairsOf(ready: ReadyEnv): Record<string, string> {
  const pairs: Record<string, string> = {
    SANDBOX_API_URL: ready.api_url,
    SANDBOX_MQTT_URL: ready.mqtt_url,
    SANDBOX_PANEL_URL: ready.panel_url,
    ...trustVariables(ready.ca_file),
  };
  ready.clients.forEach(({ client_id, client_secret }, index) => {
    const suffix = index === 0 ? '' : `_${index + 1}`;
    pairs[`SANDBOX_CLIENT_ID${suffix}`] = client_id;
    pairs[`SANDBOX_CLIENT_SECRET${suffix}`] = client_secret;
  });
  return pairs;
}

/** Secrets are masked in the job's log. A mask is a workflow command and belongs to stderr, since stdout goes into a file. */
function githubLines(pairs: Record<string, string>): string[] {
  for (const [name, value] of Object.entries(pairs))
    if (name.includes('SECRET')) process.stderr.write(`::add-mask::${value}\n`);
  return Object.entries(pairs).map(([name, value]) => `${name}=${value}`);
}

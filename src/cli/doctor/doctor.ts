/** `sandbox doctor`: whether this machine can run a sandbox, check by check, each with a result and a fix. [cli] */

import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import { receiverAddress } from '../deliveries/receiver-address.ts';
import { colourOf, EXIT, envelope, out, outLine } from '../output.ts';
import { callSandbox, foundBy, readyIn } from '../running.ts';
import { takes } from '../sandbox-flags.ts';
import { externalBrokerOf, sandboxOptions, sourcesOf } from '../up/options.ts';
import { many } from '../values.ts';
import { type DoctorCheck, examine } from './checks.ts';

const HELP = `
Checks Node.js, the ports, the data folder with its certificates and its disk, the limit of open files, and the
clock. With --database, it checks the difference between the clock of the database and the clock of this
machine. It sends a HEAD request to each receiver of --receiver and of "${CLI} listen" on this data folder;
it sends no deliveries. The command changes nothing. If a check fails, the exit code is 3; a warning does not
change the exit code.

Examples:
  ${CLI} doctor
  ${CLI} doctor --port 80 --data-dir /var/lib/sandbox      the same flags as for ${CLI} up
  ${CLI} doctor --receiver http://127.0.0.1:3000/hook
  ${CLI} doctor --json | jq '.data.checks[] | select(.verdict != "ok")'`;

interface DoctorFlags {
  readonly host: string;
  readonly port?: number;
  readonly mqttPort?: number;
  readonly tls?: boolean;
  readonly broker?: string;
  readonly database?: string;
  readonly dataDir: string;
  readonly watches: number;
  readonly receiver?: readonly string[];
  readonly json?: boolean;
}

export function defineDoctor(program: Command, ended: (code: number) => void): void {
  const doctor = program
    .command('doctor')
    .description('check this machine: ports, Node, disk, data folder, clock, receivers');
  takes(doctor, 'host', 'port', 'mqttPort', 'tls', 'broker', 'database', 'dataDir', 'watches')
    .addOption(new Option('--receiver <url>', 'webhook receiver to check (repeatable)').argParser(many))
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action(async (flags: DoctorFlags, command: Command) => {
      const { host, port, mqttPort, dataDir, watches } = flags;
      const sources = sourcesOf(command);
      // First refuses what `up` refuses, including options that contradict each other.
      const { database } = sandboxOptions(flags, sources);
      const receivers = [...new Set([...receiversOf(flags), ...(await listenedAt(dataDir))])];
      const broker = flags.broker === undefined ? undefined : externalBrokerOf(flags.broker, sources);
      const shared = { broker, database };
      const checks = await examine({
        host,
        port,
        mqttPort,
        tls: flags.tls === true,
        dataDir,
        watches,
        receivers,
        ...shared,
      });
      const wrong = checks.filter(({ verdict }) => verdict === 'failed');
      if (flags.json === true) printJson(checks, wrong);
      else print(checks, wrong.length);
      ended(wrong.length === 0 ? EXIT.done : EXIT.environment);
    });
}

function receiversOf({ receiver = [] }: DoctorFlags): readonly string[] {
  return receiver.map((text) => receiverAddress('--receiver', text));
}

/**
 * The addresses to which `sandbox listen` delivers. There are none if no sandbox answers, which another check reports.
 */
async function listenedAt(dataDir: string): Promise<string[]> {
  const ready = readyIn(dataDir);
  if (ready === null) return [];
  try {
    const { body } = await callSandbox(foundBy(ready), 'GET', '/v1/sandbox/destinations');
    return (body as { data: { forward_to: string }[] }).data.map(({ forward_to }) => forward_to);
  } catch {
    return [];
  }
}

function printJson(checks: readonly DoctorCheck[], wrong: readonly DoctorCheck[]): void {
  const line = envelope('doctor', { checks: checks.map(({ fix, ...check }) => ({ ...check, cure: fix })) });
  if (wrong.length === 0) return out(JSON.stringify(line));
  const error = {
    code: 'check_failed',
    message: wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; '),
    retryable: true,
    details: null,
    actions: wrong.flatMap(({ fix }) => fix ?? []),
  };
  out(JSON.stringify({ ...line, status: 'error', error }));
}

const { passed, advice, failed, skipped } = CHECK_TERMS;
const COLOURS = { ok: passed.token, warning: advice.token, failed: failed.token, skipped: skipped.token } as const;

function print(checks: readonly DoctorCheck[], wrong: number): void {
  const paint = colourOf(process.stdout);
  const resultWidth = Math.max(...checks.map(({ verdict }) => verdict.length));
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, verdict, detail, fix } of checks) {
    outLine(`${paint(COLOURS[verdict], verdict.padEnd(resultWidth))}  ${name.padEnd(nameWidth)}  ${detail}`);
    if (fix !== null) outLine(`${' '.repeat(resultWidth + nameWidth + 4)}${paint('teal', fix)}`);
  }
  out('');
  out(wrong === 0 ? `${CLI} up can start here.` : `${plural(wrong, 'check')} failed.`);
}

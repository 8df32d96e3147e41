/** `sandbox replay`: repeats the deliveries or the inputs of a recorded run, or events of the running sandbox. [cli] */

import { type Command, Option } from 'commander';
import { randomSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { ActionAnswer } from '../../contract/actions.ts';
import type { Problem } from '../../contract/problems.ts';
import { ATTEMPTS } from '../../contract/resources/retry-schedule.ts';
import { plural } from '../../contract/sentences.ts';
import { typeFits } from '../../scenario/language/conditions/parts.ts';
import {
  deliveriesOf,
  type RecordedDelivery,
  type RecordedRun,
  readRun,
  receiversOf,
} from '../../scenario/log/recorded-run.ts';
import { CommandError, colourOf, EXIT, envelope, out, talk, talkLine, usage } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { checkEventTypes, factor, many } from '../values.ts';
import { receiverAddress } from './receiver-address.ts';
import { type Replayed, replayDeliveries } from './replay-deliveries.ts';
import { type Compared, codeOf, replayInputs } from './replay-inputs.ts';

const HELP = `
With LOG (run.jsonl, in the --out folder of a run, with events.jsonl next to it):
  --to URL     sends the deliveries of the run to a receiver: the same bodies and ids in the same order, with
               current timestamps and new signatures. The receiver has 5 s to reply. Without --speed there are no pauses.
  --inputs     plays the same scenario again in lock-step, with the same case, parameters and seed, and compares the
               logs record by record. It reports the first difference, and whether the versions differ.

Without LOG, the running sandbox delivers events of its event log again. Select them with --since 10m or --event
ID. --to is the id, url or host of one of its destinations. Each delivery has all ${ATTEMPTS} attempts.

Examples:
  ${CLI} run fall-to-sos --out report
  ${CLI} replay report/run.jsonl --to http://127.0.0.1:3000/hook --secret whsec_mine
  ${CLI} replay report/run.jsonl --to http://127.0.0.1:3000/hook --only alert.created --speed 10
  ${CLI} replay report/run.jsonl --inputs
  ${CLI} replay --to receiver.example --since 1h --only alert.*

Exit codes: 0 all delivered, or the same run; 1 a delivery failed, or another version gives another run; 4 not
deterministic.`;

interface ReplayFlags {
  readonly to?: string;
  readonly inputs?: boolean;
  readonly secret?: string;
  readonly speed?: number;
  readonly only?: readonly string[];
  readonly receiver?: string;
  readonly file?: string;
  readonly since?: string;
  readonly event?: string;
  readonly dataDir: string;
  readonly json?: boolean;
}

export function defineReplay(program: Command, ended: (code: number) => void): void {
  program
    .command('replay [log]')
    .description('send the deliveries of a run to a receiver again, play a run again, or deliver past events again')
    .option('--to <url>', 'send the deliveries to this receiver')
    .option('--inputs', 'play the run again and compare the logs')
    .option('--secret <whsec>', 'sign with this secret (default: a generated secret, which is printed)')
    .addOption(
      new Option('--speed <n>', 'make the pauses of the run, divided by this number (default: no pauses)').argParser(
        factor,
      ),
    )
    .addOption(
      new Option('--only <type>', 'send only this event type, alert.* or muster.* (repeatable)').argParser(many),
    )
    .option('--receiver <name>', 'send only the deliveries to this receiver of the scenario (default: to all)')
    .option('--file <scenario>', 'with --inputs: path of the scenario, if it was moved')
    .option('--since <duration>', 'without LOG: deliver the events of this past time, such as 10m')
    .option('--event <id>', 'without LOG: deliver the event with this id')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'replay'))
    .addHelpText('after', HELP)
    .action(async (log: string | undefined, flags: ReplayFlags) => {
      ended(await (log === undefined ? resendEvents(flags) : replay(log, flags)));
    });
}

/** Delivers events of the running sandbox's event log again, with the action `resend`. */
async function resendEvents({ to, since, event, only = [], json, dataDir }: ReplayFlags): Promise<number> {
  if (to === undefined || (since === undefined) === (event === undefined))
    throw usage(
      'Name a log. To deliver events of the running sandbox again, write --to DESTINATION with --since or --event.',
      `${CLI} replay report/run.jsonl --to http://127.0.0.1:3000/hook`,
      `${CLI} replay --to receiver.example --since 10m`,
    );
  checkEventTypes('--only', only);
  const given = { ...(since === undefined ? {} : { since }), ...(event === undefined ? {} : { event }) };
  const body = { action: 'resend', to, ...given, ...(only.length === 0 ? {} : { only }) };
  const { status, body: answer } = await callSandbox(findRunning(dataDir), 'POST', '/v1/sandbox/actions', body);
  if (status !== 200) {
    const { detail, errors = [] } = answer as Problem;
    const isDestination = errors.some(({ pointer }) => pointer === '/to');
    throw new CommandError(EXIT.usage, 'refused', detail ?? `The sandbox answered ${status}.`, {
      actions: isDestination
        ? [
            `A destination is named by its id, its url, or its host. A local receiver gets one by: ${CLI} listen --forward-to URL`,
          ]
        : errors.map((one) => `--${one.pointer.slice(1)} ${one.detail}`),
    });
  }
  const { result } = answer as ActionAnswer;
  if (json === true) out(JSON.stringify(envelope('replay', { to, events: result.resent ?? 0 })));
  else talk(`${plural(result.resent ?? 0, 'event')} to ${to}. ${CLI} logs deliveries shows how it goes.`);
  return EXIT.done;
}

async function replay(log: string, flags: ReplayFlags): Promise<number> {
  if ((flags.to === undefined) === (flags.inputs !== true))
    throw usage('Write either --to URL or --inputs.', `${CLI} replay --help describes both.`);
  const run = readRun(log);
  const running = runUntilSignal();
  const stop = new AbortController();
  void running.ended.then(() => stop.abort());
  const code =
    flags.to === undefined ? await compare(run, log, flags, stop.signal) : await resend(run, log, flags, stop.signal);
  running.done();
  return stop.signal.aborted ? EXIT.interrupted : code;
}

async function resend(run: RecordedRun, log: string, flags: ReplayFlags, signal: AbortSignal): Promise<number> {
  const { only = [], receiver = null, speed = null, json } = flags;
  const address = receiverAddress('--to', flags.to ?? '');
  checkEventTypes('--only', only);
  const known = receiversOf(run);
  if (receiver !== null && !known.includes(receiver))
    throw usage(
      `Nothing was delivered to "${receiver}" in this run.`,
      `There are ${known.join(', ') || 'no receivers'}.`,
    );
  const all = deliveriesOf(run, log, receiver);
  const wanted = all.filter(({ type }) => only.length === 0 || only.some((one) => typeFits(one, type)));
  if (wanted.length === 0) throw usage(`None of the ${all.length} deliveries of this run matches the flags.`);
  const secret = flags.secret ?? `whsec_${randomSecret(32)}`;
  if (flags.secret === undefined) talk(`signed with ${secret}`);
  const onReplayed = (delivery: RecordedDelivery, replayed: Replayed) => {
    if (json !== true) talkLine(lineOf(delivery, replayed));
  };
  const sent = await replayDeliveries(wanted, { to: new URL(address), secret, speed, onReplayed, signal });
  const failed = sent.filter(({ error }) => error !== null).length;
  if (json === true)
    out(JSON.stringify(envelope('replay', { to: address, sent: sent.length, failed, deliveries: sent })));
  else talk(`${sent.length} sent, ${sent.length - failed} delivered, ${failed} failed`);
  return failed > 0 ? EXIT.failed : EXIT.done;
}

function lineOf({ type, receiver }: RecordedDelivery, { event_id, status, error, took_ms }: Replayed): string {
  const paint = colourOf(process.stderr);
  const how = error === null ? paint('green', String(status)) : paint('red', error);
  return `${type.padEnd(27)} ${event_id}  ${how}  ${paint('dim', `${took_ms} ms, in the run for ${receiver}`)}`;
}

async function compare(run: RecordedRun, log: string, flags: ReplayFlags, signal: AbortSignal): Promise<number> {
  const compared = await replayInputs(run, log, flags.file, signal);
  if (flags.json === true) out(JSON.stringify(envelope('replay', compared)));
  else for (const line of comparisonLines(compared)) talkLine(line);
  return codeOf(compared);
}

function comparisonLines({ file, recorded_version: recorded, version, records, difference }: Compared): string[] {
  const other =
    recorded === version
      ? []
      : [`The log is of version ${recorded}, and this is ${version}: logs are equal only within one version.`];
  if (difference === null) return [...other, `the same run  ${file}  ${records} records, every one the same`];
  return [
    ...other,
    `DIFFERENT  ${file}  the log (first) and the run just now (second):`,
    ...difference.split('\n'),
    'Runs in real or scaled time differ, and so do runs of a changed scenario: check its changes with git.',
  ];
}

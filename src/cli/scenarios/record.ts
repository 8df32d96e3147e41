/** `sandbox record`: records actions in the running sandbox as a draft of a scenario. [cli] */

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { explainDuration, parseDuration } from '../../base/time/durations.ts';
import { later } from '../../base/time/timers.ts';
import { loadScenario } from '../../scenario/reading/load.ts';
import type { RecordedSession } from '../../service/api/route.ts';
import { CommandError, EXIT, envelope, out, talk, talkLine } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';
import { SCHEMA_FILE } from './init.ts';

const HELP = `
Records a running sandbox and writes a draft of a scenario. It records the actions (${CLI} trigger and
POST /v1/sandbox/actions), the alerts that your client acknowledged or resolved, and the events that followed.
Press Ctrl-C to end the recording.

In the draft:
  - each action is a step, and pauses are rounded to seconds;
  - ids are $names, and people have short names and their positions from the start of the recording;
  - each event that followed an action is expected.
The draft leaves out what your client did with older alerts, and events that no action caused. A message lists
them.

Examples:
  ${CLI} record --out gate-fall.scenario.yaml      in another terminal: ${CLI} trigger fall --who W-001
  ${CLI} run gate-fall.scenario.yaml               plays the draft
  ${CLI} record --for 2m > draft.scenario.yaml`;

/** Interval of liveness checks of the sandbox; wall ms. */
const LOOK_EVERY_MS = 1_000;

interface RecordFlags {
  readonly out?: string;
  readonly for?: number;
  readonly json?: boolean;
  readonly dataDir: string;
}

const lasting = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError(explainDuration(text));
  return ms;
};

export function defineRecord(program: Command, ended: (code: number) => void): void {
  program
    .command('record')
    .description('record a running sandbox as a draft of a scenario')
    .option('--out <file>', 'write the draft to this file (default: stdout)')
    .addOption(
      new Option(
        '--for <duration>',
        'end the recording after this real time, such as 2m (default: at Ctrl-C)',
      ).argParser(lasting),
    )
    .option('--json', 'print the draft in a JSON object')
    .addOption(sandboxFlag('dataDir', 'record'))
    .addHelpText('after', HELP)
    .action(async (flags: RecordFlags) => {
      ended(await record(flags));
    });
}

interface RecordSession extends Pick<RecordedSession, 'scenario' | 'steps' | 'expectations' | 'remarks'> {}

async function record(flags: RecordFlags): Promise<number> {
  const found = findRunning(flags.dataDir);
  const { id } = (await callExpecting(found, 'POST', '/v1/sandbox/recordings', 201)) as { id: string };
  talk(`recording ${found.apiUrl}; ${flags.for === undefined ? 'Ctrl-C ends it' : 'it ends by itself, or by Ctrl-C'}`);
  const running = runUntilSignal();
  await over(running.ended, flags.for ?? Number.POSITIVE_INFINITY, () =>
    callSandbox(found, 'GET', '/v1/sandbox/clock'),
  );
  const session = (await callExpecting(found, 'DELETE', `/v1/sandbox/recordings/${id}`, 200)) as RecordSession;
  running.done();
  tell(session, flags);
  return EXIT.done;
}

/** Waits for a signal or for the duration. Throws if the sandbox does not answer any more. */
async function over(signal: Promise<unknown>, forMs: number, lookAfter: () => Promise<unknown>): Promise<void> {
  let left = forMs;
  let signalled = false;
  void signal.then(() => {
    signalled = true;
  });
  while (left > 0 && !signalled) {
    const pause = Math.min(left, LOOK_EVERY_MS);
    await Promise.race([signal, new Promise<void>((resolve) => later(pause, resolve))]);
    left -= pause;
    if (left > 0 && !signalled) await lookAfter();
  }
}

async function callExpecting(found: FoundSandbox, method: string, path: string, right: number): Promise<unknown> {
  const { status, body } = await callSandbox(found, method, path);
  if (status === right) return body;
  const { detail = `The sandbox answered ${status}.` } = (body ?? {}) as { detail?: string };
  throw new CommandError(EXIT.environment, 'refused', detail);
}

function tell(session: RecordSession, { out: file, json }: RecordFlags): void {
  const { steps, expectations, remarks } = session;
  const name = file ?? 'recorded.scenario.yaml';
  const scenario = withSchema(session.scenario, file);
  if (file !== undefined) write(file, scenario);
  if (json === true) out(JSON.stringify(envelope('record', { file: file ?? null, ...session, scenario })));
  else if (file === undefined) out(scenario.trimEnd());
  for (const remark of remarks) talkLine(`left out  ${remark}`);
  talk(`${steps} steps, ${expectations} of them expectations`);
  const loaded = loadScenario(name, { read: (path) => (path === name ? scenario : undefined) });
  if (!loaded.ok) talk(`The draft has mistakes; correct them before you play it:\n${loaded.text}`);
  else if (file !== undefined) talk(`written to ${file}; play it with: ${CLI} run ${shellWord(file)}`);
}

/** The first line refers editors to the schema, if `sandbox init` has written one. */
function withSchema(scenario: string, file: string | undefined): string {
  const beside = file !== undefined && existsSync(join(dirname(file), SCHEMA_FILE));
  return beside ? scenario : scenario.replace(/^# yaml-language-server:.*\n/, '');
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    out(text.trimEnd());
    throw new CommandError(EXIT.environment, 'not_writable', `${file} cannot be written: ${(error as Error).message}`, {
      actions: ['The draft is on stdout.'],
    });
  }
}

/** `sandbox explain-delivery ID`: the bytes that were signed, each attempt, and why a receiver may have refused it. [cli] */

import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import type { ExplainedDelivery } from '../../contract/resources/logs.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { printAttempt, printBody } from './delivery-lines.ts';

const HELP = `
ID is the id of a delivery or of an event. "${CLI} logs deliveries --json" shows both. The header
X-Service-Event-Id of a delivery has the id of the event.

If your receiver refuses a delivery, log the signature that your receiver computes, and give it with --got. The
command then names the mistake if it is a known one: the JSON was serialized again, a timestamp in milliseconds,
a line feed after the secret, a missing whsec_, base64, and others. If the reply of the receiver has a
signature, --got is not necessary.

Examples:
  ${CLI} explain-delivery 6f1c1a52-51f5-4f0a-9a55-0a4f2a3c9b10
  ${CLI} explain-delivery 6f1c1a52-51f5-4f0a-9a55-0a4f2a3c9b10 --got v1=9c1e...
  printf %s "$(${CLI} explain-delivery ID --string-to-sign)" | openssl dgst -sha256 -hmac "$SECRET"`;

interface ExplainFlags {
  readonly got?: string;
  readonly stringToSign?: boolean;
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineExplainDelivery(program: Command, ended: (code: number) => void): void {
  program
    .command('explain-delivery <id>')
    .description('show what was signed and sent, and why a receiver may have refused it')
    .option('--got <signature>', 'signature that the receiver computed, with or without v1=')
    .option('--string-to-sign', 'print only the text that the newest attempt signed')
    .option('--json', 'print the explanation as one JSON object')
    .addOption(sandboxFlag('dataDir', 'explain-delivery'))
    .addHelpText('after', HELP)
    .action(async (id: string, flags: ExplainFlags) => {
      ended(await explain(id, flags));
    });
}

async function explain(id: string, { got, stringToSign, json, dataDir }: ExplainFlags): Promise<number> {
  if (got !== undefined && (got.trim() === '' || got.length > 300))
    throw usage('--got is a signature, like v1=9c1e...');
  const found = findRunning(dataDir);
  const query = got === undefined ? '' : `?${new URLSearchParams({ got })}`;
  const { status, body } = await callSandbox(found, 'GET', `/v1/sandbox/deliveries/${encodeURIComponent(id)}${query}`);
  if (status === 404)
    throw new CommandError(EXIT.usage, 'not_found', (body as { detail: string }).detail, {
      actions: [`${CLI} logs deliveries --json lists the newest, with delivery_id and event_id.`],
    });
  if (status !== 200) throw new CommandError(EXIT.environment, 'refused', `The sandbox answered ${status}.`);
  const { data } = body as { data: ExplainedDelivery[] };
  if (data.length === 0)
    throw new CommandError(
      EXIT.usage,
      'not_delivered',
      `The event ${id} was not sent: no destination subscribes to its type.`,
    );
  if (json === true) out(JSON.stringify(envelope('explain-delivery', { deliveries: data })));
  else if (stringToSign === true) out(data[0]?.attempts.at(-1)?.string_to_sign ?? '');
  else for (const delivery of data) print(delivery);
  return EXIT.done;
}

/** Number of attempts that are shown in full. Of a long retry schedule, the newest are relevant. */
const SHOWN_ATTEMPTS = 5;

function print(delivery: ExplainedDelivery): void {
  const { delivery_id, event_id, event_type, url, attempts, next_attempt_at, causes } = delivery;
  const paint = colourOf(process.stdout);
  outLine(`${paint('bold', event_type)}  event ${event_id}, delivery ${delivery_id}`);
  outLine(`to       ${url ?? 'a destination that was deleted'}`);
  if (next_attempt_at !== null) outLine(`next     attempt at ${next_attempt_at}`);
  printBody(delivery);
  if (attempts.length === 0) out('\nNo attempt was made yet.');
  const left = attempts.length - SHOWN_ATTEMPTS;
  if (left > 0) out(`\n${left} earlier attempts are left out; --json has them.`);
  for (const one of attempts.slice(-SHOWN_ATTEMPTS)) printAttempt(one);
  if (causes.length === 0)
    return out(attempts.length === 0 ? '' : `\n${paint('green', 'Nothing is wrong: it was accepted.')}`);
  const [first] = causes;
  const head =
    first?.certain === true
      ? 'Why the receiver refuses it: computed, so certain'
      : 'Why the receiver may refuse it, by its answer';
  out(`\n${paint('bold', head)}`);
  for (const { says, cure } of causes) {
    outLine(`${paint('red', CHECK_TERMS.failed.glyph)} ${says}`);
    outLine(`  ${paint('dim', cure)}`);
  }
}

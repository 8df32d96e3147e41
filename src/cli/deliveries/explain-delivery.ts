/** `sandbox explain-delivery ID`: the bytes that were signed, each attempt, and why a receiver may have refused it. [cli] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
ID is the id of a delivery or of an event: ${CLI} logs deliveries --json shows both, and a delivery has the event's id in X-Service-Event-Id.

Where your receiver refuses a delivery, let it log the signature that it computed, and give it with --got: a known mistake
(JSON that was written anew, milliseconds, a line feed behind the secret, whsec_ left out, base64 ...) is then named with
certainty. A signature in the receiver's answer is found without it.

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

interface ExplainedAttempt {
  readonly attempt: {
    readonly try: number;
    readonly at: string;
    readonly took_ms: number;
    readonly result: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly note: string | null;
    readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
    readonly answer: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
  };
  readonly signed_with: readonly string[];
  readonly string_to_sign: string;
}

interface ExplainedDelivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly url: string | null;
  readonly body: string;
  readonly body_bytes: number;
  readonly attempts: readonly ExplainedAttempt[];
  readonly causes: readonly { readonly certain: boolean; readonly says: string; readonly cure: string }[];
}

export function defineExplainDelivery(program: Command, ended: (code: number) => void): void {
  program
    .command('explain-delivery <id>')
    .description('what was signed and sent, and why a receiver may have refused it')
    .option('--got <signature>', 'what the receiver computed, with or without v1=')
    .option('--string-to-sign', 'print only the text that the newest attempt signed')
    .option('--json', 'the explanation as one JSON object')
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
      `The event ${id} went to no destination: none subscribes to it.`,
    );
  if (json === true) out(JSON.stringify(envelope('explain-delivery', { deliveries: data })));
  else if (stringToSign === true) out(data[0]?.attempts.at(-1)?.string_to_sign ?? '');
  else for (const delivery of data) print(delivery);
  return EXIT.done;
}

/** Attempts that are shown in full; of a long retry schedule the newest matter. */
const SHOWN_ATTEMPTS = 5;
/** Characters of an answer that are shown. */
const SHOWN_ANSWER = 400;

function print({
  delivery_id,
  event_id,
  event_type,
  url,
  body,
  body_bytes,
  attempts,
  causes,
}: ExplainedDelivery): void {
  const paint = colourOf(process.stdout);
  const head = (text: string) => out(`\n${paint(1, text)}`);
  outLine(`${paint(1, event_type)}  event ${event_id}, delivery ${delivery_id}`);
  outLine(`to       ${url ?? 'a destination that was deleted'}`);
  const isAscii = /^[\0-\x7f]*$/.test(body);
  head(`Body: ${body_bytes} bytes of UTF-8${isAscii ? '' : ', not all of them ASCII'}, no line end behind it`);
  outLine(body);
  if (attempts.length === 0) out('\nNo attempt was made yet.');
  const left = attempts.length - SHOWN_ATTEMPTS;
  if (left > 0) out(`\n${left} earlier attempts are left out; --json has them.`);
  for (const one of attempts.slice(-SHOWN_ATTEMPTS)) printAttempt(one, body);
  if (causes.length === 0)
    return out(attempts.length === 0 ? '' : `\n${paint(32, 'Nothing is wrong: it was accepted.')}`);
  const [first] = causes;
  head(
    first?.certain === true
      ? 'Why the receiver refuses it: computed, so certain'
      : 'Why the receiver may refuse it, by its answer',
  );
  for (const { says, cure } of causes) {
    outLine(`${paint(31, '✗')} ${says}`);
    outLine(`  ${paint(2, cure)}`);
  }
}

function printAttempt({ attempt, signed_with, string_to_sign }: ExplainedAttempt, body: string): void {
  const paint = colourOf(process.stdout);
  const { status, error, note, result, took_ms, request, answer } = attempt;
  const how = result === 'delivered' ? paint(32, `${status}`) : paint(31, error ?? `${status}`);
  out(`\n${paint(1, `Attempt ${attempt.try}`)}`);
  outLine(`${attempt.at}  ${how}  ${took_ms} ms${result === 'lost' ? ', given up' : ''}`);
  outLine(`POST ${request.url}`);
  for (const [name, value] of Object.entries(request.headers)) outLine(`  ${name}: ${value}`);
  const timestamp = string_to_sign.slice(0, string_to_sign.length - body.length);
  outLine(`  string to sign: ${timestamp}<the body>`);
  const signatures = (request.headers['X-Service-Signature'] ?? '').split(',');
  for (const [place, one] of signatures.entries())
    outLine(`  ${one.slice(0, 15)}… = HMAC-SHA256 with ${signed_with[place]}`);
  for (const [name, value] of Object.entries(answer.headers)) outLine(`  answered ${name}: ${value}`);
  if (note !== null) outLine(`  ${note}`);
  const text = (answer.body ?? '').trim();
  if (text !== '') outLine(`  answer: ${text.slice(0, SHOWN_ANSWER)}${text.length > SHOWN_ANSWER ? '…' : ''}`);
}

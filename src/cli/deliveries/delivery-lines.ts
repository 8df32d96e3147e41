/** A delivery in full, as lines of the terminal: `explain-delivery` and the details of `listen` print these. [cli] */

import type { ExplainedDelivery, SignedAttempt } from '../../contract/resources/logs.ts';
import { DELIVERY_TERMS } from '../../contract/resources/vocabulary.ts';
import { answerText, curlOf, RESULT_TEXT, sentSignatures, timestampOf } from '../../watching/state/deliveries.ts';
import { colourOf, out, outLine } from '../output.ts';

/** Maximum characters of an answer that are shown. */
const SHOWN_ANSWER = 400;

export function printBody({ body, body_bytes }: ExplainedDelivery): void {
  const isAscii = /^[\0-\x7f]*$/.test(body);
  const what = `Body: ${body_bytes} bytes of UTF-8${isAscii ? '' : ', not all of them ASCII'}, no line end behind it`;
  out(`\n${colourOf(process.stdout)('bold', what)}`);
  outLine(body);
}

export function printAttempt(signed: SignedAttempt): void {
  const paint = colourOf(process.stdout);
  const { attempt } = signed;
  const { note, result, took_ms, request, answer } = attempt;
  const how = paint(DELIVERY_TERMS[result].token, attempt.error ?? answerText(attempt));
  out(`\n${paint('bold', `Attempt ${attempt.try}`)}`);
  outLine(`${attempt.at}  ${how}  ${took_ms} ms${result === 'lost' ? `, ${RESULT_TEXT.lost}` : ''}`);
  outLine(`POST ${request.url}`);
  for (const [name, value] of Object.entries(request.headers)) outLine(`  ${name}: ${value}`);
  outLine(`  string to sign: ${timestampOf(attempt)}.<the body>`);
  for (const { signature, secret, isRight } of sentSignatures(signed))
    outLine(
      isRight
        ? `  ${signature.slice(0, 15)}… = HMAC-SHA256 with ${secret}`
        : `  ${signature.slice(0, 15)}… was made with ${secret}`,
    );
  for (const { secret, signature } of signed.recomputed.filter(({ is_sent }) => !is_sent))
    outLine(`  not sent: ${signature}, HMAC-SHA256 with ${secret}`);
  for (const [name, value] of Object.entries(answer.headers)) outLine(`  answered ${name}: ${value}`);
  if (note !== null) outLine(`  ${note}`);
  const text = (answer.body ?? '').trim();
  if (text !== '') outLine(`  answer: ${text.slice(0, SHOWN_ANSWER)}${text.length > SHOWN_ANSWER ? '…' : ''}`);
}

/** The command is made by the sandbox, so its line breaks are kept. `curlOf` quotes text from outside. */
export const printCurl = ({ attempt }: SignedAttempt, body: string): void => out(curlOf(attempt, body));

/**
 * Finds out why a receiver refuses a genuine delivery: sends deliveries with each known signing mistake until one is
 * accepted.
 */
import { randomId } from '../../base/ids.ts';
import { wrongSignatures } from '../../service/domain/deliveries/mistakes.ts';
import type { CheckBench } from './check.ts';
import { type Exchange, isAccepted } from './send.ts';

interface Diagnosis {
  /** Completes "Your receiver …". */
  readonly says: string;
  readonly fix: string;
  readonly exchange: Exchange;
}

/**
 * Returns null if there is no known mistake. Sends one request for each mistake, and two if the mistake is in the form
 * of the signature.
 */
export async function diagnose({ make, send }: CheckBench): Promise<Diagnosis | null> {
  const milliseconds = make.sos('the timestamp in milliseconds');
  const sentInMs = `${milliseconds.headers['X-Service-Timestamp']}000`;
  const inMs = make.raw(milliseconds.what, milliseconds.eventId, milliseconds.body, {
    timestamp: Number(sentInMs),
  });
  const first = await send(inMs);
  if (isAccepted(first))
    return {
      says: 'reads X-Service-Timestamp as milliseconds',
      fix: 'It is in Unix seconds: multiply it by 1000 before you compare it with a clock in milliseconds, and sign the received text.',
      exchange: first,
    };
  const eventId = randomId();
  const event = make.event({ alert: make.alert() }, { id: eventId });
  const body = JSON.stringify(event);
  const { headers } = make.raw('', eventId, body);
  const timestamp = Number(headers['X-Service-Timestamp']);
  for (const { signature, mistakes } of wrongSignatures({ eventId, timestamp, body, secret: make.secret }, 1)) {
    const [mistake] = mistakes;
    if (mistake === undefined) continue;
    const forms = [`v1=${signature}`, signature];
    for (const form of mistake.says.startsWith('writes the signature') ? forms : forms.slice(0, 1)) {
      const exchange = await send(make.raw(mistake.says, eventId, body, { timestamp, signature: () => form }));
      if (isAccepted(exchange)) return { ...mistake, exchange };
    }
  }
  const right = await send(make.raw('without v1=', eventId, body, { timestamp, signature: (one) => one.slice(3) }));
  return isAccepted(right)
    ? {
        says: 'compares with the whole header, v1= included',
        fix: 'Split X-Service-Signature at commas, and compare the text after v1=.',
        exchange: right,
      }
    : null;
}

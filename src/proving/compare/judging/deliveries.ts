/** The headers of a delivery: its sender, its event, and its signature. [spec 4 Receiver contract, spec 5] */
import { API_VERSION } from '../../../contract/enumerations.ts';
import { isMap } from '../../../contract/schema.ts';
import { signatureFault } from '../../../scenario/customer/verify-signature.ts';
import type { DeliveryTraffic } from '../exchange.ts';
import type { Findings } from './findings.ts';

/** `secrets`: secrets of destinations. Without any, only the form of signatures is judged. */
export function judgeDelivery(
  delivery: DeliveryTraffic,
  secrets: readonly string[],
  body: unknown,
  found: Findings,
): void {
  const { headers } = delivery;
  judgeSender(delivery, found);
  const id = headers['x-service-event-id'];
  if (id === undefined) found.add('event-id', '[spec 6]', '', 'has no header X-Service-Event-Id');
  else if (isMap(body) && body['id'] !== id)
    found.add('event-id', '[spec 6]', '/id', 'X-Service-Event-Id is not the id of the event');
  const signed = {
    timestamp: headers['x-service-timestamp'],
    signature: headers['x-service-signature'],
    body: Buffer.from(delivery.body),
  };
  const form = signatureForm(signed.timestamp, signed.signature);
  if (form !== null) found.add('signature-form', '[spec 5]', '', form);
  else if (secrets.length > 0) {
    // The timestamp itself is used as the time of the delivery.
    const fault = signatureFault(signed, secrets, Number(signed.timestamp) * 1_000);
    if (fault !== null) found.add('signature', '[spec 5]', '', fault);
  }
}

/** Most seconds between signature and delivery. [spec 8] */
const MOST_SKEW_S = 300;

/**
 * Judges the headers that name sender and content type, the absence of a token, and the time of signing. [spec 4 Receiver
 * contract]
 */
function judgeSender({ headers, atMs }: DeliveryTraffic, found: Findings): void {
  const clause = '[spec 4]';
  const agent = headers['user-agent'];
  // A recording may contain only some of the headers.
  const isWhole = headers['host'] !== undefined;
  const media = headers['content-type'];
  if (agent !== `Service-Webhooks/${API_VERSION}` && (isWhole || agent !== undefined))
    found.add('user-agent', clause, '', `User-Agent is ${agent ?? 'missing'}, not Service-Webhooks/${API_VERSION}`);
  if (!/^application\/json\b/.test(media ?? '') && (isWhole || media !== undefined))
    found.add('media-type', clause, '', `Content-Type is ${media ?? 'missing'}, not application/json`);
  if (headers['authorization'] !== undefined) found.add('token', clause, '', 'has an Authorization header');
  const signedAt = Number(headers['x-service-timestamp']);
  if (atMs !== undefined && Math.abs(signedAt - atMs / 1_000) > MOST_SKEW_S)
    found.add('timestamp', '[spec 5]', '', 'X-Service-Timestamp is more than 5 minutes from the time of delivery');
}

/** Returns the fault; null if the header has one valid signature form, or two during a rotation. */
function signatureForm(timestamp: string | undefined, signature: string | undefined): string | null {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return 'X-Service-Timestamp is not a time in Unix seconds';
  const given = (signature ?? '').split(',');
  if (given.length > 2)
    return `X-Service-Signature has ${given.length} signatures, but at most two are valid at a time`;
  return given.every((one) => /^v1=[0-9a-f]{64}$/.test(one))
    ? null
    : 'X-Service-Signature is not v1= and 64 hex digits';
}

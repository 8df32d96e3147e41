/** Verifies a delivery from the API specification alone: no code is shared with the signer, so a bug there is found. [spec 5] */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const TOLERANCE_S = 5 * 60;
const MOST_SIGNATURES = 2;

export interface SignedRequest {
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** The raw bytes. */
  readonly body: Buffer;
}

/** Reads a delivery as it arrives. Returns null if the sender broke off, or if the body has more than `mostBytes`. */
export async function readSigned(request: IncomingMessage, mostBytes = Infinity): Promise<SignedRequest | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > mostBytes) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  const [timestamp, signature] = [headerOf(request, 'x-service-timestamp'), headerOf(request, 'x-service-signature')];
  return { timestamp, signature, body: Buffer.concat(parts) };
}

/** The header as one text; `name` in lower case. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Returns null for a valid delivery, else the reason. `secrets`: the customer's secrets, two during a rotation. */
export function signatureFault(
  { timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  wallMs: number,
): string | null {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return 'X-Service-Timestamp is not a time in Unix seconds';
  const apartS = Math.abs(wallMs / 1000 - Number(timestamp));
  if (apartS > TOLERANCE_S) return `X-Service-Timestamp is ${Math.round(apartS)} s away from the wall clock`;
  const given = (signature ?? '').split(',');
  if (given.length > MOST_SIGNATURES) return `X-Service-Signature holds ${given.length} signatures`;
  const expected = secrets.map((secret) =>
    Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`),
  );
  const fits = (one: string) =>
    expected.some((digest) => one.length === digest.length && timingSafeEqual(Buffer.from(one), digest));
  return given.some(fits) ? null : 'X-Service-Signature does not fit the body and the secret';
}

/** The signature of a delivery: lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>`, one for each secret in force. [spec 5] */
import { createHmac } from 'node:crypto';
import type { Instant } from '../../../base/time/clock.ts';

export const USER_AGENT = 'Service-Webhooks/2026-09-24';

export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex')}`;

/** The secrets of a destination. */
interface SigningSecrets {
  readonly secret: string;
  readonly previousSecret: { readonly secret: string; readonly validUntil: Instant } | null;
}

/** The newest secret first, then the previous one for 24 h after a rotation. Never more than two. */
export function secretsInForce({ secret, previousSecret }: SigningSecrets, now: Instant): string[] {
  return previousSecret !== null && now < previousSecret.validUntil ? [secret, previousSecret.secret] : [secret];
}

/** The headers of one attempt. The timestamp is wall-clock time in whole seconds, in every mode. */
export function deliveryHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  wallMs: number,
): Record<string, string> {
  const timestamp = Math.floor(wallMs / 1_000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': secrets.map((secret) => signatureOf(secret, timestamp, body)).join(','),
  };
}

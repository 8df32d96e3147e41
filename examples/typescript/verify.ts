/** Verifies a webhook delivery. No dependencies: copy this file. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

/**
 * True for a genuine delivery that is no older (and no newer) than 5 minutes.
 *
 * `body` is the raw request body, before any parser. `secret` is the whole text that starts with `whsec_`.
 * During a rotation the signature header holds two signatures; either may fit.
 */
export function isGenuine(
  timestamp: string | undefined,
  signature: string | undefined,
  body: Buffer,
  secret: string,
  nowS = Date.now() / 1000,
): boolean {
  if (timestamp === undefined || signature === undefined || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowS - Number(timestamp)) > TOLERANCE_S) return false;
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`);
  return signature.split(',').some((one) => {
    const given = Buffer.from(one.trim());
    // timingSafeEqual throws on different lengths; the length is no secret.
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Identifiers: ids derived from their parts, unguessable ids, secrets and keys, and the comparison of secrets. */
import {
  createHash,
  createHmac,
  generateKeyPairSync,
  hash,
  type KeyPairKeyObjectResult,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BITS_PER_CHARACTER = 5.954196310386875;

/**
 * A UUID derived from the parts: equal parts give an equal id. Its bits say version 4, since strict clients refuse
 * other versions. [decisions 1]
 */
export const idFrom = (...parts: (string | number)[]): string => idOfVersion(4, ...parts);

/** The same, with another version number in its bits. */
export function idOfVersion(version: number, ...parts: (string | number)[]): string {
  const bytes = hash('sha256', parts.join('/'), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A random UUID, for data that no canonical log contains. */
export function randomId(): string {
  return randomUUID();
}

/** A secret of [A-Za-z0-9] that contains `bytes` random bytes; 32 bytes give 43 characters. */
export function randomSecret(bytes: number): string {
  return alphanumeric(randomBytes(bytes));
}

/** A random key pair on the curve P-256, which every TLS library supports. */
export function newKeyPair(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** A random serial number of a certificate: positive, and always 16 bytes. [RFC 5280 4.1.2.2] */
export function randomSerial(): ArrayBuffer {
  const bytes = Uint8Array.from(randomBytes(16));
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.buffer;
}

/** A secret of 43 characters [A-Za-z0-9] that is derived from the root key and the parts. */
export function hmacSecret(rootKey: Buffer | string, ...parts: (string | number)[]): string {
  return alphanumeric(createHmac('sha256', rootKey).update(parts.join('/')).digest());
}

/** SHA-256 of a text (as UTF-8) in lower-case hexadecimal. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** True if both are equal. The comparison takes constant time, so its duration reveals nothing about either. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Characters for each division of the large number, because such divisions are slow. 62^8 is below 2^53, so a remainder is exact. */
const CHARACTERS_AT_ONCE = 8;
const DIVISOR = 62n ** BigInt(CHARACTERS_AT_ONCE);

// The bytes as one number in base 62, at full width: it keeps all of their randomness, and needs no escaping in a URL
// or a shell.
function alphanumeric(bytes: Buffer): string {
  let rest = BigInt(`0x0${bytes.toString('hex')}`);
  let text = '';
  for (let left = Math.ceil((bytes.length * 8) / BITS_PER_CHARACTER); left > 0; left -= CHARACTERS_AT_ONCE) {
    let digits = Number(rest % DIVISOR);
    rest /= DIVISOR;
    for (let count = Math.min(left, CHARACTERS_AT_ONCE); count > 0; count--) {
      text = ALPHABET[digits % 62] + text;
      digits = Math.floor(digits / 62);
    }
  }
  return text;
}

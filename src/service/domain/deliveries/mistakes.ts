/** The known mistakes in checking a signature, each as the value that it computes, to find the cause of a wrong one. [spec 5] */
import { createHash, createHmac } from 'node:crypto';
import { formatInstant } from '../../../base/time/instants.ts';
import { JSON_WRITERS } from './json-writers.ts';

/** What a signature is computed from. `timestamp` is in Unix seconds. */
interface SignatureInput {
  readonly eventId: string;
  readonly timestamp: number;
  readonly body: string;
  readonly secret: string;
}

/** A wrong interpretation of one input. `says` completes "The receiver …". */
interface SignatureMistake {
  readonly says: string;
  readonly fix: string;
}

interface Reading<T> {
  /** Null for the right one, which comes first. */
  readonly mistake: SignatureMistake | null;
  readonly of: T;
}

type SignedBytes = string | Buffer;
type BodyReading = (body: string) => SignedBytes;
type MessageReading = (input: Omit<SignatureInput, 'body' | 'secret'>, body: Buffer) => SignedBytes;
type KeyReading = (secret: string) => SignedBytes;
type DigestReading = (key: SignedBytes, message: SignedBytes) => string;

const RAW_FIX = 'Compute the signature over the received bytes of the request, before a framework parses them.';
const KEY_FIX = 'Use the whole secret, whsec_ included, as UTF-8 text, without quotes, spaces or line ends.';
const MESSAGE_FIX = 'Sign the text of X-Service-Timestamp, a dot, and the raw body, in this order.';
const DIGEST_FIX = 'Compute HMAC-SHA256 with the secret as key, and write it as lowercase hexadecimal.';

const right = <T>(of: T): Reading<T> => ({ mistake: null, of });
const wrong =
  <T>(fix: string) =>
  (says: string, of: T): Reading<T> => ({ mistake: { says, fix }, of });
const raw = wrong<BodyReading>(RAW_FIX);
const message = wrong<MessageReading>(MESSAGE_FIX);
const key = wrong<KeyReading>(KEY_FIX);
const digest = wrong<DigestReading>(DIGEST_FIX);

/** `repr` of Python's bytes. Its form with double quotes is not needed, since JSON always contains double quotes. */
const pythonBytes = (body: string): string => `b'${[...Buffer.from(body)].map(pythonByte).join('')}'`;

function pythonByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'" || character === '\\') return `\\${character}`;
  const isPrintable = byte >= 32 && byte <= 126;
  return isPrintable ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}

const BODIES: readonly Reading<BodyReading>[] = [
  right((body) => body),
  ...JSON_WRITERS.map(({ name, write }) =>
    raw(`parses the body and serializes the JSON again (${name})`, (body) => write(JSON.parse(body))),
  ),
  raw('signs an empty body: the framework had read the stream before', () => ''),
  raw('appends a line feed to the body', (body) => `${body}\n`),
  raw('appends CR LF to the body', (body) => `${body}\r\n`),
  raw('trims the body', (body) => body.trim()),
  raw('decodes the UTF-8 body as Latin-1', (body) => Buffer.from(body).toString('latin1')),
  raw('decodes the UTF-8 body as ASCII', (body) => Buffer.from(body).toString('ascii')),
  raw('decodes the UTF-8 body as US-ASCII: each other byte becomes U+FFFD', (body) =>
    Buffer.from(body)
      .toString('latin1')
      .replace(/[^\0-\x7f]/g, '\ufffd'),
  ),
  raw('decodes and encodes the body as US-ASCII: each other byte becomes ?', (body) =>
    Buffer.from(body)
      .toString('latin1')
      .replace(/[^\0-\x7f]/g, '?'),
  ),
  raw('replaces each non-ASCII character of the body with ?', (body) => body.replace(/[^\0-\x7f]/gu, '?')),
  raw('takes the body as UTF-16', (body) => Buffer.from(body, 'utf16le')),
  raw('sets a byte order mark before the body', (body) => `\ufeff${body}`),
  raw('normalises the Unicode of the body (NFC)', (body) => body.normalize('NFC')),
  raw('turns the parsed body into "[object Object]"', () => '[object Object]'),
  raw('signs "undefined" instead of the body: the framework keeps no raw body', () => 'undefined'),
  raw('signs "None" instead of the body: the framework keeps no raw body', () => 'None'),
  raw('encodes the body a second time, as a JSON string', (body) => JSON.stringify(body)),
  raw('encodes the body as base64', (body) => Buffer.from(body).toString('base64')),
  raw("formats Python's bytes as text (b'…')", pythonBytes),
];

const joined = (...parts: readonly SignedBytes[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const MESSAGES: readonly Reading<MessageReading>[] = [
  right(({ timestamp }, body) => joined(`${timestamp}.`, body)),
  message('takes the timestamp in milliseconds', ({ timestamp }, body) => joined(`${timestamp}000.`, body)),
  message('leaves out the timestamp', (_, body) => body),
  message('leaves out the dot', ({ timestamp }, body) => joined(`${timestamp}`, body)),
  message('sets a colon instead of the dot', ({ timestamp }, body) => joined(`${timestamp}:`, body)),
  message('sets the body before the timestamp', ({ timestamp }, body) => joined(body, `.${timestamp}`)),
  message('signs the event id too, as in Standard Webhooks', ({ eventId, timestamp }, body) =>
    joined(`${eventId}.${timestamp}.`, body),
  ),
  message('signs the version too, as in Slack', ({ timestamp }, body) => joined(`v1:${timestamp}:`, body)),
  message('writes the timestamp as a date', ({ timestamp }, body) =>
    joined(`${formatInstant(timestamp * 1_000)}.`, body),
  ),
];

const bare = (secret: string): string => secret.replace(/^whsec_/, '');

const KEYS: readonly Reading<KeyReading>[] = [
  right((secret) => secret),
  key('leaves out whsec_ from the secret', bare),
  key('decodes the secret after whsec_ from base64, as in Standard Webhooks', (secret) =>
    Buffer.from(bare(secret), 'base64'),
  ),
  key('decodes the whole secret from base64', (secret) => Buffer.from(secret, 'base64')),
  key('has a line feed behind the secret', (secret) => `${secret}\n`),
  key('has CR LF behind the secret', (secret) => `${secret}\r\n`),
  key('has a space behind the secret', (secret) => `${secret} `),
  key('has a space before the secret', (secret) => ` ${secret}`),
  key('has the secret in double quotes', (secret) => `"${secret}"`),
  key('has the secret in single quotes', (secret) => `'${secret}'`),
  key('has an empty secret: the setting was not read', () => ''),
  key('has "undefined" as the secret: the setting was not read', () => 'undefined'),
  key('has "None" as the secret: the setting was not read', () => 'None'),
  key('has "null" as the secret: the setting was not read', () => 'null'),
];

const hmac = (algorithm: string, secret: SignedBytes, text: SignedBytes) => createHmac(algorithm, secret).update(text);

const bytewise = (bytes: Buffer, write: (byte: number) => string): string => [...bytes].map(write).join('');

const DIGESTS: readonly Reading<DigestReading>[] = [
  right((secret, text) => hmac('sha256', secret, text).digest('hex')),
  digest('writes the signature as base64', (secret, text) => hmac('sha256', secret, text).digest('base64')),
  digest('writes the signature as base64url', (secret, text) => hmac('sha256', secret, text).digest('base64url')),
  digest('writes the signature in upper case', (secret, text) =>
    hmac('sha256', secret, text).digest('hex').toUpperCase(),
  ),
  digest('leaves out leading zeros of the hexadecimal (new BigInteger(1, bytes).toString(16))', (secret, text) =>
    hmac('sha256', secret, text).digest('hex').replace(/^0+/, ''),
  ),
  digest('reads the digest as a signed number (new BigInteger(bytes).toString(16))', (secret, text) =>
    BigInt.asIntN(256, BigInt(`0x${hmac('sha256', secret, text).digest('hex')}`)).toString(16),
  ),
  digest('writes each byte without its leading zero (Integer.toHexString(b & 0xff))', (secret, text) =>
    bytewise(hmac('sha256', secret, text).digest(), (byte) => byte.toString(16)),
  ),
  digest('writes bytes as signed numbers (Integer.toHexString(b))', (secret, text) =>
    bytewise(hmac('sha256', secret, text).digest(), (byte) => (byte < 128 ? byte : byte + 0xffffff00).toString(16)),
  ),
  digest('computes SHA-1', (secret, text) => hmac('sha1', secret, text).digest('hex')),
  digest('computes SHA-512', (secret, text) => hmac('sha512', secret, text).digest('hex')),
  digest('hashes secret and text without HMAC', (secret, text) =>
    createHash('sha256').update(joined(secret, text)).digest('hex'),
  ),
  digest('hashes the text without the secret', (_, text) => createHash('sha256').update(text).digest('hex')),
  digest('swaps key and text', (secret, text) => hmac('sha256', text, secret).digest('hex')),
];

/** Schemes of other services, which differ from this one in several ways at once. */
const SCHEMES: readonly { readonly mistake: SignatureMistake; readonly of: (input: SignatureInput) => string }[] = [
  {
    mistake: {
      says: 'signs as Standard Webhooks and Svix do: the event id, the timestamp and the body, with the secret after whsec_ decoded from base64, written as base64',
      fix: `Use a verifier of Stripe's scheme instead of one of Standard Webhooks or Svix. ${MESSAGE_FIX} ${KEY_FIX} ${DIGEST_FIX}`,
    },
    of: ({ eventId, timestamp, body, secret }) =>
      hmac('sha256', Buffer.from(bare(secret), 'base64'), `${eventId}.${timestamp}.${body}`).digest('base64'),
  },
];

/** A signature without `v1=`, and the mistakes that lead to it; no mistakes if it is right. */
interface ComputedSignature {
  readonly signature: string;
  readonly mistakes: readonly SignatureMistake[];
}

/** The search covers up to this many simultaneous mistakes. */
const MOST_MISTAKES = 2;

/** Every signature with at most `most` mistakes, the fewest first. */
export function* wrongSignatures(input: SignatureInput, most = MOST_MISTAKES): Generator<ComputedSignature> {
  for (const { mistake, of } of most > 0 ? SCHEMES : []) yield { signature: of(input), mistakes: [mistake] };
  const bodies = BODIES.map(({ mistake, of }) => ({ mistake, bytes: Buffer.from(of(input.body) as string) }));
  for (let count = 0; count <= most; count++)
    for (const body of bodies)
      for (const text of MESSAGES)
        for (const secret of KEYS) {
          const before = mistakesOf(body, text, secret);
          // The digest adds one at most.
          if (before.length !== count && before.length !== count - 1) continue;
          for (const written of DIGESTS) {
            const mistakes = [...before, ...mistakesOf(written)];
            if (mistakes.length !== count) continue;
            yield { signature: written.of(secret.of(input.secret), text.of(input, body.bytes)), mistakes };
          }
        }
}

const mistakesOf = (...readings: readonly { readonly mistake: SignatureMistake | null }[]): SignatureMistake[] =>
  readings.flatMap(({ mistake }) => (mistake === null ? [] : [mistake]));

/** A secret that the receiver may have used, with a name that a person recognises. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: string;
}

interface ExplainedSignature {
  readonly mistakes: readonly SignatureMistake[];
  readonly secretName: string;
}

/**
 * The mistakes that give this signature, with or without `v1=`; null if there are no known ones. The first secret is
 * the expected one.
 */
export function explainSignature(
  got: string,
  input: Omit<SignatureInput, 'secret'>,
  secrets: readonly NamedSecret[],
): ExplainedSignature | null {
  // A signature of Standard Webhooks is `v1,` followed by base64.
  const wanted = got.trim().replace(/^(?:v\d[=,]|sha256=)/, '');
  for (const { name, secret } of secrets)
    for (const { signature, mistakes } of wrongSignatures({ ...input, secret }))
      if (signature === wanted) return { mistakes, secretName: name };
  return null;
}

/** A wrong signature names the mistake that gives it. [spec 5] */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { explainSignature } from '../../../../src/service/domain/deliveries/mistakes.ts';
import { likelyCauses } from '../../../../src/service/domain/deliveries/refusal-causes.ts';
import { signatureOf } from '../../../../src/service/domain/deliveries/signature.ts';

const SECRET = 'whsec_abcDEF0123456789';
const TIMESTAMP = 1_791_180_000;
const EVENT = {
  id: '275f012f-274f-4017-bb98-453caedc7ce0',
  title: 'Caída: Íñigo <Æsir> in "Dock" 3/4 & more+',
  zone: null,
};
const BODY = JSON.stringify(EVENT);
const INPUT = { eventId: EVENT.id, timestamp: TIMESTAMP, body: BODY };
const SECRETS = [
  { name: 'the secret', secret: SECRET },
  { name: 'the secret of another', secret: 'whsec_other' },
];

const hex = (text: string | Buffer, key: string | Buffer = SECRET, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(text).digest('hex');
const found = (got: string) => {
  const explained = explainSignature(got, INPUT, SECRETS);
  return explained === null ? null : [...explained.mistakes.map(({ says }) => says), explained.secretName];
};

describe('a signature', () => {
  test.each([
    ['as a Svix library writes it', (signature: string) => `v1,${signature}`],
    ['without its version', (signature: string) => signature],
  ])('of Standard Webhooks is recognized, %s', (_what, written) => {
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${EVENT.id}.${TIMESTAMP}.${BODY}`).digest('base64');
    expect(found(written(signature))).toEqual([expect.stringContaining('Standard Webhooks and Svix'), 'the secret']);
  });

  /** A body whose digest begins with a zero. */
  const digests = Array.from({ length: 400 }, (_, n) => hex(`${TIMESTAMP}.{"n":${n}}`));
  const body = `{"n":${digests.findIndex((one) => one.startsWith('0'))}}`;

  test.each<[string, (bytes: Buffer) => string, RegExp]>([
    [
      'new BigInteger(1, mac).toString(16)',
      (bytes) => BigInt(`0x${bytes.toString('hex')}`).toString(16),
      /leading zeros/,
    ],
    [
      'Integer.toHexString(b & 0xff)',
      (bytes) => [...bytes].map((b) => b.toString(16)).join(''),
      /each byte without its leading zero/,
    ],
    [
      'Integer.toHexString(b)',
      (bytes) => [...new Int8Array(bytes)].map((b) => (b >>> 0).toString(16)).join(''),
      /signed numbers/,
    ],
  ])('of Java is recognized that was written by %s', (_what, write, says) => {
    const got = write(createHmac('sha256', SECRET).update(`${TIMESTAMP}.${body}`).digest());
    const explained = explainSignature(got, { ...INPUT, body }, SECRETS);
    expect(explained?.mistakes.map((one) => one.says)).toEqual([expect.stringMatching(says)]);
  });

  test('of Java is recognized that was written by new BigInteger(mac).toString(16), where the first bit makes it negative', () => {
    const negative = `{"n":${digests.findIndex((one) => one > '8')}}`;
    const digest = hex(`${TIMESTAMP}.${negative}`);
    const got = `-${((1n << 256n) - BigInt(`0x${digest}`)).toString(16)}`;
    const explained = explainSignature(got, { ...INPUT, body: negative }, SECRETS);
    expect(explained?.mistakes.map((one) => one.says)).toEqual([expect.stringMatching(/signed number /)]);
  });

  const byteByByte = (text: string, other: string): string =>
    [...Buffer.from(text)].map((byte) => (byte < 128 ? String.fromCharCode(byte) : other)).join('');

  test.each<[string, (text: string) => string]>([
    ['new String(bytes, US_ASCII)', (text) => byteByByte(text, '\ufffd')],
    ['new String(bytes, US_ASCII).getBytes(US_ASCII)', (text) => byteByByte(text, '?')],
    ['body.getBytes(US_ASCII)', (text) => [...text].map((one) => (one < '\x80' ? one : '?')).join('')],
  ])('over a body that Java read by %s is recognized', (_what, read) => {
    expect(found(hex(`${TIMESTAMP}.${read(BODY)}`))).toEqual([expect.stringMatching(/ASCII/), 'the secret']);
  });

  test.each(['undefined', 'None'])('over the word %s says that the framework keeps no raw body', (word) => {
    expect(found(hex(`${TIMESTAMP}.${word}`))).toEqual([expect.stringContaining('keeps no raw body'), 'the secret']);
  });

  test('a right signature has no mistake, with v1= and without', () => {
    const right = signatureOf(SECRET, TIMESTAMP, BODY);
    expect([found(right), found(right.slice(3)), found(` ${right}\n`)]).toEqual(Array(3).fill(['the secret']));
  });

  // Each written as its library writes it, by hand.
  test.each([
    [
      `{"id": "${EVENT.id}", "title": "Ca\\u00edda: \\u00cd\\u00f1igo <\\u00c6sir> in \\"Dock\\" 3/4 & more+", "zone": null}`,
      "Python's json.dumps",
    ],
    [
      `{"id": "${EVENT.id}", "title": "Caída: Íñigo <Æsir> in \\"Dock\\" 3/4 & more+", "zone": null}`,
      "Python's json.dumps, ensure_ascii=False",
    ],
    [
      `{"id":"${EVENT.id}","title":"Ca\\u00edda: \\u00cd\\u00f1igo <\\u00c6sir> in \\"Dock\\" 3\\/4 & more+","zone":null}`,
      "PHP's json_encode",
    ],
    [
      `{"id":"${EVENT.id}","title":"Caída: Íñigo \\u003cÆsir\\u003e in \\"Dock\\" 3/4 \\u0026 more+","zone":null}`,
      "Go's json.Marshal of a struct",
    ],
    [
      `{"id":"${EVENT.id}","title":"Ca\\u00EDda: \\u00CD\\u00F1igo \\u003C\\u00C6sir\\u003E in \\u0022Dock\\u0022 3/4 \\u0026 more\\u002B","zone":null}`,
      'System.Text.Json of .NET',
    ],
    [JSON.stringify(EVENT, null, 1), 'indented by 1'],
    [JSON.stringify(EVENT, null, 2), 'indented by 2'],
  ])('over %s names the library', (text, library) => {
    expect(found(hex(`${TIMESTAMP}.${text}`))).toEqual([
      `parses the body and serializes the JSON again (${library})`,
      'the secret',
    ]);
  });

  test.each<[string, string]>([
    ['takes the timestamp in milliseconds', hex(`${TIMESTAMP}000.${BODY}`)],
    ['leaves out the timestamp', hex(BODY)],
    ['leaves out the dot', hex(`${TIMESTAMP}${BODY}`)],
    ['signs the event id too, as in Standard Webhooks', hex(`${EVENT.id}.${TIMESTAMP}.${BODY}`)],
    ['appends a line feed to the body', hex(`${TIMESTAMP}.${BODY}\n`)],
    ['decodes the UTF-8 body as Latin-1', hex(`${TIMESTAMP}.${Buffer.from(BODY).toString('latin1')}`)],
    ['signs an empty body: the framework had read the stream before', hex(`${TIMESTAMP}.`)],
    ['turns the parsed body into "[object Object]"', hex(`${TIMESTAMP}.${EVENT}`)],
    ['leaves out whsec_ from the secret', hex(`${TIMESTAMP}.${BODY}`, SECRET.slice(6))],
    [
      'decodes the secret after whsec_ from base64, as in Standard Webhooks',
      hex(`${TIMESTAMP}.${BODY}`, Buffer.from(SECRET.slice(6), 'base64')),
    ],
    ['has a line feed behind the secret', hex(`${TIMESTAMP}.${BODY}`, `${SECRET}\n`)],
    ['writes the signature as base64', Buffer.from(hex(`${TIMESTAMP}.${BODY}`), 'hex').toString('base64')],
    ['writes the signature in upper case', hex(`${TIMESTAMP}.${BODY}`).toUpperCase()],
    ['computes SHA-1', hex(`${TIMESTAMP}.${BODY}`, SECRET, 'sha1')],
  ])('of a receiver that %s is known', (says, got) => {
    expect(found(got)).toEqual([says, 'the secret']);
  });

  test('with two mistakes names both', () => {
    expect(found(hex(`${BODY}\n`, SECRET.slice(6)))).toBeNull();
    expect(found(hex(BODY, SECRET.slice(6)))).toEqual([
      'leaves out the timestamp',
      'leaves out whsec_ from the secret',
      'the secret',
    ]);
  });

  test('with the secret of another destination is known by it', () => {
    expect(found(hex(`${TIMESTAMP}.${BODY}`, 'whsec_other'))).toEqual(['the secret of another']);
  });

  test('a signature that no known mistake gives is not explained', () => {
    expect([found('abc'), found(''), found('0'.repeat(64))]).toEqual([null, null, null]);
  });
});

describe('an answer', () => {
  const causes = (status: number | null, answer: string, error: string | null = 'refused') =>
    likelyCauses({ status, answer, error, body: JSON.stringify({ data: { alert: { zone: null, worker: {} } } }) }).map(
      ({ says }) => says,
    );

  test.each<[number | null, string, string]>([
    [401, 'Timestamp outside the tolerance zone', 'It considers the timestamp too old or too new'],
    [400, 'No signatures found matching the expected signature for payload', 'It computes another signature'],
    [401, '', 'A proxy before the receiver requires credentials'],
    [403, 'CSRF verification failed. Request aborted.', 'The CSRF protection'],
    [419, 'Page Expired', 'The CSRF protection'],
    [413, '', 'It does not accept a body of 44 bytes'],
    [500, 'TypeError', 'It threw an exception. Null in this event: zone.'],
    [302, '', 'The address redirects'],
  ])('%s %j has a likely cause', (status, answer, says) => {
    expect(causes(status, answer).join(' ')).toContain(says);
  });

  test('a missing answer is explained by the error', () => {
    expect(causes(null, '', 'No answer within 5 s.')).toEqual(['It processes the event before it answers.']);
    expect(causes(null, '', 'The connection was refused: nothing listens there.')).toHaveLength(1);
  });

  test('a 2xx answer needs no explanation', () => {
    expect(causes(204, '', null)).toEqual([]);
  });
});

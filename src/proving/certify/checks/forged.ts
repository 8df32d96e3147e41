/**
 * Checks that the receiver refuses what the service never sends (wrong signatures, missing headers, garbage), and does not confuse it with
 * genuine deliveries. [spec 5]
 */
import { signatureOf } from '../../../service/domain/deliveries/signature.ts';
import type { ReceiverCheck } from '../check.ts';
import type { DeliveryTwist } from '../deliveries.ts';
import { accepts, refuses, type StatusRow } from './row.ts';

const group = 'forged';

/** A row whose deliveries are new SOS alerts with these modifications. */
const twisted = (
  row: Omit<StatusRow, 'group' | 'sends'>,
  ...twists: (readonly [what: string, twist: DeliveryTwist])[]
) =>
  ({
    ...row,
    group,
    sends: twists.map(
      ([what, twist]) =>
        (make: Parameters<StatusRow['sends'][number]>[0]) =>
          make.sos(what, twist),
    ),
  }) as const satisfies StatusRow;

/** Changes the last digit: the length is the same, the value differs. */
const altered = (hex: string): string => hex.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

export const FORGED_CHECKS: readonly ReceiverCheck[] = [
  refuses({
    number: 16,
    group,
    title: 'Another secret is refused',
    clause: '5',
    fix: 'Compare the signature with your own computation, and answer 401 if they differ. A receiver that does not verify accepts alerts from anyone.',
    sends: [
      (make) => make.sos('a delivery signed with a secret that you do not have', { secrets: [make.otherSecret()] }),
    ],
  }),
  refuses(
    twisted(
      {
        number: 17,
        title: 'An altered body is refused',
        clause: '5',
        requires: [16],
        fix: 'Sign all bytes of the body, not a part of it or its event id alone.',
      },
      [
        'severity changed from critical to low after signing',
        { body: (signed) => signed.replace('"critical"', '"low"') },
      ],
      ['one space added behind the body after signing', { body: (signed) => `${signed} ` }],
    ),
  ),
  refuses(
    twisted(
      {
        number: 18,
        title: 'A missing signature is refused',
        clause: '4 headers, 5',
        requires: [16],
        fix: 'Answer 401 if X-Service-Signature is absent or empty.',
      },
      ['no X-Service-Signature', { signature: () => null }],
      ['an empty X-Service-Signature', { signature: () => '' }],
      ['v1= with nothing behind it', { signature: () => 'v1=' }],
    ),
  ),
  refuses(
    twisted(
      {
        number: 19,
        title: 'A missing timestamp is refused',
        clause: '4 headers, 5',
        fix: 'Answer 401 if X-Service-Timestamp is absent, empty, or not a whole number. Otherwise, a recorded delivery could be sent again at any later time.',
      },
      ['no X-Service-Timestamp', { timestampHeader: null }],
      ['an empty X-Service-Timestamp', { timestampHeader: '' }],
      ['a timestamp that is no number', { timestampHeader: 'yesterday' }],
    ),
  ),
  refuses({
    number: 20,
    group,
    title: 'A timestamp other than the signed one is refused',
    clause: '5',
    requires: [16],
    fix: 'The timestamp is part of what is signed: "<timestamp>.<raw body>". Signing the body alone lets anybody renew an old delivery.',
    sends: [
      (make) => {
        const old = make.sos('');
        const timestamp = Number(old.headers['X-Service-Timestamp']);
        return make.raw('an old signature under a new timestamp', old.eventId, old.body, {
          timestamp,
          signature: () => signatureOf(make.secret, timestamp - 3_600, old.body),
        });
      },
    ],
  }),
  refuses(
    twisted(
      {
        number: 21,
        title: 'A signature that is a little off is refused',
        clause: '5',
        requires: [16],
        fix: 'Compare all 64 characters, in constant time.',
      },
      ['the last digit changed', { signature: altered }],
      ['the last digit cut off', { signature: (right) => right.slice(0, -1) }],
      ['one digit appended', { signature: (right) => `${right}0` }],
    ),
  ),
  refuses(
    twisted(
      {
        number: 22,
        title: 'Another scheme than v1 is refused',
        clause: '5',
        requires: [16],
        fix: 'Use only the text after v1=, and ignore unknown schemes.',
      },
      ['the right value as v2=', { signature: (right) => right.replace('v1=', 'v2=') }],
      ['the right value without v1=', { signature: (right) => right.replace('v1=', '') }],
      ['v1= of the unkeyed SHA-256 length, all zeros', { signature: () => `v1=${'0'.repeat(64)}` }],
    ),
  ),
  refuses(
    twisted(
      {
        number: 23,
        title: 'Upper-case hexadecimal is refused',
        clause: '5 lowercase hexadecimal',
        requires: [16],
        fix: 'The service writes lowercase hex. Compare the text without decoding it or changing its case.',
      },
      ['the right signature in upper case', { signature: (right) => right.toUpperCase().replace('V1=', 'v1=') }],
    ),
  ),
  refuses(
    twisted(
      {
        number: 24,
        title: 'Garbage in the headers is refused, and nothing breaks',
        clause: '5',
        requires: [16],
        fix: 'Check the form before you compare: comparing texts of different lengths throws in some languages.',
      },
      ['v1= and a word', { signature: () => 'v1=signature' }],
      ['commas alone', { signature: () => ',,,' }],
      [
        '200 signatures',
        {
          signature: () =>
            Array(200)
              .fill(`v1=${'a'.repeat(64)}`)
              .join(','),
        },
      ],
      ['a timestamp of 40 digits', { timestampHeader: '9'.repeat(40) }],
      ['a negative timestamp', { timestampHeader: '-1' }],
    ),
  ),
  refuses({
    number: 25,
    group,
    title: 'A body that is not JSON is refused unless it is signed',
    clause: '4, 5',
    requires: [16],
    fix: 'Verify before you parse, and answer 401 to what cannot be verified.',
    sends: [
      (make) => make.raw('an empty body with the signature of another', 'none', '{}', { body: () => '' }),
      (make) =>
        make.raw('text that is not JSON, signed with another secret', 'none', 'not json', {
          secrets: [make.otherSecret()],
        }),
    ],
  }),
];

export const ROTATION_CHECKS: readonly ReceiverCheck[] = [
  accepts({
    number: 26,
    group: 'rotation',
    title: 'Of two signatures, the second may be the valid one',
    clause: '5, Rotate',
    fix: 'Split X-Service-Signature at commas and accept the delivery if any of them matches. For 24 h after a rotation, the signature of the newest secret is the first, and that of the previous secret is the second.',
    sends: [
      (make) =>
        make.sos('v1=<of a secret that you do not have yet>,v1=<of yours>', {
          secrets: [make.otherSecret(), make.secret],
        }),
    ],
  }),
  accepts({
    number: 27,
    group: 'rotation',
    title: 'Of two signatures, the first may be the valid one',
    clause: '5, Rotate',
    fix: 'Split X-Service-Signature at commas. After a rotation, the old secret also signs for 24 h.',
    sends: [
      (make) =>
        make.sos('v1=<of yours>,v1=<of a secret that you have no more>', {
          secrets: [make.secret, make.otherSecret()],
        }),
    ],
  }),
  refuses({
    number: 28,
    group: 'rotation',
    title: 'Two signatures that both do not fit are refused',
    clause: 'Rotate',
    requires: [16],
    fix: 'A second rotation retires the first secret. Accept only signatures of the secrets that you have.',
    sends: [
      (make) =>
        make.sos('two signatures of two secrets that you do not have', {
          secrets: [make.otherSecret(), make.otherSecret()],
        }),
    ],
  }),
];

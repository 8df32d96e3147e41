/** What an answer comes to: every status, and every way in which there is none. [spec 4 Receiver, 6.4, decisions 7] */
import { describe, expect, test } from 'vitest';
import { judge, TOO_LATE } from '../../../src/service/webhooks/outcome.ts';
import type { BodyEnd } from '../../../src/service/webhooks/post.ts';

const answered = (status: number, bodyEnd: BodyEnd = 'whole') =>
  judge({ kind: 'answered', status, body: '', bodyEnd, headers: {}, headersMs: 1 });
const unanswered = (code?: string) =>
  judge({ kind: 'unanswered', error: Object.assign(new Error('x'), code === undefined ? {} : { code }) });

test('200 to 299 counts as delivered, and nothing else', () => {
  const delivered = Array.from({ length: 500 }, (_, n) => 100 + n).filter((status) => answered(status).delivered);
  expect(delivered).toEqual(Array.from({ length: 100 }, (_, n) => 200 + n));
  expect(answered(204)).toEqual({ delivered: true, status: 204, error: null, note: null });
});

test.each([
  ['open', 'The body of the answer had not ended after 5 s.'],
  ['broken', 'The connection broke off in the body of the answer.'],
  ['long', 'The body of the answer is longer than 64 KiB; the rest was not read.'],
] as const)('a 2xx whose body is %s counts, with a note', (bodyEnd, note) => {
  expect(answered(200, bodyEnd)).toEqual({ delivered: true, status: 200, error: null, note });
});

test.each([
  [199, 'only 2xx counts as delivered'],
  [300, 'redirections are not followed'],
  [101, 'only 2xx counts as delivered'],
  [303, 'redirections are not followed'],
  [304, 'only 2xx counts as delivered'],
  [308, 'redirections are not followed'],
  [399, 'only 2xx counts as delivered'],
  [400, 'only 2xx counts as delivered'],
  [503, 'only 2xx counts as delivered'],
])('%i is reported with its status: %s', (status, why) => {
  expect(answered(status)).toEqual({
    delivered: false,
    status,
    error: `The receiver answered ${status}; ${why}.`,
    note: null,
  });
});

describe('the sentence for an attempt without an answer says why', () => {
  const NO_WAY = 'There is no way to the receiver.';
  const NO_NAME = 'The name does not resolve.';
  const HEADER = 'A header of the answer is not valid HTTP.';
  const CLOSED = 'The receiver closed the connection without an answer.';
  test.each([
    ['ECONNREFUSED', 'The connection was refused: nothing listens there.'],
    ['ENOTFOUND', NO_NAME],
    ['EAI_AGAIN', NO_NAME],
    ['EHOSTUNREACH', NO_WAY],
    ['ENETUNREACH', NO_WAY],
    ['ETIMEDOUT', NO_WAY],
    ['HPE_HEADER_OVERFLOW', 'The headers of the answer are larger than 64 KiB.'],
    ['HPE_INVALID_HEADER_TOKEN', HEADER],
    ['HPE_INVALID_CONTENT_LENGTH', HEADER],
    ['HPE_INVALID_TRANSFER_ENCODING', HEADER],
    ['HPE_LF_EXPECTED', HEADER],
    ['HPE_INVALID_CONSTANT', 'The answer is not HTTP.'],
    ['EPROTO', 'TLS failed: EPROTO.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS failed: ERR_TLS_CERT_ALTNAME_INVALID.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS failed: ERR_SSL_WRONG_VERSION_NUMBER.'],
    ['CERT_HAS_EXPIRED', 'TLS failed: CERT_HAS_EXPIRED.'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS failed: DEPTH_ZERO_SELF_SIGNED_CERT.'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS failed: SELF_SIGNED_CERT_IN_CHAIN.'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE.'],
    // What merely looks like one of those above.
    ['XHPE_INVALID', CLOSED],
    ['XCERT_HAS_EXPIRED', CLOSED],
    ['CERTAIN', CLOSED],
    ['ECONNRESET', CLOSED],
    ['EPIPE', CLOSED],
    [undefined, CLOSED],
  ])('%s', (code, error) => {
    expect(unanswered(code)).toEqual({ delivered: false, status: null, error, note: null });
  });

  test('nor one in time', () => {
    expect(TOO_LATE).toEqual({ delivered: false, status: null, error: 'No answer within 5 s.', note: null });
  });
});

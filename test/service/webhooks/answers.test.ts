/** What counts as delivered, and what each kind of failure is called. [spec 4 Receiver contract, 6.4, decisions 7] */

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CLI } from '../../../src/base/text/command-form.ts';
import { later } from '../../../src/base/time/timers.ts';
import { AttemptLines } from '../../../src/cli/deliveries/listen-lines.ts';
import type { AttemptNotice } from '../../../src/contract/notices.ts';
import { DeliveryMaker } from '../../../src/proving/certify/deliveries.ts';
import { isAccepted, sendTo } from '../../../src/proving/certify/send.ts';
import { likelyCausesOf } from '../../../src/service/domain/deliveries/explained.ts';
import { attemptView } from '../../../src/service/engine/log-rows.ts';
import type { AttemptRecord } from '../../../src/service/engine/store-port.ts';
import { MAX_ANSWER_BYTES } from '../../../src/service/webhooks/post.ts';
import { findRoute } from '../../../src/service/webhooks/route.ts';
import { isUnverified } from '../../../src/service/webhooks/send.ts';
import { Sockets } from '../../../src/service/webhooks/sockets.ts';
import { RESULT_TEXT } from '../../../src/watching/state/deliveries.ts';
import { type Behaviour, drip, hugeBody, ok, Receiver, raw, reset, status } from './receiver.ts';
import { lockstep, SmallWorld } from './small-world.ts';
import { startTlsServer } from './tls.ts';

interface Tried {
  readonly attempt: AttemptNotice;
  readonly record: AttemptRecord;
  readonly receiver: Receiver;
}

/** One SOS to one receiver, and how its first attempt went. */
async function tryOnce(behaviour: Behaviour, target?: URL): Promise<Tried> {
  const receiver = await Receiver.start(behaviour);
  const small = await SmallWorld.start();
  onTestFinished(async () => {
    await small.stop();
    await receiver.close();
  });
  await small.destination(target ?? receiver.url);
  await small.sos();
  await small.attempted(1);
  const [record] = await small.store.attempts({ limit: 1 });
  return { attempt: small.attempts[0] as AttemptNotice, record: record as AttemptRecord, receiver };
}

describe('an answer counts as delivered', () => {
  test.each([200, 201, 202, 204, 226, 299])('with status %i', async (code) => {
    const { attempt, record } = await tryOnce(status(code));
    expect(attempt).toMatchObject({ result: 'delivered', status: code, error: null });
    expect(record).toMatchObject({ outcome: 'delivered', status: code });
  });

  test('a 200 whose body breaks off counts as delivered', async () => {
    const { attempt, record } = await tryOnce(raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    expect(attempt).toMatchObject({ result: 'delivered', status: 200 });
    expect(record.responseBody).toBe('half');
  });

  test('after any number of 1xx', async () => {
    const text = `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`;
    expect((await tryOnce(raw(text))).attempt).toMatchObject({ result: 'delivered', status: 204 });
  });

  test('a 200 with a huge body counts as delivered: 64 KiB are read, and the connection is dropped', async () => {
    const receiver = await Receiver.start(hugeBody(50_000_000));
    const small = await SmallWorld.start();
    await small.destination(receiver.url);
    await small.sos();
    await small.attempted(1);
    receiver.behave = () => ok;
    await small.call();
    await small.attempted(2);
    const [second, first] = await small.store.attempts({ limit: 2 });
    expect(first).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(first?.responseBody).toHaveLength(MAX_ANSWER_BYTES);
    expect(second).toMatchObject({ outcome: 'delivered', responseBody: 'answer 200' });
    expect(receiver.connections).toBe(2);
    await small.stop();
    await receiver.close();
  });

  test('a 200 with long headers, up to 64 KiB, counts as delivered', async () => {
    const headers = { 'x-long': 'x'.repeat(60_000) };
    expect((await tryOnce(status(200, headers))).attempt).toMatchObject({ result: 'delivered' });
  });
});

describe('an answer is a failure', () => {
  test('the log keeps the first 32 headers of an answer, and 200 characters of each', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${n}`, 'v'.repeat(300)]));
    const { record } = await tryOnce(status(200, { ['y'.repeat(300)]: 'w', ...many }));
    const kept = Object.entries(record.responseHeaders ?? {});
    expect(kept).toHaveLength(32);
    expect(kept.map(([name, value]) => Math.max(name.length, value.length))).toEqual(kept.map(() => 200));
  });

  test.each([400, 401, 404, 410, 429, 500, 503])('with status %i', async (code) => {
    const { attempt, record } = await tryOnce(status(code));
    const error = `The receiver answered ${code}; only 2xx counts as delivered.`;
    expect(attempt).toMatchObject({ result: 'waiting', status: code, error });
    expect(record).toMatchObject({ outcome: 'failed', status: code, error, responseBody: `answer ${code}` });
  });

  test.each([
    ['101 with Upgrade', 101, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['101 without Upgrade', 101, 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['304', 304, 'HTTP/1.1 304 Not Modified\r\n\r\n'],
  ])('with %s, which is named as it is and not as a redirection or a closed connection', async (_what, code, text) => {
    const { attempt } = await tryOnce(raw(text));
    const error = `The receiver answered ${code}; only 2xx counts as delivered.`;
    expect(attempt).toMatchObject({ result: 'waiting', status: code, error });
  });

  test.each([301, 302, 303, 307, 308])('with redirection %i, which is not followed', async (code) => {
    const elsewhere = await Receiver.start();
    const { attempt } = await tryOnce(status(code, { location: elsewhere.url.href }));
    expect(attempt).toMatchObject({
      result: 'waiting',
      status: code,
      error: `The receiver answered ${code}; redirections are not followed.`,
    });
    expect(elsewhere.connections).toBe(0);
    await elsewhere.close();
  });

  const CLOSED = 'The receiver closed the connection without an answer.';
  test.each([
    ['a reset', reset, CLOSED],
    ['a close without a word', raw(''), CLOSED],
    ['1xx only', raw('HTTP/1.1 102 Processing\r\n\r\n'), CLOSED],
    [
      '200 with one bad header',
      raw('HTTP/1.1 200 OK\r\nx-good: 1\r\nx-bad : 2\r\ncontent-length: 0\r\n\r\n'),
      'A header of the answer is not valid HTTP.',
    ],
    ['half a status line', raw('HTTP/1.1 20'), CLOSED],
    ['garbage', raw('220 mail.example ESMTP\r\n'), 'The answer is not HTTP.'],
    [
      '100 kB of headers',
      status(200, { 'x-long': 'x'.repeat(100_000) }),
      'The headers of the answer are larger than 64 KiB.',
    ],
  ] as const)('an answer that is %s fails the attempt', async (_what, behaviour, error) => {
    const { attempt, receiver } = await tryOnce(behaviour);
    expect(attempt).toMatchObject({ result: 'waiting', status: null, error });
    expect(receiver.received).toHaveLength(1);
  });

  test('an attempt at a port on which nothing listens fails', async () => {
    const gone = await Receiver.start();
    const { url } = gone;
    await gone.close();
    const { attempt } = await tryOnce(ok, url);
    expect(attempt).toMatchObject({ status: null, error: 'The connection was refused: nothing listens there.' });
  });

  test('an untrusted certificate fails the attempt, whatever the environment says, and no request is sent', async () => {
    const server = await startTlsServer();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    // Node warns of it, once; the warning is for the user who did it.
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      warned.mockRestore();
      await server.close();
    });
    const { attempt } = await tryOnce(ok, new URL(`https://localhost:${server.port}`));
    const error = `TLS failed: DEPTH_ZERO_SELF_SIGNED_CERT. ${CLI} up --skip-verify accepts any certificate here.`;
    expect(attempt).toMatchObject({ result: 'waiting', error });
    expect(server.serverNames).toEqual(['localhost']);
    expect(server.requests).toBe(0);
  });

  test('an untrusted certificate of a forward is no failure if the certificates of forwards are not verified', async () => {
    const server = await startTlsServer();
    onTestFinished(() => server.close());
    const small = await SmallWorld.start({ skipVerify: true });
    onTestFinished(() => small.stop());
    await small.destination(new URL(`https://localhost:${server.port}`));
    await small.sos();
    await small.attempted(1);
    expect(small.attempts).toMatchObject([{ result: 'delivered', status: 200, error: null }]);
  });

  test('the certificate of a public receiver is verified, although those of forwards are not', async () => {
    const sockets = new Sockets();
    onTestFinished(() => sockets.close());
    const forwards = new Map([['forwarded.example', new URL('https://localhost:1')]]);
    for (const [url, rejectUnauthorized] of [
      ['https://forwarded.example/hook', false],
      ['https://203.0.114.7/hook', true],
    ] as const) {
      const route = await findRoute({ url }, forwards, () => Promise.resolve([]));
      const skipVerify = isUnverified(route, {}, { skipVerify: true });
      expect(sockets.for(new URL(url), { skipVerify })).toMatchObject({ options: { rejectUnauthorized } });
    }
  });

  test('an attempt by https at a receiver without TLS fails', async () => {
    const plain = await Receiver.start();
    const { attempt } = await tryOnce(ok, new URL(`https://127.0.0.1:${plain.port}`));
    expect(attempt).toMatchObject({
      result: 'waiting',
      error: expect.stringMatching(/^TLS failed: |^The receiver closed/),
    });
    await plain.close();
  });
});

test('a receiver that asks for patience is tried at its due time all the same', async () => {
  const receiver = await Receiver.start(status(503, { 'retry-after': '3600' }));
  const small = await SmallWorld.start({ clock: lockstep() });
  await small.destination(receiver.url);
  await small.sos();
  await small.clock.advance(10_000);
  expect(small.attempts.map(({ offset_ms }) => offset_ms)).toEqual([0, 10_000]);
  await small.stop();
  await receiver.close();
});

describe('one judgement of an answer', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';
  const brokenBody: Behaviour = ({ socket }) =>
    void socket.write(`${head}half`, () => later(50, () => void socket.resetAndDestroy()));

  // Delivered: what the sender and certify say of it; note: what is wrong with an answer that counts.
  test.each([
    ['200', ok, true, null],
    ['204', raw('HTTP/1.1 204 No Content\r\n\r\n'), true, null],
    ['a redirect', status(302, { location: 'http://127.0.0.1/' }), false, null],
    ['500', status(500), false, null],
    ['a reset before the answer', reset, false, null],
    ['a reset in the body', brokenBody, true, 'The connection broke off in the body of the answer.'],
    [
      'a body of 100 kB',
      hugeBody(100_000),
      true,
      'The body of the answer is longer than 64 KiB; the rest was not read.',
    ],
    [
      'a body that never ends',
      drip('HTTP/1.1 200 OK\r\n\r\n', 'x', 500),
      true,
      'The body of the answer had not ended after 5 s.',
    ],
    ['headers that never end', drip('HTTP/1.1 200 OK\r\n', 'x', 500), false, null],
    ['garbage', raw('220 mail.example ESMTP\r\n'), false, null],
  ])('%s', async (_what, behaviour, isDelivered, note) => {
    const { record, receiver } = await tryOnce(behaviour);
    expect([record.outcome === 'delivered', record.note]).toEqual([isDelivered, note]);
    // The row that `listen` and `explain-delivery` show.
    const row = attemptView(record);
    expect(row).toMatchObject({ result: isDelivered ? 'delivered' : 'failed', note });
    const line = new AttemptLines().of(row, null, false).join('\n');
    expect([line.includes(RESULT_TEXT.failed), note === null || line.includes(note)]).toEqual([!isDelivered, true]);
    if (isDelivered) expect(likelyCausesOf([row], receiver.received[0]?.body.toString() ?? '')).toEqual([]);
    const sockets = new Sockets();
    const delivery = new DeliveryMaker('whsec_x', {
      organizationId: 'o',
      siteId: 's',
      name: 'P',
      panelUrl: 'https://p.example',
      otherSite: { id: 'c2a95f0e-61d7-4b38-a4e2-0f7d8c1b6935', name: 'Quay' },
    }).sos('an SOS');
    const exchange = await sendTo({ target: receiver.url, sockets, skipVerify: false }, delivery, 5_000);
    expect([isAccepted(exchange), exchange.note]).toEqual([isDelivered, note]);
    // The same words of the same failure.
    expect(exchange.status === null ? exchange.error : null).toBe(exchange.status === null ? record.error : null);
    sockets.close();
  });
});

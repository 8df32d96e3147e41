/** A view that throws ends one request, or omits one object of a stream; the others are unaffected, and the request log has the error. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Notice } from '../../../src/contract/notices.ts';
import type { Alert } from '../../../src/service/domain/world/documents.ts';
import { ApiHarness, CONTROL } from './harness.ts';

let harness: ApiHarness;
let token: string;
let sound: string;
let broken: string;
const notices: Notice[] = [];

beforeEach(async () => {
  harness = await ApiHarness.start();
  notices.length = 0;
  harness.engine.listen({ notice: (notice) => notices.push(notice) });
  token = await harness.token();
  [sound, broken] = [await harness.sos(1), await harness.sos(2)];
  const alert = harness.engine.world.need('alert', broken);
  // As no version ever wrote it: its view has no site to name.
  harness.engine.world.load('alert', { ...alert, site: null } as unknown as Alert);
});

afterEach(() => harness.stop());

const failures = () =>
  notices.flatMap((notice) => (notice.kind === 'internal-error' ? [[notice.part, notice.what, notice.times]] : []));

test('a GET whose view throws is a 500 without a stack, and the next is answered', async () => {
  const { status, body } = await harness.call('GET', `/v1/alerts/${broken}`, { token });
  expect([status, body.code, body.detail]).toEqual([
    ...[500, 'internal_error', 'The sandbox has an internal error. The request log has the reason.'],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/TypeError|\.ts|src\//);
  expect(await harness.call('GET', `/v1/alerts/${sound}`, { token })).toMatchObject({ status: 200 });
  expect(failures()).toEqual([['request', 'GET /v1/alerts/:alert_id', 1]]);
});

test('an update whose event cannot be rendered is a 500 that changed nothing, and the log says why', async () => {
  const update = { status: 'acknowledged', actor: { name: 'Desk 2' } };
  const before = harness.engine.world.need('alert', broken);
  expect(await harness.call('PATCH', `/v1/alerts/${broken}`, { token, body: update })).toMatchObject({
    status: 500,
    body: { code: 'internal_error' },
  });
  expect(harness.engine.world.need('alert', broken)).toBe(before);
  expect(await harness.call('PATCH', `/v1/alerts/${sound}`, { token, body: update })).toMatchObject({
    status: 200,
    body: { status: 'acknowledged' },
  });
  expect(failures()).toEqual([['command', 'update-alert', 1]]);
  const { body } = await harness.call('GET', '/v1/sandbox/requests?limit=5', { token: CONTROL });
  const logged = body.data.find(
    ({ path, status }: { path: string; status: number }) => path.endsWith(broken) && status === 500,
  );
  expect(logged).toMatchObject({ code: 'internal_error', note: expect.stringMatching(/^update-alert: TypeError: /) });
});

test('a stream leaves out what cannot be shown, and shows the rest and what changes', async () => {
  const abort = new AbortController();
  const answer = await fetch(`${harness.url}/v1/sandbox/stream`, {
    headers: { authorization: `Bearer ${CONTROL}` },
    signal: abort.signal,
  });
  const pieces = (answer.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const next = async () => new TextDecoder().decode((await pieces.next()).value);
  let snapshot = '';
  while (!snapshot.endsWith('\n\n')) snapshot += await next();
  const { alerts } = JSON.parse(snapshot.split('\ndata: ')[1] as string);
  expect(alerts.map(({ id }: { id: string }) => id)).toEqual([sound]);
  const alert = harness.engine.world.need('alert', sound);
  await harness.call('PATCH', `/v1/alerts/${alert.id}`, {
    token,
    body: { status: 'acknowledged', actor: { name: 'Desk 2' } },
  });
  let changes = '';
  while (!changes.includes('"acknowledged"')) changes += await next();
  expect(failures()).toContainEqual(['stream', 'snapshot', 1]);
  abort.abort();
});

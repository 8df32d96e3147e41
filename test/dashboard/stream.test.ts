/** The client of the stream: events cut anywhere, broken connections, and resuming. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { SandboxAccess } from '../../src/dashboard/pass.ts';
import { ask, EventReader, type OpenStream, openStream, snapshotOf } from '../../src/dashboard/stream.ts';
import { QUIET } from './harbour.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('events from text', () => {
  const TEXT = `id: 1\nevent: snapshot\ndata: {"a": "b: c"}\n\n: ping\n\nid: 2\nevent: change\ndata: {}\n\n`;

  test('they are the same however the text is cut', () => {
    const whole = new EventReader().take(TEXT);
    expect(whole).toEqual([
      { id: '1', event: 'snapshot', data: '{"a": "b: c"}' },
      { id: '2', event: 'change', data: '{}' },
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 8 }), (cuts) => {
        const reader = new EventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
        const events = places.slice(1).flatMap((end, n) => reader.take(TEXT.slice(places[n], end)));
        expect(events).toEqual(whole);
      }),
    );
  });
});

/** A server whose answers the test chooses. */
async function sandbox(answers: ((response: ServerResponse) => void)[]) {
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    paths.push(request.url as string);
    answers[Math.min(headers.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { headers, paths, access: { apiUrl: `http://127.0.0.1:${port}`, controlToken: 'token', ca: null } };
}

const snapshot = `id: 7\nevent: snapshot\ndata: ${JSON.stringify(QUIET)}\n\n`;
const change = `id: 9\nevent: change\ndata: {"subject": "clock", "at": "2026-10-05T06:12:31.000Z"}\n\n`;

describe('a stream that breaks off', () => {
  test('is taken up again with the last id, and says in between that it broke', async () => {
    const { headers, access } = await sandbox([
      (response) => response.end(snapshot),
      (response) => response.write(change),
    ]);
    const seen: string[] = [];
    await new Promise<void>((done) => {
      const { close } = openStream(() => access, {
        snapshot: ({ clock }) => seen.push(clock.now),
        change: ({ subject }) => seen.push(subject),
        connection: ({ is }) => {
          seen.push(is);
          if (is === 'open' && seen.includes('broken')) done();
        },
      });
      closers.push(close);
    });
    expect(seen).toEqual(['opening', QUIET.clock.now, 'open', 'broken', 'clock', 'open']);
    expect(headers.map((headers) => headers['last-event-id'])).toEqual([undefined, '7']);
    expect(headers[0]?.authorization).toBe('Bearer token');
  });

  test('says why: nobody there, refused, or not found', async () => {
    const { access } = await sandbox([(response) => response.writeHead(401).end('{}')]);
    const why = (find: () => typeof access): Promise<string> =>
      new Promise((done) => {
        const { close } = openStream(find, {
          snapshot: () => {},
          change: () => {},
          connection: (connection) => {
            if (connection.is === 'broken') done(connection.why);
          },
        });
        closers.push(() => close());
      });
    expect(await why(() => access)).toBe(`The sandbox at ${access.apiUrl} answered 401.`);
    expect(await why(() => ({ ...access, apiUrl: 'http://127.0.0.1:1' }))).toMatch(/does not answer|broke/);
    expect(
      await why(() => {
        throw new Error('No sandbox is running.');
      }),
    ).toBe('No sandbox is running.');
  });
});

/** Resolves at the nth open connection. */
function untilOpen(find: () => SandboxAccess, times: number, between: (listening: OpenStream) => void = () => {}) {
  const seen: string[] = [];
  return new Promise<string[]>((done) => {
    const listening = openStream(find, {
      snapshot: ({ truth }) => seen.push(`snapshot ${truth?.length ?? 'without truth'}`),
      change: ({ subject }) => seen.push(subject),
      connection: ({ is }) => {
        seen.push(is);
        const open = seen.filter((word) => word === 'open').length;
        if (is === 'open' && open === times) done(seen);
        else if (is === 'open') between(listening);
      },
    });
    closers.push(() => listening.close());
  });
}

describe('ground truth', () => {
  test('is asked for by opening the stream anew where it stood, and nothing of it is a break', async () => {
    const { headers, paths, access } = await sandbox([
      (response) => response.write(snapshot),
      (response) => response.write(change),
      (response) => response.write(change),
    ]);
    const seen = await untilOpen(
      () => access,
      3,
      (listening) => listening.reopen({ truth: headers.length === 1 }),
    );
    expect(seen).toEqual(['opening', 'snapshot without truth', 'open', 'clock', 'open', 'clock', 'open']);
    expect(paths).toEqual(['/v1/sandbox/stream', '/v1/sandbox/stream?truth=true', '/v1/sandbox/stream']);
    expect(headers.map((headers) => headers['last-event-id'])).toEqual([undefined, '7', '9']);
  });
});

describe('the eyes of a client', () => {
  const client = { clientId: 'naval', clientSecret: 'hush' };
  const issued = (token: string) => (response: ServerResponse) =>
    response.end(JSON.stringify({ access_token: token, expires_in: 3_600 }));

  test('open the stream with its token, and with a new one where that has ended', async () => {
    const { headers, paths, access } = await sandbox([
      issued('first'),
      (response) => response.writeHead(401).end('{}'),
      issued('second'),
      (response) => response.write(snapshot),
    ]);
    expect(await untilOpen(() => ({ ...access, client }), 1)).toEqual(['opening', 'snapshot without truth', 'open']);
    expect(paths).toEqual(['/v1/oauth/token', '/v1/sandbox/stream', '/v1/oauth/token', '/v1/sandbox/stream']);
    expect(headers.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Bearer first',
      undefined,
      'Bearer second',
    ]);
    expect(headers.some(({ authorization }) => authorization === `Bearer ${access.controlToken}`)).toBe(false);
  });

  test('are reported where the token endpoint refuses', async () => {
    const { access } = await sandbox([(response) => response.writeHead(401).end('{"error": "invalid_client"}')]);
    await expect(snapshotOf({ ...access, client })).rejects.toThrow(
      'The sandbox gives naval no token: invalid_client.',
    );
  });
});

describe('an order', () => {
  test('is answered by nothing where it was done, else by the words of the sandbox', async () => {
    const { access } = await sandbox([
      (response) => response.end('{}'),
      (response) => response.writeHead(409).end('{"detail": "There is no muster."}'),
    ]);
    expect(await ask(access, '/v1/sandbox/actions', {})).toBeNull();
    expect(await ask(access, '/v1/sandbox/actions', {})).toBe('There is no muster.');
  });
});

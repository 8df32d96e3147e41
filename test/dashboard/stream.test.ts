/** The stream as it comes over the wire: cut anywhere, broken off, and taken up again where it ended. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ask, EventReader, listen } from '../../src/dashboard/stream.ts';
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

/** Answers each stream that is asked for as the test says. */
async function sandbox(answers: ((response: ServerResponse) => void)[]) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, door: { apiUrl: `http://127.0.0.1:${port}`, controlToken: 'token' } };
}

const snapshot = `id: 7\nevent: snapshot\ndata: ${JSON.stringify(QUIET)}\n\n`;
const change = `id: 9\nevent: change\ndata: {"subject": "clock", "at": "2026-10-05T06:12:31.000Z"}\n\n`;

describe('a stream that breaks off', () => {
  test('is taken up again with the last id, and says in between that it broke', async () => {
    const { asked, door } = await sandbox([(response) => response.end(snapshot), (response) => response.write(change)]);
    const told: string[] = [];
    await new Promise<void>((done) => {
      const { close } = listen(() => door, {
        snapshot: ({ clock }) => told.push(clock.now),
        change: ({ subject }) => told.push(subject),
        connection: ({ is }) => {
          told.push(is);
          if (is === 'open' && told.includes('broken')) done();
        },
      });
      closers.push(close);
    });
    expect(told).toEqual(['opening', QUIET.clock.now, 'open', 'broken', 'clock', 'open']);
    expect(asked.map((headers) => headers['last-event-id'])).toEqual([undefined, '7']);
    expect(asked[0]?.authorization).toBe('Bearer token');
  });

  test('says why: nobody there, refused, or not found', async () => {
    const { door } = await sandbox([(response) => response.writeHead(401).end('{}')]);
    const why = (find: () => typeof door): Promise<string> =>
      new Promise((done) => {
        const { close } = listen(find, {
          snapshot: () => {},
          change: () => {},
          connection: (connection) => {
            if (connection.is === 'broken') done(connection.why);
          },
        });
        closers.push(() => close());
      });
    expect(await why(() => door)).toBe(`The sandbox at ${door.apiUrl} answered 401.`);
    expect(await why(() => ({ ...door, apiUrl: 'http://127.0.0.1:1' }))).toMatch(/does not answer|broke/);
    expect(
      await why(() => {
        throw new Error('No sandbox is running.');
      }),
    ).toBe('No sandbox is running.');
  });
});

describe('an order', () => {
  test('is answered by nothing where it was done, else by the words of the sandbox', async () => {
    const { door } = await sandbox([
      (response) => response.end('{}'),
      (response) => response.writeHead(409).end('{"detail": "There is no muster."}'),
    ]);
    expect(await ask(door, '/v1/sandbox/actions', {})).toBeNull();
    expect(await ask(door, '/v1/sandbox/actions', {})).toBe('There is no muster.');
  });
});

/** A port of https: a client that speaks something else gets an explanation, and nothing that is silent keeps the API from ending. [cli, up --tls] */
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { isForeignPage } from '../../../src/service/api/access/own-host.ts';
import { serverTls } from '../../helpers/server-tls.ts';
import { connectUntrusting } from '../../helpers/untrusting.ts';
import { ApiHarness } from './harness.ts';

let tls: Awaited<ReturnType<typeof serverTls>>;
beforeAll(async () => {
  tls = await serverTls();
});
afterAll(() => tls.remove());

async function start(): Promise<ApiHarness> {
  const harness = await ApiHarness.start({ tls });
  onTestFinished(() => harness.stop());
  return harness;
}

const connected = (harness: ApiHarness): Promise<Socket> =>
  new Promise((done) => {
    const socket = connect(harness.api.port, '127.0.0.1', () => done(socket));
    socket.on('error', () => {});
  });

test('a client that speaks plain http is told to speak https, once', async () => {
  const harness = await start();
  const socket = await connected(harness);
  socket.write('GET /v1/sites HTTP/1.1\r\nHost: x\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
    code: 'malformed_request',
    detail: expect.stringContaining(`This port uses only https: call ${harness.url}`),
  });
  const { body } = await harness.call('GET', '/v1/sandbox/requests', { token: 'control_token_0123456789' });
  expect(body.data.map(({ note }: { note: string }) => note)).toContain('plain http at a port of https');
});

test('a client that does not trust the authority is in the log of requests', async () => {
  const harness = await start();
  await connectUntrusting(harness.api.port);
  const notes = async (): Promise<string[]> => {
    const { body } = await harness.call('GET', '/v1/sandbox/requests', { token: 'control_token_0123456789' });
    return body.data.map(({ note }: { note: string }) => note);
  };
  expect(await notes()).toContainEqual(expect.stringContaining('does not trust the certificate'));
});

test('the API ends at once, whatever is connected and silent', async () => {
  const harness = await ApiHarness.start({ tls });
  const silent = await connected(harness);
  const greeting = await connected(harness);
  // The first byte of a handshake, and no more of it.
  greeting.write(Buffer.of(0x16));
  const secure = connectTls({ port: harness.api.port, host: '127.0.0.1', ca: tls.ca });
  await new Promise((done) => secure.once('secureConnect', done));
  const ended = [silent, greeting, secure].map((socket) => new Promise((done) => socket.once('close', done)));
  secure.on('error', () => {});
  await harness.call('GET', '/v1/sandbox/clock', { token: 'control_token_0123456789' });
  await harness.stop();
  await Promise.all(ended);
});

test('a page of plain http on the same host is foreign to a port of https, and its own to a port of http', () => {
  const host = '127.0.0.1:4600';
  const names = { ownHostOnly: false, isOwnHost: () => true, baseUrl: () => 'https://sandbox.example' };
  const isForeign = (origin: string, isSecure: boolean) =>
    isForeignPage({ headers: { host, origin } } as IncomingMessage, { ...names, isSecure });
  expect([isForeign(`https://${host}`, true), isForeign(`http://${host}`, true)]).toEqual([false, true]);
  // A proxy may speak https in front of it.
  expect([isForeign(`https://${host}`, false), isForeign(`http://${host}`, false)]).toEqual([false, false]);
});

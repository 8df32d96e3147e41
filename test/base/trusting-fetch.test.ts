/** `fetch` with an authority of its own: it verifies, and behaves as `fetch` otherwise. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM_AGENT, SCENARIO_AGENT } from '../../src/base/network/program-agent.ts';
import { fetchTrusting, requestText } from '../../src/base/network/trusting-fetch.ts';
import { serverTls } from '../helpers/server-tls.ts';

let tls: Awaited<ReturnType<typeof serverTls>>;
let stranger: typeof tls;
beforeAll(async () => {
  [tls, stranger] = await Promise.all([serverTls(), serverTls()]);
});
afterAll(() => {
  tls.remove();
  stranger.remove();
});

async function serve(listener: RequestListener, { cert, key }: typeof tls = tls): Promise<string> {
  const server = createServer({ cert, key }, listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'it worked',
    ({ name, message, cause }) => `${name}: ${message}: ${cause?.code}`,
  );

describe('a call', () => {
  test('brings method, headers and body, and gets the answer with its headers', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (bytes) => {
        body += bytes;
      });
      request.on('end', () => {
        response.writeHead(201, { 'x-two': ['a', 'b'], 'content-type': 'application/json' });
        response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body }));
      });
    });
    const form = await fetchTrusting(tls.ca, `${url}/x`, { method: 'POST', body: new URLSearchParams({ a: 'ä' }) });
    expect([form.status, form.ok, form.headers.get('x-two')]).toEqual([201, true, 'a, b']);
    expect(await form.json()).toEqual({
      method: 'POST',
      body: 'a=%C3%A4',
      type: 'application/x-www-form-urlencoded',
    });
    const headers = { 'content-type': 'application/json' };
    const json = await fetchTrusting(tls.ca, url, { method: 'PATCH', headers, body: '{"ä":1}' });
    expect(await json.json()).toEqual({ method: 'PATCH', type: 'application/json', body: '{"ä":1}' });
  });

  test('names the program of the package over http and https, unless the caller has a name of its own', async () => {
    const echo: RequestListener = ({ headers }, response) => void response.end(headers['user-agent'] ?? 'none');
    const plain = createHttpServer(echo);
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    onTestFinished(() => void plain.close());
    const urls = [await serve(echo), `http://127.0.0.1:${(plain.address() as AddressInfo).port}`];
    for (const url of urls) {
      const named = await (await fetchTrusting(tls.ca, url)).text();
      const own = await (await fetchTrusting(tls.ca, url, { headers: { 'user-agent': SCENARIO_AGENT } })).text();
      const short = await requestText(tls.ca, url);
      expect([named, own, short.text]).toEqual([PROGRAM_AGENT, SCENARIO_AGENT, PROGRAM_AGENT]);
    }
  });

  test('gets an answer without a body', async () => {
    const url = await serve((_request, response) => void response.writeHead(204).end());
    const answer = await fetchTrusting(tls.ca, url, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test('reads a stream as it comes, and ends with the reason of its signal', async () => {
    const url = await serve((_request, response) => void response.write('first'));
    const stop = new AbortController();
    const { body } = await fetchTrusting(tls.ca, url, { signal: stop.signal });
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    const next = reader?.read();
    stop.abort();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
    await expect(fetchTrusting(tls.ca, url, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    const soon = AbortSignal.timeout(20);
    const silent = await serve(() => {});
    await expect(fetchTrusting(tls.ca, silent, { signal: soon })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a call is refused', () => {
  test('by a server of another authority, whatever the environment says, and without one', async () => {
    const url = await serve((_request, response) => void response.end());
    expect(await codeOf(fetchTrusting(stranger.ca, url))).toMatch(/^TypeError: fetch failed: UNABLE_TO_VERIFY/);
    expect(await codeOf(fetchTrusting(null, url))).toMatch(/^TypeError: fetch failed: UNABLE_TO_VERIFY/);
  });

  test('a certificate for another host is not accepted', async () => {
    const named = await serverTls(['sandbox.example']);
    onTestFinished(named.remove);
    const url = await serve((_request, response) => void response.end(), named);
    expect(await codeOf(fetchTrusting(named.ca, url))).toBe('TypeError: fetch failed: ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test('an address on which nothing listens fails with the error of fetch', async () => {
    expect(await codeOf(fetchTrusting(tls.ca, 'https://127.0.0.1:9'))).toBe('TypeError: fetch failed: ECONNREFUSED');
  });
});

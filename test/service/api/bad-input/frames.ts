/** Rows 74 to 86: wrong addresses, methods, headers and framing. */
import { expect } from 'vitest';
import { CONTROL } from '../harness.ts';
import { type RawAnswer, rawHttp, requestBytes } from '../raw-http.ts';
import { expectProblem, type Row, refused, type Stage } from './stage.ts';

/** Not HTTP: one problem, and the server closes the connection. */
async function expectNoHttp(stage: Stage, bytes: Buffer | string): Promise<void> {
  const answer = await stage.raw(bytes);
  expectProblem(answer, 'malformed_request');
  expect([answer.headers.get('connection'), answer.bytes.split('HTTP/1.1 ').length]).toEqual(['close', 2]);
}

const framed = ({ token }: Stage, tail: string, ...framing: string[]): Buffer => {
  const headers = ['Content-Type: application/json', ...framing];
  return requestBytes({ token, method: 'POST', path: '/v1/webhooks', headers, tail });
};

const allowOf = (answer: RawAnswer): string | undefined => answer.headers.get('allow');

export const FRAMES: readonly Row[] = [
  {
    row: '74',
    says: 'an address that cannot be decoded is malformed; one that leads nowhere is not found; 8 kB are too long',
    play: async (stage) => {
      for (const path of ['/v1/%zz', '/v1/%ff', '/v1/alerts?status=%zz', '/v1/alerts?contractor=%e2%28'])
        expectProblem(await stage.ask({ path }), 'malformed_request');
      for (const path of [
        '/v1/%00',
        '/v1/alerts/%00',
        '/v1/..%2fsites',
        '/v1/../v1/sites',
        '/v1/alerts/..%2f..',
        '//v1/sites',
      ])
        expectProblem(await stage.ask({ path }), 'not_found');
      for (const path of [
        `/v1/${'a'.repeat(8_200)}`,
        `/v1/alerts?contractor=${'a'.repeat(8_200)}`,
        `/${'a'.repeat(20_000)}`,
      ])
        expectProblem(await stage.ask({ path }), 'uri_too_long');
      expectProblem(await stage.ask({ path: `/v1/alerts/${'a'.repeat(4_000)}` }), 'not_found');
    },
  },
  refused(
    '75',
    'a path is spelled exactly',
    'not_found',
    ...['/v1/sites/', '/v1//sites', '/V1/sites', '/v1/Sites', '/v1', '/v1/webhooks/', '/v1/alerts/;x'].map((path) => ({
      path,
    })),
  ),
  {
    row: '76',
    says: 'a wrong method is told the right ones; a method that is none is no HTTP',
    play: async (stage) => {
      for (const method of ['PUT', 'PATCH', 'TRACE', 'PROPFIND']) {
        const answer = await stage.ask({ method, path: '/v1/webhooks' });
        expectProblem(answer, 'method_not_allowed');
        expect(allowOf(answer)).toBe('GET, HEAD, POST');
      }
      expect(allowOf(await stage.ask({ method: 'PUT', path: '/v1/%77ebhooks' }))).toBe('GET, HEAD, POST');
      expect(allowOf(await stage.ask({ method: 'DELETE', path: '/problems/not-found' }))).toBe('GET, HEAD');
      for (const method of ['FOO', 'get', 'G\u00c9T']) await expectNoHttp(stage, requestBytes({ method }));
      await expectNoHttp(stage, 'CONNECT receiver.example.com:443 HTTP/1.1\r\nHost: receiver.example.com\r\n\r\n');
    },
  },
  {
    row: '77',
    says: 'HEAD answers as GET does without its body; OPTIONS is no method of this interface',
    play: async (stage) => {
      const [head, get] = [await stage.ask({ method: 'HEAD' }), await stage.ask({})];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
      const wrong = await stage.ask({ method: 'HEAD', token: null });
      expect([wrong.status, wrong.text, wrong.headers.get('content-type')]).toEqual([
        401,
        '',
        'application/problem+json',
      ]);
      const options = await stage.ask({ method: 'OPTIONS' });
      expectProblem(options, 'method_not_allowed');
      expect(allowOf(options)).toBe('GET, HEAD');
      expectProblem(await stage.ask({ method: 'OPTIONS', path: '*' }), 'not_found');
    },
  },
  refused(
    '78',
    'headers of 20 kB, or two thousand of them, are too large',
    'headers_too_large',
    { headers: [`X-Long: ${'a'.repeat(20_000)}`] },
    { headers: Array.from({ length: 2_000 }, (_, n) => `X-${n}: a`) },
  ),
  {
    row: '79',
    says: 'a frame that can be read in two ways is read in none, and the connection is closed',
    play: async (stage) => {
      const { token } = stage;
      await expectNoHttp(stage, framed(stage, '0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'));
      await expectNoHttp(stage, framed(stage, '{}', 'Content-Length: 2', 'Content-Length: 3'));
      await expectNoHttp(stage, framed(stage, 'zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'));
      await expectNoHttp(stage, framed(stage, '2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: gzip'));
      await expectNoHttp(stage, framed(stage, '2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: gzip, chunked'));
      await expectNoHttp(stage, `GET /v1/sites HTTP/1.1\nHost: x\nAuthorization: Bearer ${token}\n\n`);
      await expectNoHttp(stage, requestBytes({ token, headers: ['X-Nul: a\0b'] }));
      await expectNoHttp(stage, requestBytes({ token, headers: ['X Space: a'] }));
      await expectNoHttp(stage, Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0, 0, 0]));
      // A second answer would be taken for that of the next request.
      const begun = 'POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
      const late = await rawHttp(stage.harness.api.port, begun, 'zz\r\n');
      expectProblem(late, 'invalid_token');
      expect(late.bytes.split('HTTP/1.1 ').length).toBe(2);
      await expectNoHttp(stage, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    },
  },
  {
    row: '80',
    says: 'half a request, and then silence, is told after a while and closed',
    play: async (stage) => {
      const body = requestBytes({ token: stage.token, method: 'POST', path: '/v1/webhooks', body: '{}' }).toString();
      const token = requestBytes({ method: 'POST', path: '/v1/oauth/token', body: '{}' }).toString();
      const halves = [
        'GET /v1/sites HT',
        'GET /v1/sites HTTP/1.1\r\nHost: x\r\n',
        body.slice(0, -1),
        token.slice(0, -1),
      ];
      const answers = await Promise.all(halves.map((half) => stage.raw(half)));
      for (const answer of answers) expectProblem(answer, 'request_timeout');
      // An incomplete request must not hold simulated time.
      expect(stage.harness.clock.holders()).toEqual([]);
    },
  },
  {
    row: '81',
    says: 'one request more than the limit is refused, and admitted after Retry-After (test/service/api/limits.test.ts has the rule)',
    play: (stage) => limited(stage, { requestsPerMinute: 0 }, 'rate_limited'),
  },
  {
    row: '82',
    says: 'who has spent the query time is refused, and told when to come again',
    play: (stage) => limited(stage, { querySecondsPerMinute: 0 }, 'query_time_exceeded'),
  },
  {
    row: '83',
    says: 'a path that does not exist counts, and is told as such rather than refused',
    play: async (stage) => {
      const { limiter } = stage.harness.api;
      const before = limiter.limitsOf('harbour_co');
      limiter.setLimits('harbour_co', { requestsPerMinute: 1 });
      try {
        expectProblem(await stage.ask({ path: '/v1/nothing' }), 'not_found');
        expectProblem(await stage.ask({}), 'rate_limited');
        expectProblem(await stage.ask({ path: '/v1/nothing' }), 'not_found');
      } finally {
        limiter.setLimits('harbour_co', before);
      }
    },
  },
  {
    row: '84',
    says: 'headers that name the request or its sender are not believed, and stand in no log',
    play: async (stage) => {
      const marker = 'forged-marker';
      const headers = [
        `X-Request-Id: ${marker}${'a'.repeat(9_000)}`,
        `X-Forwarded-Host: ${marker}`,
        `X-Forwarded-Proto: ${marker}`,
      ];
      const { status, bytes } = await stage.ask({ headers, path: '/v1/alerts/nope' });
      expect([status, bytes.includes(marker)]).toEqual([404, false]);
      await expectNoHttp(stage, requestBytes({ headers: ['X-Request-Id: a\rb'] }));
      const log = await stage.ask({ token: CONTROL, path: '/v1/sandbox/requests?limit=1000' });
      expect(log.text).not.toContain(marker);
    },
  },
  {
    row: '85',
    says: 'addresses in answers are the configured ones, whatever host the request names',
    play: async (stage) => {
      const id = await stage.alert();
      const forged = { host: 'evil.example', path: `http://evil.example/v1/alerts/${id}` };
      const [alert, problem] = [
        await stage.ask(forged),
        await stage.ask({ ...forged, path: 'http://evil.example/v1/x' }),
      ];
      expect(alert.body.panel_url).toBe(`${stage.harness.url}/panel/alerts/${id}`);
      expectProblem(problem, 'not_found');
      expect([problem.body.instance, `${alert.text}${problem.text}`.includes('evil')]).toEqual(['/v1/x', false]);
      expectProblem(await stage.ask({ host: null }), 'malformed_request');
      expectProblem(await stage.ask({ headers: ['Host: other.example'] }), 'malformed_request');
    },
  },
  {
    row: '86',
    says: 'who would rather have HTML, or expects anything else, gets JSON',
    play: async (stage) => {
      for (const header of ['Accept: text/html', 'Accept: nonsense', 'Expect: the-unexpected', 'Upgrade: websocket']) {
        const { status, headers } = await stage.ask({ headers: [header] });
        expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      }
    },
  },
];

async function limited(stage: Stage, limits: object, code: 'rate_limited' | 'query_time_exceeded'): Promise<void> {
  const { limiter } = stage.harness.api;
  const before = limiter.limitsOf('harbour_co');
  limiter.setLimits('harbour_co', limits);
  try {
    const answer = await stage.ask({});
    expectProblem(answer, code);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  } finally {
    limiter.setLimits('harbour_co', before);
  }
}

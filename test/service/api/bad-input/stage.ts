/** The stage of the bad-input table: an API with two companies, over raw sockets. */
import { expect } from 'vitest';
import { check } from '../../../../src/contract/check.ts';
import { OAuthError, PROBLEMS, Problem, type ProblemCode, problemSlug } from '../../../../src/contract/problems.ts';
import { ApiHarness, SECRET } from '../harness.ts';
import { type Ask, type RawAnswer, rawHttp, requestBytes } from '../raw-http.ts';
import { addQuarry, QUARRY } from '../second-company.ts';

/** How long a request may take to arrive; wall ms. Long enough for a busy machine, short enough to wait for. */
const REQUEST_TIMEOUT_MS = 1_500;

/** One row of research/reliability.md section 7, or what the decisions made of it. */
export interface Row {
  readonly row: string;
  /** A sentence about the world. */
  readonly says: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export class Stage {
  readonly harness: ApiHarness;
  readonly token: string;
  readonly foreign: string;
  #workers = 100;

  private constructor(harness: ApiHarness, token: string, foreign: string) {
    this.harness = harness;
    this.token = token;
    this.foreign = foreign;
  }

  static async open(): Promise<Stage> {
    let made = 0;
    const harness = await ApiHarness.start({
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      newSecret: () => {
        made += 1;
        return `whsec_${made}`;
      },
    });
    addQuarry(harness.small);
    for (const client of ['harbour_co', QUARRY.client])
      harness.api.limiter.setLimits(client, { requestsPerMinute: 100_000, querySecondsPerMinute: 1_000 });
    const stage = new Stage(harness, '', '');
    const of = async (client_id: string, client_secret: string) =>
      (await stage.form({ grant_type: 'client_credentials', client_id, client_secret })).body.access_token as string;
    return new Stage(harness, await of('harbour_co', SECRET), await of(QUARRY.client, QUARRY.secret));
  }

  close(): Promise<void> {
    return this.harness.stop();
  }

  /** With the company's token unless another is named. */
  ask(ask: Ask): Promise<RawAnswer> {
    return this.raw(requestBytes({ token: this.token, ...ask }));
  }

  raw(bytes: Buffer | string): Promise<RawAnswer> {
    return rawHttp(this.harness.api.port, bytes);
  }

  post(path: string, body: Ask['body'], part: Ask = {}): Promise<RawAnswer> {
    return this.ask({ method: 'POST', path, body, ...part });
  }

  /** A token request; fields may stand twice. */
  form(fields: Record<string, string> | readonly (readonly [string, string])[], part: Ask = {}): Promise<RawAnswer> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
    const body = new URLSearchParams(pairs as [string, string][]).toString();
    const type = 'application/x-www-form-urlencoded';
    return this.ask({ method: 'POST', path: '/v1/oauth/token', token: null, type, body, ...part });
  }

  /** A token with these scopes only. */
  async narrow(scope: string): Promise<string> {
    const granted = await this.form({ ...CREDENTIALS, grant_type: 'client_credentials', scope });
    return granted.body.access_token;
  }

  /** A fresh destination; answers with its id. */
  async destination(): Promise<string> {
    const made = await this.post('/v1/webhooks', WEBHOOK);
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    return made.body.id;
  }

  /** Makes a destination of a body that is right, looks at it, and takes it away again. */
  async accepts(body: object): Promise<RawAnswer> {
    const made = await this.post('/v1/webhooks', body);
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
    await this.ask({ method: 'DELETE', path: `/v1/webhooks/${made.body.id}` });
    return made;
  }

  /** A fresh alert of its own worker. */
  async alert(): Promise<string> {
    this.#workers += 1;
    this.harness.small.worker(this.#workers, `Worker ${this.#workers}`);
    return this.harness.sos(this.#workers);
  }
}

export const CREDENTIALS = { client_id: 'harbour_co', client_secret: SECRET };
export const WEBHOOK = { url: 'https://receiver.example.com/h', event_types: ['alert.*'] };
export const TAKEN = { status: 'acknowledged', actor: { name: 'Desk 2' } };
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The one shape of every error: the code's own status and address, as `application/problem+json`. [spec 7] */
export function expectProblem(answer: RawAnswer, code: ProblemCode, pointers?: readonly string[]): void {
  const { status } = PROBLEMS[code];
  expect([answer.status, answer.body?.code, answer.headers.get('content-type')]).toEqual([
    status,
    code,
    'application/problem+json',
  ]);
  expect(check(Problem, answer.body)).toEqual({ ok: true, value: answer.body });
  expect(answer.body.type).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/problems/${problemSlug(code)}$`));
  expect(answer.body.status).toBe(status);
  if (pointers !== undefined)
    expect(answer.body.errors?.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

/** The shape of RFC 6749 section 5.2 at the token endpoint. [decisions 2, 3] */
export function expectOAuth(answer: RawAnswer, status: number, error: string): void {
  expect([answer.status, answer.body?.error, answer.headers.get('content-type')]).toEqual([
    status,
    error,
    'application/json; charset=utf-8',
  ]);
  expect(check(OAuthError, answer.body)).toEqual({ ok: true, value: answer.body });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('www-authenticate')).toBe(status === 401);
}

/** A row whose requests are all refused with one code. */
export const refused = (row: string, says: string, code: ProblemCode, ...asks: readonly (Ask & At)[]): Row => ({
  row,
  says,
  play: async (stage) => {
    for (const { at, ...ask } of asks) expectProblem(await stage.ask(ask), code, at);
  },
});

interface At {
  /** The pointers of `errors`, where the row is about them. */
  readonly at?: readonly string[];
}

export const hook = (body: Ask['body'], part: Ask & At = {}): Ask & At => ({
  method: 'POST',
  path: '/v1/webhooks',
  body,
  ...part,
});

/** An API over a real engine and a real store in memory, with a small world. */

import { sha256Hex } from '../../../src/base/ids.ts';
import { fetchTrusting } from '../../../src/base/network/trusting-fetch.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { realClock } from '../../../src/base/time/clocks.ts';
import type { Scope } from '../../../src/contract/enumerations.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from '../../../src/contract/gaps.ts';
import { Coverage } from '../../../src/service/api/coverage/coverage.ts';
import { Arrivals } from '../../../src/service/api/requests/arrivals.ts';
import { ApiFaults } from '../../../src/service/api/requests/faults.ts';
import type { ApiParts } from '../../../src/service/api/route.ts';
import type { Scenarios } from '../../../src/service/api/scenarios.ts';
import { type Api, startApi } from '../../../src/service/api/server.ts';
import { SessionLeases } from '../../../src/service/api/session-leases.ts';
import { reject } from '../../../src/service/domain/changes.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import { type DeliveryLedger, followDeliveries } from '../../../src/service/engine/delivery-totals.ts';
import { Engine, type EngineParts } from '../../../src/service/engine/engine.ts';
import { EventLog } from '../../../src/service/engine/event-log.ts';
import type { Store } from '../../../src/service/engine/store-port.ts';
import { WatchLog } from '../../../src/service/engine/watch-log.ts';
import type { ServerTls } from '../../../src/service/store/folder/authority.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { judgeDestination } from '../../../src/service/webhooks/resolver.ts';
import { type Options, SmallWorld } from '../domain/small-world.ts';
import { misfit } from './documented.ts';

export const SECRET = 'harbour_secret_0123456789';
export const CONTROL = 'control_token_0123456789';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  readonly body: any;
}

export interface HarnessOptions extends Options {
  readonly assumptions?: Partial<Assumptions>;
  readonly strict?: boolean;
  readonly clock?: Clock;
  readonly newSecret?: () => string;
  readonly ownHostOnly?: boolean;
  readonly requestTimeoutMs?: number;
  /** With it the API speaks https. */
  readonly tls?: ServerTls;
  readonly truth?: ApiParts['truth'];
  /** A store that outlives the harness; default: one of its own. */
  readonly store?: Store;
  /** A world that was stored, after a restart; default: the small one. */
  readonly world?: World;
  /** Where it is one of several nodes. */
  readonly shared?: EngineParts['shared'];
}

/** No test asks the world's resolver: every name is public but one. */
const resolve = async (host: string): Promise<string[]> => [
  host === 'inside.example.com' ? '10.0.0.7' : '93.184.215.14',
];

const NO_SCENARIOS: Scenarios = {
  scenarios: async () => [],
  runs: () => [],
  start: async () => reject('not_found', 'no scenarios here'),
  run: () => reject('not_found', 'no scenarios here'),
  cancel: async () => reject('not_found', 'no scenarios here'),
};

export class ApiHarness {
  readonly store: Store;
  readonly small: SmallWorld;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly api: Api;
  readonly url: string;
  /** What a snapshot of the stream has of the last minute. */
  readonly past: { readonly events: EventLog; readonly deliveries: DeliveryLedger };
  readonly #close: () => Promise<void>;
  readonly #ca: string | null;

  private constructor(
    small: SmallWorld,
    engine: Engine,
    store: Store,
    clock: Clock,
    api: Api,
    at: { readonly url: string; readonly ca: string | null },
    past: ApiHarness['past'],
    close: () => Promise<void>,
  ) {
    this.store = store;
    this.small = small;
    this.engine = engine;
    this.clock = clock;
    this.api = api;
    this.url = at.url;
    this.past = past;
    this.#ca = at.ca;
    this.#close = close;
  }

  static async start(options: HarnessOptions = {}): Promise<ApiHarness> {
    const small = new SmallWorld({ ...options, client: { secretHash: sha256Hex(SECRET), ...options.client } });
    const clock = options.clock ?? realClock();
    const store = options.store ?? (await openSqliteStore({ file: ':memory:' }));
    let url = '';
    const engine = new Engine({
      clock,
      store,
      world: options.world ?? small.world,
      salt: 'test',
      addresses: {
        get panelUrl() {
          return `${url}/panel`;
        },
      },
      onBroken: () => {},
      ...(options.shared === undefined ? {} : { shared: options.shared }),
    });
    const deliveries = await followDeliveries(engine, store);
    const events = new EventLog();
    engine.listen({ notice: (notice) => events.take(notice) });
    engine.start();
    clock.start();
    const api = await startApi(
      {
        engine,
        store,
        clock,
        baseUrl: () => url,
        mqttUrl: () => 'mqtt://127.0.0.1:1884',
        controlToken: CONTROL,
        coverage: new Coverage(),
        cursorKey: 'cursor',
        judgeDestination: (url) => judgeDestination(url, { resolve, forwards: new Map() }),
        act: async () => {
          throw new Error('no fleet here');
        },
        wait: async () => {
          throw new Error('no waits here');
        },
        scenarios: NO_SCENARIOS,
        states: {
          reset: async () => reject('action_refused', 'no states here'),
          list: () => [],
          save: async () => {
            throw new Error('no states here');
          },
          load: async () => reject('not_found', 'no states here'),
        },
        recordings: {
          begin: () => ({ id: '00000000-0000-4000-8000-00000000000a', startedAt: 0 }),
          end: () => reject('not_found', 'no recordings here'),
        },
        updating: () => () => {},
        leases: new SessionLeases(engine),
        sessionSecret: (organizationId) => `whsec_session_${organizationId}`,
        isOwnHost: (host) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? ''),
        ownHostOnly: options.ownHostOnly ?? false,
        newSecret: options.newSecret ?? (() => 'whsec_new'),
        assumptions: { ...DEFAULT_ASSUMPTIONS, ...options.assumptions },
        strict: options.strict === true,
        watchLog: new WatchLog(),
        eventLog: events,
        deliveries,
        mail: () => [],
        truth: () => options.truth?.() ?? [],
        faults: new ApiFaults(clock, ''),
        arrivals: new Arrivals(),
        isSecure: options.tls !== undefined,
        pages: [],
      },
      {
        host: '127.0.0.1',
        port: 0,
        tls: options.tls ?? null,
        ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
      },
    );
    url = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${api.port}`;
    return new ApiHarness(
      small,
      engine,
      store,
      clock,
      api,
      { url, ca: options.tls?.ca ?? null },
      { events, deliveries },
      async () => {
        await api.stop();
        await engine.stop();
        clock.stop();
        if (options.store === undefined) await store.close();
      },
    );
  }

  stop(): Promise<void> {
    return this.#close();
  }

  async call(
    method: string,
    path: string,
    init: { token?: string | null; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { token, body, headers = {} } = init;
    const isText = typeof body === 'string';
    const response = await fetchTrusting(this.#ca, `${this.url}${path}`, {
      method,
      headers: {
        ...(token == null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || headers['content-type'] !== undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed = text !== '' && isJson ? JSON.parse(text) : text;
    const answer = { status: response.status, headers: response.headers, body: text === '' ? null : parsed };
    const wrong = misfit(method, path, answer);
    if (wrong !== null) throw new Error(`the published document says otherwise: ${wrong}`);
    return answer;
  }

  async token(...scopes: Scope[]): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'harbour_co',
      client_secret: SECRET,
    });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const { body } = await this.call('POST', '/v1/oauth/token', {
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return body.access_token as string;
  }

  /** The engine takes an SOS of worker `n`; answers with the alert's id. */
  async sos(n: number): Promise<string> {
    const outcome = await this.engine.submit({ type: 'report-sos', trigger: 'watch_button', ...this.small.uplink(n) });
    if (outcome.rejected) throw new Error(outcome.detail);
    return outcome.done.alertId as string;
  }
}

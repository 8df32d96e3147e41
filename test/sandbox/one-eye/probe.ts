/** The viewer's hand: every request it can think of, and every byte that comes back. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { ACTION_NAMES, ACTIONS, type ActionName, type ActionRow } from '../../../src/contract/actions.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import type { Route } from '../../../src/service/api/route.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';
import { fitting } from '../../service/api/arbitrary.ts';
import type { Hidden } from './hidden.ts';
import { RECEIVER_HOST, SEEN, type World } from './world.ts';

/** An output, and the request for it. */
export interface Reported {
  readonly request: string;
  readonly text: string;
}

export interface Answer extends Reported {
  readonly status: number;
  readonly body: string;
}

/** Ids and names that a request may carry. */
export type Pool = Readonly<Record<string, readonly string[]>>;

/** A stream never ends by itself, and a token is requested once. */
const APART = new Set(['openStream', 'issueToken']);

export const ROUTES: readonly Route[] = allRoutes(new RateLimiter()).filter(
  ({ operationId }) => !APART.has(operationId),
);

/** Parameters of paths, and which pool they are drawn from. A route with a new one has to say it here. */
const OF_PATH: Readonly<Record<string, string>> = {
  site_id: 'site',
  alert_id: 'alert',
  muster_id: 'muster',
  id: 'destination',
  run_id: 'run',
  recording_id: 'recording',
  name: 'scenario',
};

/** The same for keys of queries and bodies. */
const OF_KEY: Readonly<Record<string, string>> = {
  who: 'who',
  near: 'who',
  to: 'place',
  via: 'place',
  at: 'place',
  zone: 'place',
  point: 'place',
  site: 'site',
  site_id: 'site',
  site_ids: 'site',
  muster: 'muster',
  alert: 'alert',
  swap_to: 'serial',
  worker_id: 'worker',
  external_id: 'external',
  contractor: 'contractor',
  contractors: 'contractor',
  company: 'company',
  expire: 'company',
  revoke: 'company',
  reference: 'permit',
};

export class Probe {
  readonly reported: Reported[] = [];
  readonly #world: World;
  readonly #token: string;
  /** Everything that the viewer has ever sent: an echo of it is not a disclosure. */
  sent = '';
  requests = 0;

  private constructor(world: World, token: string) {
    this.#world = world;
    this.#token = token;
  }

  static async enter(world: World): Promise<Probe> {
    return new Probe(world, await world.token(world.ownClient));
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    this.requests += 1;
    const sent = `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
    this.sent += `${sent}\n${decodeURIComponent(path)}\n`;
    const response = await fetch(`${this.#world.sandbox.ready.api_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const text = await response.text();
    const whole = [`${response.status} ${response.statusText}`, ...headers, '', text].join('\n');
    const answer = { request: sent, text: whole, status: response.status, body: text };
    this.reported.push(answer);
    return answer;
  }

  /** The stream from here on, until the answer is called. */
  async stream(): Promise<() => Promise<void>> {
    const gone = new AbortController();
    const response = await fetch(`${this.#world.sandbox.ready.api_url}/v1/sandbox/stream`, {
      headers: { authorization: `Bearer ${this.#token}` },
      signal: gone.signal,
    });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      try {
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
          text += decoder.decode(chunk, { stream: true });
      } catch {
        // Hung up.
      }
    })();
    return async () => {
      gone.abort();
      await reading;
      this.reported.push({ request: 'GET /v1/sandbox/stream', text });
    };
  }

  /** Everything that can be read, with what the viewer may name. */
  async readAll(pool: Pool): Promise<void> {
    for (const route of ROUTES.filter(({ method }) => method === 'GET'))
      for (const path of pathsOf(route, pool)) {
        await this.call('GET', path);
        await this.call('HEAD', path);
      }
    for (const path of [
      '/openapi.json',
      '/openapi-3.0.json',
      '/v1/sandbox/openapi.json',
      '/asyncapi.json',
      '/docs',
      '/docs/listAlerts',
      '/docs/schemas/Alert',
      '/problems/not-found',
    ])
      await this.call('GET', path);
  }
}

/** The route with every id of the pool in the place of its parameter. */
export function pathsOf({ path }: Pick<Route, 'path'>, pool: Pool): string[] {
  const [, parameter] = /:(\w+)/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  const from = OF_PATH[parameter];
  if (from === undefined) throw new Error(`${path}: say in OF_PATH what :${parameter} is`);
  return (pool[from] ?? []).map((id) => path.replace(`:${parameter}`, encodeURIComponent(id)));
}

/** What the viewer may name, as far as it can know it. */
export function poolOf(world: World, hidden: Hidden, which: 'seen' | 'secret'): Pool {
  const documents = world.sandbox.engine.world;
  const fits = (word: string | null): word is string => word !== null && hidden.isSecret(word) === (which === 'secret');
  const ids = (kind: Parameters<typeof documents.all>[0]) => [...documents.all(kind)].map(({ id }) => id).filter(fits);
  const names = (kind: 'zone' | 'site' | 'organization') =>
    [...documents.all(kind)].map(({ name }) => name).filter(fits);
  const workers = [...documents.all('worker')];
  const external = workers.map(({ externalId }) => externalId).filter(fits);
  const serial = [...documents.all('device')].map((device) => device.serial).filter(fits);
  const who = [...external, ...ids('worker'), ...serial];
  return {
    who,
    external,
    serial,
    worker: ids('worker'),
    site: [...ids('site'), ...names('site')],
    place: [...ids('zone'), ...names('zone'), ...who],
    alert: ids('alert'),
    muster: ids('muster'),
    destination: ids('destination'),
    permit: ids('permit'),
    company: [...ids('client'), ...names('organization')],
    contractor: [...new Set(workers.map(({ contractor }) => contractor))].filter(fits),
    run: [],
    recording: [],
    scenario: [],
  };
}

/** Ids and names of the same shapes that nobody has. */
export const NOBODY: Pool = (() => {
  const id = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f';
  const names = ['Nobody-EXT-99'];
  return {
    who: [...names, id, 'Nobody-SN-99'],
    external: names,
    serial: ['Nobody-SN-99'],
    worker: [id],
    site: [id, 'Nobody site'],
    place: [id, 'Nobody zone', 'Nobody-EXT-99', 'Nobody-SN-99'],
    alert: [id],
    muster: [id],
    destination: [id],
    permit: [id],
    company: ['nobody_works', 'Nobody Works'],
    contractor: ['Nobody & Sons'],
    run: [id],
    recording: [id],
    scenario: ['nobody'],
  };
})();

type Schema = Record<string, unknown>;

/** Values of an action's fields; `pick` gives those of a key that names something. */
export function bodyOf(
  action: ActionName,
  pick: (from: string) => string | undefined,
  seed: number,
): Record<string, unknown> {
  const { fields } = ACTIONS[action] as ActionRow;
  const known = (key: string) => {
    const word = OF_KEY[key] === undefined ? undefined : pick(OF_KEY[key]);
    return word === undefined ? undefined : fc.constant(word);
  };
  const [value] = fc.sample(fitting(fields as unknown as Schema, known), { numRuns: 1, seed });
  return { action, ...(value as object) };
}

/** Keys of an action that name something. */
export const namingKeys = (action: ActionName): string[] =>
  Object.keys((ACTIONS[action] as ActionRow).fields.properties).filter((key) => OF_KEY[key] !== undefined);
export const poolOfKey = (key: string): string => OF_KEY[key] as string;

/** Parameters of a query that name something. */
export const namingQueries = ({ query }: Route): string[] =>
  Object.keys((query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}).filter(
    (key) => OF_KEY[key] !== undefined,
  );

export const CLIENTS_OWN: readonly ActionName[] = ACTION_NAMES.filter((action) => ACTIONS[action].clientMay);

/** What test code waits for. */
export const WAITS: readonly object[] = [
  ...['any', 'sos'].map((alert) => ({ alert })),
  ...['alert.*', 'muster.*', 'alert.created'].map((event) => ({ event })),
  { muster: 'active' },
  { alert: 'any', match: { status: 'resolved', title: 'nothing like it' } },
  { event: 'alert.created', match: { object: { title: 'nothing like it' } } },
  { delivery: 'any', match: { result: 'lost' } },
  { delivery: 'any' },
  { request: 'GET /v1/*' },
].map((wait) => ({ ...wait, within: '1ms', since: '2020-01-01T00:00:00Z' }));

/** Destinations with and without filters, each with an address of its own. */
export const destinations = (sites: readonly string[]): { path: string; body: object }[] =>
  [
    {},
    { filters: { contractors: [SEEN] } },
    { filters: { min_severity: 'low', ...(sites[0] === undefined ? {} : { site_ids: sites.slice(0, 1) }) } },
  ].map((rest, n) => {
    const path = `/plain-${n}`;
    return { path, body: { url: `https://${RECEIVER_HOST}${path}`, event_types: ['alert.*', 'muster.*'], ...rest } };
  });

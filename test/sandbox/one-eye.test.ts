/** A client's token gets, by no way, what its view hides or what it may not do. [decisions 4, 7, 9, 10] */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { ActionName } from '../../src/contract/actions.ts';
import { PROBLEM_CODES, problemSlug } from '../../src/contract/problems.ts';
import { scenarioFolders } from '../../src/sandbox/runs/scenario-folders.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { scenarioFiles } from '../../src/scenario/reading/scenario-catalog.ts';
import { unless } from '../helpers/unless.ts';
import { inputsOf, isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { Hidden, leaksIn } from './one-eye/hidden.ts';
import {
  type Answer,
  bodyOf,
  CLIENTS_OWN,
  destinations,
  NOBODY,
  namingKeys,
  namingQueries,
  type Pool,
  Probe,
  pathsOf,
  poolOf,
  poolOfKey,
  ROUTES,
  WAITS,
} from './one-eye/probe.ts';
import { RECEIVER_HOST, UNSEEN, VIEWERS, World, type WorldWish } from './one-eye/world.ts';

/** More of them where the time is taken: ONE_EYE_RUNS=50. */
const RUNS = Number(process.env['ONE_EYE_RUNS'] ?? 1);
const SEED = Number(process.env['ONE_EYE_SEED'] ?? 1);
/** About how many hidden words of a kind stand where a word can. */
const WORDS = isWhole ? 8 : 2;

/** A rule that was never put to the test was not tested. */
const met = {
  worlds: 0,
  requests: 0,
  bytes: 0,
  secrets: 0,
  deliveries: 0,
  actions: new Set<string>(),
  scenarios: new Set<string>(),
  routes: new Set<string>(),
};
let toPlay: string[] | null = null;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class Session {
  readonly world: World;
  readonly hidden: Hidden;
  readonly probe: Probe;
  readonly leaks = new Map<string, string>();
  readonly runs: string[] = [];
  readonly recordings: string[] = [];
  /** How much of what the viewer sent was searched for a word without finding it; Infinity where it was found. */
  readonly #searched = new Map<string, number>();

  constructor(world: World, hidden: Hidden, probe: Probe) {
    this.world = world;
    this.hidden = hidden;
    this.probe = probe;
  }

  /** Names a leak once for each way by which it came. */
  leak(request: string, what: string, text: string): void {
    const way = request
      .replace(UUID, '<id>')
      .replace(/(Vx|Fx)-\S+/g, '<who>')
      .slice(0, 160);
    const key = `${way.split(' ').slice(0, 2).join(' ')}: ${what}`;
    if (!this.leaks.has(key)) this.leaks.set(key, `${request.slice(0, 200)} -> ${text}`);
  }

  /** Scans all output since the last scan; what the viewer has sent itself is not a disclosure. */
  scan(): void {
    this.hidden.look();
    const { probe, hidden } = this;
    const sent = probe.sent.toLowerCase();
    const { secrets } = hidden;
    met.secrets = Math.max(met.secrets, secrets.length);
    for (const { request, text } of probe.reported.splice(0)) {
      met.bytes += text.length;
      // Strict clients refuse ids of another version. [decisions 1]
      for (const id of text.match(UUID) ?? [])
        if (!VERSION_4.test(id) && !sent.includes(id.toLowerCase()))
          this.leak(request, 'an id that is not of version 4', id);
      for (const { word, what } of leaksIn(text, secrets)) {
        if (this.#wasSent(word, sent)) continue;
        const at = text.toLowerCase().indexOf(word.toLowerCase());
        this.leak(request, what, text.slice(Math.max(0, at - 80), at + word.length + 40).replace(/\s+/g, ' '));
      }
    }
  }

  /** Whether the viewer has sent the word. What was searched for it before is not searched again: there are thousands of both. */
  #wasSent(word: string, sent: string): boolean {
    const searched = this.#searched.get(word) ?? 0;
    if (searched === Infinity) return true;
    const isSent = sent.includes(word.toLowerCase(), Math.max(0, searched - word.length));
    this.#searched.set(word, isSent ? Infinity : sent.length);
    return isSent;
  }

  /** What every receiver of the viewer got, headers and bodies. */
  takeDeliveries(): void {
    for (const { path, headers, body } of this.world.receiver.received.splice(0)) {
      met.deliveries += 1;
      this.probe.reported.push({ request: `POST ${path} (a delivery)`, text: `${JSON.stringify(headers)}\n${body}` });
    }
  }

  pool(which: 'seen' | 'secret'): Pool {
    const pool = poolOf(this.world, this.hidden, which);
    return which === 'secret' ? pool : { ...pool, run: this.runs, recording: this.recordings };
  }

  advance(ms: number): Promise<void> {
    return this.world.sandbox.clock.advance(ms);
  }
}

/** By what it may name: all routes, all actions, its scenarios, waits, recordings and destinations. */
async function asItMay(session: Session, seed: number): Promise<void> {
  const { probe, world } = session;
  const recording = await probe.call('POST', '/v1/sandbox/recordings');
  if (recording.status === 201) session.recordings.push(JSON.parse(recording.body).id);
  const sites = session.pool('seen')['site']!.filter((id) => id.includes('-'));
  for (const { body } of destinations(sites)) await probe.call('POST', '/v1/webhooks', body);
  await world.hiddenTurn();
  for (const [n, action] of CLIENTS_OWN.entries()) {
    const pool: Record<string, readonly string[]> = { ...session.pool('seen') };
    for (let round = 0; round < 3; round++) {
      // One of them has no staff number that could stand for the name.
      if (round === 2) pool['who'] = [numberless(world)];
      const pick = (from: string) => pool[from]?.[(seed + n + round * 7) % Math.max(1, pool[from]!.length)];
      await probe.call('POST', '/v1/sandbox/actions', bodyOf(action as ActionName, pick, seed + round));
      met.actions.add(action);
    }
  }
  for (const serial of session.pool('seen')['serial'] ?? [])
    await probe.call('POST', '/v1/sandbox/actions', { action: 'device', who: serial, swap_to: serial });
  // A colleague is a place, too.
  const { who = [] } = session.pool('seen');
  for (const one of who.slice(0, 6))
    for (const action of ['move', 'position'])
      await probe.call('POST', '/v1/sandbox/actions', { action, who: who[0], [action === 'move' ? 'to' : 'at']: one });
  await session.advance(15_000);
  await world.hiddenTurn();
  await world.playHiddenScenario();
  await Promise.all(WAITS.map((wait) => probe.call('POST', '/v1/sandbox/wait', wait)));
  await session.advance(5_000);
  await probe.readAll(session.pool('seen'));
}

/** The next scenarios of the shelf. */
async function tellScenarios(session: Session, count: number): Promise<void> {
  const { probe } = session;
  const listed = await probe.call('GET', '/v1/sandbox/scenarios');
  toPlay ??= JSON.parse(listed.body).data.map(({ name }: { name: string }) => name);
  for (const name of toPlay!.splice(0, count)) {
    met.scenarios.add(name);
    const client = session.world.sandbox.engine.world.need('client', session.world.ownClient.client_id);
    const started = await probe.call('POST', `/v1/sandbox/scenarios/${name}/runs`, {});
    if (started.status === 202) {
      const { id } = JSON.parse(started.body);
      session.runs.push(id);
      // A scenario that may do more than the token has failed already.
      if (JSON.parse(started.body).status === 'running') await session.advance(20_000);
      await probe.call('GET', `/v1/sandbox/runs/${id}`);
      const now = session.world.sandbox.engine.world.need('client', client.id);
      if (JSON.stringify(now) !== JSON.stringify(client))
        session.leak(`scenario ${name}`, 'a contract changed by its own client', JSON.stringify(now));
      await probe.call('DELETE', `/v1/sandbox/runs/${id}`);
    }
  }
}

const numberless = ({ sandbox }: World): string =>
  [...sandbox.engine.world.all('worker')].find(({ externalId, name }) => externalId === null && name.includes('Vx'))!
    .id;

/** An answer as it would be to anybody, whatever was named and whenever. */
const plain = ({ status, body }: Answer, word: string): string =>
  `${status} ${body}`
    .replaceAll(word, '<it>')
    .replaceAll(encodeURIComponent(word), '<it>')
    .replace(/"(at|now|next_cursor)":"[^"]*"/g, '"$1":..')
    // A hint follows from what was written, and from names that the viewer may read.
    .replace(/ Did you mean \\"[^"]*"\?/g, '');

/** Words that make no difference to what is done. */
const FREE = new Set(['permit', 'contractor']);

/** By what it may not name: each such request is answered as if there were nothing of that name. */
async function asItMayNot(session: Session, seed: number): Promise<void> {
  const { probe, world } = session;
  const [seen, secret] = [session.pool('seen'), session.pool('secret')];
  const same = async (what: string, ask: (word: string) => Promise<Answer>, from: string) => {
    const words = secret[from] ?? [];
    for (const word of words.filter((_, n) => (n + seed) % Math.max(1, Math.floor(words.length / WORDS)) === 0)) {
      const like = (NOBODY[from] ?? []).find((one) => isUuid(one) === isUuid(word)) ?? NOBODY[from]![0]!;
      const [reported, nobody] = [await ask(word), await ask(like)];
      const [a, b] = [plain(reported, word), plain(nobody, like)];
      if (reported.status < 300 && what.startsWith('action') && !FREE.has(from))
        session.leak(what, 'done with what it may not see', a.slice(0, 150));
      else if (a !== b && !(what.startsWith('action') && FREE.has(from)))
        session.leak(
          what,
          `an oracle (${reported.status} or ${nobody.status})`,
          `${a.slice(0, 150)} | ${b.slice(0, 150)}`,
        );
      session.scan();
    }
  };
  for (const route of ROUTES) {
    met.routes.add(route.operationId);
    // A client that may write may see what was written. [spec 4]
    if (route.operationId === 'updateAlert' && world.scopes.includes('alerts:write')) continue;
    const [, parameter] = /:(\w+)/.exec(route.path) ?? [];
    const body =
      route.body === undefined
        ? undefined
        : route.operationId === 'updateAlert'
          ? { status: 'acknowledged', actor: { name: 'me' } }
          : {};
    if (parameter !== undefined) {
      const from = { site_id: 'site', alert_id: 'alert', muster_id: 'muster', id: 'destination' }[parameter];
      if (from !== undefined)
        await same(
          `${route.method} ${route.path}`,
          (word) => probe.call(route.method, pathsOf(route, { [from]: [word] })[0]!, body),
          from,
        );
      continue;
    }
    for (const key of namingQueries(route))
      await same(
        `GET ${route.path}?${key}`,
        (word) => probe.call('GET', `${route.path}?${key}=${encodeURIComponent(word)}`),
        poolOfKey(key),
      );
  }
  for (const action of CLIENTS_OWN)
    for (const key of namingKeys(action)) {
      const ask = (word: string) => {
        const body = bodyOf(action, (from) => seen[from]?.[seed % Math.max(1, seen[from]!.length)], seed);
        return probe.call('POST', '/v1/sandbox/actions', { ...body, [key]: word });
      };
      await same(`action ${action} ${key}`, ask, poolOfKey(key));
    }
}

const isUuid = (word: string): boolean => /^[0-9a-f]{8}-/.test(word);

/** A name outside of the contract matches nothing, as one that nobody has. */
async function filterByHidden(session: Session): Promise<void> {
  const { probe, world } = session;
  const made = await Promise.all(
    [UNSEEN[0], 'Nobody & Sons'].map((name, n) =>
      probe.call('POST', '/v1/webhooks', {
        url: `https://${RECEIVER_HOST}/filter-${n}`,
        event_types: ['alert.*', 'muster.*'],
        filters: { contractors: [name] },
      }),
    ),
  );
  if (made.some(({ status }) => status !== 201) || world.ownClient.contractors === null) return;
  await world.control({ action: 'start_muster', site: 'Vx site', kind: 'general', by: 'Shift lead' });
  await world.hiddenTurn();
  await session.advance(12_000);
  await world.control({
    action: 'end_muster',
    outcome: 'completed',
    by: 'Shift lead',
    muster:
      [...world.sandbox.engine.world.indexes.activeMusters()].find(({ site }) => site.name === 'Vx site')?.id ?? '',
  });
  await session.advance(2_000);
  const counts = [0, 1].map((n) => world.receiver.received.filter(({ path }) => path === `/filter-${n}`).length);
  if (counts[0] !== counts[1])
    session.leak(
      'a contractors filter',
      'an oracle',
      `${counts[0]} deliveries by a hidden name, ${counts[1]} by nobody's`,
    );
}

async function leaksOf(wish: WorldWish, scenarios: number): Promise<Map<string, string>> {
  const world = await World.make(wish);
  const hidden = new Hidden(world);
  try {
    const session = new Session(world, hidden, await Probe.enter(world));
    const hangUp = await session.probe.stream();
    await world.makeHiddenThings();
    await asItMay(session, wish.seed);
    session.scan();
    await tellScenarios(session, scenarios);
    session.takeDeliveries();
    session.scan();
    await asItMayNot(session, wish.seed);
    await filterByHidden(session);
    if (session.recordings[0] !== undefined)
      await session.probe.call('DELETE', `/v1/sandbox/recordings/${session.recordings[0]}`);
    session.takeDeliveries();
    await hangUp();
    session.scan();
    met.worlds += 1;
    met.requests += session.probe.requests;
    return session.leaks;
  } finally {
    hidden.end();
    await world.stop();
  }
}

/** What is published for everybody, and what a client may read of the sandbox itself. */
const PUBLISHED = [
  '/openapi.json',
  '/openapi-3.0.json',
  '/v1/sandbox/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/docs/listAlerts',
  '/docs/schemas/Alert',
  '/docs/events',
  '/docs/problems',
  '/docs/search.json',
  ...inputsOf(PROBLEM_CODES, 8).map((code) => `/problems/${problemSlug(code)}`),
];
const OF_THE_SANDBOX = ['/v1/sandbox/actions', '/v1/sandbox/gaps', '/v1/sandbox/scenarios'];

test('what everybody may read tells of nobody who is in the default world', async () => {
  const sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    fleet: false,
    dataDir: `one-eye-default-${process.pid}`,
  });
  const { world } = sandbox.engine;
  const [, second] = sandbox.ready.clients;
  const own = world.need('client', second!.client_id).organizationId;
  const ofOthers = <T extends { readonly organizationId: string }>(all: Iterable<T>) =>
    [...all].filter((one) => one.organizationId !== own);
  const sites = ofOthers(world.all('site'));
  const words = [
    ...[...world.all('organization')].filter(({ id }) => id !== own).flatMap(({ id, name }) => [id, name]),
    ...ofOthers(world.all('client')).map(({ id }) => id),
    ...sites.flatMap(({ id, name }) => [id, name]),
    ...sites.flatMap(({ id }) =>
      world.indexes.zonesOfSite
        .of(id)
        .values()
        .flatMap((zone) => [zone.id, zone.name]),
    ),
    ...ofOthers(world.all('worker')).flatMap(({ id, name, externalId }) => [id, name, externalId ?? id]),
    ...ofOthers(world.all('device')).flatMap(({ id, serial }) => [id, serial]),
  ];
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: second!.client_id,
    client_secret: second!.client_secret,
  });
  const { access_token } = (await (
    await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body })
  ).json()) as { access_token: string };
  const leaks: string[] = [];
  for (const path of [...PUBLISHED, ...OF_THE_SANDBOX]) {
    const answer = await fetch(`${sandbox.ready.api_url}${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const text = await answer.text();
    expect([path, answer.status, text.length > 50]).toEqual([path, 200, true]);
    for (const word of words)
      if (
        text.includes(word) &&
        new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`).test(text)
      )
        leaks.push(`${path}: ${word}`);
  }
  await sandbox.stop();
  expect(words.length).toBeGreaterThan(300);
  expect(leaks).toEqual([]);
});

describe('in any world, a client', () => {
  const found = new Map<string, string>();
  for (const { row: kind, skip } of sampled(VIEWERS, VIEWERS.length))
    unless(skip).test(`a client that is ${kind} is shown nothing that it may not see, whatever it asks`, async () => {
      const worlds = fc.record({ seed: fc.nat({ max: 1_000_000 }), kind: fc.constant(kind), first: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(worlds, async (wish) => {
          const leaks = await leaksOf(wish, isWhole ? Math.ceil(60 / (2 * RUNS)) : 1);
          for (const [way, text] of leaks) found.set(`${kind} ${way}`, text);
          expect([...leaks].map(([way, text]) => `${way}\n    ${text}`)).toEqual([]);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
    });

  test('every action and route was tried, with secrets to keep', () => {
    expect([...met.actions].sort()).toEqual([...CLIENTS_OWN].sort());
    expect([...met.routes].sort()).toEqual(ROUTES.map(({ operationId }) => operationId).sort());
    expect([met.requests > (isWhole ? 1_000 : 300), met.secrets > 100, met.deliveries > 20]).toEqual([
      true,
      true,
      true,
    ]);
  });

  // The viewers share the scenarios.
  unless(withoutWhole).test('every scenario was tried', () => {
    expect([...met.scenarios].sort()).toEqual([...scenarioFiles(scenarioFolders()).keys()].sort());
  });

  afterAll(() => {
    if (process.env['ONE_EYE_REPORT'] === undefined) return;
    console.log([...found.keys()].sort().join('\n'));
    console.log({ ...met, actions: met.actions.size, scenarios: met.scenarios.size, routes: met.routes.size });
  });
});

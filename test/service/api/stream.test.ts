/** The stream: everything as it is, then each change as its viewer may see it, over breaks and slow readers. [decisions 4, 9] */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { check } from '../../../src/contract/check.ts';
import { StreamChange, StreamSnapshot } from '../../../src/contract/stream.ts';
import type { PersonTruth } from '../../../src/service/api/answers/person-truth.ts';
import { ChangeLog } from '../../../src/service/api/stream/change-log.ts';
import { StreamProjection } from '../../../src/service/api/stream/stream-projection.ts';
import { Subscriber } from '../../../src/service/api/stream/subscriber.ts';
import { TruthDiff } from '../../../src/service/api/stream/truth.ts';
import { newTicket } from '../../../src/service/domain/access/ticket.ts';
import { T0 } from '../domain/small-world.ts';
import { ApiHarness, CONTROL, type HarnessOptions } from './harness.ts';
import { addQuarry, QUARRY } from './second-company.ts';

interface StreamMessage {
  readonly id: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any event
  readonly data: any;
}

/** A client like `EventSource`. */
class Reader {
  readonly messages: StreamMessage[] = [];
  text = '';
  /** Settles when the server closes the stream. */
  ended: Promise<void> = Promise.resolve();
  readonly #abort = new AbortController();
  #waiting: { fits: (message: StreamMessage) => boolean; found: (message: StreamMessage) => void }[] = [];

  async open(harness: ApiHarness, token: string, headers: Record<string, string> = {}, query = ''): Promise<Response> {
    const answer = await fetch(`${harness.url}/v1/sandbox/stream${query}`, {
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      signal: this.#abort.signal,
    });
    this.ended = this.#read(answer).catch(() => {});
    return answer;
  }

  close(): void {
    this.#abort.abort();
  }

  /** The first match, received or to come. */
  next(fits: (message: StreamMessage) => boolean): Promise<StreamMessage> {
    const come = this.messages.find(fits);
    if (come !== undefined) return Promise.resolve(come);
    return new Promise((found) => this.#waiting.push({ fits, found }));
  }

  async #read(answer: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(bytes, { stream: true });
      this.text += text;
      rest += text;
      const parts = rest.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#take(part);
    }
  }

  #take(part: string): void {
    if (part.startsWith(':')) return;
    const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
    const message = { id: Number(fields.id), event: fields.event as string, data: JSON.parse(fields.data as string) };
    const shape = message.event === 'snapshot' ? StreamSnapshot : StreamChange;
    const checked = check(shape, message.data);
    if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
    this.messages.push(message);
    this.#waiting = this.#waiting.filter(({ fits, found }) => {
      if (!fits(message)) return true;
      found(message);
      return false;
    });
  }
}

let clock: Clock;
let harness: ApiHarness;
const readers: Reader[] = [];

async function begin(options: HarnessOptions = {}): Promise<void> {
  clock = lockstepClock({ start: T0 });
  clock.pause();
  harness = await ApiHarness.start({ ...options, clock });
}

async function reader(token: string, headers: Record<string, string> = {}, query = ''): Promise<Reader> {
  const made = new Reader();
  readers.push(made);
  expect((await made.open(harness, token, headers, query)).status).toBe(200);
  return made;
}

const snapshot = ({ event }: StreamMessage) => event === 'snapshot';
const about = (subject: string) => (message: StreamMessage) => message.data.subject === subject;
const resolve = (alertId: string) =>
  harness.engine.submit({
    type: 'update-alert',
    alertId,
    status: 'resolved',
    by: 'Desk',
    actor: 'Desk',
    reason: null,
    note: null,
  });

beforeEach(() => begin());
afterEach(async () => {
  for (const one of readers.splice(0)) one.close();
  await harness.stop();
});

describe('the stream', () => {
  test('begins with everything as it is, and then tells each change as GET shows it', async () => {
    const token = await harness.token();
    const one = await reader(token);
    const { data } = await one.next(snapshot);
    expect(data.workers.map(({ name }: { name: string }) => name)).toEqual(['Ana Ruiz', 'Luis Paz', 'Eva Mar']);
    expect(data.people[0]).toMatchObject({ location: { source: 'gps' }, location_withheld: false, muster: null });
    expect(data.sites[0]).toMatchObject({ name: 'Harbour plant', boundary: { type: 'Polygon' } });
    expect([data.alerts, data.musters, data.deliveries]).toEqual([[], [], []]);
    const id = await harness.sos(1);
    const change = await one.next(about('alert'));
    expect(change.data.alert).toEqual((await harness.call('GET', `/v1/alerts/${id}`, { token })).body);
    await resolve(id);
    await one.next(({ data: { alert } }) => alert?.status === 'resolved');
    const ids = one.messages.map((message) => message.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('carries each event as GET /v1/events lists it, after its object', async () => {
    const token = await harness.token();
    const [one, all] = [await reader(token), await reader(CONTROL)];
    await Promise.all([one.next(snapshot), all.next(snapshot)]);
    const id = await harness.sos(1);
    await one.next(about('event'));
    await resolve(id);
    const ended = (message: StreamMessage) => message.data.event?.type === 'alert.resolved';
    await Promise.all([one.next(ended), all.next(ended)]);
    const { data } = (await harness.call('GET', '/v1/events', { token })).body;
    for (const { messages } of [one, all])
      expect(messages.filter(about('event')).map((each) => each.data.event)).toEqual(data);
    const subjects = one.messages
      .map((message) => message.data.subject)
      .filter((name) => name === 'alert' || name === 'event');
    expect(subjects[0]).toBe('alert');
  });

  test('carries the events of a break, each once, but none of a test', async () => {
    const token = await harness.token();
    const one = await reader(token);
    const first = await one.next(snapshot);
    one.close();
    const body = { url: 'https://receiver.example/hook', event_types: ['alert.*'] };
    const made = (await harness.call('POST', '/v1/webhooks', { token, body })).body;
    await harness.call('POST', `/v1/webhooks/${made.id}/test`, { token });
    await resolve(await harness.sos(1));
    const again = await reader(token, { 'last-event-id': String(first.id) });
    await again.next((message) => message.data.event?.type === 'alert.resolved');
    const types = again.messages.filter(about('event')).map((message) => message.data.event.type);
    expect(types).toEqual(['alert.created', 'alert.resolved']);
  });

  test('goes on where it broke off, with what is other now and no more', async () => {
    const token = await harness.token();
    const one = await reader(token);
    const first = await one.next(snapshot);
    one.close();
    const id = await harness.sos(1);
    await resolve(id);
    const again = await reader(token, { 'last-event-id': String(first.id) });
    const change = await again.next(about('alert'));
    expect(change.data.alert.status).toBe('resolved');
    expect(again.messages.some(snapshot)).toBe(false);
    expect(again.messages.filter(about('alert'))).toHaveLength(1);
  });

  test.each([
    'expire',
    'revoke',
  ] as const)('ends with the token that opened it (%s), before anything more is sent', async (how) => {
    const token = await harness.token();
    const one = await reader(token);
    await one.next(snapshot);
    await harness.engine.submit({ type: 'end-tokens', clientId: 'harbour_co', how, at: clock.now() });
    const id = await harness.sos(1);
    await one.ended;
    expect(one.text).not.toContain(id);
    expect((await new Reader().open(harness, token)).status).toBe(401);
    expect(one.messages.filter(({ event }) => event !== 'snapshot')).toEqual([]);
  });

  test('begins anew for an id that it cannot know', async () => {
    const token = await harness.token();
    for (const id of ['17', '9999999999999999', 'x'])
      await (await reader(token, { 'last-event-id': id })).next(snapshot);
  });

  test('shows the newest muster of a site, in whatever order a restart has brought them back', async () => {
    const { world } = harness.small;
    const { siteId } = world.need('worker', harness.small.workerId(1));
    const written = { kind: 'general', reason: null, origin: null, deadline: null, by: 'Lead' } as const;
    const start = async () => {
      const { done } = (await harness.engine.submit({ type: 'start-muster', siteId, ...written })) as {
        done: { musterId: string };
      };
      return done.musterId;
    };
    const older = await start();
    await harness.engine.submit({ type: 'end-muster', musterId: older, outcome: 'completed', by: 'Lead' });
    await clock.advance(60_000);
    const newer = await start();
    const document = world.need('muster', older);
    world.remove('muster', older);
    world.put('muster', document);
    const { data } = await (await reader(await harness.token())).next(snapshot);
    expect(data.musters.map(({ id }: { id: string }) => id)).toEqual([newer]);
  });

  test('tells how everybody fares in a muster, and forgets it at its end', async () => {
    const one = await reader(await harness.token());
    await one.next(snapshot);
    const muster = { reason: null, origin: null, deadline: null, by: 'Lead' };
    const started = await harness.engine.submit({
      type: 'start-muster',
      siteId: harness.small.world.need('worker', harness.small.workerId(1)).siteId,
      kind: 'general',
      ...muster,
    });
    if (started.rejected) throw new Error(started.detail);
    const musterId = started.done.musterId as string;
    const person = (status: string | null) => (message: StreamMessage) =>
      message.data.people?.some(
        (who: { muster: { status: string } | null }) => (who.muster?.status ?? null) === status,
      );
    await one.next(({ data }) => data.muster?.status === 'active');
    await one.next(person('pending'));
    one.messages.length = 0;
    await harness.engine.submit({ type: 'end-muster', musterId, outcome: 'completed', by: 'Lead' });
    await one.next(({ data }) => data.muster?.status === 'completed');
    await one.next(person(null));
  });

  test('tells how a delivery ended, though nothing is kept of it', async () => {
    const token = await harness.token();
    const [mine, blind] = [await reader(token), await reader(await harness.token('alerts:read'))];
    await Promise.all([mine.next(snapshot), blind.next(snapshot)]);
    const url = 'https://receiver.example/hook';
    const made = await harness.call('POST', '/v1/webhooks', { token, body: { url, event_types: ['alert.*'] } });
    await harness.sos(1);
    const { data } = await mine.next(about('delivery'));
    expect(data.delivery).toMatchObject({ state: 'waiting', tries: 0, last_error: null, took_ms: null });
    const { id, event_id, event_type } = data.delivery;
    const attempt = { status: 204, deliveryId: id, attemptedAt: clock.now(), delivered: true };
    await harness.engine.submit({ type: 'settle-delivery', ...attempt });
    harness.engine.notify({
      kind: 'delivery-attempted',
      at: data.at,
      delivery_id: id,
      event_id,
      event_type,
      object_id: id,
      destination_id: made.body.id,
      url,
      try: 1,
      offset_ms: 0,
      result: 'delivered',
      status: 204,
      error: null,
      signatures: 1,
      took_ms: 12.5,
    });
    const ended = await mine.next((message) => message.data.delivery?.state === 'delivered');
    expect(ended.data.delivery).toEqual({
      ...data.delivery,
      state: 'delivered',
      tries: 1,
      last_status: 204,
      took_ms: 12.5,
      next_attempt_at: null,
      ended_at: data.at,
    });
    await harness.sos(2);
    await blind.next(about('alert'));
    expect(blind.messages.some(about('delivery'))).toBe(false);
  });

  test('tells that the clock was turned, and does not keep it from going on', async () => {
    const one = await reader(CONTROL);
    await one.next(snapshot);
    const { body } = await harness.call('POST', '/v1/sandbox/clock', { token: CONTROL, body: { advance: '1h' } });
    const change = await one.next(about('clock'));
    expect(change.data.clock.now).toBe(body.now);
  });

  test('once: only the snapshot, and then the end', async () => {
    const answer = await fetch(`${harness.url}/v1/sandbox/stream?once=true`, {
      headers: { authorization: `Bearer ${CONTROL}` },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect((await answer.text()).match(/^event: /gm)).toHaveLength(1);
    const { status, body } = await harness.call('GET', '/v1/sandbox/stream', { token: null });
    expect([status, body.code]).toEqual([401, 'invalid_token']);
  });
});

describe('what a viewer may not see never leaves', () => {
  test('another company, in the snapshot or later', async () => {
    addQuarry(harness.small);
    harness.small.world.commit();
    const [mine, all] = [await reader(await harness.token()), await reader(CONTROL)];
    await Promise.all([mine.next(snapshot), all.next(snapshot)]);
    await harness.engine.submit({ type: 'panel-sos', workerId: QUARRY.worker, by: 'Desk' });
    await harness.sos(1);
    await mine.next(about('alert'));
    await all.next(({ data }) => data.alert?.worker?.id === QUARRY.worker);
    for (const word of [QUARRY.organization, QUARRY.site, QUARRY.worker, QUARRY.workerName, QUARRY.serial])
      expect(mine.text).not.toContain(word);
    expect(all.text).toContain(QUARRY.workerName);
  });

  test('workers of other contractors; a name without the contract, from the moment that it changes', async () => {
    await harness.stop();
    await begin({ client: { contractors: ['Norte SL'] } });
    const one = await reader(await harness.token());
    expect((await one.next(snapshot)).data.workers).toHaveLength(1);
    await harness.sos(1);
    await harness.sos(2);
    const { data } = await one.next(about('alert'));
    expect(data.alert.worker.name).toBe('Luis Paz');
    expect((await one.next(about('event'))).data.event.data.alert.id).toBe(data.alert.id);
    expect(one.messages.filter(about('event'))).toHaveLength(1);
    expect(one.text).not.toContain('Ana Ruiz');
    expect(one.text).not.toContain(harness.small.workerId(1));
    one.text = '';
    await harness.engine.submit({ type: 'change-contract', clientId: 'harbour_co', includeWorkerNames: false });
    await one.next(about('worker'));
    await resolve(data.alert.id);
    await one.next((message) => message.data.alert?.status === 'resolved');
    expect(one.text).not.toContain('Luis Paz');
  });

  test('the position of a worker on a site in on_demand mode is sent only while an alert lifts the veil', async () => {
    await harness.stop();
    await begin({ site: { privacyMode: 'on_demand' } });
    const one = await reader(await harness.token());
    const { data } = await one.next(snapshot);
    expect(data.people[0]).toMatchObject({ location: null, location_withheld: true });
    const located = (is: boolean) => (message: StreamMessage) =>
      message.data.people?.some((who: { location: object | null }) => (who.location !== null) === is);
    const id = await harness.sos(1);
    await one.next(located(true));
    one.messages.length = 0;
    await resolve(id);
    await one.next(located(false));
  });

  test('what the scopes of the token leave out', async () => {
    const one = await reader(await harness.token('alerts:read'));
    const { data } = await one.next(snapshot);
    expect([data.workers, data.people, data.destinations, data.musters]).toEqual([[], [], [], []]);
    await harness.sos(1);
    await one.next(about('alert'));
    expect(one.messages.some(about('person'))).toBe(false);
    const blind = await reader(await harness.token('musters:read'));
    await blind.next(snapshot);
    await harness.sos(2);
    await one.next(about('event'));
    const { siteId } = harness.small.world.need('worker', harness.small.workerId(1));
    const muster = { siteId, kind: 'general', reason: null, origin: null, deadline: null, by: 'Lead' } as const;
    await harness.engine.submit({ type: 'start-muster', ...muster });
    expect((await blind.next(about('event'))).data.event.type).toBe('muster.started');
    expect(one.messages.filter(about('event')).every((message) => message.data.event.type === 'alert.created')).toBe(
      true,
    );
  });
});

describe('ground truth', () => {
  const at = (n: number, change: Partial<PersonTruth> = {}): PersonTruth => ({
    workerId: harness.small.workerId(n),
    latitude: 43.36123456,
    longitude: -8.4,
    heightM: null,
    floor: null,
    zone: 'Tank farm',
    inVehicle: false,
    worn: true,
    activity: 'walking',
    ...change,
  });

  async function beginWithTruth(): Promise<{ truth: PersonTruth[] }> {
    await harness.stop();
    const known: { truth: PersonTruth[] } = { truth: [] };
    await begin({ truth: () => known.truth });
    known.truth = [at(1), at(2)];
    return known;
  }

  test('is sent only where it was asked for', async () => {
    await beginWithTruth();
    for (const query of ['', '?truth=false']) {
      const one = await reader(CONTROL, {}, query);
      expect((await one.next(snapshot)).data).not.toHaveProperty('truth');
      await harness.sos(1);
      await one.next(about('alert'));
      expect(one.text).not.toMatch(/truth|43\.3612|Tank farm/);
    }
  });

  test('is never for a client, whatever its scopes', async () => {
    await beginWithTruth();
    const token = await harness.token();
    const { status, body } = await harness.call('GET', '/v1/sandbox/stream?truth=true', { token });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(JSON.stringify(body)).not.toContain('43.36');
    const ticket = newTicket(CONTROL, clock.wall());
    expect((await fetch(`${harness.url}/v1/sandbox/stream?truth=true&ticket=${ticket}`)).status).toBe(403);
  });

  test('comes whole first, and anew after a break', async () => {
    await beginWithTruth();
    const one = await reader(CONTROL, {}, '?truth=true');
    const first = await one.next(snapshot);
    expect(first.data.truth).toEqual([
      {
        worker_id: harness.small.workerId(1),
        latitude: 43.3612346,
        longitude: -8.4,
        height_m: null,
        floor: null,
        zone: 'Tank farm',
        in_vehicle: false,
        worn: true,
        activity: 'walking',
      },
      expect.objectContaining({ worker_id: harness.small.workerId(2) }),
    ]);
    one.close();
    const again = await reader(CONTROL, { 'last-event-id': String(first.id) }, '?truth=true');
    expect((await again.next(about('truth'))).data.truth).toHaveLength(2);
    expect(again.messages.some(snapshot)).toBe(false);
  });

  test('then tells who moved, once a second, and who is no more', async () => {
    const known = await beginWithTruth();
    const hand = byHand();
    const written: string[] = [];
    const eye = new StreamProjection(harness.engine.world, { panelUrl: '' }, () => ({ viewer: null, scopes: [] }));
    const sink = { write: (text: string) => written.push(text) > 0, onDrain: () => {} };
    const log = new ChangeLog(harness.engine, clock);
    const subscriber = new Subscriber(log, eye, hand.clock, sink, new TruthDiff(() => known.truth));
    subscriber.begin(null);
    hand.play(5_000);
    expect(written).toHaveLength(1);
    known.truth = [at(1), at(2, { longitude: -8.5, floor: '2', heightM: 6.04 })];
    hand.play(900);
    expect(written).toHaveLength(1);
    hand.play(100);
    expect(written).toHaveLength(2);
    expect(written[1]).toMatch(/^event: change\ndata: /);
    expect(JSON.parse(written[1]!.split('data: ')[1]!)).toMatchObject({
      subject: 'truth',
      truth: [{ worker_id: harness.small.workerId(2), longitude: -8.5, floor: '2', height_m: 6 }],
    });
    known.truth = known.truth.slice(1);
    hand.play(1_000);
    expect(written[2]).toContain(`"gone":"${harness.small.workerId(1)}"`);
    subscriber.end();
    known.truth = [];
    hand.play(5_000);
    expect(written).toHaveLength(3);
  });
});

/** A clock with manual wall timers. */
function byHand(): { clock: Clock; play: (ms: number) => void } {
  const timers: { due: number; task: () => void }[] = [];
  let now = 0;
  const afterWall = (ms: number, task: () => void) => {
    const timer = { due: now + ms, task };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
  };
  const play = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const [next] = timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      now = next.due;
      next.task();
    }
    now = until;
  };
  const made = { now: () => clock.now(), state: () => clock.state(), afterWall };
  return { clock: made as unknown as Clock, play };
}

describe('a reader', () => {
  test('of a run at a pace receives its time twice a second, since the run can fall behind', () => {
    const hand = byHand();
    const written: string[] = [];
    const { engine } = harness;
    const eye = new StreamProjection(engine.world, { panelUrl: 'http://127.0.0.1/panel' }, () => ({
      viewer: null,
      scopes: [],
    }));
    const sink = { write: (text: string) => written.push(text) > 0, onDrain: () => {} };
    const times = (mode: string): number => {
      written.length = 0;
      const subscriber = new Subscriber(new ChangeLog(engine, clock), eye, { ...hand.clock, mode } as Clock, sink);
      subscriber.begin(null);
      hand.play(2_000);
      subscriber.end();
      hand.play(2_000);
      return written.filter((text) => text.includes('"subject":"clock"')).length;
    };
    expect([times('lockstep'), times('real')]).toEqual([4, 0]);
  });

  test('a silent reader receives a ping every 15 s, and a full one gets the newest state when it has read', async () => {
    const hand = byHand();
    const written: string[] = [];
    let [full, drained, waits] = [false, () => {}, 0];
    const { engine } = harness;
    const look = () => ({ viewer: null, scopes: [] });
    const eye = new StreamProjection(engine.world, { panelUrl: 'http://127.0.0.1/panel' }, look);
    const subscriber = new Subscriber(new ChangeLog(engine, clock), eye, hand.clock, {
      write: (text) => {
        written.push(text);
        return !full;
      },
      onDrain: (then) => {
        waits += 1;
        drained = then;
      },
    });
    subscriber.begin(null);
    hand.play(30_000);
    expect(written.filter((text) => text === ': ping\n\n')).toHaveLength(2);
    full = true;
    const id = await harness.sos(1);
    hand.play(100);
    const before = written.length;
    await resolve(id);
    hand.play(60_000);
    expect(written).toHaveLength(before);
    expect(waits).toBe(1);
    full = false;
    drained();
    hand.play(100);
    const alerts = written.slice(before).flatMap((text) => text.match(/^data: \{"subject":"alert".*/gm) ?? []);
    expect(alerts).toEqual([expect.stringContaining('"status":"resolved"')]);
    subscriber.end();
    hand.play(60_000);
    expect(written).toHaveLength(before + 1);
  });

  test('a reader that reads nothing for a long time gets the newest 1,000 events', async () => {
    const hand = byHand();
    const written: string[] = [];
    let [full, drained] = [false, () => {}];
    const { engine } = harness;
    const log = new ChangeLog(engine, clock);
    const eye = new StreamProjection(engine.world, { panelUrl: '' }, () => ({ viewer: null, scopes: [] }), { log });
    const subscriber = new Subscriber(log, eye, hand.clock, {
      write: (text) => written.push(text) > 0 && !full,
      onDrain: (then) => {
        drained = then;
      },
    });
    subscriber.begin(null);
    const one = await reader(CONTROL);
    await harness.sos(1);
    const { event } = (await one.next(about('event'))).data;
    full = true;
    hand.play(100);
    const at = event.created_at;
    for (let n = 0; n < 1_100; n += 1)
      engine.notify({ kind: 'event-occurred', at, event: { ...event, id: `${n}` }, listed: true });
    full = false;
    drained();
    hand.play(100);
    const ids = [...written.join('').matchAll(/"event":\{"id":"(\d+)"/g)].map(([, id]) => Number(id));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 100, 1_099]);
    expect(log.since(log.newest - 1_100)?.length).toBe(1_000);
    subscriber.end();
  });
});

describe('a page of the panel', () => {
  const ticketed = async (ticket: string, headers: Record<string, string> = {}) => {
    const made = new Reader();
    readers.push(made);
    return { made, answer: await made.open(harness, '', headers, `?ticket=${ticket}`) };
  };

  test('watches with a ticket: all companies, with names, and the answer is packed for whoever unpacks', async () => {
    const { made, answer } = await ticketed(newTicket(CONTROL, clock.wall()));
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    const { data } = await made.next(snapshot);
    expect(data.workers[0].name).toBe('Ana Ruiz');
    await harness.sos(1);
    await made.next(about('alert'));
  });

  test('sees no more than a panel user: the veil of an on-demand site hides people from it', async () => {
    await harness.stop();
    await begin({ site: { privacyMode: 'on_demand' } });
    const { made } = await ticketed(newTicket(CONTROL, clock.wall()));
    const { data } = await made.next(snapshot);
    expect(data.people[0]).toMatchObject({ location: null, location_withheld: true });
  });

  test('opens nothing else with it, and nothing once it has ended or was written by somebody else', async () => {
    const good = newTicket(CONTROL, clock.wall());
    const ended = newTicket(CONTROL, clock.wall() - 13 * 60 * 60_000);
    const foreign = newTicket('another_control_token', clock.wall());
    const [until, signature] = good.split('_') as [string, string];
    const later = `${(Number.parseInt(until, 36) + 1).toString(36)}_${signature}`;
    for (const ticket of [ended, foreign, later, `0${good}`, 'nothing', '', '_'])
      expect([ticket, (await ticketed(ticket)).answer.status]).toEqual([ticket, 401]);
    for (const path of ['/v1/alerts', '/v1/sandbox/actions', '/v1/sandbox/requests'])
      expect([path, (await fetch(`${harness.url}${path}?ticket=${good}`)).status]).toEqual([path, 401]);
    await harness.engine.flush();
    const rows = JSON.stringify(await harness.store.requests({ limit: 50 }));
    expect(rows).not.toContain(signature);
  });
});

/** What any store must do with its append-only logs; a part of the conformance suite. */
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../src/service/domain/world/documents.ts';
import type { AttemptQuery, EventQuery, Store } from '../../../src/service/engine/store-port.ts';
import { attemptOf, batchOf, documentOf, eventOf, loaded, recordsOf, requestOf, START } from './samples.ts';

/** The sentences about the log of events. */
export function eventLog(store: () => Store): void {
  const walk = async (query: Partial<EventQuery>): Promise<string[]> =>
    (await store().events({ organizationId: 'org-1', limit: 100, ...query })).map(({ id }) => id);
  const write = (...events: EventRecord[]): Promise<void> => store().commit(batchOf({ events }));

  it('walks the events by creation and then id, in whatever order they were written', async () => {
    await write(eventOf('c', START + 5), eventOf('b', START + 5), eventOf('z', START));
    await write(eventOf('a', START + 6), eventOf('y', START - 1));
    expect(await walk({})).toEqual(['y', 'z', 'b', 'c', 'a']);
  });

  it('gives an event back as it was rendered', async () => {
    const event = eventOf('e', START, { contractor: '"O\'Neil" & Söhne 🏗', type: 'muster.started' });
    await write(event);
    expect(await store().event('e')).toEqual(event);
    expect(await store().events({ organizationId: 'org-1', limit: 1 })).toEqual([event]);
  });

  it('knows an unlisted event by its id and shows it in no walk', async () => {
    const test = eventOf('test', START, { listed: false });
    await write(test, eventOf('real', START));
    expect(await walk({})).toEqual(['real']);
    expect(await store().event('test')).toEqual(test);
    expect(await store().event('nobody')).toBeNull();
  });

  it('keeps events that were hidden from the client when they occurred, and shows them only to the sandbox itself', async () => {
    const hidden = eventOf('hidden', START, { hidden: true });
    await write(hidden, eventOf('seen', START));
    expect(await walk({})).toEqual(['hidden', 'seen']);
    expect(await walk({ seen: true })).toEqual(['seen']);
    expect(await store().event('hidden')).toEqual(hidden);
  });

  it('shows the events of one organization only', async () => {
    await write(eventOf('ours', START), eventOf('theirs', START, { organizationId: 'org-2' }));
    expect(await walk({})).toEqual(['ours']);
    expect(await walk({ organizationId: 'org-2' })).toEqual(['theirs']);
    expect(await walk({ organizationId: 'org-3' })).toEqual([]);
  });

  it('filters by types and by sites', async () => {
    await write(
      eventOf('a', START, { type: 'alert.created' }),
      eventOf('b', START, { type: 'alert.resolved', siteId: 'site-2' }),
      eventOf('c', START, { type: 'muster.started', siteId: 'site-2' }),
    );
    expect(await walk({ types: ['alert.resolved', 'muster.started'] })).toEqual(['b', 'c']);
    expect(await walk({ types: [] })).toEqual([]);
    expect(await walk({ siteIds: ['site-2'] })).toEqual(['b', 'c']);
    expect(await walk({ siteIds: ['site-1', 'site-2', 'site-9'] })).toEqual(['a', 'b', 'c']);
    expect(await walk({ siteIds: [] })).toEqual([]);
    expect(await walk({ siteIds: ['site-2'], types: ['alert.created', 'alert.resolved'] })).toEqual(['b']);
  });

  it('shows a scoped reader its contractors and what belongs to none', async () => {
    await write(
      eventOf('everybody', START),
      eventOf('acme', START, { contractor: 'Acme' }),
      eventOf('lower', START, { contractor: 'acme' }),
      eventOf('other', START, { contractor: 'Other' }),
    );
    expect(await walk({})).toEqual(['acme', 'everybody', 'lower', 'other']);
    expect(await walk({ contractors: ['Acme', 'Nobody'] })).toEqual(['acme', 'everybody']);
    expect(await walk({ contractors: [] })).toEqual(['everybody']);
    expect(await walk({ contractors: ['Other'], siteIds: ['site-9'] })).toEqual([]);
  });

  it('takes the earlier bound as inclusive and the later one as exclusive', async () => {
    await write(eventOf('a', START), eventOf('b', START + 1), eventOf('c', START + 2));
    expect(await walk({ createdAfter: START + 1 })).toEqual(['b', 'c']);
    expect(await walk({ createdBefore: START + 1 })).toEqual(['a']);
    expect(await walk({ createdAfter: START + 1, createdBefore: START + 2 })).toEqual(['b']);
    expect(await walk({ createdAfter: START + 1, createdBefore: START + 1 })).toEqual([]);
  });

  it('goes on behind a record, not at it, also among records of one instant', async () => {
    await write(eventOf('a', START), eventOf('b', START), eventOf('c', START), eventOf('a2', START + 1));
    expect(await walk({ after: { createdAt: START, id: 'b' } })).toEqual(['c', 'a2']);
    expect(await walk({ after: { createdAt: START, id: 'bb' } })).toEqual(['c', 'a2']);
    expect(await walk({ after: { createdAt: START + 1, id: 'a2' } })).toEqual([]);
    expect(await walk({ after: { createdAt: START, id: 'a' }, createdBefore: START + 1 })).toEqual(['b', 'c']);
  });

  it('walks from the newest back, and goes on before a record', async () => {
    await write(eventOf('a', START), eventOf('b', START), eventOf('c', START), eventOf('a2', START + 1));
    expect(await walk({ newestFirst: true })).toEqual(['a2', 'c', 'b', 'a']);
    expect(await walk({ newestFirst: true, after: { createdAt: START, id: 'c' } })).toEqual(['b', 'a']);
    expect(await walk({ newestFirst: true, after: { createdAt: START, id: 'a' } })).toEqual([]);
    expect(await walk({ newestFirst: true, createdAfter: START + 1 })).toEqual(['a2']);
  });

  it('misses and repeats nothing on a walk by pages while new events come', async () => {
    await write(...Array.from({ length: 10 }, (_, n) => eventOf(`first-${n}`, START + (n >> 1))));
    const seen: string[] = [];
    let after: EventQuery['after'];
    for (let page = 0; page < 20; page++) {
      const found = await store().events({ organizationId: 'org-1', limit: 3, ...(after ? { after } : {}) });
      if (found.length === 0) break;
      seen.push(...found.map(({ id }) => id));
      after = { createdAt: found.at(-1)!.createdAt, id: found.at(-1)!.id };
      if (page < 4) await write(eventOf(`later-${page}`, START + 100 + page));
    }
    const first = Array.from({ length: 10 }, (_, n) => `first-${n}`);
    expect(seen).toEqual([...first, 'later-0', 'later-1', 'later-2', 'later-3']);
  });
}

/** The sentences about attempts and requests, and about forgetting. */
export function otherLogs(store: () => Store): void {
  it('shows attempts with the newest first, by organization, event, destination, or all of them', async () => {
    const one = attemptOf('one');
    const two = attemptOf('two', { eventId: 'event-2', destinationId: 'destination-2' });
    const three = attemptOf('three', { eventId: 'event-2', outcome: 'delivered', status: 204, error: null });
    const theirs = attemptOf('theirs', { organizationId: 'org-2' });
    await store().commit(batchOf({ attempts: [one, two] }));
    await store().commit(batchOf({ attempts: [three, theirs] }));
    expect(recordsOf(await store().attempts({ limit: 10 }))).toEqual([theirs, three, two, one]);
    expect(recordsOf(await store().attempts({ limit: 2 }))).toEqual([theirs, three]);
    expect(recordsOf(await store().attempts({ organizationId: 'org-1', limit: 10 }))).toEqual([three, two, one]);
    expect(recordsOf(await store().attempts({ eventId: 'event-2', limit: 10 }))).toEqual([three, two]);
    expect(recordsOf(await store().attempts({ destinationId: 'destination-1', limit: 10 }))).toEqual([
      theirs,
      three,
      one,
    ]);
    const all = { organizationId: 'org-1', eventId: 'event-2', destinationId: 'destination-1', limit: 10 };
    expect(recordsOf(await store().attempts(all))).toEqual([three]);
  });

  it('finds attempts by the type of the event, and by the alerts and musters that events are about', async () => {
    const events = [
      eventOf('e-1', START, { objectId: 'alert-1', type: 'alert.created' }),
      eventOf('e-2', START + 1, { objectId: 'alert-2', type: 'alert.created' }),
      eventOf('e-3', START + 2, { objectId: 'alert-1', type: 'alert.resolved' }),
    ];
    const attempts = events.map(({ id, type }) => attemptOf(`of-${id}`, { eventId: id, eventType: type }));
    await store().commit(batchOf({ events, attempts }));
    const found = async (query: Omit<AttemptQuery, 'limit'>) =>
      (await store().attempts({ ...query, limit: 10 })).map(({ id }) => id);
    expect(await found({ eventType: 'alert.created' })).toEqual(['of-e-2', 'of-e-1']);
    expect(await found({ objectIds: ['alert-1'] })).toEqual(['of-e-3', 'of-e-1']);
    expect(await found({ objectIds: ['alert-1', 'alert-2'], eventType: 'alert.created' })).toEqual([
      'of-e-2',
      'of-e-1',
    ]);
    expect(await found({ objectIds: [] })).toEqual([]);
    const byId = await store().eventsById(['e-3', 'e-1', 'none']);
    expect(byId.map(({ id }) => id).sort()).toEqual(['e-1', 'e-3']);
    expect(await store().eventsById([])).toEqual([]);
  });

  it('goes on with older attempts and requests from a row, whatever was written meanwhile', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await store().commit(
      batchOf({ attempts: names.map((id) => attemptOf(id)), requests: names.map((id) => requestOf(id)) }),
    );
    for (const log of ['attempts', 'requests'] as const) {
      const first = await store()[log]({ limit: 2 });
      expect(first.map(({ id }) => id)).toEqual(['four', 'three']);
      await store().commit(batchOf({ [log]: [log === 'attempts' ? attemptOf('late') : requestOf('late')] }));
      const rest = await store()[log]({ before: first.at(-1)!.seq, limit: 10 });
      expect(rest.map(({ id }) => id)).toEqual(['two', 'one']);
    }
  });

  it('shows requests with the newest first, of one organization or of all and nobody', async () => {
    const ours = requestOf('ours');
    const nobodys = requestOf('nobodys', { organizationId: null, status: 401, code: 'missing_token' });
    const theirs = requestOf('theirs', { organizationId: 'org-2' });
    const again = requestOf('again');
    await store().commit(batchOf({ requests: [ours, nobodys, theirs, again] }));
    expect(recordsOf(await store().requests({ limit: 10 }))).toEqual([again, theirs, nobodys, ours]);
    expect(recordsOf(await store().requests({ limit: 1 }))).toEqual([again]);
    expect(recordsOf(await store().requests({ organizationId: 'org-1', limit: 10 }))).toEqual([again, ours]);
  });

  it('forgets of each log, and of the heard messages, exactly what is older than its bound', async () => {
    const times = [START - 1, START, START + 1];
    const uplinks = times.map((at, n) => ({
      kind: 'heard' as const,
      id: `heard-${n}`,
      document: { id: `heard-${n}`, at, content: '' },
    }));
    await store().commit(
      batchOf({
        puts: [...uplinks, { kind: 'prompt', id: 'p', document: { ...documentOf('prompt', 'p') } }],
        events: times.map((at, n) => eventOf(`event-${n}`, at, { listed: n !== 0 })),
        attempts: times.map((at, n) => attemptOf(`attempt-${n}`, { at })),
        requests: times.map((at, n) => requestOf(`request-${n}`, { at })),
      }),
    );
    const bounds = {
      eventsBefore: START,
      attemptsBefore: START + 1,
      requestsBefore: START - 1,
      uplinksBefore: START + 1,
    };
    expect(await store().prune(bounds)).toBe(1 + 2 + 0 + 2);
    expect((await store().events({ organizationId: 'org-1', limit: 9 })).map(({ id }) => id)).toEqual([
      'event-1',
      'event-2',
    ]);
    expect(await store().event('event-0')).toBeNull();
    expect((await store().attempts({ limit: 9 })).map(({ id }) => id)).toEqual(['attempt-2']);
    expect(await store().requests({ limit: 9 })).toHaveLength(3);
    expect((await loaded(store(), 'heard')).map(({ id }) => id)).toEqual(['heard-2']);
    expect(await loaded(store(), 'prompt')).toHaveLength(1);
    expect(await store().prune(bounds)).toBe(0);
  });

  it('forgets many rows in one prune, with transactions in between', async () => {
    const events = Array.from({ length: 4_100 }, (_, n) => eventOf(`old-${n}`, START + n, { body: '{}' }));
    await store().commit(batchOf({ events }));
    const pruning = store().prune({
      eventsBefore: START + 4_099,
      attemptsBefore: 0,
      requestsBefore: 0,
      uplinksBefore: 0,
    });
    await store().commit(batchOf({ events: [eventOf('new', START + 9_000)] }));
    expect(await pruning).toBe(4_099);
    expect((await store().events({ organizationId: 'org-1', limit: 9 })).map(({ id }) => id)).toEqual([
      'old-4099',
      'new',
    ]);
  });
}

/** Which deliveries an event made, and where its bytes come from: kept for the first attempt, read from the store for later ones. [spec 6.2] */
import { describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/base/instants.ts';
import type { Event } from '../../src/contract/events.ts';
import type { Delivery, Destination } from '../../src/domain/world/documents.ts';
import { World } from '../../src/domain/world/world.ts';
import { EventsTold } from '../../src/webhooks/events-told.ts';
import { START } from './small-world.ts';

function plant() {
  const world = new World();
  for (const id of ['erp', 'backup']) world.put('destination', { id, organizationId: 'org' } as Destination);
  const wait = (event: string, destinationId: string, part: Partial<Delivery> = {}): string => {
    const id = `${event} to ${destinationId}`;
    const due = { eventAt: START, due: START, slot: 0, tries: 0 };
    const state = { eventType: 'alert.created', state: 'waiting', lastStatus: null, priority: 2 } as const;
    world.put('delivery', { id, eventId: event, destinationId, ...due, ...state, ...part });
    return id;
  };
  const asked: string[] = [];
  const told = new EventsTold({
    event: async (id) => {
      asked.push(id);
      return id === 'unknown' ? null : ({ id, type: 'alert.created', objectId: 'a', body: 'stored' } as never);
    },
  });
  const hear = (event: Event) =>
    told
      .hear(world, event)
      .map(({ id }) => id)
      .sort();
  return { world, wait, told, hear, asked };
}

const event = (id: string, at = START, data: object = { alert: { id: `alert of ${id}` } }): Event =>
  ({ id, type: 'alert.created', created_at: formatInstant(at), data }) as Event;

describe('an event', () => {
  test('is heard with its own deliveries: of every destination and priority, and none of another event or time', () => {
    const { wait, hear } = plant();
    const own = [wait('one', 'erp'), wait('one', 'backup', { priority: 0 })];
    // Of the same instant and priority, before and after it in the order of ids; of other instants and priorities.
    for (const other of ['nul', 'zed']) wait(other, 'erp');
    wait('late', 'erp', { eventAt: START + 1 });
    wait('early', 'erp', { eventAt: START - 1 });
    wait('urgent', 'erp', { priority: 0 });
    expect(hear(event('one'))).toEqual([...own].sort());
    expect(hear(event('late', START + 1))).toEqual(['late to erp']);
    expect(hear(event('late', START))).toEqual([]);
  });

  test('that somebody waits for is kept, with the bytes that all its deliveries carry', async () => {
    const { wait, hear, told, asked } = plant();
    wait('one', 'erp');
    const one = event('one');
    hear(one);
    expect(await told.find('one')).toEqual({
      id: 'one',
      type: 'alert.created',
      objectId: 'alert of one',
      body: JSON.stringify(one),
    });
    wait('two', 'erp');
    hear(event('two', START, { muster: { id: 'm' } }));
    expect(await told.find('two')).toMatchObject({ objectId: 'm' });
    expect(asked).toEqual([]);
  });

  test('that nobody waits for is not kept, and what the store does not have is a mistake', async () => {
    const { hear, told, asked } = plant();
    hear(event('one'));
    expect(await told.find('one')).toMatchObject({ body: 'stored' });
    await expect(told.find('unknown')).rejects.toThrow('not in the store');
    expect(asked).toEqual(['one', 'unknown']);
  });

  test('is kept among the last thousand', async () => {
    const { wait, hear, told, asked } = plant();
    for (let n = 0; n <= 1_000; n++) {
      wait(`e${n}`, 'erp');
      hear(event(`e${n}`));
    }
    await told.find('e1');
    await told.find('e1000');
    expect(asked).toEqual([]);
    await told.find('e0');
    expect(asked).toEqual(['e0']);
  });
});

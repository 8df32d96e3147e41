/** Where a delivery's bytes come from: memory for the first attempt, the store for later ones. [spec 6.2] */
import { describe, expect, test } from 'vitest';
import { type DeliveredEvent, EventBodies } from '../../../src/service/webhooks/event-bodies.ts';

function setUp() {
  const requested: string[] = [];
  const bodies = new EventBodies({
    event: async (id) => {
      requested.push(id);
      return id === 'unknown' ? null : ({ id, type: 'alert.created', objectId: 'a', body: 'stored' } as never);
    },
  });
  return { bodies, requested };
}

const event = (id: string): DeliveredEvent => ({
  id,
  type: 'alert.created',
  objectId: `alert of ${id}`,
  body: id,
  listed: true,
});

describe('an event', () => {
  test('an event that was kept is found with the bytes that all its deliveries carry', async () => {
    const { bodies, requested } = setUp();
    bodies.keep(event('one'));
    expect(await bodies.find('one')).toEqual(event('one'));
    expect(requested).toEqual([]);
  });

  test('an event that was not kept is read from the store, and one that the store does not have is a mistake', async () => {
    const { bodies, requested } = setUp();
    expect(await bodies.find('one')).toMatchObject({ body: 'stored' });
    await expect(bodies.find('unknown')).rejects.toThrow('not in the store');
    expect(requested).toEqual(['one', 'unknown']);
  });

  test('is kept among the last thousand', async () => {
    const { bodies, requested } = setUp();
    for (let n = 0; n <= 1_000; n++) bodies.keep(event(`e${n}`));
    await bodies.find('e1');
    await bodies.find('e1000');
    expect(requested).toEqual([]);
    await bodies.find('e0');
    expect(requested).toEqual(['e0']);
  });
});

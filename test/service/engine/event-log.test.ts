/** The newest events, for the sandbox's own tools. */
import { expect, test } from 'vitest';
import type { Event } from '../../../src/contract/events.ts';
import { EventLog } from '../../../src/service/engine/event-log.ts';

const AT = '2026-10-05T06:00:00.000Z';
const event = (n: number) => ({ id: String(n) }) as unknown as Event;

test('the last thousand are kept, the newest first, without test events', () => {
  const log = new EventLog();
  for (let n = 1; n <= 1_200; n++) log.take({ kind: 'event-occurred', at: AT, event: event(n), listed: n !== 1_150 });
  log.take({ kind: 'watch-online', at: AT, serial: 'SIM-1' });
  expect(log.newest(3).map(({ id }) => id)).toEqual(['1200', '1199', '1198']);
  const all = log.newest(5_000).map(({ id }) => id);
  expect(all).toHaveLength(1_000);
  expect(all).not.toContain('1150');
});

test('the events after a time are the newest of those that a viewer sees, the oldest first', () => {
  const log = new EventLog();
  const at = (n: number): string => `2026-10-05T06:00:${String(n).padStart(2, '0')}.000Z`;
  for (let n = 0; n < 60; n++)
    log.take({ kind: 'event-occurred', at: AT, event: { ...event(n), created_at: at(n) }, listed: true });
  const isEven = ({ id }: Event): boolean => Number(id) % 2 === 0;
  const since = (n: number, most: number) => log.since(Date.parse(at(n)), most, isEven).map(({ id }) => id);
  expect(since(54, 200)).toEqual(['56', '58']);
  expect(since(10, 3)).toEqual(['54', '56', '58']);
});

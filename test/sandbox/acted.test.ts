/** How an action of a watch is answered: done, kept by the watch, not possible now, or not kept by the disk. [decisions 9] */
import { expect, it } from 'vitest';
import { acted } from '../../src/sandbox/actions/acting.ts';
import type { Actor } from '../../src/sandbox/actions/find.ts';

const actor = { worker: { id: 'w' }, device: { id: 'd' } } as unknown as Actor;
const ids = { worker_id: 'w', device_id: 'd' };

it.each([
  [{ done: 'sent', at: 0 }, ids],
  [
    { done: 'buffered', at: 0 },
    { ...ids, buffered: true },
  ],
  [{ refused: 'no prompt' }, { code: 'action_refused', detail: 'no prompt' }],
  [{ refused: 'disk full', unkept: true }, { code: 'storage_unavailable' }],
] as const)('%j', (done, answer) => {
  expect(acted(actor, done)).toMatchObject(answer);
});

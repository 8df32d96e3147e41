/** A harbour with 2,000 people in an evacuation, as the stream tells of it. */
import type { StreamSnapshot } from '../src/contract/stream.ts';
import { MUSTERING, person, workerId } from '../test/dashboard/harbour.ts';

export const PEOPLE = 2_000;

/** Everybody a little farther with each step. */
export function crowded(step: number): StreamSnapshot {
  const everybody = Array.from({ length: PEOPLE }, (_, n) => n + 1);
  const fares = ['safe', 'safe', 'safe', 'pending', 'pending', 'no_signal', 'help', 'wrong_point'] as const;
  return {
    ...MUSTERING,
    workers: everybody.map((n) => ({ ...MUSTERING.workers[0]!, id: workerId(n), external_id: `W-${n}` })),
    people: everybody.map((n) =>
      person({
        n,
        x: (n * 7 + step) % 600,
        y: (n * 13 + step) % 300,
        fares: fares[n % (n % 50 === 0 ? 8 : 5)] ?? 'safe',
      }),
    ),
  };
}

/** A harbour with 2,000 people in an evacuation, as the stream tells of it: positions, names and ids are as irregular as real ones. */
import { createHash } from 'node:crypto';
import { streams } from '../src/base/random/streams.ts';
import type { StreamSnapshot } from '../src/contract/stream.ts';
import { personName } from '../src/plant/names.ts';
import { MUSTERING, type Placement, person } from '../test/dashboard/harbour.ts';

export const PEOPLE = 2_000;

const random = streams('crowd').stream('everybody', 'place');

/** A random one, but equal in each run. */
function idOf(kind: string, n: number): string {
  const digits = createHash('sha256').update(`${kind} ${n}`).digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** How most are after nine minutes: on their way. One in 25 cannot walk, or helps somebody who cannot. */
function statusOf(draw: number): Omit<Placement, 'n' | 'x' | 'y'> {
  if (draw < 0.05) return { fares: 'safe' };
  if (draw < 0.06) return { fares: 'help', help: draw < 0.056 ? 'trapped' : 'injured' };
  if (draw < 0.09) return { fares: 'help', help: 'helping' };
  if (draw < 0.1) return { fares: 'no_signal' };
  return { fares: 'pending' };
}

const EVERYBODY = Array.from({ length: PEOPLE }, (_, n) => {
  const draw = random.float();
  return {
    placed: { n: n + 1, x: random.float() * 600, y: random.float() * 300, ...statusOf(draw) },
    id: idOf('worker', n),
    name: personName(random),
    seen: `2026-10-05T06:12:${String(random.int(0, 29)).padStart(2, '0')}.000Z`,
    // Metres in a step, to the east and to the north.
    pace: [random.float() - 0.3, random.float() - 0.5] as const,
  };
});

/** Everybody a little farther with each step. */
export function crowded(step: number): StreamSnapshot {
  const [muster, alert] = [MUSTERING.musters[0]!, MUSTERING.alerts[1]!];
  const people = EVERYBODY.map(({ placed, id, seen, pace: [east, north] }) => {
    const [x, y] = [(placed.x + east * step) % 600, (placed.y + north * step) % 300];
    return { ...person({ ...placed, x, y, seen }), worker_id: id };
  });
  const count = (status: string): number => people.filter((one) => one.status === status).length;
  const calls = EVERYBODY.filter(({ placed }) => placed.fares === 'help').map(({ placed: { n, help }, id, name }) => ({
    ...alert,
    id: idOf('alert', n),
    type: 'evacuation_help' as const,
    title: `Cannot evacuate: ${name} in Tank Farm`,
    worker: { id, external_id: `W-${n}`, contractor: null, name },
    details: { muster_id: muster.id, reason: help ?? null },
  }));
  return {
    ...MUSTERING,
    workers: EVERYBODY.map(({ placed: { n }, id, name }) => ({
      ...MUSTERING.workers[0]!,
      id,
      name,
      external_id: `W-${n}`,
    })),
    people,
    alerts: calls as unknown as StreamSnapshot['alerts'],
    musters: [
      {
        ...muster,
        totals: {
          expected: PEOPLE,
          safe: count('safe'),
          help: count('help'),
          wrong_point: 0,
          pending: count('pending'),
          no_signal: count('no_signal'),
          not_worn: 0,
        },
      },
    ],
  };
}

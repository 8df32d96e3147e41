/** An approved, time-limited request to see a worker's position. [decisions 4] */
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { World } from '../world/world.ts';

export function unveil(
  world: World,
  stamp: Stamp,
  { workerId, by, until }: CommandOf<'unveil'>,
): { readonly changes: readonly Change[] } | Rejection {
  const worker = world.get('worker', workerId);
  if (worker === undefined) return reject('not_found', 'There is no such worker.');
  if (world.need('site', worker.siteId).privacyMode === 'continuous')
    return reject('action_refused', 'The site shows positions always; there is no veil to lift.');
  if (until <= stamp.now) return reject('action_refused', 'The request would end before it begins.');
  return { changes: [{ kind: 'unveiled', unveiling: { id: workerId, by, until } }] };
}

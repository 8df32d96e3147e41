/** The scope that each operation of the public API requires, from the specification's tables; a narrow token lacks it. [spec 4, 5] */
import type { Scope } from '../../contract/enumerations.ts';

const READ: readonly (readonly [RegExp, readonly Scope[]])[] = [
  [/^\/v1\/sites\/[^/]+\/zones/, ['alerts:read']],
  [/^\/v1\/alerts/, ['alerts:read']],
  [/^\/v1\/musters/, ['musters:read']],
  [/^\/v1\/workers/, ['workers:read']],
  [/^\/v1\/devices/, ['workers:read']],
  [/^\/v1\/positions/, ['positions:read']],
  [/^\/v1\/webhooks/, ['webhooks:manage']],
  [/^\/v1\/events/, ['alerts:read', 'musters:read']],
];

/** Empty if any valid token suffices. */
export function scopesOf(method: string, path: string): readonly Scope[] {
  if (method === 'PATCH' && path.startsWith('/v1/alerts')) return ['alerts:write'];
  return READ.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

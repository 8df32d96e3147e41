/** Resolves names, and checks all addresses of a name. [decisions 7] */
import { lookup } from 'node:dns';
import type { Clock } from '../../base/time/clock.ts';
import { judgeDestinationUrl } from '../domain/deliveries/destination-url.ts';
import { isPublicAddress } from '../domain/deliveries/public-address.ts';

/** Returns all addresses of a name, as the system's resolver does; rejects if the name cannot be resolved. */
export type Resolve = (host: string) => Promise<string[]>;

/** Time limit of a look-up, which must leave time for the connection; wall milliseconds. */
export const LOOK_UP_MS = 3_000;

/** The system's resolver, including the hosts file. */
export function systemResolver(clock: Clock, lookUp: Resolve = systemLookUp): Resolve {
  // A hanging look-up cannot be cancelled, and occupies one of the few threads that all look-ups share. Therefore
  // concurrent requests for the same name share one look-up.
  const underWay = new Map<string, Promise<string[]>>();
  return (host) => {
    let pending = underWay.get(host);
    if (pending === undefined) {
      pending = lookUp(host).finally(() => underWay.delete(host));
      underWay.set(host, pending);
    }
    return withLimit(clock, pending, host);
  };
}

const systemLookUp: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true, verbatim: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });

function withLimit(clock: Clock, pending: Promise<string[]>, host: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const cancel = clock.afterWall(LOOK_UP_MS, () => reject(new Error(`${host} was not resolved in ${LOOK_UP_MS} ms`)));
    pending.then(resolve, reject).finally(cancel);
  });
}

/** The result for a name: addresses that may be connected to, an address that must not be, or none. */
type ResolvedHost =
  | { readonly kind: 'public'; readonly addresses: readonly string[] }
  | { readonly kind: 'blocked'; readonly detail: string }
  | { readonly kind: 'unresolvable'; readonly detail: string };

/** A single address that is not public blocks the name, because the connection could use any of its addresses. */
export async function resolvePublic(host: string, resolve: Resolve): Promise<ResolvedHost> {
  let addresses: string[] = [];
  try {
    addresses = await resolve(host);
  } catch {
    // Whatever the error was, there is no address to connect to.
  }
  if (addresses.length === 0) return { kind: 'unresolvable', detail: `The name ${host} does not resolve.` };
  const closed = addresses.find((address) => !isPublicAddress(address));
  if (closed === undefined) return { kind: 'public', addresses };
  return { kind: 'blocked', detail: `${host} resolves to ${closed}, which is not a public address.` };
}

/**
 * Checks the URL when a destination is created: returns null, or the problem. A name that does not resolve now is
 * accepted (a laptop may be offline); its deliveries fail. [decisions 7]
 */
export async function judgeDestination(
  url: string,
  { resolve, forwards }: { readonly resolve: Resolve; readonly forwards: ReadonlyMap<string, URL> },
): Promise<string | null> {
  const shape = judgeDestinationUrl(url, new Set(forwards.keys()));
  if (!shape.ok) return shape.detail;
  if (shape.literal !== null || forwards.has(shape.host)) return null;
  const resolved = await resolvePublic(shape.host, resolve);
  return resolved.kind === 'blocked' ? resolved.detail : null;
}

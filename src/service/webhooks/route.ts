/** The route of an attempt: to checked public addresses, to the target of a forward, or none. [decisions 7] */
import { judgeDestinationUrl } from '../domain/deliveries/destination-url.ts';
import type { Destination } from '../domain/world/documents.ts';
import { type Resolve, resolvePublic } from './resolver.ts';

/** The targets of `--forward` and of scenario receivers, by host name in lower case. */
export type Forwards = ReadonlyMap<string, URL>;

export type DeliveryRoute =
  /** `addresses` are all addresses of the name, which have just been checked; the connection uses one of them. */
  | { readonly kind: 'public'; readonly target: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'forward'; readonly target: URL }
  | { readonly kind: 'none'; readonly why: string };

/** Checked again at every attempt, because a name may have new addresses since the destination was created. */
export async function findRoute(
  { url, session }: Pick<Destination, 'url' | 'session'>,
  forwards: Forwards,
  resolve: Resolve,
): Promise<DeliveryRoute> {
  if (session !== undefined) return { kind: 'forward', target: new URL(url) };
  const shape = judgeDestinationUrl(url, new Set(forwards.keys()));
  if (!shape.ok) return { kind: 'none', why: `Blocked: ${shape.detail}` };
  const forward = forwards.get(shape.host);
  if (forward !== undefined) return { kind: 'forward', target: joined(forward, new URL(shape.href)) };
  const target = new URL(shape.href);
  // A literal address is checked here, because Node does not call `lookup` for it.
  if (shape.literal !== null) return { kind: 'public', target, addresses: [shape.literal] };
  const resolved = await resolvePublic(shape.host, resolve);
  if (resolved.kind === 'public') return { kind: 'public', target, addresses: resolved.addresses };
  return { kind: 'none', why: resolved.kind === 'blocked' ? `Blocked: ${resolved.detail}` : resolved.detail };
}

/** Returns the destination's path and query, appended to the forward's own path if it has one. */
function joined(forward: URL, destination: URL): URL {
  const target = new URL(forward);
  target.pathname = forward.pathname.replace(/\/$/, '') + destination.pathname;
  target.search = destination.search;
  target.hash = '';
  return target;
}

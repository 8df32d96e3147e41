/** The route of an attempt: to checked public addresses, to the target of a forward, or nowhere. [decisions 7] */
import { judgeDestinationUrl } from '../domain/deliveries/destination-url.ts';
import type { Destination } from '../domain/world/documents.ts';
import { type Resolve, resolvePublic } from './resolver.ts';

/** What `--forward` and receivers of scenarios send elsewhere, by host name in lower case. */
export type Forwards = ReadonlyMap<string, URL>;

export type DeliveryRoute =
  /** `addresses` are all of the name's, judged a moment ago; the connection goes to one of them. */
  | { readonly kind: 'public'; readonly target: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'forward'; readonly target: URL }
  | { readonly kind: 'none'; readonly why: string };

/** Judged anew at every attempt: a name may have moved since the destination was made. */
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
  // A literal is judged here and not by `lookup`, which Node does not call for one.
  if (shape.literal !== null) return { kind: 'public', target, addresses: [shape.literal] };
  const resolved = await resolvePublic(shape.host, resolve);
  if (resolved.kind === 'public') return { kind: 'public', target, addresses: resolved.addresses };
  return { kind: 'none', why: resolved.kind === 'blocked' ? `Blocked: ${resolved.detail}` : resolved.detail };
}

/** The destination's path and query, behind the forward's own path if it has one. */
function joined(forward: URL, destination: URL): URL {
  const target = new URL(forward);
  target.pathname = forward.pathname.replace(/\/$/, '') + destination.pathname;
  target.search = destination.search;
  target.hash = '';
  return target;
}

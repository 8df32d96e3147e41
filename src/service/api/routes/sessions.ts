/** Session destinations, as `sandbox listen` makes them: deliveries go to any address, and the client's own list does not show them. [decisions 7, 9] */
import type { Static } from 'typebox';
import { given } from '../../../base/given.ts';
import { isSameName } from '../../../base/text/same-name.ts';
import {
  createSessionDestination,
  deleteSessionDestination,
  deleteSessionDestinations,
  listSessionDestinations,
  type SessionCreate,
  type SessionDestination,
} from '../../../contract/operations/sessions.ts';
import { didYouMean } from '../../../contract/sentences.ts';
import { isRejection } from '../../domain/changes.ts';
import { destinationView } from '../../domain/views/destination.ts';
import type { Client, Destination, DestinationSession } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { ownSite, pathId } from '../access/access-checks.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, invalid, type Route, refuse, route } from '../route.ts';
import { filtersOf } from './webhooks.ts';

export const SESSION_ROUTES: readonly Route[] = [
  route(listSessionDestinations, (call) =>
    call.read((world) => {
      const data = [...world.all('destination')]
        .filter(({ session }) => session !== undefined)
        .map((destination) => sessionView(world, destination));
      return { status: 200, body: { data }, rows: data.length };
    }),
  ),
  route(createSessionDestination, (call) => create(call)),
  route(deleteSessionDestinations, async (call) => {
    const sessions = await call.read((world) =>
      [...world.all('destination')].filter(({ session }) => session !== undefined),
    );
    for (const { id } of sessions) await remove(call, id);
    return { status: 204 };
  }),
  route(deleteSessionDestination, async (call) => {
    const destinationId = pathId(call.params['id']);
    const isSession = await call.read((world) => world.get('destination', destinationId)?.session !== undefined);
    if (!isSession) throw new ProblemAnswer('not_found', 'There is no such session destination.');
    await remove(call, destinationId);
    return { status: 204 };
  }),
];

async function remove({ parts }: Call, destinationId: string): Promise<void> {
  const outcome = await parts.engine.submit({ type: 'delete-destination', destinationId });
  // The destination was deleted meanwhile, which is what the request wants.
  if (isRejection(outcome) && outcome.code !== 'not_found') refuse(outcome);
}

async function create({ parts, body, request }: Call) {
  const {
    forward_to,
    event_types = ['alert.*', 'muster.*'],
    filters = {},
    company,
    skip_verify,
    listener,
    lease_s,
  } = body as SessionCreate;
  const leaseMs = lease_s === undefined ? null : lease_s * 1_000;
  const wrong = objectionTo(forward_to);
  if (wrong !== null) return invalid([{ pointer: '/forward_to', detail: wrong }], 'body');
  const { engine, sessionSecret, leases } = parts;
  const { id: clientId, organizationId } = await engine.read((world) => {
    const client = companyOf(world, company);
    for (const siteId of filters.site_ids ?? []) ownSite(world, client.organizationId, siteId);
    return client;
  });
  const wanted = {
    organizationId,
    clientId,
    url: forward_to,
    eventTypes: event_types,
    filters: filtersOf(filters),
    secret: sessionSecret(organizationId),
    session: { skipVerify: skip_verify === true, ...given({ listener }) },
  };
  const held =
    leaseMs === null || leases.isShared ? undefined : await engine.read((world) => sameSession(world, wanted));
  if (held !== undefined) {
    leases.renew(held.id, leaseMs);
    // A renewal changes nothing and is repeated every few seconds, so it is not logged.
    request.visit.logged = false;
    return { status: 201, body: await engine.read((world) => sessionView(world, held)) };
  }
  const outcome = await engine.submit({ type: 'create-destination', ...wanted });
  if (isRejection(outcome)) return refuse(outcome);
  const { destination } = outcome.done;
  if (destination !== undefined) leases.renew(destination.id, leaseMs);
  return { status: 201, body: await engine.read((world) => sessionView(world, destination as Destination)) };
}

/** Returns the destination of this listener with exactly this subscription, or undefined. */
function sameSession(
  world: World,
  wanted: Pick<Destination, 'organizationId' | 'url' | 'eventTypes' | 'filters'> & {
    readonly session: Pick<DestinationSession, 'skipVerify' | 'listener'>;
  },
): Destination | undefined {
  const form = ({ organizationId, url, eventTypes, filters, session }: typeof wanted) =>
    JSON.stringify([organizationId, url, [...new Set(eventTypes)], filters, session.skipVerify, session.listener]);
  return [...world.all('destination')].find(
    ({ session, ...rest }) => session !== undefined && form({ ...rest, session }) === form(wanted),
  );
}

/** Returns the objection to an address, or null if it can be that of a receiver. */
function objectionTo(address: string): string | null {
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address))
    return 'must be an http or https address, such as http://127.0.0.1:3000/hook';
  const { username, password, hash } = new URL(address);
  if (username !== '' || password !== '') return 'must not have userinfo';
  return hash === '' ? null : 'must not have a fragment';
}

function companyOf(world: World, named: string | undefined): Client {
  const nameOf = ({ organizationId }: Client) => world.need('organization', organizationId).name;
  const found = [...world.all('client')].filter(
    (client) => named === undefined || client.id === named || isSameName(nameOf(client), named),
  );
  const [first] = found;
  if (first !== undefined) return first;
  const names = [...world.all('client')].flatMap((client) => [client.id, nameOf(client)]);
  throw new ProblemAnswer('not_found', `There is no company "${named}".${didYouMean(named ?? '', names)}`, {
    errors: [{ pointer: '/company', detail: `"${named}" is not known` }],
  });
}

const sessionView = (world: World, destination: Destination): Static<typeof SessionDestination> => ({
  ...destinationView(destination),
  organization: world.get('organization', destination.organizationId)?.name ?? null,
  forward_to: destination.url,
  skip_verify: destination.session?.skipVerify === true,
  secret: destination.secret,
});

/** Creating, rotating, testing and deleting a destination. [spec 4, decisions 7] */

import { given } from '../../../base/given.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf, Done } from '../commands.ts';
import type { Destination, DestinationSession } from '../world/documents.ts';
import type { World } from '../world/world.ts';

const MAX_DESTINATIONS = 20;
const PREVIOUS_SECRET_MS = 24 * 60 * 60 * 1_000;

type DestinationDecision = (Done & { readonly changes: readonly Change[] }) | Rejection;

export function createDestination(
  world: World,
  stamp: Stamp,
  command: CommandOf<'create-destination'>,
): DestinationDecision {
  if (command.session !== undefined) return createSession(world, stamp, command, command.session);
  let held = 0;
  for (const other of world.all('destination'))
    if (other.organizationId === command.organizationId && other.session === undefined) held += 1;
  if (held >= MAX_DESTINATIONS)
    return reject('validation_failed', `A company may have ${MAX_DESTINATIONS} destinations; delete one first.`, [
      { pointer: '', detail: `would be destination ${MAX_DESTINATIONS + 1} of the company` },
    ]);
  const { organizationId, clientId, url, filters, secret } = command;
  const destination: Destination = {
    // The id depends on the instant of creation and on the number of other destinations, so that equal runs make equal
    // ids.
    id: stamp.id('destination', organizationId, url, stamp.now, held),
    organizationId,
    clientId,
    url,
    eventTypes: [...new Set(command.eventTypes)],
    filters,
    isActive: true,
    failingSince: null,
    createdAt: stamp.now,
    secret,
    previousSecret: null,
  };
  return { changes: [{ kind: 'destination-created', destination }], destination };
}

/**
 * One for each address of a company, or for each listener that names itself. A listener that returns continues with its
 * destination. [decisions 9]
 */
function createSession(
  world: World,
  stamp: Stamp,
  { organizationId, clientId, url, eventTypes, filters, secret }: CommandOf<'create-destination'>,
  { skipVerify, listener }: Pick<DestinationSession, 'skipVerify' | 'listener'>,
): DestinationDecision {
  const id = stamp.id('session-destination', organizationId, url, ...(listener === undefined ? [] : [listener]));
  const before = world.get('destination', id);
  const kept = before ?? { failingSince: null, createdAt: stamp.now };
  const destination: Destination = {
    id,
    organizationId,
    clientId,
    url,
    eventTypes: [...new Set(eventTypes)],
    filters,
    isActive: true,
    failingSince: kept.failingSince,
    createdAt: kept.createdAt,
    secret,
    previousSecret: null,
    session: { skipVerify, joinedAt: stamp.now, ...given({ listener }) },
  };
  const kind = before === undefined ? 'destination-created' : 'destination-changed';
  return { changes: [{ kind, destination }], destination };
}

const gone = () => reject('not_found', 'There is no such destination.');

export function deleteDestination(world: World, command: CommandOf<'delete-destination'>): DestinationDecision {
  if (world.get('destination', command.destinationId) === undefined) return gone();
  return { changes: [{ kind: 'destination-deleted', destinationId: command.destinationId }] };
}

/** The previous secret also signs for another 24 h. A second rotation removes the first secret. [spec 4] */
export function rotateSecret(world: World, stamp: Stamp, command: CommandOf<'rotate-secret'>): DestinationDecision {
  const before = world.get('destination', command.destinationId);
  if (before === undefined) return gone();
  const destination: Destination = {
    ...before,
    secret: command.secret,
    previousSecret: { secret: before.secret, validUntil: stamp.now + PREVIOUS_SECRET_MS },
  };
  return { changes: [{ kind: 'destination-changed', destination }], destination };
}

export function testDestination(world: World, command: CommandOf<'test-destination'>): DestinationDecision {
  const destination = world.get('destination', command.destinationId);
  if (destination === undefined) return gone();
  return { changes: [{ kind: 'destination-tested', destination, nonce: command.nonce }], destination };
}

/** New deliveries of old events, each with its own retry schedule that begins now. [decisions 7] */
export function resendEvents(
  world: World,
  stamp: Stamp,
  { destinationId, events }: CommandOf<'resend-events'>,
): DestinationDecision {
  if (world.get('destination', destinationId) === undefined) return gone();
  const changes = events.map(({ eventId, eventType, eventAt, priority }, place): Change => {
    const id = stamp.id('resent', eventId, destinationId, stamp.now, place);
    const waiting = { slot: 0, due: stamp.now, tries: 0, state: 'waiting', lastStatus: null } as const;
    const delivery = { id, eventId, eventType, destinationId, priority, eventAt, resentAt: stamp.now, ...waiting };
    return { kind: 'delivery-queued', delivery };
  });
  return { changes };
}

/** The only code that changes the world: one line for each kind of change. */
import type { Change, ChangeKind, ChangeOf } from './changes.ts';
import { removeSite } from './plant/guests.ts';
import type { Muster } from './world/documents.ts';
import { eventOccurred, putModified } from './world/organization-clock.ts';
import type { World } from './world/world.ts';

const APPLY: { readonly [K in ChangeKind]: (world: World, change: ChangeOf<K>) => void } = {
  'alert-raised': (world, { alert }) => putModified(world, alert),
  'alert-changed': (world, { alert }) => putModified(world, alert),
  // Not visible in the API, so `date_last_modified` does not change.
  'alert-noted': (world, { alert }) =>
    world.put('alert', { ...alert, modifiedAt: world.need('alert', alert.id).modifiedAt }),
  'prompt-opened': (world, { prompt }) => world.put('prompt', prompt),
  'prompt-closed': (world, { promptId }) => world.remove('prompt', promptId),
  'device-changed': (world, { device }) => world.put('device', device),
  'worker-changed': (world, { worker }) => world.put('worker', worker),
  'permit-changed': (world, { permit }) => world.put('permit', permit),
  'stay-begun': (world, { stay }) => world.put('stay', stay),
  'stay-ended': (world, { stayId }) => world.remove('stay', stayId),
  'vehicle-warned': (world, { warning }) => world.put('warning', warning),
  'warning-acknowledged': (world, { warning }) => world.put('warning', warning),
  'warning-forgotten': (world, { warningId }) => world.remove('warning', warningId),
  unveiled: (world, { unveiling }) => world.put('unveiling', unveiling),
  'telemetry-heard': (world, { telemetry }) => world.putTelemetry(telemetry),
  'watch-born': () => {},
  'uplink-heard': (world, { id, at, content }) => world.put('heard', { id, at, content }),
  'token-issued': (world, { token, forgotten }) => {
    world.put('token', token);
    for (const id of forgotten) world.remove('token', id);
  },
  'token-ended': (world, { token }) => world.put('token', token),
  'contract-changed': (world, { client }) => world.put('client', client),
  'site-changed': (world, { site }) => world.put('site', site),
  'plant-joined': (world, { guest, documents }) => {
    world.put('guest', guest);
    for (const { kind, document } of documents) world.put(kind, document);
  },
  'plant-cleared': (world, { siteId }) => removeSite(world, siteId),
  'guest-left': (world, { guestId }) => world.remove('guest', guestId),
  'destination-created': (world, { destination }) => world.put('destination', destination),
  'destination-changed': (world, { destination }) => world.put('destination', destination),
  // A deleted destination also removes its pending deliveries. [decisions 7]
  'destination-deleted': (world, { destinationId }) => {
    world.remove('destination', destinationId);
    for (const { id } of [...world.indexes.waitingOfDestination.of(destinationId).values()])
      world.remove('delivery', id);
  },
  'destination-tested': () => {},
  'muster-changed': (world, { muster, people }) => {
    if (world.get('muster', muster.id) !== muster) world.put('muster', muster);
    for (const person of people) world.put('expected', person);
    if (muster.status !== 'active') forgetExpected(world, muster);
  },
  'expected-changed': (world, { person }) => world.put('expected', person),
  'course-drawn': (world, { stretches, dropped }) => {
    for (const stretch of stretches) world.put('course', stretch);
    for (const id of dropped) world.remove('course', id);
  },
  'roll-closed': (world, { roll, forgotten }) => {
    world.put('roll', roll);
    for (const id of forgotten) world.remove('roll', id);
  },
  'event-occurred': (world, { record }) => {
    if (record.listed) eventOccurred(world, record.organizationId, record.createdAt);
  },
  'delivery-queued': (world, { delivery }) => world.put('delivery', delivery),
  // A finished delivery remains only in the attempts log.
  'delivery-settled': (world, { delivery }) =>
    delivery.state === 'waiting' ? world.put('delivery', delivery) : world.remove('delivery', delivery.id),
  'delivery-lost': (world, { lost }) => world.put('lost', lost),
  'mail-kept': (world, { mail, lostIds, forgotten }) => {
    if (mail !== null) world.put('mail', mail);
    for (const id of lostIds) world.remove('lost', id);
    for (const id of forgotten) world.remove('mail', id);
  },
};

export const apply = (world: World, change: Change): void =>
  (APPLY[change.kind] as (world: World, change: Change) => void)(world, change);

/** A closed muster keeps only its recorded totals. [spec 2 Muster totals] */
function forgetExpected(world: World, muster: Muster): void {
  for (const { id } of [...world.indexes.expectedIn(muster.id).values()]) world.remove('expected', id);
}

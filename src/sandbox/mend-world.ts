/** After an accepted loss: the plant stands again as at its beginning, and what named something that is gone goes too. [decisions 10] */
import { sha256Hex } from '../base/ids.ts';
import type { Documents, EventRecord, Kind } from '../domain/world/documents.ts';
import { KINDS } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import { type Batch, type EventQuery, emptyBatch, type Store } from '../engine/store-port.ts';
import type { Secrets } from './world-from-plan.ts';

/** Rows of the event log in memory at a time. */
const EVENTS_AT_ONCE = 1_000;

/** The fields by which one document names another that it cannot do without. */
const REFERENCES: Readonly<Record<string, Kind>> = {
  organizationId: 'organization',
  clientId: 'client',
  siteId: 'site',
  zoneId: 'zone',
  workerId: 'worker',
  deviceId: 'device',
  musterId: 'muster',
  alertId: 'alert',
  destinationId: 'destination',
};

/** `plan`: the documents of the world's beginning; those that are missing are made anew. */
export async function mendWorld(store: Store, world: World, plan: Batch['puts']): Promise<void> {
  for (const { kind, document } of plan) if (world.get(kind, document.id) === undefined) world.put(kind, document);
  // What goes may be named by others in its turn.
  for (let found = orphans(world); found.length > 0; found = orphans(world))
    for (const { kind, id } of found) world.remove(kind, id);
  for (const { id } of world.all('organization')) await resumeOrder(store, world, id);
  await write(store, world);
}

/** Events and modifications go on behind the latest that is left, whatever became of the document that says so. [decisions 1, 5] */
async function resumeOrder(store: Store, world: World, id: string): Promise<void> {
  const known = world.get('organizationClock', id);
  let [lastEventAt, lastModifiedAt] = [known?.lastEventAt ?? 0, known?.lastModifiedAt ?? 0];
  for (const { modifiedAt } of world.indexes.alerts.of(id).values())
    lastModifiedAt = Math.max(lastModifiedAt, modifiedAt);
  for (let after: EventQuery['after'] = { createdAt: lastEventAt, id: '' }; after !== undefined; ) {
    const page: EventRecord[] = await store.events({ organizationId: id, after, limit: EVENTS_AT_ONCE });
    const last = page.at(-1);
    if (last !== undefined) lastEventAt = Math.max(lastEventAt, last.createdAt);
    after = last === undefined ? undefined : { createdAt: last.createdAt, id: last.id };
  }
  world.put('organizationClock', { id, lastEventAt, lastModifiedAt });
}

/** The stored hashes follow from the root key that there is now, or from the credentials that were given. */
export async function renewSecrets(store: Store, world: World, secrets: Secrets): Promise<void> {
  for (const client of [...world.all('client')]) {
    const secretHash = sha256Hex(secrets.client(client.id));
    if (secretHash !== client.secretHash) world.put('client', { ...client, secretHash });
  }
  for (const device of [...world.all('device')]) {
    const keyHash = sha256Hex(secrets.watch(device.serial));
    if (keyHash !== device.keyHash) world.put('device', { ...device, keyHash });
  }
  await write(store, world);
}

function orphans(world: World): { kind: Kind; id: string }[] {
  const found: { kind: Kind; id: string }[] = [];
  for (const kind of KINDS)
    for (const document of world.all(kind)) if (isOrphan(world, document)) found.push({ kind, id: document.id });
  return found;
}

function isOrphan(world: World, document: Documents[Kind]): boolean {
  return Object.entries(document).some(([field, id]) => {
    const kind = REFERENCES[field];
    return kind !== undefined && typeof id === 'string' && world.get(kind, id) === undefined;
  });
}

async function write(store: Store, world: World): Promise<void> {
  const batch = emptyBatch();
  for (const { kind, id, after } of world.touched()) {
    if (after === undefined) batch.removals.push({ kind, id });
    else batch.puts.push({ kind, id, document: after });
  }
  if (batch.puts.length + batch.removals.length > 0) await store.commit(batch);
  world.commit();
}

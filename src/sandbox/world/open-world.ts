/** Loads the world with which a sandbox begins, compares it with its files and repairs it; and continues the clock from its stored time. */

import { Outage } from '../../base/assert.ts';
import { randomSecret, sha256Hex } from '../../base/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import { keptUntil } from '../../fleet/fleet.ts';
import {
  type ClockReading,
  type Documents,
  type EventRecord,
  KINDS,
  type Kind,
  type Meta,
  type Prompt,
} from '../../service/domain/world/documents.ts';
import { MEMORY_BOUNDS, type MemoryBounds, Residency, UNBOUNDED } from '../../service/domain/world/residency.ts';
import { completed } from '../../service/domain/world/stored-documents.ts';
import { World } from '../../service/domain/world/world.ts';
import { type Batch, type EventQuery, emptyBatch, type Store } from '../../service/engine/store-port.ts';
import type { DataFolder } from '../../service/store/folder/data-folder.ts';
import type { OpenedStore } from '../../service/store/open-store.ts';
import { databaseName } from '../../service/store/postgres/name.ts';
import { SCHEMA } from '../../service/store/postgres/schema.ts';
import type { Kept } from '../fleet/memory.ts';
import type { SandboxOptions } from '../options/options.ts';
import { noteMadeWith } from './made-with.ts';
import type { PlannedWorld } from './plan-of.ts';
import { type NodeTime, nodeClock, resumeClock } from './resumed-clock.ts';
import { documentsOf, type Secrets } from './world-from-plan.ts';

export interface OpenedWorld {
  readonly world: World;
  readonly meta: Meta;
  readonly clock: Clock;
  /** A sentence with the fix, if simulated time continues at a time that came from a wrong clock. */
  readonly stray: string | null;
  /** True if the world was made now. */
  readonly isNew: boolean;
}

/** A stored world continues from its last commit; an empty folder gets a new world. */
export async function openWorld(
  options: SandboxOptions,
  planned: PlannedWorld,
  folder: DataFolder,
  { store, rowsLost }: OpenedStore,
  secrets: Secrets,
  fleetKept: Kept | null,
  nodes: NodeTime | null,
): Promise<OpenedWorld> {
  const bounds = options.memoryBounds ?? MEMORY_BOUNDS;
  // After a loss, the complete remaining world is loaded, so that it can be repaired as a whole.
  let stored = await loadStored(store, rowsLost ? UNBOUNDED : bounds);
  const livedUntil = fleetKept === null ? null : keptUntil(fleetKept.memory);
  const resumed = nodes === null ? resumeClock(options, stored.world, livedUntil) : nodeClock(stored.world, nodes);
  const { clock, stray } = resumed;
  const { meta: found } = stored;
  if (found !== null) {
    sameOrigin(found, planned.origin, placeOf(options, folder));
    if (resumed.reading !== null) await keepReading(store, stored.world, found, resumed.reading);
    if (rowsLost) {
      await mendWorld(store, stored.world, documentsOf(planned.plan, planned.worldSeed, secrets, clock.now()));
      stored = await loadStored(store, bounds);
    }
    await renewSecrets(store, stored.world, secrets);
    resumePrompts(stored.world, clock);
    return { world: stored.world, meta: found, clock, stray, isNew: false };
  }
  // A receiver with a database would drop the events of a second run with the same ids, so only `--seed` repeats ids.
  const meta: Meta = { id: 'meta', salt: options.seed ?? randomSecret(16), origin: planned.origin };
  if (folder.kept) noteMadeWith(folder.path, options);
  await writeNew(store, stored.world, meta, documentsOf(planned.plan, planned.worldSeed, secrets, clock.now()));
  return { world: stored.world, meta, clock, stray, isNew: true };
}

/** Commits the reading together with the document of the world: a node does not commit a reading alone. */
async function keepReading(store: Store, world: World, meta: Meta, reading: ClockReading): Promise<void> {
  await store.commit({
    ...emptyBatch(),
    puts: [
      { kind: 'meta', id: meta.id, document: meta },
      { kind: 'clock', id: reading.id, document: reading },
    ],
  });
  world.load('clock', reading);
}

// The world of a data folder: the stored one, or a new one that is written completely before anything can change it.

interface LoadedWorld {
  readonly world: World;
  readonly meta: Meta | null;
}

/**
 * Loads the content of the store, kind by kind; of old alerts and messages only those that memory may hold. Throws an
 * `Outage` for a document that lacks a field of its kind.
 */
export async function loadStored(store: Store, bounds: MemoryBounds = MEMORY_BOUNDS): Promise<LoadedWorld> {
  const { archive = null } = store;
  const world = new World(archive === null ? null : new Residency(archive, bounds));
  const loaded = await store.load(archive === null ? undefined : bounds);
  const stored = new Map(loaded.map(({ kind, documents }) => [kind, documents]));
  for (const kind of KINDS) for (const document of stored.get(kind) ?? []) loadDocument(world, kind, document);
  world.noteOlder();
  return { world, meta: world.get('meta', 'meta') ?? null };
}

function loadDocument<K extends Kind>(world: World, kind: K, document: Documents[K]): void {
  try {
    world.load(kind, completed(kind, document));
  } catch (error) {
    throw new Outage({
      code: 'data_lost',
      message: `The stored row of ${kind} ${document.id} is damaged: required fields are missing.`,
      fix: 'Restore the data folder or the database from a copy, or use another one.',
      cause: error,
    });
  }
}

/** Writes a new world in one transaction, so that a crash leaves either all of it or nothing. */
export async function writeNew(store: Store, world: World, meta: Meta, puts: Batch['puts']): Promise<void> {
  const all: Batch['puts'] = [{ kind: 'meta', id: meta.id, document: meta }, ...puts];
  await store.commit({ ...emptyBatch(), puts: all });
  for (const { kind, document } of all) world.load(kind, document);
}

/** The place where the world is kept, for messages. */
interface WorldPlace {
  readonly name: string;
  /** The instruction for choosing another place or starting this one again. */
  readonly another: string;
}

const placeOf = ({ database }: SandboxOptions, { path }: DataFolder): WorldPlace =>
  database === undefined
    ? {
        name: `The data folder ${path}`,
        another: 'name another folder with --data-dir, or delete the folder to start with a new world',
      }
    : {
        name: databaseName(database).replace(/^t/, 'T'),
        another: `give another database with --database, or drop its schema ${SCHEMA} to start with a new world (its data is lost)`,
      };

/** A world can only be continued with the options that it was made with; other options need another place. */
function sameOrigin(meta: Meta, origin: string, { name, another }: WorldPlace): void {
  if (meta.origin === origin) return;
  throw new Outage({
    code: 'other_world',
    message: `${name} holds a world made with other options (--seed, --watches or --site).`,
    fix: `Start it with the options that it was made with, ${another}.`,
    exitCode: 3,
  });
}

/**
 * A prompt runs from the arrival of the fall, or from the start of the service if that is later. [watch-protocol, fine
 * print]
 */
function resumePrompts(world: World, clock: Clock): void {
  for (const prompt of [...world.all('prompt')]) {
    const { thresholds } = world.need('site', prompt.siteId);
    const until = Math.max(prompt.until, clock.now() + thresholds.fallPromptMs);
    world.load('prompt', { ...prompt, until } satisfies Prompt);
  }
}

// Repairs the world after an accepted loss: the plant is restored to its initial state, and documents that name a lost
// document are removed. [decisions 10]

/** Rows of the event log that are read at a time. */
const EVENTS_AT_ONCE = 1_000;

/** The fields in which a document names another document that it requires. */
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

/** `plan`: the documents of the initial world; missing ones are created again. */
async function mendWorld(store: Store, world: World, plan: Batch['puts']): Promise<void> {
  for (const { kind, document } of plan) if (world.get(kind, document.id) === undefined) world.put(kind, document);
  // Removing a document may orphan others that name it.
  for (let found = orphans(world); found.length > 0; found = orphans(world))
    for (const { kind, id } of found) world.remove(kind, id);
  for (const { id } of world.all('organization')) await resumeOrder(store, world, id);
  await write(store, world);
}

/**
 * New events and modifications get times after the latest remaining one, even if the document with these times was
 * lost. [decisions 1, 5]
 */
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

/** Updates the stored hashes to the present root key or the given credentials: both may differ from those of a snapshot or of the last start. */
async function renewSecrets(store: Store, world: World, secrets: Secrets): Promise<void> {
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

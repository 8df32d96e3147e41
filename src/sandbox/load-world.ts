/** The world of a data folder: what was stored, or a new one written whole before anything can change it. */

import { Outage } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { type Documents, KINDS, type Kind, type Meta, type Prompt } from '../domain/world/documents.ts';
import { World } from '../domain/world/world.ts';
import type { Batch, Store } from '../engine/store-port.ts';
import { emptyBatch } from '../engine/store-port.ts';

export interface LoadedWorld {
  readonly world: World;
  readonly meta: Meta | null;
}

/** Everything the store holds, kind by kind. Throws an `Outage` for a document that lacks what its kind has. */
export async function loadStored(store: Store): Promise<LoadedWorld> {
  const world = new World();
  const stored = new Map((await store.load()).map(({ kind, documents }) => [kind, documents]));
  for (const kind of KINDS) for (const document of stored.get(kind) ?? []) loadDocument(world, kind, document);
  return { world, meta: world.get('meta', 'meta') ?? null };
}

function loadDocument<K extends Kind>(world: World, kind: K, document: Documents[K]): void {
  try {
    world.load(kind, document);
  } catch (error) {
    throw new Outage({
      code: 'data_lost',
      message: `The stored row of ${kind} ${document.id} is damaged: it lacks what such a row has.`,
      cure: 'Put the data folder back from a copy, or give another one with --data-dir.',
      cause: error,
    });
  }
}

/** Writes a new world in one transaction, so that a crash leaves all of it or none. */
export async function writeNew(store: Store, world: World, meta: Meta, puts: Batch['puts']): Promise<void> {
  const all: Batch['puts'] = [{ kind: 'meta', id: meta.id, document: meta }, ...puts];
  await store.commit({ ...emptyBatch(), puts: all });
  for (const { kind, document } of all) world.load(kind, document);
}

/** A folder keeps the world it was made with: other wishes need another folder. */
export function sameOrigin(meta: Meta, origin: string, folder: string): void {
  if (meta.origin === origin) return;
  throw new Outage({
    code: 'other_world',
    message: `The data folder ${folder} holds a world made with other options (--seed, --watches or --site).`,
    cure: 'Start it with the options it was made with, name another folder with --data-dir, or delete the folder to begin anew.',
    exitCode: 3,
  });
}

/** A prompt runs from the fall's arrival, or from the service's start where that is later. [watch-protocol, fine print] */
export function resumePrompts(world: World, clock: Clock): void {
  for (const prompt of [...world.all('prompt')]) {
    const { thresholds } = world.need('site', prompt.siteId);
    const until = Math.max(prompt.until, clock.now() + thresholds.fallPromptMs);
    world.load('prompt', { ...prompt, until } satisfies Prompt);
  }
}

/** Stores a fleet's state: a change is written within a second, and before the action that made it is acknowledged. [decisions 9, a restart] */

import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import type { WalkingPeople } from '../people/site-people.ts';
import type { Keeping } from '../surroundings.ts';
import type { EmulatedWatch } from '../watch/emulated-watch.ts';
import { noticeKey } from '../watch/screen.ts';
import type { Senses } from '../watch/sensing.ts';
import type { KeptPerson, KeptSite } from './documents.ts';
import { type FleetMemory, HEAD_KEY, MEMORY_VERSION } from './memory.ts';
import type { KeptHead } from './recall.ts';

/** Write-behind interval of positions and batteries: a kill loses at most this much. Wall-clock milliseconds. */
const LATE_MS = { min: 100, max: 1_000 } as const;

/** The same in simulated milliseconds: if time runs faster, state is written more often. */
const LATE_SIMULATED_MS = 10_000;

/**
 * Documents of one transaction. It takes some milliseconds, so that an alarm of thousands does not block other work.
 */
const MOST_AT_ONCE = 500;

/** Notices of a site that screens may still show: a watch without coverage shows an old one. */
const MOST_NOTICES = 16;

/** The people of a site with the errors of their watches. */
export interface KeptGroup {
  readonly siteId: string;
  readonly people: WalkingPeople;
  readonly senses: Senses;
  /** The number of people. */
  readonly count: number;
}

interface KeeperParts {
  readonly clock: Clock;
  readonly memory: FleetMemory;
  readonly groups: readonly KeptGroup[];
  readonly watches: ReadonlyMap<string, EmulatedWatch>;
  /** Called when the disk refused a write. The write is tried again. */
  readonly onTrouble: (error: Error) => void;
}

export class Keeper implements Keeping {
  readonly #of: KeeperParts;
  readonly #changed = new Set<string>();
  readonly #boxes = new Set<string>();
  /** Session numbers that are stored, and those that must be stored before a watch connects. */
  readonly #durable = new Map<string, number>();
  readonly #wanted = new Map<string, number>();
  /** Documents that must still be written, by key; null for one that must be removed. A refused write stays here. */
  readonly #pending = new Map<string, string | null>();
  /**
   * The last written site documents. They are compared with the current ones, since changes of a site are not marked.
   */
  readonly #sites = new Map<string, string>();
  readonly #notices = new Map<string, Map<string, MusterNotice>>();
  #keptAt = Number.NaN;
  #timer: Cancel | null = null;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: KeeperParts) {
    this.#of = parts;
  }

  // --- what the watches report

  changed(serial: string): void {
    this.#changed.add(serial);
  }

  boxChanged(serial: string): void {
    this.#boxes.add(serial);
  }

  session(serial: string, number: number): Promise<void> | null {
    if ((this.#durable.get(serial) ?? 0) >= number) return null;
    this.expectSession(serial, number);
    if (this.#of.memory.onDemand === true) return null;
    // A full disk must not keep a watch from connecting: the number is written as soon as there is room.
    return this.commit().catch(() => {});
  }

  expectSession(serial: string, number: number): void {
    this.#wanted.set(serial, number);
    this.#changed.add(serial);
  }

  noticeShown(siteId: string, notice: MusterNotice): void {
    const known = this.#notices.get(siteId) ?? new Map<string, MusterNotice>();
    this.#notices.set(siteId, known);
    const key = noticeKey(notice);
    if (known.has(key)) return;
    known.set(key, notice);
    if (known.size > MOST_NOTICES) known.delete(known.keys().next().value as string);
  }

  /** The watch was removed for good. */
  forget(watch: EmulatedWatch): void {
    const { serial } = watch;
    this.#changed.delete(serial);
    this.#boxes.delete(serial);
    this.#pending.set(watchKey(serial), null);
    for (const number of watch.machine.outbox.forget()) this.#pending.set(itemKey(serial, number), null);
  }

  // --- how the state is written

  /** Writes everything now, and from then on what changes. */
  start(): Promise<void> {
    this.#markAll();
    if (this.#of.memory.onDemand === true) return Promise.resolve();
    this.#wait();
    return this.commit();
  }

  /**
   * Resolves when an action may be acknowledged: when it is on the disk, or at once if the memory is written on demand.
   */
  acted(): Promise<void> {
    return this.#of.memory.onDemand === true ? Promise.resolve() : this.commit();
  }

  /**
   * Resolves when everything up to now is on the disk; rejects with `NotKept`. Simultaneous calls share a transaction.
   */
  commit(): Promise<void> {
    if (this.#next !== null) return this.#next;
    this.#next = this.#writing.then(() => {
      this.#next = null;
      return this.#write();
    });
    // The next caller waits until this write has settled.
    this.#writing = this.#next.catch(() => {});
    return this.#next;
  }

  /** Writes everything, and nothing after that. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    this.#wanted.clear();
    this.#markAll();
    await this.commit().catch(() => {});
  }

  #markAll(): void {
    for (const { people, count } of this.#of.groups) for (let i = 0; i < count; i++) people.touch(i);
    for (const serial of this.#of.watches.keys()) this.#changed.add(serial);
  }

  #wait(): void {
    const { clock } = this.#of;
    const lateMs = Math.min(LATE_MS.max, Math.max(LATE_MS.min, LATE_SIMULATED_MS / clock.state().speed));
    this.#timer = clock.afterWall(lateMs, () => {
      if (this.#stopped) return;
      void this.commit()
        .catch(() => {})
        .then(() => this.#stopped || this.#wait());
    });
  }

  async #write(): Promise<void> {
    const { clock, groups, memory, onTrouble } = this.#of;
    const now = clock.now();
    for (const { people } of groups) people.advanceTo(now);
    const sessions = this.#collect();
    for (const group of groups) this.#collectSite(group);
    // While time stands still and nothing changes, nothing needs to be written.
    if (this.#pending.size === 0 && now === this.#keptAt) return;
    const head: KeptHead = { version: MEMORY_VERSION, at: now };
    this.#pending.set(HEAD_KEY, JSON.stringify(head));
    try {
      while (this.#pending.size > 0) await this.#writeSome(memory);
    } catch (error) {
      onTrouble(error as Error);
      throw new NotKept((error as Error).message, { cause: error });
    }
    this.#keptAt = now;
    for (const [serial, number] of sessions) this.#durable.set(serial, number);
  }

  // The head is written last: its instant must be that of the documents that were written before it.
  async #writeSome(memory: FleetMemory): Promise<void> {
    const some = [...this.#pending].slice(0, MOST_AT_ONCE);
    const puts = some.flatMap(([key, body]) => (body === null ? [] : [{ key, body }]));
    const removals = some.flatMap(([key, body]) => (body === null ? [key] : []));
    await memory.keep({ puts, removals });
    for (const [key, body] of some) if (this.#pending.get(key) === body) this.#pending.delete(key);
    if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#of.clock.soon(resolve));
  }

  /** The documents of all changed people and watches. Returns the session numbers in them. */
  #collect(): Map<string, number> {
    const sessions = new Map<string, number>();
    // Removed here so that it is added last, also after a refused write.
    this.#pending.delete(HEAD_KEY);
    for (const { people, senses } of this.#of.groups)
      for (const i of people.takeTouched()) {
        const kept: KeptPerson = { ...people.kept(i), senses: people.isScripted(i) ? null : senses.kept(i) };
        this.#pending.set(personKey(people.serialOf(i)), JSON.stringify(kept));
      }
    for (const serial of this.#changed) {
      const watch = this.#of.watches.get(serial);
      if (watch === undefined) continue;
      const kept = watch.kept();
      const session = Math.max(kept.machine.session, this.#wanted.get(serial) ?? 0);
      this.#pending.set(watchKey(serial), JSON.stringify({ ...kept, machine: { ...kept.machine, session } }));
      sessions.set(serial, session);
      this.#boxes.add(serial);
    }
    this.#changed.clear();
    for (const serial of this.#boxes) this.#collectBox(serial);
    this.#boxes.clear();
    return sessions;
  }

  #collectBox(serial: string): void {
    const box = this.#of.watches.get(serial)?.machine.outbox;
    if (box === undefined || !(box.hasNews || box.hasKept)) return;
    const { puts, removals } = box.keep();
    for (const [number, item] of puts) this.#pending.set(itemKey(serial, number), JSON.stringify(item));
    for (const number of removals) this.#pending.set(itemKey(serial, number), null);
  }

  #collectSite({ siteId, people }: KeptGroup): void {
    const shown = [...(this.#notices.get(siteId)?.values() ?? [])];
    const kept: KeptSite = { ...people.keptSite(), shown };
    const body = JSON.stringify(kept);
    if (this.#sites.get(siteId) === body) return;
    this.#sites.set(siteId, body);
    this.#pending.set(siteKey(siteId), body);
  }
}

/** The disk refused a write that a caller awaits: the state is in memory, but a kill would lose it. */
class NotKept extends Error {
  override readonly name = 'NotKept';
}
const siteKey = (siteId: string): string => `site/${siteId}`;
/** `person`: the serial of the watch with which they began. Their random values depend on it. */
const personKey = (person: string): string => `person/${person}`;
const watchKey = (serial: string): string => `watch/${serial}`;
export const itemKey = (serial: string, number: number): string => `item/${serial}/${String(number).padStart(9, '0')}`;

/** Due work, derived from the world: each prompt, permit, silence and headcount has one entry on the clock, also after a restart. */
import { asError } from '../../base/assert.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { silenceDue } from '../domain/alerts/from-telemetry.ts';
import type { Command, CommandOf } from '../domain/commands.ts';
import { COUNT_EVERY_MS, lastDue } from '../domain/musters/count.ts';
import type { Muster, Permit, Prompt } from '../domain/world/documents.ts';
import type { Touched, World } from '../domain/world/world.ts';
import { permitDue } from '../domain/zones/permits.ts';

/** Delay before due work is tried again after the disk refused its transaction; milliseconds. */
const AGAIN_MS = 1_000;

/**
 * The longest back-off of due work that throws: the delay doubles each time up to this limit; milliseconds. The cause
 * may disappear later.
 */
const LONGEST_BACKOFF_MS = 60 * 60_000;

interface AgendaParts {
  readonly clock: Clock;
  readonly world: World;
  readonly startedAt: Instant;
  readonly submit: (command: Command) => Promise<unknown>;
  /** True if this engine does the due work of a site. Default: always true. */
  readonly isMine?: (siteId: string) => boolean;
  /** Called with an exception from scheduling or running an entry. */
  readonly failed: (what: string, error: Error) => void;
}

export class Agenda {
  readonly #clock: Clock;
  readonly #world: World;
  readonly #startedAt: Instant;
  readonly #submit: AgendaParts['submit'];
  readonly #failed: AgendaParts['failed'];
  readonly #isMine: NonNullable<AgendaParts['isMine']>;
  readonly #entries = new Map<string, Cancel>();
  /**
   * Watches whose silence has an entry. It is checked for every message, and a key for each check would only be
   * garbage.
   */
  readonly #listenedTo = new Set<string>();
  /** How many times in a row due work has thrown, by the key of its entry. */
  readonly #thrown = new Map<string, number>();
  #stopped = false;

  constructor({ clock, world, startedAt, submit, failed, isMine = () => true }: AgendaParts) {
    this.#clock = clock;
    this.#world = world;
    this.#startedAt = startedAt;
    this.#submit = submit;
    this.#failed = failed;
    this.#isMine = isMine;
  }

  setAll(): void {
    const each = <T>(what: string, all: Iterable<T>, set: (one: T) => void) => {
      for (const one of all) this.#contain(what, () => set(one));
    };
    each('prompt', this.#world.all('prompt'), (prompt) => this.#setPrompt(prompt));
    each('permit', this.#world.all('permit'), (permit) => this.#setPermit(permit));
    each('device', this.#world.all('device'), (device) => this.watchSilence(device.id));
    each('muster', this.#world.indexes.activeMusters(), (muster) => this.#setCount(muster));
  }

  /**
   * A watch has reported: its silence is monitored from now on. An existing entry reschedules itself when it is due.
   */
  watchSilence(deviceId: string): void {
    if (this.#listenedTo.has(deviceId)) return;
    this.#contain('silence', () => {
      const due = this.#silenceDue(deviceId);
      if (due !== null) this.#setSilence(deviceId, due);
    });
  }

  /** Updates the entries after a committed transaction. */
  follow(touched: readonly Touched[], reportingDevices: ReadonlySet<string>): void {
    for (const one of touched) this.#contain(one.kind, () => this.#followOne(one));
    for (const deviceId of reportingDevices) this.watchSilence(deviceId);
  }

  #followOne({ kind, id, after }: Touched): void {
    if (kind === 'prompt') {
      if (after === undefined) this.#cancel(`prompt/${id}`);
      else this.#setPrompt(after as Prompt);
    } else if (kind === 'permit') {
      if (after === undefined) this.#cancel(`permit/${id}`);
      else this.#setPermit(after as Permit);
    } else if (kind === 'device' && after === undefined) {
      this.#cancel(`silence/${id}`);
      this.#listenedTo.delete(id);
    } else if (kind === 'device') this.watchSilence(id);
    else if (kind === 'muster') {
      const muster = after as Muster | undefined;
      if (muster?.status !== 'active') this.#cancel(`muster/${id}`);
      else if (!this.#entries.has(`muster/${id}`)) this.#setCount(muster);
    }
  }

  /** The transaction of this command was rolled back: its due work is scheduled again soon. */
  failed(command: Command): void {
    this.#again(command, AGAIN_MS);
  }

  /** The command threw and was rolled back: its due work is retried with a back-off, so that it never loops. */
  threw(command: Command): void {
    const key = keyOf(command);
    if (key === null) return;
    const times = this.#thrown.get(key) ?? 0;
    this.#thrown.set(key, times + 1);
    this.#again(command, Math.min(AGAIN_MS * 2 ** times, LONGEST_BACKOFF_MS));
  }

  /** The command did not throw: its due work has no back-off any more. */
  decided(command: Command): void {
    if (this.#thrown.size > 0) this.#thrown.delete(keyOf(command) ?? '');
  }

  #again(command: Command, afterMs: number): void {
    const later = this.#clock.now() + afterMs;
    if (command.type === 'expire-prompt')
      this.#set(keyOf(command), later, command.promptId, () => this.#expire(command.promptId));
    if (command.type === 'expire-permit')
      this.#set(keyOf(command), later, command.permitId, () => this.#permit(command.permitId));
    if (command.type === 'judge-silence') this.#setSilence(command.deviceId, later);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#entries.values()) cancel();
    this.#entries.clear();
  }

  #setPrompt({ id, until }: Prompt): void {
    this.#set(`prompt/${id}`, until, id, () => this.#expire(id));
  }

  #expire(promptId: string): void {
    if (this.#isMine(this.#world.get('prompt', promptId)?.siteId ?? ''))
      void this.#submit({ type: 'expire-prompt', promptId });
  }

  #setPermit(permit: Permit): void {
    const due = permitDue(permit);
    if (due === null) this.#cancel(`permit/${permit.id}`);
    else this.#set(`permit/${permit.id}`, due, permit.id, () => this.#permit(permit.id));
  }

  #permit(permitId: string): void {
    if (this.#isMine(this.#world.get('permit', permitId)?.siteId ?? ''))
      void this.#submit({ type: 'expire-permit', permitId });
  }

  /** The next headcount is scheduled before this one is made, so that a rollback costs only one headcount. */
  #setCount(muster: Muster): void {
    const { id } = muster;
    this.#set(`muster/${id}`, lastDue(muster, this.#clock.now()) + COUNT_EVERY_MS, id, () => {
      this.#setCount(muster);
      if (this.#isMine(muster.site.id)) void this.#submit({ type: 'count-muster', musterId: id });
    });
  }

  #setSilence(deviceId: string, due: Instant): void {
    this.#listenedTo.add(deviceId);
    this.#set(`silence/${deviceId}`, due, deviceId, () => this.#silence(deviceId));
  }

  #silence(deviceId: string): void {
    this.#listenedTo.delete(deviceId);
    this.#contain('silence', () => {
      const due = this.#silenceDue(deviceId);
      if (due === null || !this.#isMine(this.#world.need('device', deviceId).siteId)) return;
      if (due > this.#clock.now()) this.watchSilence(deviceId);
      else void this.#submit({ type: 'judge-silence', deviceId });
    });
  }

  #silenceDue(deviceId: string): Instant | null {
    const device = this.#world.get('device', deviceId);
    return device === undefined ? null : silenceDue(this.#world, device, this.#startedAt);
  }

  #set(key: string, due: Instant, actor: string, task: () => void): void {
    if (this.#stopped) return;
    this.#cancel(key);
    const cancel = this.#clock.at(due, { lane: LANE.service, actor }, () => {
      this.#entries.delete(key);
      task();
    });
    this.#entries.set(key, cancel);
  }

  #cancel(key: string): void {
    this.#entries.get(key)?.();
    this.#entries.delete(key);
  }

  /**
   * The due instant is computed from a document. A document that cannot be read must not prevent the entries of the
   * others.
   */
  #contain(what: string, task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#failed(what, asError(error));
    }
  }
}

/** The key of the entry that submits the command; null if no entry does, or if the entry reschedules itself. */
function keyOf(command: CommandOf<'expire-prompt' | 'expire-permit' | 'judge-silence'>): string;
function keyOf(command: Command): string | null;
function keyOf(command: Command): string | null {
  switch (command.type) {
    case 'expire-prompt':
      return `prompt/${command.promptId}`;
    case 'expire-permit':
      return `permit/${command.permitId}`;
    case 'judge-silence':
      return `silence/${command.deviceId}`;
    default:
      return null;
  }
}

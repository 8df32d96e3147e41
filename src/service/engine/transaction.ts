/** One transaction while it is being decided: its commands' changes to the world, and what is sent after the commit. */
import { apply } from '../domain/apply.ts';
import { type Change, isRejection, type Rejection, type Stamp } from '../domain/changes.ts';
import type { Command, Done } from '../domain/commands.ts';
import { consequences } from '../domain/consequences.ts';
import { decide } from '../domain/decide.ts';
import type { Effect } from '../domain/effects.ts';
import type { Addresses } from '../domain/views/alert.ts';
import type { Alert, Delivery, EventRecord } from '../domain/world/documents.ts';
import type { Savepoint, World } from '../domain/world/world.ts';
import type { CommitRecord } from './commit-record.ts';
import type { AttemptRecord, Batch } from './store-port.ts';

/**
 * The outcome of a command: refused with a problem code, or done. `value` is what the caller rendered at that instant.
 */
export type CommandOutcome<V> = Rejection | { readonly rejected: false; readonly done: Done; readonly value: V };

/**
 * A class, because V8 may allocate the literals of a hot place among the old objects. A waiting command would then keep
 * its sender's message until the next full collection.
 */
export class WaitingCommand {
  readonly command: Command;
  readonly render: (world: World, done: Done) => unknown;
  readonly attempt: ((world: World) => AttemptRecord) | undefined;
  readonly answer: (outcome: CommandOutcome<unknown>) => void;

  constructor(
    command: Command,
    render: WaitingCommand['render'],
    attempt: WaitingCommand['attempt'],
    answer: WaitingCommand['answer'],
  ) {
    this.command = command;
    this.render = render;
    this.attempt = attempt;
    this.answer = answer;
  }
}

/** The parts of a transaction that are rolled back with a command. */
interface TransactionSavepoint {
  readonly world: Savepoint;
  readonly events: number;
  readonly deliveries: number;
  readonly attempts: number;
  readonly effects: number;
  readonly reportingDevices: number;
}

export class Transaction {
  readonly #world: World;
  readonly #stamp: Stamp;
  readonly #addresses: Addresses;
  readonly #events: EventRecord[] = [];
  readonly deliveries: Delivery[] = [];
  readonly #attempts: AttemptRecord[] = [];
  readonly effects: Effect[] = [];
  /** Commands that threw. */
  readonly thrown: { readonly command: Command; readonly error: Error }[] = [];
  /** Watches whose telemetry changed, once for each change. */
  readonly reportingDevices: string[] = [];

  constructor(world: World, stamp: Stamp, addresses: Addresses) {
    this.#world = world;
    this.#stamp = stamp;
    this.#addresses = addresses;
  }

  take({ command, render, attempt }: WaitingCommand): CommandOutcome<unknown> {
    const decision = decide(this.#world, command, this.#stamp);
    if (isRejection(decision)) return decision;
    for (const change of decision.changes) this.#happen(change);
    if (attempt !== undefined) this.#attempts.push(attempt(this.#world));
    return { rejected: false, done: decision, value: render(this.#world, decision) };
  }

  savepoint(): TransactionSavepoint {
    return {
      world: this.#world.savepoint(),
      events: this.#events.length,
      deliveries: this.deliveries.length,
      attempts: this.#attempts.length,
      effects: this.effects.length,
      reportingDevices: this.reportingDevices.length,
    };
  }

  rollbackTo({ world, events, deliveries, attempts, effects, reportingDevices }: TransactionSavepoint): void {
    this.#world.rollbackTo(world);
    this.#events.length = events;
    this.deliveries.length = deliveries;
    this.#attempts.length = attempts;
    this.effects.length = effects;
    this.reportingDevices.length = reportingDevices;
  }

  #happen(change: Change): void {
    apply(this.#world, change);
    if (change.kind === 'event-occurred') this.#events.push(change.record);
    if (change.kind === 'delivery-queued') this.deliveries.push(change.delivery);
    if (change.kind === 'telemetry-heard') this.reportingDevices.push(change.telemetry.id);
    const { changes, effects } = consequences(this.#world, change, this.#stamp, this.#addresses);
    this.effects.push(...effects);
    for (const further of changes) this.#happen(further);
  }

  /** Returns null if the transaction changed nothing that must be on disk before it is answered. */
  batch(): Batch | null {
    const puts: Batch['puts'][number][] = [];
    const removals: Batch['removals'][number][] = [];
    for (const { kind, id, before, after } of this.#world.touched()) {
      if (after !== undefined) puts.push({ kind, id, document: after });
      else if (kind === 'alert' && before !== undefined)
        removals.push({ kind, id, organizationId: (before as Alert).organizationId });
      else if (before !== undefined) removals.push({ kind, id });
    }
    if (puts.length + removals.length + this.#events.length + this.#attempts.length === 0) return null;
    return { puts, removals, events: this.#events, attempts: this.#attempts, requests: [] };
  }

  /** Must be called before the world clears the transaction's journal. */
  record(reportingDevices: ReadonlySet<string>): CommitRecord {
    const touched = this.#world.touched();
    const [events, deliveries, attempts, effects] = [this.#events, this.deliveries, this.#attempts, this.effects];
    return { touched, reportingDevices, events, deliveries, attempts, effects };
  }
}

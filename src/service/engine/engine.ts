/**
 * The serial engine, the only code that changes the world. A transaction takes all waiting commands, decides them one
 * by one, writes their changes at once, and sends nothing before the commit. A command that throws is rolled back alone
 * and gets a 500; the others are decided without it.
 */
import { asError } from '../../base/assert.ts';
import type { Clock, Instant, Release } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { Notice } from '../../contract/notices.ts';
import { isRejection, type Rejection, reject, stampAt } from '../domain/changes.ts';
import type { Command, Done } from '../domain/commands.ts';
import { decide } from '../domain/decide.ts';
import { Answers, type ArchiveRequest, NotInMemory } from '../domain/world/archive.ts';
import type { World } from '../domain/world/world.ts';
import { Agenda } from './agenda.ts';
import type { CommitRecord, EngineListener } from './commit-record.ts';
import type { EngineParts } from './engine-parts.ts';
import { Failures } from './failures.ts';
import { Listeners } from './listeners.ts';
import { Pruning } from './pruning.ts';
import { Readers } from './readers.ts';
import { type RequestCircumstances, requestNotice } from './request-notice.ts';
import { Following, Outdated, Overtaken } from './shared-transactions.ts';
import { failedWrite, StorageState } from './storage-state.ts';
import { type AttemptRecord, type RequestRecord, StorageBroken, StorageFull } from './store-port.ts';
import { type CommandOutcome, Transaction, WaitingCommand } from './transaction.ts';
import { WriteBehind } from './write-behind.ts';

export type { EngineParts } from './engine-parts.ts';
export type { CommandOutcome } from './transaction.ts';

const nothing = () => undefined;

export class Engine {
  readonly world: World;
  readonly clock: Clock;
  readonly #parts: EngineParts;
  readonly #startedAt: Instant;
  readonly #agenda: Agenda;
  readonly #writeBehind: WriteBehind;
  readonly #pruning: Pruning;
  /** All parts of the sandbox report their contained exceptions here. */
  readonly failures: Failures;
  readonly #listeners: Listeners;
  /** Null if no other engine writes to the store. */
  readonly #following: Following | null;
  readonly #readers: Readers;
  #followNoMore: () => void = () => {};
  #queue: WaitingCommand[] = [];
  #hold: Release = () => {};
  #transaction: Promise<void> | null = null;
  readonly #storage = new StorageState();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.world = parts.world;
    this.clock = parts.clock;
    this.failures = new Failures({
      clock: parts.clock,
      notify: (notice) => this.notify(notice),
      record: parts.recordFailure ?? nothing,
    });
    this.#listeners = new Listeners(this.failures);
    this.#readers = new Readers(this.clock, this.world, () => this.#transaction);
    this.#pruning = new Pruning(this.clock, this.world, this.#parts.store);
    this.#startedAt = parts.clock.now();
    this.#agenda = new Agenda({
      clock: this.clock,
      world: this.world,
      startedAt: this.#startedAt,
      submit: (command) => this.submit(command),
      failed: (what, error) => this.failures.report({ part: 'task', what, error }),
      ...(parts.shared === undefined ? {} : { isMine: parts.shared.isMine }),
    });
    this.#writeBehind = new WriteBehind(parts.clock, parts.world, parts.store, (error) => this.#trouble(error));
    this.#following =
      parts.shared === undefined
        ? null
        : new Following(parts.shared.transactions, parts.world, (record) => {
            this.#agenda.follow(record.touched, record.reportingDevices);
            this.#listeners.committed(record);
          });
  }

  /** Schedules all due work of the loaded world. */
  start(): void {
    this.#agenda.setAll();
    this.#pruning.start();
    const transactions = this.#parts.shared?.transactions;
    // A failure is reported by the next request or transaction.
    if (transactions !== undefined)
      this.#followNoMore = transactions.whenCommitted(() => void this.catchUp().catch(nothing));
  }

  /** Sites were handed to this engine: it does their due work from now on. */
  tookSites(): void {
    this.#agenda.setAll();
  }

  /** Refuses commands with `storage_unavailable` and this reason. Null ends this, and overdue work becomes due now. */
  suspend(why: string | null): void {
    this.#storage.suspend(why);
    if (why === null) this.#agenda.setAll();
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: EngineListener): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Resolves when the transaction is committed. `render` runs right after the command, so that it sees the command's
   * changes. So does `attempt`, whose row is written in the same transaction.
   */
  submit<V = undefined>(
    command: Command,
    render: (world: World, done: Done) => V = nothing as unknown as () => V,
    attempt?: (world: World) => AttemptRecord,
  ): Promise<CommandOutcome<V>> {
    return new Promise((answer) => {
      this.#take(new WaitingCommand(command, render, attempt, answer as WaitingCommand['answer']));
    });
  }

  /** Returns how the command would end if it were decided now, without any effect. */
  async dryRun(
    command: Command,
  ): Promise<Rejection | { readonly rejected: false; readonly done: Done; readonly value: undefined }> {
    return this.read((world, now) => {
      const stamp = stampAt(now, this.#parts.salt, this.#parts.assumptions, this.#startedAt);
      const decision = decide(world, command, stamp);
      return isRejection(decision) ? decision : { rejected: false, done: decision, value: undefined };
    });
  }

  /** Like `submit`, for uplinks: at their rate the cost of a promise for each is measurable. */
  submitWithCallback(command: Command, answer: (outcome: CommandOutcome<undefined>) => void): void {
    this.#take(new WaitingCommand(command, nothing, undefined, answer as WaitingCommand['answer']));
  }

  #take(waiting: WaitingCommand): void {
    // Telemetry is acknowledged without a commit, so the storage is checked here.
    this.#parts.store.glance();
    const refusal = this.#storage.refusal(waiting.command);
    if (refusal !== null) return waiting.answer(refusal);
    // One hold for all waiting commands, since they are answered together.
    if (this.#queue.length === 0) this.#hold = this.#holdFor(waiting.command.type);
    this.#queue.push(waiting);
    this.#schedule();
  }

  /** The label has only the type, so that the hold does not keep the command. */
  #holdFor(type: Command['type']): Release {
    return this.clock.hold('engine', () => `${type} and what came with it`);
  }

  /** Any packet of a watch counts as contact. [watch-protocol] */
  contact(deviceId: string): void {
    this.world.contact(deviceId, this.clock.now());
    this.#writeBehind.wake();
    this.#agenda.watchSilence(deviceId);
    if (this.world.need('device', deviceId).silenceReported) void this.submit({ type: 'regain-contact', deviceId });
  }

  /** Checks the storage now. False if it cannot be trusted: nothing may be acknowledged any more. [decisions 10] */
  isSound(): boolean {
    this.#parts.store.glance();
    return this.#storage.broken === null;
  }

  /** Throws the store's error if a change would be refused now. It writes only if the last write was refused, since only a write shows if there is room. */
  async checkStorage(): Promise<void> {
    this.#parts.store.glance();
    this.#storage.check();
    if (this.#storage.full === null) return;
    await this.#writeBehind.probe();
    this.#storage.written();
  }

  /** Stops for good: acknowledged changes stay, and no further ones are accepted. */
  fail(error: Error): void {
    this.#trouble(error);
  }

  /** Reads the committed state. `look` may be called again, after missing documents were read from the store. */
  read<V>(look: (world: World, now: Instant) => V): Promise<V> | V {
    return this.#readers.read(look);
  }

  /** True if other engines write to the store too. */
  get isShared(): boolean {
    return this.#following !== null;
  }

  /** Resolves when the world has all earlier commits of any engine. Throws StorageFull if the store is unavailable. */
  async catchUp(): Promise<void> {
    if (this.#following === null) return;
    try {
      await this.#following.fetch();
      await this.read(() => this.#following?.apply());
    } catch (error) {
      if (error instanceof Outdated) this.#trouble(error);
      throw error;
    }
  }

  /** The audit log is written behind: it may lose its last second, but an fsync must not slow down every GET. */
  logRequest(record: RequestRecord, circumstances?: RequestCircumstances): void {
    this.#writeBehind.request(record);
    const notice = requestNotice(record, circumstances);
    if (notice !== null) this.notify(notice);
  }

  /** Writes everything that waits for the write-behind. */
  flush(): Promise<void> {
    return this.#writeBehind.flush();
  }

  /** Calls all listeners. A listener that throws is reported, and the others are still called. */
  notify(notice: Notice): void {
    this.#listeners.notice(notice);
  }

  /** Finishes the current transactions and writes the rest. */
  async stop(): Promise<void> {
    this.#followNoMore();
    this.#agenda.stop();
    await this.#pruning.stop();
    while (this.#transaction !== null || this.#queue.length > 0) await (this.#transaction ?? this.#run());
    await this.#writeBehind.stop();
    // The store may continue with another world, and this engine must not write into it.
    this.#storage.break(new Error('The engine has stopped.'));
  }

  #schedule(): void {
    if (this.#transaction !== null) return;
    // Commands that arrive in the same tick of the event loop share a transaction.
    this.#transaction = new Promise((resolve) => {
      this.clock.soon(() => void this.#run().then(resolve));
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const [waiting, release] = [this.#queue, this.#hold];
      this.#queue = [];
      try {
        await this.#oneTransaction(waiting, release);
      } catch (error) {
        // Each step of a transaction contains its exceptions. If one does not, the engine must still continue.
        this.failures.report({ part: 'command', what: 'turn', error: asError(error) });
        this.world.rollback();
        release();
        for (const one of waiting) this.#answer(one, INTERNAL);
      }
      this.#readers.letIn((error) => this.#listeners.failed('read', error));
    }
    this.#transaction = null;
  }

  async #oneTransaction(waiting: readonly WaitingCommand[], release: Release): Promise<void> {
    let decided: DecidedTransaction;
    try {
      decided = await this.#decideAndCommit(waiting);
    } catch (error) {
      const refusal = failedWrite(asError(error));
      this.#trouble(asError(error));
      for (const { command } of waiting) this.#agenda.failed(command);
      release();
      for (const one of waiting) this.#answer(one, refusal);
      return;
    }
    const { record, outcomes } = decided;
    this.#agenda.follow(record.touched, record.reportingDevices);
    if (record.reportingDevices.size > 0) this.#writeBehind.wake();
    this.#listeners.committed(record);
    release();
    for (let place = 0; place < waiting.length; place++)
      this.#answer(waiting[place] as WaitingCommand, outcomes[place] as CommandOutcome<unknown>);
  }

  /** Repeats while another engine commits first or memory lacks something. If the store throws, nothing has changed. */
  async #decideAndCommit(waiting: readonly WaitingCommand[]): Promise<DecidedTransaction> {
    for (let answers: Answers | null = null; ; ) {
      this.#following?.apply();
      const transaction = new Transaction(
        this.world,
        stampAt(this.clock.now(), this.#parts.salt, this.#parts.assumptions, this.#startedAt),
        this.#parts.addresses,
      );
      let reportingDevices: ReadonlySet<string> = new Set();
      try {
        const { outcomes, missing } = this.#decideAll(transaction, waiting, answers);
        reportingDevices = new Set(transaction.reportingDevices);
        if (missing.length > 0) {
          this.#takeBack(reportingDevices);
          answers ??= new Answers((missing[0] as NotInMemory).archive);
          await answers.ask(missing.map(({ request }): ArchiveRequest => request));
          continue;
        }
        const batch = transaction.batch();
        if (batch !== null) {
          await (this.#following?.commit(batch, transaction) ?? this.#parts.store.commit(batch));
          this.#storage.written();
        }
        const record = transaction.record(reportingDevices);
        this.world.commit();
        this.#reportThrown(transaction);
        return { record, outcomes };
      } catch (error) {
        this.#takeBack(reportingDevices);
        if (!(error instanceof Overtaken)) {
          this.#reportThrown(transaction);
          throw error;
        }
        answers = null;
        await this.#following?.refresh();
      }
    }
  }

  #takeBack(reportingDevices: ReadonlySet<string>): void {
    this.world.rollback();
    // The reports of the transaction are lost, but the contact with each watch is kept.
    for (const deviceId of reportingDevices) this.world.contact(deviceId, this.clock.now());
  }

  /** `missing`: what must be fetched from the store, after which all commands are decided again. */
  #decideAll(
    transaction: Transaction,
    waiting: readonly WaitingCommand[],
    answers: Answers | null,
  ): { outcomes: CommandOutcome<unknown>[]; missing: NotInMemory[] } {
    const missing: NotInMemory[] = [];
    const outcomes =
      answers === null
        ? waiting.map((one) => this.#decide(transaction, one, missing))
        : answers.during(() => waiting.map((one) => this.#decide(transaction, one, missing)));
    return { outcomes, missing };
  }

  /** A command that throws leaves nothing in the transaction: neither in the world nor in what is sent later. */
  #decide(transaction: Transaction, waiting: WaitingCommand, missing: NotInMemory[]): CommandOutcome<unknown> {
    const savepoint = transaction.savepoint();
    const { command } = waiting;
    try {
      const outcome = transaction.take(waiting);
      this.#agenda.decided(command);
      return outcome;
    } catch (thrown) {
      transaction.rollbackTo(savepoint);
      const error = asError(thrown);
      // The store could not be read, which ends the transaction and not only the command.
      if (error instanceof StorageFull || error instanceof StorageBroken) throw error;
      if (error instanceof NotInMemory) missing.push(error);
      else transaction.thrown.push({ command, error });
      return { ...INTERNAL, note: `${command.type}: ${error.name}: ${error.message}` };
    }
  }

  /** Reports each command once, even if its transaction was decided several times. */
  #reportThrown({ thrown }: Transaction): void {
    for (const { command, error } of thrown) {
      this.failures.report({ part: 'command', what: command.type, error, command });
      this.#agenda.threw(command);
    }
  }

  #answer({ answer, command }: WaitingCommand, outcome: CommandOutcome<unknown>): void {
    try {
      answer(outcome);
    } catch (error) {
      this.#listeners.failed(command.type, error);
    }
  }

  #trouble(error: Error): void {
    const at = formatInstant(this.clock.now());
    if (error instanceof StorageFull) {
      this.#storage.refused(error);
      return this.notify({ kind: 'storage-full', at, detail: error.message });
    }
    if (this.#storage.broken !== null) return;
    this.#storage.break(error);
    if (error instanceof Outdated) return this.#parts.shared?.onOutdated(error);
    this.notify({ kind: 'storage-broken', at, detail: error.message });
    this.#parts.onBroken(error);
  }
}

const INTERNAL = reject('internal_error', 'The sandbox has an internal error. The request log has the reason.');
/** A committed transaction, with the outcome of each of its commands. */
interface DecidedTransaction {
  readonly record: CommitRecord;
  readonly outcomes: readonly CommandOutcome<unknown>[];
}

/** The one clock behind the three modes: one heap of due entries, executed by a wall timer or step by step. */
import { asError, assert } from '../assert.ts';
import type {
  Cancel,
  Clock,
  ClockHold,
  ClockMode,
  ClockState,
  DueKey,
  HoldLane,
  Instant,
  Label,
  Release,
} from './clock.ts';
import type { ClockParts } from './clock-parts.ts';
import { DueHeap } from './heap.ts';
import { Holds } from './holds.ts';
import { LagRecord } from './lag.ts';
import { Pace } from './pace.ts';
import { PacedSteps } from './paced-steps.ts';
import { QuietTurn } from './quiet.ts';
import { MACHINE_TIME, type MachineTime, WallTimers, wallMs } from './timers.ts';
import { Watchdog } from './watchdog.ts';

/** The time for which a late clock catches up before sockets get a turn; milliseconds. */
const CATCH_UP_MS = 10;

interface Advance {
  readonly ms: number;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

export class SimulatedClock implements Clock {
  readonly mode: ClockMode;
  readonly simulatesClients: boolean;
  /** True if time follows the wall clock; false if it jumps from entry to entry. */
  #byWall: boolean;
  /** Null: entries do not wait for a pace. */
  #paced: PacedSteps | null;
  readonly #wall: () => number;
  readonly #machine: MachineTime;
  readonly #pacedBy: MachineTime;
  readonly #tieOrder: ((actor: string) => string) | null;
  readonly #heap = new DueHeap();
  readonly #lag = new LagRecord();
  readonly #holds: Holds;
  readonly #watchdog: Watchdog;
  readonly #pace: Pace;
  readonly #quietTurn = new QuietTurn((quiet) => this.#onTurn(quiet));
  readonly #wallTimers: WallTimers;
  readonly #advances: Advance[] = [];
  /** The latest instant that any reader has seen. */
  #last: Instant;
  readonly #end: Instant;
  /** The end of the current advance; null if there is none. */
  #target: Instant | null = null;
  #started = false;
  #stopped = false;
  #paused = false;
  #inTask = false;
  #report: ((error: Error, actor: string) => void) | null = null;
  #wake: { due: Instant; cancel: Cancel } | null = null;

  constructor(parts: ClockParts) {
    const { mode, start, end, speed, tieOrder, watchdogMs, onStuck } = parts;
    const { wall = wallMs, machine = MACHINE_TIME, pacedBy = machine } = parts;
    this.mode = mode;
    this.simulatesClients = mode === 'lockstep';
    this.#wall = wall;
    this.#tieOrder = tieOrder ?? null;
    this.#last = start;
    this.#end = end;
    this.#machine = machine;
    this.#wallTimers = new WallTimers(machine);
    this.#pacedBy = pacedBy;
    this.#pace = new Pace(start, speed, pacedBy);
    this.#paced = parts.isPaced === true ? new PacedSteps(this.#pace) : null;
    this.#byWall = mode !== 'lockstep';
    if (this.#byWall) this.#pace.run();
    this.#holds = new Holds(
      () => this.#moved(),
      (lane, task) => this.#run(lane, task),
    );
    this.#watchdog = new Watchdog({
      limitMs: watchdogMs,
      busy: () => this.#stepping && this.#holds.busy,
      progress: () => this.#holds.changes,
      onStuck: () => onStuck(this.holders()),
      machine,
    });
  }

  now(): Instant {
    if (this.#byWall && this.#target === null && !this.#inTask) this.#see(Math.floor(this.#pace.read()));
    return this.#last;
  }

  wall(): number {
    return this.#wall();
  }

  lagSince(instant: Instant): number {
    return this.#lag.since(instant);
  }

  get behindMs(): number {
    return this.#paced?.behindMs ?? 0;
  }

  clientTime(): Instant {
    return this.simulatesClients ? this.now() : this.#wall();
  }

  monotonic(): number {
    return this.#machine.monotonicMs();
  }

  at(due: Instant, key: DueKey, task: () => void): Cancel {
    assert(Number.isFinite(due), () => `A task of ${key.actor} cannot be due at ${due}.`);
    if (this.#stopped) return () => {};
    const sorted = this.#tieOrder === null ? key : { lane: key.lane, actor: this.#tieOrder(key.actor) };
    const cancel = this.#heap.add(Math.ceil(due), sorted, task, this.#byWall ? Math.max(due, this.#pace.read()) : due);
    this.#moved();
    return cancel;
  }

  afterWall(delayMs: number, task: () => void, { unref = false }: { unref?: boolean } = {}): Cancel {
    // A component that stops after the clock may still need a time limit, which must not keep the process alive.
    return this.#wallTimers.add(delayMs, () => this.#run('wall timer', task), { unref: unref || this.#stopped });
  }

  soon(task: () => void): void {
    this.#quietTurn.soon(
      () => this.#run('next turn', task),
      () => this.#moved(),
    );
  }

  hold(lane: HoldLane, label: Label): Release {
    return this.#holds.open(lane, label);
  }

  holders(): readonly ClockHold[] {
    return this.#holds.holders();
  }

  get ordering(): boolean {
    return !this.#stopped && (!this.#byWall || this.#target !== null);
  }

  ordered(lane: HoldLane, key: string, task: () => void): void {
    if (this.ordering) this.#holds.order(lane, key, task);
    else this.#run(lane, task);
  }

  contain(report: (error: Error, actor: string) => void): void {
    this.#report = report;
  }

  state(): ClockState {
    const now = this.now();
    const shown = this.#followsPace ? Math.max(now, this.#pacedNow()) : now;
    return { now, shown, speed: this.#pace.speed, paused: this.#paused, mode: this.mode };
  }

  arrive(): void {
    if (this.#followsPace && this.#stepping && !this.#holds.busy) this.#see(this.#pacedNow());
  }

  hurry(until: Instant): void {
    this.#paced?.hurry(until);
    this.#disarm();
    this.#moved();
  }

  correct(byMs: number): void {
    if (!this.#byWall) return;
    this.#pace.jump(this.#pace.read() + byMs);
    this.#disarm();
    this.#moved();
  }

  setSpeed(factor: number): void {
    this.#pace.setSpeed(factor);
    this.#disarm();
    this.#moved();
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#pace.halt();
    this.#disarm();
  }

  handOver(): void {
    this.pause();
    this.#paced = null;
    if (this.#byWall) return;
    this.#byWall = true;
    this.#pace.jump(this.#last);
    this.#pace.setSpeed(1);
    this.#moved();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#letTimePass();
  }

  start(): void {
    assert(!this.#stopped, 'A stopped clock cannot start again; make a new one.');
    this.#started = true;
    if (!this.#byWall) this.#pace.jump(this.#last);
    this.#letTimePass();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#target = null;
    this.#disarm();
    this.#watchdog.rest();
    this.#heap.clear();
    this.#wallTimers.cancelAll();
    const reason = new Error('The clock was stopped before it had advanced.');
    for (const { reject } of this.#advances.splice(0)) reject(reason);
    this.#holds.applyAll();
  }

  advance(ms: number): Promise<void> {
    assert(Number.isSafeInteger(ms) && ms >= 0, () => `A clock cannot advance by ${ms} ms.`);
    if (this.#stopped) return Promise.reject(new Error('A stopped clock cannot advance.'));
    return new Promise((resolve, reject) => {
      this.#advances.push({ ms, resolve, reject });
      if (this.#target === null) this.#beginAdvance(ms);
    });
  }

  #beginAdvance(ms: number): void {
    this.#disarm();
    this.#pace.halt();
    if (this.#byWall) this.#see(Math.floor(this.#pace.read()));
    this.#target = Math.min(this.#last + ms, this.#end);
    this.#moved();
  }

  #endAdvance(target: Instant): void {
    this.#see(target);
    this.#pace.jump(this.#last);
    this.#target = null;
    this.#advances.shift()?.resolve();
    const next = this.#advances[0];
    if (next) this.#beginAdvance(next.ms);
    else this.#letTimePass();
  }

  #letTimePass(): void {
    if ((this.#byWall || this.#paced !== null) && !this.#paused && this.#target === null) this.#pace.run();
    this.#moved();
  }

  /** True while time jumps from entry to entry instead of following the wall clock. */
  get #stepping(): boolean {
    if (this.#stopped) return false;
    return this.#target !== null || (!this.#byWall && this.#started && !this.#paused);
  }

  /** Called after every change that may let time pass, or must stop it. */
  #moved(): void {
    this.#quietTurn.disturb();
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#stepping) this.#arm();
    else if (this.#holds.busy) this.#watchdog.watch();
    else this.#quietTurn.ask();
  }

  // --- step by step

  // A settled promise or a reply on a socket may still cause work. Time passes only after a turn without any.
  #onTurn(quiet: boolean): void {
    if (quiet && this.#stepping && !this.#holds.busy) this.#step();
    else this.#goOn();
  }

  #step(): void {
    const next = this.#heap.peek();
    const target = this.#target;
    if (next && next.due <= (target ?? this.#end)) {
      if (target !== null || this.#isTimeOf(next.due)) this.#playBatch();
    } else if (target !== null) {
      this.#endAdvance(target);
    }
    // Otherwise the clock is idle: the next entry or release requests a turn.
  }

  // --- at a pace

  /** True between two entries of a clock with a pace. */
  get #followsPace(): boolean {
    return this.#paced !== null && this.#started && !this.#stopped && this.#target === null;
  }

  /** The time of the pace, at most that of the next entry. */
  #pacedNow(): Instant {
    const next = this.#heap.peek();
    return Math.floor(Math.min(this.#pace.read(), next?.due ?? this.#end, this.#end));
  }

  /** False if the pace has not come to the instant yet: the clock is then woken at that time. */
  #isTimeOf(due: Instant): boolean {
    const waitMs = this.#paced?.waitMsFor(due) ?? 0;
    if (waitMs <= 0) return true;
    if (this.#wake?.due === due) return false;
    this.#disarm();
    const onTime = (): void => {
      this.#wake = null;
      this.#goOn();
    };
    this.#wake = { due, cancel: this.#pacedBy.later(waitMs, onTime) };
    return false;
  }

  #playBatch(): void {
    const batch = this.#heap.popBatch();
    this.#see(batch[0]!.due);
    let played = 0;
    try {
      for (const entry of batch) {
        if (this.#stopped) break;
        played++;
        const task = entry.task;
        entry.task = null;
        if (task !== null) this.#run(entry.actor, task);
      }
    } finally {
      // A task threw: keep the remaining ones, for a caller that catches the exception.
      for (const entry of batch.slice(played)) if (entry.task && !this.#stopped) this.#heap.put(entry);
      this.#moved();
    }
  }

  // --- by the wall clock

  #arm(): void {
    if (!this.#byWall || !this.#started || this.#stopped || this.#paused || this.#inTask) return;
    const next = this.#heap.peek();
    if (!next || next.due > this.#end || (this.#wake && this.#wake.due <= next.due)) return;
    this.#disarm();
    const cancel = this.#machine.later(this.#pace.wallMsUntil(next.due), () => this.#catchUp());
    this.#wake = { due: next.due, cancel };
  }

  #disarm(): void {
    this.#wake?.cancel();
    this.#wake = null;
  }

  #catchUp(): void {
    this.#wake = null;
    const untilMs = this.#machine.monotonicMs() + CATCH_UP_MS;
    this.#inTask = true;
    try {
      // A task may pause or stop the clock, or begin to advance it.
      while (this.#target === null && !this.#paused && !this.#stopped) {
        const next = this.#heap.peek();
        if (!next || next.due > Math.min(this.#pace.read(), this.#end) || this.#machine.monotonicMs() > untilMs) break;
        const task = this.#heap.pop()!.task!;
        next.task = null;
        this.#lag.add(next.due, (this.#pace.read() - next.from) / this.#pace.speed);
        this.#see(next.due);
        this.#run(next.actor, task);
      }
    } finally {
      this.#inTask = false;
      this.#moved();
    }
  }

  #see(instant: Instant): void {
    if (instant > this.#last) this.#last = Math.min(instant, this.#end);
  }

  // The only place that runs a task, so that an exception ends the task and not the clock.
  #run(actor: string, task: () => void): void {
    if (this.#report === null) return task();
    try {
      task();
    } catch (error) {
      this.#report(asError(error), actor);
    }
  }
}

/**
 * Judgements by wall time on a busy machine. If a timer of this process came late during a judgement, the judgement is
 * repeated once. If that happens again, the judgement is inconclusive, which is never a pass.
 */
import { MACHINE_TIME, type MachineTime } from './timers.ts';

/** A timer may be late by this part of the judged limit. */
const PART_OF_LIMIT = 1 / 10;

/** Timers of a machine that is merely in use are late by less than this; wall ms. */
const LEAST_LATE_MS = 200;

/** Interval of the timer that measures the lateness; wall ms. */
const LOOK_EVERY_MS = 50;

/** By how much a timer may be late before a judgement with this limit is repeated; wall ms. */
export const allowedLatenessMs = (limitMs: number): number => Math.max(LEAST_LATE_MS, limitMs * PART_OF_LIMIT);

/** Measures by how much timers of this process are late. */
export class LatenessWatch {
  readonly #machine: MachineTime;
  #dueMs = 0;
  #worstMs = 0;
  #cancel: () => void = () => {};

  constructor(machine: MachineTime = MACHINE_TIME) {
    this.#machine = machine;
    this.#arm();
  }

  /** Ends the measurement, and returns the largest lateness; wall ms. */
  end(): number {
    this.#cancel();
    this.#look();
    return this.#worstMs;
  }

  #arm(): void {
    this.#dueMs = this.#machine.monotonicMs() + LOOK_EVERY_MS;
    this.#cancel = this.#machine.later(
      LOOK_EVERY_MS,
      () => {
        this.#look();
        this.#arm();
      },
      { unref: true },
    );
  }

  /** A timer that is due and has not yet fired is late as well. */
  #look(): void {
    this.#worstMs = Math.max(this.#worstMs, this.#machine.monotonicMs() - this.#dueMs);
  }
}

interface TimedJudgement<T> {
  readonly value: T;
  /** Null: conclusive. Otherwise the lateness that makes the judgement inconclusive; wall ms. */
  readonly lateMs: number | null;
}

interface JudgementOptions<T> {
  readonly machine?: MachineTime | undefined;
  /** False for a value that the lateness cannot have caused; such a judgement is conclusive. Default: always true. */
  readonly depends?: (value: T) => boolean;
  /**
   * False for a value that judges nothing, such as that of a subject that the first judgement stopped. If the second
   * value is one, the first is inconclusive. Default: always true.
   */
  readonly judges?: (value: T) => boolean;
}

/** Judges, and judges once more if this process was late. `limitMs`: the judged limit; wall ms. */
export async function judgeOnTime<T>(
  limitMs: number,
  judge: () => Promise<T>,
  { machine, depends = () => true, judges = () => true }: JudgementOptions<T> = {},
): Promise<TimedJudgement<T>> {
  const first = await measured(judge, machine);
  const isConclusive = ({ value, lateMs }: MeasuredJudgement<T>) =>
    lateMs <= allowedLatenessMs(limitMs) || !depends(value);
  if (isConclusive(first)) return { value: first.value, lateMs: null };
  const second = await measured(judge, machine);
  if (judges(first.value) && !judges(second.value)) return first;
  return { value: second.value, lateMs: isConclusive(second) ? null : second.lateMs };
}

interface MeasuredJudgement<T> {
  readonly value: T;
  readonly lateMs: number;
}

async function measured<T>(judge: () => Promise<T>, machine: MachineTime | undefined): Promise<MeasuredJudgement<T>> {
  const watch = new LatenessWatch(machine);
  try {
    const value = await judge();
    return { value, lateMs: watch.end() };
  } finally {
    watch.end();
  }
}

/** How simulated time follows the machine's monotonic clock: a start, a factor, and whether it runs. */
import { assert } from '../assert.ts';
import type { Instant } from './clock.ts';
import type { MachineTime } from './timers.ts';

/** A line through (monotonic, simulated) with the speed as its slope. A step of the wall clock does not affect it. */
export class Pace {
  readonly #machine: MachineTime;
  #simulatedMs: number;
  #monotonicMs: number;
  #speed: number;
  #running = false;

  constructor(startMs: Instant, speed: number, machine: MachineTime) {
    assertSpeed(speed);
    this.#machine = machine;
    this.#monotonicMs = machine.monotonicMs();
    this.#simulatedMs = startMs;
    this.#speed = speed;
  }

  /** Simulated milliseconds per wall millisecond. */
  get speed(): number {
    return this.#speed;
  }

  /** Simulated time now, with its fraction. */
  read(): number {
    if (!this.#running) return this.#simulatedMs;
    return this.#simulatedMs + (this.#machine.monotonicMs() - this.#monotonicMs) * this.#speed;
  }

  /** Wall-clock milliseconds until simulated time reaches `due` at the current speed; 0 or less if it already has. */
  wallMsUntil(due: Instant): number {
    return (due - this.read()) / this.#speed;
  }

  run(): void {
    this.#anchor(this.read());
    this.#running = true;
  }

  halt(): void {
    this.#anchor(this.read());
    this.#running = false;
  }

  setSpeed(speed: number): void {
    assertSpeed(speed);
    this.#anchor(this.read());
    this.#speed = speed;
  }

  /** Continues from another instant. */
  jump(to: Instant): void {
    this.#anchor(to);
  }

  #anchor(simulatedMs: number): void {
    this.#simulatedMs = simulatedMs;
    this.#monotonicMs = this.#machine.monotonicMs();
  }
}

function assertSpeed(speed: number): void {
  assert(Number.isFinite(speed) && speed > 0, () => `A clock cannot run at speed ${speed}.`);
}

/** `--probe URL`: the receiver says what it holds, so that duplicates and order can be judged. */
import { type Static, Type } from 'typebox';
import { later, monotonicMs } from '../base/time/timers.ts';
import { check } from '../contract/check.ts';

/** What the address answers to GET; more keys are allowed everywhere. */
export const ReceiverState = Type.Object({
  alerts: Type.Array(
    Type.Object({
      id: Type.String(),
      status: Type.Optional(Type.String()),
      date_last_modified: Type.Optional(Type.String()),
      simulated: Type.Optional(Type.Boolean()),
    }),
  ),
  musters: Type.Optional(Type.Array(Type.Object({ id: Type.String(), status: Type.Optional(Type.String()) }))),
  acted: Type.Optional(Type.Array(Type.String())),
});
export type ReceiverState = Static<typeof ReceiverState>;

/** For the help of the command. */
export const PROBE_HELP = `--probe: an address of your receiver that answers GET with the alerts and musters that your system holds, and the ids of the
events that it acted on, once for each time; musters and acted may be left out:
  {"alerts": [{"id": "...", "status": "...", "date_last_modified": "...", "simulated": true}],
   "musters": [{"id": "...", "status": "..."}], "acted": ["<event id>", "..."]}`;

/** Wall milliseconds until what was accepted has to be held; a queue may stand between. */
const SETTLE_MS = 3_000;
const LOOK_EVERY_MS = 50;

export class ReceiverProbe {
  readonly #url: URL;
  readonly #settleMs: number;

  constructor(url: URL, settleMs = SETTLE_MS) {
    this.#url = url;
    this.#settleMs = settleMs;
  }

  /** The state, or a sentence that says why there is none. */
  async read(): Promise<ReceiverState | string> {
    let answer: Response;
    let body: unknown;
    try {
      answer = await fetch(this.#url, { signal: AbortSignal.timeout(SETTLE_MS) });
      body = await answer.json();
    } catch (error) {
      const { cause, message } = error as Error;
      return `The probe ${this.#url.href} does not answer JSON: ${cause instanceof Error ? cause.message : message}`;
    }
    if (!answer.ok) return `The probe ${this.#url.href} answered ${answer.status}.`;
    const checked = check(ReceiverState, body);
    if (checked.ok) return checked.value;
    const [first] = checked.errors;
    return `The answer of the probe ${this.#url.href} ${first?.detail} at ${first?.pointer || '/'}.`;
  }

  /** Reads until it is so or the time is up; then the last state, or the sentence. */
  async until(holds: (state: ReceiverState) => boolean): Promise<ReceiverState | string> {
    const endMs = monotonicMs() + this.#settleMs;
    for (;;) {
      const state = await this.read();
      if ((typeof state !== 'string' && holds(state)) || monotonicMs() > endMs) return state;
      await new Promise<void>((resolve) => later(LOOK_EVERY_MS, resolve));
    }
  }
}

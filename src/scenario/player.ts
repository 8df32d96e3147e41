/** Plays the steps of a story one after the other; each begins as an entry of the clock, when everything before it is quiet. */
import { type Clock, type Instant, LANE } from '../base/clock.ts';
import { type Stream, streams } from '../base/streams.ts';
import type { ActionName } from '../contract/actions.ts';
import { resolveFields } from './action-fields.ts';
import type { CanonicalLog } from './canonical-log.ts';
import { type CheckStep, Checks } from './checks.ts';
import type { Customer, Refusal } from './customer.ts';
import { unnamedText } from './failure-text.ts';
import type { RunNotice } from './run-notices.ts';
import type { RunRecord } from './run-record.ts';
import type { RunMode, Step, StepBody, StepFrame, Story, UpdateBody } from './story.ts';
import { type Failure, Telling } from './telling.ts';

/** In real and scaled time an answer takes time itself; wall ms. [scenario-language, fine print] */
const SLACK_WALL_MS = 250;

export interface PlayerParts {
  readonly story: Story;
  readonly seed: string;
  readonly mode: RunMode;
  readonly speed: number;
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly log: CanonicalLog;
  readonly customer: Pick<Customer, 'updateAlert'>;
  readonly sink: (notice: RunNotice) => void;
  /** Steps on later lines are left out. */
  readonly until: number | null;
  workerIds(who: string): readonly string[];
  /** Performs an action of the catalogue; null when it is done. */
  act(action: ActionName, fields: Readonly<Record<string, unknown>>): Promise<Refusal | null>;
}

type ActionStep = StepFrame & Extract<StepBody, { kind: 'action' }>;

/** One playing of one story; it begins where the clock stands when the player is made. */
export class Player {
  readonly #parts: PlayerParts;
  readonly #telling: Telling;
  readonly #checks: Checks;
  readonly #slackMs: number;
  readonly #streamOf: (actor: string, purpose: string) => Stream;
  /** The place in the record at which the last action began: searches start there. */
  #since = 0;
  /** When the step before was done. */
  #ended: Instant;
  #stopped = false;
  #playing: StepFrame | null = null;
  #lastMs = 0;

  constructor(parts: PlayerParts) {
    const { story, seed, mode, speed, clock, record, log, sink, workerIds } = parts;
    this.#parts = parts;
    this.#slackMs = mode === 'fast' ? 0 : SLACK_WALL_MS * speed;
    this.#telling = new Telling({ story, seed, mode, clock, log, sink });
    this.#checks = new Checks({ clock, record, telling: this.#telling, slackMs: this.#slackMs, workerIds });
    this.#streamOf = keptStreams(seed);
    this.#ended = this.#telling.start;
  }

  get failures(): readonly Failure[] {
    return this.#telling.failures;
  }

  /** How many checks came out well, and how many did not. */
  get counts(): { readonly passed: number; readonly failed: number } {
    return { passed: this.#checks.passed, failed: this.#checks.failed };
  }

  /** Simulated ms since the story began. */
  get atMs(): number {
    return this.#parts.clock.now() - this.#telling.start;
  }

  /** The length of the story in simulated ms, so far as it was played. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The step that is under way, for whoever must say where the run stands. */
  get playing(): StepFrame | null {
    return this.#playing;
  }

  /** Resolves when the last step of `finally` is done. */
  async play(): Promise<void> {
    const { story, until } = this.#parts;
    for (const step of story.steps) {
      if (this.#stopped || (until !== null && step.line > until)) break;
      await this.#play(step);
    }
    if (story.finally.length > 0)
      this.#telling.notice({ kind: 'finally-began', atMs: this.#ended - this.#telling.start });
    for (const step of story.finally) await this.#play(step);
    // A story may end with a wait.
    await this.#turn(this.#ended);
    this.#checks.end();
    this.#lastMs = this.atMs;
    this.#telling.log({ k: 'end', d: this.counts });
  }

  /** A failure of the run that no step has looked for. */
  fail(why: string): void {
    this.#telling.fail(this.#playing, why);
  }

  async #play(step: Step): Promise<void> {
    const { start } = this.#telling;
    const due = Math.max(this.#ended + step.afterMs, start + (step.atMs ?? 0));
    await this.#turn(due);
    this.#playing = step;
    this.#telling.notice({
      kind: step.kind === 'mark' ? 'mark' : 'step-began',
      ...{ line: step.line, atMs: due - start, text: step.text },
    });
    this.#ended = await this.#perform(step, due);
  }

  /** The answer is when the step was done. */
  async #perform(step: Step, begin: Instant): Promise<Instant> {
    switch (step.kind) {
      case 'wait':
        return begin + step.ms;
      case 'mark':
        this.#telling.log({ k: 'mark', line: step.line, d: { text: step.words } });
        return begin;
      case 'action':
        await this.#act(step);
        return this.#actedAt(begin);
      case 'update':
        await this.#update(step);
        return this.#actedAt(begin);
      case 'check':
        return this.#check(step, begin);
    }
  }

  /** When an action was done, but for the wall time that its answer took. */
  #actedAt(begin: Instant): Instant {
    return Math.max(begin, this.#parts.clock.now() - this.#slackMs);
  }

  async #act(step: ActionStep): Promise<void> {
    const resolved = resolveFields(step, {
      cast: this.#parts.story.cast,
      idOf: (reference) => this.#checks.idOf(reference),
      stream: this.#streamOf,
    });
    if (!resolved.ok) return this.#refuse(step, unnamedText(resolved.missing), 'no_name');
    this.#since = this.#parts.record.place;
    const { who, ...rest } = resolved.shown;
    this.#telling.log({ k: 'act', step: step.action, line: step.line, who: String(who ?? rest['by'] ?? ''), d: rest });
    const refusal = await this.#work(step, () => this.#parts.act(step.action, resolved.body));
    if (refusal !== null) this.#refuse(step, `refused: ${refusal.refused}`, refusal.code);
  }

  async #update(step: StepFrame & UpdateBody): Promise<void> {
    const since = this.#parts.record.place;
    const { status, by, externalId, reason, note } = step;
    const update = {
      status,
      actor: { name: by, ...(externalId === null ? {} : { external_id: externalId }) },
      ...(reason === null ? {} : { resolution_reason: reason }),
      ...(note === null ? {} : { note }),
    };
    const word = status === 'acknowledged' ? 'acknowledge' : 'resolve';
    for (const reference of step.alerts) {
      const id = this.#checks.idOf(reference);
      if (id === undefined) {
        this.#refuse(step, unnamedText(reference), 'no_name');
        continue;
      }
      this.#since = since;
      this.#telling.log({ k: 'act', step: word, line: step.line, who: by, d: { alert: id, ...update } });
      const refusal = await this.#work(step, () => this.#parts.customer.updateAlert(id, update));
      if (refusal !== null) this.#refuse(step, `refused: ${refusal.refused}`, refusal.code);
    }
  }

  async #check(step: CheckStep, begin: Instant): Promise<Instant> {
    const { fault, at } = await this.#checks.play(step, begin, this.#since);
    if (fault !== null && step.verb === 'wait_for') this.#stopped = true;
    return at;
  }

  #refuse(step: StepFrame, why: string, code: string): void {
    this.#telling.log({ k: 'refused', line: step.line, d: { code } });
    this.#telling.notice({ kind: 'step-refused', line: step.line, atMs: this.atMs, text: step.text, detail: why });
    this.#telling.fail(step, why);
  }

  /** Real work: time stands still while it goes on, and the story goes on when all that came of it is done. */
  async #work<T>(step: StepFrame, work: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const release = clock.hold('http', () => `line ${step.line}: ${step.text}`);
    try {
      const answer = await work();
      const quiet = this.#turn(clock.now());
      release();
      await quiet;
      return answer;
    } finally {
      release();
    }
  }

  /** Waits until simulated time is `due` and everything before it is quiet. */
  #turn(due: Instant): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => clock.at(due, { lane: LANE.step, actor: 'story' }, () => resolve()));
  }
}

/** One stream for each actor and purpose of a run; another draw goes on in it. */
function keptStreams(seed: string): (actor: string, purpose: string) => Stream {
  const all = streams(seed);
  const kept = new Map<string, Stream>();
  return (actor, purpose) => {
    const key = JSON.stringify([actor, purpose]);
    const stream = kept.get(key) ?? all.stream(actor, purpose);
    kept.set(key, stream);
    return stream;
  };
}

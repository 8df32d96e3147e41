/** Performs the steps that do something: actions of the catalogue, and what the customer's own system does. */
import type { Clock, Instant } from '../base/clock.ts';
import { type Stream, streams } from '../base/streams.ts';
import type { ActionName, ActionResult } from '../contract/actions.ts';
import { resolveFields } from './action-fields.ts';
import type { Customer, Refusal } from './customer.ts';
import { unnamedText } from './failure-text.ts';
import { idOf, type Named, type Reference, valueBehind } from './references.ts';
import type { RunRecord } from './run-record.ts';
import type { Cast, StepBody, StepFrame, UpdateBody } from './story.ts';
import type { Telling } from './telling.ts';
import type { Track } from './track.ts';

/** How an action went: refused, or what each of its actors touched or made. */
export type Acted = Refusal | { readonly results: readonly ActionResult[] };

/** Where what is done is done. */
export interface PerformerPorts {
  readonly customer: Pick<Customer, 'updateAlert'>;
  /** Performs an action of the catalogue. */
  act(action: ActionName, fields: Readonly<Record<string, unknown>>): Promise<Acted>;
}

export interface PerformerParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly seed: string;
  /** Simulated ms that answers may take in real and scaled time. */
  readonly slackMs: number;
  readonly cast: Cast;
  readonly telling: Telling;
  readonly ports: PerformerPorts;
  turn(due: Instant): Promise<void>;
}

type ActionStep = StepFrame & Extract<StepBody, { kind: 'action' }>;

export class Performer {
  readonly #parts: PerformerParts;
  readonly #streamOf: (actor: string, purpose: string) => Stream;
  /** In lock-step one thing is done after the other, so that answers come in one order. */
  #before: Promise<void> = Promise.resolve();

  constructor(parts: PerformerParts) {
    this.#parts = parts;
    this.#streamOf = keptStreams(parts.seed);
  }

  async act(step: ActionStep, begin: Instant, track: Track): Promise<Instant> {
    const { record, telling, cast, ports } = this.#parts;
    const resolved = resolveFields(step, {
      cast,
      idOf: (reference) => idIn(track, reference),
      stream: this.#streamOf,
    });
    if (!resolved.ok) return this.#refuse(step, unnamedText(resolved.missing), 'no_name', begin);
    track.act(record.place);
    const { who, ...rest } = resolved.shown;
    telling.log({ k: 'act', step: step.action, line: step.line, who: String(who ?? rest['by'] ?? ''), d: rest });
    const results = await this.#work(step, async () => {
      const done: ActionResult[] = [];
      for (const body of resolved.bodies) {
        const acted = await ports.act(step.action, body);
        if ('refused' in acted) return acted;
        done.push(...acted.results);
      }
      return done;
    });
    if ('refused' in results) return this.#refused(step, results, begin);
    this.#sayDone(step);
    if (step.as !== null) this.#name(step, step.as, results, track);
    return this.#actedAt(begin);
  }

  async update(step: StepFrame & UpdateBody, begin: Instant, track: Track): Promise<Instant> {
    const { record, telling } = this.#parts;
    const since = record.place;
    const word = step.status === 'acknowledged' ? 'acknowledge' : 'resolve';
    const fields = fieldsOf(step);
    let refusal: Refusal | null = null;
    for (const reference of step.alerts) {
      const id = idIn(track, reference);
      if (id === undefined) {
        this.#refuse(step, unnamedText(reference), 'no_name', begin);
        continue;
      }
      track.act(since);
      telling.log({ k: 'act', step: word, line: step.line, who: step.by, d: { alert: id, ...fields } });
      const done = await this.#work(step, () => this.#updateOne(step, word, id));
      if (done === null) continue;
      refusal = done;
      this.#refused(step, done, begin);
    }
    if (refusal === null) this.#sayDone(step);
    return this.#actedAt(begin);
  }

  async #updateOne(step: UpdateBody, word: 'acknowledge' | 'resolve', id: string): Promise<Refusal | null> {
    const { customer, act } = this.#parts.ports;
    if (step.via === 'api') return customer.updateAlert(id, fieldsOf(step));
    const { by, reason, note } = step;
    const said = { ...(reason === null ? {} : { reason }), ...(note === null ? {} : { note }) };
    const acted = await act(word, { alert: id, by, via: 'panel', ...said });
    return 'refused' in acted ? acted : null;
  }

  /** Gives what the action touched or made its name. */
  #name(step: ActionStep, as: string, results: readonly ActionResult[], track: Track): void {
    const { record } = this.#parts;
    const kind = step.names;
    const [result] = results;
    const id = kind === null ? undefined : result?.[`${kind}_id`];
    if (kind === null || id === undefined)
      return this.#fail(step, `It made no ${kind ?? 'thing'}, so $${as} stands for nothing.`);
    const body =
      kind === 'alert' ? record.alerts.get(id)?.alert : kind === 'muster' ? record.musters.get(id)?.muster : undefined;
    const named: Named = { kind, id, body: body ?? { id } };
    track.names.set(as, named);
  }

  /** When an action was done, but for the wall time that its answer took. */
  #actedAt(begin: Instant): Instant {
    return Math.max(begin, this.#parts.clock.now() - this.#parts.slackMs);
  }

  #refused(step: StepFrame, { refused, code }: Refusal, begin: Instant): Instant {
    if (!step.refused) return this.#refuse(step, `refused: ${refused}`, code, begin);
    this.#parts.telling.log({ k: 'refused', line: step.line, d: { code } });
    return this.#actedAt(begin);
  }

  #refuse(step: StepFrame, why: string, code: string, begin: Instant): Instant {
    this.#parts.telling.log({ k: 'refused', line: step.line, d: { code } });
    this.#fail(step, why);
    return this.#actedAt(begin);
  }

  #sayDone(step: StepFrame): void {
    if (step.refused) this.#fail(step, 'It was done, though the step says refused: true.');
  }

  #fail(step: StepFrame, why: string): void {
    const { telling, clock } = this.#parts;
    const atMs = clock.now() - telling.start;
    telling.notice({ kind: 'step-refused', line: step.line, atMs, text: step.text, detail: why });
    telling.fail(step, why);
  }

  /** Real work: time stands still while it goes on, and the story goes on when all that came of it is done. */
  async #work<T>(step: StepFrame, work: () => Promise<T>): Promise<T> {
    const { clock, turn } = this.#parts;
    const before = this.#before;
    let done = () => {};
    if (clock.mode === 'lockstep') {
      this.#before = new Promise((resolve) => {
        done = resolve;
      });
      await before;
    }
    const release = clock.hold('http', () => `line ${step.line}: ${step.text}`);
    try {
      const answer = await work();
      const quiet = turn(clock.now());
      release();
      await quiet;
      return answer;
    } finally {
      release();
      done();
    }
  }
}

/** The id of what a name stands for; undefined where nothing was found. */
function idIn({ names }: Track, reference: Reference): string | undefined {
  const named = names.get(reference.name);
  return named === undefined ? undefined : idOf(valueBehind(reference, named));
}

function fieldsOf({ status, by, externalId, reason, note }: UpdateBody) {
  return {
    status,
    actor: { name: by, ...(externalId === null ? {} : { external_id: externalId }) },
    ...(reason === null ? {} : { resolution_reason: reason }),
    ...(note === null ? {} : { note }),
  };
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

/** Takes down a live session: who is where when it begins, then what is done and what follows, until somebody wants it as a draft. */
import type { ActionOutcome, RecordedSession, Recordings } from '../../api/parts.ts';
import type { Instant } from '../../base/clock.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { AlertUpdate } from '../../contract/requests.ts';
import { isRejection, type Rejection, reject } from '../../domain/rejection.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Plan } from '../../plant/plan.ts';
import { draftOf } from '../../scenario/record/draft.ts';
import type { TapedEntry } from '../../scenario/record/tape.ts';
import type { Fleets } from '../runs/fleets.ts';
import { sceneOf } from './scene.ts';

/** A tape holds so many entries: a session that a person can still read. */
const MOST_ENTRIES = 5_000;

/** So many tapes may run at once; the oldest one gives way. */
const MOST_TAPES = 4;

export interface RecorderParts {
  readonly engine: Engine;
  readonly fleets: Fleets;
  readonly plan: Plan;
  readonly newId: () => string;
}

interface Running {
  readonly id: string;
  readonly startedAt: Instant;
  readonly scene: ReturnType<typeof sceneOf>;
  /** In the order of their beginning; a place is kept for what is not over. */
  readonly entries: (TapedEntry | null)[];
  full: boolean;
}

export class Recorder implements Recordings {
  readonly #parts: RecorderParts;
  readonly #tapes = new Map<string, Running>();
  readonly #unlisten: () => void;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#unlisten = parts.engine.listen({ notice: (notice) => this.#hear(notice) });
  }

  stop(): void {
    this.#unlisten();
    this.#tapes.clear();
  }

  begin(): { id: string; startedAt: Instant } {
    const { engine, fleets, plan, newId } = this.#parts;
    const [oldest] = this.#tapes.keys();
    if (oldest !== undefined && this.#tapes.size >= MOST_TAPES) this.#tapes.delete(oldest);
    const [id, startedAt] = [newId(), engine.clock.now()];
    this.#tapes.set(id, { id, startedAt, scene: sceneOf(engine.world, fleets, plan), entries: [], full: false });
    return { id, startedAt };
  }

  end(told: string): RecordedSession | Rejection {
    const id = told.toLowerCase();
    const tape = this.#tapes.get(id);
    if (tape === undefined) return reject('not_found', `There is no recording "${told}".`);
    this.#tapes.delete(id);
    const endedAt = this.#parts.engine.clock.now();
    const { startedAt, scene, full } = tape;
    const entries = tape.entries.filter((entry) => entry !== null);
    const { text, steps, expectations, remarks } = draftOf({ startedAt, endedAt, ...scene, entries, full });
    return { id, startedAt, endedAt, scenario: text, steps, expectations, remarks };
  }

  /** An action begins; the answer is told how it went. */
  acting(body: ActionBody): (outcome: ActionOutcome) => void {
    const at = this.#parts.engine.clock.now();
    const fill = this.#keepPlace();
    return (outcome) => {
      if (isRejection(outcome)) return fill({ kind: 'action', at, body, results: null, why: outcome.detail });
      const { answer } = outcome;
      fill({ kind: 'action', at, body, results: 'results' in answer ? answer.results : [answer.result], why: null });
    };
  }

  /** A client updates an alert; the answer is told whether it was accepted. */
  updating(alertId: string, update: AlertUpdate): (accepted: boolean) => void {
    const at = this.#parts.engine.clock.now();
    const fill = this.#keepPlace();
    const { status, actor, resolution_reason: reason = null, note = null } = update;
    const { name: by, external_id: externalId = null } = actor;
    return (accepted) => fill(accepted ? { kind: 'update', at, alertId, status, by, externalId, reason, note } : null);
  }

  #hear(notice: Notice): void {
    if (notice.kind !== 'event-occurred' || !notice.listed || this.#tapes.size === 0) return;
    const { type, site_id: siteId, data } = notice.event;
    const about =
      'alert' in data
        ? { objectId: data.alert.id, alertType: data.alert.type, workerId: data.alert.worker?.id ?? null }
        : { objectId: data.muster.id, alertType: null, workerId: null };
    this.#keepPlace()({ kind: 'event', at: this.#parts.engine.clock.now(), type, siteId, ...about });
  }

  /** On every tape that runs. */
  #keepPlace(): (entry: TapedEntry | null) => void {
    const places = [...this.#tapes.values()].flatMap((tape) => {
      if (tape.entries.length < MOST_ENTRIES) return [{ tape, place: tape.entries.push(null) - 1 }];
      tape.full = true;
      return [];
    });
    return (entry) => {
      for (const { tape, place } of places) tape.entries[place] = entry;
    };
  }
}

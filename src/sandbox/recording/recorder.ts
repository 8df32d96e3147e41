/** Records a live session: everybody's position at its start, then actions and events, until it is asked for as a draft. */
import type { ActionOutcome, RecordedSession, Recordings } from '../../api/route.ts';
import type { Instant } from '../../base/clock.ts';
import { ACTIONS, type ActionBody, type ActionName, type ActionResult } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { AlertUpdate } from '../../contract/requests.ts';
import { mayRead, seesAlert, seesAsMuch, seesWorker, type TokenViewer } from '../../domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../domain/changes.ts';
import type { Addresses } from '../../domain/views/alert.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Plan } from '../../plant/plan.ts';
import { draftOf } from '../../scenario/record/draft.ts';
import type { TapedEntry } from '../../scenario/record/tape.ts';
import type { Fleets } from '../runs/fleets.ts';
import { InView } from '../runs/in-view.ts';
import { type Scene, sceneFor, sceneOf } from './scene.ts';

/** Limit of entries: a session that a person can still read. */
const MOST_ENTRIES = 5_000;

/** Limit of concurrent recordings per company and for the control token; the oldest is dropped. */
const MOST_TAPES = 4;

export interface RecorderParts {
  readonly engine: Engine;
  readonly fleets: Fleets;
  readonly plan: Plan;
  readonly addresses: Addresses;
  readonly newId: () => string;
}

interface RunningTape {
  readonly id: string;
  /** Null: the control token's. */
  readonly viewer: TokenViewer | null;
  readonly view: InView;
  readonly startedAt: Instant;
  readonly scene: Scene;
  /** In the order of their beginning; a place is kept for what is not over. */
  readonly entries: (TapedEntry | null)[];
  full: boolean;
}

export class Recorder implements Recordings {
  readonly #parts: RecorderParts;
  readonly #tapes = new Map<string, RunningTape>();
  readonly #unlisten: () => void;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#unlisten = parts.engine.listen({ notice: (notice) => this.#hear(notice) });
  }

  stop(): void {
    this.#unlisten();
    this.#tapes.clear();
  }

  begin(viewer: TokenViewer | null): { id: string; startedAt: Instant } {
    const { engine, fleets, plan, addresses, newId } = this.#parts;
    const { world, clock } = engine;
    const own = [...this.#tapes.values()].filter((tape) => isOf(viewer, tape));
    if (own[0] !== undefined && own.length >= MOST_TAPES) this.#tapes.delete(own[0].id);
    const [id, startedAt] = [newId(), clock.now()];
    const whole = sceneOf(world, fleets, plan);
    const scene = viewer === null ? whole : sceneFor(world, whole, viewer, startedAt);
    const view = new InView(world, viewer, addresses);
    this.#tapes.set(id, { id, viewer, view, startedAt, scene, entries: [], full: false });
    return { id, startedAt };
  }

  end(given: string, viewer: TokenViewer | null): RecordedSession | Rejection {
    const id = given.toLowerCase();
    const tape = this.#tapes.get(id);
    // Also to another token of the company, which may show less.
    if (tape === undefined || (viewer !== null && !(isOf(viewer, tape) && seesAsMuch(viewer, tape.viewer))))
      return reject('not_found', `There is no recording "${given}".`);
    this.#tapes.delete(id);
    const endedAt = this.#parts.engine.clock.now();
    const { startedAt, scene, full } = tape;
    const entries = tape.entries.filter((entry) => entry !== null);
    const { text, steps, expectations, remarks } = draftOf({ startedAt, endedAt, ...scene, entries, full });
    return { id, startedAt, endedAt, scenario: text, steps, expectations, remarks };
  }

  /** Begins an action; call the returned function with its outcome. `author` null: the control token. */
  acting(body: ActionBody, author: TokenViewer | null): (outcome: ActionOutcome) => void {
    const at = this.#parts.engine.clock.now();
    const fill = this.#keepPlace();
    return (outcome) => {
      if (isRejection(outcome)) {
        const refused = { kind: 'action', at, body, results: null, why: outcome.detail } as const;
        return fill(refused, ({ viewer }) => seesAsMuch(viewer, author));
      }
      const { answer } = outcome;
      const results = 'results' in answer ? answer.results : [answer.result];
      const done = { kind: 'action', at, body, results, why: null } as const;
      fill(done, ({ viewer }) => seesAsMuch(viewer, author) || this.#sees(viewer, body.action, results));
    };
  }

  /** A client updates an alert; call the returned function with whether it was accepted. */
  updating(alertId: string, update: AlertUpdate, author: TokenViewer): (accepted: boolean) => void {
    const at = this.#parts.engine.clock.now();
    const fill = this.#keepPlace();
    const { status, actor, resolution_reason: reason = null, note = null } = update;
    const { name: by, external_id: externalId = null } = actor;
    return (accepted) =>
      fill(accepted ? { kind: 'update', at, alertId, status, by, externalId, reason, note } : null, ({ viewer }) =>
        seesAsMuch(viewer, author),
      );
  }

  /** What the control room does with things that the viewer is shown is shown, too; where it puts people is not. */
  #sees(viewer: TokenViewer | null, action: ActionName, results: readonly ActionResult[]): boolean {
    if (viewer === null) return true;
    if (ACTIONS[action].group !== 'control_room') return false;
    const { world } = this.#parts.engine;
    return results.every((result) => {
      const { worker_id, alert_id, muster_id, site_id } = result;
      const worker = worker_id === undefined ? null : world.get('worker', worker_id);
      const alert = alert_id === undefined ? null : world.get('alert', alert_id);
      const muster = muster_id === undefined ? null : world.get('muster', muster_id);
      const site = site_id === undefined ? null : world.get('site', site_id);
      const isOwn = (one: { readonly organizationId: string } | null | undefined) =>
        one === null || one?.organizationId === viewer.organizationId;
      return (
        (worker === null || (worker !== undefined && seesWorker(viewer, worker))) &&
        (alert === null || (alert !== undefined && mayRead(viewer, 'alerts:read') && seesAlert(viewer, alert))) &&
        (muster === null || (isOwn(muster) && mayRead(viewer, 'musters:read'))) &&
        isOwn(site)
      );
    });
  }

  #hear(notice: Notice): void {
    if (notice.kind !== 'event-occurred' || !notice.listed || this.#tapes.size === 0) return;
    const { type, site_id: siteId, data } = notice.event;
    const about =
      'alert' in data
        ? { objectId: data.alert.id, alertType: data.alert.type, workerId: data.alert.worker?.id ?? null }
        : { objectId: data.muster.id, alertType: null, workerId: null };
    const entry = { kind: 'event', at: this.#parts.engine.clock.now(), type, siteId, ...about } as const;
    this.#keepPlace()(entry, ({ view }) => view.of(notice) !== null);
  }

  /** On every tape that runs; it is filled on those that may have it. */
  #keepPlace(): (entry: TapedEntry | null, may: (tape: RunningTape) => boolean) => void {
    const places = [...this.#tapes.values()].flatMap((tape) => {
      if (tape.entries.length < MOST_ENTRIES) return [{ tape, place: tape.entries.push(null) - 1 }];
      tape.full = true;
      return [];
    });
    return (entry, may) => {
      for (const { tape, place } of places) tape.entries[place] = entry !== null && may(tape) ? entry : null;
    };
  }
}

const isOf = (viewer: TokenViewer | null, tape: RunningTape): boolean =>
  viewer?.organizationId === tape.viewer?.organizationId;

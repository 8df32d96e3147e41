/** Records a live session: the initial position of each person, then actions and events, until a draft is requested. */

import { type Point, representativePoint } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import { ACTIONS, type ActionBody, type ActionName, type ActionResult } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { AlertUpdate } from '../../contract/requests.ts';
import type { Plan } from '../../plant/plan.ts';
import { draftOf } from '../../scenario/record/draft.ts';
import type { Tape, TapedEntry, TapedPerson, TapedSite } from '../../scenario/record/tape.ts';
import type { ActionOutcome, RecordedSession, Recordings } from '../../service/api/route.ts';
import { mayRead, seesAlert, seesAsMuch, seesWorker, type TokenViewer } from '../../service/domain/access/viewer.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import { frameOf, pointOf, shownLocation } from '../../service/domain/privacy/places.ts';
import type { Addresses } from '../../service/domain/views/alert.ts';
import { positioned } from '../../service/domain/views/person.ts';
import type { Worker } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { Fleets } from '../runs/fleets.ts';
import { InView } from '../runs/in-view.ts';

/** Maximum number of entries of a recording: a person can still read a session of this size. */
const MOST_ENTRIES = 5_000;

/** Maximum number of concurrent recordings per company and for the control token; the oldest is removed. */
const MOST_TAPES = 4;

interface RecorderParts {
  readonly engine: Engine;
  readonly fleets: Fleets;
  readonly plan: Plan;
  readonly addresses: Addresses;
  readonly newId: () => string;
}

interface RunningTape {
  readonly id: string;
  /** Null: the recording belongs to the control token. */
  readonly viewer: TokenViewer | null;
  readonly view: InView;
  readonly startedAt: Instant;
  readonly scene: RecordedScene;
  /** In the order in which the actions began; null reserves the position of an action that is not over. */
  readonly entries: (TapedEntry | null)[];
  full: boolean;
}

export class Recorder implements Recordings {
  readonly #parts: RecorderParts;
  readonly #tapes = new Map<string, RunningTape>();
  readonly #unlisten: () => void;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#unlisten = parts.engine.listen({ notice: (notice) => this.#onNotice(notice) });
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
    // Also not found for another token of the same company, if that token may see less.
    if (tape === undefined || (viewer !== null && !(isOf(viewer, tape) && seesAsMuch(viewer, tape.viewer))))
      return reject('not_found', `There is no recording "${given}".`);
    this.#tapes.delete(id);
    const endedAt = this.#parts.engine.clock.now();
    const { startedAt, scene, full } = tape;
    const entries = tape.entries.filter((entry) => entry !== null);
    const { text, steps, expectations, remarks } = draftOf({ startedAt, endedAt, ...scene, entries, full });
    return { id, startedAt, endedAt, scenario: text, steps, expectations, remarks };
  }

  /** Starts recording an action; call the returned function with its outcome. `author` null: the control token. */
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

  /** Starts recording a client's update of an alert; call the returned function with true if it was accepted. */
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

  /**
   * The control token sees every action. A client sees an action of the control room if it may see all objects that the
   * action touched; it sees no other action, such as moving people.
   */
  #sees(viewer: TokenViewer | null, action: ActionName, results: readonly ActionResult[]): boolean {
    if (viewer === null) return true;
    if (ACTIONS[action].group !== 'control_room') return false;
    const { world } = this.#parts.engine;
    return results.every((result) => {
      const { worker_id, alert_id, muster_id, site_id } = result;
      const worker = worker_id === undefined ? null : world.get('worker', worker_id);
      const alert = alert_id === undefined ? null : world.known('alert', alert_id);
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

  #onNotice(notice: Notice): void {
    if (notice.kind !== 'event-occurred' || !notice.listed || this.#tapes.size === 0) return;
    const { type, site_id: siteId, data } = notice.event;
    const about =
      'alert' in data
        ? { objectId: data.alert.id, alertType: data.alert.type, workerId: data.alert.worker?.id ?? null }
        : { objectId: data.muster.id, alertType: null, workerId: null };
    const entry = { kind: 'event', at: this.#parts.engine.clock.now(), type, siteId, ...about } as const;
    this.#keepPlace()(entry, ({ view }) => view.of(notice) !== null);
  }

  /** Reserves an entry on every running tape; the entry is filled on those tapes whose viewer may see it. */
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

// The state at the start of a recording: for the control token the true positions of people, for a client the positions
// that it may see. [decisions 4]

type RecordedScene = Pick<Tape, 'includeWorkerNames' | 'sites' | 'people' | 'notes'>;

function sceneOf(world: World, fleets: Fleets, plan: Plan): RecordedScene {
  const [client] = world.all('client');
  return {
    includeWorkerNames: client?.includeWorkerNames ?? true,
    sites: sitesOf(world, plan),
    people: peopleOf(world, fleets, plan),
  };
}

/** The sites with which the sandbox was started; a scenario's own plant is already in its file. */
function sitesOf(world: World, plan: Plan): TapedSite[] {
  const planned = plan.organizations.flatMap(({ sites }) => sites);
  return [...world.all('site')].flatMap((site): TapedSite[] => {
    const drawn = planned.find(({ name }) => name === site.name);
    if (drawn === undefined) return [];
    const zones = new Map(
      world.indexes.zonesOfSite
        .of(site.id)
        .values()
        .map(({ id, name }) => [id, name]),
    );
    // The privacy mode may have changed since the start.
    const { privacyMode, unveilMinSeverity } = site;
    return [{ id: site.id, planned: { ...drawn, privacyMode, unveilMinSeverity }, zones }];
  });
}

function peopleOf(world: World, fleets: Fleets, plan: Plan): TapedPerson[] {
  const views = new Map(fleets.views().map((view) => [view.serial, view]));
  const paces = new Map(
    plan.organizations.flatMap(({ sites }) =>
      sites.flatMap(({ workers }) => workers.map(({ watch, pace }) => [watch.serial, pace] as const)),
    ),
  );
  return [...world.all('worker')].flatMap((worker): TapedPerson[] => {
    const { id, externalId, name, contractor, role, siteId, deviceId } = worker;
    if (deviceId === null) return [];
    const { serial } = world.need('device', deviceId);
    const { fix, worn, batteryPct } = world.telemetry(deviceId);
    const view = views.get(serial);
    const at = view?.at ?? (fix === null ? null : pointOf(world.need('site', siteId), fix));
    if (at === null) return [];
    const permits = world.indexes.permitsOfWorker
      .of(id)
      .values()
      .flatMap(({ endedAt, zoneId, reference }) =>
        endedAt === null ? [{ zone: world.need('zone', zoneId).name, reference }] : [],
      );
    const pace = paces.get(serial) ?? null;
    return [
      {
        id,
        externalId,
        serial,
        name,
        contractor,
        role,
        siteId,
        at,
        pace,
        permits,
        worn: view?.worn ?? worn,
        batteryPct: view?.batteryPct ?? batteryPct,
      },
    ];
  });
}

/** The part of the initial state that a client's token may see; borders of privacy zones are never included. */
function sceneFor(world: World, whole: RecordedScene, viewer: TokenViewer, now: Instant): RecordedScene {
  const zonesShown = mayRead(viewer, 'alerts:read');
  const sites = whole.sites.flatMap((site): TapedSite[] => {
    if (world.get('site', site.id)?.organizationId !== viewer.organizationId) return [];
    const zones = site.planned.zones.filter(({ type }) => zonesShown && type !== 'privacy');
    return [{ ...site, planned: { ...site.planned, zones }, zones: zonesShown ? site.zones : new Map() }];
  });
  const people = (mayRead(viewer, 'workers:read') ? whole.people : []).flatMap((person): TapedPerson[] => {
    const worker = world.get('worker', person.id);
    if (worker === undefined || !seesWorker(viewer, worker)) return [];
    const planned = sites.find(({ id }) => id === person.siteId)?.planned;
    const at = shownPoint(world, worker, viewer, now) ?? standIn(planned);
    const name = viewer.names ? person.name : (person.externalId ?? person.serial);
    return [{ ...person, name, at, pace: null }];
  });
  return { includeWorkerNames: viewer.names, sites, people, notes: [ONLY_SHOWN] };
}

const ONLY_SHOWN =
  'The draft contains only what this token may see. People without a visible position are in the first zone. Privacy zones, and actions of others on people, are left out.';

function shownPoint(world: World, worker: Worker, viewer: TokenViewer, now: Instant): Point | null {
  const device = worker.deviceId === null ? undefined : world.get('device', worker.deviceId);
  const found =
    device === undefined || !mayRead(viewer, 'positions:read') ? null : positioned(world, device, viewer, now);
  return found === null ? null : frameOf(found.site).toMetres(shownLocation(world, found.site, found.fix));
}

/** Placeholder for a position that the token may not see: the first work area. */
function standIn(planned: TapedSite['planned'] | undefined): Point {
  const zones = planned?.zones ?? [];
  const zone = zones.find(({ type }) => type === 'work_area') ?? zones[0];
  return zone === undefined ? [0, 0] : representativePoint(zone.ring);
}

/** Actions of the control room with an evacuation: finds what is meant, submits the command, says what it touched. [spec 1.3, decisions 6, 9] */
import type { ActionOutcome } from '../api/parts.ts';
import { parseDuration } from '../base/durations.ts';
import { representativePoint } from '../base/geometry.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import type { MUSTER_ACTIONS } from '../contract/actions/muster.ts';
import type { ActionBody, ActionFields, ActionResult } from '../contract/actions.ts';
import type { Command } from '../domain/commands.ts';
import { frameOf } from '../domain/privacy/places.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { MusterDeadline, MusterOrigin, Site } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { Engine } from '../engine/engine.ts';
import { findMuster, findPerson, findSite, findZone, unknown } from './find-named.ts';

type Steering = keyof typeof MUSTER_ACTIONS;
type Performed = ActionResult | Rejection;
type Fields<K extends Steering> = ActionFields<K>;

export const STEERINGS: {
  readonly [K in Steering]: (engine: Engine, fields: Fields<K>) => Promise<Performed> | Performed;
} = {
  start_muster: (engine, fields) => {
    const { world } = engine;
    const site = siteMeant(world, fields);
    if (isRejection(site)) return site;
    const origin = originMeant(world, site, fields.origin);
    if (isRejection(origin)) return origin;
    const deadline = deadlineMeant(engine, fields);
    if (isRejection(deadline)) return deadline;
    const { kind, by, reason = null } = fields;
    return command(engine, { type: 'start-muster', siteId: site.id, kind, by, reason, origin, deadline });
  },
  change_kind: (engine, fields) => {
    const muster = findMuster(engine.world, fields.muster, null);
    if (isRejection(muster)) return muster;
    const deadline = deadlineMeant(engine, fields);
    if (isRejection(deadline)) return deadline;
    const { to: kind, by } = fields;
    return command(engine, { type: 'change-muster-kind', musterId: muster.id, kind, by, deadline });
  },
  exclude_point: (engine, { reason, by, ...fields }) =>
    ofPoint(engine, fields, (ids) => command(engine, { type: 'exclude-point', ...ids, reason, by })),
  reinstate_point: (engine, { by, ...fields }) =>
    ofPoint(engine, fields, (ids) => command(engine, { type: 'reinstate-point', ...ids, by })),
  mark_safe: async (engine, { who, muster: named, point, by }) => {
    const { world } = engine;
    const worker = findPerson(world, String(who));
    if (isRejection(worker)) return worker;
    const muster = findMuster(world, named, worker.siteId);
    if (isRejection(muster)) return muster;
    const zone = point === undefined ? null : findZone(world, point, muster.site.id, '/point');
    if (zone !== null && isRejection(zone)) return zone;
    const ids = { musterId: muster.id, workerId: worker.id, pointId: zone === null ? null : zone.id };
    const performed = await command(engine, { type: 'mark-safe', ...ids, by });
    if (isRejection(performed)) return performed;
    const watch = worker.deviceId === null ? {} : { device_id: worker.deviceId };
    return { ...performed, worker_id: worker.id, ...watch };
  },
  inspect: (engine, { muster: named, by }) => {
    const muster = findMuster(engine.world, named, null);
    return isRejection(muster) ? muster : command(engine, { type: 'inspect-plant', musterId: muster.id, by });
  },
  end_muster: (engine, { muster: named, outcome, by }) => {
    const muster = findMuster(engine.world, named, null);
    return isRejection(muster) ? muster : command(engine, { type: 'end-muster', musterId: muster.id, outcome, by });
  },
};

export const isSteering = (body: ActionBody): body is ActionBody<Steering> => Object.hasOwn(STEERINGS, body.action);

export async function steer(engine: Engine, body: ActionBody<Steering>): Promise<ActionOutcome> {
  const { action, ...fields } = body;
  const perform = STEERINGS[action] as (engine: Engine, fields: object) => Promise<Performed> | Performed;
  const each = 'who' in fields && Array.isArray(fields.who) ? fields.who.map((who) => ({ ...fields, who })) : null;
  const results: Performed[] = [];
  for (const one of each ?? [fields]) results.push(await perform(engine, one));
  const refused = results.find(isRejection);
  if (refused !== undefined) return refused;
  const at = formatInstant(engine.clock.now());
  const done = results as ActionResult[];
  if (each !== null) return { status: 200, answer: { action, at, results: done } };
  return { status: 200, answer: { action, at, result: done[0] as ActionResult } };
}

async function command(engine: Engine, asked: Command): Promise<Performed> {
  const outcome = await engine.submit(asked);
  if (isRejection(outcome)) return outcome;
  const { musterId = '' } = outcome.done;
  return { muster_id: musterId, site_id: engine.world.need('muster', musterId).site.id };
}

function ofPoint(
  { world }: Engine,
  { muster: named, point }: { readonly muster?: string; readonly point: string },
  perform: (ids: { musterId: string; pointId: string }) => Promise<Performed>,
): Promise<Performed> | Performed {
  // A point that only one site has tells which muster is meant.
  const told = named === undefined ? findZone(world, point, null, '/point') : null;
  const muster = findMuster(world, named, told === null || isRejection(told) ? null : told.siteId);
  if (isRejection(muster)) return muster;
  const zone = findZone(world, point, muster.site.id, '/point');
  return isRejection(zone) ? zone : perform({ musterId: muster.id, pointId: zone.id });
}

/** The one that is named, or that of the origin's zone, or the only one. */
function siteMeant(world: World, { site: named, origin }: Fields<'start_muster'>): Site | Rejection {
  if (named !== undefined) return findSite(world, named) ?? unknown('site', named, '/site');
  const place = origin?.zone ?? (typeof origin?.at === 'string' ? origin.at : undefined);
  if (place !== undefined) {
    const zone = findZone(world, place, null, '/origin');
    return isRejection(zone) ? zone : world.need('site', zone.siteId);
  }
  const sites = [...world.all('site')];
  const [only] = sites;
  if (only !== undefined && sites.length === 1) return only;
  return invalid('There is more than one site; name one.', '/site', 'is required');
}

/** A whole zone, or a point: of a zone, in degrees, or in metres from the site's origin. */
function originMeant(
  world: World,
  site: Site,
  origin: Fields<'start_muster'>['origin'],
): MusterOrigin | null | Rejection {
  if (origin === undefined) return null;
  const { at, zone: named, radius_m: radiusM = 0, label = null } = origin;
  if ((at === undefined) === (named === undefined))
    return invalid('The origin is either a point (at) or a zone.', '/origin', 'needs at or zone');
  const frame = frameOf(site);
  const rest = { radiusM, label };
  if (Array.isArray(at)) return { ...frame.toDegrees(at as unknown as [number, number]), ...rest, zone: null };
  if (typeof at === 'object') return { ...at, ...rest, zone: null };
  const zone = findZone(world, named ?? at ?? '', site.id, named === undefined ? '/origin/at' : '/origin/zone');
  if (isRejection(zone)) return zone;
  if (zone.siteId !== site.id) return invalid(`${zone.name} is not on ${site.name}.`, '/origin', 'is of another site');
  const point = frame.toDegrees(representativePoint(zone.ring));
  return { ...point, ...rest, zone: named === undefined ? null : { id: zone.id, name: zone.name } };
}

interface DeadlineFields {
  readonly deadline?: string;
  readonly deadline_source?: MusterDeadline['source'];
}

/** The one that is given, official where nothing else is said; null: the plan's. [decisions 6] */
function deadlineMeant(
  { clock }: Engine,
  { deadline, deadline_source }: DeadlineFields,
): MusterDeadline | null | Rejection {
  if (deadline === undefined)
    return deadline_source === 'official'
      ? invalid('An official deadline has a time.', '/deadline', 'is required')
      : null;
  const delayMs = parseDuration(deadline);
  const at = delayMs === null ? parseInstant(deadline) : clock.now() + delayMs;
  if (at === null || at > LAST) return invalid('The deadline is no time.', '/deadline', 'must be a duration or a time');
  return { at, source: deadline_source ?? 'official' };
}

/** The last moment that can be written. */
const LAST = 253_402_300_799_999;

const invalid = (detail: string, pointer: string, why: string): Rejection =>
  reject('validation_failed', detail, [{ pointer, detail: why }]);

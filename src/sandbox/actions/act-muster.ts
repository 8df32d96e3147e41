/** Actions of the control room with an evacuation: finds the objects that the fields name, submits the command, and returns the ids that it touched. [spec 1.3, decisions 6, 9] */
import { representativePoint } from '../../base/geometry/shapes.ts';
import { type ActionFields, DEFAULT_OPERATOR } from '../../contract/actions.ts';
import { isRejection, type Rejection } from '../../service/domain/changes.ts';
import type { Command } from '../../service/domain/commands.ts';
import { frameOf } from '../../service/domain/privacy/places.ts';
import type { MusterDeadline, MusterOrigin, Site } from '../../service/domain/world/documents.ts';
import { type ActionContext, idsOf, type Performed } from './acting.ts';
import { type Actor, momentOf } from './find.ts';

type Performing = Promise<Performed> | Performed;

export function startMuster(context: ActionContext, fields: ActionFields<'start_muster'>): Performing {
  const site = siteMeant(context, fields);
  if (isRejection(site)) return site;
  const origin = originMeant(context, site, fields.origin);
  if (isRejection(origin)) return origin;
  const deadline = deadlineMeant(context, fields);
  if (isRejection(deadline)) return deadline;
  const { kind, by = DEFAULT_OPERATOR, reason = null } = fields;
  return command(context, { type: 'start-muster', siteId: site.id, kind, by, reason, origin, deadline });
}

export function changeKind(context: ActionContext, fields: ActionFields<'change_kind'>): Performing {
  const muster = context.find.muster(fields.muster, null);
  if (isRejection(muster)) return muster;
  const deadline = deadlineMeant(context, fields);
  if (isRejection(deadline)) return deadline;
  const { to: kind, by = DEFAULT_OPERATOR } = fields;
  return command(context, { type: 'change-muster-kind', musterId: muster.id, kind, by, deadline });
}

export const excludePoint = (
  context: ActionContext,
  { reason, by = DEFAULT_OPERATOR, ...fields }: ActionFields<'exclude_point'>,
): Performing => ofPoint(context, fields, (ids) => command(context, { type: 'exclude-point', ...ids, reason, by }));

export const reinstatePoint = (
  context: ActionContext,
  { by = DEFAULT_OPERATOR, ...fields }: ActionFields<'reinstate_point'>,
): Performing => ofPoint(context, fields, (ids) => command(context, { type: 'reinstate-point', ...ids, by }));

export async function markSafe(
  context: ActionContext,
  actor: Actor,
  fields: ActionFields<'mark_safe'>,
): Promise<Performed> {
  const { muster: named, point, by = DEFAULT_OPERATOR } = fields;
  const site = context.engine.world.need('site', actor.worker.siteId);
  const muster = context.find.muster(named, site.id);
  if (isRejection(muster)) return muster;
  const zone = point === undefined ? null : context.find.zone(point, site, '/point');
  if (zone !== null && isRejection(zone)) return zone;
  const ids = { musterId: muster.id, workerId: actor.worker.id, pointId: zone === null ? null : zone.id };
  const performed = await command(context, { type: 'mark-safe', ...ids, by });
  return isRejection(performed) ? performed : { ...performed, ...idsOf(actor) };
}

export function inspect(
  context: ActionContext,
  { muster: named, by = DEFAULT_OPERATOR }: ActionFields<'inspect'>,
): Performing {
  const muster = context.find.muster(named, null);
  return isRejection(muster) ? muster : command(context, { type: 'inspect-plant', musterId: muster.id, by });
}

export function endMuster(
  context: ActionContext,
  { muster: named, outcome, by = DEFAULT_OPERATOR }: ActionFields<'end_muster'>,
): Performing {
  const muster = context.find.muster(named, null);
  return isRejection(muster) ? muster : command(context, { type: 'end-muster', musterId: muster.id, outcome, by });
}

async function command({ engine }: ActionContext, request: Command): Promise<Performed> {
  const outcome = await engine.submit(request);
  if (isRejection(outcome)) return outcome;
  const { musterId = '' } = outcome.done;
  return { muster_id: musterId, site_id: engine.world.need('muster', musterId).site.id };
}

function ofPoint(
  { find, engine }: ActionContext,
  { muster: named, point }: { readonly muster?: string; readonly point: string },
  perform: (ids: { musterId: string; pointId: string }) => Performing,
): Performing {
  // A point whose name is unique among all sites identifies the muster.
  const anywhere = named === undefined ? find.zoneAnywhere(point, '/point') : null;
  const muster = find.muster(named, anywhere === null || isRejection(anywhere) ? null : anywhere.siteId);
  if (isRejection(muster)) return muster;
  const zone = find.zone(point, engine.world.need('site', muster.site.id), '/point');
  return isRejection(zone) ? zone : perform({ musterId: muster.id, pointId: zone.id });
}

/** Returns the named site, else the site of the origin's zone, else the only site. */
function siteMeant({ find, engine }: ActionContext, { site, origin }: ActionFields<'start_muster'>): Site | Rejection {
  const place = origin?.zone ?? (typeof origin?.at === 'string' ? origin.at : undefined);
  if (site !== undefined || place === undefined) return find.site(site);
  const zone = find.zoneAnywhere(place, '/origin');
  return isRejection(zone) ? zone : engine.world.need('site', zone.siteId);
}

/** The origin is a whole zone, or a point: a point in a zone, in degrees, or in metres from the site's origin. */
function originMeant(
  { find }: ActionContext,
  site: Site,
  origin: ActionFields<'start_muster'>['origin'],
): MusterOrigin | null | Rejection {
  if (origin === undefined) return null;
  const { at, zone: named, radius_m: radiusM = 0, label = null } = origin;
  const frame = frameOf(site);
  const rest = { radiusM, label };
  if (Array.isArray(at)) return { ...frame.toDegrees(at as unknown as [number, number]), ...rest, zone: null };
  if (typeof at === 'object') return { ...at, ...rest, zone: null };
  const zone = find.zone(named ?? at ?? '', site, named === undefined ? '/origin/at' : '/origin/zone');
  if (isRejection(zone)) return zone;
  const point = frame.toDegrees(representativePoint(zone.ring));
  return { ...point, ...rest, zone: named === undefined ? null : { id: zone.id, name: zone.name } };
}

interface DeadlineFields {
  readonly deadline?: string;
  readonly deadline_source?: MusterDeadline['source'];
}

/**
 * Returns the given deadline, whose source is official by default. Returns null if the deadline of the plan applies.
 * [decisions 6]
 */
function deadlineMeant(
  { engine }: ActionContext,
  { deadline, deadline_source }: DeadlineFields,
): MusterDeadline | null | Rejection {
  if (deadline === undefined) return null;
  return { at: momentOf(deadline, engine.clock.now()), source: deadline_source ?? 'official' };
}

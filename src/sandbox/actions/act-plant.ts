/** Actions of the plant: permits, heat, wind, hazards. [scenario-language, Plant] */
import { isSameName } from '../../base/text/same-name.ts';
import { parseDuration } from '../../base/time/durations.ts';
import type { ActionFields } from '../../contract/actions.ts';
import { isFelt } from '../../service/domain/alerts/hazards.ts';
import { subjectOf } from '../../service/domain/alerts/raise.ts';
import { isRejection, reject } from '../../service/domain/changes.ts';
import { dewPointC, HIGHEST_DEW_POINT_C, heatIndexC } from '../../service/domain/weather/heat-index.ts';
import { isInForce } from '../../service/domain/zones/permits.ts';
import { type ActionContext, committed, idsOf, type Performed } from './acting.ts';
import { type Actor, momentOf } from './find.ts';

export async function permit(context: ActionContext, actor: Actor, fields: ActionFields<'permit'>): Promise<Performed> {
  const { engine, find } = context;
  const { is, reference, until } = fields;
  const zone = find.zone(fields.zone, engine.world.need('site', actor.worker.siteId));
  if (isRejection(zone)) return zone;
  const now = engine.clock.now();
  if (is === 'open') {
    const outcome = await engine.submit({
      type: 'open-permit',
      workerId: actor.worker.id,
      zoneId: zone.id,
      until: until === undefined ? null : momentOf(until, now),
      ...(reference === undefined ? {} : { reference }),
    });
    return committed(outcome, idsOf(actor));
  }
  const held = engine.world.indexes.permitsOfWorker.of(actor.worker.id).values();
  const meant = held.filter(
    (one) =>
      one.zoneId === zone.id &&
      (reference === undefined || isSameName(one.reference ?? '', reference)) &&
      isInForce(one, now),
  );
  const [one] = meant;
  // The message has no name: not every contract includes names.
  const who = actor.worker.externalId ?? actor.device.serial;
  if (one === undefined) return reject('action_refused', `${who} has no such permit in force for ${zone.name}.`);
  if (meant.length > 1) {
    const references = meant.map((permit) => permit.reference).join(', ');
    return reject('validation_failed', `${who} has several permits for ${zone.name}: ${references}.`, [
      { pointer: '/reference', detail: 'is required' },
    ]);
  }
  const outcome = await engine.submit({ type: is === 'closed' ? 'close-permit' : 'expire-permit', permitId: one.id });
  return committed(outcome, idsOf(actor));
}

/** Returns the given heat index, or the index computed from temperature and humidity; undefined if neither is given. */
function indexOf({ index_c, temperature_c, humidity_pct }: ActionFields<'heat'>): number | null | undefined {
  if (index_c !== undefined) return index_c;
  return temperature_c === undefined || humidity_pct === undefined
    ? undefined
    : heatIndexC(temperature_c, humidity_pct);
}

/** Returns the refusal of air that does not exist on Earth; null for other air. */
function impossibleAir({ temperature_c, humidity_pct }: ActionFields<'heat'>): Performed | null {
  if (temperature_c !== undefined && humidity_pct !== undefined) {
    const dewPoint = dewPointC(temperature_c, humidity_pct);
    // At 100 % humidity the dew point equals the temperature, except for the rounding error of the formula.
    if (dewPoint > HIGHEST_DEW_POINT_C + 1e-6)
      return reject('validation_failed', 'Air at this temperature never holds this much water.', [
        {
          pointer: '/humidity_pct',
          detail: `makes a dew point of ${dewPoint.toFixed(1)} C with this temperature; at most ${HIGHEST_DEW_POINT_C} C is possible`,
        },
      ]);
  }
  return null;
}

/** Sets the heat and sun of one person. */
export async function heatOf(context: ActionContext, actor: Actor, fields: ActionFields<'heat'>): Promise<Performed> {
  const refusal = impossibleAir(fields);
  if (refusal !== null) return refusal;
  const { engine, find } = context;
  const site = fields.site === undefined ? null : find.site(fields.site);
  if (site !== null && isRejection(site)) return site;
  if (site !== null && site.id !== actor.worker.siteId)
    return reject('action_refused', `${actor.device.serial} is a watch of another site than ${site.name}.`);
  const index = indexOf(fields);
  const outcome = await engine.submit({
    type: 'report-person-heat',
    deviceId: actor.device.id,
    indexC: index === undefined ? engine.world.need('device', actor.device.id).heatIndexC : index,
    sunMs: fields.sun === undefined ? null : parseDuration(fields.sun),
  });
  const alertId = engine.world.indexes.openAlertId(subjectOf(actor.worker.id, 'heat_stress'));
  return committed(outcome, { ...idsOf(actor), ...(alertId === undefined ? {} : { alert_id: alertId }) });
}

/** Sets the heat of the plant, for all outdoor places. */
export async function heat(context: ActionContext, fields: ActionFields<'heat'>): Promise<Performed> {
  const refusal = impossibleAir(fields);
  if (refusal !== null) return refusal;
  const site = context.find.site(fields.site);
  if (isRejection(site)) return site;
  const index = indexOf(fields);
  const outcome = await context.engine.submit({
    type: 'report-plant-heat',
    siteId: site.id,
    indexC: index === undefined ? site.heatIndexC : index,
    sunMs: fields.sun === undefined ? null : parseDuration(fields.sun),
  });
  return committed(outcome, { site_id: site.id });
}

export async function wind({ engine, find }: ActionContext, fields: ActionFields<'wind'>): Promise<Performed> {
  const site = find.site(fields.site);
  if (isRejection(site)) return site;
  const speedMs = fields.speed ?? site.wind?.speedMs ?? DEFAULT_WIND_MS;
  const direction = { fromDeg: fields.from_deg % 360, speedMs };
  return committed(await engine.submit({ type: 'report-wind', siteId: site.id, wind: direction }), {
    site_id: site.id,
  });
}

/** Default wind speed, a gentle breeze; metres per second. */
const DEFAULT_WIND_MS = 4;

export async function hazard({ engine, find }: ActionContext, fields: ActionFields<'hazard'>): Promise<Performed> {
  const site = find.site(fields.site);
  if (isRejection(site)) return site;
  const { kind, magnitude = null, distance_km: distanceKm = null, official = false, eta } = fields;
  const likely = magnitude === null || distanceKm === null || isFelt(magnitude, distanceKm);
  const outcome = await engine.submit({
    type: 'report-hazard',
    siteId: site.id,
    hazard: kind,
    official,
    magnitude,
    distanceKm,
    feltAtSite: fields.felt_at_site ?? (kind === 'earthquake' && likely),
    eta: eta === undefined ? null : momentOf(eta, engine.clock.now()),
  });
  return committed(outcome, { site_id: site.id });
}

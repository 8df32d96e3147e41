/** Earthquakes and tsunamis: alerts of the whole plant, without worker, device and location. [spec 2 HazardDetails, decisions 5] */

import { exp, ln } from '../../../base/random/portable-math.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { World } from '../world/world.ts';
import { type AlertDecision, changed, raiseSiteWide, subjectOf, withLine } from './raise.ts';

/** The intensity from which people report that they felt an earthquake. */
const FELT_MMI = 3.5;

/**
 * True if an earthquake is felt. Its intensity is predicted with the equation of Allen, Wald and Worden (2012), from
 * the magnitude and the hypocentral distance in km, without the scatter of the equation.
 */
export function isFelt(magnitude: number, distanceKm: number): boolean {
  const distance = Math.max(1, distanceKm);
  const rupture = -0.209 + 2.042 * exp(magnitude - 5);
  const spread = 1.402 * ln(Math.sqrt(distance * distance + rupture * rupture));
  const farther = distance > 50 ? 0.078 * ln(distance / 50) : 0;
  return 2.085 + 1.428 * magnitude - spread + farther >= FELT_MMI;
}

/**
 * An official bulletin confirmed by a person, or the service's own estimate, which the first official bulletin updates.
 */
export function reportHazard(
  world: World,
  stamp: Stamp,
  command: CommandOf<'report-hazard'>,
): AlertDecision | Rejection {
  const site = world.get('site', command.siteId);
  if (site === undefined) return reject('not_found', 'There is no such site.');
  const { hazard, official, magnitude, distanceKm, feltAtSite, eta } = command;
  const details = {
    magnitude,
    distance_km: distanceKm,
    official,
    felt_at_site: feltAtSite,
    eta: eta === null ? null : formatInstant(eta),
  };
  const what = official ? 'Official bulletin' : 'The service’s own estimate';
  const openId = world.indexes.openAlertId(subjectOf(site.id, hazard));
  if (openId === undefined)
    return raiseSiteWide(world, stamp, { site, type: hazard, details, from: [site.id, stamp.now], what });
  const open = world.need('alert', openId);
  const line = { at: stamp.now, what, by: null, reason: null, note: null };
  if (!official) return { changes: [{ kind: 'alert-noted', alert: withLine(open, line) }], alertId: openId };
  // What the bulletin does not contain keeps its estimated value.
  const before = open.details as typeof details;
  const merged = {
    magnitude: magnitude ?? before.magnitude,
    distance_km: distanceKm ?? before.distance_km,
    official: true,
    felt_at_site: feltAtSite || before.felt_at_site,
    eta: details.eta ?? before.eta,
  };
  const after = changed(world, stamp.now, open, { details: merged }, line);
  return { changes: [{ kind: 'alert-changed', alert: after, event: null }], alertId: openId };
}

/** The section `crew` to its planned form; every mistake goes to the report. */

import { parseDuration } from '../base/durations.ts';
import { quoted } from '../contract/sentences.ts';
import { didYouMean, type FilePlace, type Sound } from './mistakes.ts';
import type { CrewSection } from './people-schema.ts';
import type { PlannedCrew } from './plan.ts';
import type { DraftSite } from './planned-site.ts';

/** Complete where the report has no mistake. */
export function plannedCrew(section: Sound<CrewSection>, site: DraftSite, at: FilePlace): PlannedCrew {
  const { count = 0, contractors = [], roles = [], permits = {}, vehicles = {} } = section;
  return {
    count,
    contractors: contractors.filter((name) => name !== undefined),
    roles: roles.filter((name) => name !== undefined),
    permits: Object.entries(permits).map(([reference, permit]) => {
      const { zone = '', holders = 0, inside = 0, for: duration } = permit ?? {};
      const place = at.of('permits', reference);
      if (zone !== '' && !site.zoneNames.includes(zone))
        place.of('zone').mistake(`${quoted(zone)} is not a zone.${didYouMean(zone, site.zoneNames)}`);
      if (inside > holders)
        place.of('inside').mistake(`${inside} cannot be inside when ${holders} hold it. Write ${holders} or less.`);
      return { reference, zone, holders, inside, forMs: duration === undefined ? null : parseDuration(duration) };
    }),
    vehicles: Object.entries(vehicles).map(([name, { type = '', role = '' } = {}]) => ({ name, type, role })),
  };
}

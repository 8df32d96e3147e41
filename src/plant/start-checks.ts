/** What a person's starting place allows and requires: an existing floor, a permit where one is needed. */

import { quoted } from '../contract/sentences.ts';
import { didYouMean, type FilePlace, type Sound } from './mistakes.ts';
import type { WorkerSection } from './people-schema.ts';
import type { PlannedPermit, PlannedZone } from './plan.ts';
import { isGuarded } from './start-points.ts';
import type { Named } from './whereabouts.ts';

type WorkerEntry = Sound<WorkerSection>;

/** The floor that the worker begins on, where the zone has it. */
export function floorOf({ floor }: WorkerEntry, zone: Named, at: FilePlace): string | undefined {
  if (floor === undefined || zone === undefined) return floor;
  const floors = zone.floors.map(({ name }) => name);
  if (floors.includes(floor)) return floor;
  const message =
    floors.length === 0
      ? `${quoted(zone.name)} has no floors. Delete "floor", or write floors there.`
      : `${quoted(floor)} is not a floor of ${quoted(zone.name)}.${didYouMean(floor, floors)}`;
  at.of('floor').mistake(message);
  return undefined;
}

/** The permit of the worker for the zone of their start; it holds until it is closed. */
export function permitOf(
  short: string,
  externalId: string,
  section: WorkerEntry,
  zone: Named,
  at: FilePlace,
): PlannedPermit | undefined {
  const { permit } = section;
  if (zone === undefined) return undefined;
  if (permit === undefined) {
    if (!Object.hasOwn(section, 'permit')) sayUnpermitted(short, zone, at.of('in'));
    return undefined;
  }
  if (!isGuarded(zone)) {
    const what = `${quoted(zone.name)} is neither restricted nor forbidden`;
    at.of('permit').warning(`${what}: the permit ${quoted(permit)} opens nothing.`);
  }
  return { reference: permit, worker: externalId, zone: zone.name, forMs: null };
}

/** Warns of a start in a guarded zone without a permit. */
export function sayUnpermitted(short: string, zone: PlannedZone, at: FilePlace): void {
  if (!isGuarded(zone)) return;
  const where = `the ${zone.type} zone ${quoted(zone.name)}`;
  at.warning(`${quoted(short)} begins in ${where} without a permit, which raises an alert.`);
}

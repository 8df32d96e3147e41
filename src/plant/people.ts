/** Generated people with watches, for a site whose file names none; and default traits. */
import { assert } from '../base/assert.ts';
import { type Stream, streams } from '../base/random/streams.ts';
import { personName } from './names.ts';
import type { PlannedSite, PlannedWorker, PlannedZone } from './plan.ts';
import { startPoint } from './whereabouts.ts';

/** Common properties of the people of a site. */
interface CrewOptions {
  /** Contractors besides the company itself. A contractor that is listed twice employs twice as many workers. */
  readonly contractors?: readonly string[];
  /** Roles. A role that is listed twice is twice as frequent. */
  readonly roles?: readonly string[];
  /** Names, external ids and serials that are in use; those of the new people are added. */
  readonly taken?: Set<string>;
}

const MODELS = ['SafeBand 3', 'SafeBand 3', 'SafeBand 3 Ex', 'Wrist One'];

const CONTRACTORS = ['Montajes Cordillera', 'Servicios Almar', 'Ingeniería Trama'];

const ROLES = [
  'Operator',
  'Operator',
  'Maintenance fitter',
  'Maintenance fitter',
  'Electrician',
  'Welder',
  'Scaffolder',
  'Forklift driver',
  'HSE officer',
  'Shift supervisor',
];

/** Of ten consecutive people, four work for contractors. */
const ROW = 10;
const CONTRACTORS_IN_ROW = 4;

/** Share of watches without a wrist sensor, which cannot detect whether they are worn. */
const NO_SENSOR = 0.05;

/**
 * Generates `count` people for the site, from `W-<firstNumber>` on, who are autonomous workers (`auto`). A person
 * depends only on the seed, the site's name and their number, so additional people do not change the others.
 */
export function peopleFor(
  site: Pick<PlannedSite, 'name' | 'zones'>,
  count: number,
  seed: string,
  firstNumber: number,
  options: CrewOptions = {},
): PlannedWorker[] {
  const { contractors = CONTRACTORS, roles = ROLES, taken = new Set<string>() } = options;
  const chance = streams(seed);
  const places = workplaces(site.zones);
  const workers: PlannedWorker[] = [];
  for (let number = firstNumber; workers.length < count; number++) {
    const externalId = `W-${String(number).padStart(3, '0')}`;
    const serial = `SIM-${String(number).padStart(4, '0')}`;
    if (taken.has(externalId) || taken.has(serial)) continue;
    taken.add(externalId).add(serial);
    const row = Math.floor(number / ROW);
    const stream = chance.stream(`${site.name}/${number}`, 'person');
    const zone = stream.pick(places);
    workers.push({
      externalId,
      name: freshName(stream, taken),
      contractor: contractorOf(number, contractors, chance.stream(`${site.name}/row ${row}`, 'employers')),
      role: stream.pick(roles),
      watch: { serial, model: modelOf(stream), emulated: true },
      at: startPoint(zone, site.zones, stream.fork('start')),
      zone: zone.name,
      worn: stream.chance(NO_SENSOR) ? 'unknown' : 'on',
      batteryPct: batteryOf(stream),
      pace: paceOf(stream),
      behave: 'auto',
    });
  }
  return workers;
}

/**
 * The charge at the start, percent: the watch was on its charger before the shift, and lasts for its twelve hours.
 * [realism 3.3]
 */
export function batteryOf(stream: Stream): number {
  return stream.int(85, 100);
}

/** Speed on the flat: a truncated normal distribution; metres per second. [realism 2.1] */
export const PACE = { mean: 1.34, sd: 0.26, least: 0.5, most: 2.2 } as const;

/** A walking speed on the flat; metres per second. */
export function paceOf(stream: Stream): number {
  return Math.round(stream.truncatedNormal(PACE.mean, PACE.sd, PACE.least, PACE.most) * 100) / 100;
}

/** Selects a watch model. */
export function modelOf(stream: Stream): string {
  return stream.pick(MODELS);
}

function freshName(stream: Stream, taken: Set<string>): string {
  for (let i = 0; i < 100; i++) {
    const name = personName(stream);
    if (!taken.has(name)) {
      taken.add(name);
      return name;
    }
  }
  assert(false, 'A hundred names drawn, and all of them given away.');
}

/** The contractor of a person; null for the company's own people. */
function contractorOf(number: number, contractors: readonly string[], rowStream: Stream): string | null {
  const seat = rowStream.shuffle(Array.from({ length: ROW }, (_, i) => i))[number % ROW]!;
  if (seat >= CONTRACTORS_IN_ROW || contractors.length === 0) return null;
  return contractors[(Math.floor(number / ROW) * CONTRACTORS_IN_ROW + seat) % contractors.length]!;
}

/**
 * Work areas are twice as frequent as buildings. If there are neither, zones that are open to everyone, else any zone.
 */
function workplaces(zones: readonly PlannedZone[]): readonly PlannedZone[] {
  const areas = zones.filter((zone) => zone.type === 'work_area');
  const usual = [...areas, ...areas, ...zones.filter((zone) => zone.type === 'building')];
  const open = zones.filter((zone) => zone.type === 'assembly_point' || zone.type === 'privacy');
  const places = [usual, open, zones].find((list) => list.length > 0);
  assert(places, 'A site without zones has no place for people.');
  return places;
}

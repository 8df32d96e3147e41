/** Converts `workers`, `crowd` and `vehicles` to people with watches, permits and vehicles on their sites. */

import { assert } from '../base/assert.ts';
import type { Point } from '../base/geometry/shapes.ts';
import { type Stream, streams } from '../base/random/streams.ts';
import { quoted } from '../contract/sentences.ts';
import { didYouMean, type FilePlace, type Sound } from './mistakes.ts';
import { personName } from './names.ts';
import { batteryOf, modelOf, paceOf } from './people.ts';
import type { CrowdSection, VehicleSection, WorkerSection } from './people-schema.ts';
import type { PlannedPermit, PlannedSite, PlannedVehicle, PlannedWorker, PlannedZone } from './plan.ts';
import type { DraftSite } from './planned-site.ts';
import { serialsOf } from './serials.ts';
import { isGuarded, type Named, startPoint, Whereabouts } from './whereabouts.ts';

/** The three sections after `checkSection`, each a map by short name. */
interface PeopleSections {
  readonly workers?: Readonly<Record<string, Sound<WorkerSection> | undefined>> | undefined;
  readonly crowd?: Readonly<Record<string, Sound<CrowdSection> | undefined>> | undefined;
  readonly vehicles?: Readonly<Record<string, Sound<VehicleSection> | undefined>> | undefined;
}

interface PeopleOptions {
  /** Determines, with the short name, the names, places, paces and charges that the file does not define. */
  readonly seed: string;
  /** The behaviour if the file defines none: `scripted` in a scenario, `auto` in a plant. */
  readonly behaveDefault: PlannedWorker['behave'];
}

/** The most people in the sections of one company; the same as the most watches of a world. */
const MOST_PEOPLE = 100_000;

interface PlannedPeople {
  /** By the name of the site. */
  readonly bySite: ReadonlyMap<string, SitePeople>;
  /** External ids by short name: one for a worker, all of a crowd. */
  readonly byShortName: ReadonlyMap<string, readonly string[]>;
}

type SitePeople = Pick<PlannedSite, 'workers' | 'vehicles' | 'permits'>;

/** All people of the sections, on the given sites. `at` is the path of the map that contains the sections. */
export function plannedPeople(
  sections: PeopleSections,
  sites: readonly DraftSite[],
  at: FilePlace,
  options: PeopleOptions,
): PlannedPeople {
  assert(sites.length > 0, 'People need a site.');
  const planning = new Planning(sections, sites, at, options);
  planning.sayShortNames();
  for (const [short, section] of entries(sections.workers)) planning.addWorker(short, section);
  const crowds = entries(sections.crowd);
  // Checked before anyone is generated, since a short file can request very many people.
  const people = crowds.reduce((sum, [, { count = 0 }]) => sum + count, entries(sections.workers).length);
  if (people > MOST_PEOPLE) at.of('crowd').mistake(`These are ${people} people. Write at most ${MOST_PEOPLE}.`, 'key');
  else for (const [short, section] of crowds) planning.addCrowd(short, section);
  for (const [short, section] of entries(sections.vehicles)) planning.addVehicle(short, section);
  return planning;
}

interface MutablePeople {
  readonly workers: PlannedWorker[];
  readonly vehicles: PlannedVehicle[];
  readonly permits: PlannedPermit[];
}

class Planning implements PlannedPeople {
  readonly bySite = new Map<string, MutablePeople>();
  readonly byShortName = new Map<string, string[]>();
  private readonly whereabouts: Whereabouts;
  private readonly externalIds = new Map<string, string>();
  private readonly freshSerial = serialsOf();
  private readonly sections: PeopleSections;
  private readonly at: FilePlace;
  private readonly options: PeopleOptions;

  constructor(sections: PeopleSections, sites: readonly DraftSite[], at: FilePlace, options: PeopleOptions) {
    [this.sections, this.at, this.options] = [sections, at, options];
    this.whereabouts = new Whereabouts(sections.workers ?? {}, sites, at.of('workers'), options.seed);
    for (const { site } of sites) this.bySite.set(site.name, { workers: [], vehicles: [], permits: [] });
  }

  /** A short name identifies its worker everywhere, so it must be unique. */
  sayShortNames(): void {
    const holders = new Map<string, string>();
    for (const section of ['workers', 'crowd', 'vehicles'] as const) {
      for (const short of Object.keys(this.sections[section] ?? {})) {
        const place = this.at.of(section, short);
        const holder = holders.get(short);
        if (short.trim() === '') place.mistake('A short name is a word. Write it before the colon.', 'key');
        if (holder !== undefined) {
          place.mistake(`${quoted(short)} is already a name in ${quoted(holder)}. Write another.`, 'key');
        }
        holders.set(short, section);
      }
    }
  }

  addWorker(short: string, section: Sound<WorkerSection>): void {
    const place = this.at.of('workers', short);
    const { site, zone, point, placed } = this.whereabouts.of(short);
    const externalId = section.external_id ?? short;
    this.claim(externalId, short, section.external_id === undefined ? place : place.of('external_id'), 'key');
    const stream = this.streamOf(short);
    const floor = floorOf(section, zone, place);
    this.peopleOf(site).workers.push({
      ...this.traits(stream, section),
      externalId,
      name: section.name ?? personName(stream.fork('name')),
      role: section.role ?? null,
      watch: { serial: this.freshSerial(short), model: modelOf(stream.fork('model')), emulated: true },
      at: point,
      zone: zone?.name ?? '',
      worn: section.worn ?? 'on',
      batteryPct: section.battery ?? batteryOf(stream.fork('battery')),
      ...(floor === undefined ? {} : { floor }),
    });
    this.byShortName.set(short, [externalId]);
    const permit = placed ? permitOf(short, externalId, section, zone, place) : undefined;
    if (permit !== undefined) this.peopleOf(site).permits.push(permit);
  }

  addCrowd(short: string, section: Sound<CrowdSection>): void {
    const place = this.at.of('crowd', short);
    const site = this.whereabouts.siteOf(section.site, place);
    const zone = this.whereabouts.zoneOf(section.in, Object.hasOwn(section, 'in'), site, place);
    const count = section.count ?? 0;
    const digits = Math.max(2, String(count).length);
    const ids = Array.from({ length: count }, (_, i) => `${short}-${String(i + 1).padStart(digits, '0')}`);
    for (const externalId of ids) {
      this.claim(externalId, short, place, 'key');
      const stream = this.streamOf(externalId);
      this.peopleOf(site).workers.push({
        ...this.traits(stream, section),
        externalId,
        name: personName(stream.fork('name')),
        role: null,
        watch: { serial: this.freshSerial(externalId), model: modelOf(stream.fork('model')), emulated: true },
        at: zone === undefined ? [0, 0] : startPoint(zone, site.site.zones, stream.fork('start')),
        zone: zone?.name ?? '',
        worn: 'on',
        batteryPct: batteryOf(stream.fork('battery')),
      });
    }
    this.byShortName.set(short, ids);
    if (zone && Object.hasOwn(section, 'in')) sayUnpermitted(short, zone, place.of('in'));
  }

  addVehicle(short: string, section: Sound<VehicleSection>): void {
    const place = this.at.of('vehicles', short);
    const { driver } = section;
    const workers = this.sections.workers ?? {};
    const isKnown = driver !== undefined && Object.hasOwn(workers, driver);
    if (driver !== undefined && !isKnown) {
      place.of('driver').missing(`${quoted(driver)} is not a worker.${didYouMean(driver, Object.keys(workers))}`);
    }
    if (Object.hasOwn(section, 'at') && Object.hasOwn(section, 'in')) {
      place.of('in').mistake('A vehicle is in one place: "at" or "in". Delete one.', 'key');
    }
    const site = isKnown ? this.whereabouts.of(driver).site : this.whereabouts.first;
    const point = section.at ?? this.vehiclePoint(short, section, site, place);
    this.peopleOf(site).vehicles.push({
      name: short,
      type: section.type ?? short,
      driver: driver === undefined ? null : (this.byShortName.get(driver)?.[0] ?? null),
      ...(point === undefined ? {} : { at: point }),
      ...(section.pace === undefined ? {} : { pace: section.pace }),
    });
  }

  private vehiclePoint(
    short: string,
    section: Sound<VehicleSection>,
    site: DraftSite,
    place: FilePlace,
  ): Point | undefined {
    if (section.in === undefined) return undefined;
    const zone = this.whereabouts.zoneOf(section.in, true, site, place);
    return zone && startPoint(zone, site.site.zones, this.streamOf(short).fork('start'));
  }

  private peopleOf({ site }: DraftSite): MutablePeople {
    const people = this.bySite.get(site.name);
    assert(people, () => `${site.name} is not one of the sites.`);
    return people;
  }

  private streamOf(short: string): Stream {
    return streams(this.options.seed).stream(short, 'person');
  }

  /** The common traits of a worker and of a member of a crowd. */
  private traits(
    stream: Stream,
    section: Sound<Pick<WorkerSection, 'contractor' | 'pace' | 'behave'>>,
  ): Pick<PlannedWorker, 'contractor' | 'pace' | 'behave'> {
    return {
      contractor: section.contractor ?? null,
      pace: paceBy(section.pace, stream.fork('pace')),
      behave: section.behave === 'puppet' ? 'scripted' : (section.behave ?? this.options.behaveDefault),
    };
  }

  private claim(externalId: string, short: string, place: FilePlace, spot: 'key'): void {
    const holder = this.externalIds.get(externalId);
    if (holder !== undefined) {
      const own = place.path.at(-1) === 'external_id';
      const message = `${quoted(externalId)} is the external id of ${quoted(holder)} already. Write another.`;
      place.mistake(message, own ? 'value' : spot);
    }
    this.externalIds.set(externalId, short);
  }
}

/** The pace in the file, a random one from its range, or that of a usual walker; metres per second. */
function paceBy(pace: number | string | undefined, stream: Stream): number {
  if (pace === undefined) return paceOf(stream);
  if (typeof pace === 'number') return pace;
  const [from = 0, to = 0] = pace.split('..').map(Number);
  const drawn = Math.min(from, to) + stream.float() * Math.abs(to - from);
  return Math.round(drawn * 100) / 100;
}

function entries<T>(section: Readonly<Record<string, T | undefined>> | undefined): [string, T][] {
  return Object.entries(section ?? {}).filter((entry): entry is [string, T] => entry[1] !== undefined);
}

// What a person's start requires: an existing floor, and a permit in a guarded zone.

type WorkerEntry = Sound<WorkerSection>;

/** The floor on which the worker starts, if the zone has it. */
function floorOf({ floor }: WorkerEntry, zone: Named, at: FilePlace): string | undefined {
  if (floor === undefined || zone === undefined) return floor;
  const floors = zone.floors.map(({ name }) => name);
  if (floors.includes(floor)) return floor;
  const message =
    floors.length === 0
      ? `${quoted(zone.name)} has no floors. Delete "floor", or write floors there.`
      : `${quoted(floor)} is not a floor of ${quoted(zone.name)}.${didYouMean(floor, floors)}`;
  at.of('floor').missing(message);
  return undefined;
}

/** The permit of the worker for the zone where they start. It lasts until it is closed. */
function permitOf(
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
function sayUnpermitted(short: string, zone: PlannedZone, at: FilePlace): void {
  if (!isGuarded(zone)) return;
  const where = `the ${zone.type} zone ${quoted(zone.name)}`;
  at.warning(`${quoted(short)} begins in ${where} without a permit, which raises an alert.`);
}

/** Converts one entry of `zones` to a planned zone, with the checks that a schema cannot express. */

import { boxRing, distanceToBorder, type LocalFrame, type Point, signedDistance } from '../base/geometry/shapes.ts';
import { readJson } from '../base/text/json-text.ts';
import { MISSING, type ReadText } from '../base/user-files.ts';
import { quoted } from '../contract/sentences.ts';
import { type FilePlace, placeIn, type Sound } from './mistakes.ts';
import type { PlannedZone } from './plan.ts';
import { cornersOf, nearestOnRing, polygonOf, soundRing } from './rings.ts';
import type { ZoneSection } from './site-schema.ts';

/** The greatest distance of a door from the wall in a file; metres. */
const DOOR_TOLERANCE_M = 1;

/** The narrowest opening for a person in protective clothing, metres. */
const NARROWEST_DOOR_M = 0.5;

/** The least distance of a stair from the walls; metres. */
const STAIR_INSIDE_M = 0.5;

/** What a zone needs from its site and its file. */
interface ZoneSurroundings {
  readonly frame: LocalFrame;
  /** Reads a file that is named in this one; absent if files cannot be read. */
  readonly readFile?: ReadText | undefined;
}

type ZoneEntry = Sound<ZoneSection>;

const SHAPES = ['box', 'polygon', 'geojson'] as const;
const ASSEMBLY_KEYS = ['serves', 'capacity', 'elevation_m', 'elevation_source', 'vertical', 'min_height_m'] as const;

/** Returns null if the zone has too many mistakes, which are reported. */
export function plannedZone(
  name: string,
  section: ZoneEntry,
  at: FilePlace,
  surroundings: ZoneSurroundings,
): PlannedZone | null {
  const ring = ringOf(name, section, at, surroundings);
  if (section.type === undefined) return null;
  sayForeignKeys(name, section, at);
  const floors = floorsOf(section, at);
  const assemblyPoint = section.type === 'assembly_point' ? assemblyPointOf(name, section, floors, at) : null;
  if (ring === null) return null;
  const doors = doorsOf(name, section, ring, at);
  const stairs = stairsOf(name, section, ring, at);
  return { name, type: section.type, ring, assemblyPoint, floors, doors, ...(stairs.length === 0 ? {} : { stairs }) };
}

function ringOf(name: string, section: ZoneEntry, at: FilePlace, around: ZoneSurroundings): Point[] | null {
  const given = SHAPES.filter((shape) => Object.hasOwn(section, shape));
  const [shape, second] = given;
  if (shape === undefined)
    return at.missing(`${quoted(name)} has no outline. Write "box", "polygon" or "geojson".`, 'key');
  if (second !== undefined) {
    at.of(second).mistake(`${quoted(name)} has a ${quoted(shape)} already. Delete one of the two.`, 'key');
  }
  const corners = cornersBy[shape](section, at.of(shape), around);
  return corners === null ? null : soundRing(corners, quoted(name), at.of(shape));
}

const cornersBy: {
  [K in (typeof SHAPES)[number]]: (
    section: ZoneEntry,
    at: FilePlace,
    around: ZoneSurroundings,
  ) => readonly Point[] | null;
} = {
  box: ({ box }) => (box === undefined ? null : boxRing(...box)),
  polygon: ({ polygon }) => polygon ?? null,
  geojson: ({ geojson }, at, around) => {
    const found = typeof geojson === 'string' ? polygonInFile(geojson, at, around) : polygonOf(geojson, at);
    const positions = found?.polygon.coordinates?.[0];
    return found === null || positions === undefined ? null : cornersOf(positions, around.frame, found.at);
  },
};

/** Positions in another file have no position in this one, so its mistakes are reported at its name. */
function polygonInFile(name: string, at: FilePlace, around: ZoneSurroundings): ReturnType<typeof polygonOf> {
  const text = around.readFile?.(name);
  if (typeof text !== 'string') {
    const { code, why } = text ?? MISSING;
    const fix = code === 'encoding' ? '' : ' Write its polygon here, or check the name.';
    return at.mistake(`The file ${quoted(name)} ${why}.${fix}`);
  }
  const json = readJson(text);
  if (!('value' in json)) return at.mistake(`The file ${quoted(name)} ${json.why}.`);
  const mistakes: string[] = [];
  const found = polygonOf(json.value, placeIn({ mistake: (_, message) => mistakes.push(message), warning: () => {} }));
  if (mistakes.length === 0) return found === null ? null : { polygon: found.polygon, at };
  return at.mistake(`The file ${quoted(name)} is no GeoJSON polygon: ${mistakes[0]}`);
}

function sayForeignKeys(name: string, section: ZoneEntry, at: FilePlace): void {
  const { type } = section;
  if (type !== 'assembly_point') {
    for (const key of ASSEMBLY_KEYS.filter((known) => Object.hasOwn(section, known))) {
      at.of(key).mistake(`${quoted(key)} is for assembly points, and ${quoted(name)} is of type ${type}.`, 'key');
    }
  }
  const vertical = section.vertical === true;
  if (Object.hasOwn(section, 'floors') && type !== 'building' && !(type === 'assembly_point' && vertical)) {
    const fix =
      type === 'assembly_point' ? 'Write vertical: true, or delete them.' : 'Write type: building, or delete them.';
    at.of('floors').mistake(`Only buildings and vertical assembly points have floors. ${fix}`, 'key');
  }
  if (type === 'assembly_point' && Object.hasOwn(section, 'min_height_m') && !vertical) {
    at.of('min_height_m').mistake(
      'Only vertical assembly points have a least height. Write vertical: true, or delete it.',
      'key',
    );
  }
}

function floorsOf(section: ZoneEntry, at: FilePlace): PlannedZone['floors'] {
  const floors = section.floors ?? [];
  const names = floors.map((floor) => floor.name);
  for (const [i, name] of names.entries()) {
    if (names.indexOf(name) < i) {
      at.of('floors', i, 'name').mistake(`${quoted(name)} is the name of another floor already.`);
    }
  }
  return floors.map(({ name, height_m, refuge = false }) => ({ name, heightM: height_m, refuge }));
}

function assemblyPointOf(
  name: string,
  section: ZoneEntry,
  floors: PlannedZone['floors'],
  at: FilePlace,
): PlannedZone['assemblyPoint'] {
  if (!Object.hasOwn(section, 'serves')) {
    at.mistake(
      'An assembly point needs "serves". Write serves: [general, tsunami, earthquake] or some of them.',
      'key',
    );
  }
  if (section.elevation_source !== undefined && !Object.hasOwn(section, 'elevation_m')) {
    at.of('elevation_source').mistake('There is no "elevation_m" that could have a source.', 'key');
  }
  const vertical = section.vertical ?? false;
  const refuges = floors.filter((floor) => floor.refuge).map((floor) => floor.heightM);
  // The lowest floor marked as refuge, unless the file defines another height. [decisions 6]
  const lowest = vertical && refuges.length > 0 ? Math.min(...refuges) : null;
  const minHeightM = section.min_height_m ?? lowest;
  if (vertical && minHeightM === null && !Object.hasOwn(section, 'min_height_m') && !blank(section, 'floors')) {
    at.warning(`${quoted(name)} has no refuge floor and no "min_height_m": everyone inside counts as safe.`, 'key');
  }
  return {
    serves: [...new Set(section.serves ?? [])],
    elevationM: section.elevation_m ?? null,
    elevationSource: section.elevation_source ?? null,
    vertical,
    capacity: section.capacity ?? null,
    minHeightM,
  };
}

/** True if the key is present with a wrong value, whose mistake is reported. */
function blank(section: ZoneEntry, key: keyof ZoneEntry): boolean {
  return Object.hasOwn(section, key) && section[key] === undefined;
}

function doorsOf(name: string, section: ZoneEntry, ring: readonly Point[], at: FilePlace): PlannedZone['doors'] {
  return (section.doors ?? []).map(([x, y, widthM], i) => {
    const place = at.of('doors', i);
    const offM = distanceToBorder([x, y], ring);
    if (offM > DOOR_TOLERANCE_M) {
      place.mistake(`This door is ${offM.toFixed(1)} m from the outline of ${quoted(name)}. Put it on the outline.`);
    }
    if (widthM < NARROWEST_DOOR_M) {
      place.mistake(
        `A door of ${widthM} m lets nobody through. Write [x, y, width], at least ${NARROWEST_DOOR_M} m wide.`,
      );
    }
    return { at: nearestOnRing([x, y], ring), widthM };
  });
}

function stairsOf(
  name: string,
  section: ZoneEntry,
  ring: readonly Point[],
  at: FilePlace,
): NonNullable<PlannedZone['stairs']> {
  const { stairs = [] } = section;
  if (stairs.length > 0 && !Object.hasOwn(section, 'floors'))
    at.of('stairs').mistake(
      `${quoted(name)} has no floors that stairs could join. Write floors, or delete them.`,
      'key',
    );
  return stairs.map(([x, y, widthM], i) => {
    const place = at.of('stairs', i);
    if (signedDistance([x, y], ring) < STAIR_INSIDE_M)
      place.mistake(`This stair is not inside ${quoted(name)}. Put it at least ${STAIR_INSIDE_M} m from the outline.`);
    if (widthM < NARROWEST_DOOR_M)
      place.mistake(`A stair of ${widthM} m lets nobody through. Write at least ${NARROWEST_DOOR_M} m.`);
    return { at: [x, y], widthM };
  });
}

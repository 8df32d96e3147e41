/** Converts a recorded session into a draft of a scenario that a person then edits. [scenario-language, record] */

import { stringify } from 'yaml';
import type { Point } from '../../base/geometry/shapes.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { PlannedZone } from '../../plant/plan.ts';
import { serviceSection } from '../../plant/thresholds.ts';
import { shortOf } from '../language/short-forms.ts';
import { type DraftLine, DraftPeople, DraftSteps } from './draft-steps.ts';
import type { Tape, TapedSite } from './tape.ts';

interface ScenarioDraft {
  /** The text of the file. */
  readonly text: string;
  readonly steps: number;
  readonly expectations: number;
  /** The omitted items, with reasons. */
  readonly remarks: readonly string[];
}

const MODELINE = '# yaml-language-server: $schema=./scenario.schema.json';

export function draftOf(tape: Tape): ScenarioDraft {
  const people = new DraftPeople(tape);
  const steps = new DraftSteps(tape, people);
  steps.write();
  const { notes = [] } = tape;
  const remarks = steps.lines.flatMap((line) => (line.kind === 'remark' ? [line.text] : []));
  const count = steps.lines.length - remarks.length;
  const text = [
    MODELINE,
    ...head(tape),
    '',
    ...world(tape, people, steps.sites),
    ...notes.map((note) => `# ${plain(note)}`),
    'steps:',
    ...stepLines(tape, people, steps.lines),
  ];
  return { text: `${text.join('\n')}\n`, steps: count, expectations: steps.expected, remarks: [...notes, ...remarks] };
}

function head({ startedAt, endedAt, full }: Tape): string[] {
  const minutes = Math.max(1, Math.round((endedAt - startedAt) / 60_000));
  const whole = full ? ' It went on after the tape was full.' : '';
  return [
    line('scenario', `What happened on ${formatInstant(startedAt).slice(0, 16).replace('T', ' at ')}`),
    line(
      'about',
      `A draft, recorded in ${minutes} min of a live session.${whole} Say here what the scenario is about.`,
    ),
    line('seed', 1),
  ];
}

/** Writes the world without people and plants that are not involved, but with at least one plant. */
function world(tape: Tape, people: DraftPeople, touched: ReadonlySet<string>): string[] {
  const used = tape.sites.filter(({ id }) => touched.has(id));
  const sites = used.length === 0 ? tape.sites.slice(0, 1) : used;
  const several = sites.length > 1;
  const siteNameOf = (siteId: string) =>
    several ? (sites.find(({ id }) => id === siteId)?.planned.name ?? null) : null;
  const service = serviceSection(sites[0]?.planned.service ?? {});
  const workers = people.section(siteNameOf);
  const [first] = sites;
  return [
    ...(several || first === undefined
      ? [
          'sites:',
          ...sites.flatMap((site) => [
            `  ${key(site.planned.name)}:`,
            ...siteLines(withoutName(siteSection(site)), '    '),
          ]),
        ]
      : ['site:', ...siteLines(siteSection(first), '  ')]),
    line('contract', { include_worker_names: tape.includeWorkerNames, scopes: 'all' }),
    ...(Object.keys(service).length === 0 ? [] : [line('service', service)]),
    '',
    ...mapLines('workers', workers),
    '',
  ];
}

/** Removes the name, which is redundant with the key. */
const withoutName = ({ name: _name, ...rest }: JsonMap): JsonMap => rest;

function siteLines({ zones, ...rest }: JsonMap, indent: string): string[] {
  return [
    ...Object.entries(rest).map(([name, value]) => `${indent}${line(name, value)}`),
    `${indent}zones:`,
    ...Object.entries(zones as JsonMap).map(([name, zone]) => `${indent}  ${line(key(name), zone)}`),
  ];
}

function mapLines(name: string, entries: JsonMap): string[] {
  if (Object.keys(entries).length === 0) return [];
  return [`${name}:`, ...Object.entries(entries).map(([short, section]) => `  ${line(short, section)}`)];
}

/** Writes the steps; permits in force at the start come first. */
function stepLines(tape: Tape, people: DraftPeople, lines: readonly DraftLine[]): string[] {
  const permits = people.playing.flatMap((person) =>
    person.permits.map(({ zone, reference }) => ({ who: people.nameOf(person), zone, is: 'open', reference })),
  );
  const written = [
    ...permits.map((permit) => `  - ${line('permit', permit)}`),
    ...lines.flatMap((one) => (one.kind === 'remark' ? [`  # ${plain(one.text)}`] : stepText(one))),
  ];
  const seconds = Math.max(1, Math.round((tape.endedAt - tape.startedAt) / 1_000));
  return written.some((text) => text.startsWith('  - ')) ? written : [...written, `  - wait: ${seconds}s`];
}

function stepText({ word, value, beside }: Extract<DraftLine, { kind: 'step' }>): string[] {
  return [
    `  - ${line(word, shortOf(word, value))}`,
    ...Object.entries(beside).map(([key, item]) => `    ${line(key, item)}`),
  ];
}

const line = (name: string, value: unknown): string => `${name}: ${flow(value)}`;

/** Writes a value in flow style on one line. */
function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
}

const key = (name: string): string => flow(name);

const plain = (text: string): string => text.replace(/\s+/g, ' ');

// Writes a plant of a recorded session as a section of a scenario: metres, names, and settings that differ from the
// defaults.

/** Rounds coordinates to millimetres, so that doors stay on their walls. */
const round = (metres: number): number => Math.round(metres * 1000) / 1000;

/** The section `site`, or an entry of `sites`. */
function siteSection({ planned }: TapedSite): JsonMap {
  const { name, location, privacyMode, unveilMinSeverity, origin, boundary, plan, zones } = planned;
  const ceilings = Object.entries(plan).map(([kind, ms]) => [kind, formatDuration(ms as number)]);
  return {
    name,
    ...(location === null ? {} : { location }),
    privacy_mode: privacyMode,
    unveil_min_severity: unveilMinSeverity,
    origin: [origin.latitude, origin.longitude],
    ...(boundary === null ? {} : { boundary: corners(boundary) }),
    ...(ceilings.length === 0 ? {} : { plan: Object.fromEntries(ceilings) }),
    zones: Object.fromEntries(zones.map((zone) => [zone.name, zoneSection(zone)])),
  };
}

function zoneSection({ type, ring, assemblyPoint, floors, doors, stairs = [] }: PlannedZone): JsonMap {
  const widths = (ways: PlannedZone['doors']) => ways.map(({ at: [x, y], widthM }) => [x, y, widthM].map(round));
  return {
    type,
    ...outline(ring),
    ...(assemblyPoint === null ? {} : pointKeys(assemblyPoint)),
    ...(floors.length === 0
      ? {}
      : {
          floors: floors.map(({ name, heightM, refuge }) => ({
            name,
            height_m: round(heightM),
            ...(refuge ? { refuge } : {}),
          })),
        }),
    ...(doors.length === 0 ? {} : { doors: widths(doors) }),
    ...(stairs.length === 0 ? {} : { stairs: widths(stairs) }),
  };
}

function pointKeys(point: NonNullable<PlannedZone['assemblyPoint']>): JsonMap {
  const { serves, capacity, elevationM, elevationSource, vertical, minHeightM } = point;
  return {
    serves,
    ...(capacity === null ? {} : { capacity }),
    ...(elevationM === null ? {} : { elevation_m: elevationM }),
    ...(elevationSource === null ? {} : { elevation_source: elevationSource }),
    ...(vertical ? { vertical } : {}),
    ...(minHeightM === null ? {} : { min_height_m: minHeightM }),
  };
}

const corners = (ring: readonly Point[]): number[][] => ring.map(([x, y]) => [round(x), round(y)]);

/** Writes an outline; axis-aligned rectangles become a `box`. */
function outline(ring: readonly Point[]): JsonMap {
  const points = corners(ring);
  const [xs, ys] = [points.map(([x]) => x as number), points.map(([, y]) => y as number)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  const isBox =
    points.length === 4 &&
    new Set(points.map(String)).size === 4 &&
    points.every(([x, y]) => (x === box[0] || x === box[2]) && (y === box[1] || y === box[3]));
  return isBox ? { box } : { polygon: points };
}

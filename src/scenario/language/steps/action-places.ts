/** The zones, sites and companies that an action names or omits, by the kinds of its fields. [scenario-language] */

import {
  type ActionName,
  type FieldNode,
  fieldsHolding,
  fieldsOfAction,
  type HeldKind,
} from '../../../contract/actions.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { closest, list, quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import type { ScenarioReading } from '../../model/read-matcher.ts';
import type { FieldValue } from '../../model/scenario.ts';

/** Kinds of fields whose value can name a zone. */
const OF_A_ZONE = ['zone', 'point', 'place', 'destination'] as const satisfies readonly HeldKind[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reports a text of this kind that is no name in the scenario; returns true after a mistake. */
type UnknownNames = { readonly [K in HeldKind]: (value: unknown, at: ScenarioReading, node: FieldNode) => boolean };

const NO_NAME = () => false;

const UNKNOWN_NAMES: UnknownNames = {
  people: NO_NAME,
  zone: unknownZone([]),
  point: unknownZone([]),
  place: unknownZone([]),
  destination: (value, at) => {
    if (Array.isArray(value)) return value.map((one, i) => unknownDestination(one, at.of(i))).some(Boolean);
    return unknownZone([...at.cast.keys()])(value, at);
  },
  site: (value, at) => {
    const { sites } = at.plants;
    if (!isName(value) || sites.length === 0 || sites.includes(value)) return false;
    at.missing(`${quoted(value)} is not a site.${didYouMean(value, sites)}`);
    return true;
  },
  company: (value, at) => {
    if (typeof value !== 'string' || at.companies.includes(value)) return false;
    at.missing(`${quoted(value)} is not a company of the scenario.${didYouMean(value, at.companies)}`);
    return true;
  },
  alert: NO_NAME,
  muster: NO_NAME,
  watch: unknownWatch,
  receiver: NO_NAME,
  moment: NO_NAME,
  parts: (value, at, { properties = {} }) =>
    Object.entries(isMap(value) ? value : {})
      .map(([key, part]) => {
        const node = Object.hasOwn(properties, key) ? (properties[key] as FieldNode) : undefined;
        return node !== undefined && reportUnknownName(node, part, at.of(key));
      })
      .some(Boolean),
  plain: NO_NAME,
};

/** Reports a text that names no zone, site, person or company of the scenario; returns true after a mistake. */
export function reportUnknownName(node: FieldNode, value: unknown, at: ScenarioReading): boolean {
  return UNKNOWN_NAMES[node['x-holds'].kind](value, at, node);
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && !UUID.test(value);

/** `others`: further suggestions for a misspelt name. */
function unknownZone(others: readonly string[]) {
  return (value: unknown, at: ScenarioReading): boolean => {
    const { zones } = at.plants;
    if (!isName(value) || zones.length === 0 || zones.includes(value)) return false;
    at.missing(`${quoted(value)} is not a zone of the plant.${didYouMean(value, [...zones, ...others])}`);
    return true;
  };
}

/** What every serial that the product derives from a name begins with. */
const SERIAL_PREFIX = /^SIM-/i;

/** Another serial is that of a new watch, unless it looks like one of the plant or is the name of a worker. */
function unknownWatch(value: unknown, at: ScenarioReading): boolean {
  const { serials } = at.plants;
  if (!isName(value) || serials.includes(value)) return false;
  const stems = serials.map((serial) => serial.replace(SERIAL_PREFIX, ''));
  const near = closest(value.replace(SERIAL_PREFIX, ''), stems);
  if (near === undefined) return false;
  const serial = quoted(serials[stems.indexOf(near)]);
  at.missing(
    `${quoted(value)} is not the serial of a watch of the plant. Did you mean ${serial}? A new watch needs a serial that is not so similar.`,
  );
  return true;
}

/** A destination can be a zone, a person or coordinates; a text with a range is a coordinate. */
function unknownDestination(value: unknown, at: ScenarioReading): boolean {
  if (typeof value === 'string' && (at.cast.has(value) || value.includes('..'))) return false;
  return unknownZone([...at.cast.keys()])(value, at);
}

/** Reports a zone that is on another site than the people who act; returns true after a mistake. */
export function reportOtherSite(
  action: ActionName,
  fields: Readonly<Record<string, FieldValue>>,
  value: JsonMap,
  at: ScenarioReading,
): boolean {
  const { sites, zones, zonesOf, siteOf } = at.plants;
  const acting = fieldsHolding(action, 'people').flatMap((key) => fields[key] ?? []);
  if (sites.length < 2) return false;
  const people = acting.flatMap((field) =>
    field.kind !== 'people'
      ? []
      : field.who.flatMap(({ name }) => (at.cast.get(name) ?? []).map((id) => ({ name, site: siteOf.get(id) }))),
  );
  return fieldsHolding(action, ...OF_A_ZONE).some((key) => {
    const place = value[key];
    if (typeof place !== 'string' || fields[key]?.kind !== 'plain' || !zones.includes(place)) return false;
    const apart = people.find(({ site }) => site !== undefined && zonesOf.get(site)?.includes(place) === false);
    if (apart?.site === undefined) return false;
    const where = `${quoted(apart.site)}, where ${apart.name} is`;
    at.of(key).missing(
      `${quoted(place)} is not a zone of ${where}.${didYouMean(place, zonesOf.get(apart.site) ?? [])}`,
    );
    return true;
  });
}

/**
 * Returns the sites and companies that the action needs and the step omits: those of the file's own company. Returns
 * null after reporting an ambiguity.
 */
export function readLeftOut(
  action: ActionName,
  value: JsonMap,
  at: ScenarioReading,
): Readonly<Record<string, FieldValue>> | null {
  const found: Record<string, FieldValue> = {};
  for (const [key, node] of Object.entries(fieldsOfAction(action))) {
    const { kind, inferredFrom } = node['x-holds'];
    if (inferredFrom === undefined || Object.hasOwn(value, key)) continue;
    const name = kind === 'company' ? ownCompany(at) : siteLeftOut(action, key, inferredFrom, value, at);
    if (name === null) return null;
    if (name !== undefined) found[key] = { kind: 'plain', value: name };
  }
  return found;
}

/** Returns undefined if there is only one company. */
const ownCompany = ({ companies }: ScenarioReading): string | undefined =>
  companies.length > 1 ? companies[0] : undefined;

/** Returns undefined if the sandbox infers the site from another field, or if there is only one site. */
function siteLeftOut(
  action: ActionName,
  key: string,
  inferredFrom: readonly string[],
  value: JsonMap,
  at: ScenarioReading,
): string | undefined | null {
  const { plants } = at;
  const fields = fieldsOfAction(action);
  const given = inferredFrom.filter((field) => Object.hasOwn(value, field));
  if (plants.sites.length < 2 || given.some((field) => fields[field]?.['x-holds'].kind === 'people')) return undefined;
  const [zone = null] = given.flatMap((field) => zonesIn(fields[field], value[field]));
  const has = (site: string): boolean => zone === null || plants.zonesOf.get(site)?.includes(zone) === true;
  if (zone !== null && plants.sites.filter(has).length <= 1) return undefined;
  const sites = plants.ownSites.filter(has);
  const [only] = sites.length > 0 ? sites : plants.sites.filter(has);
  if (sites.length === 1 && only !== undefined) return only;
  const why = zone === null ? `the scenario has ${sites.length} sites` : `${quoted(zone)} is a zone of several sites`;
  return at.mistake(
    `${quoted(action)} needs ${quoted(key)}: ${why}. Write ${list((sites.length > 0 ? sites : plants.sites).map((name) => `${key}: ${name}`))}.`,
    'key',
  );
}

/** Returns the zones that a value names, also in the parts of a map; a whole zone comes before a place in it. */
function zonesIn(node: FieldNode | undefined, value: unknown): string[] {
  if (node === undefined) return [];
  const { kind } = node['x-holds'];
  if (kind === 'parts' && isMap(value)) {
    const parts = Object.entries(node.properties ?? {}) as [string, FieldNode][];
    const ordered = OF_A_ZONE.flatMap((one) => parts.filter(([, part]) => part['x-holds'].kind === one));
    return ordered.flatMap(([key, part]) => zonesIn(part, value[key]));
  }
  const isZone = OF_A_ZONE.some((one) => one === kind) && typeof value === 'string' && !value.startsWith('$');
  return isZone ? [value] : [];
}

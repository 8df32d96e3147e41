/** Validates where an action happens: zones and sites by name, and the defaults for an omitted site or company. [scenario-language] */

import type { ActionName } from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { list, quoted } from '../../contract/sentences.ts';
import { didYouMean } from '../../plant/mistakes.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import type { FieldValue } from '../story/story.ts';

/** Fields that hold a place, or a person to go to. */
export const PLACES: readonly string[] = ['zone', 'point', 'to', 'at', 'via'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Actions that need a site, and the fields from which it can be inferred. */
const ON_A_SITE: { readonly [K in ActionName]?: readonly string[] } = {
  heat: ['who'],
  wind: [],
  hazard: [],
  start_muster: [],
};

const OF_A_COMPANY: readonly ActionName[] = ['limits', 'contract'];

/** True after reporting a text that names no zone, site, person or company of the story. */
export function reportUnknownPlace(action: ActionName, key: string, value: unknown, at: StoryReading): boolean {
  const { plants, companies } = at;
  const isCompany = key === 'company' || (action === 'token' && (key === 'expire' || key === 'revoke'));
  if (isCompany && typeof value === 'string' && !companies.includes(value)) {
    at.mistake(`${quoted(value)} is not a company of the story.${didYouMean(value, companies)}`);
    return true;
  }
  if (key === 'origin' && isMap(value)) {
    const places = ['at', 'zone'].filter((one) => typeof value[one] === 'string');
    return places.map((one) => reportUnknownZone(value[one] as string, at.of(one), [])).some(Boolean);
  }
  if (typeof value !== 'string' || value === '' || UUID.test(value)) return false;
  if (key === 'site' && plants.sites.length > 0 && !plants.sites.includes(value)) {
    at.mistake(`${quoted(value)} is not a site.${didYouMean(value, plants.sites)}`);
    return true;
  }
  const isPlace = PLACES.includes(key) && !(key === 'to' && ['change_kind', 'assign'].includes(action));
  if (!isPlace) return false;
  return reportUnknownZone(value, at, key === 'zone' || key === 'point' ? [] : [...at.cast.keys()]);
}

/** `others`: further allowed words. */
function reportUnknownZone(name: string, at: StoryReading, others: readonly string[]): boolean {
  const { zones } = at.plants;
  if (zones.length === 0 || zones.includes(name) || UUID.test(name)) return false;
  at.mistake(`${quoted(name)} is not a zone of the plant.${didYouMean(name, [...zones, ...others])}`);
  return true;
}

/** True after reporting a zone of another site than that of the actors. */
export function reportOtherSite(
  fields: Readonly<Record<string, FieldValue>>,
  value: JsonMap,
  at: StoryReading,
): boolean {
  const { who } = fields;
  if (at.plants.sites.length < 2 || who?.kind !== 'people') return false;
  const people = who.who.flatMap(({ name }) =>
    (at.cast.get(name) ?? []).map((id) => ({ name, site: at.plants.siteOf.get(id) })),
  );
  return PLACES.some((key) => {
    const place = value[key];
    if (typeof place !== 'string' || fields[key]?.kind !== 'plain' || !at.plants.zones.includes(place)) return false;
    const apart = people.find(
      ({ site }) => site !== undefined && at.plants.zonesOf.get(site)?.includes(place) === false,
    );
    if (apart?.site === undefined) return false;
    const where = `${quoted(apart.site)}, where ${apart.name} is`;
    const meant = didYouMean(place, at.plants.zonesOf.get(apart.site) ?? []);
    at.of(key).mistake(`${quoted(place)} is not a zone of ${where}.${meant}`);
    return true;
  });
}

/**
 * Defaults for an omitted site and company: those of the file's own company. Null after reporting
 * an ambiguity.
 */
export function readLeftOut(
  action: ActionName,
  value: JsonMap,
  at: StoryReading,
): Readonly<Record<string, FieldValue>> | null {
  const { plants, companies } = at;
  const [own] = companies;
  if (OF_A_COMPANY.includes(action) && companies.length > 1 && own !== undefined && !Object.hasOwn(value, 'company'))
    return { company: { kind: 'plain', value: own } };
  const siteFields = ON_A_SITE[action];
  const isGiven = siteFields === undefined || ['site', ...siteFields].some((key) => Object.hasOwn(value, key));
  if (isGiven || plants.sites.length < 2) return {};
  const zone = zoneOfOrigin(value);
  const has = (site: string): boolean => zone === null || plants.zonesOf.get(site)?.includes(zone) === true;
  if (zone !== null && plants.sites.filter(has).length <= 1) return {};
  const sites = plants.ownSites.filter(has);
  const [only] = sites.length > 0 ? sites : plants.sites.filter(has);
  if (sites.length === 1 && only !== undefined) return { site: { kind: 'plain', value: only } };
  const why = zone === null ? `the story has ${sites.length} sites` : `${quoted(zone)} is a zone of several sites`;
  at.mistake(
    `${quoted(action)} needs "site": ${why}. Write ${list((sites.length > 0 ? sites : plants.sites).map((name) => `site: ${name}`))}.`,
    'key',
  );
  return null;
}

/** The zone in a muster's origin that determines its site; null if there is none. */
function zoneOfOrigin({ origin }: JsonMap): string | null {
  if (!isMap(origin)) return null;
  const place = origin['zone'] ?? origin['at'];
  return typeof place === 'string' && !place.startsWith('$') ? place : null;
}

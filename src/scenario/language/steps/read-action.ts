/** Reads the fields of steps that are actions of the catalogue: people by short name, alerts by `$name`, values with ranges, zones and sites by name, and the defaults for an omitted site or company. [scenario-language] */

import { explainDuration } from '../../../base/time/durations.ts';
import { ACTIONS, type ActionName, type ActionRow } from '../../../contract/actions.ts';
import { check } from '../../../contract/check.ts';
import { isMap, type JsonMap, type SchemaNode } from '../../../contract/schema.ts';
import { list, quoted } from '../../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../../plant/mistakes.ts';
import { DURATION_PATTERN, endsOf, readDraws, shownSpan, withDrawn } from '../../model/draws.ts';
import { readReceiverName, reportUnknownPerson, type ScenarioReading } from '../../model/read-matcher.ts';
import type { CastGroup, FieldValue, StepBody } from '../../model/scenario.ts';
import type { Beside, ReadStep } from '../step.ts';

type ActionStepBody = Extract<StepBody, { kind: 'action' }>;

/** Placeholder id for references during schema validation. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

const SOME_OF = /^(\d+) of (.+)$/;

/** `sos: {who: ana}`; null after reporting a mistake. */
export function readAction(
  action: ActionName,
  value: unknown,
  at: ScenarioReading,
  { forMs }: Beside,
): ReadStep<ActionStepBody> | null {
  if (!isMap(value)) {
    const who = typeof value === 'string' && at.cast.has(value) ? value : 'ana';
    const write = ruleOf(action, 'who') === undefined ? flowOf(ACTIONS[action].example) : `{who: ${who}}`;
    return at.mistake(`${shown(value)} is not what ${quoted(action)} needs. Write ${action}: ${write}.`);
  }
  const fields: Record<string, FieldValue> = {};
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const field = readField(action, key, item, at.of(key));
    if (field === null) whole = false;
    else fields[key] = field;
  }
  const sound = reportSchemaErrors(action, value, fields, at);
  const leftOut = readLeftOut(action, value, at);
  if (!whole || !sound || leftOut === null || reportOtherSite(fields, value, at)) return null;
  Object.assign(fields, leftOut);
  const names = severalOf(fields.who) ? null : ((ACTIONS[action] as ActionRow).binds ?? null);
  const lasting = forMs === null ? '' : `, for ${shownSpan(forMs)}`;
  return { body: { kind: 'action', action, fields, names, forMs }, text: textOf(action, value) + lasting, names };
}

/** A map as YAML flow style. */
export function flowOf(example: object): string {
  const fields = Object.entries(example).map(([key, value]) => `${key}: ${flowValue(value)}`);
  return `{${fields.join(', ')}}`;
}

function flowValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowValue).join(', ')}]`;
  return typeof value === 'object' && value !== null ? flowOf(value) : String(value);
}

/** Several actors create several things, but a name is bound to one. */
function severalOf(who: FieldValue | undefined): boolean {
  return who?.kind === 'people' && (who.listed || who.who.some(({ count, of }) => (count ?? of) > 1));
}

function ruleOf(action: ActionName, key: string): SchemaNode | undefined {
  const properties = ACTIONS[action].fields.properties as unknown as Readonly<Record<string, SchemaNode>>;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Fields that hold people. */
export const PEOPLE: readonly string[] = ['who', 'near'];

/** Its `to` is a receiver of the file. */
export const toReceiver = (action: ActionName): boolean => action === 'deliveries' || action === 'resend';

function readField(action: ActionName, key: string, value: unknown, at: ScenarioReading): FieldValue | null {
  if (value === undefined) return null;
  if (PEOPLE.includes(key)) return readWho(value, at);
  if (toReceiver(action) && key === 'to') {
    const receiver = readReceiverName(value, at);
    return receiver === null ? null : { kind: 'receiver', receiver };
  }
  // A person as destination is given by short name too.
  if (PLACES.includes(key) && typeof value === 'string' && at.cast.has(value)) return readWho(value, at);
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = at.names.read(value, at);
    return reference === null ? null : { kind: 'reference', reference };
  }
  const draws = readDraws(ruleOf(action, key) ?? {}, value, at);
  if (draws === null || reportUnknownPlace(action, key, value, at)) return null;
  return draws.length === 0 ? { kind: 'plain', value } : { kind: 'drawn', value, draws };
}

/** `ana`, `[ana, crew]` or `3 of crew`. */
function readWho(value: unknown, at: ScenarioReading): FieldValue | null {
  const listed = Array.isArray(value);
  const names: unknown[] = listed ? value : [value];
  if (names.length === 0) at.mistake('The list is empty. Write who: ana.');
  const who = names.map((name, i) => readGroup(name, listed ? at.of(i) : at));
  if (who.length === 0 || who.includes(null)) return null;
  return { kind: 'people', who: who as CastGroup[], listed };
}

function readGroup(value: unknown, at: ScenarioReading): CastGroup | null {
  if (typeof value === 'string' && at.cast.has(value))
    return { name: value, count: null, of: at.cast.get(value)!.length };
  const [, count, name] = typeof value === 'string' ? (SOME_OF.exec(value) ?? []) : [];
  const people = name === undefined ? undefined : at.cast.get(name);
  if (count === undefined || name === undefined || people === undefined) {
    reportUnknownPerson(name ?? value, at, at.cast);
    return null;
  }
  if (Number(count) >= 1 && Number(count) <= people.length) return { name, count: Number(count), of: people.length };
  const fix = people.length === 1 ? `is one person. Write ${name}.` : `has ${people.length} people. Write fewer.`;
  return at.mistake(`${quoted(name)} ${fix}`);
}

/** Reports violations of the action's schema; false if there are any. */
function reportSchemaErrors(
  action: ActionName,
  value: JsonMap,
  fields: Readonly<Record<string, FieldValue>>,
  at: ScenarioReading,
): boolean {
  // Both ends of a range must be valid.
  const errors = [0, 1].flatMap((end) => {
    const sample = Object.entries(value).map(([key, item]) => [key, sampleOf(fields[key], item, end as 0 | 1)]);
    const checked = check(ACTIONS[action].fields, Object.fromEntries(sample));
    return checked.ok ? [] : checked.errors;
  });
  for (const { pointer, detail } of errors) {
    const key = pointer.split('/')[1] ?? '';
    const known = Object.keys(ACTIONS[action].fields.properties);
    if (detail === 'is required') at.mistake(`${quoted(action)} needs ${quoted(key)}.`, 'key');
    else if (!known.includes(key)) {
      const free = known.filter((one) => !Object.hasOwn(value, one));
      at.of(key).mistake(`${quoted(key)} is not a key of ${quoted(action)}.${didYouMean(key, free)}`, 'key');
    } else if (fields[key] !== undefined) reportUnfitting(action, value, pointer, detail, at);
  }
  return errors.length === 0;
}

function sampleOf(field: FieldValue | undefined, value: unknown, end: 0 | 1): unknown {
  switch (field?.kind) {
    case 'people':
      return 'somebody';
    case 'receiver':
      return field.receiver;
    case 'reference':
      return SOME_ID;
    case 'drawn':
      return withDrawn(field.value, field.draws, ({ draw }) => endsOf(draw)[end]);
    case 'plain':
      return field.value;
    case undefined:
      // Reported already.
      return value;
  }
}

/** Prefix of the contract's message about an unknown key. */
const UNKNOWN = 'is not a known field';

/** Reports an invalid value at its own place within the field. */
function reportUnfitting(action: ActionName, value: JsonMap, pointer: string, detail: string, here: FilePlace) {
  const [key = '', ...inner] = pointer.split('/').slice(1);
  const steps = inner.map((one) => (/^\d+$/.test(one) ? Number(one) : one));
  const place = here.of(key, ...steps);
  const [last] = steps.slice(-1);
  const at = steps.reduce<unknown>(
    (whole, one) => (whole as Record<string | number, unknown> | null)?.[one],
    value[key],
  );
  if (last === undefined || typeof last === 'number') place.mistake(complaint(action, key, at, detail));
  else if (detail === 'is required')
    here.report.mistake(place.path.slice(0, -1), `${quoted(key)} needs ${quoted(last)}.`, 'key');
  else if (detail.startsWith(UNKNOWN)) {
    const meant = detail.slice(UNKNOWN.length).replace(/^; did/, ' Did');
    place.mistake(`${quoted(last)} is not a key of ${quoted(key)}.${meant}`, 'key');
  } else place.mistake(`${quoted(last)} is ${shown(at)}, but ${detail}.`);
}

function complaint(action: ActionName, key: string, value: unknown, detail: string): string {
  const rule = ruleOf(action, key);
  if (rule?.enum !== undefined) {
    return `${shown(value)} is not a value of ${quoted(key)}.${didYouMean(typeof value === 'string' ? value : '', rule.enum.map(String))}`;
  }
  if (rule?.pattern === DURATION_PATTERN) return explainDuration(String(value));
  return `${quoted(key)} is ${shown(value)}, but ${detail}.`;
}

function textOf(action: ActionName, value: JsonMap): string {
  const { who, ...rest } = value;
  const people = Array.isArray(who) ? ` ${who.join(', ')}` : who === undefined ? '' : ` ${String(who)}`;
  const said = Object.entries(rest).map(([key, item]) => `${key} ${shownField(item)}`);
  return [`${action}${people}`, ...said].join(', ');
}

function shownField(item: unknown): string {
  if (Array.isArray(item)) return `[${item.map(shownField).join(', ')}]`;
  if (!isMap(item)) return String(item);
  return `{${Object.entries(item)
    .map(([key, one]) => `${key} ${shownField(one)}`)
    .join(', ')}}`;
}

/** Fields that hold a place, or a person to go to. */
export const PLACES: readonly string[] = ['zone', 'point', 'to', 'at', 'via'];

/** Fields that hold a company; `expire` and `revoke` are those of `token`. */
export const COMPANIES: readonly string[] = ['company', 'expire', 'revoke'];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Actions that need a site, and the fields from which it can be inferred. */
const ON_A_SITE: { readonly [K in ActionName]?: readonly string[] } = {
  heat: ['who'],
  wind: [],
  hazard: [],
  start_muster: [],
};

const OF_A_COMPANY: readonly ActionName[] = ['limits', 'contract'];

/** True after reporting a text that names no zone, site, person or company of the scenario. */
function reportUnknownPlace(action: ActionName, key: string, value: unknown, at: ScenarioReading): boolean {
  const { plants, companies } = at;
  const isCompany = key === 'company' || action === 'token';
  if (isCompany && COMPANIES.includes(key) && typeof value === 'string' && !companies.includes(value)) {
    at.mistake(`${quoted(value)} is not a company of the scenario.${didYouMean(value, companies)}`);
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
function reportUnknownZone(name: string, at: ScenarioReading, others: readonly string[]): boolean {
  const { zones } = at.plants;
  if (zones.length === 0 || zones.includes(name) || UUID.test(name)) return false;
  at.mistake(`${quoted(name)} is not a zone of the plant.${didYouMean(name, [...zones, ...others])}`);
  return true;
}

/** True after reporting a zone of another site than that of the actors. */
function reportOtherSite(fields: Readonly<Record<string, FieldValue>>, value: JsonMap, at: ScenarioReading): boolean {
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
function readLeftOut(
  action: ActionName,
  value: JsonMap,
  at: ScenarioReading,
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
  const why = zone === null ? `the scenario has ${sites.length} sites` : `${quoted(zone)} is a zone of several sites`;
  return at.mistake(
    `${quoted(action)} needs "site": ${why}. Write ${list((sites.length > 0 ? sites : plants.sites).map((name) => `site: ${name}`))}.`,
    'key',
  );
}

/** The zone in a muster's origin that determines its site; null if there is none. */
function zoneOfOrigin({ origin }: JsonMap): string | null {
  if (!isMap(origin)) return null;
  const place = origin['zone'] ?? origin['at'];
  return typeof place === 'string' && !place.startsWith('$') ? place : null;
}

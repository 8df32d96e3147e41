/** Request bodies of the writing operations, and the queries of the lists with their types. */

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type CheckError, type Checked, check } from './check.ts';
import {
  AlertStatus,
  AlertType,
  DeviceStatus,
  EventSelector,
  MusterKind,
  MusterStatus,
  Severity,
  ZoneType,
} from './enumerations.ts';
import { WebhookFilters } from './resources.ts';
import { AnyTime, AnyUuid, closed, described, inline, name, text, words } from './shapes.ts';

/** The fields of a token request, wherever the credentials are [spec 4, decisions 3]. Not closed: RFC 6749 section 3.2 has the server ignore unknown parameters. */
export const TokenRequest = Type.Object(
  {
    grant_type: words('GrantType', 'The one grant [spec 4].', ['client_credentials']),
    client_id: Type.String({ minLength: 1, description: 'Of the company’s one client [spec 5].' }),
    client_secret: Type.String({
      minLength: 1,
      description: 'Kept by the client; it stands in no log [decisions 10].',
    }),
    scope: Type.Optional(Type.String({ description: 'Space-separated; all of the client’s when omitted [spec 4].' })),
  },
  { title: 'TokenRequest', description: 'A client asks for an access token [spec 4].' },
);
export type TokenRequest = Static<typeof TokenRequest>;

/** Lifetime of an access token; seconds [spec 5]. */
export const TOKEN_LIFE_S = 3600;

/** [spec 4] */
export const TokenResponse = closed('TokenResponse', 'An access token and what it grants [spec 4].', {
  access_token: Type.String({ description: 'Opaque: send it as `Authorization: Bearer <token>` [spec 5].' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Literal(TOKEN_LIFE_S, { description: 'Seconds [spec 5].' }),
  scope: Type.String({ description: 'Space-separated, in the order of the scope table [decisions 3].' }),
});
export type TokenResponse = Static<typeof TokenResponse>;

/** [spec 4 Alert update body, spec 8] */
export const AlertUpdate = closed('AlertUpdate', 'An operator acknowledges or resolves an alert [spec 4].', {
  status: words('AlertUpdateStatus', 'The status to bring the alert to [spec 4].', ['acknowledged', 'resolved']),
  resolution_reason: Type.Optional(
    described(text(200), 'Why it is over, in free text; with `resolved` only [spec 4].'),
  ),
  note: Type.Optional(described(text(500), 'For the timeline of the alert [spec 3].')),
  actor: closed('Actor', 'The control-room operator who acts [spec 4].', {
    // A blank name is a name: the length alone is the rule [spec 4].
    name: described(text(120, 1), 'As the control room knows the operator.'),
    external_id: Type.Optional(described(text(64), 'The operator’s code in your own system.')),
  }),
});
export type AlertUpdate = Static<typeof AlertUpdate>;

/** [spec 4 Create a destination]; the rules of the url itself are `invalid_destination_url` [decisions 7]. */
export const WebhookCreate = closed('WebhookCreate', 'A new destination for events [spec 4].', {
  url: Type.String({ description: 'https, a public address, at most 2,048 characters [spec 4, decisions 7].' }),
  event_types: Type.Array(EventSelector, {
    minItems: 1,
    description: 'Types and groups; duplicates are folded [spec 4, decisions 7].',
  }),
  filters: Type.Optional(WebhookFilters),
});
export type WebhookCreate = Static<typeof WebhookCreate>;

/** The size of a page that was not asked for, and the largest [decisions 1]. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** A parameter that may be given several times, or as a comma list: both mean the same [decisions 1]. */
function listOf<T extends TSchema>(item: T, description: string) {
  return Type.Optional(Type.Array(item, { minItems: 1, description, 'x-list': true }));
}

const sites = listOf(AnyUuid, 'Only these sites; another company’s site is refused [decisions 2].');
const contractors = listOf(name(200), 'Only these contractors.');
const flag = (description: string) =>
  Type.Optional(Type.Enum(['true', 'false'], { type: 'string', 'x-parsed': 'boolean', description }));
const moment = (description: string) => Type.Optional(Type.String({ ...AnyTime, description }));
const from = moment('Created at or after this moment [decisions 1].');
const until = moment('Created before this moment, which itself is left out [decisions 1].');
const page = {
  limit: Type.Optional(
    Type.String({
      pattern: '^0*([1-9]|[1-9]\\d|1\\d\\d|200)$',
      description: 'How many at most in one page [decisions 1].',
      'x-rule': 'must be a whole number from 1 to 200',
      'x-parsed': 'integer',
      'x-schema': { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      description: '`next_cursor` of the page before, with the same filters [decisions 1].',
    }),
  ),
};

/** GET /v1/sites takes no parameter [decisions 1]. */
export const SitesQuery = inline({});

/** GET /v1/sites/{site_id}/zones [decisions 1] */
export const ZonesQuery = inline({ type: listOf(ZoneType, 'Only zones of these types.') });

/** GET /v1/alerts [decisions 1] */
export const AlertsQuery = inline({
  site_id: sites,
  status: listOf(AlertStatus, 'Only alerts in these statuses.'),
  type: listOf(AlertType, 'Only alerts of these types.'),
  min_severity: Type.Optional(described(Severity, 'Only alerts of this severity or graver.')),
  worker_id: listOf(AnyUuid, 'Only alerts of these workers.'),
  contractor: contractors,
  simulated: flag('Only alerts of drills and simulated watches, or only real ones.'),
  created_after: from,
  created_before: until,
  modified_since: moment('Changed at or after this moment: how a client catches up [decisions 1].'),
  ...page,
});

/** GET /v1/musters [decisions 1] */
export const MustersQuery = inline({
  site_id: sites,
  status: listOf(MusterStatus, 'Only musters in these statuses.'),
  kind: listOf(MusterKind, 'Only musters of these kinds.'),
  ...page,
});

/** GET /v1/workers [decisions 1] */
export const WorkersQuery = inline({
  site_id: sites,
  contractor: contractors,
  is_active: flag('Only those who work here now, or only those who left.'),
  external_id: listOf(name(200), 'Only the workers with these staff-system codes.'),
  ...page,
});

/** GET /v1/devices [decisions 1] */
export const DevicesQuery = inline({
  site_id: sites,
  status: listOf(DeviceStatus, 'Only watches in these statuses.'),
  worn: flag('Only watches on a wrist, or only those that are not.'),
  ...page,
});

/** GET /v1/positions [decisions 1] */
export const PositionsQuery = inline({ site_id: sites });

/** GET /v1/events [decisions 1] */
export const EventsQuery = inline({
  type: listOf(EventSelector, 'Only events of these types or groups.'),
  site_id: sites,
  created_after: from,
  created_before: until,
  ...page,
});

/** Operations that read one thing, and whole lists without a filter, take no parameter [decisions 1]. */
export const NoQuery = inline({});

/** A parsed query: `limit` is always present, flags are booleans, times stay text. */
export type Query<S extends TObject> = Parsed<Static<S>>;
type Parsed<Q> = {
  [K in keyof Q as K extends 'limit' ? never : K]: Exclude<Q[K], undefined> extends 'true' | 'false' ? boolean : Q[K];
} & ('limit' extends keyof Q ? { limit: number } : unknown);

/** Reads a raw query string by a query schema of `requests.ts`; it must be decodable. A repeated parameter equals a comma list; a list is split before decoding, so `%2C` is a comma inside a value. Unknown parameters are refused; places are `?name` [decisions 1, decisions 2]. */
export function readQuery<P extends TProperties>(schema: TObject<P>, text: string): Checked<Query<TObject<P>>> {
  const gathered = gather(schema, text);
  const checked = check(schema, gathered);
  if (!checked.ok) return { ok: false, errors: checked.errors.map((error) => asParameter(schema, gathered, error)) };
  return { ok: true, value: parse(schema, checked.value as Record<string, unknown>) as Query<TObject<P>> };
}

/** Values by name: a list where the schema has one, or where a name is repeated. */
function gather(schema: TObject, text: string): Record<string, string | string[]> {
  const gathered = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const key = decoded(name);
    const values = gathered.get(key) ?? [];
    values.push(...(isList(schema, key) ? value.split(',') : [value]).map(decoded));
    gathered.set(key, values);
  }
  const single = (key: string, values: string[]) => !isList(schema, key) && values.length === 1;
  return Object.fromEntries([...gathered].map(([key, all]) => [key, single(key, all) ? (all[0] as string) : all]));
}

/** Form encoding: a plus is a space (WHATWG URL, application/x-www-form-urlencoded). */
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function property(schema: TObject, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(schema.properties, key) ? (schema.properties[key] as Record<string, unknown>) : undefined;
}

function isList(schema: TObject, key: string): boolean {
  return property(schema, key)?.['x-list'] === true;
}

function parse(schema: TObject, checked: Record<string, unknown>): Record<string, unknown> {
  const query: Record<string, unknown> = Object.hasOwn(schema.properties, 'limit') ? { limit: DEFAULT_LIMIT } : {};
  for (const [key, value] of Object.entries(checked)) {
    const kind = property(schema, key)?.['x-parsed'];
    query[key] = kind === 'integer' ? Number(value) : kind === 'boolean' ? value === 'true' : value;
  }
  return query;
}

/** An offset whose plus was not encoded, and was read as a space. */
const LOST_PLUS = /T\S* \d{2}:?\d{2}$/i;

/** `/status/1` of the object is the parameter `?status`; a list in place of one value was given twice. */
function asParameter(schema: TObject, gathered: Record<string, unknown>, { pointer, detail }: CheckError): CheckError {
  const key = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const twice = property(schema, key) !== undefined && !isList(schema, key) && Array.isArray(gathered[key]);
  if (twice) return { pointer: `?${key}`, detail: 'must be given only once' };
  if (property(schema, key)?.['format'] === 'date-time' && LOST_PLUS.test(String(gathered[key])))
    return { pointer: `?${key}`, detail: 'has a space where a + was: write the + as %2B, or the time in UTC with a Z' };
  return { pointer: `?${key}`, detail: detail.replace('known field', 'known parameter') };
}

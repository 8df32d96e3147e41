/** Schemas of the request bodies of the writing operations, and of the query parameters of the lists. `query.ts` reads the parameters. */

import { type Static, type TSchema, Type } from 'typebox';
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
import { WebhookFiltersInput } from './resources.ts';
import { AnyTime, AnyUuid, closed, described, inline, name, text, words } from './shapes.ts';

/** The fields of a token request, wherever the credentials are [spec 4, decisions 3]. Not closed: RFC 6749 section 3.2 has the server ignore unknown parameters. */
export const TokenRequest = Type.Object(
  {
    grant_type: words('GrantType', 'The one grant [spec 4].', ['client_credentials']),
    client_id: Type.String({ minLength: 1, description: 'Of the company’s one client [spec 5].' }),
    client_secret: Type.String({
      minLength: 1,
      description: 'Kept by the client; it is in no log [decisions 10].',
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
  filters: Type.Optional(WebhookFiltersInput),
});
export type WebhookCreate = Static<typeof WebhookCreate>;

/** What a client may ask of the API in a minute, in the words of the action `limits`. [spec 8] */
export const DEFAULT_LIMITS = { requests_per_minute: 600, query_seconds_per_minute: 30, query_time_factor: 1 } as const;

/** The default size of a page, which the switch `page-size` changes, and the largest [decisions 1]. */
const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** What the items of a list parameter are: `closed` items (words, ids) never contain a comma; `free` text, such as a name, may [decisions 1]. */
export type ListItems = 'closed' | 'free';

/** A parameter that takes several values [decisions 1]. */
function listOf<T extends TSchema>(item: T, description: string, items: ListItems = 'closed') {
  return Type.Optional(Type.Array(item, { minItems: 1, description, 'x-list': items }));
}

const sites = listOf(AnyUuid, 'Only these sites; another company’s site is refused [decisions 2].');
const contractors = listOf(name(200), 'Only these contractors.', 'free');
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
  external_id: listOf(name(200), 'Only the workers with these staff-system codes.', 'free'),
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

/** Schemas of the request bodies of writing operations, and of the query parameters of lists. `query.ts` parses the parameters. */

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
import { AnyTime, AnyUuid, closed, described, inline, name, text, whole, words } from './shapes.ts';

/**
 * The fields of a token request, wherever the credentials are [spec 4, decisions 3]. Not closed, since a server must
 * ignore unknown parameters according to RFC 6749 section 3.2.
 */
export const TokenRequest = Type.Object(
  {
    grant_type: words('GrantType', 'The grant type; only `client_credentials` is supported [spec 4].', [
      'client_credentials',
    ]),
    client_id: Type.String({ minLength: 1, description: 'The id of the client of the company [spec 5].' }),
    client_secret: Type.String({
      minLength: 1,
      description: 'The secret of the client. No log contains it [decisions 10].',
    }),
    scope: Type.Optional(
      Type.String({
        description: 'The requested scopes, separated by spaces. Default: all scopes of the client [spec 4].',
      }),
    ),
  },
  { title: 'TokenRequest', description: 'The request of a client for an access token [spec 4].' },
);
export type TokenRequest = Static<typeof TokenRequest>;

/** Lifetime of an access token; seconds [spec 5]. */
export const TOKEN_LIFE_S = 3600;

/** [spec 4] */
export const TokenResponse = closed('TokenResponse', 'An access token and its scopes [spec 4].', {
  access_token: Type.String({
    description: 'The token, an opaque text. Send it as `Authorization: Bearer <token>` [spec 5].',
  }),
  token_type: Type.Literal('Bearer'),
  expires_in: described(whole(TOKEN_LIFE_S, TOKEN_LIFE_S), 'The lifetime of the token in seconds [spec 5].'),
  scope: Type.String({
    description: 'The scopes, separated by spaces, in the order of the scope table [decisions 3].',
  }),
});
export type TokenResponse = Static<typeof TokenResponse>;

/** [spec 4 Alert update body, spec 8] */
export const AlertUpdate = closed('AlertUpdate', 'An operator acknowledges or resolves an alert [spec 4].', {
  status: words('AlertUpdateStatus', 'The new status of the alert [spec 4].', ['acknowledged', 'resolved']),
  resolution_reason: Type.Optional(
    described(text(200), 'The reason of the resolution, in free text. Only with `resolved` [spec 4].'),
  ),
  note: Type.Optional(described(text(500), 'A remark for the timeline of the alert [spec 3].')),
  actor: closed('Actor', 'The control-room operator who acts [spec 4].', {
    // A blank name is valid: only the length is limited [spec 4].
    name: described(text(120, 1), 'The name of the operator.'),
    external_id: Type.Optional(described(text(64), 'The operator’s code in your own system.')),
  }),
});
export type AlertUpdate = Static<typeof AlertUpdate>;

/** [spec 4 Create a destination]. A wrong url is refused with `invalid_destination_url` [decisions 7]. */
export const WebhookCreate = closed('WebhookCreate', 'A new destination for events [spec 4].', {
  url: Type.String({ description: 'The address: https, public, and at most 2,048 characters [spec 4, decisions 7].' }),
  event_types: Type.Array(EventSelector, {
    minItems: 1,
    description: 'The event types and groups. Duplicates are removed [spec 4, decisions 7].',
  }),
  filters: Type.Optional(WebhookFiltersInput),
});
export type WebhookCreate = Static<typeof WebhookCreate>;

/** The limits of a client per minute, with the field names of the action `limits`. [spec 8] */
export const DEFAULT_LIMITS = { requests_per_minute: 600, query_seconds_per_minute: 30, query_time_factor: 1 } as const;

/** The default page size, which the switch `page-size` changes, and the largest page size [decisions 1]. */
const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/**
 * The kind of items in a list parameter. `closed` items (words, ids) never contain a comma; `free` text, such as a
 * name, may [decisions 1].
 */
export type ListItems = 'closed' | 'free';

/** A parameter that accepts several values [decisions 1]. */
function listOf<T extends TSchema>(item: T, description: string, items: ListItems = 'closed') {
  return Type.Optional(Type.Array(item, { minItems: 1, description, 'x-list': items }));
}

const sites = listOf(AnyUuid, 'Only objects of these sites. A site of another company is refused [decisions 2].');
const contractors = listOf(name(200), 'Only objects of these contractors.', 'free');
export const flag = (description: string) =>
  Type.Optional(Type.Enum(['true', 'false'], { type: 'string', 'x-parsed': 'boolean', description }));
const moment = (description: string) => Type.Optional(Type.String({ ...AnyTime, description }));
const from = moment('Only objects that were created at or after this time [decisions 1].');
const until = moment('Only objects that were created before this time, which is excluded [decisions 1].');
const page = {
  limit: Type.Optional(
    Type.String({
      pattern: '^0*([1-9]|[1-9]\\d|1\\d\\d|200)$',
      description: 'The maximum number of items in a page [decisions 1].',
      'x-rule': 'must be a whole number from 1 to 200',
      'x-parsed': 'integer',
      'x-schema': { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The `next_cursor` of the previous page. Send it with the same filters [decisions 1].',
    }),
  ),
};

/** GET /v1/sites has no parameters [decisions 1]. */
export const SitesQuery = inline({});

/** GET /v1/sites/{site_id}/zones [decisions 1] */
export const ZonesQuery = inline({ type: listOf(ZoneType, 'Only zones of these types.') });

/** GET /v1/alerts [decisions 1] */
export const AlertsQuery = inline({
  site_id: sites,
  status: listOf(AlertStatus, 'Only alerts in these statuses.'),
  type: listOf(AlertType, 'Only alerts of these types.'),
  min_severity: Type.Optional(described(Severity, 'Only alerts of this severity or higher.')),
  worker_id: listOf(AnyUuid, 'Only alerts of these workers.'),
  contractor: contractors,
  simulated: flag('true: only alerts of drills and simulated watches. false: only real alerts.'),
  created_after: from,
  created_before: until,
  modified_since: moment(
    'Only alerts that were changed at or after this time. Use it to catch up with changes [decisions 1].',
  ),
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
  is_active: flag('true: only active workers. false: only workers who have left.'),
  external_id: listOf(name(200), 'Only the workers with these staff-system codes.', 'free'),
  ...page,
});

/** GET /v1/devices [decisions 1] */
export const DevicesQuery = inline({
  site_id: sites,
  status: listOf(DeviceStatus, 'Only watches in these statuses.'),
  worn: flag('true: only watches that are worn. false: only watches that are not worn.'),
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

/** Operations that return one object, and whole lists without a filter, have no parameters [decisions 1]. */
export const NoQuery = inline({});

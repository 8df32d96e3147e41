/** Actions that only a sandbox has: tokens, limits, contracts, privacy. [scenario-language, Customer side, Faults and rules] */

import { Type } from 'typebox';
import { EventSelector, PrivacyMode, Scope, Severity } from '../enumerations.ts';
import { DEFAULT_LIMITS } from '../requests.ts';
import { ATTEMPTS } from '../resources/retry-schedule.ts';
import { AnyUuid, Duration, name, nullable, whole } from '../shapes.ts';
import { eitherNeeded, eitherOf, someOf } from './combinations.ts';
import { DEFAULT_WORDS as WORDS } from './example-words.ts';
import { holds, plain } from './field-kinds.ts';
import { type ActionRow, Company, OwnCompany, rowOf, SiteField, Who } from './row.ts';

const customerRow = rowOf('customer');
const faultRow = rowOf('faults');

const DestinationNamed = holds(
  'receiver',
  Type.String({
    format: 'text',
    minLength: 1,
    maxLength: 2_048,
    description: 'The id, the url or the host of the destination.',
  }),
);

export const LIMITS_AND_TOKENS_ACTIONS = {
  token: customerRow({
    title: 'End the tokens of a company',
    help: 'Expires or revokes all access tokens of the company. The next call with one of them gets 401. In a scenario, an `api` step then requests a new token and repeats its call, so it does not fail. To test the 401, use `token: expired` in the step `api`.',
    example: { expire: WORDS.company },
    misfit: eitherOf('expire', 'revoke'),
    gives: ['client_id'],
    fields: { expire: Type.Optional(Company), revoke: Type.Optional(Company) },
  }),
  limits: faultRow({
    title: 'Change the limits of a company',
    help: 'Sets the requests and the seconds of query time that are allowed in a minute, and a factor on the query time. Use it to test both kinds of 429.',
    example: { company: WORDS.company, requests_per_minute: 600 },
    gives: ['client_id'],
    undo: ({ company }) => ({ ...(company === undefined ? {} : { company }), ...DEFAULT_LIMITS }),
    fields: {
      company: OwnCompany,
      requests_per_minute: plain(Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
      query_seconds_per_minute: plain(Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 }))),
      query_time_factor: plain(Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 }))),
      ends_after: plain(
        Type.Optional(
          Type.String({
            ...Duration,
            description:
              'The time after which the default limits apply again. The `Retry-After` of a 429 does not exceed it. In a scenario, `for` sets it.',
          }),
        ),
      ),
    },
  }),
  privacy: faultRow({
    title: 'Change the privacy of a site',
    help: 'Changes the privacy mode, and the lowest severity at which a position is shown. Existing alerts keep their location.',
    example: { site: WORDS.site, mode: 'continuous' },
    gives: ['site_id'],
    fields: {
      site: SiteField,
      mode: plain(Type.Optional(PrivacyMode)),
      unveil_min_severity: plain(Type.Optional(Severity)),
    },
  }),
  contract: faultRow({
    title: 'Change the contract of a company',
    help: 'Changes names, scopes, and the contractors that the client may see (null: all). The change applies to everything that is rendered afterwards.',
    example: { company: WORDS.company, include_worker_names: true },
    gives: ['client_id'],
    fields: {
      company: OwnCompany,
      include_worker_names: plain(Type.Optional(Type.Boolean())),
      scopes: plain(Type.Optional(Type.Array(Scope))),
      contractors: plain(Type.Optional(nullable(Type.Array(name(200))))),
    },
  }),
  deliveries: faultRow({
    title: 'Disturb the deliveries to a receiver',
    help: 'Changes how events are delivered to a receiver from now on. `duplicate` delivers each event several times. `shuffle` adds a random delay up to the given duration, so that events overtake each other. `hold` adds the given delay. A receiver must handle all of them.',
    example: { to: 'https://receiver.example/hook', duplicate: 2, shuffle: '30s' },
    misfit: someOf('deliveries needs duplicate, shuffle or hold.', 'duplicate', 'shuffle', 'hold'),
    gives: [],
    undo: ({ to }) => ({ to, duplicate: 1, shuffle: '0s', hold: '0s' }),
    fields: {
      to: DestinationNamed,
      duplicate: plain(Type.Optional(whole(1, 10))),
      shuffle: plain(Type.Optional(Duration)),
      hold: plain(Type.Optional(Duration)),
    },
  }),
  resend: faultRow({
    title: 'Deliver events of the log again',
    help: `Delivers the event with the given id, or all events since the given time, oldest first. Each has the same id and body, a new signature and ${ATTEMPTS} attempts from now on. \`only\` restricts the event types. At most 1,000 events.`,
    example: { to: 'https://receiver.example/hook', since: '10m' },
    misfit: eitherOf('event', 'since'),
    gives: ['resent'],
    fields: {
      to: DestinationNamed,
      event: plain(Type.Optional(AnyUuid)),
      since: plain(Type.Optional(Duration)),
      only: plain(Type.Optional(Type.Array(EventSelector, { minItems: 1 }))),
    },
  }),
  broker: faultRow({
    title: 'Stop or start the broker, or drop its clients',
    help: 'Stops or starts the broker, or drops its clients. While the broker is stopped, no watch is connected. If it drops its clients, the watches connect again by themselves.',
    example: { does: 'drop_clients' },
    misfit: ({ does, who }) =>
      who === undefined || does === 'drop_clients'
        ? null
        : {
            message: `The broker does ${String(does)} for everybody; leave out who.`,
            errors: [{ pointer: '/who', detail: 'must not be combined with stop or start' }],
          },
    alone: 'does',
    gives: ['worker_id?', 'device_id?'],
    undo: ({ does }) => (does === 'stop' ? { does: 'start' } : null),
    fields: { does: plain(Type.Enum(['stop', 'start', 'drop_clients'], { type: 'string' })), who: Type.Optional(Who) },
  }),
  api_fault: faultRow({
    title: 'Make the API fail',
    help: 'Makes API requests fail with a 5xx, or delays their answers by the given wall time. This applies to all requests, to those of a path, or to a share of them. A share of 0 ends the fault.',
    example: { status: 503, path: '/v1/alerts', share: 0.5 },
    misfit: ({ status, slow, share }) =>
      status === undefined && slow === undefined && share !== 0 ? eitherNeeded('status', 'slow') : null,
    gives: [],
    undo: () => ({ share: 0 }),
    fields: {
      status: plain(
        Type.Optional(
          Type.Enum([500, 502, 503, 504], {
            type: 'integer',
            description: 'The status of the answer. 502 and 504 have an HTML body, like the answer of a gateway.',
          }),
        ),
      ),
      slow: plain(Type.Optional(Duration)),
      path: plain(
        Type.Optional(
          Type.String({
            pattern: '^/v1/',
            maxLength: 200,
            'x-rule': 'must begin with /v1/',
            description: 'Only requests whose path begins with this text.',
          }),
        ),
      ),
      share: plain(Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 }))),
    },
  }),
} as const satisfies Record<string, ActionRow>;

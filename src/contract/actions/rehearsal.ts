/** What only a sandbox can do to a client and a site: tokens, limits, contracts, privacy. [scenario-language, Customer side, Faults and rules] */
import { Type } from 'typebox';
import { PrivacyMode, Scope, Severity } from '../enumerations.ts';
import { name, nullable } from '../shapes.ts';
import { type ActionRow, Company, Reference, row } from './row.ts';

export const REHEARSAL_ACTIONS = {
  token: row({
    title: 'End the tokens of a company',
    help: 'Every access token of the company expires, or is revoked, now: its next call is 401.',
    example: { expire: 'austral_metales_y_puertos' },
    group: 'customer',
    fields: { expire: Type.Optional(Company), revoke: Type.Optional(Company) },
  }),
  limits: row({
    title: 'Change the limits of a company',
    help: 'Requests and query seconds a minute, and a factor on the query time, so that both 429 can be rehearsed.',
    example: { company: 'austral_metales_y_puertos', requests_per_minute: 600 },
    group: 'faults',
    fields: {
      company: Type.Optional(Company),
      requests_per_minute: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      query_seconds_per_minute: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
      query_time_factor: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    },
  }),
  privacy: row({
    title: 'Change the privacy of a site',
    help: 'The mode, and the severity that unveils a person. An alert keeps the place that it was raised with.',
    example: { site: 'Terminal Puerto Alerce', mode: 'continuous' },
    group: 'faults',
    fields: {
      site: Reference,
      mode: Type.Optional(PrivacyMode),
      unveil_min_severity: Type.Optional(Severity),
    },
  }),
  contract: row({
    title: 'Change the contract of a company',
    help: 'Names, scopes, and the contractors it is scoped to (null: none). It holds for what is rendered after it.',
    example: { company: 'austral_metales_y_puertos', include_worker_names: true },
    group: 'faults',
    fields: {
      company: Type.Optional(Company),
      include_worker_names: Type.Optional(Type.Boolean()),
      scopes: Type.Optional(Type.Array(Scope)),
      contractors: Type.Optional(nullable(Type.Array(name(200)))),
    },
  }),
} as const satisfies Record<string, ActionRow>;

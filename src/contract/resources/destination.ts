/** Webhook destinations, and the secrets that sign deliveries. */
import { type Static, Type } from 'typebox';
import { EventSelector, Severity } from '../enumerations.ts';
import { AnyUuid, closed, described, name, nullable, Time, Uuid } from '../shapes.ts';

const FILTERS = {
  // An empty list is refused, since it is ambiguous: nothing, or everything [decisions 7].
  site_ids: Type.Optional(Type.Array(AnyUuid, { minItems: 1, description: 'Only events of these sites [spec 4].' })),
  min_severity: Type.Optional(
    described(
      Severity,
      'Only alerts of this severity or higher. Events of musters are not restricted [spec 4, decisions 7].',
    ),
  ),
  contractors: Type.Optional(
    Type.Array(name(200), { minItems: 1, description: 'Only events that affect these contractors [spec 4].' }),
  ),
};

const DELIVERED = 'Restrictions on the subscribed events that are delivered [spec 6.8].';

/** [spec 2 Webhook destination, spec 4] */
export const WebhookFilters = closed('WebhookFilters', DELIVERED, FILTERS);
export type WebhookFilters = Static<typeof WebhookFilters>;

/** The same for a request, which is published with another rule for unknown fields [decisions 2]. */
export const WebhookFiltersInput = closed('WebhookFiltersInput', DELIVERED, FILTERS);

/** [spec 2 Webhook destination] */
export const WebhookDestination = closed('WebhookDestination', 'A customer’s receiver of events [spec 2].', {
  id: Uuid,
  url: Type.String({ description: 'https, a public address [spec 2].' }),
  event_types: Type.Array(EventSelector),
  filters: WebhookFilters,
  is_active: Type.Boolean({
    description: 'Whether the destination is active. Failed deliveries never deactivate it [spec 3].',
  }),
  failing_since: nullable(
    Time,
    'The time of the first failed attempt after the last success; null if the last attempt succeeded [spec 2, decisions 7].',
  ),
  created_at: Time,
});
export type WebhookDestination = Static<typeof WebhookDestination>;

const Secret = Type.String({
  pattern: '^whsec_',
  'x-rule': 'must start with whsec_',
  description: 'The signing secret. No other response contains it [spec 4].',
});

/** [spec 4 Create a destination] */
export const WebhookDestinationCreated = closed(
  'WebhookDestinationCreated',
  'The new destination and its secret [spec 4].',
  {
    ...WebhookDestination.properties,
    secret: Secret,
  },
);
export type WebhookDestinationCreated = Static<typeof WebhookDestinationCreated>;

/** [spec 4 Rotate] */
export const RotatedSecret = closed(
  'RotatedSecret',
  'The new secret, and the time until which the previous secret also signs [spec 4].',
  {
    secret: Secret,
    previous_valid_until: described(Time, 'Until this time, deliveries have both signatures [spec 4].'),
  },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

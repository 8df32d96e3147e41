/** A webhook destination. Only the reply that created or rotated the secret contains it. [spec 2 Webhook destination] */
import { formatInstant } from '../../../base/time/instants.ts';
import type { WebhookDestination } from '../../../contract/resources.ts';
import type { Destination } from '../world/documents.ts';
import { time } from './references.ts';

export const destinationView = (destination: Destination): WebhookDestination => ({
  id: destination.id,
  url: destination.url,
  event_types: [...destination.eventTypes],
  filters: {
    ...(destination.filters.siteIds === undefined ? {} : { site_ids: [...destination.filters.siteIds] }),
    ...(destination.filters.minSeverity === undefined ? {} : { min_severity: destination.filters.minSeverity }),
    ...(destination.filters.contractors === undefined ? {} : { contractors: [...destination.filters.contractors] }),
  },
  is_active: destination.isActive,
  failing_since: time(destination.failingSince),
  created_at: formatInstant(destination.createdAt),
});

/** When a watch was last in contact. Any packet is a contact; the last fix may be older. [watch-protocol, spec 2 Worker] */
import type { Instant } from '../../../base/time/clock.ts';
import type { Telemetry } from '../world/documents.ts';

/** The later of the last position and the last contact. */
export function lastSeenAt({ fix, lastContactAt }: Telemetry): Instant | null {
  if (fix === null) return lastContactAt;
  return lastContactAt === null ? fix.at : Math.max(fix.at, lastContactAt);
}

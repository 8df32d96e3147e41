/** The table of all routes. */
import type { RateLimiter } from '../access/limits.ts';
import type { Route } from '../route.ts';
import { STREAM_ROUTES } from '../stream/route.ts';
import { ALERT_ROUTES } from './alerts.ts';
import { CLOCK_ROUTES } from './clock.ts';
import { COVERAGE_ROUTES } from './coverage.ts';
import { EVENT_ROUTES } from './events.ts';
import { EXPLAINED_DELIVERY_ROUTES } from './explained-delivery.ts';
import { MUSTER_ROUTES } from './musters.ts';
import { NODE_ROUTES } from './nodes.ts';
import { PEOPLE_ROUTES } from './people.ts';
import { PLANT_ROUTES } from './plant.ts';
import { RECORDING_ROUTES } from './recordings.ts';
import { RUN_ROUTES } from './runs.ts';
import { SANDBOX_ROUTES } from './sandbox-shapes.ts';
import { SESSION_ROUTES } from './sessions.ts';
import { STATE_ROUTES } from './states.ts';
import { tokenRoute } from './token.ts';
import { WAIT_ROUTES } from './wait.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';
import { WORLD_ROUTES } from './world.ts';

export const allRoutes = (limiter: RateLimiter): readonly Route[] => [
  tokenRoute(limiter),
  ...PLANT_ROUTES,
  ...ALERT_ROUTES,
  ...MUSTER_ROUTES,
  ...PEOPLE_ROUTES,
  ...EVENT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SANDBOX_ROUTES,
  ...EXPLAINED_DELIVERY_ROUTES,
  ...SESSION_ROUTES,
  ...CLOCK_ROUTES,
  ...STREAM_ROUTES,
  ...RUN_ROUTES,
  ...RECORDING_ROUTES,
  ...WAIT_ROUTES,
  ...STATE_ROUTES,
  ...WORLD_ROUTES,
  ...NODE_ROUTES,
  ...COVERAGE_ROUTES,
];

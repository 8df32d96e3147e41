/** All operations of the API, in the order of its documents. [spec 7] */

import type { Scope } from '../enumerations.ts';
import { ALERT_OPERATIONS } from './alerts.ts';
import { CLOCK_OPERATIONS } from './clock.ts';
import { COVERAGE_OPERATIONS } from './coverage.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { EXPLAINED_DELIVERY_OPERATIONS } from './explained-delivery.ts';
import { MUSTER_OPERATIONS } from './musters.ts';
import { NODE_OPERATIONS } from './nodes.ts';
import type { Operation } from './operation.ts';
import { PEOPLE_OPERATIONS } from './people.ts';
import { PLANT_OPERATIONS } from './plant.ts';
import { RECORDING_OPERATIONS } from './recordings.ts';
import { RUN_OPERATIONS } from './runs.ts';
import { SANDBOX_OPERATIONS } from './sandbox.ts';
import { SESSION_OPERATIONS } from './sessions.ts';
import { STATE_OPERATIONS } from './states.ts';
import { STREAM_OPERATIONS } from './stream.ts';
import { issueToken } from './token.ts';
import { WAIT_OPERATIONS } from './wait.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';
import { WORLD_OPERATIONS } from './world.ts';

export const OPERATIONS: readonly Operation[] = [
  issueToken,
  ...PLANT_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...MUSTER_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...EXPLAINED_DELIVERY_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...CLOCK_OPERATIONS,
  ...STREAM_OPERATIONS,
  ...RUN_OPERATIONS,
  ...RECORDING_OPERATIONS,
  ...WAIT_OPERATIONS,
  ...STATE_OPERATIONS,
  ...WORLD_OPERATIONS,
  ...NODE_OPERATIONS,
  ...COVERAGE_OPERATIONS,
];

/** Those that production has too. */
export const CONTRACT_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ path }) => !path.startsWith('/v1/sandbox/'),
);

/** The path of an operation, with these values in the places of its parameters. */
export function pathOf({ path }: Pick<Operation, 'path'>, ...values: readonly string[]): string {
  const left = [...values];
  return path.replace(/:\w+/g, () => encodeURIComponent(left.shift() ?? ''));
}

const segmentsOf = (path: string): string[] => (path.split('?')[0] as string).split('/');

/** The operation of a path, with or without a query; absent: there is none. */
export function operationAt(
  method: string,
  path: string,
  operations: readonly Operation[] = OPERATIONS,
): Operation | undefined {
  const parts = segmentsOf(path);
  return operations.find((one) => {
    const wanted = one.path.split('/');
    return (
      one.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, place) => part.startsWith(':') || part === parts[place])
    );
  });
}

/** The scopes of which a call needs one; empty if any valid token suffices, or if the control token is needed. */
export const scopesFor = ({ access, clientScope }: Pick<Operation, 'access' | 'clientScope'>): readonly Scope[] =>
  clientScope !== undefined
    ? [clientScope]
    : access === 'events'
      ? ['alerts:read', 'musters:read']
      : access.includes(':')
        ? [access as Scope]
        : [];

/** The same for a path; for one that does not exist, those of reading its resource. */
export function scopesAt(method: string, path: string): readonly Scope[] {
  const [, version, resource] = segmentsOf(path);
  const found =
    operationAt(method, path) ??
    OPERATIONS.find((one) => one.method === 'GET' && one.path === `/${version}/${resource}`);
  return found === undefined ? [] : scopesFor(found);
}

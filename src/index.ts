/** The entry of the package. */
import { Outage as InternalOutage } from './base/assert.ts';
import type { Outage } from './library/types.ts';

export type * from './library/contract-types.ts';
export { startSandbox, withSandbox } from './library/sandbox.ts';
export type * from './library/types.ts';

/** True for an environment that does not allow it: a port that is taken, a folder that cannot be written. */
export const isOutage = (error: unknown): error is Outage => error instanceof InternalOutage;

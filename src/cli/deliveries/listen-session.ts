/**
 * The session destination of `sandbox listen`: created, renewed and ended through the control API. [cli, decisions 9]
 */
import { given } from '../../base/given.ts';
import type { Problem } from '../../contract/problems.ts';
import type { DeliveryAttempt, ExplainedDelivery, SignedAttempt } from '../../contract/resources/logs.ts';
import { CommandError, EXIT } from '../output.ts';
import { callSandbox, findRunning } from '../running.ts';
import type { AttemptIds } from './listen-lines.ts';

export interface ListenFlags {
  readonly forwardTo?: string;
  readonly printSecret?: boolean;
  readonly events?: readonly string[];
  readonly skipVerify?: boolean;
  readonly company?: string;
  readonly details?: boolean;
  readonly json?: boolean;
  readonly dataDir: string;
}

/** The options of a session. */
export interface WantedSession extends Pick<ListenFlags, 'events' | 'skipVerify' | 'company' | 'details' | 'dataDir'> {
  readonly forwardTo: string;
  /** Two commands with one address have separate destinations. */
  readonly listener: string;
}

/** The session as the API returns it. */
export interface ListenSession {
  readonly id: string;
  readonly forward_to: string;
  readonly organization: string | null;
  readonly event_types: readonly string[];
  readonly secret: string;
}

/**
 * Lease in seconds of wall time. A destination whose command was killed ends after it. Three renewals may fail within
 * it.
 */
const LEASE_S = 40;

/** Time between two renewals, in milliseconds of wall time. */
export const RENEW_MS = 10_000;

/** Creates the session's destination, finds it again, or renews its lease: the same request does all three. */
export async function join(wanted: WantedSession): Promise<ListenSession> {
  const { forwardTo, events, skipVerify, company, listener, dataDir } = wanted;
  const request = {
    forward_to: forwardTo,
    listener,
    lease_s: LEASE_S,
    ...given({ event_types: events, skip_verify: skipVerify === true ? true : undefined, company }),
  };
  const { status, body } = await callSandbox(findRunning(dataDir), 'POST', '/v1/sandbox/destinations', request);
  if (status === 201) return body as ListenSession;
  const { detail, errors = [] } = body as Problem;
  const places = errors.map((one) => `${one.pointer} ${one.detail}`);
  const code = status === 404 || status === 422 ? EXIT.usage : EXIT.environment;
  throw new CommandError(code, 'refused', detail ?? `The sandbox answered ${status}.`, {
    ...(places.length === 0 ? {} : { actions: places }),
  });
}

/** Ends the destination. A destination that no longer exists is not an error. */
export async function leave(dataDir: string, id: string): Promise<void> {
  await callSandbox(findRunning(dataDir), 'DELETE', `/v1/sandbox/destinations/${id}`);
}

/** The newest attempts, oldest first. */
export async function attemptsOf(dataDir: string, id: string, limit: number): Promise<DeliveryAttempt[]> {
  const path = `/v1/sandbox/deliveries?destination_id=${id}&limit=${limit}`;
  const { status, body } = await callSandbox(findRunning(dataDir), 'GET', path);
  if (status !== 200) throw new CommandError(EXIT.environment, 'refused', `The sandbox answered ${status}.`);
  return (body as { data: DeliveryAttempt[] }).data.reverse();
}

/** An attempt in full, with its delivery. */
export interface FullAttempt {
  readonly delivery: ExplainedDelivery;
  readonly signed: SignedAttempt;
}

/** Returns null if the sandbox does not have the attempt any more. */
export async function explained(
  dataDir: string,
  { id, event_id, delivery_id }: AttemptIds,
): Promise<FullAttempt | null> {
  const { status, body } = await callSandbox(findRunning(dataDir), 'GET', `/v1/sandbox/deliveries/${event_id}`);
  if (status !== 200) return null;
  const { data } = body as { data: ExplainedDelivery[] };
  const delivery = data.find((one) => one.delivery_id === delivery_id);
  const signed = delivery?.attempts.find(({ attempt }) => attempt.id === id);
  return delivery === undefined || signed === undefined ? null : { delivery, signed };
}

/** True if the sandbox has ended, or is being restarted. */
export const isGone = (error: unknown): boolean =>
  error instanceof CommandError && ['no_sandbox', 'not_reachable'].includes(error.code);

/** A blocking wait for test code in any language. [decisions 9] */
import { formatInstant } from '../../../base/time/instants.ts';
import { waitFor } from '../../../contract/operations/wait.ts';
import { isRejection } from '../../domain/changes.ts';
import { type Call, type CheckedWait, type Route, refuse, route } from '../route.ts';

export const WAIT_ROUTES: readonly Route[] = [route(waitFor, (call) => wait(call))];

const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  rate_limited: { 'retry-after': '1' },
  insufficient_scope: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
};

async function wait(call: Call) {
  const { parts, principal, request, reply } = call;
  // This request waits for simulated time to pass, so it must not hold the clock.
  request.visit.release();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const viewer = principal.kind === 'client' ? principal.viewer : null;
  const waited = await parts.wait(call.body as CheckedWait, viewer, gone.signal);
  if (isRejection(waited)) return refuse(waited, HEADERS[waited.code] ?? {});
  const { kind, id, at, waitedMs, ids, found } = waited;
  return { status: 200, body: { kind, id, at: formatInstant(at), waited_ms: waitedMs, ids, found } };
}

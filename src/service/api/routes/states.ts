/** The state of the sandbox as a whole: reset, and snapshots. Control token only. [decisions 9, cli] */
import { formatInstant } from '../../../base/time/instants.ts';
import { listSnapshots, loadSnapshot, resetSandbox, saveSnapshot } from '../../../contract/operations/states.ts';
import { isRejection, type Rejection } from '../../domain/changes.ts';
import { type Call, type ReplacedWorld, type Route, refuse, route } from '../route.ts';

export const STATE_ROUTES: readonly Route[] = [
  route(resetSandbox, async (call) => replaced(call, () => call.parts.states.reset())),
  route(listSnapshots, ({ parts }) => ({ status: 200, body: { data: parts.states.list() } })),
  route(saveSnapshot, async ({ parts, body }) => ({
    status: 201,
    body: await parts.states.save((body as { name: string }).name),
  })),
  route(loadSnapshot, async (call) => replaced(call, () => call.parts.states.load(call.params['name'] as string))),
];

/** The answer is sent over a connection of the old world, whose API ends after the answer. */
async function replaced({ request, reply }: Call, replace: () => Promise<ReplacedWorld | Rejection>) {
  // This request waits for the clock to stop, so it must not hold the clock.
  request.visit.release();
  const outcome = await replace();
  if (isRejection(outcome)) return refuse(outcome);
  const { clock, finish } = outcome;
  reply.raw.once('close', () => void finish());
  const { now, speed, paused } = clock;
  return { status: 200, body: { now: formatInstant(now), speed, paused } };
}

/** Scenarios in the running sandbox, and their runs. [decisions 9] */
import { formatInstant } from '../../../base/time/instants.ts';
import { cancelRun, getRun, listRuns, listScenarios, startRun } from '../../../contract/operations/runs.ts';
import { isRejection, type Rejection } from '../../domain/changes.ts';
import { type Call, type Route, refuse, route } from '../route.ts';
import type { AskingClient, RunShown } from '../scenarios.ts';

export const RUN_ROUTES: readonly Route[] = [
  route(listScenarios, async (call) => {
    const scenarios = await call.parts.scenarios.scenarios();
    const isClient = asking(call) !== null;
    const data = scenarios.map(({ name, title, description, tags, hasCommands, parameters, durationS }) => ({
      name,
      title,
      description,
      tags,
      // A default can be a command of this machine, which a client could not start. [decisions 9, Scenarios with commands]
      parameters: isClient && hasCommands ? {} : parameters,
      duration_s: durationS,
    }));
    return { status: 200, body: { data }, rows: data.length };
  }),
  route(startRun, async (call) => {
    // The watches of the scenario need time to connect, so this request must not hold the clock.
    call.request.visit.release();
    const { name = '' } = call.params;
    const { parameters, seed } = call.body as { parameters?: Record<string, unknown>; seed?: string };
    const wishes = { ...(parameters === undefined ? {} : { parameters }), ...(seed === undefined ? {} : { seed }) };
    return { status: 202, body: runView(await call.parts.scenarios.start(name, wishes, asking(call))) };
  }),
  route(listRuns, (call) => {
    const data = call.parts.scenarios.runs(asking(call)).map(runView);
    return { status: 200, body: { data }, rows: data.length };
  }),
  route(getRun, (call) => ({ status: 200, body: runView(call.parts.scenarios.run(runId(call), asking(call))) })),
  route(cancelRun, async (call) => {
    // The watches of the scenario need time to disconnect, so this request must not hold the clock.
    call.request.visit.release();
    return { status: 200, body: runView(await call.parts.scenarios.cancel(runId(call), asking(call))) };
  }),
];

const asking = ({ principal }: Call): AskingClient | null => (principal.kind === 'client' ? principal : null);
const runId = ({ params }: Call): string => params['run_id'] ?? '';

function runView(run: RunShown | Rejection) {
  if (isRejection(run)) return refuse(run);
  const { id, scenario, status, seed, startedAt, endedAt, stepsDone, stepsTotal, failures, warnings } = run;
  return {
    id,
    scenario,
    status,
    seed,
    started_at: formatInstant(startedAt),
    ended_at: endedAt === null ? null : formatInstant(endedAt),
    steps_done: stepsDone,
    steps_total: stepsTotal,
    failures,
    warnings,
  };
}

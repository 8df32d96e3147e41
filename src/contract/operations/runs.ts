/** Scenarios in the running sandbox, and their runs. [decisions 9] */
import { Type } from 'typebox';
import { RunStatus } from '../enumerations.ts';
import { List } from '../resources.ts';
import { closed, described, inline, nullable, Seed, Time, Uuid, whole } from '../shapes.ts';
import { operation } from './operation.ts';

const Values = Type.Object({}, { additionalProperties: true });

const ScenarioList = List(
  'ScenarioList',
  closed('Scenario', 'A scenario that can be played.', {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    tags: Type.Array(Type.String()),
    parameters: described(
      Values,
      'The parameters with their default values; for a matrix or cases, the lists of values.',
    ),
    duration_s: nullable(
      whole(0),
      'The shortest duration of the scenario in simulated seconds, which is the sum of its waits; null if the file has mistakes.',
    ),
  }),
);

const RunFailure = inline({
  line: described(whole(1), 'Of the scenario’s file.'),
  text: Type.String({ description: 'What was expected and what happened, as `sandbox run` prints it.' }),
});

export const Run = closed('Run', 'A run of a scenario in this sandbox.', {
  id: Uuid,
  scenario: Type.String(),
  status: RunStatus,
  seed: Type.String(),
  started_at: described(Time, 'Simulated time.'),
  ended_at: nullable(Time, 'Simulated time; null while it plays.'),
  steps_done: whole(0),
  steps_total: whole(0),
  failures: Type.Array(RunFailure),
  warnings: Type.Array(Type.String(), {
    description: 'The parts of the file that have no effect in a running sandbox.',
  }),
});

const RunList = List('RunList', Run);

export const RunWishes = inline({
  parameters: Type.Optional(described(Values, 'Values for the parameters of the scenario, or for one of its cases.')),
  seed: Type.Optional(described(Seed, 'The seed, a whole number. It overrides the seed of the file.')),
});

export const listScenarios = operation('GET', '/v1/sandbox/scenarios', 'sandbox', {
  operationId: 'listScenarios',
  tag: 'Sandbox',
  summary: 'List the scenarios',
  description:
    'The scenarios of the folder `scenarios` where the sandbox was started, and those of the package, by name.',
  answers: { 200: ScenarioList },
});

export const startRun = operation('POST', '/v1/sandbox/scenarios/:name/runs', 'sandbox', {
  operationId: 'startRun',
  tag: 'Sandbox',
  summary: 'Run a scenario in this sandbox',
  description: `Adds the scenario's sites, workers and thresholds to the company of the token with new ids, runs it at the speed of the sandbox's clock, and removes them at its end, with the alerts and musters that it made. The response is sent when its workers exist, so that a wait can refer to them. The destinations of the company also get the events of the scenario. \`contract\` and \`clock\` of the file are ignored, and \`warnings\` reports this.

With a client's token, a scenario has the permissions and the visibility of that token. If a step needs more, the run is \`failed\` at once, and its \`failures\` list each such step. With the control token, the scenario runs in the first company. What it changes there (contract, limits, outages) is restored at its end, also if the sandbox is killed meanwhile.

A scenario that starts a command on the machine of the sandbox (\`system.start\`, or \`run\` of a probe) needs the control token: a client's token gets 403 \`insufficient_scope\`, which names the key. Its file must be inside the folder in which the sandbox was started, or in the package. A file that exceeds a limit of size or steps gets 422.

A company can have one run at a time. A second run gets 409 \`action_refused\`, and so does a scenario that cannot run here.`,
  problems: ['not_found', 'action_refused', 'insufficient_scope'],
  body: RunWishes,
  answers: { 202: Run },
});

export const listRuns = operation('GET', '/v1/sandbox/runs', 'sandbox', {
  operationId: 'listRuns',
  tag: 'Sandbox',
  summary: 'List the runs, the newest first',
  description:
    'A client sees the runs of its own company; the control token sees all runs. The failures of a run are visible to every token with at least the permissions of the token that started it. The last 100 ended runs are stored.',
  answers: { 200: RunList },
});

export const getRun = operation('GET', '/v1/sandbox/runs/:run_id', 'sandbox', {
  operationId: 'getRun',
  tag: 'Sandbox',
  summary: 'Get the progress of a run, and its result when it has ended',
  description: 'Repeat the request until `status` is no longer `running`.',
  answers: { 200: Run },
});

export const cancelRun = operation('DELETE', '/v1/sandbox/runs/:run_id', 'sandbox', {
  operationId: 'cancelRun',
  tag: 'Sandbox',
  summary: 'Cancel a run',
  description:
    'The response is sent when everything that the scenario created is removed. The status is then `cancelled`. A run that has ended does not change.',
  answers: { 200: Run },
});

export const RUN_OPERATIONS = [listScenarios, startRun, listRuns, getRun, cancelRun];

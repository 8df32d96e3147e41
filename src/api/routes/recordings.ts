/** Recordings of what is done in the sandbox, as drafts of scenarios. Control token only. [cli, record] */
import { Type } from 'typebox';
import { formatInstant } from '../../base/instants.ts';
import { closed, described, Time, Uuid, whole } from '../../contract/shapes.ts';
import { isRejection } from '../../domain/rejection.ts';
import { refuse } from '../problem.ts';
import type { Route } from '../route.ts';

const Recording = closed('Recording', 'A recording that has begun.', {
  id: Uuid,
  started_at: described(Time, 'Simulated time.'),
});

const RecordedSession = closed('RecordedSession', 'What was recorded, as a draft of a scenario.', {
  id: Uuid,
  started_at: described(Time, 'Simulated time.'),
  ended_at: described(Time, 'Simulated time.'),
  scenario: Type.String({ description: 'The text of the file, to be played with `sandbox run`.' }),
  steps: whole(0),
  expectations: described(whole(0), 'How many of the steps expect what followed.'),
  remarks: Type.Array(Type.String(), { description: 'What was left out, each with its reason.' }),
});

export const RECORDING_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/sandbox/recordings',
    access: 'control',
    operationId: 'beginRecording',
    tag: 'Sandbox',
    summary: 'Begin to record what is done here',
    description:
      'Takes down who is where now; then every action, the updates of alerts by clients, and the events that follow. Needs the control token. `sandbox record` is the command for it.',
    answers: { 201: Recording },
    handle: ({ parts }) => {
      const { id, startedAt } = parts.recordings.begin();
      return { status: 201, body: { id, started_at: formatInstant(startedAt) } };
    },
  },
  {
    method: 'DELETE',
    path: '/v1/sandbox/recordings/:recording_id',
    access: 'control',
    operationId: 'endRecording',
    tag: 'Sandbox',
    summary: 'End a recording, and get it as a draft of a scenario',
    description:
      'Actions and acknowledgements become steps with the names of people and zones, pauses are rounded to seconds, ids become `$names`, and each event that followed is expected. The draft plays with `sandbox run`. Needs the control token.',
    answers: { 200: RecordedSession },
    handle: ({ parts, params }) => {
      const session = parts.recordings.end(params['recording_id'] ?? '');
      if (isRejection(session)) return refuse(session);
      const { id, startedAt, endedAt, scenario, steps, expectations, remarks } = session;
      const times = { started_at: formatInstant(startedAt), ended_at: formatInstant(endedAt) };
      return { status: 200, body: { id, ...times, scenario, steps, expectations, remarks } };
    },
  },
];

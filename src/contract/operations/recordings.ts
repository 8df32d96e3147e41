/** Recordings of a session as drafts of scenarios. [decisions 9, cli record] */
import { Type } from 'typebox';
import { closed, described, Time, Uuid, whole } from '../shapes.ts';
import { operation } from './operation.ts';

export const Recording = closed('Recording', 'A recording in progress.', {
  id: Uuid,
  started_at: described(Time, 'Simulated time.'),
});

export const RecordedSession = closed('RecordedSession', 'The recording as a draft of a scenario.', {
  id: Uuid,
  started_at: described(Time, 'Simulated time.'),
  ended_at: described(Time, 'Simulated time.'),
  scenario: Type.String({ description: 'The text of the scenario file. Run it with `sandbox run`.' }),
  steps: whole(0),
  expectations: described(whole(0), 'The number of steps that are expectations.'),
  remarks: Type.Array(Type.String(), { description: 'What was left out of the draft, each with the reason.' }),
});

export const beginRecording = operation('POST', '/v1/sandbox/recordings', 'sandbox', {
  operationId: 'beginRecording',
  tag: 'Sandbox',
  summary: 'Start a recording',
  description:
    'Records the current places of all workers, then every action, the alert updates of clients, and the events that follow. A client records its own company, with its own visibility. The command is `sandbox record`.',
  answers: { 201: Recording },
});

export const endRecording = operation('DELETE', '/v1/sandbox/recordings/:recording_id', 'sandbox', {
  operationId: 'endRecording',
  tag: 'Sandbox',
  summary: 'End a recording, and get it as a draft of a scenario',
  description:
    'Actions and acknowledgements become steps with the names of people and zones, pauses are rounded to seconds, ids become `$names`, and each event that followed is expected. The draft plays with `sandbox run`. A client can end the recording of its own company, which contains only what its token may see.',
  answers: { 200: RecordedSession },
  problems: ['not_found'],
});

export const RECORDING_OPERATIONS = [beginRecording, endRecording];

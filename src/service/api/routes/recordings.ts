/** Recordings of a session as drafts of scenarios. [decisions 9, cli record] */
import { formatInstant } from '../../../base/time/instants.ts';
import { beginRecording, endRecording } from '../../../contract/operations/recordings.ts';
import type { TokenViewer } from '../../domain/access/viewer.ts';
import { isRejection } from '../../domain/changes.ts';
import { type Call, type Route, refuse, route } from '../route.ts';

export const RECORDING_ROUTES: readonly Route[] = [
  route(beginRecording, (call) => {
    const { id, startedAt } = call.parts.recordings.begin(viewerOf(call));
    return { status: 201, body: { id, started_at: formatInstant(startedAt) } };
  }),
  route(endRecording, (call) => {
    const session = call.parts.recordings.end(call.params['recording_id'] ?? '', viewerOf(call));
    if (isRejection(session)) return refuse(session);
    const { id, startedAt, endedAt, scenario, steps, expectations, remarks } = session;
    const times = { started_at: formatInstant(startedAt), ended_at: formatInstant(endedAt) };
    return { status: 200, body: { id, ...times, scenario, steps, expectations, remarks } };
  }),
];

const viewerOf = ({ principal }: Call): TokenViewer | null => (principal.kind === 'client' ? principal.viewer : null);

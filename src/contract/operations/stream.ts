/** The operation that streams every change: to the terminal dashboard, the panel, and clients. [decisions 9] */
import { Type } from 'typebox';
import { inline } from '../shapes.ts';
import { StreamBody } from '../stream.ts';
import { operation } from './operation.ts';

export const StreamQuery = inline({
  once: Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      'x-parsed': 'boolean',
      description: 'true: send only the snapshot, and end the stream.',
    }),
  ),
  truth: Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      'x-parsed': 'boolean',
      description: 'Also the real position of every worker; with the control token only.',
    }),
  ),
  ticket: Type.Optional(
    Type.String({
      description: 'A ticket, which a page of the panel uses instead of a token. It has no effect with a token.',
    }),
  ),
});

export const openStream = operation('GET', '/v1/sandbox/stream', 'sandbox', {
  takesTicket: true,
  operationId: 'openStream',
  tag: 'Sandbox',
  summary: 'Stream the state and each change',
  description: `Server-Sent Events. The first event is \`snapshot\`: the clock, sites, workers, people (their places, and their status in a muster), open alerts, the newest muster of each site with its curve (the number of safe people over time), destinations with the totals of their deliveries, and the waiting deliveries. After that, each \`change\` event has one object under its own name, in its current state: \`{"subject": "alert", "at": ..., "alert": {...}}\`. Changed \`people\` are sent together, once a second. \`gone\` has the id of an object that no longer exists. A slow reader gets fewer changes, and never an outdated state.

Events of the event log have the subject \`event\`: \`{"subject": "event", "at": ..., "event": {...}}\`, with the envelope that \`GET /v1/events\` returns to the same viewer and the object as it was at that time. A reader that was disconnected, or is slow, gets each event that it missed, at most the newest 1,000. Ignore unknown subjects: new ones may be added.

Each event has an increasing \`id\`. Send the last one in \`Last-Event-ID\`, as browsers do automatically, and the stream continues from there. If that id is too old, the stream begins with a snapshot again. \`: ping\` is sent every 15 s.

A client sees its own company, limited by its scopes, its contract and the veil. The stream ends when its token expires or is revoked. The control token sees everything, with names.

\`truth=true\`, only with the control token: the real position of each worker with an emulated watch, as \`truth\` of the snapshot, and then the changed positions, at most once a second. Such a change has no \`id\`: after a reconnection, all positions are sent again. No message of the service itself contains ground truth.`,
  problems: ['insufficient_scope'],
  query: StreamQuery,
  media: 'text/event-stream',
  answers: { 200: StreamBody },
});

export const STREAM_OPERATIONS = [openStream];

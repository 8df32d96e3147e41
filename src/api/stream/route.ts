/** The operation that streams every change: to the terminal dashboard, the panel, and clients. [decisions 9] */
import type { Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { Type } from 'typebox';
import { asError } from '../../base/assert.ts';
import type { Query } from '../../contract/query.ts';
import { inline } from '../../contract/shapes.ts';
import { StreamBody } from '../../contract/stream.ts';
import { viewerOf } from '../../domain/access/viewer.ts';
import { isStillGood } from '../access/principal.ts';
import { type ApiParts, type Call, type Route, route } from '../route.ts';
import { addressesOf } from '../routes/alerts.ts';
import { ChangeLog } from './change-log.ts';
import { StreamProjection, type StreamViewer } from './stream-projection.ts';
import { Subscriber } from './subscriber.ts';
import { requireControl, TruthDiff } from './truth.ts';

const StreamQuery = inline({
  once: Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      'x-parsed': 'boolean',
      description: 'Only the snapshot, and then the end.',
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
    Type.String({ description: 'What a page of the panel has instead of a token; beside a token it says nothing.' }),
  ),
});

export const STREAM_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/stream', 'sandbox', {
    takesTicket: true,
    operationId: 'openStream',
    tag: 'Sandbox',
    summary: 'Stream the state and each change',
    description: `Server-Sent Events. The first is \`snapshot\`: the clock, sites, workers, people (where they are, and how they fare in a muster), open alerts, the newest muster of each site with its curve (how many were safe when, since its start), destinations with the totals of their deliveries, and the deliveries that wait. Then come \`change\` events, each with one object under its own name as it is when it is sent: \`{"subject": "alert", "at": ..., "alert": {...}}\`; \`people\` that changed come together, once a second; \`gone\` has the id of what is no more. A reader that is slow gets fewer changes, never old ones.

What happened comes as the subject \`event\`: \`{"subject": "event", "at": ..., "event": {...}}\` with the envelope as \`GET /v1/events\` lists it to the same viewer, the object in it as it was at that time. A reader that was away, or is slow, gets each event that it missed, at most the newest 1,000. Ignore subjects that you do not know: more may follow.

Each event has an \`id\` that grows. With the last one in \`Last-Event-ID\`, as browsers send it by themselves, a stream goes on where it broke off; what is too old to be known begins with a snapshot again. \`: ping\` comes every 15 s.

A client sees its own company, by its scopes, its contract and the veil, until its token expires or is revoked: then the stream ends. The control token sees all, with names.

\`truth=true\`, with the control token only: where everybody with an emulated watch truly is, whatever was reported, as \`truth\` of the snapshot; then those for whom it is other, at most once a second. Such a change has no \`id\`: after a break all of it is told anew. Nothing that the service itself emits has any of it.`,
    problems: ['insufficient_scope'],
    query: StreamQuery,
    media: 'text/event-stream',
    answers: { 200: StreamBody },
    handle: (call) => open(call),
  }),
];

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };

const logs = new WeakMap<object, ChangeLog>();

/** Made with the first stream: without readers nothing is logged. */
function logOf({ engine, clock }: ApiParts): ChangeLog {
  let log = logs.get(engine);
  if (log === undefined) {
    log = new ChangeLog(engine, clock);
    logs.set(engine, log);
  }
  return log;
}

/** Publishes a change of the clock to all open streams. */
export const publishClock = (parts: ApiParts): void => logs.get(parts.engine)?.clockChanged();

async function open(call: Call): Promise<null> {
  const { parts, principal, request, reply } = call;
  const { once = false, truth = false } = call.query as Query<typeof StreamQuery>;
  if (truth) requireControl(principal);
  const { engine, clock } = parts;
  const { raw } = reply;
  if (request.method === 'HEAD') {
    reply.status(200).headers(HEADERS);
    reply.send();
    return null;
  }
  // An open stream must not hold simulated time.
  request.visit.release();
  reply.hijack();
  const out = outputOf(call);
  raw.writeHead(200, {
    ...HEADERS,
    ...(out === raw ? {} : { 'content-encoding': 'gzip' }),
  });
  const look = (): StreamViewer => {
    if (principal.kind !== 'client') return { viewer: null, scopes: [] };
    const client = engine.world.get('client', principal.client.id) ?? principal.client;
    return { viewer: viewerOf(client), scopes: principal.scopes.filter((scope) => client.scopes.includes(scope)) };
  };
  const sink = {
    write: (text: string) => {
      // Send nothing after the token expired or was revoked while the stream was open.
      if (isStillGood(engine.world, principal, clock.clientTime())) return out.write(text);
      out.end();
      return true;
    },
    onDrain: (then: () => void) => out.once('drain', then),
  };
  const log = logOf(parts);
  const failed = (what: string, error: Error) => engine.failures.report({ part: 'stream', what, error });
  const projection = new StreamProjection(engine.world, addressesOf(parts), look, {
    deliveries: parts.deliveries,
    log,
    failed,
  });
  const subscriber = new Subscriber(log, projection, clock, sink, truth ? new TruthDiff(parts.truth) : null);
  raw.once('close', () => subscriber.end());
  const last = request.headers['last-event-id'];
  try {
    await engine.read(() =>
      subscriber.begin(typeof last === 'string' && /^\d{1,16}$/.test(last) ? Number(last) : null),
    );
    if (once) out.end();
  } catch (error) {
    // The headers were sent: closing the connection is the only error left to signal.
    failed('snapshot', asError(error));
    raw.destroy();
  }
  return null;
}

/** Compressed for browsers, which decompress streams: a tenth of the bytes for a snapshot of thousands of people. */
function outputOf({ principal, request, reply: { raw } }: Call): Writable {
  if (principal.kind !== 'panel' || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return raw;
  // Flushed at each write: a message must not wait in the compressor.
  const packer = createGzip({ flush: constants.Z_SYNC_FLUSH });
  packer.pipe(raw);
  raw.once('close', () => packer.destroy());
  return packer;
}

/** The operation that streams every change: to the terminal dashboard, the panel, and clients. [decisions 9] */
import type { Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { Type } from 'typebox';
import { asError } from '../../../base/assert.ts';
import type { Query } from '../../../contract/query.ts';
import { inline } from '../../../contract/shapes.ts';
import { StreamBody } from '../../../contract/stream.ts';
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

export const STREAM_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/stream', 'sandbox', {
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
    // The headers were already sent, so the error can only be signalled by closing the connection.
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

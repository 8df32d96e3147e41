/** The operation that streams every change: to the terminal dashboard, the panel, and clients. [decisions 9] */
import type { Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { asError } from '../../../base/assert.ts';
import { openStream, type StreamQuery } from '../../../contract/operations/stream.ts';
import type { Query } from '../../../contract/query.ts';
import { viewerOf } from '../../domain/access/viewer.ts';
import { isStillGood } from '../access/principal.ts';
import { type ApiParts, type Call, type Route, route } from '../route.ts';
import { addressesOf } from '../routes/alerts.ts';
import { ChangeLog } from './change-log.ts';
import { StreamProjection, type StreamViewer } from './stream-projection.ts';
import { Subscriber } from './subscriber.ts';
import { requireControl, TruthDiff } from './truth.ts';

export const STREAM_ROUTES: readonly Route[] = [route(openStream, (call) => open(call))];

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
export const publishClock = ({ engine }: Pick<ApiParts, 'engine'>): void => logs.get(engine)?.clockChanged();

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
    events: parts.eventLog,
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

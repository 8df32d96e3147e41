/** A webhook receiver: verifies, stores each event once, answers at once, and works afterwards. */
import { createServer } from 'node:http';
import { pollEvents } from './poller.ts';
import { isGenuine } from './verify.ts';

/** What this receiver uses of an event; there is more in it, and more may come. */
export interface ServiceEvent {
  id: string;
  type: string;
  created_at: string;
  /** Null in test events. */
  organization_id: string | null;
  data: { alert?: Versioned & { date_last_modified: string }; muster?: Versioned };
}
type Versioned = { id: string; status: string; [key: string]: unknown };

/** In memory, to keep the example short: use your database, with a unique key on the event id. */
class Store {
  readonly seen = new Set<string>();
  readonly alerts = new Map<string, Versioned & { date_last_modified: string }>();
  readonly musters = new Map<string, Versioned & { as_of: string }>();
  readonly acted: string[] = [];

  /** Deliveries come more than once, out of order, and beside what the poller fetched: all of them come through here. */
  take({ id, created_at, organization_id, data }: ServiceEvent): void {
    if (this.seen.has(id)) return;
    this.seen.add(id);
    // A test event proves the connection; the API knows no such alert.
    if (organization_id === null) return;
    const { alert, muster } = data ?? {};
    if (alert !== undefined) {
      const held = this.alerts.get(alert.id);
      if (held === undefined || held.date_last_modified < alert.date_last_modified) this.alerts.set(alert.id, alert);
    }
    if (muster !== undefined) {
      const held = this.musters.get(muster.id);
      if (held === undefined || held.as_of < created_at) this.musters.set(muster.id, { ...muster, as_of: created_at });
    }
    // Here the work begins that may take long: page somebody, open a door, write a report.
    this.acted.push(id);
  }
}

const secret = process.env['SANDBOX_WEBHOOK_SECRET'] ?? '';
if (secret === '') throw new Error('SANDBOX_WEBHOOK_SECRET is not set.');
const store = new Store();
const MOST_BYTES = 1024 * 1024;

const server = createServer(async (request, response) => {
  const answer = (status: number, body?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  try {
    // For `sandbox certify --probe`; leave it out, or protect it, in production.
    if (request.method === 'GET' && request.url === '/state') {
      const { alerts, musters, acted } = store;
      return answer(200, { alerts: [...alerts.values()], musters: [...musters.values()], acted });
    }
    if (request.method !== 'POST') return answer(405);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return answer(413);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    // Node gives header names in lower case, however they were sent.
    const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = request.headers;
    if (!isGenuine(timestamp as string | undefined, signature as string | undefined, body, secret)) return answer(401);
    store.take(JSON.parse(body.toString('utf8')) as ServiceEvent);
    answer(204);
  } catch {
    answer(500);
  }
});

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
if (process.env['SANDBOX_API_URL'] !== undefined) void pollEvents((event) => store.take(event));

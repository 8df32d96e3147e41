/** The sandbox of `sandbox certify`: in memory, without watches, for the receiver's own calls of the API. [cli, certify] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import type { TrialSandbox } from '../../certify/api-client-watch.ts';
import type { CertifiedSite } from '../../certify/events.ts';
import { isRejection } from '../../domain/changes.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';

/** More than the longest page, so that the gap has two. [decisions 1] */
const MISSED_EVENTS = 205;

export interface CertifySandbox extends TrialSandbox {
  readonly site: CertifiedSite;
  /** Events that no delivery brings. */
  readonly missed: readonly string[];
  stop(): Promise<void>;
}

export async function startCertifySandbox(): Promise<CertifySandbox> {
  const bodies = new Map<string, string>();
  // Its own folder: no other command is to find this sandbox, and the folder in use stays free.
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-certify-'));
  const sandbox = await startSandbox({
    memory: true,
    dataDir,
    fleet: false,
    port: 0,
    mqttPort: 0,
    // Known credentials, so that a receiver that runs already can have them. It listens on loopback alone.
    seed: '1',
    onNotice: (notice) => {
      if (notice.kind === 'event-occurred') bodies.set(notice.event.id, JSON.stringify(notice.event));
    },
  });
  const [client] = sandbox.ready.clients;
  assert(client !== undefined, 'The default world has a client.');
  const [site] = sandbox.engine.world.all('site');
  assert(site !== undefined, 'The default world has a site.');
  // A receiver that acknowledges what it is sent makes many calls in a short time.
  await act(sandbox, { action: 'limits', company: client.client_id, ...NO_LIMITS });
  const [workers, others] = workersOf(sandbox, site.organizationId);
  const alarms = alarmsOf(sandbox, workers);
  const raise = async (count: number): Promise<string[]> => {
    const before = new Set(bodies.keys());
    for (let made = 0; made < count; made++) await alarms();
    return [...bodies.keys()].filter((id) => !before.has(id));
  };
  return {
    apiUrl: sandbox.ready.api_url,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    site: {
      organizationId: site.organizationId,
      siteId: site.id,
      name: site.name,
      panelUrl: sandbox.ready.panel_url,
    },
    missed: await raise(MISSED_EVENTS),
    raise,
    raiseOpen: async (count) => {
      const before = new Set(bodies.keys());
      for (let made = 0; made < count; made++)
        await act(sandbox, { action: 'panel_sos', who: others.next(), by: 'certify' });
      return [...bodies.keys()].filter((id) => !before.has(id));
    },
    revokeTokens: async () => void (await act(sandbox, { action: 'token', revoke: client.client_id })),
    eventBody: (id) => bodies.get(id) ?? null,
    stop: async () => {
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function act(sandbox: Sandbox, body: Parameters<Sandbox['act']>[0]): Promise<string | undefined> {
  const outcome = await sandbox.act(body);
  assert(!isRejection(outcome), () => `${body.action} was refused: ${JSON.stringify(outcome)}`);
  return 'result' in outcome.answer ? outcome.answer.result.alert_id : undefined;
}

/** So high that no receiver meets them: a limit is rehearsed by certify itself. */
const NO_LIMITS = { requests_per_minute: 1_000_000, query_seconds_per_minute: 1_000_000 };

/** Worker after worker, in a circle. */
interface WorkerCircle {
  next(): string;
}

/** Two halves: for alerts that are resolved at once, and for those that stay open. A worker has one open SOS. [decisions 5] */
function workersOf({ engine }: Sandbox, organizationId: string): [WorkerCircle, WorkerCircle] {
  const ids = [...engine.world.all('worker')]
    .filter((one) => one.organizationId === organizationId)
    .map(({ id }) => id);
  const circleOf = (half: readonly string[]): WorkerCircle => {
    let place = 0;
    return {
      next: () => {
        const id = half[place++ % half.length];
        assert(id !== undefined, 'The default world has workers.');
        return id;
      },
    };
  };
  const middle = Math.ceil(ids.length / 2);
  return [circleOf(ids.slice(0, middle)), circleOf(ids.slice(middle))];
}

/** Each call makes one event: an SOS for a worker, or the resolution of it. */
function alarmsOf(sandbox: Sandbox, workers: WorkerCircle): () => Promise<void> {
  let open: string | undefined;
  return async () => {
    if (open === undefined) {
      open = await act(sandbox, { action: 'panel_sos', who: workers.next(), by: 'certify' });
      return;
    }
    await act(sandbox, { action: 'resolve', alert: open, by: 'certify', via: 'panel' });
    open = undefined;
  };
}

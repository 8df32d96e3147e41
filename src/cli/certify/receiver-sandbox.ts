/** The sandbox of `sandbox certify`: in memory, without watches, for the receiver's own calls of the API. [cli, certify] */
import { assert } from '../../base/assert.ts';
import type { TrialSandbox } from '../../proving/certify/api-client-watch.ts';
import type { CertifiedSite } from '../../proving/certify/events.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { performIn, startOwnSandbox } from '../own-sandbox.ts';

/** More events than the longest page has, so that the gap has two pages. [decisions 1] */
const MISSED_EVENTS = 205;

export interface CertifySandbox extends TrialSandbox {
  readonly site: CertifiedSite;
  /** Ids of events that are not delivered. */
  readonly missed: readonly string[];
  stop(): Promise<void>;
}

export async function startCertifySandbox(): Promise<CertifySandbox> {
  const bodies = new Map<string, string>();
  const { sandbox, stop } = await startOwnSandbox('certify', {
    // The seed gives known credentials, which a receiver that is already running can have. The sandbox listens on
    // loopback only.
    seed: '1',
    onNotice: (notice) => {
      if (notice.kind === 'event-occurred') bodies.set(notice.event.id, JSON.stringify(notice.event));
    },
  });
  const [client] = sandbox.ready.clients;
  assert(client !== undefined, 'The default world has a client.');
  const [site] = sandbox.engine.world.all('site');
  assert(site !== undefined, 'The default world has a site.');
  const sites = [...sandbox.engine.world.all('site')];
  const other = sites.find(({ id, organizationId }) => organizationId === site.organizationId && id !== site.id);
  assert(other !== undefined, 'The organization of the default world has two sites.');
  // A receiver that acknowledges the alerts that it gets makes many calls in a short time.
  await performIn(sandbox, { action: 'limits', company: client.client_id, ...NO_LIMITS });
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
      otherSite: { id: other.id, name: other.name },
    },
    missed: await raise(MISSED_EVENTS),
    raise,
    raiseOpen: async (count) => {
      const before = new Set(bodies.keys());
      for (let made = 0; made < count; made++)
        await performIn(sandbox, { action: 'panel_sos', who: others.next(), by: 'certify' });
      return [...bodies.keys()].filter((id) => !before.has(id));
    },
    revokeTokens: async () => void (await performIn(sandbox, { action: 'token', revoke: client.client_id })),
    eventBody: (id) => bodies.get(id) ?? null,
    stop,
  };
}

/** So high that no receiver reaches them: certify itself simulates a limit. */
const NO_LIMITS = { requests_per_minute: 1_000_000, query_seconds_per_minute: 1_000_000 };

/** Returns the workers one after the other, and begins again after the last. */
interface WorkerCircle {
  next(): string;
}

/**
 * Two halves of the workers: one for alerts that are resolved at once, one for alerts that stay open. A worker can have
 * only one open SOS. [decisions 5]
 */
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

/** Each call makes one event: an SOS for a worker, or its resolution. */
function alarmsOf(sandbox: Sandbox, workers: WorkerCircle): () => Promise<void> {
  let open: string | undefined;
  return async () => {
    if (open === undefined) {
      open = await performIn(sandbox, { action: 'panel_sos', who: workers.next(), by: 'certify' });
      return;
    }
    await performIn(sandbox, { action: 'resolve', alert: open, by: 'certify', via: 'panel' });
    open = undefined;
  };
}

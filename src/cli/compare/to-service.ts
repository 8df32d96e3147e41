/** `sandbox compare --to`: sends the checks to the service and to a sandbox of its own. [cli] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { fetchTrusting } from '../../base/network/trusting-fetch.ts';
import { compareService, type ServiceComparison } from '../../compare/compare-service.ts';
import type { ComparedSides } from '../../compare/html-report.ts';
import type { ContractJudge } from '../../compare/judge.ts';
import { paced, ServiceRefused, serviceAt } from '../../compare/service.ts';
import { type AllowedWrites, WRITES } from '../../compare/writes.ts';
import { DEFAULT_LIMITS } from '../../contract/requests.ts';
import type { SandboxOptions } from '../../sandbox/options/options.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { serviceAddress } from './inputs.ts';

interface ServiceParts {
  readonly to: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Requests a minute; undefined: a tenth of the limit. */
  readonly rate: number | undefined;
  readonly judge: ContractJudge;
  readonly allowed: AllowedWrites;
  /** Readings of the sandbox, where they are not the default. */
  readonly assumptions: SandboxOptions['assumptions'];
}

/** What was compared, and how fast. */
interface ObservedComparison extends ServiceComparison {
  readonly sides: ComparedSides;
}

export async function observedService({
  to,
  client,
  rate,
  judge,
  allowed,
  assumptions,
}: ServiceParts): Promise<ObservedComparison> {
  const address = serviceAddress(to);
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-compare-'));
  const sandbox = await startSandbox({
    memory: true,
    dataDir,
    fleet: false,
    port: 0,
    mqttPort: 0,
    seed: '1',
    ...(assumptions === undefined ? {} : { assumptions }),
  });
  try {
    const [own] = sandbox.ready.clients;
    assert(own !== undefined, 'The default world has a client.');
    const perMinute = rate ?? DEFAULT_LIMITS.requests_per_minute / 10;
    const pace = paced(perMinute);
    const compared = await compareService({
      service: serviceAt('service', address, client, pace),
      sandbox: serviceAt('sandbox', sandbox.ready.api_url, own, async () => {}),
      judge,
      allowed,
      newAlert: () => raiseAlert(sandbox),
      assumed: assumptions ?? {},
    });
    return { ...compared, sides: { service: address, sandbox: sandbox.ready.api_url, perMinute } };
  } catch (error) {
    if (!(error instanceof ServiceRefused)) throw error;
    throw new CommandError(EXIT.environment, 'service_not_reachable', error.message, {
      actions: ['Look at --to and --client, and whether the service runs.'],
    });
  } finally {
    await sandbox.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** An alert of the sandbox that can be acknowledged. */
async function raiseAlert({ ready, engine }: Sandbox): Promise<string> {
  const [worker] = [...engine.world.all('worker')];
  const answer = await fetchTrusting(null, `${ready.api_url}/v1/sandbox/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'panel_sos', who: worker?.id, by: 'muster-sandbox' }),
  });
  const { result } = (await answer.json()) as { result?: { alert_id?: string } };
  assert(result?.alert_id !== undefined, 'The control room can raise an SOS for each worker.');
  return result.alert_id;
}

const ACKNOWLEDGE = /^acknowledge=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Throws a usage error for what is no kind of write. */
export function allowedWrites(given: readonly string[]): AllowedWrites {
  const isKnown = (one: string) => one === WRITES.destinations || ACKNOWLEDGE.test(one);
  const strange = given.find((one) => !isKnown(one));
  if (strange !== undefined)
    throw usage(
      `--allow-writes ${strange} is nothing that compare can write.`,
      `Write --allow-writes ${WRITES.destinations}, or --allow-writes ${WRITES.acknowledge}.`,
    );
  const ids = given.flatMap((one) => ACKNOWLEDGE.exec(one)?.[1]?.toLowerCase() ?? []);
  if (ids.length > 1) throw usage('compare acknowledges one alert. Name one with --allow-writes acknowledge=ALERT_ID.');
  return { destinations: given.includes(WRITES.destinations), alertId: ids[0] ?? null };
}

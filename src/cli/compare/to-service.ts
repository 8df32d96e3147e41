/** `sandbox compare --to`: sends the checks to the service and to a new sandbox. [cli] */
import { assert } from '../../base/assert.ts';
import { DEFAULT_LIMITS } from '../../contract/requests.ts';
import { compareService, type ServiceComparison } from '../../proving/compare/compare-service.ts';
import type { ComparedSides } from '../../proving/compare/html-report.ts';
import type { ContractJudge } from '../../proving/compare/judging/judge.ts';
import { paced, ServiceBusy, ServiceRefused, serviceAt } from '../../proving/compare/service.ts';
import { type AllowedWrites, WRITES } from '../../proving/compare/writes.ts';
import type { SandboxOptions } from '../../sandbox/options/options.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { performIn, startOwnSandbox } from '../own-sandbox.ts';
import { serviceAddress } from './inputs.ts';

interface ServiceParts {
  readonly to: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Requests per minute; undefined: a tenth of the rate limit. */
  readonly rate: number | undefined;
  readonly judge: ContractJudge;
  readonly allowed: AllowedWrites;
  /** Readings of the sandbox that differ from the default. */
  readonly assumptions: SandboxOptions['assumptions'];
}

/** The comparison, with the two addresses and the request rate. */
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
  const { sandbox, stop } = await startOwnSandbox('compare', {
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
    if (error instanceof ServiceBusy) throw rateLimited(error);
    if (!(error instanceof ServiceRefused)) throw error;
    throw new CommandError(EXIT.environment, 'service_not_reachable', error.message, {
      actions: ['Check --to and --client, and that the service is running.'],
    });
  } finally {
    await stop();
  }
}

function rateLimited({ message, retryAfterS }: ServiceBusy): CommandError {
  const wait = retryAfterS === null ? 'Wait a minute' : `Wait ${retryAfterS} s`;
  return new CommandError(EXIT.environment, 'rate_limited', message, {
    retryable: true,
    details: { retry_after_s: retryAfterS },
    actions: [
      `${wait}, and compare again. Other programs of the same client share its rate limit; --rate lowers the rate of compare.`,
    ],
  });
}

/** Raises an alert in the sandbox that can be acknowledged, and returns its id. */
async function raiseAlert(sandbox: Sandbox): Promise<string> {
  const [worker] = [...sandbox.engine.world.all('worker')];
  assert(worker !== undefined, 'The default world has workers.');
  const alertId = await performIn(sandbox, { action: 'panel_sos', who: worker.id, by: 'muster-sandbox' });
  assert(alertId !== undefined, 'The control room can raise an SOS for each worker.');
  return alertId;
}

const ACKNOWLEDGE = /^acknowledge=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Reads the values of --allow-writes. Throws a usage error for an unknown value. */
export function allowedWrites(given: readonly string[]): AllowedWrites {
  const isKnown = (one: string) => one === WRITES.destinations || ACKNOWLEDGE.test(one);
  const strange = given.find((one) => !isKnown(one));
  if (strange !== undefined)
    throw usage(
      `--allow-writes ${strange} is not something that compare can write.`,
      `Write --allow-writes ${WRITES.destinations}, or --allow-writes ${WRITES.acknowledge}.`,
    );
  const ids = given.flatMap((one) => ACKNOWLEDGE.exec(one)?.[1]?.toLowerCase() ?? []);
  if (ids.length > 1) throw usage('compare acknowledges one alert. Name one with --allow-writes acknowledge=ALERT_ID.');
  return { destinations: given.includes(WRITES.destinations), alertId: ids[0] ?? null };
}

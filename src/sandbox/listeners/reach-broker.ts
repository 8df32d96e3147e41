/** Connects to the external broker of `up --broker`, or reports the problem and its fix. [cli, up] */
import { assert, Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { type BrokerEndpoint, endpointOf } from '../../service/broker/external/address.ts';
import type { ConnectionEnd } from '../../service/broker/external/connection.ts';
import {
  connectBroker,
  type ExternalBroker,
  type ExternalBrokerOptions,
} from '../../service/broker/external/external-broker.ts';
import { LinkRefused } from '../../service/broker/external/link.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { Membership } from '../../service/store/nodes/membership.ts';
import { brokerFix } from './broker-fixes.ts';

/** How the sandbox uses the broker. */
export interface BrokerUse extends Required<Pick<ExternalBrokerOptions, 'onClaim' | 'onEvicted'>> {
  readonly engine: Engine;
  readonly memory: boolean;
  readonly strict: boolean;
  readonly sandboxId: string;
  /** True if this start has made the world. */
  readonly isNewWorld: boolean;
  /** Aborts the start. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Throws an `Outage` with a fix if another sandbox has claimed a site, or if the broker is unreachable, refuses the
 * service or lacks a required feature.
 */
export async function reachBroker(
  url: string,
  { engine, memory, strict, sandboxId, isNewWorld, onClaim, onEvicted, signal }: BrokerUse,
  membership: Membership | null,
): Promise<ExternalBroker> {
  const endpoint = endpointOf(url);
  assert(endpoint !== null, 'The address of the broker was checked with the flags.');
  // A node that was suspended must not evict the node that has its sites now. If it still owns the sites, its next
  // heartbeat takes them again.
  const isMine = (siteId: string) => membership?.isSure === true && membership.has('site', siteId);
  const claimed = membership === null ? {} : { everySite: false, mayReconnect: isMine };
  try {
    return await connectBroker({
      engine,
      endpoint,
      keepSessions: !memory,
      isNewWorld,
      strict,
      claim: { sandbox: sandboxId, isNode: membership !== null },
      onClaim,
      onEvicted,
      signal,
      ...claimed,
    });
  } catch (error) {
    throw error instanceof LinkRefused ? brokerOutage(endpoint, error.end) : error;
  }
}

export function brokerOutage({ url }: BrokerEndpoint, { why, code = '', refusal }: ConnectionEnd): Outage {
  const [name, fix] = troubleOf(refusal, code);
  return new Outage({ code: name, message: `The broker at ${url} cannot be used: ${why}.`, fix });
}

function troubleOf(refusal: ConnectionEnd['refusal'], code: string): [code: string, fix: string] {
  switch (refusal) {
    case 'credentials':
      return [
        'broker_refused',
        'Give the user name and password of the service in the address: --broker mqtt://sandbox:PASSWORD@HOST:1883. docs/scaling-out.md describes the files for Mosquitto.',
      ];
    case 'subscription':
      return [
        'broker_refused',
        `Allow the user of the service to read and write wt/v1/#. For Mosquitto: ${CLI} env --format mosquitto-acl writes the file.`,
      ];
    case 'taken-over':
      return [
        'site_taken_over',
        'Another sandbox with the same world uses this broker. Stop it, or use another broker with --broker URL.',
      ];
    case 'claimed':
      return [
        'site_claimed',
        'Stop that sandbox, or use another broker with --broker URL. Another --seed gives its sites other ids; then add --no-fleet, since the emulated watches of both have the same serials.',
      ];
    case 'unable':
      return [
        'broker_unable',
        'Use a broker with QoS 1, retained messages and wildcards in subscriptions, or remove --broker.',
      ];
    case 'version':
      return ['broker_unable', 'Use a broker for MQTT 5 or 3.1.1.'];
    case undefined:
      return [
        'broker_unreachable',
        brokerFix(code, 'NODE_EXTRA_CA_CERTS=FILE') ??
          `Check whether it is running at this address: ${CLI} doctor --broker URL. Without --broker, the sandbox starts its own broker.`,
      ];
  }
}

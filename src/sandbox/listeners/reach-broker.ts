/** The external broker of `up --broker`: connects to it, or says what prevents it and what to do. [cli, up] */
import { assert, Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { type BrokerEndpoint, endpointOf } from '../../broker/external/address.ts';
import type { ConnectionEnd } from '../../broker/external/connection.ts';
import {
  connectBroker,
  type ExternalBroker,
  type ExternalBrokerOptions,
} from '../../broker/external/external-broker.ts';
import { LinkRefused } from '../../broker/external/link.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Membership } from '../../store/nodes/membership.ts';
import { brokerFix } from './broker-fixes.ts';

/** How the sandbox uses the broker. */
export interface BrokerUse extends Required<Pick<ExternalBrokerOptions, 'onClaim' | 'onEvicted'>> {
  readonly engine: Engine;
  readonly memory: boolean;
  readonly strict: boolean;
  readonly sandboxId: string;
  /** Ends the start. */
  readonly signal: AbortSignal | undefined;
}

/** Throws an `Outage` with a fix where another sandbox has a site, and where the broker is away, refuses the service or lacks what it needs. */
export async function reachBroker(
  url: string,
  { engine, memory, strict, sandboxId, onClaim, onEvicted, signal }: BrokerUse,
  membership: Membership | null,
): Promise<ExternalBroker> {
  const endpoint = endpointOf(url);
  assert(endpoint !== null, 'The address of the broker was checked with the flags.');
  // A node that slept must not evict the one that has its sites now; should it still have them, its next sign of life takes them again.
  const isMine = (siteId: string) => membership?.isSure === true && membership.has('site', siteId);
  const claimed = membership === null ? {} : { everySite: false, mayReconnect: isMine };
  try {
    return await connectBroker({
      engine,
      endpoint,
      keepSessions: !memory,
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

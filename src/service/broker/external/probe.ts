/** Checks whether an external broker accepts the service: connects, subscribes and disconnects. It publishes nothing. */
import { randomSecret } from '../../../base/ids.ts';
import { streams } from '../../../base/random/streams.ts';
import { HOST_STATE_TOPIC } from '../../../contract/watch.ts';
import type { BrokerEndpoint } from './address.ts';
import type { ServiceMqttVersion } from './connection.ts';
import { BrokerLink, type BrokerLinkShared } from './link.ts';

/** Returns the MQTT version that both support. Rejects with `LinkRefused`. */
export async function probeBroker(
  endpoint: BrokerEndpoint,
  clock: BrokerLinkShared['clock'],
): Promise<ServiceMqttVersion> {
  const process = randomSecret(8);
  const shared: BrokerLinkShared = { clock, endpoint, process, streams: streams(process), version: 5 };
  const rest = { keepSessionS: 0, filters: [HOST_STATE_TOPIC], patient: false, mayReconnect: () => false };
  const deaf = { published: () => {}, up: () => {}, down: () => {}, refused: () => {} };
  const link = new BrokerLink(shared, { clientId: `muster-probe-${process}`, ...rest }, deaf);
  await link.start();
  await link.leave();
  return shared.version;
}

/** The parts of the running sandbox that a scenario run may use. */

import type { FleetOptions } from '../../fleet/fleet.ts';
import type { InProcessGet } from '../../service/api/in-process.ts';
import type { Addresses } from '../../service/domain/views/alert.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { ServerTls } from '../../service/store/folder/authority.ts';
import type { Webhooks } from '../../service/webhooks/webhooks.ts';
import type { Acting } from '../actions/acting.ts';
import type { Secrets } from '../world/world-from-plan.ts';
import type { Fleets } from './fleets.ts';

export interface RunHost {
  readonly engine: Engine;
  readonly addresses: Addresses;
  readonly secrets: Secrets;
  readonly controlToken: string;
  /** The address at which the API listens, independent of its public name. */
  readonly apiUrl: () => string;
  readonly mqttUrl: () => string;
  /** Null: http and mqtt without TLS. */
  readonly tls: ServerTls | null;
  readonly toBroker: () => Pick<FleetOptions, 'brokerUrl' | 'connect'>;
  /** By host name in lower case; scenarios add their receivers. */
  readonly forwards: Map<string, URL>;
  readonly fleets: Fleets;
  readonly webhooks: () => Webhooks | null;
  readonly acting: () => Acting;
  readonly get: InProcessGet;
}

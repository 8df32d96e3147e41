/** The self-description of a running sandbox: the ready line, sandbox.json and the startup banner. [cli, ready] */
import {
  ENVELOPE_SCHEMA_VERSION,
  MAX_READY_WATCHES,
  type Ready,
  type ReadyLine,
  type ReadyWatch,
} from '../contract/banner.ts';
import type { World } from '../service/domain/world/world.ts';
import type { Secrets } from './world/world-from-plan.ts';

export interface RunningSandbox {
  readonly apiUrl: string;
  readonly mqttUrl: string;
  readonly dataDir: string;
  /** Null without TLS. */
  readonly caFile: string | null;
  readonly pid: number;
  readonly fleet: boolean;
}

/** Every watch of the world with its key; spare watches come first, because they are for the user. */
export function readyWatches(world: World, secrets: Secrets, fleet: boolean): ReadyWatch[] {
  const watches = [...world.all('device')].map(({ serial, siteId, workerId, emulated }) => ({
    serial,
    key: secrets.watch(serial),
    site_id: siteId,
    worker: workerId === null ? null : (world.get('worker', workerId)?.externalId ?? null),
    emulated: emulated && fleet,
  }));
  return watches.sort(
    (a, b) => Number(a.emulated) - Number(b.emulated) || (a.serial < b.serial ? -1 : a.serial > b.serial ? 1 : 0),
  );
}

export function readyData(world: World, secrets: Secrets, running: RunningSandbox): Ready {
  return {
    event: 'ready',
    api_url: running.apiUrl,
    mqtt_url: running.mqttUrl,
    panel_url: `${running.apiUrl}/panel`,
    data_dir: running.dataDir,
    ...(running.caFile === null ? {} : { ca_file: running.caFile }),
    pid: running.pid,
    control_token: secrets.control(),
    clients: [...world.all('client')].map((client) => ({
      organization: world.need('organization', client.organizationId).name,
      client_id: client.id,
      client_secret: secrets.client(client.id),
      scopes: [...client.scopes],
      include_worker_names: client.includeWorkerNames,
      contractors: client.contractors === null ? null : [...client.contractors],
    })),
    watches: readyWatches(world, secrets, running.fleet).slice(0, MAX_READY_WATCHES),
  };
}

export const readyLineOf = (ready: Ready, warnings: readonly string[]): ReadyLine => ({
  schema_version: ENVELOPE_SCHEMA_VERSION,
  command: 'up',
  status: 'ok',
  data: ready,
  warnings: [...warnings],
  error: null,
});

/** Another customer in the sandbox, invisible to the first. */
import { sha256Hex } from '../../../src/base/ids.ts';
import type { Client } from '../../../src/service/domain/world/documents.ts';
import { SITE, type SmallWorld } from '../domain/small-world.ts';

const id = (n: number): string => `00000000-0000-4000-8000-0000000f${String(n).padStart(4, '0')}`;

export const QUARRY = {
  organization: id(1),
  client: 'quarry_co',
  secret: 'quarry_secret_0123456789',
  site: id(2),
  zone: id(3),
  worker: id(4),
  device: id(5),
  workerName: 'Iria Quarry',
  serial: 'QRY-1',
} as const;

/** Adds the company with one site, zone, worker and watch. */
export function addQuarry({ world }: SmallWorld, contract: Partial<Client> = {}): void {
  const site = world.need('site', SITE);
  const client = [...world.all('client')][0] as Client;
  world.put('organization', { id: QUARRY.organization, name: 'Quarry Co', technicalContact: 'ops@quarry.example' });
  world.put('client', {
    ...client,
    id: QUARRY.client,
    organizationId: QUARRY.organization,
    secretHash: sha256Hex(QUARRY.secret),
    ...contract,
  });
  world.put('site', { ...site, id: QUARRY.site, organizationId: QUARRY.organization, name: 'Quarry pit' });
  world.put('zone', {
    id: QUARRY.zone,
    siteId: QUARRY.site,
    name: 'Quarry crusher',
    type: 'work_area',
    ring: [
      [0, 0],
      [50, 0],
      [50, 50],
    ],
    assemblyPoint: null,
    floors: [],
  });
  world.put('worker', {
    id: QUARRY.worker,
    organizationId: QUARRY.organization,
    siteId: QUARRY.site,
    externalId: 'Q-1',
    name: QUARRY.workerName,
    contractor: null,
    role: null,
    isActive: true,
    deviceId: QUARRY.device,
  });
  world.put('device', {
    id: QUARRY.device,
    organizationId: QUARRY.organization,
    siteId: QUARRY.site,
    serial: QUARRY.serial,
    keyHash: '',
    model: null,
    status: 'active',
    workerId: QUARRY.worker,
    emulated: true,
    batteryLow: false,
    silenceReported: false,
    heatIndexC: null,
    heatAlertedAt: null,
  });
  world.commit();
}

/** Converts a plan to documents: ids are derived from names, secrets from the root key. [decisions 10] */

import { convexHull, grow, type Point } from '../../base/geometry/shapes.ts';
import { hmacSecret, idFrom, sha256Hex } from '../../base/ids.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { Plan, PlannedOrganization, PlannedSite } from '../../plant/plan.ts';
import { DEFAULT_THRESHOLDS } from '../../plant/thresholds.ts';
import type { Documents, Kind, PlantDocument } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { Batch } from '../../service/engine/store-port.ts';

/** How far a site extends beyond its zones if its file does not set a boundary; metres. [decisions 6] */
const BOUNDARY_MARGIN_M = 200;

/** The secrets of one data folder: each is an HMAC of the root key and an id, so they stay the same in this folder. */
export interface Secrets {
  client(clientId: string): string;
  watch(serial: string): string;
  control(): string;
  cursor(): string;
  /**
   * The secret of a company's session destinations: the same in every session, because a receiver has it in its
   * settings.
   */
  session(organizationId: string): string;
}

/** `set`: the secrets of a credentials file. */
export function secretsOf(rootKey: string, set: Partial<CredentialsFile> = {}): Secrets {
  return {
    client: (id) => set.clients?.[id] ?? hmacSecret(rootKey, 'client', id),
    watch: (serial) => set.watches?.[serial] ?? hmacSecret(rootKey, 'watch', serial),
    control: () => set.control_token ?? hmacSecret(rootKey, 'control'),
    cursor: () => hmacSecret(rootKey, 'cursor'),
    session: (id) => hmacSecret(rootKey, 'session', id),
  };
}

export interface CredentialsFile {
  readonly control_token?: string;
  readonly clients?: Readonly<Record<string, string>>;
  readonly watches?: Readonly<Record<string, string>>;
}

/** Returns a readable client id of [A-Za-z0-9_] only. [decisions 3] */
function clientIdOf(organization: string): string {
  const plain = organization
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_');
  return plain.replace(/^_+|_+$/g, '').toLowerCase() || 'client';
}

type Put = Batch['puts'][number];

/**
 * Returns every document of the plan. Ids are derived from `worldSeed` and names: the same plan gives the same world.
 */
export function documentsOf(plan: Plan, worldSeed: string, secrets: Secrets, now: Instant): Put[] {
  const puts: Put[] = [];
  const put = <K extends Kind>(kind: K, document: Documents[K]) => puts.push({ kind, id: document.id, document });
  for (const organization of plan.organizations) organizationDocuments(organization, worldSeed, secrets, now, put);
  return puts;
}

type PutDocument = <K extends Kind>(kind: K, document: Documents[K]) => void;

function organizationDocuments(
  planned: PlannedOrganization,
  worldSeed: string,
  secrets: Secrets,
  now: Instant,
  put: PutDocument,
): void {
  const id = idFrom(worldSeed, 'organization', planned.name);
  const { contract } = planned;
  put('organization', { id, name: planned.name, technicalContact: contract.technicalContact });
  const clientId = clientIdOf(planned.name);
  put('client', {
    id: clientId,
    organizationId: id,
    secretHash: sha256Hex(secrets.client(clientId)),
    scopes: contract.scopes,
    includeWorkerNames: contract.includeWorkerNames,
    contractors: contract.contractors,
  });
  for (const site of planned.sites) siteDocuments(site, id, worldSeed, secrets, now, put);
}

const siteIdOf = (worldSeed: string, organizationId: string, site: string): string =>
  idFrom(worldSeed, 'site', organizationId, site);

/** The documents of a site and of the objects on it. */
export function plantDocuments(
  site: PlannedSite,
  organizationId: string,
  worldSeed: string,
  secrets: Secrets,
  now: Instant,
): PlantDocument[] {
  const documents: PlantDocument[] = [];
  siteDocuments(site, organizationId, worldSeed, secrets, now, (kind, document) =>
    documents.push({ kind, id: document.id, document } as PlantDocument),
  );
  return documents;
}

function siteDocuments(
  planned: PlannedSite,
  organizationId: string,
  worldSeed: string,
  secrets: Secrets,
  now: Instant,
  put: PutDocument,
): void {
  const siteId = siteIdOf(worldSeed, organizationId, planned.name);
  const id = (...parts: string[]) => idFrom(worldSeed, siteId, ...parts);
  const { name, location, privacyMode, unveilMinSeverity, origin, plan, service } = planned;
  put('site', {
    id: siteId,
    organizationId,
    name,
    location,
    privacyMode,
    unveilMinSeverity,
    origin,
    boundary: planned.boundary ?? defaultBoundary(planned),
    plan,
    thresholds: { ...DEFAULT_THRESHOLDS, ...service, heat: { ...DEFAULT_THRESHOLDS.heat, ...service.heat } },
    heatIndexC: null,
    wind: null,
  });
  for (const { name: zone, type, ring, assemblyPoint, floors } of planned.zones)
    put('zone', { id: id('zone', zone), siteId, name: zone, type, ring, assemblyPoint, floors });
  for (const worker of planned.workers) {
    const { serial, model, emulated } = worker.watch;
    const [workerId, deviceId] = [id('worker', worker.externalId ?? serial), id('device', serial)];
    const { externalId, contractor, role } = worker;
    put('worker', {
      id: workerId,
      organizationId,
      siteId,
      externalId,
      name: worker.name,
      contractor,
      role,
      isActive: true,
      deviceId,
    });
    put('device', {
      id: deviceId,
      organizationId,
      siteId,
      serial,
      keyHash: sha256Hex(secrets.watch(serial)),
      model,
      status: 'active',
      workerId,
      emulated,
      batteryLow: false,
      silenceReported: false,
      heatIndexC: null,
      heatAlertedAt: null,
    });
  }
  for (const { name: vehicle, type, driver } of planned.vehicles)
    put('vehicle', {
      id: id('vehicle', vehicle),
      siteId,
      type,
      driverId: driver === null ? null : id('worker', driver),
    });
  for (const { reference, worker, zone, forMs } of planned.permits)
    put('permit', {
      id: id('permit', reference, worker),
      siteId,
      workerId: id('worker', worker),
      zoneId: id('zone', zone),
      reference,
      until: forMs === null ? null : now + forMs,
      endedAt: null,
    });
}

function defaultBoundary({ zones }: PlannedSite): Point[] {
  return grow(convexHull(zones.flatMap(({ ring }) => ring)), BOUNDARY_MARGIN_M);
}

/** The credentials of the client that was created first; a first request can use them. */
export function firstCredentials(world: World, secrets: Secrets): { id: string; secret: string } | null {
  const [client] = world.all('client');
  return client === undefined ? null : { id: client.id, secret: secrets.client(client.id) };
}

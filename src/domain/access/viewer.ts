/** Who looks: a company's client with its contract, or the sandbox's own hand, which sees all of it. [spec 5, decisions 3, 4] */
import type { Client, Organization } from '../world/documents.ts';
import type { World } from '../world/world.ts';

export interface Viewer {
  readonly organizationId: string;
  /** Names are shown only when the contract includes them. */
  readonly names: boolean;
  /** Null: not scoped. */
  readonly contractors: readonly string[] | null;
}

export const viewerOf = (client: Client): Viewer => ({
  organizationId: client.organizationId,
  names: client.includeWorkerNames,
  contractors: client.contractors,
});

/** The one client of a company. [spec 5] */
export function clientOf(world: World, organizationId: string): Client {
  for (const client of world.all('client')) if (client.organizationId === organizationId) return client;
  throw new Error(`company ${organizationId} has no client`);
}

/** An unscoped look at a company with its contract's names: what checks of a scenario see. */
export function unscopedViewer(world: World, organization: Pick<Organization, 'id'>): Viewer {
  const client = clientOf(world, organization.id);
  return { organizationId: organization.id, names: client.includeWorkerNames, contractors: null };
}

/** Contractor scoping: workers of other contractors do not exist for the client. */
export const seesContractor = (viewer: Viewer, contractor: string | null): boolean =>
  viewer.contractors === null || (contractor !== null && viewer.contractors.includes(contractor));

export const seesAlert = (
  viewer: Viewer,
  alert: { organizationId: string; worker: { contractor: string | null } | null },
): boolean =>
  alert.organizationId === viewer.organizationId &&
  (alert.worker === null || seesContractor(viewer, alert.worker.contractor));

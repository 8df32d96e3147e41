/** The viewer: a company's client with its contract, or the sandbox itself, which sees everything. [spec 5, decisions 3, 4] */
import type { EventType, Scope } from '../../../contract/enumerations.ts';
import type { Client, Organization, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';

export interface Viewer {
  readonly organizationId: string;
  /** True if the contract includes worker names. */
  readonly names: boolean;
  /** The contractors to which the contract is limited; null if it is not limited. */
  readonly contractors: readonly string[] | null;
}

/** The viewer of one access token: the contract of its client, limited to the scopes of the token. [decisions 9] */
export interface TokenViewer extends Viewer {
  readonly scopes: readonly Scope[];
}

export const viewerOf = (client: Client): Viewer => ({
  organizationId: client.organizationId,
  names: client.includeWorkerNames,
  contractors: client.contractors,
});

export const tokenViewerOf = (client: Client, scopes: readonly Scope[]): TokenViewer => ({
  ...viewerOf(client),
  scopes: scopes.filter((scope) => client.scopes.includes(scope)),
});

/** True if the token has the scope. Null is the control token, which may read everything. */
export const mayRead = (viewer: TokenViewer | null, scope: Scope): boolean =>
  viewer === null || viewer.scopes.includes(scope);

/** The scope that shows events of this type. [decisions 1] */
export const scopeOfEvent = (type: EventType | 'alert.*' | 'muster.*'): Scope =>
  type.startsWith('alert.') ? 'alerts:read' : 'musters:read';

/**
 * True if a contract lets its client see an event. `contractor`: that of the worker concerned; null if it concerns no
 * single worker. [decisions 1]
 */
export const seesEvent = (client: Client, type: EventType, contractor: string | null): boolean =>
  client.scopes.includes(scopeOfEvent(type)) && (contractor === null || seesContractor(client, contractor));

/** True if `reader` may see everything that `other` may see; null is the control token. */
export function seesAsMuch(reader: TokenViewer | null, other: TokenViewer | null): boolean {
  if (reader === null) return true;
  if (other === null || other.organizationId !== reader.organizationId) return false;
  const { names, contractors, scopes } = reader;
  return (
    (names || !other.names) &&
    (contractors === null || other.contractors?.every((one) => contractors.includes(one)) === true) &&
    other.scopes.every((scope) => scopes.includes(scope))
  );
}

/** The one client of a company. [spec 5] */
export function clientOf(world: World, organizationId: string): Client {
  for (const client of world.all('client')) if (client.organizationId === organizationId) return client;
  throw new Error(`company ${organizationId} has no client`);
}

/**
 * A company's viewer with the names of its contract, but not limited to contractors: what the checks of a scenario see.
 */
export function unscopedViewer(world: World, organization: Pick<Organization, 'id'>): Viewer {
  const client = clientOf(world, organization.id);
  return { organizationId: organization.id, names: client.includeWorkerNames, contractors: null };
}

/** Contractor scoping: for the client, workers of other contractors do not exist. */
export const seesContractor = (viewer: Pick<Viewer, 'contractors'>, contractor: string | null): boolean =>
  viewer.contractors === null || (contractor !== null && viewer.contractors.includes(contractor));

/** True if this person exists for the viewer; null is the control token. */
export const seesWorker = (
  viewer: Viewer | null,
  { organizationId, contractor }: Pick<Worker, 'organizationId' | 'contractor'>,
): boolean => viewer === null || (viewer.organizationId === organizationId && seesContractor(viewer, contractor));

export const seesAlert = (
  viewer: Pick<Viewer, 'organizationId' | 'contractors'>,
  alert: { organizationId: string; worker: { contractor: string | null } | null },
): boolean =>
  alert.organizationId === viewer.organizationId &&
  (alert.worker === null || seesContractor(viewer, alert.worker.contractor));

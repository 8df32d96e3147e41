/** The resources of the API, and their pages and lists. */
import { type TSchema, Type } from 'typebox';
import { closed, nullable } from './shapes.ts';

export { Alert, Nearby, VehicleWarning } from './resources/alert.ts';
export {
  RotatedSecret,
  WebhookDestination,
  WebhookDestinationCreated,
  WebhookFilters,
  WebhookFiltersInput,
} from './resources/destination.ts';
export {
  AlertDetails,
  DETAILS_BY_TYPE,
  type DetailsOf,
  DeviceOfflineDetails,
  EvacuationHelpDetails,
  FallDetails,
  HazardDetails,
  HeatStressDetails,
  LowBatteryDetails,
  SosDetails,
  WorkerCallDetails,
  ZoneDetails,
} from './resources/details.ts';
export { AssemblyPoint, Deadline, MissingWorker, Muster, Origin, Totals } from './resources/muster.ts';
export { Device, Polygon, Position, Site, Worker, Zone, ZoneAssemblyPoint } from './resources/plant.ts';
export {
  ActionBy,
  DeviceRef,
  Height,
  Location,
  Resolved,
  SiteRef,
  WorkerRef,
  ZoneRef,
} from './resources/references.ts';

/** A page of a resource with a cursor: `next_cursor` is null on the last page [spec 2 Pages and lists]. */
export function Page<T extends TSchema>(title: string, item: T) {
  return closed(title, 'A page of a longer list; `next_cursor` is opaque [spec 2].', {
    data: Type.Array(item),
    next_cursor: nullable(Type.String(), 'The value of `cursor` for the next page; null on the last page [spec 2].'),
  });
}
export type Page<T> = { data: T[]; next_cursor: string | null };

/** A plain list of a resource [spec 2 Pages and lists]. */
export function List<T extends TSchema>(title: string, item: T) {
  return closed(title, 'A whole list [spec 2].', { data: Type.Array(item) });
}
export type List<T> = { data: T[] };

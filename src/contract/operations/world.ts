/** The people, zones, points, clients and watches of the sandbox, by the names that actions accept. Control token only. [cli, world] */
import { type Static, Type } from 'typebox';
import { DeviceStatus, MusterKind, PrivacyMode, Scope, ZoneType } from '../enumerations.ts';
import { BatteryPct, closed, described, inline, nullable, Time, Uuid, whole } from '../shapes.ts';
import { operation } from './operation.ts';

const SITE = { site: described(Type.String(), 'The name of the site.') };

export const WorldList = closed('WorldList', 'The objects of the world.', {
  sites: Type.Array(inline({ id: Uuid, name: Type.String(), organization: Type.String(), privacy_mode: PrivacyMode })),
  people: Type.Array(
    inline({
      id: Uuid,
      external_id: nullable(Type.String()),
      name: Type.String(),
      role: nullable(Type.String()),
      contractor: nullable(Type.String()),
      ...SITE,
      is_active: Type.Boolean(),
      watch: nullable(Type.String(), 'The serial of the watch that they wear.'),
    }),
  ),
  zones: Type.Array(inline({ id: Uuid, name: Type.String(), type: ZoneType, ...SITE })),
  points: described(
    Type.Array(
      inline({
        id: Uuid,
        name: Type.String(),
        ...SITE,
        serves: Type.Array(MusterKind),
        vertical: Type.Boolean(),
        capacity: nullable(whole(0)),
      }),
    ),
    'Assembly points: they are zones too.',
  ),
  clients: Type.Array(
    inline({
      client_id: Type.String(),
      organization: Type.String(),
      scopes: Type.Array(Scope),
      include_worker_names: Type.Boolean(),
      contractors: nullable(Type.Array(Type.String())),
    }),
  ),
  watches: Type.Array(
    inline({
      id: Uuid,
      serial: Type.String(),
      ...SITE,
      worker: nullable(Type.String()),
      status: DeviceStatus,
      worn: nullable(Type.Boolean()),
      battery: nullable(BatteryPct),
      date_last_seen: nullable(Time),
      emulated: described(Type.Boolean(), 'False if the organization is for your own client.'),
    }),
  ),
});

export type WorldList = Static<typeof WorldList>;

export const getWorld = operation('GET', '/v1/sandbox/world', 'control', {
  operationId: 'getWorld',
  tag: 'Sandbox',
  summary: 'List sites, workers, zones, clients and watches',
  description:
    'Sites, people, zones, assembly points, clients and watches of all companies, with the names that actions accept. The response has no positions and no secrets. Needs the control token.',
  answers: { 200: WorldList },
});

export const WORLD_OPERATIONS = [getWorld];

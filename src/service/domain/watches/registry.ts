/** Administrative changes of workers and watches: roles, contractors, a watch out of service, another watch for a worker. [spec 2 Worker, Device] */
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { Device, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';

type Registered = { readonly changes: readonly Change[]; readonly deviceId?: string } | Rejection;

export function changeWorker(world: World, _stamp: Stamp, command: CommandOf<'change-worker'>): Registered {
  const before = world.get('worker', command.workerId);
  if (before === undefined) return reject('not_found', 'There is no such worker.');
  const { isActive = before.isActive } = command;
  const role = command.role === undefined ? before.role : command.role;
  const contractor = command.contractor === undefined ? before.contractor : command.contractor;
  return { changes: [{ kind: 'worker-changed', worker: { ...before, isActive, role, contractor } }] };
}

export function changeDevice(
  world: World,
  _stamp: Stamp,
  { deviceId, status }: CommandOf<'change-device'>,
): Registered {
  const before = world.get('device', deviceId);
  if (before === undefined) return reject('not_found', 'There is no such watch.');
  return { changes: [{ kind: 'device-changed', device: { ...before, status } }], deviceId };
}

/**
 * The worker wears the other watch from now on. If somebody wore that watch, they get this worker's. A new serial adds
 * a watch.
 */
export function swapWatch(
  world: World,
  stamp: Stamp,
  { workerId, serial, keyHash }: CommandOf<'swap-watch'>,
): Registered {
  const worker = world.get('worker', workerId);
  if (worker === undefined) return reject('not_found', 'There is no such worker.');
  const old = worker.deviceId === null ? undefined : world.need('device', worker.deviceId);
  if (old?.serial === serial) return reject('action_refused', `The worker wears ${serial} already.`);
  const knownId = world.indexes.deviceId(serial);
  const other = knownId === undefined ? fromStores(stamp, worker, serial, keyHash, old) : world.need('device', knownId);
  if (other.organizationId !== worker.organizationId || other.siteId !== worker.siteId)
    return reject('action_refused', `${serial} is a watch of another site.`);
  const wearer = other.workerId === null ? undefined : world.get('worker', other.workerId);
  const changes: Change[] = [
    { kind: 'device-changed', device: { ...other, workerId: worker.id, status: 'active' } },
    { kind: 'worker-changed', worker: { ...worker, deviceId: other.id } },
  ];
  if (old !== undefined) changes.push({ kind: 'device-changed', device: { ...old, workerId: wearer?.id ?? null } });
  if (wearer !== undefined) changes.push({ kind: 'worker-changed', worker: { ...wearer, deviceId: old?.id ?? null } });
  return { changes, deviceId: other.id };
}

const fromStores = (stamp: Stamp, worker: Worker, serial: string, keyHash: string, like?: Device): Device => ({
  id: stamp.id('device', worker.siteId, serial),
  organizationId: worker.organizationId,
  siteId: worker.siteId,
  serial,
  keyHash,
  model: like?.model ?? null,
  status: 'active',
  workerId: null,
  emulated: like?.emulated ?? true,
  batteryLow: false,
  silenceReported: false,
  heatIndexC: null,
  heatAlertedAt: null,
});

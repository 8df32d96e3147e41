/** Actions of workers, their watches and vehicles. [scenario-language, Worker and watch, Movement] */

import { pointInPolygon } from '../../base/geometry/shapes.ts';
import { given } from '../../base/given.ts';
import { sha256Hex } from '../../base/ids.ts';
import { parseDuration } from '../../base/time/durations.ts';
import type { ActionFields, ActionName } from '../../contract/actions.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import type { Acted, Fleet, PinnedPlace } from '../../fleet/fleet.ts';
import { mayRead, type TokenViewer } from '../../service/domain/access/viewer.ts';
import { subjectOf } from '../../service/domain/alerts/raise.ts';
import { isRejection, type Rejection, reject } from '../../service/domain/changes.ts';
import { hidingZone, shownLocation, zonesOf } from '../../service/domain/privacy/places.ts';
import { positioned } from '../../service/domain/views/person.ts';
import type { World } from '../../service/domain/world/world.ts';
import { isGuarded } from '../../service/domain/zones/permits.ts';
import type { Engine } from '../../service/engine/engine.ts';
import { type ActionContext, acted, committed, type ForEach, fleetOf, idsOf, type Performed } from './acting.ts';
import { type Actor, deepestPoint, metresOf, pointOutside } from './find.ts';

/** Distance from the zone after leaving it: more than the uncertainty of any watch; metres. */
const CLEAR_OF_M = 12;

/** The default distance of a vehicle, metres. */
const VEHICLE_M = 8;

/** An action for which the fleet must emulate the watch; refused for any other watch. */
const byWatch =
  <K extends ActionName>(
    perform: (on: WatchInHand, fields: ActionFields<K>) => Promise<Performed> | Performed,
  ): ForEach<K> =>
  async (context, actor, fields) => {
    const fleet = fleetOf(context, actor);
    return isRejection(fleet) ? fleet : perform({ context, actor, fleet, serial: actor.device.serial }, fields);
  };

interface WatchInHand {
  readonly context: ActionContext;
  readonly actor: Actor;
  readonly fleet: Fleet;
  readonly serial: string;
}

/** One entry per action: what the person does, and which ids the result contains. */
export const BY_PERSON = {
  sos: byWatch(async ({ context, actor, fleet, serial }, fields) => {
    const report = () => fleet.perform(serial, { do: 'sos', with: fields.with ?? 'watch_button' });
    return reported(context, actor, 'sos', report);
  }),
  fall: byWatch(async ({ context, actor, fleet, serial }, { answers, answers_after }) => {
    const prompt = answers_after === undefined ? {} : { answersAfterMs: msOf(answers_after) };
    const report = () => fleet.perform(serial, { do: 'fall', answers: answers ?? 'never', ...prompt });
    return reported(context, actor, 'fall_detected', report);
  }),
  answer: byWatch(async ({ context, actor, fleet, serial }, fields) => {
    const report = () => fleet.perform(serial, { do: 'answer', with: fields.with });
    if (fields.with === 'help') return reported(context, actor, 'sos', report);
    return acted(actor, await report(), () => openAlert(context, actor, 'fall_detected'));
  }),
  press_ack: byWatch(async ({ context, actor, fleet, serial }, { alert }) => {
    const { engine, find } = context;
    const found =
      alert === undefined ? newestToAcknowledge(engine.world, actor) : await engine.read(() => find.alert(alert));
    if (isRejection(found)) return found;
    if (found === undefined)
      return reject('action_refused', `The watch ${serial} shows no alert that is still to be acknowledged.`);
    return acted(actor, await fleet.perform(serial, { do: 'press-ack', alertId: found.id }), () => found.id);
  }),
  cannot_evacuate: byWatch(async ({ context, actor, fleet, serial }, { reason }) => {
    if (context.engine.world.indexes.activeMuster(actor.device.siteId) === undefined)
      return reject('action_refused', 'No muster is active on the site, so there is nothing to evacuate from.');
    const report = () => fleet.perform(serial, { do: 'cannot-evacuate', reason: reason ?? null });
    return reported(context, actor, 'evacuation_help', report);
  }),
  free: byWatch(async ({ actor, fleet, serial }) => acted(actor, await fleet.perform(serial, { do: 'free' }))),
  call_request: byWatch(async ({ context, actor, fleet, serial }, { voice_note }) => {
    const report = () => fleet.perform(serial, { do: 'call-request', ...given({ voiceNote: voice_note }) });
    return reported(context, actor, 'worker_call_request', report);
  }),
  declare: byWatch(async ({ context, actor, fleet, serial }, { point }) => {
    const site = context.engine.world.need('site', actor.device.siteId);
    const zone = context.find.zone(point, site, '/point');
    if (isRejection(zone)) return zone;
    if (zone.type !== 'assembly_point') return reject('action_refused', `${zone.name} is not an assembly point.`);
    return acted(actor, await fleet.perform(serial, { do: 'declare', pointId: zone.id }));
  }),
  wear: byWatch(async ({ actor, fleet, serial }, { is }) =>
    acted(actor, await fleet.perform(serial, { do: 'wear', is })),
  ),
  battery: async (context, actor, { pct, drain }) => {
    const fleet = fleetOf(context, actor);
    if (isRejection(fleet)) return fleet;
    const done = await fleet.perform(actor.device.serial, { do: 'battery', ...given({ pct, drain }) });
    return acted(actor, done, () => openAlert(context, actor, 'low_battery'));
  },
  signal: byWatch(async ({ actor, fleet, serial }, { is, kind }) =>
    acted(actor, await fleet.perform(serial, { do: 'signal', is, kind: kind ?? 'both' })),
  ),
  device: changeDevice,
  worker: async ({ engine }, actor, { active, role, contractor }) => {
    const outcome = await engine.submit({
      type: 'change-worker',
      workerId: actor.worker.id,
      ...given({ isActive: active, role, contractor }),
    });
    return committed(outcome, idsOf(actor));
  },
  move: byWatch(async ({ context, actor, fleet, serial }, { to, via, pace, in_vehicle }) => {
    const goal = placeOf(context, actor, to, '/to');
    if (isRejection(goal)) return goal;
    const onTheWay = listOf(via).map((place) => placeOf(context, actor, place, '/via'));
    const unknown = onTheWay.find(isRejection);
    if (unknown !== undefined) return unknown;
    const done = await fleet.perform(serial, {
      do: 'move',
      to: goal,
      via: onTheWay as PinnedPlace[],
      ...given({ pace, inVehicle: in_vehicle, isErrand: context.isBackground }),
    });
    return acted(actor, done);
  }),
  enter: byWatch(async ({ context, actor, fleet, serial }, { zone: named }) => {
    const zone = context.find.zone(named, context.engine.world.need('site', actor.device.siteId));
    if (isRejection(zone)) return zone;
    const at: PinnedPlace = { point: deepestPoint(zone.ring) };
    await fleet.perform(serial, { do: 'put', at });
    // The service accepts a zone entry only after two position fixes in a row, so the watch reports the position twice.
    // [decisions 5]
    const done = await fleet.perform(serial, { do: 'put', at });
    return acted(actor, done, () => entryAlert(context, actor, zone.id));
  }),
  leave: byWatch(async ({ context, actor, fleet, serial }, { zone: named }) => {
    const { world } = context.engine;
    const site = world.need('site', actor.device.siteId);
    const zone = context.find.zone(named, site);
    if (isRejection(zone)) return zone;
    const from = fleet.whereIs(serial);
    if (from === null || !pointInPolygon(from, zone.ring)) {
      // Otherwise a client that may not see a position could find it by trying zones.
      if (!isShown(context, actor)) return idsOf(actor);
      return reject('action_refused', `${serial} is not in ${zone.name}.`);
    }
    const guarded = zonesOf(world, site.id).filter((one) => one.id !== zone.id && isGuarded(one));
    const point = pointOutside(from, zone, guarded, CLEAR_OF_M);
    return acted(actor, await fleet.perform(serial, { do: 'put', at: { point } }));
  }),
  position: byWatch(
    async ({ context, actor, fleet, serial }, { at, source, uncertainty_m, height_m, building, floor, in_vehicle }) => {
      const where = at === undefined ? standing(context, actor) : placeOf(context, actor, at, '/at');
      if (isRejection(where)) return where;
      const done = await fleet.perform(serial, {
        do: 'position',
        ...where,
        ...given({ source, uncertaintyM: uncertainty_m, heightM: height_m, building, floor, inVehicle: in_vehicle }),
      });
      return acted(actor, done);
    },
  ),
  vehicle: async (context, actor, { type, distance, acknowledged_after }) => {
    if (acknowledged_after !== undefined) {
      const fleet = fleetOf(context, actor);
      if (isRejection(fleet)) return fleet;
      const expecting = await fleet.perform(actor.device.serial, {
        do: 'expect-vehicle',
        acknowledgeAfterMs: msOf(acknowledged_after),
      });
      if ('refused' in expecting) return acted(actor, expecting);
    }
    const outcome = await context.engine.submit({
      type: 'warn-of-vehicle',
      deviceId: actor.device.id,
      vehicleType: type === undefined ? 'forklift' : type,
      distanceM: distance === undefined ? VEHICLE_M : metresOf(distance),
    });
    return committed(outcome, idsOf(actor));
  },
} satisfies { readonly [K in ActionName]?: ForEach<K> };

async function changeDevice(context: ActionContext, actor: Actor, fields: ActionFields<'device'>): Promise<Performed> {
  const { status, swap_to, clock_skew } = fields;
  const { engine, fleet, find } = context;
  // Same response for another company's watch and for an unknown serial: no existence oracle.
  if (swap_to !== undefined && find.viewer !== null && find.watch(swap_to) === undefined)
    return reject('not_found', `There is no watch "${swap_to}".`, [
      { pointer: '/swap_to', detail: `"${swap_to}" is not known` },
    ]);
  if (clock_skew !== undefined) {
    const emulating = fleetOf(context, actor);
    if (isRejection(emulating)) return emulating;
    const behind = clock_skew.startsWith('-');
    const ms = msOf(behind ? clock_skew.slice(1) : clock_skew);
    await emulating.perform(actor.device.serial, { do: 'clock-skew', ms: behind ? -ms : ms });
  }
  if (status !== undefined) {
    const outcome = await engine.submit({ type: 'change-device', deviceId: actor.device.id, status });
    if (isRejection(outcome)) return outcome;
  }
  if (swap_to === undefined) return idsOf(actor);
  const key = context.watchKey(swap_to);
  const outcome = await engine.submit({
    type: 'swap-watch',
    workerId: actor.worker.id,
    serial: swap_to,
    keyHash: sha256Hex(key),
  });
  if (isRejection(outcome)) return outcome;
  if (fleet?.emulates(actor.device.serial))
    await fleet.perform(actor.device.serial, { do: 'swap', other: { serial: swap_to, key } });
  return { worker_id: actor.worker.id, device_id: outcome.done.deviceId ?? actor.device.id };
}

/** Resolves a place of the site, or the position of a colleague. */
function placeOf(
  context: ActionContext,
  actor: Actor,
  to: ActionFields<'move'>['to'],
  pointer: string,
): PinnedPlace | Rejection {
  const site = context.engine.world.need('site', actor.device.siteId);
  const point = context.find.point(to, site, pointer);
  if (!isRejection(point) || typeof to !== 'string') return isRejection(point) ? point : { point };
  const colleague = context.find.actor(to, pointer);
  if (isRejection(colleague)) return point;
  return context.find.viewer === null
    ? standing(context, colleague)
    : shownPlace(context, colleague, context.find.viewer, to);
}

/** The position of a worker that the client may see; sending a colleague there must not reveal more. [decisions 4] */
function shownPlace(
  { engine }: ActionContext,
  { device }: Actor,
  viewer: TokenViewer,
  who: string,
): PinnedPlace | Rejection {
  const found = mayRead(viewer, 'positions:read') ? positioned(engine.world, device, viewer, engine.clock.now()) : null;
  if (found === null) return reject('action_refused', `Where "${who}" is, is not shown to this client.`);
  const { latitude, longitude } = shownLocation(engine.world, found.site, found.fix);
  return { coordinates: { latitude, longitude } };
}

/** Returns the true position of an emulated person if the caller may know it; otherwise the last reported position. */
function standing({ engine, fleet, find }: ActionContext, { device }: Actor): PinnedPlace | Rejection {
  // Only the control token gets true positions; a client gets the last reported one. [decisions 4]
  const point = find.viewer === null ? (fleet?.whereIs(device.serial) ?? null) : null;
  if (point !== null) return { point };
  const { fix } = engine.world.telemetry(device.id);
  if (fix === null) return reject('action_refused', `The watch ${device.serial} has not reported a position.`);
  return { coordinates: { latitude: fix.latitude, longitude: fix.longitude } };
}

/** Whether the caller may see the exact position of the person now. */
function isShown({ engine, find: { viewer } }: ActionContext, { device }: Actor): boolean {
  if (viewer === null) return true;
  const { world, clock } = engine;
  const found = mayRead(viewer, 'positions:read') ? positioned(world, device, viewer, clock.now()) : null;
  return found !== null && hidingZone(world, found.site, found.fix) === null;
}

/** A pair of numbers `[x, y]` is one place; any other list is a list of places. */
const listOf = (via: ActionFields<'move'>['via']): readonly ActionFields<'move'>['to'][] =>
  via === undefined
    ? []
    : Array.isArray(via) && typeof via[0] !== 'number'
      ? (via as ActionFields<'move'>['to'][])
      : [via as ActionFields<'move'>['to']];

const msOf = (duration: string): number => parseDuration(duration) as number;

/** Performs a report of a watch that raises an alert of this type, or joins the open alert. [decisions 5] */
async function reported(
  context: ActionContext,
  actor: Actor,
  type: AlertType,
  report: () => Promise<Acted>,
): Promise<Performed> {
  const before = openAlert(context, actor, type);
  const done = await report();
  return acted(
    actor,
    done,
    () => openAlert(context, actor, type),
    (alertId) => alertId === before || !isFirstToName(context, alertId),
  );
}

/** Ids of the alerts that an action returned as new. */
const named = new WeakMap<Engine, Set<string>>();

/** Above this number, the ids of resolved alerts are removed. */
const MOST_NAMED = 200;

/**
 * Returns true for the first action that returns the alert. Of several simultaneous reports for one worker, the first
 * raised the alert and the others joined it.
 */
function isFirstToName({ engine }: ActionContext, alertId: string): boolean {
  const known = named.get(engine) ?? new Set();
  named.set(engine, known);
  if (known.has(alertId)) return false;
  if (known.size >= MOST_NAMED)
    for (const id of known) if ((engine.world.held('alert', id)?.status ?? 'resolved') === 'resolved') known.delete(id);
  known.add(alertId);
  return true;
}

const openAlert = ({ engine }: ActionContext, { worker }: Actor, type: AlertType): string | undefined =>
  engine.world.indexes.openAlertId(subjectOf(worker.id, type));

function entryAlert({ engine }: ActionContext, { worker }: Actor, zoneId: string): string | undefined {
  const { indexes } = engine.world;
  const about = `${worker.id}/${zoneId}`;
  return (
    indexes.openAlertId(subjectOf(about, 'restricted_zone_entry')) ??
    indexes.openAlertId(subjectOf(about, 'forbidden_zone_entry'))
  );
}

function newestToAcknowledge(world: World, { worker }: Actor) {
  const open = world.indexes.openAlertsOfWorker.of(worker.id).values();
  return open.findLast(({ workerAcknowledgedAt }) => workerAcknowledgedAt === null);
}

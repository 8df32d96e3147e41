/** Performs an action of the catalogue on the running sandbox: finds who is meant, lets the emulated person act, and says what came of it. [decisions 9] */

import type { ActionOutcome } from '../api/parts.ts';
import { parseDuration } from '../base/durations.ts';
import { formatInstant } from '../base/instants.ts';
import type { ActionBody, ActionFields, ActionName, ActionResult } from '../contract/actions.ts';
import { subjectOf } from '../domain/alerts/raise.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Device, Worker } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { Acted, Fleet } from '../fleet/fleet.ts';
import { REHEARSALS, type Rehearsing } from './rehearse.ts';
import { isSteering, type STEERINGS, steer } from './steer.ts';

export interface Actor {
  readonly worker: Worker;
  readonly device: Device;
}

export interface Acting extends Rehearsing {
  /** Null with `--no-fleet`: nobody is emulated. */
  readonly fleet: Fleet | null;
}

type Performed = ActionResult | Rejection;

/** One entry per action: what the person does, and which ids the answer names. */
const PERFORM: {
  readonly [K in Exclude<ActionName, keyof typeof REHEARSALS | keyof typeof STEERINGS>]: (
    acting: Acting,
    fleet: Fleet,
    actor: Actor,
    fields: ActionFields<K>,
  ) => Promise<Performed>;
} = {
  sos: async ({ engine }, fleet, actor, fields) =>
    result(actor, await fleet.sos(actor.device.serial, { with: fields.with ?? 'watch_button' }), () =>
      openAlert(engine.world, actor, 'sos'),
    ),
  fall: async ({ engine }, fleet, actor, { answers, answers_after }) =>
    result(
      actor,
      await fleet.fall(actor.device.serial, {
        answers: answers ?? 'never',
        ...(answers_after === undefined ? {} : { answersAfterMs: parseDuration(answers_after) as number }),
      }),
      () => openAlert(engine.world, actor, 'fall_detected'),
    ),
  answer: async ({ engine }, fleet, actor, fields) =>
    result(actor, await fleet.answer(actor.device.serial, { with: fields.with }), () =>
      openAlert(engine.world, actor, fields.with === 'help' ? 'sos' : 'fall_detected'),
    ),
  press_ack: async ({ engine }, fleet, actor, { alert }) => {
    const { world } = engine;
    const meant = alert === undefined ? newestToAcknowledge(world, actor) : world.get('alert', alert.toLowerCase())?.id;
    if (alert !== undefined && meant === undefined) return reject('not_found', `There is no alert ${alert}.`);
    const acted = await fleet.pressAck(actor.device.serial, alert === undefined ? {} : { alertId: meant as string });
    return result(actor, acted, () => meant);
  },
  battery: async ({ engine }, fleet, actor, { pct, drain }) => {
    if (pct === undefined && drain === undefined)
      return reject('validation_failed', 'battery needs pct or drain.', [
        { pointer: '/pct', detail: 'is required where drain is not given' },
      ]);
    const acted = await fleet.battery(actor.device.serial, {
      ...(pct === undefined ? {} : { pct }),
      ...(drain === undefined ? {} : { drain }),
    });
    return result(actor, acted, () => openAlert(engine.world, actor, 'low_battery'));
  },
  signal: async (_acting, fleet, actor, { is, kind }) =>
    result(actor, await fleet.signal(actor.device.serial, { is, kind: kind ?? 'both' }), () => undefined),
};

export async function act(acting: Acting, body: ActionBody, organizationId: string | null): Promise<ActionOutcome> {
  const { action, ...fields } = body;
  if (isSteering(body)) return steer(acting.engine, body);
  if (!('who' in body)) {
    const rehearse = REHEARSALS[body.action] as (acting: Rehearsing, fields: object) => Promise<Performed>;
    const performed = await rehearse(acting, fields);
    if (isRejection(performed)) return performed;
    return { status: 200, answer: { action, at: formatInstant(acting.engine.clock.now()), result: performed } };
  }
  const actors = [body.who].flat().map((who) => findActor(acting.engine.world, who, organizationId));
  const unknown = actors.find(isRejection);
  if (unknown !== undefined) return unknown;
  const perform = PERFORM[body.action] as (
    acting: Acting,
    fleet: Fleet,
    actor: Actor,
    fields: object,
  ) => Promise<Performed>;
  const results = await Promise.all(
    (actors as Actor[]).map(async (actor): Promise<Performed> => {
      const { fleet } = acting;
      if (fleet === null || !fleet.emulates(actor.device.serial)) return notOurs(actor);
      return perform(acting, fleet, actor, fields);
    }),
  );
  const refused = results.find(isRejection);
  if (refused !== undefined) return refused;
  const done = results as ActionResult[];
  const at = formatInstant(acting.engine.clock.now());
  const status = done.some(({ buffered }) => buffered === true) ? 202 : 200;
  if (Array.isArray(body.who)) return { status, answer: { action, at, results: done } };
  return { status, answer: { action, at, result: done[0] as ActionResult } };
}

const notOurs = ({ device }: Actor): Rejection =>
  reject('action_refused', `The watch ${device.serial} is not emulated: it is left to your own client.`);

/** A worker's external_id or id, or a watch's serial; another company's are not there. [decisions 9] */
export function findActor(world: World, who: string, organizationId: string | null): Actor | Rejection {
  const serialOwner = world.indexes.deviceId(who);
  const device = serialOwner === undefined ? undefined : world.get('device', serialOwner);
  const worker = device?.workerId != null ? world.get('worker', device.workerId) : findWorker(world, who);
  const worn = worker?.deviceId != null ? world.get('device', worker.deviceId) : undefined;
  if (worker === undefined || (organizationId !== null && worker.organizationId !== organizationId))
    return reject('not_found', `There is no worker or watch "${who}".`, [
      { pointer: '/who', detail: `"${who}" is not known` },
    ]);
  if (worn === undefined) return reject('action_refused', `${worker.name} wears no watch.`);
  return { worker, device: worn };
}

function findWorker(world: World, who: string): Worker | undefined {
  const byId = world.get('worker', who.toLowerCase());
  if (byId !== undefined) return byId;
  for (const worker of world.all('worker')) if (worker.externalId === who) return worker;
  return undefined;
}

function result({ worker, device }: Actor, acted: Acted, alertId: () => string | undefined): Performed {
  if ('refused' in acted) return reject('action_refused', acted.refused);
  const ids = { worker_id: worker.id, device_id: device.id };
  if (acted.done === 'buffered') return { ...ids, buffered: true };
  const alert = alertId();
  return alert === undefined ? ids : { ...ids, alert_id: alert };
}

const openAlert = (
  world: World,
  { worker }: Actor,
  type: 'sos' | 'fall_detected' | 'low_battery',
): string | undefined => world.indexes.openAlertId(subjectOf(worker.id, type));

function newestToAcknowledge(world: World, { worker }: Actor): string | undefined {
  const open = world.indexes.openAlertsOfWorker.of(worker.id).values();
  return open.findLast(({ workerAcknowledgedAt }) => workerAcknowledgedAt === null)?.id;
}

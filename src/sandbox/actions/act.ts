/** Performs an action of the catalogue on the running sandbox: finds the people, performs it for each, and returns the results. [decisions 9] */

import { formatInstant } from '../../base/time/instants.ts';
import {
  ACTIONS,
  type ActionBody,
  type ActionFields,
  type ActionName,
  type ActionResult,
  type ActionRow,
  actionBody,
  type PeopleField,
  peopleFieldOf,
} from '../../contract/actions.ts';
import { outOfReach } from '../../service/api/requests/reach.ts';
import type { ActionOutcome } from '../../service/api/route.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import { isRejection, reject } from '../../service/domain/changes.ts';
import * as controlRoom from './act-control-room.ts';
import * as musters from './act-muster.ts';
import { BY_PERSON } from './act-person.ts';
import * as plant from './act-plant.ts';
import type { Acting, ActionContext, ForEach, Performed } from './acting.ts';
import { firstRefusal } from './dry-run.ts';
import { type Actor, Finder } from './find.ts';
import { dropWatch, LIMITS_AND_TOKENS } from './limits-and-tokens.ts';

export type { Acting } from './acting.ts';

type Once<K extends ActionName> = (context: ActionContext, fields: ActionFields<K>) => Promise<Performed> | Performed;

/** Actions whose body may name people; each is performed once per person. */
type ActionOfPeople = {
  [K in ActionName]: [PeopleField<K>] extends [never] ? never : K;
}[ActionName];

/** Actions that need no people. Every action is in at least one of the two tables, so one without a handler does not compile. */
type ActionOfNobody = {
  [K in ActionName]: [PeopleField<K>] extends [never]
    ? K
    : ActionFields<K> extends Readonly<Record<PeopleField<K>, unknown>>
      ? never
      : K;
}[ActionName];

/** The required shape of the tables of handlers: one key for each action of the catalogue, by the fields of its row. */
export type ForEachTable = { readonly [K in ActionOfPeople]: ForEach<K> };
export type OnceTable = { readonly [K in ActionOfNobody]: Once<K> };

/** Actions of people. */
const FOR_EACH: ForEachTable = {
  ...BY_PERSON,
  permit: plant.permit,
  heat: plant.heatOf,
  panel_sos: controlRoom.panelSos,
  unveil: controlRoom.unveil,
  mark_safe: musters.markSafe,
  broker: dropWatch,
};

/** Actions of the plant, the control room and the sandbox. */
const ONCE: OnceTable = {
  ...LIMITS_AND_TOKENS,
  heat: plant.heat,
  wind: plant.wind,
  hazard: plant.hazard,
  acknowledge: (context, fields) => controlRoom.update(context, 'acknowledged', fields),
  resolve: (context, fields) => controlRoom.update(context, 'resolved', fields),
  reopen: controlRoom.reopen,
  assign: controlRoom.assign,
  start_muster: musters.startMuster,
  change_kind: musters.changeKind,
  exclude_point: musters.excludePoint,
  reinstate_point: musters.reinstatePoint,
  inspect: musters.inspect,
  end_muster: musters.endMuster,
};

/**
 * Performs an action. `viewer` null: the control token acts. A client does not find objects of another company. `only`:
 * the ids of the sites that a scenario may use; null: all.
 */
export async function act(
  acting: Acting,
  body: ActionBody,
  viewer: TokenViewer | null,
  only: ReadonlySet<string> | null = null,
): Promise<ActionOutcome> {
  const { action } = body;
  const tooFar = outOfReach(actionBody(action), body, acting.engine.clock.now());
  const [first] = tooFar;
  if (first !== undefined)
    return reject('validation_failed', `The body is not valid. ${first.pointer} ${first.detail}.`, tooFar);
  const misfit = (ACTIONS[action] as ActionRow).misfit?.(body) ?? null;
  if (misfit !== null) return reject('validation_failed', misfit.message, misfit.errors);
  const context: ActionContext = { ...acting, find: new Finder(acting.engine.world, viewer, only) };
  const field = peopleFieldOf(action);
  const who = field === undefined ? undefined : (body as { readonly [F in string]?: string | string[] })[field];
  if (field === undefined || who === undefined) {
    const perform = ONCE[action as ActionOfNobody] as Once<ActionName>;
    const performed = await perform(context, body as never);
    return isRejection(performed)
      ? performed
      : { status: 200, answer: { ...answered(acting, action), result: context.find.shown(performed) } };
  }
  const actors = [who].flat().map((one) => context.find.actor(one, `/${field}`));
  const unknown = actors.find(isRejection);
  if (unknown !== undefined) return unknown;
  const perform = FOR_EACH[action as ActionOfPeople] as ForEach<ActionName>;
  if (actors.length > 1) {
    const refusal = await firstRefusal(context, actors as Actor[], (dry, actor) => perform(dry, actor, body as never));
    if (refusal !== null) return refusal;
  }
  const results = await Promise.all((actors as Actor[]).map((actor) => perform(context, actor, body as never)));
  const refused = results.find(isRejection);
  if (refused !== undefined) return refused;
  const done = (results as ActionResult[]).map((result) => context.find.shown(result));
  const status = done.some(({ buffered }) => buffered === true) ? 202 : 200;
  if (Array.isArray(who)) return { status, answer: { ...answered(acting, action), results: done } };
  return { status, answer: { ...answered(acting, action), result: done[0] as ActionResult } };
}

const answered = ({ engine }: Acting, action: ActionName) => ({ action, at: formatInstant(engine.clock.now()) });

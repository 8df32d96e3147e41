/** Every condition of the language. */
import type { JsonMap } from '../../contract/schema.ts';
import type { Condition } from './condition.ts';
import { ALERT } from './conditions/alert.ts';
import { ALERTS } from './conditions/alerts.ts';
import { DELIVERIES } from './conditions/deliveries.ts';
import { DELIVERY } from './conditions/delivery.ts';
import { DESTINATION } from './conditions/destination.ts';
import { DEVICE } from './conditions/device.ts';
import { EVENT } from './conditions/event.ts';
import { MAIL } from './conditions/mail.ts';
import { MISSING } from './conditions/missing.ts';
import { MUSTER } from './conditions/muster.ts';
import { POSITION } from './conditions/position.ts';
import { PROBE } from './conditions/probe.ts';
import { REQUEST } from './conditions/request.ts';
import { WATCH } from './conditions/watch.ts';
import { WORKER } from './conditions/worker.ts';

/** By word. A word that is also a key or a field of another condition comes after that condition. */
export const CONDITIONS: ReadonlyMap<string, Condition> = new Map(
  [
    PROBE,
    DELIVERIES,
    DELIVERY,
    REQUEST,
    MAIL,
    EVENT,
    ALERT,
    ALERTS,
    MUSTER,
    MISSING,
    DESTINATION,
    POSITION,
    WATCH,
    DEVICE,
    WORKER,
  ].map((condition) => [condition.word, condition]),
);

/** The condition of a check; undefined where it has the word of none. */
export const conditionIn = (check: JsonMap): Condition | undefined =>
  [...CONDITIONS.values()].find(({ word }) => Object.hasOwn(check, word));

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

/** By word, in the order of the reference. */
export const CONDITIONS: ReadonlyMap<string, Condition> = new Map(
  [
    EVENT,
    ALERT,
    ALERTS,
    MUSTER,
    MISSING,
    DELIVERY,
    DELIVERIES,
    DESTINATION,
    WATCH,
    WORKER,
    DEVICE,
    POSITION,
    REQUEST,
    PROBE,
    MAIL,
  ].map((condition) => [condition.word, condition]),
);

const takes = ({ fields, resource }: Condition, key: string): boolean =>
  Object.hasOwn(fields, key) || (resource !== null && Object.hasOwn(resource.schema.properties, key));

/**
 * Returns the condition of a check; undefined if the check has no word of a condition. If it has several words, returns
 * the condition that accepts the others as keys, as a delivery accepts its event; else the first.
 */
export function conditionIn(check: JsonMap): Condition | undefined {
  const found = Object.keys(check).flatMap((key) => CONDITIONS.get(key) ?? []);
  const [first] = found;
  if (found.length < 2) return first;
  return found.find((one) => found.every((other) => other === one || takes(one, other.word))) ?? first;
}

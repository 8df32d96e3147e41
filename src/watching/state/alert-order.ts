/** The order of alerts: who is to be helped first is the same person as in the lists of people. */
import { compareText } from '../../base/text/order.ts';
import type { Alert } from '../../contract/resources.ts';
import { subjectOf } from './events.ts';
import { standingsAtEnd } from './not-safe.ts';
import { attentionFor, GRAVITY, isHelperAlert, isOpen, waitingAmong } from './people.ts';
import type { StreamState } from './state.ts';

type AlertWorld = Pick<StreamState, 'people' | 'notSafe' | 'alerts'>;
type AlertOrder = (a: Alert, b: Alert) => number;

/**
 * Critical alerts of people to rescue come first, then the other critical ones, then those of workers who are safe now; of each
 * those that nobody has acknowledged, and among equals the one that has waited longest. Then other open alerts by severity, of
 * each those of workers who are safe last, the newest first, then those of helpers, then the resolved ones.
 */
export const byUrgency = (world: AlertWorld): AlertOrder => ordered(world, ({ severity }) => 4 - GRAVITY[severity]);

/** As `byUrgency`, but alerts that are not critical come by their time alone. */
export const byAttention = (world: AlertWorld): AlertOrder => ordered(world, () => 0);

/** More than between two ranks of critical alerts of others. */
const SAFE = 3;

/** Ranks above those of critical alerts. */
const [LESS, HELPER, RESOLVED] = [10, 20, 30] as const;

function ordered(world: AlertWorld, restOf: (alert: Alert) => number): AlertOrder {
  const { people, notSafe } = world;
  const ended = standingsAtEnd(world, [...notSafe.values()].flat());
  const left = new Set(ended.flatMap(({ rescue, one }) => (rescue ? one.worker_id : [])));
  function rankOf(alert: Alert): number {
    if (!isOpen(alert)) return RESOLVED;
    if (isHelperAlert(alert)) return HELPER;
    const id = alert.worker?.id ?? '';
    const person = people.get(id);
    const isSafe = person?.muster?.status === 'safe';
    const waiting = waitingAmong([alert]);
    if (waiting === null) return LESS + restOf(alert) + (isSafe ? 0.5 : 0);
    return attentionFor({ rescue: person?.rescue === true || left.has(id), waiting }) + (isSafe ? SAFE : 0);
  }
  return (a, b) => {
    const rank = rankOf(a);
    const [oldest, newest] = rank < LESS ? [a, b] : [b, a];
    return (
      rank - rankOf(b) ||
      compareText(oldest.date_created, newest.date_created) ||
      compareText(subjectOf(a), subjectOf(b)) ||
      compareText(a.id, b.id)
    );
  };
}

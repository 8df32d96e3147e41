/** The events of the stream, and each as a line of text. */

import type { EventType } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import { ALERT_TERMS, HEADCOUNT_WORDS, musterTerm } from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';

/** What a viewer keeps of an event: only who shows it makes a text of it. */
export interface KeptEvent {
  readonly id: string;
  /** Simulated ms since the epoch. */
  readonly at: number;
  readonly event: Event;
  /** The muster at its previous event; the difference shows what this event changed. */
  readonly before: Muster | undefined;
}

/** For example `SOS W-014`, `safe 52 to 53`. */
export const eventText = ({ event: { type, data }, before }: KeptEvent): string =>
  'alert' in data
    ? `${ALERT_TERMS[data.alert.type].word} ${subjectOf(data.alert)}`
    : musterText(type, data.muster, before);

/** The code of the worker whom the alert concerns, or `whole site`. */
export const subjectOf = ({ worker }: Alert, wholeSite = 'whole site'): string =>
  worker === null ? wholeSite : codeOf(worker);

/** The worker's code in the staff system, else the beginning of the id. */
export const codeOf = ({ external_id, id }: { readonly external_id: string | null; readonly id: string }): string =>
  external_id ?? id.slice(0, 8);

/**
 * What an event of a muster changed, such as `safe 52 to 53`. Without the muster at its previous event, the present state:
 * `53 of 58 safe`.
 */
export function musterText(type: EventType, muster: Muster, before: Muster = muster): string {
  const { kind, reason, totals, targets_revision } = muster;
  switch (type) {
    case 'muster.started':
      return `${kind}${reason === null ? '' : `, "${reason}"`}`;
    case 'muster.ended':
    case 'muster.phase_changed':
      return musterTerm(muster).word;
    case 'muster.kind_changed':
      return before.kind === kind ? kind : `${before.kind} to ${kind}`;
    case 'muster.targets_changed': {
      const changed = turnedPoints(before, muster).map(
        ({ name, excluded }) => `${name} ${excluded === null ? 'reinstated' : 'excluded'}, `,
      );
      return `${changed.join('')}revision ${targets_revision}`;
    }
    default: {
      const differing = (Object.keys(totals) as (keyof Muster['totals'])[]).filter(
        (key) => before.totals[key] !== totals[key],
      );
      if (differing.length === 0) return `${totals.safe} of ${totals.expected} safe`;
      return [...new Set(['safe', 'help', ...differing] as const)]
        .filter((key) => differing.includes(key))
        .slice(0, 2)
        .map((key) => `${totalWord(key)} ${before.totals[key] ?? 0} to ${totals[key] ?? 0}`)
        .join(', ');
    }
  }
}

const totalWord = (total: keyof Muster['totals']): string => (total === 'expected' ? total : HEADCOUNT_WORDS[total]);

/** Assembly points that were excluded or reinstated between two states of a muster. */
export const turnedPoints = (before: Muster, after: Muster): Muster['assembly_points'] =>
  after.assembly_points.filter(({ id, excluded }) => {
    const known = before.assembly_points.find((point) => point.id === id);
    return known !== undefined && (known.excluded === null) !== (excluded === null);
  });

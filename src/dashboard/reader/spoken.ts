/** Sentences about changes, for a screen reader and for lines without a terminal; what a row says of an alert is in its row. */

import type { EventType } from '../../contract/enumerations.ts';
import { musterTerm } from '../../contract/resources/vocabulary.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamChange } from '../../contract/stream.ts';
import { turnedPoints } from '../../watching/state/events.ts';
import { type KnownPlaces, rowAlone } from '../../watching/state/happened.ts';
import type { PersonRow } from '../../watching/state/people.ts';
import { EMPTY_STATE, isTurned, musterOf, type StreamState } from '../../watching/state/state.ts';
import { alertRow } from '../panes/alerts.ts';
import { among, headcountRow, musterRow } from '../panes/headcount.ts';
import { deliveryRows, hostOf } from '../panes/webhooks.ts';
import { spokenRow } from '../table.ts';
import { theme } from '../terminal/theme.ts';

export interface Sentence {
  /** When it occurred, simulated time. */
  readonly at: string;
  readonly text: string;
  /**
   * Id of the muster whose totals the sentence has: of waiting totals, only the newest are output. Null: any other
   * sentence.
   */
  readonly totalsOf: string | null;
}

/** For example `3 to rescue, 137 of 212 safe, 2 called for help.`; the long form has every status. `rows`: the people of the site. */
export const totalsText = (muster: Muster, isLong: boolean, rows: readonly PersonRow[] = []): string =>
  spokenRow(headcountRow(muster, among(rows)), isLong ? undefined : 'rest');

/** Returns the sentences for a change; none if the change is not relevant. */
export function sentencesOf(before: StreamState, change: StreamChange): Sentence[] {
  if ('gone' in change) return [];
  const { at } = change;
  const say = (text: string): Sentence[] => [{ at, text, totalsOf: null }];
  switch (change.subject) {
    case 'event': {
      const { type, data } = change.event;
      return 'alert' in data ? say(alertNews(before, type, data.alert)) : musterNews(before, type, data.muster, at);
    }
    case 'clock': {
      const { paused, speed } = change.clock;
      if (!isTurned(before, change.clock)) return [];
      return say(paused ? 'Time stands still.' : `Time goes on, ${speed} simulated seconds a second.`);
    }
    case 'destination': {
      const { id, url, failing_since } = change.destination;
      const known = before.destinations.get(id);
      const host = hostOf(url);
      if (known === undefined) return say(`${host} hears events from now on.`);
      if ((known.failing_since === null) === (failing_since === null)) return [];
      return say(failing_since === null ? `Deliveries to ${host} arrive again.` : `Deliveries to ${host} fail.`);
    }
    case 'delivery': {
      const { delivery } = change;
      if (delivery.state !== 'lost') return [];
      return deliveryRows([{ ...delivery, at }], Date.parse(at), before).flatMap((row) =>
        say(`A delivery is lost: ${spokenRow(row, 'age')}`),
      );
    }
    default:
      return [];
  }
}

/** The row of the alert, without its age; `without`: other parts that are not said. */
export const alertAloud = (alert: Alert, world: KnownPlaces, ...without: 'state'[]): string =>
  spokenRow(alertRow(rowAlone(alert), { ...SPOKEN, world }), 'age', ...without);

/** Ages, signs and shortened codes are not spoken. */
export const SPOKEN = { now: 0, theme: theme('mono'), codes: { width: 0, of: (id: string) => id } };

function alertNews(state: StreamState, type: EventType, alert: Alert): string {
  // The place where it was raised is newer than what is known of the worker.
  const what = alertAloud(alert, type === 'alert.created' ? EMPTY_STATE : state, 'state');
  switch (type) {
    case 'alert.acknowledged':
      return `Acknowledged by ${alert.acknowledged?.by ?? 'nobody'}: ${what}`;
    case 'alert.resolved':
      return `Resolved by ${alert.resolved?.by ?? 'nobody'}: ${what}`;
    case 'alert.reopened':
      return `Open again: ${what}`;
    case 'alert.worker_acknowledged':
      return `Seen on the watch that help comes: ${what}`;
    default: {
      const muster = alert.worker === null ? null : musterOf(state, alert.site.id);
      return muster?.status === 'active' ? `${what} ${totalsText(muster, false)}` : what;
    }
  }
}

function musterNews(before: StreamState, type: EventType, muster: Muster, at: string): Sentence[] {
  const say = (text: string): Sentence[] => [{ at, text, totalsOf: null }];
  const place = before.sites.size > 1 ? ` at ${muster.site.name}` : '';
  const known = before.mustersAtEvent.get(muster.id) ?? muster;
  switch (type) {
    case 'muster.started':
      return say(`${musterText(muster)} ${totalsText(muster, false)}`);
    case 'muster.ended':
      return say(`The muster${place} is ${musterTerm(muster).spoken}. ${totalsText(muster, true)}`);
    case 'muster.kind_changed':
      return say(`The muster${place} is a ${muster.kind} muster now.`);
    case 'muster.phase_changed':
      return say(`The plant${place} is inspected: nobody returns.`);
    case 'muster.targets_changed':
      return turnedPoints(known, muster).flatMap(({ name, excluded }) =>
        say(
          excluded === null
            ? `${name} is a target again.`
            : `${name} is excluded by ${excluded.by}: ${excluded.reason}.`,
        ),
      );
    default: {
      if (totalsText(known, true) === totalsText(muster, true)) return [];
      const name = isOneOfSeveral(before) ? `${muster.site.name}: ` : '';
      return [{ at, text: `${name}${totalsText(muster, true)}`, totalsOf: muster.id }];
    }
  }
}

const isOneOfSeveral = ({ musters }: StreamState): boolean =>
  [...musters.values()].filter(({ status }) => status === 'active').length > 1;

/** For example `Tsunami muster at North Refinery, evacuating, deadline 10:25:00, official.` */
export const musterText = (muster: Muster): string => spokenRow(musterRow(muster, 0));

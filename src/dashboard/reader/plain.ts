/** The dashboard without a terminal: one fact per line, in the order of the stream. */

import type { StreamChange, StreamPerson, StreamSnapshot } from '../../contract/stream.ts';
import { personRowOf, rowsOf } from '../../watching/state/people.ts';
import { afterSnapshot, EMPTY_STATE, type StreamState } from '../../watching/state/state.ts';
import { dayTime } from '../../watching/state/words.ts';
import { personRow } from '../panes/people.ts';
import { deliveryRows } from '../panes/webhooks.ts';
import { spokenRow } from '../table.ts';
import { alertAloud, musterText, SPOKEN, sentencesOf, totalsText } from './spoken.ts';

/** Width of the subjects. */
const SUBJECT = 8;

const lineOf = (at: string, subject: string, text: string): string =>
  `${dayTime(at)} ${subject.padEnd(SUBJECT)} ${text}`;

/** The state at the beginning of the stream. */
export function snapshotLines(snapshot: StreamSnapshot): string[] {
  const { clock, sites, people, alerts, musters, destinations } = snapshot;
  const world = afterSnapshot(EMPTY_STATE, snapshot, 0);
  const names = sites.map(({ name }) => name).join(', ');
  const many = `${people.length} people, ${alerts.length} open alerts, ${destinations.length} destinations`;
  return [
    lineOf(clock.now, 'begin', `${names}: ${many}.`),
    ...musters
      .filter(({ status }) => status === 'active')
      .map((muster) => {
        const site = world.sites.get(muster.site.id);
        const rows = site === undefined ? [] : rowsOf(world, site, muster, alerts);
        return lineOf(clock.now, 'muster', `${musterText(muster)} ${totalsText(muster, true, rows)}`);
      }),
    ...alerts.map((alert) => lineOf(clock.now, 'alert', alertAloud(alert, world))),
  ];
}

/** Lines for the differences from the state before the change to that after it; people who only walk get no line. */
export function changeLines(before: StreamState, after: StreamState, change: StreamChange): string[] {
  if ('gone' in change) return [];
  const { at } = change;
  switch (change.subject) {
    case 'event': {
      const subject = 'alert' in change.event.data ? 'alert' : 'muster';
      return sentencesOf(before, change).map(({ text }) => lineOf(at, subject, text));
    }
    case 'delivery': {
      const { id, state, tries } = change.delivery;
      const delivery = after.deliveries.get(id);
      if (delivery === undefined || (state === 'waiting' && tries === 0)) return [];
      // That it has just ended is no news, and the time of the next attempt is.
      const without = state === 'waiting' ? undefined : 'age';
      return deliveryRows([delivery], Date.parse(at), after).map((row) =>
        lineOf(at, 'delivery', spokenRow(row, without)),
      );
    }
    case 'person':
      return change.people.flatMap((person) => {
        const row = isNews(before, person) ? personRowOf(after, person.worker_id) : null;
        return row === null ? [] : [lineOf(at, 'person', spokenRow(personRow(row, 0, SPOKEN), 'age'))];
      });
    default:
      return sentencesOf(before, change).map(({ text }) => lineOf(at, change.subject, text));
  }
}

/** True if the status of the person in the muster has changed. */
function isNews({ people }: StreamState, { worker_id, muster }: StreamPerson): boolean {
  const known = people.get(worker_id)?.muster;
  return muster !== null && (known?.status !== muster.status || known.needs_rescue !== muster.needs_rescue);
}

/** The same without a terminal: one fact a line, in the order in which it was told, nothing drawn over. */
import type { Alert, Muster } from '../contract/resources.ts';
import type { FeedChange, FeedSnapshot } from '../watching/feed.ts';
import type { World } from '../watching/world.ts';

const who = ({ worker }: Alert): string => (worker === null ? 'the whole site' : (worker.external_id ?? worker.id));

/** How things stand when the stream begins. */
export function snapshotLines({ clock, sites, people, alerts, musters, destinations }: FeedSnapshot): string[] {
  const at = clock.now.slice(11, 19);
  return [
    `${at} begin    ${sites.map(({ name }) => name).join(', ')}: ${people.length} people, ${alerts.length} open alerts, ${destinations.length} destinations`,
    ...musters.filter(({ status }) => status === 'active').map((muster) => `${at} ${musterLine(muster)}`),
    ...alerts.map((alert) => `${at} ${alertLine(alert)}`),
  ];
}

/** What a change tells, beyond what was known; people who only walk tell nothing. */
export function changeLines(before: World, change: FeedChange): string[] {
  const at = change.at.slice(11, 19);
  const { alert, muster, delivery, clock, people } = change;
  if (alert !== undefined) {
    const known = before.alerts.get(alert.id);
    return known?.status === alert.status ? [] : [`${at} ${alertLine(alert)}`];
  }
  if (muster !== undefined) {
    const line = musterLine(muster);
    const known = before.musters.get(muster.id);
    return known !== undefined && musterLine(known) === line ? [] : [`${at} ${line}`];
  }
  if (clock !== undefined) return [`${at} clock    ${clock.paused ? 'paused' : `speed ${clock.speed}`}`];
  if (delivery !== undefined) {
    const url = before.destinations.get(delivery.destination_id)?.url ?? delivery.destination_id;
    const next = delivery.next_attempt_at === null ? '' : ` next ${delivery.next_attempt_at.slice(11, 19)}`;
    if (delivery.state === 'waiting' && delivery.tries === 0) return [];
    return [
      `${at} delivery ${delivery.event_type} to ${url}: ${delivery.state} ${delivery.last_status ?? 'no answer'} try ${delivery.tries}${next}`,
    ];
  }
  return (people ?? []).flatMap((person) => {
    const known = before.people.get(person.worker_id)?.muster;
    const { muster: fares } = person;
    if (fares === null || (known?.status === fares.status && known.needs_rescue === fares.needs_rescue)) return [];
    const worker = before.workers.get(person.worker_id);
    const help = fares.help_reason === null ? '' : ` ${fares.help_reason}`;
    return [
      `${at} person   ${worker?.external_id ?? person.worker_id} ${fares.status}${help}${fares.needs_rescue ? ' needs_rescue' : ''}`,
    ];
  });
}

const alertLine = (alert: Alert): string =>
  `alert    ${alert.severity} ${alert.type} ${who(alert)}${alert.zone === null ? '' : ` in ${alert.zone.name}`} ${alert.status}`;

const musterLine = ({ site, kind, phase, status, totals }: Muster): string =>
  `muster   ${site.name} ${kind} ${status === 'active' ? phase : status} ${totals.safe} of ${totals.expected} safe${
    totals.help === null
      ? ''
      : ` help ${totals.help} wrong_point ${totals.wrong_point} pending ${totals.pending} no_signal ${totals.no_signal} not_worn ${totals.not_worn}`
  }`;

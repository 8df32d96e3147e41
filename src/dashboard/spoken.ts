/** What a screen reader says: one full sentence for each change that is worth hearing. */
import type { Alert, Muster } from '../contract/resources.ts';
import type { FeedChange } from '../watching/feed.ts';
import { dayTime, spanText } from '../watching/people.ts';
import { musterOf, type World } from '../watching/world.ts';

export interface Sentence {
  readonly text: string;
  /** Totals of a muster may wait, and only their newest is said. */
  readonly totalsOf: string | null;
}

/** `wrong_point` as a person says it. */
export const words = (code: string): string => code.replaceAll('_', ' ');
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const ACRONYMS: Readonly<Record<string, string>> = { sos: 'SOS' };
export const typeWords = (type: string): string => ACRONYMS[type] ?? words(type);
export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

const who = ({ worker, site }: Alert): string =>
  worker === null ? `the whole of ${site.name}` : (worker.external_id ?? worker.name ?? 'somebody');

/** `2 need help. 137 of 212 safe.`, or all of it. */
export function totalsText({ totals }: Muster, isLong: boolean): string {
  const { expected, safe, help } = totals;
  const most = `${safe} of ${expected} safe.`;
  const helped = help === null || help === 0 ? '' : `${help} ${help === 1 ? 'needs' : 'need'} help. `;
  if (!isLong) return `${helped}${most}`;
  const others = [
    [totals.wrong_point, 'at a wrong point'],
    [totals.pending, 'on the way'],
    [totals.no_signal, 'without signal'],
    [totals.not_worn, 'without their watch on'],
  ] as const;
  const rest = others.flatMap(([count, what]) => (count === null || count === 0 ? [] : [`${count} ${what}`]));
  return `${helped}${most}${rest.length === 0 ? '' : ` ${capital(rest.join(', '))}.`}`;
}

/** An alert in a few words: `Help. W-0117, injured, Tank farm.` */
export function alertText(world: World, alert: Alert): string {
  const { type, severity, zone, worker } = alert;
  const about = [
    who(alert),
    type === 'evacuation_help' && 'reason' in alert.details ? words(String(alert.details.reason)) : null,
    zone?.name ?? null,
  ].filter((word) => word !== null);
  const head = type === 'evacuation_help' ? 'Help' : `${severity === 'critical' ? 'Critical: ' : ''}${typeWords(type)}`;
  const muster = worker === null ? null : musterOf(world, alert.site.id);
  const totals = muster?.status === 'active' ? ` ${totalsText(muster, false)}` : '';
  return `${capital(head)}. ${about.join(', ')}.${totals}`;
}

/** What a change says, beyond what was known: an empty list where it is not worth hearing. */
export function sentencesOf(before: World, change: FeedChange): Sentence[] {
  const at = `${dayTime(change.at)}. `;
  const say = (text: string): Sentence[] => [{ text: at + text, totalsOf: null }];
  const { alert, muster, destination, delivery, clock } = change;
  if (alert !== undefined) return ofAlert(before, alert).flatMap(say);
  if (muster !== undefined) return ofMuster(before, muster, at);
  if (clock !== undefined)
    return say(clock.paused ? 'Time stands still.' : `Time goes on, ${clock.speed} simulated seconds a second.`);
  if (destination !== undefined) {
    const known = before.destinations.get(destination.id);
    const host = hostOf(destination.url);
    if (known === undefined) return say(`${host} hears events from now on.`);
    if (known.failing_since === null && destination.failing_since !== null) return say(`Deliveries to ${host} fail.`);
    if (known.failing_since !== null && destination.failing_since === null)
      return say(`Deliveries to ${host} arrive again.`);
    return [];
  }
  if (delivery?.state === 'lost') {
    const url = before.destinations.get(delivery.destination_id)?.url;
    return say(`A delivery is lost: ${delivery.event_type} to ${url === undefined ? 'a destination' : hostOf(url)}.`);
  }
  return [];
}

function ofAlert(before: World, alert: Alert): string[] {
  const known = before.alerts.get(alert.id);
  const what = `${typeWords(alert.type)} of ${who(alert)}`;
  if (known === undefined) return [alertText(before, alert)];
  if (known.status === alert.status)
    return known.worker_acknowledged_at === null && alert.worker_acknowledged_at !== null
      ? [`${who(alert)} has seen on the watch that help comes.`]
      : [];
  if (alert.status === 'acknowledged') return [`Acknowledged: ${what}, by ${alert.acknowledged?.by ?? 'nobody'}.`];
  if (alert.status === 'resolved') return [`Resolved: ${what}, by ${alert.resolved?.by ?? 'nobody'}.`];
  return [`Open again: ${what}.`];
}

function ofMuster(before: World, muster: Muster, at: string): Sentence[] {
  const known = before.musters.get(muster.id);
  const said = (text: string): Sentence => ({ text: at + text, totalsOf: null });
  const place = before.sites.size > 1 ? ` at ${muster.site.name}` : '';
  if (known === undefined)
    return muster.status === 'active' ? [said(`${musterText(muster)} ${totalsText(muster, false)}`)] : [];
  if (muster.status !== 'active')
    return known.status === 'active'
      ? [said(`The muster${place} is ${muster.status}. ${totalsText(muster, true)}`)]
      : [];
  const news: Sentence[] = [];
  if (known.kind !== muster.kind) news.push(said(`The muster${place} is a ${muster.kind} muster now.`));
  if (known.phase !== muster.phase) news.push(said(`The plant${place} is inspected: nobody returns.`));
  for (const point of muster.assembly_points) {
    const was = known.assembly_points.find(({ id }) => id === point.id);
    if (was === undefined || (was.excluded === null) === (point.excluded === null)) continue;
    news.push(
      said(
        point.excluded === null
          ? `${point.name} is a target again.`
          : `${point.name} is excluded by ${point.excluded.by}: ${point.excluded.reason}.`,
      ),
    );
  }
  if (totalsText(known, true) !== totalsText(muster, true))
    news.push({
      text: `${at}${isOneOfSeveral(before) ? `${muster.site.name}: ` : ''}${totalsText(muster, true)}`,
      totalsOf: muster.id,
    });
  return news;
}

const isOneOfSeveral = ({ musters }: World): boolean =>
  [...musters.values()].filter(({ status }) => status === 'active').length > 1;

/** `A tsunami muster at North Refinery: evacuate.` */
export const musterText = ({ kind, phase, site, deadline }: Muster): string =>
  `${capital(kind)} muster at ${site.name}, ${phase}.${
    deadline === null ? '' : ` Its deadline is ${dayTime(deadline.at)}, ${words(deadline.source)}.`
  }`;

/** `4 minutes 12 seconds` is long to hear; `4:40` is read as it stands. */
export const agoText = (ms: number): string => `${spanText(ms)} ago`;

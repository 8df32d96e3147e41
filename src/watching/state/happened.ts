/** What happened, the person and the place, in the words that a row of every screen has; the alert's page keeps the title of the API. */
import type { AlertType } from '../../contract/enumerations.ts';
import type { DetailsOf } from '../../contract/resources/details.ts';
import { ALERT_TERMS, HELP_REASON_WORDS, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Alert } from '../../contract/resources.ts';
import { codeOf } from './events.ts';
import { isOpen, isOpenCritical, openByWorker, type PersonRow, rankOf, statusTerm, statusWord } from './people.ts';
import { placeNow, type ShownPlace, wordsOfPlace } from './places.ts';
import type { StreamState } from './state.ts';
import { capital } from './words.ts';

/** How the details of a type say it more precisely than its term; null: they do not. */
const PRECISELY: { readonly [K in AlertType]?: (details: DetailsOf<K>, word: string) => string | null } = {
  sos: ({ trigger }, word) => {
    switch (trigger) {
      case 'watch_button':
      case 'watch_hardware_button':
        return `${word} by button`;
      case 'after_fall':
        return `${word} after a fall`;
      case 'control_room':
        return `${word} by control room`;
    }
  },
  fall_detected: ({ escalated_to_sos }, word) => (escalated_to_sos ? `${word}, no answer` : null),
  evacuation_help: ({ reason }) => (reason === null ? null : HELP_REASON_WORDS[reason]),
  heat_stress: ({ heat_index_c }, word) => (heat_index_c === null ? null : `${word}, ${heat_index_c} °C`),
  worker_call_request: ({ voice_note }, word) => (voice_note ? `${word}, voice note` : null),
  device_offline: ({ minutes_silent }, word) => (minutes_silent === 0 ? null : `${word}, ${minutes_silent} min`),
  low_battery: ({ battery_pct }, word) => `${word}, ${battery_pct} %`,
  earthquake: ({ magnitude }, word) => (magnitude === null ? null : `${word}, ${magnitude}`),
};

/** For example `Trapped`, `Fall, no answer`, `SOS by button`, `Low battery, 9 %`: without the person and the place. */
export function whatText({ type, details }: Pick<Alert, 'type' | 'details'>): string {
  const { word } = ALERT_TERMS[type];
  const precisely = PRECISELY[type] as ((details: Alert['details'], word: string) => string | null) | undefined;
  return capital(precisely?.(details, word) ?? word);
}

/** True if the SOS was raised because nobody answered after the fall. */
export const isFallBehind = ({ type, details }: Alert, sos: Alert | null): boolean =>
  type === 'fall_detected' &&
  (details as DetailsOf<'fall_detected'>).escalated_to_sos &&
  sos?.type === 'sos' &&
  (sos.details as DetailsOf<'sos'>).trigger === 'after_fall';

/** The same in forms for narrow columns, the longest first, such as `Low battery, 9 %`, `Low battery`, `Battery`. */
export function whatForms(alert: Pick<Alert, 'type' | 'details'>): readonly string[] {
  const { word, short } = ALERT_TERMS[alert.type];
  const what = whatText(alert);
  const term = what.startsWith(capital(word)) ? capital(word) : what;
  return [...new Set([what, term, term.length <= LONGEST_SHORT ? term : capital(short)])];
}

/** The longest short word of the vocabulary. */
const LONGEST_SHORT = 8;

/** The same for a person: the alert that is the reason, otherwise the status: `Trapped`, `SOS by button`, `No signal`. */
export function whatOfPerson(row: PersonRow): string {
  const { alert, person } = row;
  // A held list keeps workers who have become safe, and their alerts do not show that.
  if (rankOf(row) === 'safe') return capital(PERSON_TERMS.safe.word);
  const isReason = alert !== null && (alert.type === person.reason || row.status === 'person');
  return isReason ? whatText(alert) : capital(row.status === 'person' ? PERSON_TERMS.person.word : statusWord(row));
}

/** The same in forms for narrow columns. */
export function whatFormsOfPerson(row: PersonRow): readonly string[] {
  const what = whatOfPerson(row);
  if (row.alert !== null && what === whatText(row.alert)) return whatForms(row.alert);
  const { short } = rankOf(row) === 'safe' ? PERSON_TERMS.safe : statusTerm(row);
  return [...new Set([what, what.length <= LONGEST_SHORT ? what : capital(short)])];
}

/** The worker's name if the viewer may see it, else the code; for an alert without a worker, `wholeSite`. */
export const whomText = ({ worker }: Pick<Alert, 'worker'>, wholeSite = 'whole site'): string =>
  worker === null ? wholeSite : (worker.name ?? codeOf(worker));

/** The zone in which it happened; else `withheld` or nothing. */
export const whereText = ({ zone, location_withheld }: Pick<Alert, 'zone' | 'location_withheld'>): string =>
  zone?.name ?? (location_withheld ? 'withheld' : '');

/**
 * Where to look for the worker of an open alert: the last place, as every list of people has it. Without a worker, and
 * where the viewer sees no later position outside of a muster, it is where the alert was raised, and so it is for resolved
 * alerts. [decisions 4]
 */
export function alertPlace({ people, workers, sites }: KnownPlaces, alert: Alert): ShownPlace {
  const id = alert.worker?.id ?? '';
  const person = isOpen(alert) ? people.get(id) : undefined;
  const site = sites.get(workers.get(id)?.site_id ?? alert.site.id);
  return person === undefined || site === undefined || (person.muster === null && person.location === null)
    ? { place: whereText(alert), placeAt: null }
    : placeNow(site, person);
}

export type KnownPlaces = Pick<StreamState, 'people' | 'workers' | 'sites'>;

/** The same in words, such as `Tank Farm at 06:12`. */
export const whereNow = (world: KnownPlaces, alert: Alert): string => wordsOfPlace(alertPlace(world, alert));

/** Fewer helpers have a row each. */
const LEAST_FOLDED = 3;

/** A row of a list, which stands for `count` items: `members`, of which `item` is the first. */
export interface FoldedRow<Item> {
  readonly id: string;
  readonly item: Item;
  readonly count: number;
  readonly members: readonly Item[];
}

/** The row of one item. */
export const rowAlone = <Item extends { readonly id: string }>(item: Item): FoldedRow<Item> => ({
  id: item.id,
  item,
  count: 1,
  members: [item],
});

/**
 * The rows of a list of alerts: helpers are one row for each group (`foldedHelpers`), and the open critical alerts of one
 * person are one row, that of the first: somebody has to go there once.
 */
export function foldedAlerts(
  alerts: readonly Alert[],
  foldOf: (alert: Alert) => string | null,
  groupOf: (alert: Alert) => string,
  least?: number,
): FoldedRow<Alert>[] {
  const critical = openByWorker(alerts.filter(isOpenCritical));
  const others = new Set([...critical.values()].flatMap(([, ...rest]) => rest));
  const firsts = alerts.filter((alert) => !others.has(alert));
  return foldedHelpers(firsts, foldOf, groupOf, least).map((row) => {
    const members = isOpenCritical(row.item) ? (critical.get(row.item.worker?.id ?? '') ?? row.members) : row.members;
    return { ...row, count: members.length, members };
  });
}

/** Of a row with several alerts of one person: `2 alerts`; empty: it has one, or is a row of helpers. */
export const severalText = ({ item, count }: FoldedRow<Alert>): string =>
  count > 1 && isOpenCritical(item) ? `${count} alerts` : '';

/**
 * Who helps another is not in danger, and there may be many of them, so they are one row for each group, behind the other
 * items of the group. `foldOf`: the group of a helper, null for anybody else; `groupOf`: the group of any item; `least`: the
 * number of helpers from which they are folded.
 */
export function foldedHelpers<Item extends { readonly id: string }>(
  items: readonly Item[],
  foldOf: (item: Item) => string | null,
  groupOf: (item: Item) => string,
  least = LEAST_FOLDED,
): FoldedRow<Item>[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const fold = foldOf(item);
    if (fold !== null) groups.set(fold, [...(groups.get(fold) ?? []), item]);
  }
  const folds = [...groups].filter(([, { length }]) => length >= least);
  const folded = new Set(folds.flatMap(([, members]) => members));
  const rows = items.filter((item) => !folded.has(item)).map(rowAlone);
  for (const [, members] of folds) {
    const [first] = members as [Item];
    const last = rows.findLastIndex(({ item }) => groupOf(item) === groupOf(first));
    const next = rows.findIndex(({ item }) => items.indexOf(item) > items.indexOf(first));
    const row = { id: first.id, item: first, count: members.length, members };
    rows.splice(last >= 0 ? last + 1 : next >= 0 ? next : rows.length, 0, row);
  }
  return rows;
}

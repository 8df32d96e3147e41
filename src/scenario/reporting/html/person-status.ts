/** The status of people on a report's map, by colour, and by shape for readers who cannot distinguish the colours. */
import { type Html, html } from '../../../base/text/html.ts';
import { COUNTED_STATUSES } from '../../../contract/resources/headcount.ts';
import { ALERT_TERMS, HEADCOUNT_WORDS, HELP_REASON_WORDS } from '../../../contract/resources/vocabulary.ts';
import type { StreamPerson } from '../../../contract/stream.ts';

/** During a muster the status in the headcount; otherwise derived from open alerts. */
export const PERSON_STATUSES = ['calm', 'alert', ...COUNTED_STATUSES, 'trapped', 'injured', 'helping'] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];

/** The status since `t`, simulated ms from the start. */
export interface TimedStatus {
  readonly t: number;
  readonly status: PersonStatus;
}

/**
 * Returns the status in the headcount during an active muster, where a reason for help has priority; otherwise the
 * status of the open alert.
 */
export function statusOfSeen({
  status,
  reason,
  muster,
}: Pick<StreamPerson, 'status' | 'reason' | 'muster'>): PersonStatus {
  if (status === null) return reason === null ? 'calm' : 'alert';
  const help = muster?.help_reason ?? null;
  return status === 'help' && (help === 'trapped' || help === 'injured' || help === 'helping') ? help : status;
}

/** Shapes in a box of 18 x 18 around the origin. */
const SHAPES: { readonly [K in PersonStatus]: string } = {
  calm: '<circle r="6"/>',
  alert: '<path d="M0-9 8.5-2.8 5.3 7.3H-5.3L-8.5-2.8Z"/>',
  safe: '<circle r="8"/><path class="on" d="M-4 0-1 3.5 4.5-3.5"/>',
  pending: '<path d="M0-9 9 0 0 9-9 0Z"/>',
  wrong_point: '<rect x="-7.5" y="-7.5" width="15" height="15"/><path class="on" d="M-4-4 4 4M4-4-4 4"/>',
  trapped: '<path d="M0-9 9 7.5H-9Z"/><path class="on" d="M0-3V2M0 4.5V5.5"/>',
  injured: '<rect x="-8" y="-8" width="16" height="16" rx="2"/><path class="on" d="M0-5V5M-5 0H5"/>',
  helping: '<path d="M-9-7.5H9L0 9Z"/>',
  help: '<path d="M-4-9H4L9-4V4L4 9H-4L-9 4V-4Z"/>',
  no_signal: '<circle class="hollow" r="7"/>',
  not_worn: '<rect class="hollow" x="-7" y="-7" width="14" height="14"/>',
};

/** Of the open alert, or the status. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ALERT_TERMS).map(([type, { word }]) => [type, word])),
  ...HEADCOUNT_WORDS,
};

const WORDS: { readonly [K in PersonStatus]: string } = {
  ...HEADCOUNT_WORDS,
  ...HELP_REASON_WORDS,
  calm: 'no muster',
  alert: 'open alert',
};

/** Returns the status of a person with its reason, such as `called for help: trapped` or `open alert: sos`. */
export function statusWord({
  status,
  reason,
}: {
  readonly status: PersonStatus;
  readonly reason: string | null;
}): string {
  const why = reason === null || reason === status ? '' : `: ${REASON_WORDS[reason] ?? reason}`;
  return `${WORDS[status]}${status === 'safe' ? '' : why}`;
}

/** Describes the visible position of a person, or why there is none; `zone`: the smallest zone around the person. */
export function placeWord({ at, place, masked, floor }: SeenPlace, zone: string | null): string {
  if (at === null) return place === 'withheld' ? 'position withheld' : 'position unknown';
  if (masked) return 'in a privacy zone';
  const where = `${zone ?? 'outside the zones'}${floor === null ? '' : `, ${floor}`} (${at[0]}, ${at[1]} m)`;
  return place === 'last_known' ? `last known: ${where}` : where;
}

interface SeenPlace {
  readonly at: readonly [x: number, y: number] | null;
  readonly place: string;
  readonly masked: boolean;
  readonly floor: string | null;
}

export const wordOf = (status: PersonStatus): string => WORDS[status];

/** Shape definitions, used by id. */
export const shapeDefinitions = (known: ReadonlySet<PersonStatus>): string =>
  [...known].map((status) => `<g id="is-${status}">${SHAPES[status]}</g>`).join('');

/** Legend of the statuses that occur in the run. */
export function statusLegend(known: ReadonlySet<PersonStatus>): Html {
  const entries = PERSON_STATUSES.filter((status) => known.has(status)).map(
    (status) =>
      html`<li><svg class="key" viewBox="-11 -11 22 22" aria-hidden="true"><g class="person ${status}"><use href="#is-${status}"/></g></svg>${WORDS[status]}</li>`,
  );
  return html`<ul class="legend people">${entries}</ul>`;
}

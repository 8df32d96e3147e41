/** Announcements for screen readers: the headcount at most every 5 s, a critical alert at once. */

import { PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import type { Alert } from '../../../contract/resources.ts';
import { RANKS } from '../../../watching/regions/scene.ts';
import { worstAloud } from '../../../watching/regions/strip.ts';
import { worstOf } from '../../../watching/state/emergencies.ts';
import type { StreamState } from '../../../watching/state/state.ts';

const EVERY_MS = 5_000;
let announcedAt = Number.NEGATIVE_INFINITY;
let announced = '';

const put = (id: string, text: string): void => {
  const place = document.getElementById(id);
  if (place !== null) place.textContent = text;
};

export function announceAlert({ severity, title, status }: Alert): void {
  if (severity === 'critical' && status === 'unacknowledged') put('alarm', `Critical: ${title}`);
}

export const announceLoss = (text: string): void => put('alarm', text);

/** Key of the worst emergency; null before the first one is known. */
let worstKey: string | null = null;

/** Announces another worst emergency, and nothing else: not the first, which is on the page, and no count or second. */
export function announceWorst(world: StreamState): void {
  const worst = worstOf(world);
  const { key, text } = worst === null ? { key: '', text: 'Nothing is urgent any more.' } : worstAloud(worst);
  if (key === worstKey) return;
  // A new critical alert is announced by itself.
  if (worstKey !== null && !(worst?.muster === null && world.raised.has(key))) put('worst', text);
  worstKey = key;
}

export function announceCount(world: StreamState, siteId: string, monotonicMs: number): void {
  if (monotonicMs - announcedAt < EVERY_MS) return;
  const muster =
    (siteId === '' ? worstOf(world)?.muster : null) ??
    [...world.musters.values()].find(
      ({ site, status }) => status === 'active' && (siteId === '' || site.id === siteId),
    );
  if (muster === undefined) return;
  const { totals } = muster;
  const others = RANKS.flatMap((rank) =>
    rank === 'safe' || rank === 'rescue' || (totals[rank] ?? 0) === 0
      ? []
      : [`${totals[rank]} ${PERSON_TERMS[rank].spoken}`],
  );
  const text = [`${totals.safe} of ${totals.expected} safe`, ...others].join(', ');
  if (text === announced) return;
  [announced, announcedAt] = [text, monotonicMs];
  put('count', text);
}

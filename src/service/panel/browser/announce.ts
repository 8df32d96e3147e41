/** Announcements for screen readers: the headcount at most every 5 s, a critical alert at once. */
import type { Alert } from '../../../contract/resources.ts';
import { RANK_WORD, RANKS } from '../../../watching/regions/scene.ts';
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

export function announceCount({ musters }: StreamState, siteId: string, monotonicMs: number): void {
  if (monotonicMs - announcedAt < EVERY_MS) return;
  const muster = [...musters.values()].find(
    ({ site, status }) => status === 'active' && (siteId === '' || site.id === siteId),
  );
  if (muster === undefined) return;
  const { totals } = muster;
  const others = RANKS.flatMap((rank) =>
    rank === 'safe' || rank === 'rescue' || (totals[rank] ?? 0) === 0 ? [] : [`${totals[rank]} ${RANK_WORD[rank]}`],
  );
  const text = [`${totals.safe} of ${totals.expected} safe`, ...others].join(', ');
  if (text === announced) return;
  [announced, announcedAt] = [text, monotonicMs];
  put('count', text);
}

/** The content of the webhooks pane: each destination with its next attempt, then the deliveries. */
import type { WebhookDestination } from '../../contract/resources.ts';
import type { DatedDelivery } from '../../watching/state/state.ts';
import { NO_TALLY, quantile } from '../../watching/state/tallies.ts';
import { dayTime, spanText } from '../../watching/state/words.ts';
import type { Area } from '../terminal/layout.ts';
import { scrolled } from '../terminal/lines.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView, isRetry } from '../view.ts';

/** One row of the screen. `id`: the id of the destination that a click chooses; null: none. */
export type WebhookEntry =
  | {
      readonly kind: 'destination';
      readonly id: string;
      readonly destination: WebhookDestination;
      readonly figures: string;
    }
  | { readonly kind: 'failure'; readonly id: string; readonly text: string }
  | { readonly kind: 'delivery'; readonly id: null; readonly delivery: DatedDelivery; readonly how: string }
  | { readonly kind: 'text'; readonly id: null; readonly text: string };

export function webhooksHint({ deliveries, world, isKnown }: DashboardScene): string {
  const again = deliveries.filter(isRetry).length;
  const took = quantile(
    [...world.tallies.values()].flatMap(({ tookMs }) => tookMs),
    0.95,
  );
  const hint = [again === 0 ? '' : `${again} retrying`, took === null ? '' : `p95 ${Math.round(took)} ms`];
  return isKnown ? hint.filter((part) => part !== '').join('  ') : '';
}

export const failingCount = ({ destinations }: DashboardScene): number =>
  destinations.filter(({ failing_since }) => failing_since !== null).length;

export function webhookEntries(
  scene: DashboardScene,
  view: DashboardView,
  { height }: Area,
  dots: string,
): WebhookEntry[] {
  const { destinations, deliveries } = scene;
  if (!scene.isKnown) return [];
  if (destinations.length === 0) return noneEntries(view);
  const chosen = chosenOf(scene, view, 'webhooks');
  const most = Math.max(1, Math.min(destinations.length, Math.floor(height / 2)));
  const from = scrolled(destinations, chosen, most);
  const shown = destinations.slice(from, from + most);
  const lines = shown.flatMap((destination): WebhookEntry[] => {
    const { id, failing_since } = destination;
    const entry: WebhookEntry = { kind: 'destination', id, destination, figures: figuresOf(destination, scene) };
    // Failure details use a second row if there is still space for deliveries.
    if (failing_since === null || height - most < 3) return [entry];
    return [entry, { kind: 'failure', id, text: failureText(destination, scene) }];
  });
  const hidden = destinations.length - most;
  if (hidden > 0 && lines.length < height)
    lines.push({ kind: 'text', id: null, text: `${dots} ${hidden} more destinations` });
  const rest = deliveries.slice(0, Math.max(0, height - lines.length));
  return [
    ...lines,
    ...rest.map(
      (delivery): WebhookEntry => ({ kind: 'delivery', id: null, delivery, how: howText(delivery, scene.now) }),
    ),
  ];
}

function noneEntries(view: DashboardView): WebhookEntry[] {
  const why = blindTo(view, 'webhooks:manage');
  const texts = why === null ? ['No destination is registered.', 'POST /v1/webhooks registers one.'] : [why];
  return texts.map((text) => ({ kind: 'text', id: null, text }));
}

/** The delivery with the earliest retry. */
const nextOf = ({ deliveries }: DashboardScene, id: string): DatedDelivery | undefined =>
  deliveries
    .filter(
      ({ destination_id, next_attempt_at, tries }) => destination_id === id && next_attempt_at !== null && tries > 0,
    )
    .sort((a, b) => ((a.next_attempt_at ?? '') < (b.next_attempt_at ?? '') ? -1 : 1))[0];

const waitingOf = ({ deliveries }: DashboardScene, id: string): number =>
  deliveries.filter(({ destination_id, state }) => destination_id === id && state === 'waiting').length;

function failureText({ id, failing_since }: WebhookDestination, scene: DashboardScene): string {
  const next = nextOf(scene, id);
  return `since ${dayTime(failing_since ?? '')}${next === undefined ? '' : `, attempt ${next.tries + 1}`}, ${waitingOf(scene, id)} wait`;
}

/** For example `312 ok 2 failed next 0:24`. */
function figuresOf({ id, failing_since, is_active }: WebhookDestination, scene: DashboardScene): string {
  const { delivered, failed, lost } = scene.world.tallies.get(id) ?? NO_TALLY;
  const waiting = waitingOf(scene, id);
  const next = nextOf(scene, id)?.next_attempt_at;
  const isFailing = failing_since !== null;
  const parts = [
    is_active ? '' : 'off',
    isFailing && delivered === 0 ? '' : `${delivered} ok`,
    failed > 0 ? `${failed} failed` : isFailing ? 'failing' : '',
    lost > 0 ? `${lost} lost` : '',
    waiting > 0 && !isFailing ? `${waiting} wait` : '',
    next == null ? '' : `next ${spanText(Date.parse(next) - scene.now)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** The time of the next attempt, or the time at which the delivery ended. */
export const deliveryTime = (delivery: DatedDelivery): string =>
  dayTime(isRetry(delivery) ? (delivery.next_attempt_at ?? delivery.at) : delivery.at);

/** Shortens the sentence of the delivery log to a word. */
function failureWord(error: string | null | undefined): string {
  if (error == null) return 'no answer';
  const known: readonly (readonly [RegExp, string])[] = [
    [/within/, 'timeout'],
    [/refused/, 'refused'],
    [/resolve/, 'no such name'],
    [/TLS/, 'TLS'],
    [/closed/, 'hung up'],
    [/no way/, 'no way'],
  ];
  return known.find(([fits]) => fits.test(error))?.[1] ?? 'failed';
}

function howText(
  { state, tries, last_status, last_error, took_ms, next_attempt_at }: DatedDelivery,
  now: number,
): string {
  const answer = last_status === null ? failureWord(last_error) : String(last_status);
  if (state === 'delivered')
    return `${answer}${took_ms == null ? '' : `${String(Math.round(took_ms)).padStart(5)} ms`}`;
  if (state === 'lost') return `${answer} lost`;
  if (tries === 0) return 'in flight';
  const next = next_attempt_at === null ? '?' : spanText(Date.parse(next_attempt_at) - now);
  return `${answer} #${tries + 1} ${last_status === null ? '' : 'in '}${next}`;
}

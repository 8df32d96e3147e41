/** The rows of the webhooks pane: each destination with its next attempt, then the deliveries. */
import type { WebhookDestination } from '../../contract/resources.ts';
import type { DatedDelivery } from '../../watching/state/state.ts';
import { NO_TALLY, quantile } from '../../watching/state/tallies.ts';
import { dayTime, shortAge, spanText } from '../../watching/state/words.ts';
import { type PaneRow, textRow, windowOf } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView, isRetry } from '../view.ts';

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

export function webhookPaneRows(scene: DashboardScene, view: DashboardView, { height }: Area, theme: Theme): PaneRow[] {
  const { destinations, deliveries } = scene;
  if (!scene.isKnown) return [];
  if (destinations.length === 0) return noneRows(view);
  const chosen = chosenOf(scene, view, 'webhooks');
  const isOfDelivery = !destinations.some(({ id }) => id === chosen);
  // Destinations have half of the rows, and what the deliveries leave.
  const most = Math.max(1, Math.floor(height / 2), height - deliveries.length);
  const { shown, more } = windowOf(destinations, chosen, most);
  const hasReasons = shown.length + destinations.filter(isFailing).length + 3 <= height;
  const rows = shown.flatMap((destination): PaneRow[] => {
    const row = destinationRow(destination, scene, theme);
    // Failure details use a second row if there is still space for deliveries.
    return isFailing(destination) && hasReasons
      ? [row, textRow(`  ${failureText(destination, scene)}`, 'no_signal')]
      : [row];
  });
  if (more !== null) rows.push(textRow(`${theme.glyphs.dots} ${more} destinations`));
  const rest = windowOf(deliveries, isOfDelivery ? chosen : null, Math.max(0, height - rows.length));
  const last = rest.more === null ? [] : [textRow(`${theme.glyphs.dots} ${rest.more}`)];
  return [...rows, ...deliveryRows(rest.shown, scene), ...last];
}

/** All destinations and deliveries, for the screen reader. */
export const allWebhookRows = (scene: DashboardScene, view: DashboardView, theme: Theme): PaneRow[] =>
  scene.destinations.length === 0
    ? noneRows(view).slice(0, 1)
    : [
        ...scene.destinations.map((destination) => destinationRow(destination, scene, theme)),
        ...deliveryRows(scene.deliveries, scene),
      ];

function deliveryRows(deliveries: readonly DatedDelivery[], { now, world }: DashboardScene): PaneRow[] {
  const texts = new Map(world.events.map(({ id, text }) => [id, text]));
  return deliveries.map((delivery) => deliveryRow(delivery, now, texts));
}

const isFailing = ({ failing_since }: WebhookDestination): boolean => failing_since !== null;

function destinationRow(destination: WebhookDestination, scene: DashboardScene, { glyphs }: Theme): PaneRow {
  const { id, url, is_active, failing_since } = destination;
  const name = url.replace(/^https?:\/\//, '');
  const host = name.replace(/\/.*$/, '');
  const failing = failing_since === null ? '' : `, failing for ${shortAge(scene.now - Date.parse(failing_since))}`;
  const { delivered, failed, lost } = scene.world.tallies.get(id) ?? NO_TALLY;
  const waiting = waitingOf(scene, id);
  return {
    id,
    kind: 'destination',
    cells: [
      {
        text: [isFailing(destination) ? glyphs.failed : glyphs.delivered],
        spoken: '',
        token: isFailing(destination) ? 'critical' : is_active ? 'safe' : 'dim',
        priority: 4,
      },
      // The host distinguishes destinations better than the path.
      { text: [name, host], spoken: `Webhooks to ${host}`, token: 'plain', priority: 2, least: 10, grows: true },
      {
        text: [figuresOf(destination, scene)],
        spoken: `${delivered} delivered, ${failed} attempts failed, ${waiting} waiting, ${lost} lost${failing}`,
        token: isFailing(destination) ? 'critical' : 'dim',
        priority: 3,
        isRight: true,
        least: 8,
      },
    ],
  };
}

/** What was delivered, how the last attempt went, and the age of its end, or the time to the next one. */
function deliveryRow(delivery: DatedDelivery, now: number, texts: ReadonlyMap<string, string>): PaneRow {
  const { id, event_id, event_type, state, tries, next_attempt_at } = delivery;
  const token: Role =
    state === 'delivered' ? 'safe' : state === 'lost' ? 'critical' : tries === 0 ? 'dim' : 'no_signal';
  const text = texts.get(event_id);
  const [answer, rest] = howTexts(delivery);
  const age =
    state !== 'waiting'
      ? shortAge(now - Date.parse(delivery.at))
      : tries === 0 || next_attempt_at === null
        ? ''
        : `in ${spanText(Date.parse(next_attempt_at) - now)}`;
  return {
    id,
    kind: 'delivery',
    cells: [
      {
        text: text === undefined ? [event_type] : [`${event_type}  ${text}`, text],
        spoken: text === undefined ? event_type : `${event_type}: ${text}`,
        token: 'plain',
        priority: 1,
        least: 10,
        grows: true,
      },
      { text: [answer], spoken: answer, token, priority: 4 },
      { text: [rest], spoken: rest, token, priority: 2, isRight: true },
      { text: [age], spoken: age, token: 'dim', priority: 3, isRight: true },
    ],
  };
}

function noneRows(view: DashboardView): PaneRow[] {
  const why = blindTo(view, 'webhooks:manage');
  const texts = why === null ? ['No destination is registered.', 'POST /v1/webhooks registers one.'] : [why];
  return texts.map((text) => textRow(text));
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

/** How the last attempt went, and how long it took or which one is next. */
function howTexts({ state, tries, last_status, last_error, took_ms }: DatedDelivery): readonly [string, string] {
  const answer = last_status === null ? failureWord(last_error) : String(last_status);
  if (state === 'delivered') return [answer, took_ms === null ? '' : `${Math.round(took_ms)} ms`];
  if (state === 'lost') return [answer, 'lost'];
  return tries === 0 ? ['in flight', ''] : [answer, `#${tries + 1}`];
}

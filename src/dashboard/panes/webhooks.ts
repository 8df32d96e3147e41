/** The rows of the webhooks pane: each destination with its next attempt, then the deliveries. */
import { DELIVERY_TERMS } from '../../contract/resources/vocabulary.ts';
import type { WebhookDestination } from '../../contract/resources.ts';
import { eventText } from '../../watching/state/events.ts';
import type { DatedDelivery, StreamState } from '../../watching/state/state.ts';
import { NO_TALLY, quantile } from '../../watching/state/tallies.ts';
import { dayTime, shortAge, spanText } from '../../watching/state/words.ts';
import { type Column, cellsFor, type PaneRow, textRow, windowOf } from '../table.ts';
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
  return [...rows, ...deliveryRows(rest.shown, scene.now, scene.world), ...last];
}

/** All destinations and deliveries, for the screen reader. */
export const allWebhookRows = (scene: DashboardScene, view: DashboardView, theme: Theme): PaneRow[] =>
  scene.destinations.length === 0
    ? noneRows(view).slice(0, 1)
    : [
        ...scene.destinations.map((destination) => destinationRow(destination, scene, theme)),
        ...deliveryRows(scene.deliveries, scene.now, scene.world),
      ];

/** The host of an address. */
export const hostOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

const isFailing = ({ failing_since }: WebhookDestination): boolean => failing_since !== null;

const DESTINATION_COLUMNS: readonly Column<WebhookDestination, { scene: DashboardScene; theme: Theme }>[] = [
  {
    priority: 4,
    cell: (one, { theme: { glyphs } }) =>
      isFailing(one) ? [glyphs.failed, 'critical', ''] : [glyphs.delivered, one.is_active ? 'safe' : 'dim', ''],
  },
  {
    // The host distinguishes destinations better than the path.
    priority: 2,
    least: 10,
    grows: true,
    cell: ({ url }) => [[url.replace(/^https?:\/\//, ''), hostOf(url)], 'plain', `Webhooks to ${hostOf(url)}`],
  },
  {
    priority: 3,
    isRight: true,
    least: 8,
    cell: (one, { scene }) => [figuresOf(one, scene), isFailing(one) ? 'critical' : 'dim', spokenFigures(one, scene)],
  },
];

const destinationRow = (destination: WebhookDestination, scene: DashboardScene, theme: Theme): PaneRow => ({
  id: destination.id,
  kind: 'destination',
  cells: cellsFor(DESTINATION_COLUMNS, destination, { scene, theme }),
});

interface DeliveryContext {
  /** Simulated ms since the epoch. */
  readonly now: number;
  /** The texts of the events, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
  /** The destinations by their ids; a delivery says which one it is for if there are several. */
  readonly destinations: StreamState['destinations'];
}

/** What was delivered, how the last attempt went, and the age of its end, or the time to the next one. */
const DELIVERY_COLUMNS: readonly Column<DatedDelivery, DeliveryContext>[] = [
  {
    priority: 3,
    // Rather than cutting what occurred, its type and the host are omitted.
    least: 24,
    grows: true,
    cell: ({ event_id, event_type }, { texts }) => {
      const text = texts.get(event_id);
      return text === undefined ? [event_type, 'plain'] : [text, 'plain', `${event_type}: ${text}`];
    },
  },
  {
    priority: 1,
    cell: ({ event_id, event_type }, { texts }) => [texts.has(event_id) ? event_type : '', 'dim', ''],
  },
  {
    priority: 2,
    cell: ({ destination_id }, { destinations }) => {
      const host = hostOf(destinations.get(destination_id)?.url ?? destination_id);
      return destinations.size < 2 ? ['', 'dim'] : [host, 'dim', `to ${host}`];
    },
  },
  {
    priority: 6,
    cell: (delivery) => [
      answerText(delivery),
      roleOf(delivery),
      `${stateWord(delivery)} ${answerText(delivery)}`.trim(),
    ],
  },
  {
    priority: 4,
    isRight: true,
    cell: (delivery) => {
      const { state, tries, took_ms } = delivery;
      const role = roleOf(delivery);
      if (state === 'delivered') return [took_ms === null ? '' : `${Math.round(took_ms)} ms`, role];
      if (state === 'lost') return [DELIVERY_TERMS.lost.word, role, ''];
      return tries === 0 ? ['', role] : [`#${tries + 1}`, role, `attempt ${tries + 1}`];
    },
  },
  {
    priority: 5,
    isRight: true,
    part: 'age',
    cell: ({ state, at, tries, next_attempt_at }, { now }) => {
      if (state !== 'waiting') {
        const age = shortAge(now - Date.parse(at));
        return [age, 'dim', `${age} ago`];
      }
      const isFirst = tries === 0 || next_attempt_at === null;
      return [isFirst ? '' : `in ${spanText(Date.parse(next_attempt_at) - now)}`, 'dim'];
    },
  },
];

const stateWord = ({ state, tries }: DatedDelivery): string =>
  state === 'waiting' ? (tries === 0 ? '' : DELIVERY_TERMS.failed.word) : DELIVERY_TERMS[state].word;

const roleOf = ({ state, tries }: DatedDelivery): Role =>
  state === 'delivered' ? 'safe' : state === 'lost' ? 'critical' : tries === 0 ? 'dim' : 'no_signal';

/** The rows of deliveries. `now`: simulated ms since the epoch. */
export function deliveryRows(deliveries: readonly DatedDelivery[], now: number, world: StreamState): PaneRow[] {
  const texts = new Map(world.events.map((event) => [event.id, eventText(event)]));
  const context = { now, texts, destinations: world.destinations };
  return deliveries.map((delivery) => ({
    id: delivery.id,
    kind: 'delivery',
    cells: cellsFor(DELIVERY_COLUMNS, delivery, context),
  }));
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

function spokenFigures({ id, failing_since }: WebhookDestination, scene: DashboardScene): string {
  const { delivered, failed, lost } = scene.world.tallies.get(id) ?? NO_TALLY;
  const failing = failing_since === null ? '' : `, failing for ${shortAge(scene.now - Date.parse(failing_since))}`;
  return `${delivered} delivered, ${failed} attempts failed, ${waitingOf(scene, id)} waiting, ${lost} lost${failing}`;
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

/** How the last attempt went. */
const answerText = ({ state, tries, last_status, last_error }: DatedDelivery): string =>
  state === 'waiting' && tries === 0
    ? 'in flight'
    : last_status === null
      ? failureWord(last_error)
      : String(last_status);

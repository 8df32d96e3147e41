/** The webhooks pane: each destination, its next attempt, and the last deliveries. */
import type { WebhookDestination } from '../../contract/resources.ts';
import type { DatedDelivery } from '../../watching/state.ts';
import { NO_TALLY, quantile } from '../../watching/tallies.ts';
import { dayTime, spanText } from '../../watching/words.ts';
import type { Area, PaneLines } from '../layout.ts';
import { blank, cut, row, scrolled, span, type TextLine, type TextSpan, widthOf } from '../lines.ts';
import type { Role, Theme } from '../theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

export function webhooksPaneLines(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): PaneLines {
  const again = scene.deliveries.filter(({ state, tries }) => state === 'waiting' && tries > 0).length;
  const took = quantile(
    [...scene.world.tallies.values()].flatMap(({ tookMs }) => tookMs),
    0.95,
  );
  const hint = [again === 0 ? '' : `${again} retrying`, took === null ? '' : `p95 ${Math.round(took)} ms`];
  return {
    title: '5 Webhooks',
    hint: hint.filter((part) => part !== '').join('  '),
    lines: webhookLines(scene, view, theme, room),
  };
}

export function webhookLines(
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  { width, height }: Area,
): TextLine[] {
  const { destinations, deliveries } = scene;
  if (destinations.length === 0) {
    const why = blindTo(view, 'webhooks:manage');
    const none: TextLine = [blank(1), span(why ?? 'No destination is registered.', 'dim')];
    return why === null ? [none, [blank(1), span('POST /v1/webhooks registers one', 'dim')]] : [none];
  }
  const chosen = chosenOf(scene, view, 'webhooks');
  const most = Math.max(1, Math.min(destinations.length, Math.floor(height / 2)));
  const from = scrolled(destinations, chosen, most);
  const lines = destinations.slice(from, from + most).flatMap((destination): TextLine[] => {
    const isChosen = destination.id === chosen && view.pane === 'webhooks';
    const mark = isChosen ? span(theme.glyphs.mark, 'focus') : blank(1);
    const line = receiverLine(mark, destination, scene, width, theme);
    // Failure details take a second row if that leaves room for deliveries.
    if (destination.failing_since === null || height - most < 3) return [line];
    const failure = cut(failureText(destination, scene), width - 4, theme.glyphs.dots);
    return [line, [blank(3), span(failure, 'no_signal')]];
  });
  const rest = deliveries.slice(0, Math.max(0, height - lines.length));
  return [...lines, ...rest.map((delivery) => attemptLine(delivery, scene, width, theme))];
}

/** The earliest retry. */
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

function receiverLine(
  mark: TextSpan,
  { id, url, failing_since, is_active }: WebhookDestination,
  scene: DashboardScene,
  width: number,
  { glyphs }: Theme,
): TextLine {
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
  ].filter((part) => part !== '');
  const tail = parts.join(' ');
  const room = width - 5 - tail.length;
  const name = url.replace(/^https:\/\//, '');
  // The host distinguishes destinations better than the path.
  const shown = [...name].length <= room ? name : cut(name.replace(/\/.*$/, ''), room, glyphs.dots);
  const sign = span(isFailing ? glyphs.rescue : glyphs.safe, isFailing ? 'critical' : is_active ? 'safe' : 'dim');
  const left = [mark, sign, blank(1), span(shown)];
  return row(width, left, [span(`${tail} `, isFailing ? 'critical' : 'dim')]);
}

/** The sentence of the delivery log in a word. */
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

function attemptLine(delivery: DatedDelivery, { now }: DashboardScene, width: number, { glyphs }: Theme): TextLine {
  const { at, event_type, state, tries } = delivery;
  const how = howText(delivery, now);
  const role: Role = state === 'delivered' ? 'safe' : state === 'lost' ? 'critical' : tries === 0 ? 'dim' : 'no_signal';
  const left = [blank(1), span(dayTime(at), 'dim'), blank(1)];
  const type = span(cut(event_type, width - widthOf(left) - 2 - how.length, glyphs.dots));
  return row(width, [...left, type], [span(`${how} `, role)]);
}

function howText(
  { state, tries, last_status, last_error, took_ms, next_attempt_at }: DatedDelivery,
  now: number,
): string {
  const answer = last_status === null ? failureWord(last_error) : String(last_status);
  if (state === 'delivered')
    return `${answer}${took_ms == null ? '' : `${String(Math.round(took_ms)).padStart(5)} ms`}`;
  if (state === 'lost') return `${answer} lost`;
  if (tries === 0) return 'on its way';
  const next = next_attempt_at === null ? '?' : spanText(Date.parse(next_attempt_at) - now);
  return `${answer} #${tries + 1} ${last_status === null ? '' : 'in '}${next}`;
}

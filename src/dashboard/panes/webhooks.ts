/** What the integrator's receivers heard: each destination, what waits for its next try, and the last deliveries. */
import type { WebhookDestination } from '../../contract/resources.ts';
import { dayTime, spanText } from '../../watching/people.ts';
import { NO_TALLY, p95 } from '../../watching/tallies.ts';
import type { ToldDelivery } from '../../watching/world.ts';
import { type Area, box, scrolled } from '../box.ts';
import { cut, type Paper } from '../paper.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';

export function webhooksPane(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const again = scene.deliveries.filter(({ state, tries }) => state === 'waiting' && tries > 0).length;
  const took = p95([...scene.world.tallies.values()].flatMap(({ tookMs }) => tookMs));
  const inner = box(paper, area, theme, {
    title: '5 Webhooks',
    hint: [again === 0 ? '' : `${again} retrying`, took === null ? '' : `p95 ${Math.round(took)} ms`]
      .filter((part) => part !== '')
      .join('  '),
    focused: view.pane === 'webhooks',
  });
  webhookRows(paper, inner, scene, view, theme);
}

export function webhookRows(paper: Paper, inner: Area, scene: Scene, view: View, theme: Theme): void {
  const { destinations, deliveries } = scene;
  const end = inner.x + inner.width;
  if (destinations.length === 0) {
    const why = blindTo(view, 'webhooks:manage');
    paper.write(inner.x + 1, inner.y, why ?? 'No destination is registered.', 'dim', end);
    if (why === null) paper.write(inner.x + 1, inner.y + 1, 'POST /v1/webhooks registers one', 'dim', end);
    return;
  }
  const chosen = chosenOf(scene, view, 'webhooks');
  const most = Math.max(1, Math.min(destinations.length, Math.floor(inner.height / 2)));
  const from = scrolled(
    destinations.findIndex(({ id }) => id === chosen),
    destinations.length,
    most,
  );
  let y = inner.y;
  for (const destination of destinations.slice(from, from + most)) {
    if (destination.id === chosen && view.pane === 'webhooks') paper.write(inner.x, y, theme.glyphs.mark, 'focus');
    receiver(paper, inner, y, destination, scene, theme);
    y += 1;
    // How long and how often it failed stands below, where that leaves room for what was sent.
    if (destination.failing_since === null || inner.height - most < 3) continue;
    paper.write(
      inner.x + 3,
      y,
      cut(failureText(destination, scene), inner.width - 4, theme.glyphs.dots),
      'no_signal',
      end,
    );
    y += 1;
  }
  for (const delivery of deliveries) {
    if (y >= inner.y + inner.height) break;
    attempt(paper, inner, y, delivery, scene, theme);
    y += 1;
  }
}

/** The next one is first on the ladder. */
const nextOf = ({ deliveries }: Scene, id: string): ToldDelivery | undefined =>
  deliveries
    .filter(
      ({ destination_id, next_attempt_at, tries }) => destination_id === id && next_attempt_at !== null && tries > 0,
    )
    .sort((a, b) => ((a.next_attempt_at ?? '') < (b.next_attempt_at ?? '') ? -1 : 1))[0];

const waitingOf = ({ deliveries }: Scene, id: string): number =>
  deliveries.filter(({ destination_id, state }) => destination_id === id && state === 'waiting').length;

function failureText({ id, failing_since }: WebhookDestination, scene: Scene): string {
  const next = nextOf(scene, id);
  return `since ${dayTime(failing_since ?? '')}${next === undefined ? '' : `, attempt ${next.tries + 1}`}, ${waitingOf(scene, id)} wait`;
}

function receiver(
  paper: Paper,
  inner: Area,
  y: number,
  { id, url, failing_since, is_active }: WebhookDestination,
  scene: Scene,
  { glyphs }: Theme,
): void {
  const end = inner.x + inner.width;
  const { delivered, failed, lost } = scene.world.tallies.get(id) ?? NO_TALLY;
  const waiting = waitingOf(scene, id);
  const next = nextOf(scene, id)?.next_attempt_at;
  const isFailing = failing_since !== null;
  paper.write(
    inner.x + 1,
    y,
    isFailing ? glyphs.help : glyphs.safe,
    isFailing ? 'help' : is_active ? 'safe' : 'dim',
    end,
  );
  const parts = [
    is_active ? '' : 'off',
    isFailing && delivered === 0 ? '' : `${delivered} ok`,
    failed > 0 ? `${failed} failed` : isFailing ? 'failing' : '',
    lost > 0 ? `${lost} lost` : '',
    waiting > 0 && !isFailing ? `${waiting} wait` : '',
    next == null ? '' : `next ${spanText(Date.parse(next) - scene.now)}`,
  ].filter((part) => part !== '');
  const tail = parts.join(' ');
  paper.write(end - 1 - tail.length, y, tail, isFailing ? 'help' : 'dim', end);
  const room = inner.width - 5 - tail.length;
  const name = url.replace(/^https:\/\//, '');
  // The path tells one from another less than the name does.
  const shown = [...name].length <= room ? name : cut(name.replace(/\/.*$/, ''), room, glyphs.dots);
  paper.write(inner.x + 3, y, shown, 'plain', end);
}

/** In a word, what stands in the log in a sentence. */
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

function attempt(
  paper: Paper,
  inner: Area,
  y: number,
  { at, event_type, state, tries, last_status, last_error, took_ms, next_attempt_at }: ToldDelivery,
  { now }: Scene,
  { glyphs }: Theme,
): void {
  const end = inner.x + inner.width;
  const answer = last_status === null ? failureWord(last_error) : String(last_status);
  const how =
    state === 'delivered'
      ? `${answer}${took_ms == null ? '' : `${String(Math.round(took_ms)).padStart(5)} ms`}`
      : state === 'lost'
        ? `${answer} lost`
        : tries === 0
          ? 'on its way'
          : `${answer} #${tries + 1} ${last_status === null ? '' : 'in '}${next_attempt_at === null ? '?' : spanText(Date.parse(next_attempt_at) - now)}`;
  paper.write(inner.x + 1, y, dayTime(at), 'dim', end);
  paper.write(inner.x + 10, y, cut(event_type, inner.width - 12 - how.length, glyphs.dots), 'plain', end);
  paper.write(
    end - 1 - how.length,
    y,
    how,
    state === 'delivered' ? 'safe' : state === 'lost' ? 'help' : tries === 0 ? 'dim' : 'no_signal',
    end,
  );
}

/** What the integrator's receivers heard: each destination, what waits for its next try, and the last deliveries. */
import type { WebhookDestination } from '../../contract/resources.ts';
import { dayTime, spanText } from '../../watching/people.ts';
import type { ToldDelivery } from '../../watching/world.ts';
import { type Area, box, scrolled } from '../box.ts';
import { cut, type Paper } from '../paper.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';

export function webhooksPane(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const waiting = scene.deliveries.filter(({ state, tries }) => state === 'waiting' && tries > 0).length;
  const inner = box(paper, area, theme, {
    title: '5 Webhooks',
    hint: waiting === 0 ? '' : `${waiting} to be tried again`,
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
  }
  for (const delivery of deliveries) {
    if (y >= inner.y + inner.height) break;
    attempt(paper, inner, y, delivery, scene, theme);
    y += 1;
  }
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
  const own = scene.deliveries.filter(({ destination_id }) => destination_id === id);
  const ok = own.filter(({ state }) => state === 'delivered').length;
  const lost = own.filter(({ state }) => state === 'lost').length;
  const due = own
    .flatMap(({ next_attempt_at, tries }) => (next_attempt_at === null || tries === 0 ? [] : [next_attempt_at]))
    .sort()[0];
  const isFailing = failing_since !== null;
  paper.write(
    inner.x + 1,
    y,
    isFailing ? glyphs.help : glyphs.safe,
    isFailing ? 'help' : is_active ? 'safe' : 'dim',
    end,
  );
  const parts = [
    !is_active ? 'off' : '',
    isFailing ? `failing ${spanText(scene.now - Date.parse(failing_since))}` : '',
    due === undefined ? '' : `next ${spanText(Date.parse(due) - scene.now)}`,
    lost > 0 ? `${lost} lost` : '',
    isFailing ? '' : `${ok} ok`,
  ].filter((part) => part !== '');
  const tail = parts.join(' ');
  paper.write(end - 1 - tail.length, y, tail, isFailing ? 'help' : 'dim', end);
  paper.write(
    inner.x + 3,
    y,
    cut(url.replace(/^https:\/\//, ''), inner.width - 5 - tail.length, glyphs.dots),
    'plain',
    end,
  );
}

function attempt(
  paper: Paper,
  inner: Area,
  y: number,
  { at, event_type, state, tries, last_status, next_attempt_at }: ToldDelivery,
  { now }: Scene,
  { glyphs }: Theme,
): void {
  const end = inner.x + inner.width;
  const how =
    state === 'delivered'
      ? String(last_status ?? 'ok')
      : state === 'lost'
        ? 'lost'
        : tries === 0
          ? 'on its way'
          : `${last_status ?? 'failed'} #${tries + 1} in ${next_attempt_at === null ? '?' : spanText(Date.parse(next_attempt_at) - now)}`;
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

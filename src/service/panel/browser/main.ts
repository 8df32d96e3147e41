/** The script of a page: follows the stream, and redraws changed regions with the same code as the server. */
import { addTheme, applyTheme } from '../../../base/browser/theme.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { everyMs, pageMs } from '../../../base/time/page-time.ts';
import type { ChangeTo, StreamChange } from '../../../contract/stream.ts';
import { type Region, type Trigger, triggersOf } from '../../../watching/regions/regions.ts';
import { PANEL_LINKS, type PanelLook, type PanelReader } from '../../../watching/regions/scene.ts';
import { tabTitle } from '../../../watching/regions/sites.ts';
import { whereNow } from '../../../watching/state/happened.ts';
import { afterChange, afterSnapshot, EMPTY_STATE, nowOf, type StreamState } from '../../../watching/state/state.ts';
import { dayTime } from '../../../watching/state/words.ts';
import { drawAges, LiveRegions } from '../../../watching/updates/regions.ts';
import { askAgain } from './again.ts';
import { announceAlert, announceCount, announceLoss, announceWorst } from './announce.ts';
import { offerCopies } from './copy.ts';
import { listenToForms } from './forms.ts';
import { holdOf } from './hold.ts';
import { openPageStream } from './stream.ts';

applyTheme();
addTheme();

const { dataset } = document.body;
let reader: PanelReader = {
  acts: dataset['acts'] === '1',
  operator: dataset['operator'] ?? '',
  filter: dataset['filter'] ?? '',
  all: dataset['all'] === '1',
  by: dataset['by'] === 'place' ? 'place' : 'person',
  cli: dataset['cli'] ?? 'sandbox',
  links: PANEL_LINKS,
  setsClock: dataset['setsClock'] === '1',
};

let world: StreamState = EMPTY_STATE;

const dirty = new Set<Trigger>();
/** Ids of new alerts, whose rows are highlighted once. */
const fresh: string[] = [];
let isDue = false;
/** Connected, but not drawn since: the page is live when it shows what the stream knows. */
let isConnecting = false;
/** The reader has asked for another list, so that it is drawn even while it is held. */
let isForced = false;
const regions = new LiveRegions();
const isHeld = (list: HTMLElement): boolean => holdOf(list, () => wake('person')).isHeld && !isForced;

function wake(...subjects: readonly Trigger[]): void {
  for (const subject of subjects) dirty.add(subject);
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(draw);
}

function draw(): void {
  isDue = false;
  if (world.clock === null) return;
  const begun = pageMs();
  const look: PanelLook = { world, now: nowOf(world, begun) ?? 0, reader };
  for (const element of document.querySelectorAll<HTMLElement>('[data-region]')) {
    const region = element.dataset['region'] as Region;
    if (triggersOf(region).some((trigger) => dirty.has(trigger)))
      regions.draw(element, region, look, element.dataset, isHeld);
  }
  if (dirty.has('second')) drawAges(look.now);
  if (dirty.has('person')) drawPlaces();
  dirty.clear();
  isForced = false;
  for (const id of fresh.splice(0)) document.querySelector(`tr[data-key="${CSS.escape(id)}"]`)?.classList.add('new');
  const title = tabTitle(
    world,
    dataset['site'] === '' ? null : (dataset['site'] ?? null),
    `${dataset['title']} · sandbox`,
  );
  if (document.title !== title) document.title = title;
  announceCount(world, dataset['site'] ?? '', begun);
  announceWorst(world);
  if (isConnecting) connected();
}

/** The places of the workers of alerts: a position does not redraw the rows. */
function drawPlaces(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-whose]')) {
    const alert = world.alerts.get(place.dataset['whose'] ?? '');
    const text = alert === undefined ? null : whereNow(world, alert);
    if (text !== null && place.textContent !== text) place.textContent = text;
  }
}

/** A new alert is announced and highlighted. */
function announceEvent({ type, data }: ChangeTo<'event'>['event']): void {
  if (type !== 'alert.created' || !('alert' in data)) return;
  // The panel shows names, but the event has the view of the company's contract, so the alert of the stream is used.
  announceAlert(world.alerts.get(data.alert.id) ?? data.alert);
  fresh.push(data.alert.id);
}

const refresh = (subject: string, id: string): void => {
  for (const part of document.querySelectorAll(`[data-changes="${subject} ${CSS.escape(id)}"]`)) askAgain(part);
};

/** Id of the worker whose timeline the page shows; empty on another page. */
const followed = document.querySelector('[data-changes^="person "]')?.getAttribute('data-changes')?.slice(7) ?? '';

/** A report, an alert or a headcount may add an entry to the timeline of a worker. */
function followPerson(change: Exclude<StreamChange, { readonly gone: string }>): void {
  if (followed === '') return;
  const isOfPerson =
    change.subject === 'muster' ||
    (change.subject === 'alert' && change.alert.worker?.id === followed) ||
    (change.subject === 'person' && change.people.some(({ worker_id }) => worker_id === followed));
  if (isOfPerson) refresh('person', followed);
}

/**
 * A scenario adds and removes sites, and the server draws lists of alerts, musters and deliveries, so these parts are
 * fetched again.
 */
function followParts(change: StreamChange): void {
  if (!following.some(({ subjects }) => subjects.includes(change.subject))) return;
  const isKnownSite = change.subject === 'site' && !('gone' in change) && world.sites.has(change.site.id);
  if (isKnownSite) return;
  for (const { part, subjects } of following) if (subjects.includes(change.subject)) askAgain(part);
}
const following = [...document.querySelectorAll<HTMLElement>('[data-follows]')].map((part) => ({
  part,
  subjects: (part.dataset['follows'] ?? '').split(' '),
}));

const isStale = (): boolean => document.body.classList.contains('stale');

function connected(): void {
  isConnecting = false;
  document.body.classList.remove('stale');
  showConnection('live', 'dim');
}

/** Shows the first failure; later attempts do not change the message. */
function disconnected(why: string): void {
  if (isStale()) return;
  const now = nowOf(world, pageMs());
  if (now === null) return showConnection(why, 'broken');
  document.body.classList.add('stale');
  const text = `Connection lost at ${dayTime(formatInstant(now))}; this is what was known then.`;
  showConnection(text, 'broken');
  announceLoss(text);
}

function showConnection(text: string, look: string): void {
  const live = document.getElementById('live');
  if (live === null) return;
  live.textContent = text;
  live.className = look;
}

openPageStream(dataset['ticket'] ?? '', {
  snapshot: (snapshot) => {
    const isFirst = world.clock === null;
    world = afterSnapshot(world, snapshot, pageMs());
    // The server may have restarted, so all fetched parts are fetched again.
    if (!isFirst)
      for (const part of document.querySelectorAll('[data-changes],[data-follows~=delivery]')) askAgain(part);
    wake('clock', 'site', 'worker', 'person', 'alert', 'muster', 'not_safe', 'destination', 'second');
  },
  change: (change) => {
    followParts(change);
    world = afterChange(world, change, pageMs(), { keeps: false });
    if (!('gone' in change)) {
      followPerson(change);
      if (change.subject === 'alert') refresh('alert', change.alert.id);
      else if (change.subject === 'muster') refresh('muster', change.muster.id);
      else if (change.subject === 'event') announceEvent(change.event);
    }
    wake(change.subject);
  },
  state: (why) => {
    isConnecting = why === null;
    if (why === null) wake('second');
    else disconnected(why);
  },
});

// Ages and the clock pause while nothing is received; otherwise they would suggest that the page is current.
everyMs(1_000, () => {
  if (!isStale()) wake('second');
});
// The stream does not contain running scenarios and calls of clients, so these parts are polled.
everyMs(2_000, () => {
  if (document.hidden || isStale()) return;
  for (const part of document.querySelectorAll('[data-polled]')) askAgain(part);
  for (const run of document.querySelectorAll('[data-runs]')) {
    const part = run.closest('[data-part]');
    if (part !== null) askAgain(part);
  }
});
listenToForms();
offerCopies();

function ask(next: PanelReader): void {
  [reader, isForced] = [next, true];
  wake('person');
}

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset['filter'] === undefined) return;
  ask({ ...reader, filter: target.value });
});
// The filter of a list applies at once; its list is fetched again.
document.addEventListener('change', ({ target }) => {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form[data-at-once]') : null;
  const list = form?.parentElement?.querySelector('[data-part=list]') ?? form?.closest('[data-follows]') ?? null;
  if (form === null || list === null) return;
  // A ticked box has no value either.
  const isBox = (name: string): boolean => form.querySelector(`[type=checkbox][name="${name}"]`) !== null;
  const chosen = [...new FormData(form)]
    .map(([name, value]): [string, string] => [name, String(value)])
    .filter(([name, value]) => value !== '' || isBox(name));
  history.replaceState(null, '', `${location.pathname}?${new URLSearchParams(chosen)}`);
  askAgain(list);
});
document.addEventListener('submit', (event) => {
  if (event.target instanceof Element && event.target.querySelector('[data-filter]') !== null) event.preventDefault();
});
document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest('[data-show]') !== null) {
    // From the keyboard: on to the first row, because the button goes.
    if (event.detail === 0) document.querySelector<HTMLElement>('[data-hold] a')?.focus();
    return ask(reader);
  }
  if (event.target.closest('[data-more]') === null) return;
  event.preventDefault();
  ask({ ...reader, all: true });
});

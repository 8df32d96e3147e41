/** Converts a key press to a change of the view and an order to the sandbox. All functions are pure. */
import { HIGHEST_SPEED } from '../contract/operations/clock.ts';
import { PERSON_TERMS } from '../contract/resources/vocabulary.ts';
import { emergenciesOf } from '../watching/state/emergencies.ts';
import { siteFrameOf } from '../watching/state/site-frame.ts';
import { type StreamState, sitesOf } from '../watching/state/state.ts';
import { effectOf, type KeyEffect } from './keys.ts';
import { fitBox, type MapBox, siteBox } from './map-fit.ts';
import { alertOf, questionFor } from './orders.ts';
import { PEOPLE_ORDERS } from './people-order.ts';
import { THEME_NAMES } from './terminal/theme.ts';
import {
  chosenOf,
  chosenWorkerOf,
  type DashboardScene,
  type DashboardView,
  idsOf,
  PANES,
  type Pane,
  type ViewOrder,
  type ViewQuestion,
} from './view.ts';

export interface Pressed {
  readonly view: DashboardView;
  readonly order: ViewOrder | null;
  readonly quits: boolean;
}

/** Limits of the speed and the zoom. */
const SLOWEST = 1 / 16;
const FARTHEST_ZOOM = 16;
/** Rows of a page if the caller does not give a number. */
const PAGE = 10;
const MOST_FILTER = 40;

const stays = (view: DashboardView): Pressed => ({ view, order: null, quits: false });
const says = (view: DashboardView, text: string, isBad = true): Pressed => stays({ ...view, reply: { text, isBad } });

/**
 * `scene`: the displayed state; `living`: the present state, which differs if the screen is frozen; `pageRows`: rows
 * that the pane shows.
 */
export function press(
  key: string,
  view: DashboardView,
  scene: DashboardScene,
  living: StreamState,
  monotonicMs: number,
  pageRows: number = PAGE,
): Pressed {
  if (key === 'ctrl-c') return { view, order: null, quits: true };
  if (view.question !== null) return answer(key, view, view.question);
  if (view.isFiltering) return filter(key, view);
  if (view.isHelpOpen) return inHelp(key, view);
  if (view.isDetailOpen && (key === 'escape' || key === 'enter' || key === 'q'))
    return stays({ ...view, isDetailOpen: false });
  const effect = effectOf(key);
  if (effect === null) return stays(view);
  const fresh = { ...view, reply: null };
  if (!scene.isKnown && !UNKNOWING.has(effect)) return says(fresh, 'The sandbox has not answered yet.');
  if (effect === 'pane') return stays({ ...fresh, pane: PANES[Number(key) - 1] as Pane });
  const decision = questionFor(effect, scene, view);
  if (decision === null)
    return EFFECTS[effect]?.({ view: fresh, scene, living, monotonicMs, pageRows }) ?? stays(fresh);
  return 'refused' in decision ? says(fresh, decision.refused) : stays({ ...fresh, question: decision.question });
}

/** Effects that need no state of the sandbox. */
const UNKNOWING: ReadonlySet<KeyEffect> = new Set([
  ...(['quit', 'help', 'theme', 'glyphs', 'pane', 'next-pane', 'previous-pane', 'back', 'suspend'] as const),
]);

interface KeyPress {
  readonly view: DashboardView;
  readonly scene: DashboardScene;
  readonly living: StreamState;
  readonly monotonicMs: number;
  readonly pageRows: number;
}

/** The effect of each key that neither asks a question nor selects a pane. */
const EFFECTS: { readonly [D in KeyEffect]?: (press: KeyPress) => Pressed } = {
  quit: ({ view }) => ({ view, order: null, quits: true }),
  help: ({ view }) => stays({ ...view, isHelpOpen: true, helpPage: 0 }),
  group: ({ view }) => stays({ ...view, isGrouped: !view.isGrouped, pane: 'people' }),
  details: ({ view, scene }) => openDetails(view, scene),
  'next-pane': ({ view }) => turnPane(view, 1),
  'previous-pane': ({ view }) => turnPane(view, -1),
  up: ({ view, scene }) => (view.pane === 'map' ? pan(view, 0, -1) : step(view, scene, -1)),
  down: ({ view, scene }) => (view.pane === 'map' ? pan(view, 0, 1) : step(view, scene, 1)),
  left: ({ view }) => pan(view, -1, 0),
  right: ({ view }) => pan(view, 1, 0),
  'page-up': ({ view, scene, pageRows }) => step(view, scene, -pageRows),
  'page-down': ({ view, scene, pageRows }) => step(view, scene, pageRows),
  first: ({ view, scene }) => step(view, scene, Number.NEGATIVE_INFINITY),
  last: ({ view, scene }) => step(view, scene, Number.POSITIVE_INFINITY),
  filter: ({ view }) => stays({ ...view, isFiltering: true, pane: 'people' }),
  back: ({ view }) => stays({ ...view, filter: '', zoom: 1, centre: [0.5, 0.5] }),
  'zoom-in': ({ view, scene }) => zoom(view, scene, Math.min(FARTHEST_ZOOM, view.zoom * 2)),
  'zoom-out': ({ view }) => stays({ ...view, zoom: Math.max(1, view.zoom / 2) }),
  freeze: ({ view, living, monotonicMs }) =>
    stays({ ...view, frozen: view.frozen === null ? living : null, frozenAt: monotonicMs }),
  open: ({ view, scene }) => openPage(view, scene),
  copy: ({ view, scene }) => copyId(view, scene),
  truth: ({ view }) => truth(view),
  theme: ({ view }) => stays({ ...view, theme: after(THEME_NAMES, view.theme, 1) }),
  glyphs: ({ view }) => stays({ ...view, ascii: !view.ascii }),
  site: ({ view, scene }) => nextSite(view, scene),
  'next-emergency': ({ view, scene, living }) => nextEmergency(view, scene, living),
  order: ({ view }) => stays({ ...view, order: after(PEOPLE_ORDERS, view.order, 1), isGrouped: false, pane: 'people' }),
  pause: ({ view, living }) => turnClock('pause', view, living),
  faster: ({ view, living }) => turnClock('faster', view, living),
  slower: ({ view, living }) => turnClock('slower', view, living),
};

/** Returns the item `by` positions after the given one, cyclically. */
const after = <T>(items: readonly T[], item: T, by: number): T =>
  items[(items.indexOf(item) + by + items.length) % items.length] as T;

const turnPane = (view: DashboardView, by: number): Pressed => stays({ ...view, pane: after(PANES, view.pane, by) });

function openDetails(view: DashboardView, scene: DashboardScene): Pressed {
  if (scene.groups !== null && view.pane === 'people') return openGroup(view, scene);
  if (isFold(view, scene)) return stays({ ...view, filter: PERSON_TERMS.helping.word });
  if (idsOf(scene, view.pane).length === 0) return says(view, 'Nothing is chosen.', false);
  return stays({ ...view, isDetailOpen: true });
}

/** True if the chosen row stands for several helpers. */
function isFold(view: DashboardView, scene: DashboardScene): boolean {
  const rows = view.pane === 'alerts' ? scene.alertRows : view.pane === 'people' ? scene.peopleRows : [];
  const chosen = chosenOf(scene, view, view.pane);
  return rows.some(({ id, count }) => id === chosen && count > 1);
}

/** Handles keys while the help is open: it turns pages; q, ? and Escape close it. */
function inHelp(key: string, view: DashboardView): Pressed {
  if (['pagedown', 'down', 'right', 'space', 'tab'].includes(key))
    return stays({ ...view, helpPage: view.helpPage + 1 });
  if (['pageup', 'up', 'left', 'shift-tab'].includes(key)) return stays({ ...view, helpPage: view.helpPage - 1 });
  return key === 'q' || key === '?' || key === 'escape' ? stays({ ...view, isHelpOpen: false }) : stays(view);
}

/** Lists the people of the chosen place. */
function openGroup(view: DashboardView, scene: DashboardScene): Pressed {
  const group = scene.groups?.find(({ id }) => id === chosenOf(scene, view, 'people'));
  if (group === undefined) return says(view, 'Nothing is chosen.', false);
  const place = group.place.replace(/^near /, '');
  return stays({ ...view, isGrouped: false, filter: place });
}

/** Ground truth is off by default, and not available in a client's view. [decisions 4] */
function truth(view: DashboardView): Pressed {
  if (view.as !== null) return says(view, `No client may see ground truth: this is what ${view.as.organization} sees.`);
  if (view.frozen !== null) return says(view, 'The screen is frozen: f resumes it.');
  return stays({ ...view, truth: !view.truth });
}

/** Opens the page of the alert, else that of the muster. */
function openPage(view: DashboardView, scene: DashboardScene): Pressed {
  const alert = view.pane === 'points' || view.pane === 'webhooks' ? null : alertOf(scene, view);
  const { muster } = scene;
  if (alert === null && muster === null) return says(view, 'There is no alert and no muster to open.', false);
  // A muster has no address in the API, so its page is given by a path of the sandbox.
  const url = alert?.panel_url ?? `/panel/musters/${muster?.id}`;
  return { view, order: { to: 'browser', url, reply: 'opened' }, quits: false };
}

function copyId(view: DashboardView, scene: DashboardScene): Pressed {
  const isPerson = view.pane === 'map' || view.pane === 'people';
  const id = isPerson ? chosenWorkerOf(scene, view) : chosenOf(scene, view, view.pane);
  if (id === null) return says(view, 'Nothing is chosen.', false);
  return { view, order: { to: 'clipboard', text: id, reply: `copied ${id}` }, quits: false };
}

function step(view: DashboardView, scene: DashboardScene, by: number): Pressed {
  const pane = view.pane === 'map' ? 'people' : view.pane;
  const ids = idsOf(scene, pane);
  const chosen = chosenOf(scene, view, pane);
  if (chosen === null) return stays(view);
  const place = Math.max(0, Math.min(ids.length - 1, ids.indexOf(chosen) + by));
  return stays({ ...view, chosen: { ...view.chosen, [pane]: ids[place] ?? null } });
}

function pan(view: DashboardView, across: number, down: number): Pressed {
  if (view.zoom === 1)
    return view.pane === 'map' ? says(view, 'The whole site is shown: + zooms in.', false) : stays(view);
  const within = (part: number): number => Math.max(0, Math.min(1, part));
  const by = 0.25 / view.zoom;
  return stays({ ...view, centre: [within(view.centre[0] + across * by), within(view.centre[1] + down * by)] });
}

/** Zooms towards the chosen person; from the map pane, towards the centre of the map. */
function zoom(view: DashboardView, scene: DashboardScene, factor: number): Pressed {
  const { site, siteRows } = scene;
  const whole = site === null ? null : siteBox(site);
  if (view.zoom > 1 || site === null || whole === null) return stays({ ...view, zoom: factor });
  const id = chosenWorkerOf(scene, view);
  const location = siteRows.find((row) => row.id === id)?.person.location ?? null;
  const fitted = fitBox(site, siteRows) ?? whole;
  const [x, y] =
    location === null || view.pane === 'map'
      ? [(fitted.minX + fitted.maxX) / 2, (fitted.minY + fitted.maxY) / 2]
      : siteFrameOf(site).flat.toMetres(location);
  return stays({ ...view, zoom: factor, centre: partsOf(whole, x, y) });
}

/** A point as fractions of the site's width and height. */
function partsOf({ minX, maxX, minY, maxY }: MapBox, x: number, y: number): readonly [number, number] {
  const within = (part: number): number => Math.max(0, Math.min(1, part));
  return [within((x - minX) / (maxX - minX)), within((maxY - y) / (maxY - minY))];
}

function nextSite(view: DashboardView, { world, site }: DashboardScene): Pressed {
  const sites = sitesOf(world);
  const next = sites[(sites.findIndex(({ id }) => id === site?.id) + 1) % Math.max(1, sites.length)];
  return next === undefined ? stays(view) : goTo(next.id, view);
}

/** Goes to the next site, in the order of the sites, with an active muster or an open critical alert. */
function nextEmergency(view: DashboardView, { site }: DashboardScene, living: StreamState): Pressed {
  const sites = sitesOf(living);
  const here = sites.findIndex(({ id }) => id === site?.id);
  const urgent = new Set(emergenciesOf(living).map((one) => one.site.id));
  const [next] = [...sites.slice(here + 1), ...sites.slice(0, Math.max(0, here))].filter(({ id }) => urgent.has(id));
  if (next === undefined) return says(view, 'No other site has an active muster or an open critical alert.', false);
  // A frozen screen does not show later changes, so it is resumed.
  return goTo(next.id, { ...view, frozen: null });
}

/** The filter, zoom and details of the previous site must not affect the next one. */
const goTo = (siteId: string, view: DashboardView): Pressed =>
  stays({ ...view, siteId, zoom: 1, centre: [0.5, 0.5], filter: '', isDetailOpen: false });

function turnClock(effect: 'pause' | 'faster' | 'slower', view: DashboardView, { clock }: StreamState): Pressed {
  if (clock === null) return says(view, 'The sandbox has not answered yet.');
  const order = (body: Readonly<Record<string, number | true>>, reply: string): Pressed => ({
    view,
    order: { to: 'clock', body, reply },
    quits: false,
  });
  if (effect === 'pause')
    return clock.paused ? order({ resume: true }, 'the clock runs') : order({ pause: true }, 'the clock is paused');
  const speed = Math.max(SLOWEST, Math.min(HIGHEST_SPEED, effect === 'faster' ? clock.speed * 2 : clock.speed / 2));
  return order({ speed }, `${speed} simulated seconds a second`);
}

function filter(key: string, view: DashboardView): Pressed {
  if (key === 'enter') return stays({ ...view, isFiltering: false });
  if (key === 'escape') return stays({ ...view, isFiltering: false, filter: '' });
  return stays({ ...view, filter: typed(view.filter, key, MOST_FILTER) });
}

function typed(text: string, key: string, most: number): string {
  const characters = [...text];
  if (key === 'backspace') return characters.slice(0, -1).join('');
  const character = key === 'space' ? ' ' : [...key].length === 1 ? key : '';
  return characters.length < most ? `${text}${character}` : text;
}

function answer(key: string, view: DashboardView, question: ViewQuestion): Pressed {
  const closed = { ...view, question: null };
  if (key === 'escape') return says(closed, 'Nothing was done.', false);
  if (question.kind === 'choice') {
    const first = question.choices[0];
    // Enter confirms a yes-no question.
    const chosen =
      question.choices.find((choice) => choice.key === key) ??
      (key === 'enter' && first?.key === 'y' ? first : undefined);
    if (chosen === undefined) return stays(view);
    return chosen.order === null
      ? says(closed, 'Nothing was done.', false)
      : { view: closed, order: chosen.order, quits: false };
  }
  if (key !== 'enter')
    return stays({ ...view, question: { ...question, text: typed(question.text, key, question.most) } });
  const text = question.text.trim();
  if (text === '' && question.required) return says(view, `${question.label} is required; Esc cancels.`);
  return { view: closed, order: question.orderOf(text), quits: false };
}

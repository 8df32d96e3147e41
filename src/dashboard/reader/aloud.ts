/** Sentences of the screen reader mode on request: missing people, alerts, points, webhooks, one row in full. */
import type { NotSafeRow } from '../../watching/state/not-safe.ts';
import { isOpen, locatedAmong, type PersonRow } from '../../watching/state/people.ts';
import { NO_TALLY } from '../../watching/state/tallies.ts';
import { capital, plainWords, typeWords } from '../../watching/state/words.ts';
import type { SiteEmergency } from '../emergencies.ts';
import { KEYS, shownKeys } from '../keys.ts';
import { detailsOf } from '../panes/details.ts';
import { truthText } from '../panes/truth.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView, type Pane, type ViewQuestion } from '../view.ts';
import { agoText, alertText, hostOf, musterText, totalsText } from './spoken.ts';

/** Maximum number of rows that are output at once. */
const MOST = 10;

/** The content of a pane as sentences. */
export const paneAloud = (scene: DashboardScene, view: DashboardView, pane: Pane): string[] =>
  PANES_ALOUD[pane](scene, view);

/** A summary of the whole state. */
export const stateAloud = (scene: DashboardScene, view: DashboardView): string[] => [
  ...(view.as === null ? [] : [`This is what ${view.as.organization} sees.`]),
  ...map(scene, view),
  ...(scene.isKnown ? panesAloud(scene, view) : []),
];

const panesAloud = (scene: DashboardScene, view: DashboardView): string[] =>
  (['points', 'people', 'alerts', 'webhooks'] as const).flatMap((pane) => paneAloud(scene, view, pane));

function map(scene: DashboardScene, view: DashboardView): string[] {
  const { site, active, siteRows, isKnown, elsewhere } = scene;
  if (!isKnown) return ['The sandbox has not answered yet.'];
  if (site === null) return ['There is no site.'];
  const veiled = siteRows.filter(({ person }) => person.location_withheld).length;
  return [
    active === null
      ? `${site.name}: no muster is under way. ${siteRows.length} people.`
      : `${musterText(active)} ${totalsText(active, true)}`,
    `${locatedAmong(siteRows)} of ${siteRows.length} are located${veiled > 0 ? `, ${veiled} are veiled` : ''}.`,
    ...elsewhere.map(elsewhereAloud),
    ...(view.truth ? [`${truthText(scene, true)}.`] : []),
  ];
}

/** For example `Emergency at Zinc Works: 2 open critical alerts, a muster.` */
function elsewhereAloud({ site, critical, hasMuster }: SiteEmergency): string {
  const alerts = critical === 0 ? [] : [`${critical} open critical ${critical === 1 ? 'alert' : 'alerts'}`];
  return `Emergency at ${site.name}: ${[...alerts, ...(hasMuster ? ['a muster'] : [])].join(', ')}. n goes there.`;
}

const notSafeAloud = (row: NotSafeRow): string =>
  `Not safe when the muster ended: ${[row.worker?.external_id ?? row.workerId.slice(0, 8), row.worker?.name, plainWords(row.word), row.placeWords].filter((word) => word != null).join(', ')}.`;

function points({ active, points: all, site }: DashboardScene, view: DashboardView): string[] {
  if (active === null) return [blindTo(view, 'musters:read') ?? 'Assembly points count while a muster is under way.'];
  return all.map(({ id, name, count, excluded }) => {
    const capacity = site?.zones.find((zone) => zone.id === id)?.assembly_point?.capacity ?? null;
    return excluded === null
      ? `${name}: ${count ?? 0} safe${capacity === null ? '' : `, of ${capacity} that it holds`}.`
      : `${name} is excluded by ${excluded.by}: ${excluded.reason}.`;
  });
}

function people(scene: DashboardScene, view: DashboardView): string[] {
  const { active, people: rows, now, notSafe } = scene;
  const left = notSafe.length > MOST ? [`And ${notSafe.length - MOST} more were not safe.`] : [];
  const before = [...notSafe.slice(0, MOST).map(notSafeAloud), ...left];
  const what = active === null ? 'people' : 'missing';
  if (rows.length === 0)
    return [
      ...before,
      blindTo(view, 'workers:read', 'positions:read') ??
        (view.filter !== '' ? `Nobody matches ${view.filter}.` : active === null ? 'Nobody.' : 'Everybody is safe.'),
    ];
  const more = rows.length > MOST ? [`And ${rows.length - MOST} more.`] : [];
  return [
    ...before,
    `${rows.length} ${what}.`,
    ...rows.slice(0, MOST).map((row) => `${personAloud(row, now)}.`),
    ...more,
  ];
}

function personAloud({ code, worker, status, person, rescue, alert }: PersonRow, now: number): string {
  const seen = person.date_last_seen;
  return [
    code,
    worker.name,
    status === 'person' ? null : plainWords(status),
    person.muster?.help_reason == null ? null : plainWords(person.muster.help_reason),
    rescue ? 'needs rescue' : null,
    alert === null ? null : `open ${typeWords(alert.type)}`,
    seen === null ? 'never seen' : `seen ${agoText(now - Date.parse(seen))}`,
  ]
    .filter((word) => word !== null && word !== undefined)
    .join(', ');
}

function alerts({ alerts: all, world }: DashboardScene, view: DashboardView): string[] {
  const open = all.filter(isOpen);
  if (open.length === 0) return [blindTo(view, 'alerts:read') ?? 'No alert is open.'];
  const quiet = { ...world, musters: new Map() };
  return [
    `${open.length} open ${open.length === 1 ? 'alert' : 'alerts'}.`,
    ...open.slice(0, MOST).map((alert) => `${alertText(quiet, alert)} ${capital(plainWords(alert.status))}.`),
    ...(open.length > MOST ? [`And ${open.length - MOST} more.`] : []),
  ];
}

function webhooks({ destinations, deliveries, now, world }: DashboardScene, view: DashboardView): string[] {
  if (destinations.length === 0) return [blindTo(view, 'webhooks:manage') ?? 'No webhook destination is registered.'];
  return destinations.map(({ id, url, failing_since }) => {
    const { delivered, failed, lost } = world.tallies.get(id) ?? NO_TALLY;
    const waiting = deliveries.filter((one) => one.destination_id === id && one.state === 'waiting').length;
    const failing = failing_since === null ? '' : `, failing since ${agoText(now - Date.parse(failing_since))}`;
    return `Webhooks to ${hostOf(url)}: ${delivered} delivered, ${failed} attempts failed, ${waiting} waiting, ${lost} lost${failing}.`;
  });
}

export function rowAloud(scene: DashboardScene, view: DashboardView): string {
  const pane = view.pane === 'map' ? 'people' : view.pane;
  const id = chosenOf(scene, view, pane);
  const find = <T extends { readonly id: string }>(items: readonly T[]): T | undefined =>
    items.find((item) => item.id === id);
  switch (pane) {
    case 'people': {
      const then = scene.notSafe.find((one) => one.id === id);
      if (then !== undefined) return notSafeAloud(then);
      const row = find(scene.people);
      return row === undefined ? 'Nobody is chosen.' : `${personAloud(row, scene.now)}.`;
    }
    case 'alerts': {
      const alert = find(scene.alerts);
      return alert === undefined
        ? 'No alert is chosen.'
        : `${alertText({ ...scene.world, musters: new Map() }, alert)} ${capital(plainWords(alert.status))}.`;
    }
    case 'points':
      return `${find(scene.points)?.name ?? 'No point is chosen'}.`;
    case 'webhooks':
      return `${find(scene.destinations)?.url ?? 'No destination is chosen'}.`;
  }
}

export function detailsAloud(scene: DashboardScene, view: DashboardView): string[] {
  const details = detailsOf(scene, view);
  if (details === null) return ['Nothing is chosen.'];
  return [`${details.title}.`, ...details.lines.map(([label, text]) => `${label}: ${text}.`)];
}

/** Choices are numbered from 1. */
export function questionAloud(question: ViewQuestion, operator: string): string[] {
  if (question.kind === 'text')
    return [`${question.title}, as ${operator}.`, `${question.label}: type it, then Enter. Escape leaves it.`];
  return [
    `${question.title}, as ${operator}?`,
    ...question.lines.map((line) => `${capital(line)}${/[.?!:]$/.test(line) ? '' : '.'}`),
    ...question.choices.map(({ label }, n) => `${n + 1}: ${label}.`),
    'Press a number. Escape leaves it.',
  ];
}

/** Returns the key of the choice with that number; other keys are returned unchanged. */
export function choiceKey(question: ViewQuestion | null, key: string): string {
  if (question?.kind !== 'choice') return key;
  return /^[1-9]$/.test(key) ? (question.choices[Number(key) - 1]?.key ?? '') : key;
}

/** Visual effects, which are irrelevant for a screen reader. */
const SIGHT = new Set(['zoom-in', 'zoom-out', 'left', 'right', 'theme', 'glyphs', 'freeze']);

export const keysAloud = (): string[] => [
  'Keys.',
  ...KEYS.filter(({ effect }) => !SIGHT.has(effect)).map((row) => `${spelt(shownKeys(row))}: ${row.help}.`),
];

/** A screen reader does not distinguish capital letters, and skips arrows, so keys are written as words. */
const spelt = (keys: string): string =>
  /^[A-Z]$/.test(keys)
    ? `Shift ${keys}`
    : keys.replace('↑', 'Up').replace('↓', 'Down').replace('←', 'Left').replace('→', 'Right');

const PANES_ALOUD: Readonly<Record<Pane, (scene: DashboardScene, view: DashboardView) => string[]>> = {
  map,
  points,
  people,
  alerts,
  webhooks,
};

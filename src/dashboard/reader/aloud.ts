/** Sentences of the screen reader mode on request: missing people, alerts, points, webhooks, one row in full. */
import type { SiteEmergency } from '../../watching/state/emergencies.ts';
import { locatedAmong } from '../../watching/state/people.ts';
import { capital } from '../../watching/state/words.ts';
import { KEYS, shownKeys } from '../keys.ts';
import { detailsOf } from '../panes/details.ts';
import { LISTED_PANES, type ListPaneName } from '../panes/panes.ts';
import { truthText } from '../panes/truth.ts';
import { type PaneRow, spokenRow } from '../table.ts';
import { theme } from '../terminal/theme.ts';
import { chosenOf, type DashboardScene, type DashboardView, type Pane, type ViewQuestion } from '../view.ts';
import { musterText, totalsText } from './spoken.ts';

/** Maximum number of rows that are output at once. */
const MOST = 10;

/** The content of a pane as sentences. */
export const paneAloud = (scene: DashboardScene, view: DashboardView, pane: Pane): string[] =>
  pane === 'map' || !scene.isKnown ? map(scene, view) : firstOf(LISTED_PANES[pane].all(scene, view, PLAIN));

/** A summary of the whole state. */
export const stateAloud = (scene: DashboardScene, view: DashboardView): string[] => [
  ...(view.as === null ? [] : [`This is what ${view.as.organization} sees.`]),
  ...map(scene, view),
  ...(scene.isKnown ? LISTED : []).flatMap((pane) => paneAloud(scene, view, pane)),
];

const LISTED: readonly ListPaneName[] = ['points', 'people', 'alerts', 'webhooks'];

function map(scene: DashboardScene, view: DashboardView): string[] {
  const { site, active, siteRows, isKnown, elsewhere } = scene;
  if (!isKnown) return ['The sandbox has not answered yet.'];
  if (site === null) return ['There is no site.'];
  const veiled = siteRows.filter(({ person }) => person.location_withheld).length;
  return [
    active === null
      ? `${site.name}: no muster is under way. ${siteRows.length} people.`
      : `${musterText(active)} ${totalsText(active, true, siteRows)}`,
    `${locatedAmong(siteRows)} of ${siteRows.length} are located${veiled > 0 ? `, ${veiled} are veiled` : ''}.`,
    ...elsewhere.map(elsewhereAloud),
    ...(view.truth ? [`${truthText(scene, true)}.`] : []),
  ];
}

/** For example `Emergency at Zinc Works: 2 open critical alerts, a muster.` */
function elsewhereAloud({ site, alerts, muster }: SiteEmergency): string {
  const critical =
    alerts.length === 0 ? [] : [`${alerts.length} open critical ${alerts.length === 1 ? 'alert' : 'alerts'}`];
  return `Emergency at ${site.name}: ${[...critical, ...(muster !== null ? ['a muster'] : [])].join(', ')}. n goes there.`;
}

/** The codes of workers are spoken in full, and signs not at all, so the theme does not matter. */
const PLAIN = theme('mono');

/** The rows as sentences: under each heading the first of them, and how many there are besides. Deliveries are read one by one. */
function firstOf(rows: readonly PaneRow[]): string[] {
  const lines: string[] = [];
  let listed = 0;
  const end = (): void => {
    if (listed > MOST) lines.push(`And ${listed - MOST} more.`);
    listed = 0;
  };
  for (const row of rows.filter(({ kind }) => kind !== 'delivery')) {
    if (row.kind === 'text') end();
    else listed += 1;
    if (listed <= MOST) lines.push(spokenRow(row));
  }
  end();
  return lines;
}

const NONE: Readonly<Record<ListPaneName, string>> = {
  people: 'Nobody is chosen.',
  alerts: 'No alert is chosen.',
  points: 'No point is chosen.',
  webhooks: 'No destination is chosen.',
};

export function rowAloud(scene: DashboardScene, view: DashboardView): string {
  const pane = view.pane === 'map' ? 'people' : view.pane;
  const id = chosenOf(scene, view, pane);
  const row = LISTED_PANES[pane].all(scene, view, PLAIN).find((one) => one.id !== null && one.id === id);
  return row === undefined ? NONE[pane] : spokenRow(row);
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

/** The head of the dashboard: site, muster, clock, counters, and the bar of safe people. */

import { formatInstant } from '../../base/time/instants.ts';
import { COUNTED_STATUSES, type CountedStatus } from '../../contract/resources/headcount.ts';
import { musterTerm, PERSON_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Muster } from '../../contract/resources.ts';
import { emergencyCount, hurryOf } from '../../watching/state/emergencies.ts';
import { isOpenCritical, locatedAmong } from '../../watching/state/people.ts';
import { sitesOf } from '../../watching/state/state.ts';
import { dayTime, spanText } from '../../watching/state/words.ts';
import { alikeTexts } from '../table.ts';
import { clean, cut } from '../terminal/cells.ts';
import { blank, row, span, type TextLine, type TextSpan, widthOf } from '../terminal/lines.ts';
import { isColourless, type Role, type Theme } from '../terminal/theme.ts';
import { blindTo, type Connection, type DashboardScene, type DashboardView } from '../view.ts';
import { among, headcountRow, musterRow } from './headcount.ts';

/**
 * The first row: name, muster, clock. Kind, time and deadline are shown at every size; other parts are omitted if
 * necessary.
 */
export function titleLine(
  scene: DashboardScene,
  view: DashboardView,
  connection: Connection,
  columns: number,
  theme: Theme,
): TextLine {
  const { active } = scene;
  const badges = badgesOf(scene, view, connection, columns, theme).flatMap((badge) => [badge, blank(1, 'bar')]);
  // Of a lost sandbox the time of the last known state is known, and not whether its clock runs.
  const isLost = connection.is === 'broken' && view.frozen === null && scene.isKnown;
  const clock = isLost ? formatInstant(scene.now).slice(11, 19) : clockOf(scene, columns, widthOf(badges), theme);
  const right: TextSpan[] = [...badges, span(`${clock} `, 'bar')];
  const heads = headsOf(scene, columns, theme);
  if (active === null) {
    const isBlind = !scene.isKnown || blindTo(view, 'musters:read') !== null;
    const rest = span(isBlind ? '' : 'no muster', 'bar');
    const whole = span(`${siteMark(theme)}SANDBOX  ${clean(scene.site?.name ?? '')}  `, 'bar');
    const head = columns < 100 && scene.site !== null && widthOf([whole, rest, ...right]) < columns ? whole : heads[0];
    return row(columns, [head as TextSpan, rest], right, 'bar');
  }
  const room = columns - widthOf(right);
  const times = timesOf(active, scene.now, theme);
  const [, phase] = musterRow(active, scene.now).cells;
  const lines = (phase?.text ?? []).flatMap((word) =>
    heads.flatMap((head) => times.map((time): TextLine => [head, span(` ${word} `, active.phase), ...time])),
  );
  const shortest = lines.at(-1) as TextLine;
  return row(columns, lines.find((line) => widthOf(line) < room) ?? shortest, right, 'bar');
}

const siteMark = ({ glyphs }: Theme): string => (glyphs.mark === '>' ? ' ' : ' ▚ ');

/** The name of the site, longest form first. */
function headsOf({ site, world, isKnown }: DashboardScene, columns: number, theme: Theme): TextSpan[] {
  const sites = sitesOf(world);
  const { glyphs } = theme;
  const mark = siteMark(theme);
  const name = clean(site?.name ?? (isKnown ? 'no site' : ''));
  const place =
    sites.length > 1 && site !== null && columns >= 100
      ? ` ${sites.findIndex(({ id }) => id === site.id) + 1}/${sites.length}`
      : '';
  const widest = columns >= 100 ? 28 : columns >= 80 ? 18 : 14;
  return [
    `${mark}SANDBOX  ${cut(name, widest, glyphs.dots)}${place}  `,
    `${mark}${cut(name, 14, glyphs.dots)}  `,
    `${mark}${cut(name, 8, glyphs.dots)} `,
    ' ',
  ].map((text) => span(text, 'bar'));
}

/**
 * Badges: emergencies at other sites, another client's view, ground truth, a frozen frame, a broken connection. They
 * have brackets if the theme has no colours.
 */
function badgesOf(
  scene: DashboardScene,
  view: DashboardView,
  connection: Connection,
  columns: number,
  theme: Theme,
): TextSpan[] {
  const badges: TextSpan[] = [];
  const add = (text: string, role: Role): void => {
    badges.push(span(isColourless(theme) ? `[${text}]` : ` ${text} `, role));
  };
  const elsewhere = elsewhereText(scene, columns, theme);
  if (elsewhere !== '') add(elsewhere, 'over');
  if (view.as !== null)
    add(`AS ${cut(clean(view.as.organization), columns >= 100 ? 28 : 12, theme.glyphs.dots)}`, 'inspecting');
  if (view.truth) add('TRUTH', 'truth');
  if (view.frozen !== null) {
    if (scene.unseen > 0) add(`${theme.glyphs.critical}${scene.unseen} NEW, FROZEN`, 'over');
    else add('FROZEN', 'inspecting');
  } else if (connection.is === 'opening') add('connecting', 'soon');
  else if (connection.is === 'broken') add(columns < 80 ? 'OFFLINE' : 'NO CONNECTION', 'broken');
  return badges;
}

/**
 * The number of open critical alerts and active musters of other sites, and the key that shows them. Empty if there are
 * none.
 */
function elsewhereText({ elsewhere }: DashboardScene, columns: number, { glyphs }: Theme): string {
  const count = emergencyCount(elsewhere);
  if (count === 0) return '';
  if (columns < 80) return `${glyphs.critical}${count} n`;
  if (columns < 110) return `${glyphs.critical}${count} elsewhere: n`;
  const critical = elsewhere.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const musters = elsewhere.filter(({ muster }) => muster !== null).length;
  const parts = [
    critical > 0 ? `${critical} ${SEVERITY_TERMS.critical.word}` : '',
    musters > 0 ? `${musters} ${musters === 1 ? 'muster' : 'musters'}` : '',
  ];
  return `${glyphs.critical} elsewhere: ${parts.filter((part) => part !== '').join(', ')} (n)`;
}

/** Time and speed; `taken`: cells of the badges next to it. */
function clockOf(
  { world: { clock }, now, active }: DashboardScene,
  columns: number,
  taken: number,
  { glyphs }: Theme,
): string {
  if (clock === null) return '';
  const speed = `${glyphs.by}${clock.speed} ${clock.paused ? glyphs.pause : glyphs.run}`;
  const time = formatInstant(now).slice(0, 19).replace('T', ' ');
  const hasRoom = columns - taken >= (active === null ? 80 : 110);
  return hasRoom ? `${time.slice(active === null ? 0 : 11)}  ${speed}` : speed;
}

/** Kind, duration and deadline, longest form first. */
function timesOf(muster: Muster, now: number, theme: Theme): TextLine[] {
  const since = `T+${spanText(now - Date.parse(muster.started_at))}`;
  if (muster.deadline === null) return [[span(`  ${muster.kind}  ${since}`, 'bar')]];
  const role: Role = hurryOf(muster, now) ?? 'bar';
  const [long = '', middle = '', short = ''] = musterRow(muster, now).cells.at(-1)?.text ?? [];
  // In a theme without colours, brackets replace the highlight.
  const [begin, end] = role === 'bar' ? ['', ''] : isColourless(theme) ? ['[', ']'] : [' ', ' '];
  const deadline = (before: string, words: string): TextLine => [
    span(`${before}  `, 'bar'),
    span(`${begin}${words}${end}`, role),
  ];
  return [
    deadline(`  ${muster.kind}  ${since}`, long),
    deadline(`  ${muster.kind}  ${since}`, middle),
    deadline(` ${muster.kind} ${since}`, middle),
    deadline(` ${muster.kind} ${since}`, short),
  ];
}

/** The counters, and the bar below them. */
export function counterLines(
  scene: DashboardScene,
  view: DashboardView,
  columns: number,
  theme: Theme,
): readonly [TextLine, TextLine] {
  const { active, siteRows, rescue, isKnown } = scene;
  if (!isKnown) return [row(columns, [span(' Waiting for the sandbox.', 'dim')]), row(columns, [])];
  if (active === null) return quietLines(scene, view, columns, theme);
  const { totals } = active;
  const isWide = columns >= 100;
  const left: TextSpan[] = [span(isWide ? ` EXPECTED ${totals.expected}   ` : ' ', 'bold')];
  const gap = isWide ? 3 : 1;
  const { cells } = headcountRow(active, { ...among(siteRows), rescue }, theme, isWide);
  const counters = cells.slice(rescue === 0 ? 0 : 1);
  const apart = cells.slice(0, rescue === 0 ? 0 : 1).map(({ text, token }) => span(`${text[0]} `, token));
  const room = columns - widthOf(apart);
  for (const [place, text] of alikeTexts(counters, room - widthOf(left), gap).entries())
    left.push(span(text, counters[place]?.token), blank(gap));
  const part = percentText(totals);
  const right: TextLine = [...(widthOf(left) + part.length < room ? [span(part, 'bold')] : []), ...apart];
  return [row(columns, left, right), bar(scene, active, columns, theme)];
}

/** The percentage is rounded down, so that 100 % means all people are safe. */
const percentText = ({ safe, expected }: Muster['totals']): string =>
  expected === 0 ? '' : `${(Math.floor((1_000 * safe) / expected) / 10).toFixed(1)} % safe `;

/** A figure outside a muster; if the terminal is narrow, figures with a lower rank are omitted first. */
interface Figure {
  readonly text: string;
  readonly role: Role;
  readonly rank: number;
}

function quietLines(
  scene: DashboardScene,
  view: DashboardView,
  columns: number,
  { glyphs }: Theme,
): readonly [TextLine, TextLine] {
  const { siteRows, alerts } = scene;
  const unworn = siteRows.filter(({ person }) => person.worn === false).length;
  const veiled = siteRows.filter(({ person }) => person.location_withheld).length;
  const critical = alerts.filter(isOpenCritical).length;
  const open = `${alerts.length} open ${alerts.length === 1 ? 'alert' : 'alerts'}`;
  const people: readonly Figure[] = [
    { text: `${siteRows.length} people`, role: 'bold', rank: 3 },
    { text: `${locatedAmong(siteRows)} located`, role: 'plain', rank: 2 },
    ...(veiled > 0 ? [{ text: `${veiled} veiled`, role: 'plain' as const, rank: 2 }] : []),
    {
      text: `${glyphs.not_worn} ${unworn} ${PERSON_TERMS.not_worn.word}`,
      role: unworn > 0 ? 'not_worn' : 'dim',
      rank: 1,
    },
  ];
  const urgent: readonly Figure[] = [
    ...(critical > 0
      ? [{ text: `${glyphs.critical} ${critical} ${SEVERITY_TERMS.critical.word}`, role: 'critical' as const, rank: 5 }]
      : []),
    { text: open, role: alerts.length > 0 ? 'high' : 'dim', rank: 4 },
  ];
  const figures = [
    ...(blindTo(view, 'workers:read', 'positions:read') === null ? people : []),
    ...(blindTo(view, 'alerts:read') === null ? urgent : []),
  ];
  return [row(columns, fitted(figures, columns)), row(columns, lastMuster(scene, view, columns))];
}

/** A figure is either shown completely or omitted, because a truncated number would be a different number. */
function fitted(figures: readonly Figure[], columns: number): TextLine {
  const gap = columns >= 80 ? 3 : 2;
  const widthOfAll = (shown: readonly Figure[]): number =>
    shown.reduce((sum, { text }) => sum + text.length + gap, 1 - gap);
  let shown = figures;
  while (shown.length > 1 && widthOfAll(shown) > columns) {
    const least = Math.min(...shown.map(({ rank }) => rank));
    shown = shown.filter((_, place) => place !== shown.findLastIndex(({ rank }) => rank === least));
  }
  return [
    blank(1),
    ...shown.flatMap(({ text, role }, place) => [...(place > 0 ? [blank(gap)] : []), span(text, role)]),
  ];
}

/** The outcome of the last muster, longest form first. */
function lastMuster({ muster }: DashboardScene, view: DashboardView, columns: number): TextLine {
  const blind = blindTo(view, 'musters:read');
  if (blind !== null) return [span(` ${blind}`, 'dim')];
  if (muster === null) return [span(' No muster is active: M starts one.', 'dim')];
  const { kind, totals, ended_at } = muster;
  const outcome = musterTerm(muster).word;
  const missing = totals.expected - totals.safe;
  const at = ended_at === null ? '' : ` at ${dayTime(ended_at)}`;
  const role: Role = missing > 0 ? 'critical' : 'bold';
  const safe = `${totals.safe} of ${totals.expected} safe`;
  const forms: readonly TextLine[] = [
    [
      span(` The last muster (${kind}) was ${outcome}${at}: `, 'dim'),
      span(`${safe}, ${missing} not safe`, role),
      span('. M starts another.', 'dim'),
    ],
    [span(` Last muster ${outcome}${at}: `, 'dim'), span(`${safe}, ${missing} not safe`, role)],
    [span(' Last muster: ', 'dim'), span(`${missing} of ${totals.expected} not safe`, role)],
  ];
  return forms.find((form) => widthOf(form) <= columns) ?? (forms.at(-1) as TextLine);
}

/**
 * Each status gets its share of the width in the order of the counters, and at least one cell if it has people. Those of
 * them to rescue are shown in red, before the others.
 */
function bar({ siteRows }: DashboardScene, { totals }: Muster, columns: number, { glyphs }: Theme): TextLine {
  const rescueOf = (status: CountedStatus): number =>
    Math.min(totals[status] ?? 0, siteRows.filter((one) => one.rescue && one.status === status).length);
  const marks: Record<CountedStatus, string> = {
    safe: glyphs.full,
    help: glyphs.help,
    wrong_point: glyphs.half,
    pending: glyphs.light,
    no_signal: glyphs.no_signal,
    not_worn: glyphs.not_worn,
  };
  const shares = COUNTED_STATUSES.flatMap((status): { role: Role; mark: string; count: number }[] => [
    { role: 'rescue', mark: glyphs.rescue, count: rescueOf(status) },
    { role: status, mark: marks[status], count: (totals[status] ?? 0) - rescueOf(status) },
  ]);
  const parts = partsOf(
    shares.map(({ count }) => count),
    columns - 2,
  );
  return [blank(1), ...shares.map(({ role, mark }, place) => span(mark.repeat(parts[place] as number), role))];
}

/** Whole shares of the width in proportion to the counts; no positive count gets zero, and the sum is the width. */
export function partsOf(counts: readonly number[], width: number): number[] {
  const sum = counts.reduce((a, b) => a + b, 0);
  if (sum === 0) return counts.map(() => 0);
  const parts = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.floor((count * width) / sum))));
  const largest = parts.indexOf(Math.max(...parts));
  parts[largest] = Math.max(0, (parts[largest] as number) + width - parts.reduce((a, b) => a + b, 0));
  return parts;
}

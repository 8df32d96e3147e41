/** The head of the dashboard: site, muster, clock, counters, and the bar of the safe. */
import { formatInstant } from '../../base/instants.ts';
import { COUNTED_STATUSES, type CountedStatus } from '../../contract/enumerations.ts';
import type { Muster } from '../../contract/resources.ts';
import { isOpen, locatedAmong } from '../../watching/people.ts';
import { dayTime, spanText } from '../../watching/words.ts';
import { blank, cut, row, span, type TextLine, type TextSpan, widthOf } from '../lines.ts';
import { isUnstyled, type Role, type Theme } from '../theme.ts';
import { type Connection, type DashboardScene, type DashboardView, sitesOf } from '../view.ts';

/** People to rescue are counted apart too, whatever their status. */
type CounterKey = CountedStatus | 'rescue';
/** Order of the counters; the bar has the order of the statuses. */
const COUNTED: readonly CounterKey[] = ['safe', 'rescue', ...COUNTED_STATUSES.slice(1)];

/** Each counter's word, longest form first: the longest form that fits is taken for all. */
const WORDS: Readonly<Record<CounterKey, readonly [string, string, string, string]>> = {
  safe: ['safe', 'safe', 'safe', 'safe'],
  rescue: ['rescue', 'rescue', 'resc', 'resc'],
  help: ['help', 'help', 'help', 'help'],
  wrong_point: ['wrong_point', 'wrong_pt', 'wrong', ''],
  pending: ['pending', 'pending', 'pend', ''],
  no_signal: ['no_signal', 'no_sig', 'no_sig', ''],
  not_worn: ['not_worn', 'not_worn', 'unworn', ''],
};
const SHORTEST = 3;

/** The first row: name, muster, clock. Kind, time and deadline stay at every size; the rest gives way. */
export function titleLine(
  scene: DashboardScene,
  view: DashboardView,
  connection: Connection,
  columns: number,
  theme: Theme,
): TextLine {
  const { active } = scene;
  const badges = badgesOf(view, connection, columns, theme).flatMap((badge) => [badge, blank(1, 'bar')]);
  const clock = clockOf(scene, columns, widthOf(badges), theme);
  const right: TextSpan[] = [...badges, span(`${clock} `, 'bar')];
  const heads = headsOf(scene, columns, theme);
  if (active === null) return row(columns, [heads[0] as TextSpan, span('no muster', 'bar')], right, 'bar');
  const room = columns - widthOf(right);
  const times = timesOf(active, scene.now, theme);
  const phases = [` ${active.phase.toUpperCase()} `, ` ${active.phase.slice(0, 4).toUpperCase()} `];
  const lines = phases.flatMap((phase) =>
    heads.flatMap((head) => times.map((time): TextLine => [head, span(phase, active.phase), ...time])),
  );
  const shortest = lines.at(-1) as TextLine;
  return row(columns, lines.find((line) => widthOf(line) <= room) ?? shortest, right, 'bar');
}

/** The name of the site, longest form first. */
function headsOf({ site, world }: DashboardScene, columns: number, { glyphs }: Theme): TextSpan[] {
  const sites = sitesOf(world);
  const mark = glyphs.mark === '>' ? ' ' : ' ▚ ';
  const name = site?.name ?? 'no site';
  const place =
    sites.length > 1 && site !== null && columns >= 100 ? ` ${sites.indexOf(site) + 1}/${sites.length}` : '';
  const widest = columns >= 100 ? 28 : columns >= 80 ? 18 : 14;
  return [
    `${mark}SANDBOX  ${cut(name, widest, glyphs.dots)}${place}  `,
    `${mark}${cut(name, 14, glyphs.dots)}  `,
    `${mark}${cut(name, 8, glyphs.dots)} `,
    ' ',
  ].map((text) => span(text, 'bar'));
}

/** Another client's view, ground truth, a frozen frame, a broken connection. In brackets if the theme has no colours. */
function badgesOf(view: DashboardView, connection: Connection, columns: number, theme: Theme): TextSpan[] {
  const badges: TextSpan[] = [];
  const add = (text: string, role: Role): void => {
    badges.push(span(isUnstyled(theme, role) ? `[${text}]` : ` ${text} `, role));
  };
  if (view.as !== null)
    add(`AS ${cut(view.as.organization, columns >= 100 ? 28 : 14, theme.glyphs.dots)}`, 'inspecting');
  if (view.truth) add('TRUTH', 'truth');
  if (view.frozen !== null) add('FROZEN', 'inspecting');
  else if (connection.is === 'opening') add('connecting', 'broken');
  else if (connection.is === 'broken') add('NO CONNECTION', 'broken');
  return badges;
}

/** Time and speed; `taken`: cells of the badges beside it. */
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

/** The deadline is highlighted from here on; simulated ms. */
const SOON_MS = 300_000;

/** Kind, duration and deadline, longest form first. */
function timesOf(muster: Muster, now: number, theme: Theme): TextLine[] {
  const since = `T+${spanText(now - Date.parse(muster.started_at))}`;
  if (muster.deadline === null) return [[span(`  ${muster.kind}  ${since}`, 'bar')]];
  const left = Date.parse(muster.deadline.at) - now;
  const role: Role = left < 0 ? 'over' : left <= SOON_MS ? 'soon' : 'bar';
  const time = `${left < 0 ? '+' : theme.glyphs.minus}${spanText(Math.abs(left))}`;
  // Brackets replace the highlight without colours.
  const [begin, end] = role === 'bar' ? ['', ''] : isUnstyled(theme, role) ? ['[', ']'] : [' ', ' '];
  const deadline = (before: string, words: string): TextLine => [
    span(`${before}  `, 'bar'),
    span(`${begin}${words}${end}`, role),
  ];
  const { source } = muster.deadline;
  return [
    deadline(`  ${muster.kind}  ${since}`, `deadline ${time} ${source}`),
    deadline(`  ${muster.kind}  ${since}`, `deadline ${time}`),
    deadline(` ${muster.kind} ${since}`, time),
  ];
}

/** The counters, and the bar below them. */
export function counterLines(scene: DashboardScene, columns: number, theme: Theme): readonly [TextLine, TextLine] {
  const { active } = scene;
  if (active === null) return quietLines(scene, columns, theme);
  const { totals } = active;
  const rescue = scene.siteRows.filter(({ rescue }) => rescue).length;
  const countOf = (status: CounterKey): number => (status === 'rescue' ? rescue : (totals[status] ?? 0));
  const isWide = columns >= 100;
  const left: TextSpan[] = [span(isWide ? ` EXPECTED ${totals.expected}   ` : ' ', 'bold')];
  const gap = isWide ? 3 : 1;
  const texts = (form: number): string[] =>
    COUNTED.map((status) => {
      const of = status === 'safe' && !isWide ? ` /${totals.expected}` : '';
      return `${theme.glyphs[status]}${isWide ? ' ' : ''}${countOf(status)}${of} ${WORDS[status][form]}`.trimEnd();
    });
  const fits = (all: readonly string[]): boolean =>
    widthOf(left) + all.reduce((sum, text) => sum + text.length, 0) + gap * (all.length - 1) < columns;
  const chosen = (isWide ? [0, 1] : [1, 2, SHORTEST]).map(texts).find(fits) ?? texts(SHORTEST);
  for (const [place, status] of COUNTED.entries()) {
    const isSomebody = countOf(status) > 0 || status === 'safe';
    left.push(span(chosen[place] as string, isSomebody ? status : 'dim'), blank(gap));
  }
  const part = totals.expected === 0 ? '' : `${((100 * totals.safe) / totals.expected).toFixed(1)} % safe `;
  const hasRoom = widthOf(left) + part.length - 1 < columns;
  return [row(columns, left, hasRoom ? [span(part, 'bold')] : []), bar(active, columns, theme)];
}

function quietLines(
  { muster, siteRows, alerts }: DashboardScene,
  columns: number,
  theme: Theme,
): readonly [TextLine, TextLine] {
  const open = alerts.filter(isOpen).length;
  const unworn = siteRows.filter(({ person }) => person.worn === false).length;
  const veiled = siteRows.filter(({ person }) => person.location_withheld).length;
  const counts = [
    span(` ${siteRows.length} people`, 'bold'),
    span(`   ${locatedAmong(siteRows)} located   ${veiled > 0 ? `${veiled} veiled   ` : ''}`),
    span(`${theme.glyphs.not_worn} ${unworn} not_worn`, 'not_worn'),
    span(`   ${theme.glyphs.rescue} ${open} open ${open === 1 ? 'alert' : 'alerts'}`, open > 0 ? 'critical' : 'dim'),
  ];
  const last = muster === null ? 'No muster is under way: m starts one.' : lastMuster(muster);
  return [row(columns, counts), row(columns, [span(` ${last}`, 'dim')])];
}

const lastMuster = ({ kind, status, totals, ended_at }: Muster): string =>
  `The last muster (${kind}) was ${status}${ended_at === null ? '' : ` at ${dayTime(ended_at)}`}: ${totals.safe} of ${totals.expected} safe. m starts another.`;

/** Each status gets its share of the width, at least one cell if it has people. */
function bar({ totals }: Muster, columns: number, { glyphs }: Theme): TextLine {
  const parts = partsOf(
    COUNTED_STATUSES.map((status) => totals[status] ?? 0),
    columns - 2,
  );
  const marks: Record<CountedStatus, string> = {
    safe: glyphs.full,
    help: glyphs.help,
    wrong_point: glyphs.half,
    pending: glyphs.light,
    no_signal: glyphs.no_signal,
    not_worn: glyphs.not_worn,
  };
  return [
    blank(1),
    ...COUNTED_STATUSES.map((status, place) => span(marks[status].repeat(parts[place] as number), status)),
  ];
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

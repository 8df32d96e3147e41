/** The head of the dashboard: which site, what muster, the clock, the counters and the one bar that says how many are safe. */
import { formatInstant } from '../../base/instants.ts';
import type { Muster } from '../../contract/resources.ts';
import type { MusterStatusOf } from '../../watching/feed.ts';
import { spanText } from '../../watching/people.ts';
import type { Paper } from '../paper.ts';
import { cut } from '../paper.ts';
import { type Scene, sitesOf } from '../rows.ts';
import type { Role, Theme } from '../theme.ts';
import type { Connection, View } from '../view.ts';

/** The order of the counters and of the bar: from safe to unknown. */
export const STATUSES = [
  'safe',
  'help',
  'wrong_point',
  'pending',
  'no_signal',
  'not_worn',
] as const satisfies MusterStatusOf[];

type Words = Record<MusterStatusOf, string>;

/** From many letters to few: what fits is taken. */
const LONG: Words = {
  safe: 'safe',
  help: 'help',
  wrong_point: 'wrong_point',
  pending: 'pending',
  no_signal: 'no_signal',
  not_worn: 'not_worn',
};
const SHORT: Words = { ...LONG, wrong_point: 'wrong_pt', no_signal: 'no_sig' };
const SHORTER: Words = { ...LONG, wrong_point: 'wrong', pending: 'pend', no_signal: 'no_sig', not_worn: 'unworn' };
const NONE: Words = { safe: 'safe', help: 'help', wrong_point: '', pending: '', no_signal: '', not_worn: '' };

/** Row 0: name, muster, clock. What has no room is left out, the least needed first. */
export function titleBar(paper: Paper, scene: Scene, view: View, connection: Connection, theme: Theme): void {
  const { glyphs } = theme;
  const { site, active, world } = scene;
  const { columns } = paper;
  paper.paint(0, 0, columns, 'bar');
  const badges = badgesOf(view, connection, columns, theme);
  const width = badges.reduce((sum, [text]) => sum + text.length + 1, 0);
  const end = clockAt(paper, scene, width, theme) - width - 1;
  badges.reduce((x, [text, role]) => paper.write(x, 0, text, role) + 1, end + 1);
  const sites = sitesOf(world);
  const place =
    sites.length > 1 && site !== null && columns >= 100 ? ` ${sites.indexOf(site) + 1}/${sites.length}` : '';
  let x = paper.write(1, 0, `${glyphs.mark === '>' ? '' : '▚ '}SANDBOX  `, 'bar');
  x = paper.write(
    x,
    0,
    `${cut(site?.name ?? 'no site', columns >= 100 ? 28 : columns >= 80 ? 18 : 14, glyphs.dots)}${place}  `,
    'bar',
    end,
  );
  if (active === null) {
    paper.write(x, 0, 'no muster', 'bar', end);
    return;
  }
  x = paper.write(x, 0, ` ${active.phase.toUpperCase()} `, active.phase, end);
  const times = timesOf(active, scene.now, theme).map((text) => `  ${active.kind}  ${text}`);
  paper.write(x, 0, times.find((text) => x + text.length < end) ?? '', 'bar', end);
}

/** What must not be overlooked: another time, another pair of eyes, or none. Without colours it stands in brackets. */
function badgesOf(view: View, connection: Connection, columns: number, theme: Theme): [text: string, role: Role][] {
  const badges: [string, Role][] = [];
  const add = (text: string, role: Role): void => {
    badges.push([theme.sgr[role] === '' ? `[${text}]` : ` ${text} `, role]);
  };
  if (view.as !== null)
    add(`AS ${cut(view.as.organization, columns >= 100 ? 28 : 14, theme.glyphs.dots)}`, 'inspecting');
  if (view.truth) add('TRUTH', 'truth');
  if (view.frozen !== null) add('FROZEN', 'inspecting');
  else if (connection.is === 'opening') add('connecting', 'broken');
  else if (connection.is === 'broken') add('NO CONNECTION', 'broken');
  return badges;
}

/** The clock at the right end; answers where it begins. */
function clockAt(paper: Paper, { world: { clock }, now, active }: Scene, taken: number, { glyphs }: Theme): number {
  if (clock === null) return paper.columns;
  const speed = `${glyphs.by}${clock.speed} ${clock.paused ? glyphs.pause : glyphs.run}`;
  const time = formatInstant(now).slice(0, 19).replace('T', ' ');
  const hasRoom = paper.columns - taken >= (active === null ? 80 : 110);
  const text = hasRoom ? `${time.slice(active === null ? 0 : 11)}  ${speed}` : speed;
  const x = paper.columns - text.length - 1;
  paper.write(x, 0, text, 'bar');
  return x;
}

/** How long it lasts and how long there is, in more words and in fewer. */
function timesOf(muster: Muster, now: number, { glyphs }: Theme): string[] {
  const since = `T+${spanText(now - Date.parse(muster.started_at))}`;
  if (muster.deadline === null) return [since];
  const left = Date.parse(muster.deadline.at) - now;
  const span = `${left < 0 ? '+' : glyphs.minus}${spanText(Math.abs(left))}`;
  return [
    `${since}  deadline ${span} ${muster.deadline.source}`,
    `${since}  deadline ${span}`,
    `${since}  ${span}`,
    since,
  ];
}

/** The counters and the bar; answers how many rows they took. */
export function counters(paper: Paper, y: number, scene: Scene, theme: Theme): void {
  const { active, muster, everybody, alerts } = scene;
  const isWide = paper.columns >= 100;
  if (active === null) {
    const open = alerts.filter(({ status }) => status !== 'resolved').length;
    const unworn = everybody.filter(({ person }) => person.worn === false).length;
    const veiled = everybody.filter(({ person }) => person.location_withheld).length;
    const located = everybody.filter(({ person }) => person.location !== null).length;
    let x = paper.write(1, y, `${everybody.length} people`, 'bold');
    x = paper.write(x, y, `   ${located} located   ${veiled > 0 ? `${veiled} veiled   ` : ''}`, 'plain');
    x = paper.write(x, y, `${theme.glyphs.not_worn} ${unworn} not_worn`, 'not_worn');
    paper.write(
      x + 3,
      y,
      `${theme.glyphs.help} ${open} open ${open === 1 ? 'alert' : 'alerts'}`,
      open > 0 ? 'help' : 'dim',
    );
    paper.write(1, y + 1, muster === null ? 'No muster is under way: m starts one.' : lastMuster(muster), 'dim');
    return;
  }
  const { totals } = active;
  let x = isWide ? paper.write(1, y, `EXPECTED ${totals.expected}   `, 'bold') : 1;
  const gap = isWide ? 4 : 2;
  const texts = (words: Words): string[] =>
    STATUSES.map((status) => {
      const of = status === 'safe' && !isWide ? ` /${totals.expected}` : '';
      return `${theme.glyphs[status]}${isWide ? ' ' : ''}${totals[status] ?? 0}${of} ${words[status]}`.trimEnd();
    });
  const fits = (all: readonly string[]): boolean =>
    x + all.reduce((sum, text) => sum + text.length, 0) + gap * (all.length - 1) < paper.columns;
  const chosen = (isWide ? [LONG, SHORT] : [SHORT, SHORTER, NONE]).map(texts).find(fits) ?? texts(NONE);
  for (const [place, status] of STATUSES.entries()) {
    const isSomebody = (totals[status] ?? 0) > 0 || status === 'safe';
    x = paper.write(x, y, chosen[place] as string, isSomebody ? status : 'dim') + gap;
  }
  const part = totals.expected === 0 ? '' : `${((100 * totals.safe) / totals.expected).toFixed(1)} % safe`;
  if (x + part.length < paper.columns) paper.write(paper.columns - part.length - 1, y, part, 'bold');
  bar(paper, y + 1, active, theme);
}

const lastMuster = ({ kind, status, totals, ended_at }: Muster): string =>
  `The last muster (${kind}) was ${status}${ended_at === null ? '' : ` at ${ended_at.slice(11, 19)}`}: ${totals.safe} of ${totals.expected} safe. m starts another.`;

/** Each status gets its part of the width, and at least a cell where it has somebody. */
function bar(paper: Paper, y: number, { totals }: Muster, { glyphs }: Theme): void {
  const width = paper.columns - 2;
  const parts = partsOf(
    STATUSES.map((status) => totals[status] ?? 0),
    width,
  );
  const marks: Record<MusterStatusOf, string> = {
    safe: glyphs.full,
    help: glyphs.help,
    wrong_point: glyphs.half,
    pending: glyphs.light,
    no_signal: glyphs.no_signal,
    not_worn: glyphs.not_worn,
  };
  let x = 1;
  for (const [place, status] of STATUSES.entries())
    x = paper.write(x, y, marks[status].repeat(parts[place] as number), status as Role);
}

/** Whole parts of a width in the proportion of the counts: nobody's part is lost, and their sum is the width. */
export function partsOf(counts: readonly number[], width: number): number[] {
  const sum = counts.reduce((a, b) => a + b, 0);
  if (sum === 0) return counts.map(() => 0);
  const parts = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.floor((count * width) / sum))));
  const largest = parts.indexOf(Math.max(...parts));
  parts[largest] = Math.max(0, (parts[largest] as number) + width - parts.reduce((a, b) => a + b, 0));
  return parts;
}

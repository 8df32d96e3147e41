/** A coverage as lines of a terminal. [cli, Coverage] */
import type { Paint } from '../../contract/resources/terminal-colours.ts';
import { plural } from '../../contract/sentences.ts';
import { nextLines } from './next.ts';
import {
  type CoverageFloor,
  type CoverageSummary,
  type CoveredGroup,
  type CoveredItem,
  isUnused,
  missedFloors,
} from './summary.ts';

const BAR = 10;
const NAME_WIDTH = 11;

/** The end of a line without room for all names. */
const CUT = ' …';

/** What every report says of itself. */
export const HONEST =
  'That something was met does not mean that it was handled correctly: certify --probe, explore and rules of scenarios judge that.';

interface CoverageLook {
  readonly columns: number;
  readonly paint: Paint;
  /** Where all names are, for lines without room for them. */
  readonly all: string;
}

/** Lines of at most `columns` for the groups; the others are sentences and commands. */
export function coverageLines(summary: CoverageSummary, { columns, paint, all }: CoverageLook): string[] {
  const { organizations, requests, deliveries, files, groups, mistakes } = summary;
  const met = groups.reduce((sum, one) => sum + one.met, 0);
  const counts = [
    `${met} of ${groups.reduce((sum, { of }) => sum + of, 0)} items`,
    plural(requests, 'request'),
    deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`,
    ...(files > 1 ? [`${files} files`] : []),
  ].join(', ');
  const who = organizations.length === 0 ? 'nobody yet' : organizations.join(', ');
  const wrong = mistakes.map(({ code, times }) => `${times} × ${code}`).join(', ');
  const lines = groups.map((group) => groupLine(group, columns, paint));
  return [
    `${paint('bold', 'COVERAGE')}  ${who}   ${counts}`,
    ...lines,
    ...(lines.some((line) => line.endsWith(CUT)) ? [`  all names: ${all}`] : []),
    ...(wrong === '' ? [] : [`  your client's mistakes: ${wrong}`]),
    ...nextLines(summary),
    paint('dim', HONEST),
  ];
}

function groupLine(group: CoveredGroup, columns: number, paint: Paint): string {
  const { group: name, met, of } = group;
  const head = `  ${name.padEnd(NAME_WIDTH)}${`${met}/${of}`.padStart(7)}`;
  if (isUnused(group)) return `  ${name.padEnd(NAME_WIDTH)}        ${paint('dim', 'not used')}`;
  const full = Math.floor((met * BAR) / of);
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  const rest = restText(group, columns - head.length - BAR - 4);
  return `${head} ${paint(met === of ? 'green' : 'amber', bar)}${rest === '' ? '' : `  ${rest}`}`;
}

/** What is missing, in at most `room` characters. */
export function restText({ group, items }: CoveredGroup, room: number): string {
  const of = (result: 'not_met' | 'not_handled') =>
    items.filter((one) => one.result === result).map((one) => `${one.name}${halfText(one)}`);
  const [never, unhandled] = [of('not_met'), of('not_handled')];
  const parts = [
    ...(unhandled.length === 0 ? [] : [`met, not handled: ${unhandled.join(', ')}`]),
    ...(never.length === 0
      ? []
      : [`${group === 'absence' ? 'never both with and without a value' : 'never'}: ${never.join(', ')}`]),
  ];
  const text = parts.join('; ');
  return text.length <= room ? text : `${text.slice(0, Math.max(10, text.lastIndexOf(',', room - 2)))}${CUT}`;
}

/** Which half of an item is missing, such as ` (never without)`; empty: both. */
export const halfText = ({ partly }: Pick<CoveredItem, 'partly'>): string =>
  partly === null ? '' : partly.endsWith(' null') ? ' (never with)' : ' (never without)';

/** A line for each floor that was missed; empty if none was. */
export const floorLines = (summary: CoverageSummary, floors: readonly CoverageFloor[]): string[] =>
  missedFloors(summary, floors).map(({ floor, group: { group, met, of, items } }) => {
    const missing = items.filter(({ result }) => result !== 'met').map(({ name }) => name);
    return `coverage of ${group} is ${met}/${of} (${Math.floor((100 * met) / of)} %), below ${floor.percent} %. Missing: ${missing.join(', ')}`;
  });

/** A muster as two rows of cells, for the head of the dashboard and for the screen reader: what it is, and its counters. */
import { COUNTED_STATUSES, type CountedStatus } from '../../contract/resources/headcount.ts';
import { MUSTER_TERMS, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Muster } from '../../contract/resources.ts';
import { helpersAmong, helpersText, type PersonRow } from '../../watching/state/people.ts';
import { capital, dayTime, deadlineText, plainWords, spanText } from '../../watching/state/words.ts';
import type { PaneRow, RowCell } from '../table.ts';
import { type Theme, theme as themeOf } from '../terminal/theme.ts';

/** Signs are not spoken. */
const SILENT = themeOf('mono');

/** Kind and site, phase, and the deadline if there is one. `now`: simulated ms. */
export function musterRow({ kind, phase, site, deadline }: Muster, now: number): PaneRow {
  const { word, short, spoken } = MUSTER_TERMS[phase];
  const left = deadline === null ? 0 : Date.parse(deadline.at) - now;
  const time = deadlineText(left);
  const cells: RowCell[] = [
    { text: [kind], spoken: `${capital(kind)} muster at ${site.name}`, token: 'bar', priority: 3 },
    { text: [word, short].map((text) => text.toUpperCase()), spoken, token: phase, priority: 4 },
  ];
  if (deadline !== null) {
    const source = plainWords(deadline.source);
    cells.push({
      text: [`${time}, ${source} deadline`, time, deadlineText(left, spanText)],
      spoken: `deadline ${dayTime(deadline.at)}, ${source}`,
      token: 'bar',
      priority: 2,
    });
  }
  return { id: null, kind: 'muster', cells };
}

/** How the counters are written: all of them use the first of the forms for the width that fits. */
interface CounterForm {
  /** True if the number of those who called for help says how many of them only help another. */
  readonly hasHelpers: boolean;
  readonly words: 'word' | 'short' | 'deciding' | 'none';
  /** True if the number of expected people follows that of the safe ones. */
  readonly hasExpected: boolean;
}
const WIDE_FORMS: readonly CounterForm[] = [
  { words: 'word', hasExpected: false, hasHelpers: true },
  { words: 'short', hasExpected: false, hasHelpers: true },
  { words: 'deciding', hasExpected: false, hasHelpers: true },
  { words: 'deciding', hasExpected: false, hasHelpers: false },
];
const NARROW_FORMS: readonly CounterForm[] = [
  { words: 'short', hasExpected: true, hasHelpers: true },
  { words: 'deciding', hasExpected: true, hasHelpers: true },
  { words: 'none', hasExpected: true, hasHelpers: true },
  { words: 'none', hasExpected: true, hasHelpers: false },
  { words: 'none', hasExpected: false, hasHelpers: false },
];

/** In the form `deciding`, the two that decide have their word, and the others their sign alone. */
function wordOf(status: CountedStatus, words: CounterForm['words']): string {
  const { word, short } = PERSON_TERMS[status];
  const isDeciding = status === 'safe' || status === 'help';
  return words === 'word' ? word : words === 'short' || (words === 'deciding' && isDeciding) ? short : '';
}

function helpersIn(helpers: number, words: CounterForm['words'], { glyphs }: Theme): string {
  if (helpers === 0) return '';
  if (words === 'word') return `, ${helpersText(helpers)}`;
  return words === 'none' ? ` ${glyphs.helping}${helpers}` : `, ${helpers} ${PERSON_TERMS.helping.short}`;
}

/** What the totals of a muster do not say. */
interface AmongExpected {
  readonly rescue: number;
  /** Those who called for help for another. */
  readonly helpers: number;
}

/** Only the totals are known, as in an event. */
const UNKNOWN: AmongExpected = { rescue: 0, helpers: 0 };

export const among = (rows: readonly PersonRow[]): AmongExpected => ({
  rescue: rows.filter(({ rescue }) => rescue).length,
  helpers: helpersAmong(rows),
});

/** The people to rescue, who also have one of the statuses, and then each status, which add up to the expected people. */
export function headcountRow(
  { totals }: Muster,
  { rescue, helpers }: AmongExpected = UNKNOWN,
  theme: Theme = SILENT,
  isWide = true,
): PaneRow {
  const gap = isWide ? ' ' : '';
  const { rescue: term } = PERSON_TERMS;
  const cells: RowCell[] = COUNTED_STATUSES.map((status) => {
    const count = totals[status] ?? 0;
    const { word, spoken } = PERSON_TERMS[status];
    const of = status === 'safe' ? `${count} of ${totals.expected}` : `${count}`;
    const helping = status === 'help' && helpers > 0 ? `, ${helpersText(helpers)}` : '';
    return {
      text: (isWide ? WIDE_FORMS : NARROW_FORMS).map(({ words, hasExpected, hasHelpers }) => {
        const expected = status === 'safe' && hasExpected ? ` /${totals.expected}` : '';
        const figure = `${theme.glyphs[status]}${gap}${count}${expected} ${wordOf(status, words)}`.trimEnd();
        return status === 'help' && hasHelpers ? `${figure}${helpersIn(helpers, words, theme)}` : figure;
      }),
      spoken: count > 0 || status === 'safe' ? `${of} ${status === 'help' ? word : spoken}${helping}` : '',
      token: count > 0 || status === 'safe' ? status : 'dim',
      priority: 1,
      ...(status === 'safe' || status === 'help' ? {} : { part: 'rest' as const }),
    };
  });
  const word = isWide ? term.word : term.short;
  const first: RowCell[] =
    rescue === 0
      ? []
      : [
          {
            text: [`${theme.glyphs.rescue}${gap}${rescue} ${word}`],
            spoken: `${rescue} ${term.word}`,
            token: 'rescue',
            priority: 2,
          },
        ];
  return { id: null, kind: 'headcount', cells: [...first, ...cells] };
}

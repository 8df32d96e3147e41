/** The outcomes of `sandbox certify` on a terminal: passes share lines, failures follow whole, then the verdict. [cli] */
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import type { CheckOutcome } from '../../proving/certify/certify.ts';
import { CHECK_GROUPS, checkName, clauseText } from '../../proving/certify/check.ts';
import type { CertifyReport } from '../../proving/certify/reports.ts';
import { filled } from '../fitted.ts';
import { colourOf, out, outLine } from '../output.ts';
import { EntryLines, entryColumns, timeText, verdictLine } from '../verdict.ts';

/** Width of the names in a reason. */
const INDENT = 15;

/** Texts are wrapped at this width on a wider terminal. */
const WIDEST = 120;

/**
 * Prints the name of a group at its first outcome, and its outcomes when the last one is known: passes share lines, as do checks
 * that were not judged for one reason.
 */
export class OutcomePrinter {
  #group: CheckOutcome[] = [];

  take(outcome: CheckOutcome): void {
    const [before] = this.#group;
    if (before !== undefined && before.check.group !== outcome.check.group) this.end();
    if (this.#group.length === 0) out(`\n${colourOf(process.stdout)('bold', CHECK_GROUPS[outcome.check.group])}`);
    this.#group.push(outcome);
  }

  /** Prints the group that was collected. */
  end(): void {
    const entries = new EntryLines(width() - GROUP_INDENT, colourOf(process.stdout), (line) =>
      outLine(`${' '.repeat(GROUP_INDENT)}${line}`),
    );
    for (const alike of alikeOutcomes(this.#group)) {
      const [one] = alike as [CheckOutcome];
      // A few are easier to read with their titles.
      const isShort = one.result !== 'not_judged' && alike.length <= 2;
      const names = isShort ? alike.map(({ check }) => `${checkName(check)} ${check.title}`) : [rangesOf(alike)];
      const reason = one.result === 'not_judged' ? ` ${CHECK_TERMS.not_judged.word}: ${one.got}` : '';
      for (const name of names) entries.add({ name: `${name}${reason}`, result: one.result, checks: null, why: null });
    }
    entries.end();
    this.#group = [];
  }
}

const GROUP_INDENT = 2;

/** The checks that passed, and those that were not judged for one reason, together; any other check alone. */
function alikeOutcomes(outcomes: readonly CheckOutcome[]): CheckOutcome[][] {
  const alike = new Map<string, CheckOutcome[]>();
  for (const one of outcomes) {
    const { result, got } = one;
    const key = result === 'passed' ? result : result === 'not_judged' ? `${result} ${got}` : checkName(one.check);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()];
}

/** For example `39 to 49, 51, 64`: no check between two names is left out. */
function rangesOf(outcomes: readonly CheckOutcome[]): string {
  const ranges: { first: string; last: string; next: number; count: number }[] = [];
  for (const { check } of outcomes.toSorted((a, b) => a.check.number - b.check.number)) {
    const range = ranges.at(-1);
    const name = checkName(check);
    if (range !== undefined && range.next === check.number) {
      range.last = name;
      range.next++;
      range.count++;
    } else ranges.push({ first: name, last: name, next: check.number + 1, count: 1 });
  }
  return ranges
    .map(({ first, last, count }) => (count === 1 ? first : `${first}${count === 2 ? ',' : ' to'} ${last}`))
    .join(', ');
}

/** A check that failed or has advice, whole. `productions`: by consequence, the check that has it already. */
function printWhole(
  { check, result, sent, got, production, fix }: CheckOutcome,
  productions: Map<string, string>,
): void {
  const paint = colourOf(process.stdout);
  const { token, glyph } = CHECK_TERMS[result];
  const known = production === null ? undefined : productions.get(production);
  if (production !== null && known === undefined) productions.set(production, checkName(check));
  outLine(`${paint(token, glyph)} ${checkName(check)} ${check.title}  ${paint('dim', clauseText(check))}`);
  const rows = {
    sent,
    'came back': got,
    production: known === undefined ? production : `As in check ${known}.`,
    fix,
  };
  for (const [name, text] of Object.entries(rows)) {
    if (text === null) continue;
    const [head, ...tail] = filled('', text, width() - INDENT, 0);
    outLine(`    ${paint('dim', name.padEnd(INDENT - 4))}${head}`);
    for (const line of tail) outLine(`${' '.repeat(INDENT)}${line}`);
  }
}

const width = (): number => Math.min(WIDEST, entryColumns(process.stdout));

/** The command with the failed checks alone. A secret among its words is not repeated. */
function againText(words: readonly string[], failures: readonly string[]): string {
  if (words.some((word) => /^--(?:secret|watch-key)(?:=|$)/.test(word)))
    return `the same command with --only ${failures.join(',')}`;
  const others = words.filter((word, n) => !/^--only(?:=|$)/.test(word) && words[n - 1] !== '--only');
  return [CLI, ...others.map(shellWord), '--only', failures.join(',')].join(' ');
}

/**
 * The failures whole, the advice, what more could be judged, and the line with the verdict. `report`: for a person. `words`: of the
 * command.
 */
export function printSummary(
  { outcomes, counts }: CertifyReport,
  report: string | null,
  words: readonly string[],
): void {
  const paint = colourOf(process.stdout);
  const productions = new Map<string, string>();
  const whole = outcomes.filter(({ result }) => result === 'advice' || result === 'failed');
  out('');
  for (const one of whole.toSorted((a, b) => Number(a.result === 'failed') - Number(b.result === 'failed')))
    printWhole(one, productions);
  const needs = new Set(outcomes.filter(({ result }) => result === 'not_judged').flatMap(({ fix }) => fix ?? []));
  for (const need of needs) outLine(paint('dim', `to judge more: ${need}`));
  const failures = outcomes.filter(({ result }) => result === 'failed').map(({ check }) => checkName(check));
  const parts = [
    `${counts.passed} passed`,
    ...(counts.failed === 0 ? [] : [`${counts.failed} failed (${failures.join(', ')})`]),
    ...(counts.advice === 0 ? [] : [`${counts.advice} with advice`]),
    ...(counts.not_judged === 0 ? [] : [`${counts.not_judged} not judged`]),
  ];
  if (failures.length > 0) outLine(paint('dim', `again: ${againText(words, failures)}`));
  const word = counts.failed > 0 ? 'FAILED' : counts.passed + counts.advice === 0 ? 'NOT JUDGED' : 'PASSED';
  outLine(verdictLine({ word, counts: parts.join(', '), facts: [timeText()], report }, paint));
}

/** The outcomes of `sandbox certify` on a terminal: one line each, and the reason for those that did not pass. [cli] */
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import type { CheckOutcome } from '../../proving/certify/certify.ts';
import { CHECK_GROUPS, type CheckGroup, checkName, clauseText, type JudgedCheck } from '../../proving/certify/check.ts';
import type { CertifyReport } from '../../proving/certify/reports.ts';
import { colourOf, out, outLine } from '../output.ts';

/** Width of the names in a reason, and the limits of the width at which texts are wrapped. */
const INDENT = 17;
const NARROWEST = 60;
const WIDEST = 120;

export class OutcomePrinter {
  readonly #paint = colourOf(process.stdout);
  #group: CheckGroup | null = null;
  /** Consecutive checks that were not judged for the same reason. They are printed as one line. */
  #skipped: CheckOutcome[] = [];
  /** By consequence in production: the check whose lines first printed it. */
  readonly #productions = new Map<string, string>();

  take(outcome: CheckOutcome): void {
    const [before] = this.#skipped;
    const isAlike =
      outcome.result === 'not_judged' && outcome.got === before?.got && outcome.check.group === before.check.group;
    if (!isAlike) this.end();
    if (outcome.check.group !== this.#group) out(`\n${this.#paint('bold', CHECK_GROUPS[outcome.check.group])}`);
    this.#group = outcome.check.group;
    if (outcome.result === 'not_judged') this.#skipped.push(outcome);
    else this.#print(outcome);
  }

  /** Prints the checks that were collected for one line. */
  end(): void {
    const [first, ...more] = this.#skipped;
    this.#skipped = [];
    if (first === undefined) return;
    const { check, got } = first;
    if (more.length === 0) return this.#line(check, 'not_judged', check.title, `not judged: ${got}`);
    const words = `${more.length + 1} checks, up to ${checkName((more.at(-1) ?? first).check)}`;
    this.#line(check, 'not_judged', words, `not judged: ${got}`);
  }

  #print({ check, result, sent, got, production, fix }: CheckOutcome): void {
    const aside = result === 'passed' ? got : result === 'failed' ? 'FAILED' : 'advice';
    this.#line(check, result, check.title, aside);
    if (result === 'passed') return;
    const known = production === null ? undefined : this.#productions.get(production);
    if (production !== null && known === undefined) this.#productions.set(production, checkName(check));
    const rows = {
      sent,
      'came back': got,
      production: known === undefined ? production : `As in check ${known}.`,
      fix,
      clause: clauseText(check),
    };
    for (const [name, text] of Object.entries(rows)) {
      if (text === null) continue;
      const [head, ...tail] = broken(text, width() - INDENT);
      outLine(`      ${this.#paint('dim', name.padEnd(INDENT - 6))}${head}`);
      for (const line of tail) outLine(`${' '.repeat(INDENT)}${line}`);
    }
  }

  #line(check: JudgedCheck, result: CheckOutcome['result'], title: string, aside: string): void {
    const mark = this.#paint(CHECK_TERMS[result].token, CHECK_TERMS[result].glyph);
    outLine(
      `${checkName(check).padStart(3)} ${mark} ${title}  ${this.#paint(result === 'failed' ? CHECK_TERMS.failed.token : 'dim', aside)}`,
    );
  }
}

const width = (): number => Math.min(WIDEST, Math.max(NARROWEST, process.stdout.columns ?? WIDEST));

/** Breaks the text at spaces into lines of at most `columns`. A longer word has a line of its own. */
function broken(text: string, columns: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function printSummary({ outcomes, counts }: CertifyReport): void {
  const paint = colourOf(process.stdout);
  const failures = outcomes.filter(({ result }) => result === 'failed').map(({ check }) => checkName(check));
  const parts = [
    paint('green', `${counts.passed} passed`),
    ...(counts.failed === 0 ? [] : [paint('red', `${counts.failed} failed (${failures.join(', ')})`)]),
    ...(counts.advice === 0 ? [] : [paint('amber', `${counts.advice} with advice`)]),
    ...(counts.not_judged === 0 ? [] : [`${counts.not_judged} not judged`]),
  ];
  out('');
  outLine(parts.join(', '));
  const needs = new Set(outcomes.filter(({ result }) => result === 'not_judged').flatMap(({ fix }) => fix ?? []));
  for (const need of needs) outLine(paint('dim', `to judge more: ${need}`));
}

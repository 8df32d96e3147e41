/** The table of guideline tests: played by all seeds, and written as Markdown into the document of the walking model. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GuidelineCheck, SEEDS } from './check.ts';
import { CORRIDORS } from './corridors.ts';
import { CROWDING } from './crowding.ts';
import { WALKING } from './walking.ts';

export const DOCUMENT = join(resolve(import.meta.dirname, '../../..'), 'docs/internal/walking-model.md');

/** RiMEA, IMO and NIST, each in the order of its numbers. */
export const CHECKS: readonly GuidelineCheck[] = [...WALKING, ...CROWDING, ...CORRIDORS]
  .map((check, n) => ({ check, n, key: keyOf(check) }))
  .sort((a, b) => a.key - b.key || a.n - b.n)
  .map(({ check }) => check);

export interface TableRow {
  readonly check: GuidelineCheck;
  /** Of the first seed. */
  readonly result: string;
  /** Seeds by which the criterion is met. */
  readonly met: number;
}

export function play(check: GuidelineCheck, seeds: readonly string[] = SEEDS): TableRow {
  const outcomes = seeds.map((seed) => check.play(seed));
  return { check, result: outcomes[0]!.result, met: outcomes.filter(({ met }) => met).length };
}

const MARKS = ['<!-- the table: npm run verify -- --write -->', '<!-- end of the table -->'] as const;

/** The document with the table of these rows. */
export function withTable(rows: readonly TableRow[], text = readFileSync(DOCUMENT, 'utf8')): string {
  const [begin, end] = MARKS;
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${DOCUMENT} has no place for the table: ${begin} ... ${end}`);
  return `${text.slice(0, before)}${begin}\n${markdown(rows)}\n${text.slice(after)}`;
}

function markdown(rows: readonly TableRow[]): string {
  const lines = rows.map(({ check: { id, what, criterion, checks }, result, met }) => {
    const basis = checks === 'input' ? 'by construction' : 'behaviour';
    return `| ${id} | ${what} | ${criterion} | ${result} | ${met} of ${SEEDS.length} | ${basis} |`;
  });
  const head = ['| test | what | criterion | result | met, of seeds | checks |', '|---|---|---|---|---|---|'];
  return [...head, ...lines].join('\n');
}

function keyOf({ id }: GuidelineCheck): number {
  const [, guideline = '', chapter = '', number = '0'] = /^(\w+) (\d+)(?:\.(\d+))?/.exec(id) ?? [];
  return 10_000 * ['RiMEA', 'IMO', 'NIST'].indexOf(guideline) + 100 * Number(chapter) + Number(number);
}

/** Published tests of evacuation models (RiMEA, IMO, NIST), played by the people of the fleet. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unless } from '../../helpers/unless.ts';
import { inputsOf, isWhole, withoutWhole } from '../../helpers/whole.ts';
import { SEEDS } from './check.ts';
import { CHECKS, DOCUMENT, play, type TableRow, withTable } from './table.ts';

const rows: TableRow[] = [];

/** The first one, whose result the table has, or all. */
const seeds = inputsOf(SEEDS, SEEDS.length);

describe('the walking people', () => {
  for (const check of CHECKS) {
    const { id, what, criterion } = check;
    // It takes as long as all the others together; the same corridor is 2 m wide in another.
    const isLong = what.startsWith('corridor 10 m wide');
    unless(isLong ? withoutWhole : null).it(`meet ${id}: ${what}`, () => {
      const row = play(check, seeds);
      expect(row.met, `${criterion}: ${row.result}`).toBe(seeds.length);
      rows.push({ ...row, met: SEEDS.length });
    });
  }

  it('have the table of these tests in docs/internal/walking-model.md, as `npm run verify -- --write` writes it', () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    const lines = new Set(document.split('\n'));
    expect(
      withTable(rows)
        .split('\n')
        .filter((line) => !lines.has(line)),
    ).toEqual([]);
    if (isWhole) expect(withTable(rows)).toBe(document);
  });
});

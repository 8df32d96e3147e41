/** Published tests of evacuation models (RiMEA, IMO, NIST), played by the people of the fleet. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SEEDS } from './check.ts';
import { CHECKS, DOCUMENT, play, type TableRow, withTable } from './table.ts';

const rows: TableRow[] = [];

describe('the walking people', () => {
  it.each(CHECKS.map((check) => ({ ...check, check })))('meet $id: $what', ({ check, criterion }) => {
    const row = play(check);
    rows.push(row);
    expect(row.met, `${criterion}: ${row.result}`).toBe(SEEDS.length);
  });

  it('have the table of these tests in docs/walking-model.md, as `npm run verify -- --write` writes it', () => {
    expect(withTable(rows)).toBe(readFileSync(DOCUMENT, 'utf8'));
  });
});

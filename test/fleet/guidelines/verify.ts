/** `npm run verify`: plays the guideline tests and prints the table; with --write it goes into the document. */
import { writeFileSync } from 'node:fs';
import { SEEDS } from './check.ts';
import { CHECKS, DOCUMENT, play, withTable } from './table.ts';

const rows = CHECKS.map((check) => {
  const row = play(check);
  const met = row.met === SEEDS.length ? 'met' : `NOT MET by ${SEEDS.length - row.met} of ${SEEDS.length} seeds`;
  console.log(
    `${check.id.padEnd(18)} ${met.padEnd(5)} ${row.result}\n${' '.repeat(25)}${check.what}: ${check.criterion}`,
  );
  return row;
});
const failed = rows.filter(({ met }) => met < SEEDS.length);
console.log(
  `\nverified against ${rows.length - failed.length} of ${rows.length} guideline tests, by ${SEEDS.length} seeds each`,
);
if (process.argv.includes('--write')) writeFileSync(DOCUMENT, withTable(rows));
process.exit(failed.length === 0 ? 0 : 1);

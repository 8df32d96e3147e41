/** The table at the end of `npm run bench`, and its file: each measure with its bare baseline of the same run and what the project asks of itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { tableLines } from '../src/cli/table.ts';

/** Not in the repository. */
const FOLDER = '.bench';

export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The baseline in the same unit; absent: there is none. */
  readonly bare?: number;
  /** Of the value, or of the value divided by its baseline (`times`). A busy machine may miss it. */
  readonly aim?: { readonly of: 'value' | 'times'; readonly most?: number; readonly least?: number };
}

interface MeasureRow extends Measure {
  readonly bench: string;
}

const rows: MeasureRow[] = [];
let current = '';

/** The measures from here on are of this benchmark. */
export function beginBench(name: string): void {
  current = name;
}

export function measured(measure: Measure): void {
  rows.push({ bench: current, ...measure });
}

const digits = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);

const timesOf = ({ value, bare }: Measure): number | null => (bare === undefined || bare === 0 ? null : value / bare);

/** Null: there is no aim. */
function isMet(measure: Measure): boolean | null {
  const { aim, value } = measure;
  const judged = aim?.of === 'times' ? timesOf(measure) : value;
  if (aim === undefined || judged === null) return null;
  return judged <= (aim.most ?? Number.POSITIVE_INFINITY) && judged >= (aim.least ?? Number.NEGATIVE_INFINITY);
}

const aimText = ({ aim, unit }: Measure): string => {
  if (aim === undefined) return '';
  const bound = aim.most === undefined ? `at least ${aim.least}` : `at most ${aim.most}`;
  return aim.of === 'times' ? `${bound} times` : `${bound} ${unit}`;
};

/** Prints the table, writes `.bench/results.json`, and says how many aims were missed. */
export function printBenchTable(): void {
  if (rows.length === 0) return;
  const head = ['bench', 'measure', 'value', 'bare', 'times', 'asked', ''];
  const lines = rows.map((row) => {
    const times = timesOf(row);
    const met = isMet(row);
    return [
      ...[row.bench, row.what, `${digits(row.value)} ${row.unit}`, row.bare === undefined ? '' : digits(row.bare)],
      ...[times === null ? '' : times.toFixed(2), aimText(row), met === null ? '' : met ? 'met' : 'MISSED'],
    ];
  });
  console.log(`\n${tableLines([head, ...lines]).join('\n')}`);
  const missed = rows.filter((row) => isMet(row) === false).length;
  const judged = rows.filter((row) => isMet(row) !== null).length;
  console.log(`\n${judged - missed} of ${judged} aims met`);
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'results.json');
  const [processor] = cpus();
  const machine = {
    cores: cpus().length,
    processor: processor?.model ?? null,
    memory_gb: Math.round(totalmem() / 2 ** 30),
  };
  const measures = rows.map((row) => ({ ...row, bare: row.bare ?? null, times: timesOf(row), met: isMet(row) }));
  writeFileSync(
    file,
    `${JSON.stringify({ schema_version: 1, node: process.versions.node, machine, measures }, null, 2)}\n`,
  );
  console.log(file);
}

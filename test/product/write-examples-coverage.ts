/**
 * Measures the coverage of the example receivers, and writes the table of docs/coverage.md: `node --import tsx
 * test/product/write-examples-coverage.ts`. It takes about three minutes for each language.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { COVERAGE_GROUPS } from '../../src/service/api/coverage/catalogue.ts';
import { coverageCells, exampleReceivers, QUICK_START, withSystem } from './example-receivers.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCENARIOS = join(ROOT, 'scenarios');
const PAGE = join(ROOT, 'docs/coverage.md');

/** Plays the files with the receiver of the command as the system. The checks of a scenario may fail: another client is beside theirs. */
function coverageOf(folder: string, files: ReadonlyMap<string, string>): string {
  mkdirSync(folder, { recursive: true });
  cpSync(join(SCENARIOS, 'sites'), join(folder, 'sites'), { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  const file = join(folder, 'coverage.json');
  const words = ['bin/sandbox.js', 'run', folder, '--allow-commands', '--coverage', file, '--jobs', '2'];
  spawnSync(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return coverageCells(file);
}

const folder = mkdtempSync(join(tmpdir(), 'muster-examples-'));
const shipped = readdirSync(SCENARIOS).filter((name) => name.endsWith('.scenario.yaml'));
const rows: string[] = [];
for (const { language, build, start, without } of exampleReceivers(folder)) {
  if (without?.() != null) throw new Error(`${language} is missing here`);
  if (build !== undefined) execFileSync('sh', ['-c', build]);
  const quick = coverageOf(
    join(folder, language, 'quick'),
    new Map([['quick.scenario.yaml', withSystem(QUICK_START, start)]]),
  );
  const texts = shipped.map((name) => [name, withSystem(readFileSync(join(SCENARIOS, name), 'utf8'), start)] as const);
  const all = coverageOf(join(folder, language, 'all'), new Map(texts));
  rows.push(`| ${language}, quick start | ${quick} |`, `| ${language}, all scenarios | ${all} |`);
  console.log(rows.slice(-2).join('\n'));
}
rmSync(folder, { recursive: true, force: true });
const table = [
  `| receiver | ${COVERAGE_GROUPS.join(' | ')} |`,
  `|---|${COVERAGE_GROUPS.map(() => '---|').join('')}`,
  ...rows,
].join('\n');
writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(/\| receiver \|[\s\S]*?(?=\n\n)/, table));

/** Coverages in files, with the form of a `report.json`. [cli, Coverage] */
import { existsSync } from 'node:fs';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { FILE_LIMITS, readUserJson } from '../../base/user-files.ts';
import { check } from '../../contract/check.ts';
import { CoverageView } from '../../contract/operations/coverage.ts';
import { isMap } from '../../contract/schema.ts';
import { didYouMean, quoted } from '../../contract/sentences.ts';
import { CATALOGUE, COVERAGE_GROUPS, type CoverageGroup } from '../../service/api/coverage/catalogue.ts';
import { colourOf, envelope, talkLine, usage } from '../output.ts';
import { writeReportFile } from '../report-file.ts';
import { envelopeText } from '../reports.ts';
import { entryColumns } from '../verdict.ts';
import { coverageLines, floorLines } from './lines.ts';
import { coverageMarkdown, coverageSection } from './page.ts';
import { type CoverageFloor, type CoverageSummary, summaryOf } from './summary.ts';

/** Reads a coverage. Throws a usage error for another form, and for another catalogue. */
export function readCoverage(file: string): CoverageView {
  const read = readUserJson(file, { mostBytes: FILE_LIMITS.document });
  if ('why' in read) throw usage(`${file} ${read.why}.`, 'Name the file that --coverage has written.');
  const { value } = read;
  const data = isMap(value) && isMap(value['data']) ? value['data']['coverage'] : undefined;
  if (isMap(data) && data['catalogue'] !== CATALOGUE)
    throw usage(
      `${file} is of another catalogue (${String(data['catalogue'])}, and this version has ${CATALOGUE}).`,
      'Delete the file, or name another one: coverages of different versions are not united.',
    );
  const checked = check(CoverageView, data);
  if (!checked.ok)
    throw usage(`${file} is no coverage: ${checked.errors[0]?.pointer ?? ''} ${checked.errors[0]?.detail ?? ''}.`);
  return checked.value;
}

/** The text of a coverage file. */
export const coverageJson = (summary: CoverageSummary): string =>
  envelopeText(envelope('status', { coverage: summary.view }));

/** The command that writes all names. No files: it asks the running sandbox. */
export const reportOf = (files: readonly string[]): string =>
  [`${CLI} status --coverage`, ...files.map(shellWord), '--report html'].join(' ');

/** Reads `--coverage-floor GROUP=PERCENT`. */
function floorOf(text: string): CoverageFloor {
  const [, name = '', percent = ''] = /^([a-z]+)=(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
  if (name === '' || Number(percent) > 100)
    throw usage(`--coverage-floor ${quoted(text)} is not of the form GROUP=PERCENT.`, 'Such as operations=80.');
  if (!(COVERAGE_GROUPS as readonly string[]).includes(name))
    throw usage(
      `${quoted(name)} is not a group of the coverage.${didYouMean(name, COVERAGE_GROUPS)}`,
      `There are ${COVERAGE_GROUPS.join(', ')}.`,
    );
  return { group: name as CoverageGroup, percent: Number(percent) };
}

export const floorsOf = (texts: readonly string[] = []): CoverageFloor[] => texts.map(floorOf);

/** Throws a usage error if a coverage cannot be united with an existing file. */
export function mayUnite(file: string): void {
  if (existsSync(file)) readCoverage(file);
}

/**
 * Unites the views with an existing file, writes and prints the result on stderr, and returns it, and whether every floor was kept.
 * `file` null: nothing is written.
 */
export function keepCoverage(
  views: readonly CoverageView[],
  { file, floors }: { readonly file: string | null; readonly floors: readonly CoverageFloor[] },
): { readonly summary: CoverageSummary; readonly isKept: boolean } {
  const before = file !== null && existsSync(file) ? [readCoverage(file)] : [];
  const summary = summaryOf([...before, ...views], file === null ? [] : [file]);
  if (file !== null) writeReportFile(file, coverageJson(summary));
  const paint = colourOf(process.stderr);
  const all = file === null ? 'with --coverage FILE' : reportOf([file]);
  for (const line of coverageLines(summary, { columns: entryColumns(process.stderr), paint, all })) talkLine(line);
  const missed = floorLines(summary, floors);
  for (const line of missed) talkLine(`${paint('red', 'missed')}  ${line}`);
  if (file !== null) talkLine(`coverage  ${file}`);
  return { summary, isKept: missed.length === 0 };
}

/** What the reports of runs have of a coverage. */
export interface CoverageParts {
  readonly html: string;
  readonly md: string;
  readonly json: CoverageView;
}

export const partsOf = (summary: CoverageSummary): CoverageParts => ({
  html: coverageSection(summary),
  md: coverageMarkdown(summary),
  json: summary.view,
});

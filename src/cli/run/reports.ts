/** `sandbox run --report` and `--out`: which reports are written, and where. [scenario-language, Command line] */
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../../base/repository.ts';
import { REPORT_FILES } from '../../base/text/report-files.ts';
import { plural } from '../../contract/sentences.ts';
import { VERSION } from '../../sandbox/version.ts';
import { LOG_FILE } from '../../scenario/log/canonical-log.ts';
import { EVENTS_FILE } from '../../scenario/log/events-file.ts';

import { commandOf } from '../../scenario/model/again.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';
import { markdownReport } from '../../scenario/reporting/markdown.ts';
import type { RunReport } from '../../scenario/reporting/report-data.ts';
import { type Reported, reportTexts } from '../../scenario/reporting/report-texts.ts';
import { Witness } from '../../scenario/reporting/witness.ts';
import type { CoverageParts } from '../coverage/files.ts';
import { mainReport, nameReport, putReport, type RequestedReports } from '../reports.ts';
import type { RunFlags } from './flags.ts';
import type { PlannedRun } from './plan.ts';

/** Collects the runs of one `sandbox run` and writes the reports at its end. */
export class RunReports {
  readonly #requested: RequestedReports<'run'>;
  readonly #truth: boolean;
  readonly #runs: Reported[] = [];
  readonly #by: { readonly seed: boolean; readonly order: boolean };
  #isMany = false;
  #repeatedTitles: ReadonlySet<string> = new Set();

  constructor({ reports, truth = false, seeds, orders }: Pick<RunFlags, 'reports' | 'truth' | 'seeds' | 'orders'>) {
    this.#requested = reports;
    this.#by = { seed: seeds !== undefined, order: orders !== undefined };
    this.#truth = truth;
  }

  /** The absolute path of the common folder; null if no files are written. */
  get out(): string | null {
    return this.#requested.path;
  }

  /** As `mainReport`. */
  get main(): string | null {
    return mainReport(this.#requested);
  }

  /** Returns a witness for a run, or undefined if no report is requested. */
  witness(): Witness | undefined {
    return this.#requested.kinds.length === 0 ? undefined : new Witness({ truth: this.#truth });
  }

  /** Adds a run. `folder` is relative to `out`; it is `''` for a single run. */
  add(result: RunResult, witness: Witness | undefined, folder: string): void {
    if (witness === undefined) return;
    this.take(this.reportOf(result, witness), folder);
  }

  reportOf(result: RunResult, witness: Witness): RunReport {
    return witness.report(result, VERSION, commandOf(result.again));
  }

  /** Removes the run in this folder from the reports. */
  remove(folder: string): void {
    const at = this.#runs.findIndex((one) => one.folder === folder);
    if (at >= 0) this.#runs.splice(at, 1);
  }

  /** Replaces the result of the run in this folder. */
  amend(result: RunResult, folder: string): void {
    const at = this.#runs.findIndex((one) => one.folder === folder);
    const one = this.#runs[at];
    if (one === undefined) return;
    const { report } = one;
    const { verdict, exitCode, reason } = result;
    // Where no failure was added, those of the report stay: they have no secrets, and have what happened around them.
    this.#runs[at] =
      result.failures.length === report.result.failures.length
        ? { ...one, report: { ...report, result: { ...report.result, verdict, exitCode, reason } } }
        : {
            ...one,
            report: { ...report, result, around: result.failures.map(() => ({ happenings: [], leftOut: 0 })) },
          };
  }

  /** Takes the plan, from which the names of the runs follow. Results must not change them. */
  plan(runs: readonly PlannedRun[]): void {
    this.#isMany = runs.some(({ folder }) => folder !== '');
    const files = new Map(runs.map(({ file, title }) => [file, title]));
    const titles = [...files.values()];
    this.#repeatedTitles = new Set(titles.filter((title, place) => titles.indexOf(title) !== place));
  }

  /** Adds a report made by another process. */
  take(report: RunReport, folder: string): void {
    const { scenario, file } = report.result;
    const by = { ...this.#by, file: this.#repeatedTitles.has(scenario) };
    const named = { by, isOneOfMany: this.#isMany, path: inRepository(file) };
    this.#runs.push({ report: { ...report, named }, folder });
  }

  /** Writes the reports, and names the common files and the folders of the runs on stderr. `covered`: parts of the common files. */
  write(covered: CoverageParts | null): void {
    const { kinds, path } = this.#requested;
    if (this.#runs.length === 0) return;
    for (const { file, text } of reportTexts(this.#runs, kinds))
      putReport(this.#requested, file, covered === null ? text : withCoverage(file, text, covered));
    for (const file of kinds.flatMap((kind) => REPORT_FILES[kind])) nameReport(this.#requested, file);
    const folders = this.#runs.map(({ folder }) => folder).filter((folder) => folder !== '');
    // Several runs have their logs in their folders. Those of an earlier single run would pass for logs of these.
    if (path !== null && this.#isMany)
      for (const file of [LOG_FILE, EVENTS_FILE]) rmSync(join(path, file), { force: true });
    const logs =
      path === null ? [] : [LOG_FILE, EVENTS_FILE].filter((file) => existsSync(join(path, folders[0] ?? '', file)));
    if (folders.length === 0) for (const file of logs) nameReport(this.#requested, file);
    else nameReport(this.#requested, foldersText(folders));
    const page = process.env['GITHUB_STEP_SUMMARY'];
    if (kinds.includes('github') && page !== undefined && page !== '')
      appendFileSync(page, markdownReport(this.#runs.map(({ report }) => report)));
  }
}

/** The text of a common file with the coverage of all runs. */
function withCoverage(file: string, text: string, { html, md, json }: CoverageParts): string {
  switch (file) {
    case 'report.html':
      return text.replace('</main>', () => `${html}</main>`);
    case 'summary.md':
      return `${text.trimEnd()}\n\n${md}`;
    case 'report.json':
      return `${JSON.stringify({ ...(JSON.parse(text) as object), coverage: json }, null, 2)}\n`;
    default:
      return text;
  }
}

/** The folder of the one run, or of the first of several. */
const foldersText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? `${first}/` : `${first}/ and ${plural(others.length, 'more folder')} of runs`;

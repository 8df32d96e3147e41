/** `sandbox run --report` and `--out`: which reports are written, and where. [scenario-language, Command line] */
import { appendFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { VERSION } from '../../sandbox/version.ts';
import { commandOf } from '../../scenario/model/again.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';
import { markdownReport } from '../../scenario/reporting/markdown.ts';
import type { RunReport } from '../../scenario/reporting/report-data.ts';
import { Witness } from '../../scenario/reporting/witness.ts';
import { REPORT_KINDS, type Reported, type ReportKind, writeReports } from '../../scenario/reporting/write-reports.ts';
import { talk, usage } from '../output.ts';
import type { RunFlags } from './flags.ts';

/** Default folder of reports. */
const FOLDER = 'sandbox-report';

/** Collects the runs of one `sandbox run` and writes the reports at its end. */
export class RunReports {
  readonly #kinds: ReadonlySet<ReportKind>;
  /** The absolute path of the common folder; null if no files are written. */
  readonly out: string | null;
  /** The folder as the user wrote it. */
  readonly #folder: string | null;
  readonly #truth: boolean;
  readonly #runs: Reported[] = [];

  /** With `--out` alone, all kinds are written. With `--report` alone, the folder is `sandbox-report`. */
  constructor({ report: kindsText, out, truth = false }: Pick<RunFlags, 'report' | 'out' | 'truth'>) {
    this.#truth = truth;
    this.#kinds = kindsOf(kindsText, out);
    const inFiles = [...this.#kinds].some((kind) => kind !== 'github');
    const folder = out ?? (inFiles ? FOLDER : null);
    this.#folder = folder;
    // Made absolute now, because the working folder may no longer exist at the end.
    this.out = folder === null ? null : resolve(folder);
  }

  /** Returns a witness for a run, or undefined if no report is requested. */
  witness(): Witness | undefined {
    return this.#kinds.size === 0 ? undefined : new Witness({ truth: this.#truth });
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
    if (one !== undefined)
      this.#runs[at] = {
        ...one,
        report: { ...one.report, result, around: result.failures.map(() => ({ happenings: [], leftOut: 0 })) },
      };
  }

  /** Adds a report made by another process. */
  take(report: RunReport, folder: string): void {
    this.#runs.push({ report, folder });
  }

  write(): void {
    if (this.#runs.length === 0) return;
    if (this.out !== null) {
      const first = writeReports(this.out, this.#runs, this.#kinds);
      if (first !== null) talk(`report  ${join(this.#folder ?? this.out, relative(this.out, first))}`);
    }
    const page = process.env['GITHUB_STEP_SUMMARY'];
    if (this.#kinds.has('github') && page !== undefined && page !== '')
      appendFileSync(page, markdownReport(this.#runs.map(({ report }) => report)));
  }
}

function kindsOf(kindsText: string | undefined, out: string | undefined): Set<ReportKind> {
  if (kindsText === undefined) {
    const kinds = new Set<ReportKind>(out === undefined ? [] : REPORT_KINDS.filter((kind) => kind !== 'github'));
    if (process.env['GITHUB_STEP_SUMMARY']) kinds.add('github');
    return kinds;
  }
  const words = kindsText.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !REPORT_KINDS.includes(word as ReportKind));
  if (unknown !== undefined) throw usage(`"${unknown}" is not a report.`, `There are ${REPORT_KINDS.join(', ')}.`);
  return new Set(words as ReportKind[]);
}

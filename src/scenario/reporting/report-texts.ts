/** The texts of the reports of runs: those of each run, and those over all runs. [scenario-language, Command line] */
import { join } from 'node:path';
import { REPORT_FILES, type ReportKind } from '../../base/text/report-files.ts';
import { htmlReport } from './html/html-report.ts';
import { indexPage } from './html/index-page.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { RunReport } from './report-data.ts';

const TEXTS: { readonly [K in ReportKind]?: (reports: readonly RunReport[]) => string } = {
  html: ([report]) => htmlReport(report as RunReport),
  junit: junitReport,
  json: jsonReport,
  md: markdownReport,
};

/** A run, and the folder of its log. */
export interface Reported {
  readonly report: RunReport;
  /** Relative to the common folder; `''` is that folder itself. */
  readonly folder: string;
}

/** Yields the text of each file, relative to the common folder. Each text is made when it is read, because a page is large. */
export function* reportTexts(
  runs: readonly Reported[],
  kinds: readonly ReportKind[],
): Generator<{ readonly file: string; readonly text: string }> {
  const all = runs.map(({ report }) => report);
  const hasFolders = runs.some(({ folder }) => folder !== '');
  for (const kind of kinds) {
    const textOf = TEXTS[kind];
    const [name] = REPORT_FILES[kind];
    if (textOf === undefined || name === undefined) continue;
    for (const { report, folder } of runs) yield { file: join(folder, name), text: textOf([report]) };
    if (hasFolders) yield { file: name, text: kind === 'html' ? indexPage(runs) : textOf(all) };
  }
}

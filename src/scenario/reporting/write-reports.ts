/** Writes the reports of runs: one folder per run, and the reports over all runs above them. [scenario-language, Command line] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { htmlReport } from './html/html-report.ts';
import { indexPage } from './html/index-page.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { RunReport } from './report-data.ts';

/** `github` is appended to the file of the job's summary. */
export const REPORT_KINDS = ['html', 'junit', 'json', 'md', 'github'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

const FILES = { html: 'report.html', junit: 'junit.xml', json: 'report.json', md: 'summary.md' } as const;

const WRITERS: { readonly [K in keyof typeof FILES]: (reports: readonly RunReport[]) => string } = {
  html: ([report]) => htmlReport(report as RunReport),
  junit: junitReport,
  json: jsonReport,
  md: markdownReport,
};

/** A run, and the folder of its log; null if there is none. */
export interface Reported {
  readonly report: RunReport;
  /** Relative to the common folder; `''` is that folder itself. */
  readonly folder: string;
}

/** Returns the file to open first, or null. Throws an `Outage` if the disk fails. */
export function writeReports(out: string, runs: readonly Reported[], kinds: ReadonlySet<ReportKind>): string | null {
  const wanted = (Object.keys(FILES) as (keyof typeof FILES)[]).filter((kind) => kinds.has(kind));
  try {
    for (const { report, folder } of runs)
      for (const kind of wanted) put(join(out, folder), FILES[kind], WRITERS[kind]([report]));
    if (runs.some(({ folder }) => folder !== ''))
      for (const kind of wanted) {
        const all = runs.map(({ report }) => report);
        put(out, FILES[kind], kind === 'html' ? indexPage(runs) : WRITERS[kind](all));
      }
  } catch (error) {
    throw new Outage({
      code: 'not_writable',
      message: `The reports cannot be written to ${out}: ${(error as Error).message}`,
      fix: 'Name another folder with --out.',
    });
  }
  const [first] = wanted;
  return first === undefined || runs.length === 0 ? null : join(out, FILES[first]);
}

function put(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
}

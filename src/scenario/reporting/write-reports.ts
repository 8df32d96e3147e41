/** Writes the reports of runs: each run into its own folder, and those of all of them above. [scenario-language, Command line] */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { htmlReport } from './html/html-report.ts';
import { indexPage } from './html/index-page.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { RunReport } from './report-data.ts';

/** `github` is no file of ours: it goes where the job's page takes it from. */
export const REPORT_KINDS = ['html', 'junit', 'json', 'md', 'github'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

const FILES = { html: 'report.html', junit: 'junit.xml', json: 'report.json', md: 'summary.md' } as const;

const WRITERS: { readonly [K in keyof typeof FILES]: (reports: readonly RunReport[]) => string } = {
  html: ([report]) => htmlReport(report as RunReport),
  junit: junitReport,
  json: jsonReport,
  md: markdownReport,
};

/** A run, and the folder that holds its log; null where nothing of it is kept. */
export interface Reported {
  readonly report: RunReport;
  /** Under the folder of all, or `''`: that folder itself. */
  readonly folder: string;
}

/** The answer is the file to open first, or null where there is none. An `Outage` where the disk refuses. */
export function writeReports(out: string, runs: readonly Reported[], kinds: ReadonlySet<ReportKind>): string | null {
  const asked = (Object.keys(FILES) as (keyof typeof FILES)[]).filter((kind) => kinds.has(kind));
  try {
    for (const { report, folder } of runs)
      for (const kind of asked) put(join(out, folder), FILES[kind], WRITERS[kind]([report]));
    if (runs.some(({ folder }) => folder !== ''))
      for (const kind of asked) {
        const all = runs.map(({ report }) => report);
        put(out, FILES[kind], kind === 'html' ? indexPage(runs) : WRITERS[kind](all));
      }
  } catch (error) {
    throw new Outage({
      code: 'not_writable',
      message: `The reports cannot be written to ${out}: ${(error as Error).message}`,
      cure: 'Name another folder with --out.',
    });
  }
  const [first] = asked;
  return first === undefined || runs.length === 0 ? null : join(out, FILES[first]);
}

function put(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
}

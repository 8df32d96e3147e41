/** The files of each kind of report, which are the same for every command. [cli, Reports] */

export const REPORT_FILES = {
  html: ['report.html'],
  junit: ['junit.xml'],
  json: ['report.json'],
  md: ['summary.md'],
  csv: ['runs.csv', 'people.csv'],
  /** Annotations, and the summary of the job. */
  github: [],
} as const;

export type ReportKind = keyof typeof REPORT_FILES;

/** `sandbox status --coverage`: what of the contract the user's programs have met. [cli, Coverage] */
import type { CoverageView } from '../../contract/operations/coverage.ts';
import { VERSION } from '../../sandbox/version.ts';
import { colourOf, EXIT, envelope, out, outLine, talkLine } from '../output.ts';
import { type RequestedReports, writeReports } from '../reports.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { dataDirWords } from '../sandbox-flags.ts';
import { entryColumns } from '../verdict.ts';
import { coverageJson, floorsOf, readCoverage, reportOf } from './files.ts';
import { coverageLines, floorLines } from './lines.ts';
import { coverageHtml, coverageMarkdown } from './page.ts';
import { summaryOf } from './summary.ts';

interface StatusCoverage {
  /** Empty: the running sandbox is asked. */
  readonly files: readonly string[];
  readonly coverageFloor?: readonly string[];
  readonly json?: boolean;
  readonly dataDir: string;
}

export async function coverage(flags: StatusCoverage, reports: RequestedReports<'status'>): Promise<number> {
  const floors = floorsOf(flags.coverageFloor);
  const views = flags.files.length > 0 ? flags.files.map(readCoverage) : [await running(flags.dataDir)];
  const place = flags.files.length > 0 ? '' : dataDirWords(flags.dataDir);
  const summary = summaryOf(views, flags.files, place);
  const paint = colourOf(process.stdout);
  if (flags.json === true) out(JSON.stringify(envelope('status', { coverage: summary.view })));
  else
    for (const line of coverageLines(summary, {
      columns: entryColumns(process.stdout),
      paint,
      all: `${reportOf(flags.files)}${place}`,
    }))
      outLine(line);
  writeReports(reports, {
    'report.html': () => coverageHtml(summary, VERSION),
    'report.json': () => coverageJson(summary),
    'summary.md': () => coverageMarkdown(summary),
  });
  const missed = floorLines(summary, floors);
  for (const line of missed) talkLine(`${colourOf(process.stderr)('red', 'missed')}  ${line}`);
  return missed.length === 0 ? EXIT.done : EXIT.failed;
}

async function running(dataDir: string): Promise<CoverageView> {
  const { status, body } = await callSandbox(findRunning(dataDir), 'GET', '/v1/sandbox/coverage');
  if (status !== 200) throw refusedCall(status, body);
  return body as CoverageView;
}

/** `sandbox explore FILE --recheck`: does a fix hold? Prints each stored finding with its plays, and the verdict. [cli] */
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { type Rechecked, recheck, recheckWarnings } from '../../proving/explore/recheck.ts';
import { recheckHtml, recheckJunit } from '../../proving/explore/recheck-reports.ts';
import { bootStage } from '../../sandbox/boot.ts';
import { VERSION } from '../../sandbox/version.ts';
import { CommandError, colourOf, EXIT, envelope, out, talk, talkLine } from '../output.ts';
import { envelopeText, mainReport, type RequestedReports, writeReports } from '../reports.ts';
import { progress } from '../run/sink.ts';
import { verdictLine } from '../verdict.ts';
import type { ExploreFlags } from './flags.ts';

interface RecheckRequest {
  readonly file: string;
  readonly flags: ExploreFlags;
  readonly reports: RequestedReports<'explore'>;
  /** The end of all plays by `monotonicMs()`. */
  readonly lastMs: number;
  readonly signal: AbortSignal;
  /** Ends the use of a system that runs already, and returns what its user has to do. */
  readonly noticeAfter: () => Promise<string> | null;
}

const TERM_OF = { held: 'passed', broken: 'failed', not_judged: 'not_judged' } as const;

/** Returns the exit code, which has the meaning of that of `run`. */
export async function recheckFindings({
  file,
  flags,
  reports,
  lastMs,
  signal,
  noticeAfter,
}: RecheckRequest): Promise<number> {
  const bar = progress();
  const end = await recheck({
    file,
    out: flags.out,
    boot: bootStage,
    version: VERSION,
    signal,
    lastMs,
    onProgress: (path, plays, of) => bar.show(`${path}: play ${plays + 1} of ${of}`),
  });
  bar.stop();
  const notice = await noticeAfter();
  const { rechecked, error, wallMs } = end;
  if (error !== null) throw new CommandError(error.exitCode, error.code, error.message, { actions: [error.fix] });
  const countOf = (result: Rechecked['result']) => rechecked.filter((one) => one.result === result).length;
  const counts = { broken: countOf('broken'), held: countOf('held'), not_judged: countOf('not_judged') };
  const code =
    counts.broken > 0
      ? EXIT.failed
      : signal.aborted
        ? EXIT.interrupted
        : counts.not_judged > 0
          ? EXIT.environment
          : EXIT.done;
  const warnings = [...recheckWarnings(end), ...(notice === null ? [] : [notice])];
  const line = envelope('explore', { rechecked, counts, wall_ms: wallMs }, warnings);
  if (flags.json === true) out(JSON.stringify(line));
  const paint = colourOf(process.stderr);
  for (const { path, result, text } of rechecked) {
    const { glyph, token } = CHECK_TERMS[TERM_OF[result]];
    talkLine(`${paint(token, glyph)} ${path}  ${text}`);
  }
  for (const warning of warnings) talkLine(`${paint('amber', 'warning')}  ${warning}`);
  writeReports(reports, {
    'report.html': () => recheckHtml(file, VERSION, end),
    'junit.xml': () => recheckJunit(file, VERSION, end),
    'report.json': () => envelopeText(line),
  });
  const word =
    code === EXIT.failed
      ? 'FAILED'
      : code === EXIT.interrupted
        ? 'INTERRUPTED'
        : code === EXIT.done
          ? 'PASSED'
          : 'NOT JUDGED';
  const shown = [
    `${counts.broken} broken`,
    `${counts.held} held`,
    ...(counts.not_judged === 0 ? [] : [`${counts.not_judged} not judged`]),
  ];
  const facts = [`${(wallMs / 1_000).toFixed(1)} s`];
  talk('');
  talkLine(verdictLine({ word, counts: shown.join(', '), facts, report: mainReport(reports) }, paint));
  return code;
}

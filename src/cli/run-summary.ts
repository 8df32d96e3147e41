/** What `sandbox run` says at the end of several runs: what failed, how much was simulated, and the counts alone on the last line. */
import { formatDuration } from '../base/durations.ts';
import { plural } from '../contract/sentences.ts';
import { shownCase } from '../scenario/bindings.ts';
import type { RunData } from '../scenario/run-data.ts';
import { annotation, MOST_ANNOTATIONS } from './github.ts';
import { colourOf, command, talk, talkLine } from './output.ts';

/** Written to stderr; a single run has said it all itself. */
export function tellSummary(runs: readonly RunData[], wallMs: number): void {
  if (runs.length < 2) return;
  const paint = colourOf(process.stderr);
  const [passed, failed] = [
    runs.filter(({ verdict }) => verdict === 'passed').length,
    runs.filter(({ verdict }) => verdict !== 'passed').length,
  ];
  talk('');
  for (const run of runs) {
    if (run.verdict === 'passed') continue;
    const [first] = run.failures;
    const why =
      first === undefined
        ? run.verdict
        : (first.text.split('\n')[0] ?? '').replace(/^FAIL +\S+ +/, '').replace(/ {2,}at .*$/, '');
    talkLine(`${paint(31, run.verdict === 'error' ? 'ERROR' : 'FAIL')} ${nameOf(run)}  ${why}`);
  }
  const expectations = runs.reduce((sum, { expectations: one }) => sum + one.passed + one.failed, 0);
  const simulatedMs = runs.reduce((sum, { simulated_s }) => sum + simulated_s * 1000, 0);
  talk(
    `${plural(runs.length, 'run')}, ${plural(expectations, 'expectation')}, ${formatDuration(Math.round(simulatedMs))} simulated in ${(wallMs / 1000).toFixed(1)} s`,
  );
  talk(`${passed} passed, ${failed} failed`);
}

function nameOf({ file, case: values, seed }: RunData): string {
  return [file, values === null ? '' : shownCase(values), `seed ${seed}`].filter((part) => part !== '').join('  ');
}

/** GitHub shows failures beside the lines; the worst come first, and it shows few. */
export function annotate(runs: readonly RunData[]): void {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return;
  const all = runs.flatMap(({ file, failures }) => failures.map(({ line, text }) => ({ file, line, text })));
  for (const { file, line, text } of all.slice(0, MOST_ANNOTATIONS)) command(annotation('error', text, { file, line }));
}

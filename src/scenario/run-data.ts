/** What `sandbox run --json` says of its runs: the `data` of the envelope. [scenario-language, Command line] */
import type { RunError, RunResult } from './run-file.ts';
import type { RunMode } from './story.ts';

export interface RunData {
  readonly scenario: string;
  readonly file: string;
  /** The values of this case of a matrix; null where there is one run only. */
  readonly case: Readonly<Record<string, unknown>> | null;
  readonly verdict: 'passed' | 'failed' | 'error';
  readonly seed: number | string;
  readonly mode: RunMode;
  readonly log_sha256: string | null;
  readonly expectations: { readonly passed: number; readonly failed: number };
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  readonly simulated_s: number;
  readonly wall_s: number;
}

/** The runs in the order in which they were made. */
export function runsData(results: readonly RunResult[]): { runs: RunData[] } {
  return { runs: results.map(runData) };
}

/** Why the first run without a verdict has none, with the mistakes of all invalid files, each once; null where every run has one. */
export function troubleOf(results: readonly RunResult[]): RunError | null {
  const errors = results.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first === undefined) return null;
  const details = new Map(errors.flatMap((error) => error.details ?? []).map((one) => [JSON.stringify(one), one]));
  return details.size === 0 ? first : { ...first, details: [...details.values()] };
}

/** What is said of one run. */
export function runData(result: RunResult): RunData {
  const { scenario, file, values, verdict, seed, mode, logSha256, passed, failed, failures, simulatedMs, wallMs } =
    result;
  return {
    scenario,
    file,
    case: values,
    verdict,
    // A number where it is one, as it stands in the file.
    seed: /^(?:0|[1-9]\d{0,14})$/.test(seed) ? Number(seed) : seed,
    mode,
    log_sha256: logSha256,
    expectations: { passed, failed },
    failures: failures.map(({ line, text }) => ({ line, text })),
    simulated_s: simulatedMs / 1000,
    wall_s: wallMs / 1000,
  };
}

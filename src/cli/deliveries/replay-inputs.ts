/** `sandbox replay run.jsonl --inputs`: repeats a run from its inputs and reports the first differing record. [scenario-language, replay] */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { formatClockTime } from '../../base/time/instants.ts';
import { bootStage } from '../../sandbox/boot.ts';
import { VERSION } from '../../sandbox/version.ts';
import { LOG_FILE } from '../../scenario/log/canonical-log.ts';
import { firstDifference } from '../../scenario/log/first-difference.ts';
import { type Cut, cutOf, type RecordedRun, type RunHeader, readRun } from '../../scenario/log/recorded-run.ts';
import { commandOf } from '../../scenario/model/again.ts';
import { runFile } from '../../scenario/playing/run-file.ts';
import { CommandError, EXIT, usage } from '../output.ts';
import { commandsOfScenario, printCommands } from '../shell-commands.ts';

export interface Compared {
  /** The scenario that was played. */
  readonly file: string;
  readonly recorded_version: string;
  readonly version: string;
  readonly records: number;
  /** Null if all records are equal. */
  readonly difference: string | null;
}

/** Plays the run again. Scenario, seed, case and parameters determine a lock-step run byte for byte. */
export async function replayInputs(
  run: RecordedRun,
  log: string,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Compared> {
  const { header, lines } = run;
  const file = given ?? scenarioOf(header.file, log);
  printCommands(commandsOfScenario(file, { set: header.set, values: header.values }));
  const cut = cutOf(run);
  if (cut !== null) throw cutOff(log, cut, file, header);
  const folder = mkdtempSync(join(tmpdir(), 'muster-replay-'));
  try {
    const { seed, values, set, until, version } = header;
    // Uses the version of the log: a difference in the header would hide all others. The versions are compared
    // separately.
    const result = await runFile(file, {
      mode: 'fast',
      seed,
      values,
      set,
      until,
      version,
      out: folder,
      boot: bootStage,
      sink: () => {},
      signal,
    });
    if (result.error !== null)
      throw new CommandError(result.exitCode, result.error.code, result.mistakes ?? result.error.message, {
        actions: [result.error.fix],
      });
    const difference = firstDifference(lines, readRun(join(folder, LOG_FILE)).lines);
    return { file, recorded_version: version, version: VERSION, records: lines.length, difference };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The error for an incomplete log, which cannot be compared. */
function cutOff(log: string, { line, atMs, within }: Cut, file: string, header: RunHeader): CommandError {
  const where = within ? `in the middle of line ${line}` : `with line ${line}`;
  const when = `${within ? 'after' : 'at'} ${formatClockTime(atMs)} of the scenario, before its end`;
  const again = commandOf({ ...header, file, mode: 'fast', line: header.until ?? null });
  return new CommandError(EXIT.usage, 'cut_log', `${log} is cut off: it ends ${where}, ${when}.`, {
    actions: [`Play the scenario once more for a whole log: ${again} --out report`],
    details: { line, at_ms: atMs },
  });
}

/**
 * Finds the scenario. A log has only its file name, which is searched in the working folder, in `scenarios`, and near
 * the log.
 */
function scenarioOf(named: string, log: string): string {
  // A log from another source could contain any path, so only the file name is used.
  const name = basename(named);
  const places = ['.', 'scenarios', dirname(log), join(dirname(log), '..')].map((folder) => join(folder, name));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw usage(
    `The scenario ${name} is not in ${places.map(dirname).join(', ')}.`,
    `Name it with --file path/to/${name}.`,
  );
}

/**
 * Exit code 4 means that the promise of deterministic runs is broken. Another version may play differently, which is
 * exit code 1.
 */
export function codeOf({ difference, recorded_version: recorded, version }: Compared): number {
  if (difference === null) return EXIT.done;
  return recorded === version ? EXIT.nondeterministic : EXIT.failed;
}

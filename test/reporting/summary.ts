/** The last lines of a run of the tests: how each failed test is run again, what was not tested and why, and the processor time. */
import type { SkipReason } from '../helpers/needs.ts';
import { moduleOf } from '../rooms.ts';
import type { ProcessorTime } from './processor-time.ts';
import { type FailedTest, rerunCommand } from './rerun.ts';

/** What is known of a test file when it has ended. */
export interface EndedFile {
  /** From the root of the project, with slashes. */
  readonly file: string;
  readonly failed: readonly FailedTest[];
  /** The tests that were declared as skipped, with their reasons; none: nobody knows why. */
  readonly skipped: readonly { readonly names: readonly string[]; readonly reasons: readonly SkipReason[] }[];
  /** undefined: it ran in a process that did not measure, such as one that ended early. */
  readonly processor?: ProcessorTime | undefined;
}

export interface RunOfTests {
  readonly files: readonly EndedFile[];
  readonly isWhole: boolean;
  /** Of vitest itself; it transforms the sources. */
  readonly vitestS: number;
  /** QUICK=1: vitest.config.ts leaves files out. */
  readonly isQuick: boolean;
  /** Files that only .ci/run runs, and this run left out. */
  readonly leftFiles: number;
}

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

const and = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' and ');

export function summaryOf(run: RunOfTests): string[] {
  return [
    ...reruns(run),
    ...rowsLeft(run),
    ...aloneLeft(run),
    ...filesLeft(run),
    ...lacks(run),
    ...unexplained(run),
    ...processorLines(run),
  ];
}

function reruns({ files, isWhole }: RunOfTests): string[] {
  const commands = files.flatMap(({ failed }) => failed.map((one) => rerunCommand(one, { isWhole })));
  return commands.length === 0 ? [] : ['Run again what failed:', ...commands.map((command) => `  ${command}`), ''];
}

function rowsLeft({ files, leftFiles }: RunOfTests): string[] {
  const tables = new Set<string>();
  let [rows, tests] = [0, 0];
  for (const { file, skipped } of files)
    for (const { reasons } of skipped) {
      const reason = reasons.find(({ kind }) => kind === 'whole');
      if (reason?.kind !== 'whole' || reasons.some(({ kind }) => kind === 'alone')) continue;
      if (reason.table === null) tests += 1;
      else {
        rows += 1;
        tables.add(`${file} ${reason.table}`);
      }
    }
  const parts = [
    rows === 0 ? '' : `${counted(rows, 'row')} of ${counted(tables.size, 'table')}`,
    tests === 0 ? '' : counted(tests, 'other test'),
    leftFiles === 0 ? '' : `${counted(leftFiles, 'file')} of test/groups.ts (IN_CI)`,
  ];
  return and(parts) === '' ? [] : [`Only .ci/run (WHOLE=1) runs ${and(parts)}.`];
}

/** A test that `npm test` leaves out for its size as well is counted here alone. */
function aloneLeft({ files }: RunOfTests): string[] {
  const reasons = files.flatMap(({ skipped }) => skipped.map((one) => one.reasons));
  const tests = reasons.filter((some) => some.some(({ kind }) => kind === 'alone')).length;
  if (tests === 0) return [];
  return [`Only .ci/run (ALONE=1) runs ${counted(tests, 'test')} of wall time, on a machine without other work.`];
}

const filesLeft = ({ isQuick }: RunOfTests): string[] =>
  isQuick ? ['QUICK=1 leaves out the files that start processes or take long: test/groups.ts lists them.'] : [];

/** A test that lacks something may be one that would not run here with it either. */
function lacks({ files }: RunOfTests): string[] {
  const found = new Map<string, { fix: string; now: number; later: number }>();
  for (const { reasons } of files.flatMap(({ skipped }) => skipped)) {
    const isLater = reasons.some(({ kind }) => kind !== 'lacks');
    for (const reason of reasons)
      if (reason.kind === 'lacks') {
        const row = found.get(reason.what) ?? { fix: reason.fix, now: 0, later: 0 };
        found.set(reason.what, { ...row, now: row.now + Number(!isLater), later: row.later + Number(isLater) });
      }
  }
  if (found.size === 0) return [];
  return [
    'Not tested here, because these are missing:',
    ...[...found]
      .toSorted(([, a], [, b]) => b.now + b.later - a.now - a.later)
      .map(([what, { fix, now, later }]) => {
        const tests = and([
          now === 0 ? '' : counted(now, 'test'),
          later === 0 ? '' : `${counted(later, 'test')} of .ci/run`,
        ]);
        return `  ${what}: ${tests}. ${fix}`;
      }),
  ];
}

function unexplained({ files }: RunOfTests): string[] {
  const found = files.flatMap(({ file, skipped }) =>
    skipped.filter(({ reasons }) => reasons.length === 0).map(({ names }) => `  ${file} > ${names.join(' > ')}`),
  );
  if (found.length === 0) return [];
  const most = 10;
  const more = found.length > most ? [`  and ${found.length - most} more`] : [];
  return [
    'Skipped without a reason, or beside a test.only (declare them with unless(...) of test/helpers/unless.ts):',
    ...found.slice(0, most),
    ...more,
  ];
}

/** The module, or the folder of test/, that has the file; a file of test/ itself is of `test`. */
const folderOf = (file: string): string => (/^test\/[^/]+\//.test(file) ? moduleOf(file.slice(5)) : 'test');

function processorLines({ files, vitestS }: RunOfTests): string[] {
  const sums = new Map<string, number>();
  let [own, children, isComplete, unmeasured] = [0, 0, true, 0];
  for (const { file, processor } of files) {
    if (processor === undefined) {
      unmeasured += 1;
      continue;
    }
    const { ownS, childrenS } = processor;
    isComplete &&= childrenS !== null;
    own += ownS;
    children += childrenS ?? 0;
    sums.set(folderOf(file), (sums.get(folderOf(file)) ?? 0) + ownS + (childrenS ?? 0));
  }
  if (sums.size === 0) return [];
  const parts = [...sums].toSorted(([, a], [, b]) => b - a).map(([folder, s]) => `${folder} ${s.toFixed(1)}`);
  const rest = isComplete
    ? `${children.toFixed(1)} of child processes`
    : 'without child processes, whose time only Linux tells';
  const total = (own + children + vitestS).toFixed(1);
  return [
    `Processor seconds by folder of test/: ${parts.join(', ')}.`,
    `Together ${total} with ${vitestS.toFixed(1)} of vitest itself; ${rest}.${
      unmeasured === 0 ? '' : ` Not measured: ${counted(unmeasured, 'file')} without a test that ran.`
    }`,
  ];
}

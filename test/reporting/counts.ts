/** What the JSON reports of vitest say: how many tests passed, and a line for each failure. */
import { relative, sep } from 'node:path';

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export interface Failure {
  /** From the root; null: there is no report. */
  readonly file: string | null;
  /** `file > group > title`, on one line. */
  readonly test: string;
  /** ` (reason)`, its first line: often the only trace of a failure that comes once. Empty if there is none. */
  readonly reason: string;
}

export interface Counts {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** The tests that passed, as `Failure.test`. */
  readonly passes: ReadonlySet<string>;
}

/** The tests of a run whose failures were tried once more, with nothing beside them. */
export interface JudgedCounts {
  readonly passed: number;
  readonly failed: number;
  /** `failed  file > group > title (reason)`, or `unsteady  ...` for a test that passed at its second try. */
  readonly lines: readonly string[];
}

const REASON_CHARACTERS = 200;

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const named = (...parts: readonly string[]): string => onOneLine(parts.join(' > '));

/** ` (reason)`, its first line without the stack; '' if there is none. */
function reason(messages: readonly string[] = []): string {
  const [first = ''] = (messages[0] ?? '').split(/\n\s+at /);
  return first === '' ? '' : ` (${onOneLine(first).slice(0, REASON_CHARACTERS)})`;
}

/** `read`: the report. It is absent or torn if vitest ended before it had written it, which is a failure too. */
export function countsOf(read: () => string, root: string): Counts {
  const passes = new Set<string>();
  try {
    const { numPassedTests, testResults } = JSON.parse(read()) as JsonReport;
    const failures = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
      const file = relative(root, name).split(sep).join('/');
      const failed: Failure[] = [];
      for (const { status: result, ancestorTitles, title, failureMessages } of assertionResults) {
        const test = named(file, ...ancestorTitles, title);
        if (result === 'passed') passes.add(test);
        if (result === 'failed') failed.push({ file, test, reason: reason(failureMessages) });
      }
      if (status === 'passed') passes.add(file);
      // A file that could not be loaded, or whose hook failed, has no failed test of its own.
      return status === 'failed' && failed.length === 0
        ? [{ file, test: file, reason: reason([message ?? '']) }]
        : failed;
    });
    return { passed: numPassedTests, failures, passes };
  } catch (error) {
    const failure = { file: null, test: 'npm test', reason: ` (no report: ${(error as Error).message})` };
    return { passed: 0, failures: [failure], passes };
  }
}

/** `again`: the run of the files with failures alone; null: there was none. */
export function judgedTwice({ passed, failures }: Counts, again: Counts | null): JudgedCounts {
  const failedAgain = new Set(again?.failures.map(({ test }) => test));
  // Titles may be equal.
  const isUnsteady = ({ test }: Failure) => again?.passes.has(test) === true && !failedAgain.has(test);
  const unsteady = failures.filter(isUnsteady);
  return {
    passed: passed + unsteady.length,
    failed: failures.length - unsteady.length,
    lines: failures.map((one) => `${isUnsteady(one) ? 'unsteady' : 'failed'}  ${one.test}${one.reason}`),
  };
}

/** What a JSON report of vitest says: how many tests passed, and a line for each failure. */
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

export interface Counts {
  readonly passed: number;
  /** `failed  file > group > title`, each on one line, with the first line of the reason: often the only trace of a failure that comes once. */
  readonly failures: readonly string[];
}

const REASON_CHARACTERS = 200;

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const failure = (...parts: readonly string[]): string => `failed  ${onOneLine(parts.join(' > '))}`;

/** ` (reason)`, its first line without the stack; '' if there is none. */
function reason(messages: readonly string[] = []): string {
  const [first = ''] = (messages[0] ?? '').split(/\n\s+at /);
  return first === '' ? '' : ` (${onOneLine(first).slice(0, REASON_CHARACTERS)})`;
}

/** `read`: the report. It is absent or torn if vitest ended before it had written it, which is a failure too. */
export function countsOf(read: () => string, root: string): Counts {
  try {
    const { numPassedTests, testResults } = JSON.parse(read()) as JsonReport;
    const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(root, name).split(sep).join('/');
      const tests = assertionResults.filter((one) => one.status === 'failed');
      // A file that could not be loaded, or whose hook failed, has no failed test of its own.
      if (status === 'failed' && tests.length === 0) return [failure(file) + reason([message ?? ''])];
      return tests.map(
        ({ ancestorTitles, title, failureMessages }) =>
          failure(file, ...ancestorTitles, title) + reason(failureMessages),
      );
    });
    return { passed: numPassedTests, failures };
  } catch (error) {
    return { passed: 0, failures: [failure('npm test', `no report: ${(error as Error).message}`)] };
  }
}

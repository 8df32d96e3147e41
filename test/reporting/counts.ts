/** What a JSON report of vitest says: how many tests passed, and a line for each failure. */
import { relative, sep } from 'node:path';

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
    }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  /** `failed  file > group > title`, each on one line. */
  readonly failures: readonly string[];
}

const failure = (...parts: readonly string[]): string => `failed  ${parts.join(' > ').replace(/\s*\n\s*/g, ' ')}`;

/** `read`: the report. It is absent or torn if vitest ended before it had written it, which is a failure too. */
export function countsOf(read: () => string, root: string): Counts {
  try {
    const { numPassedTests, testResults } = JSON.parse(read()) as JsonReport;
    const failures = testResults.flatMap(({ name, status, assertionResults }) => {
      const file = relative(root, name).split(sep).join('/');
      const tests = assertionResults.filter((one) => one.status === 'failed');
      // A file that could not be loaded, or whose hook failed, has no failed test of its own.
      if (status === 'failed' && tests.length === 0) return [failure(file)];
      return tests.map(({ ancestorTitles, title }) => failure(file, ...ancestorTitles, title));
    });
    return { passed: numPassedTests, failures };
  } catch (error) {
    return { passed: 0, failures: [failure('npm test', `no report: ${(error as Error).message}`)] };
  }
}

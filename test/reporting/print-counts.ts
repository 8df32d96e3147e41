/**
 * For .ci/run, with the JSON report of a run. Without a file of failures: prints the test files with failures, nothing if
 * there are none or too many. With it: prints the counts of passed and failed tests, and appends a line for each failure;
 * a test that failed and passed in the report of the second run is a passed one, and its line says `unsteady`.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { countsOf, judgedTwice } from './counts.ts';

/** More files than this fail for a reason of their own. */
const MOST_FILES_AGAIN = 12;
const ROOT = resolve(import.meta.dirname, '../..');
const countsIn = (report: string) => countsOf(() => readFileSync(report, 'utf8'), ROOT);

const [report = '', second = '', failuresFile] = process.argv.slice(2);
const first = countsIn(report);
if (failuresFile === undefined) {
  const files = new Set(first.failures.map(({ file }) => file));
  if (!files.has(null) && files.size <= MOST_FILES_AGAIN) console.log([...files].join(' '));
} else {
  const { passed, failed, lines } = judgedTwice(first, existsSync(second) ? countsIn(second) : null);
  appendFileSync(failuresFile, lines.map((line) => `${line}\n`).join(''));
  console.log(passed, failed);
}

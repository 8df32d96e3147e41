/** For .ci/run: prints the counts of passed and failed tests of a JSON report, and appends a line for each failure to a file. */
import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { countsOf } from './counts.ts';

const [report = '', failuresFile = ''] = process.argv.slice(2);
const { passed, failures } = countsOf(() => readFileSync(report, 'utf8'), resolve(import.meta.dirname, '../..'));
appendFileSync(failuresFile, failures.map((line) => `${line}\n`).join(''));
console.log(passed, failures.length);

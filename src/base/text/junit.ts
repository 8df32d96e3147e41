/** JUnit XML, as all commands write it. */

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly line?: number;
  /** Wall time; absent where none was measured. */
  readonly seconds?: number;
  /** Null: passed. `system-out`: passed, with a text. */
  readonly outcome: {
    readonly tag: 'failure' | 'error' | 'skipped' | 'system-out';
    readonly type?: string;
    /** One line: readers show only the message of a skipped case. */
    readonly message?: string;
    readonly text?: string;
  } | null;
}

export interface JunitSuite {
  readonly name: string;
  readonly file?: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly JunitCase[];
  /** Wall time; absent where none was measured. */
  readonly seconds?: number;
}

/** `name`: the name of the report as a whole. */
export function junitXml(name: string, suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const timed = suites.flatMap(({ seconds }) => seconds ?? []);
  const seconds = timed.length === 0 ? undefined : timed.reduce((sum, one) => sum + one, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totals(cases), time: time(seconds) })}>`,
    ...suites.map(suiteText),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteText({ name, file, properties, cases, seconds }: JunitSuite): string {
  return [
    `  <testsuite${attributes({ name, file, ...totals(cases), time: time(seconds) })}>`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.map(caseText),
    '  </testsuite>',
  ].join('\n');
}

function caseText({ name, classname, file, line, seconds, outcome }: JunitCase): string {
  const open = `    <testcase${attributes({ name, classname, file, line, time: time(seconds) })}`;
  if (outcome === null) return `${open}/>`;
  const { tag, type, message, text } = outcome;
  const begin = `<${tag}${attributes({ type, message })}`;
  return `${open}>\n      ${text === undefined ? `${begin}/>` : `${begin}>${escaped(text)}</${tag}>`}\n    </testcase>`;
}

function totals(cases: readonly JunitCase[]) {
  const count = (tag: string) => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

const time = (seconds: number | undefined): string | undefined => seconds?.toFixed(3);

const attributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(String(value))}"`))
    .join('');

/** Terminal escape sequences (CSI, OSC, and the short ones). */
const ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;

/** Characters that XML 1.0 forbids, or that change how a line is displayed. */
const UNREADABLE =
  /[\p{Cs}\ufffe\uffff\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?![\n\t])\p{Cc}/gu;

/** Escapes a text for an attribute or an element, and removes what XML 1.0 forbids. */
const escaped = (text: string): string =>
  text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(UNREADABLE, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');

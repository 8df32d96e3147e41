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

/**
 * `name`: the name of the report as a whole. A repeated name gets a number, because readers keep one of several suites
 * of one name, and one of several cases of one class and name.
 */
export function junitXml(name: string, named: readonly JunitSuite[]): string {
  const suites = withUniqueNames(named);
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

function withUniqueNames(suites: readonly JunitSuite[]): JunitSuite[] {
  const suiteName = uniqueNames();
  const ofClasses = new Map<string, (name: string) => string>();
  return suites.map((suite) => ({
    ...suite,
    name: suiteName(suite.name),
    cases: suite.cases.map((one) => {
      const caseName = ofClasses.get(one.classname) ?? uniqueNames();
      ofClasses.set(one.classname, caseName);
      return { ...one, name: caseName(one.name) };
    }),
  }));
}

/** Returns a function that numbers repeated names. A number is skipped if that name exists too. */
function uniqueNames(): (name: string) => string {
  const times = new Map<string, number>();
  return (wanted) => {
    // Readers see names after this cleaning.
    const name = readable(wanted);
    let time = (times.get(name) ?? 0) + 1;
    while (time > 1 && times.has(`${name} (${time})`)) time++;
    times.set(name, time);
    if (time === 1) return name;
    times.set(`${name} (${time})`, 1);
    return `${name} (${time})`;
  };
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

/** Removes what XML 1.0 forbids. */
const readable = (text: string): string => text.replace(ESCAPE_SEQUENCES, '').replace(UNREADABLE, '');

/** Escapes a text for an attribute or an element. */
const escaped = (text: string): string =>
  readable(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');

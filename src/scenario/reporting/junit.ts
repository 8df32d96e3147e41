/** Runs as JUnit XML: a suite per run, a case per expectation. A name contains no line number, so that it stays the same when a line is inserted; messages contain the position, because some readers drop attributes. */

import { shownCase } from '../model/scenario.ts';
import { headOf } from './html/failure-cards.ts';
import { deliveriesText } from './plain-writer.ts';
import type { RunReport } from './report-data.ts';

interface Case {
  readonly name: string;
  readonly line: number;
  /** Wall time. */
  readonly seconds: number;
  readonly fault: CaseFault | null;
}

interface CaseFault {
  readonly tag: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly text: string;
}

export function junitReport(reports: readonly RunReport[]): string {
  const suites = reports.map(suite);
  const sum = (of: (one: (typeof suites)[number]) => number): number =>
    suites.reduce((total, one) => total + of(one), 0);
  const head = `<testsuites name="muster-sandbox" tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}" errors="${sum(({ errors }) => errors)}" skipped="${sum(({ skipped }) => skipped)}" time="${sum(({ seconds }) => seconds).toFixed(3)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.map(({ text }) => text).join('\n')}\n</testsuites>\n`;
}

function suite(report: RunReport) {
  const { result, start, version, rerun } = report;
  const { scenario, file, values, seed, mode, order, deliveries, simulatedMs, wallMs, lagMs, logSha256 } = result;
  const cases = numbered(casesOf(report));
  const count = (tag: CaseFault['tag']) => cases.filter(({ fault }) => fault?.tag === tag).length;
  const [failures, errors, skipped] = [count('failure'), count('error'), count('skipped')];
  const seconds = wallMs / 1000;
  const properties: readonly [string, string][] = [
    ['version', version],
    ['seed', seed],
    ['mode', mode],
    ['simulated_s', String(simulatedMs / 1000)],
    ['start', start],
    ['order', String(order)],
    ['deliveries', deliveriesText(deliveries) ?? 'none'],
    ['lag_ms', String(Math.round(lagMs))],
    ['log_sha256', logSha256 ?? ''],
    ['rerun', rerun],
  ];
  const name = values === null ? scenario : `${scenario} (${shownCase(values)})`;
  const lines = [
    `  <testsuite name="${escaped(name)}" file="${escaped(file)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds.toFixed(3)}">`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${key}" value="${escaped(value)}"/>`),
    '    </properties>',
    ...cases.map((one) => caseText(one, file)),
    '  </testsuite>',
  ];
  return { text: lines.join('\n'), tests: cases.length, failures, errors, skipped, seconds };
}

/**
 * Returns every check and each refused or skipped step in order of time. Every other failure comes before the failures
 * found after it. The reason for an abort is last.
 */
function casesOf({ steps, result }: RunReport): Case[] {
  const { verdict, failures, error, reason } = result;
  if (verdict === 'skipped') return [{ name: 'the run', line: 1, seconds: 0, fault: skippedAs('skip', reason ?? '') }];
  const left = failures.map((failure, place) => ({ ...failure, place }));
  const faultOf = (type: string, text: string): CaseFault =>
    verdict === 'known_failure' ? skippedAs(type, `known failure: ${reason}\n${text}`) : { tag: 'failure', type, text };
  const ofSteps = steps.flatMap((step) => {
    const { line, kind, text: name, why, wallMs } = step;
    const seconds = wallMs / 1000;
    if (kind === 'passed') return [{ name, line, seconds, fault: null, place: null }];
    if (kind === 'skipped') return [{ name, line, seconds, fault: skippedAs('step', why ?? ''), place: null }];
    if (kind !== 'failed' && kind !== 'refused') return [];
    const at = left.findIndex((one) => one.line === line);
    const [failure] = at < 0 ? [] : left.splice(at, 1);
    const fault = failure === undefined ? null : faultOf(kind === 'failed' ? 'expectation' : 'step', failure.whole);
    return [{ name, line, seconds, fault, place: failure?.place ?? null }];
  });
  const cases: (Case & { readonly place: number | null })[] = ofSteps;
  for (const { line, whole, place } of left) {
    const later = cases.findIndex((one) => one.place !== null && one.place > place);
    const one = { name: headOf(whole), line, seconds: 0, fault: faultOf('step', whole), place };
    cases.splice(later < 0 ? cases.length : later, 0, one);
  }
  if (error === null) return cases;
  const fault: CaseFault = { tag: 'error', type: error.code, text: `${error.message}\n${error.fix}` };
  return [...cases, { name: 'the run', line: 1, seconds: 0, fault }];
}

const skippedAs = (type: string, text: string): CaseFault => ({ tag: 'skipped', type, text });

/** Numbers repeated names, so that each is unique in its suite. */
function numbered(cases: readonly Case[]): Case[] {
  const times = new Map<string, number>();
  return cases.map((one) => {
    const time = (times.get(one.name) ?? 0) + 1;
    times.set(one.name, time);
    return time === 1 ? one : { ...one, name: `${one.name} (${time})` };
  });
}

function caseText({ name, line, seconds, fault }: Case, file: string): string {
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${line}" time="${seconds.toFixed(3)}"`;
  if (fault === null) return `${open}/>`;
  const { tag, type, text } = fault;
  // Readers of JUnit show only the message of a skipped case.
  if (tag === 'skipped')
    return `${open}>\n      <skipped message="${escaped(`${file}:${line} ${text}`)}"/>\n    </testcase>`;
  return `${open}>\n      <${tag} type="${escaped(type)}" message="${escaped(`${file}:${line} ${headOf(text)}`)}">${escaped(text)}</${tag}>\n    </testcase>`;
}

/** Terminal escape sequences (CSI, OSC, and the short ones). */
const ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;

/** Characters that XML 1.0 forbids, or that change how a line is displayed. */
const UNREADABLE =
  /[\p{Cs}\ufffe\uffff\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?![\n\t])\p{Cc}/gu;

/** Escapes a text for an attribute or an element, and removes what XML 1.0 forbids. */
export const escaped = (text: string): string =>
  text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(UNREADABLE, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');

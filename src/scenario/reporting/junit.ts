/** Runs as JUnit XML: a suite per run, a case per expectation. The place is in the name, since some readers drop attributes. */

import { shownCase } from '../model/scenario.ts';
import { headOf } from './html/failure-cards.ts';
import { deliveriesText } from './plain-writer.ts';
import type { ReportStep, RunReport } from './report-data.ts';

interface Case {
  readonly name: string;
  readonly line: number;
  readonly seconds: number;
  readonly fault: { readonly tag: 'failure' | 'error'; readonly type: string; readonly text: string } | null;
}

export function junitReport(reports: readonly RunReport[]): string {
  const suites = reports.map(suite);
  const sum = (of: (one: (typeof suites)[number]) => number): number =>
    suites.reduce((total, one) => total + of(one), 0);
  const head = `<testsuites name="muster-sandbox" tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}" errors="${sum(({ errors }) => errors)}" time="${sum(({ seconds }) => seconds).toFixed(3)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.map(({ text }) => text).join('\n')}\n</testsuites>\n`;
}

function suite(report: RunReport) {
  const { result, start, version, rerun } = report;
  const { scenario, file, values, seed, mode, order, deliveries, simulatedMs, wallMs, logSha256 } = result;
  const cases = casesOf(report);
  const failures = cases.filter(({ fault }) => fault?.tag === 'failure').length;
  const errors = cases.filter(({ fault }) => fault?.tag === 'error').length;
  const seconds = wallMs / 1000;
  const properties: readonly [string, string][] = [
    ['version', version],
    ['seed', seed],
    ['mode', mode],
    ['simulated_s', String(simulatedMs / 1000)],
    ['start', start],
    ['order', String(order)],
    ['deliveries', deliveriesText(deliveries) ?? 'none'],
    ['log_sha256', logSha256 ?? ''],
    ['rerun', rerun],
  ];
  const name = values === null ? scenario : `${scenario} (${shownCase(values)})`;
  const lines = [
    `  <testsuite name="${escaped(name)}" file="${escaped(file)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="0" time="${seconds.toFixed(3)}">`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${key}" value="${escaped(value)}"/>`),
    '    </properties>',
    ...cases.map((one) => caseText(one, file)),
    '  </testsuite>',
  ];
  return { text: lines.join('\n'), tests: cases.length, failures, errors, seconds };
}

/** Every check, then failures without a check, and the reason for an abort. */
function casesOf({ steps, result }: RunReport): Case[] {
  const left = [...result.failures];
  const checks = steps.filter(({ kind }) => kind === 'passed' || kind === 'failed');
  const cases: Case[] = checks.map((step) => {
    const place = step.kind === 'failed' ? left.findIndex(({ line }) => line === step.line) : -1;
    const [failure] = place < 0 ? [] : left.splice(place, 1);
    return { ...named(step), fault: failure === undefined ? null : asFault('expectation', failure.whole) };
  });
  for (const { line, whole: text } of left)
    cases.push({ name: `L${line} ${headOf(text)}`, line, seconds: 0, fault: asFault('step', text) });
  if (result.error !== null) {
    const { code, message, fix } = result.error;
    const fault = { tag: 'error', type: code, text: `${message}\n${fix}` } as const;
    cases.push({ name: 'the run', line: 1, seconds: 0, fault });
  }
  return cases;
}

const named = ({ line, text, waitedMs }: ReportStep) => ({ name: `L${line} ${text}`, line, seconds: waitedMs / 1000 });

const asFault = (type: string, text: string) => ({ tag: 'failure', type, text }) as const;

function caseText({ name, line, seconds, fault }: Case, file: string): string {
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${line}" time="${seconds.toFixed(3)}"`;
  if (fault === null) return `${open}/>`;
  const { tag, type, text } = fault;
  return `${open}>\n      <${tag} type="${escaped(type)}" message="${escaped(`${file}:${line} ${headOf(text)}`)}">${escaped(text)}</${tag}>\n    </testcase>`;
}

/** Terminal escape sequences (CSI, OSC, and the short ones). */
const ESCAPE_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;

/** Characters that XML 1.0 forbids, or that alter how a line is read. */
const UNREADABLE =
  /[\p{Cs}\ufffe\uffff\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?![\n\t])\p{Cc}/gu;

/** Text for an attribute or an element, without what XML 1.0 forbids. */
export const escaped = (text: string): string =>
  text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(UNREADABLE, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');

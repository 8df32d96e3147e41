/** Runs as JUnit XML: a suite per run, a case per expectation. A name contains no line number, so that it stays the same when a line is inserted; messages contain the position, because some readers drop attributes. */

import { type JunitCase, type JunitSuite, junitXml } from '../../base/text/junit.ts';
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

export const junitReport = (reports: readonly RunReport[]): string => junitXml('muster-sandbox', reports.map(suite));

function suite(report: RunReport): JunitSuite {
  const { result, start, version, rerun } = report;
  const { scenario, file, values, seed, mode, order, deliveries, simulatedMs, wallMs, lagMs, logSha256 } = result;
  return {
    name: values === null ? scenario : `${scenario} (${shownCase(values)})`,
    file,
    properties: [
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
    ],
    cases: numbered(casesOf(report)).map((one) => junitCase(one, file)),
    seconds: wallMs / 1000,
  };
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

function junitCase({ name, line, seconds, fault }: Case, file: string): JunitCase {
  const place = { name, classname: file, file, line, seconds };
  if (fault === null) return { ...place, outcome: null };
  const { tag, type, text } = fault;
  if (tag === 'skipped') return { ...place, outcome: { tag, message: `${file}:${line} ${text}` } };
  return { ...place, outcome: { tag, type, message: `${file}:${line} ${headOf(text)}`, text } };
}

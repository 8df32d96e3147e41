/** Runs as JUnit XML: a suite per run, a case per expectation. A name contains no line number, so that it stays the same when a line is inserted; messages contain the position, because some readers drop attributes. */

import { type JunitCase, type JunitSuite, junitXml } from '../../base/text/junit.ts';
import type { RunFailure } from '../judging/run-reporter.ts';
import { shownCase } from '../model/scenario.ts';
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
  /** The first words of the message: the step, or the error. */
  readonly head: string;
  readonly text: string;
}

export const junitReport = (reports: readonly RunReport[]): string => junitXml('muster-sandbox', reports.map(suite));

function suite(report: RunReport): JunitSuite {
  const { result, start, version, rerun } = report;
  const { seed, mode, order, deliveries, simulatedMs, wallMs, lagMs, logSha256 } = result;
  const name = nameOfRun(report);
  const file = report.named?.path ?? result.file;
  // Readers such as GitLab know a test by its class and name only, so the name of a case has that of its run.
  const ofRun = report.named?.isOneOfMany === true ? ` [${name}]` : '';
  return {
    name,
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
    cases: casesOf(report).map((one) => junitCase({ ...one, name: `${one.name}${ofRun}` }, report, file)),
    seconds: wallMs / 1000,
  };
}

/** The title, and what distinguishes the run from the others of the command. It does not depend on results. */
function nameOfRun({ result: { scenario, values, seed, order }, named }: RunReport): string {
  const parts = [
    ...(values === null ? [] : [shownCase(values)]),
    ...(named?.by.seed === true ? [`seed ${seed}`] : []),
    ...(named?.by.order === true ? [`order ${order}`] : []),
    ...(named?.by.file === true ? [named.path] : []),
  ];
  return parts.length === 0 ? scenario : `${scenario} (${parts.join(', ')})`;
}

/**
 * Returns every check and each refused or skipped step in order of time. Every other failure comes before the failures
 * found after it. The reason for an abort is last.
 */
function casesOf({ steps, result }: RunReport): Case[] {
  const { verdict, failures, error, reason } = result;
  if (verdict === 'skipped') return [{ name: 'the run', line: 1, seconds: 0, fault: skippedAs('skip', reason ?? '') }];
  const left = failures.map((failure, place) => ({ ...failure, place }));
  const faultOf = (type: string, { step: head, whole: text }: RunFailure): CaseFault =>
    verdict === 'known_failure'
      ? skippedAs(type, `known failure: ${reason}\n${text}`)
      : { tag: 'failure', type, head, text };
  const ofSteps = steps.flatMap((step) => {
    const { line, kind, text: name, why, wallMs } = step;
    const seconds = wallMs / 1000;
    if (kind === 'passed') return [{ name, line, seconds, fault: null, place: null }];
    if (kind === 'skipped') return [{ name, line, seconds, fault: skippedAs('step', why ?? ''), place: null }];
    if (kind !== 'failed' && kind !== 'refused') return [];
    const at = left.findIndex((one) => one.line === line);
    const [failure] = at < 0 ? [] : left.splice(at, 1);
    const fault = failure === undefined ? null : faultOf(kind === 'failed' ? 'expectation' : 'step', failure);
    return [{ name, line, seconds, fault, place: failure?.place ?? null }];
  });
  const cases: (Case & { readonly place: number | null })[] = ofSteps;
  for (const failure of left) {
    const { line, step: name, place } = failure;
    const later = cases.findIndex((one) => one.place !== null && one.place > place);
    const one = { name, line, seconds: 0, fault: faultOf('step', failure), place };
    cases.splice(later < 0 ? cases.length : later, 0, one);
  }
  if (error === null) return cases;
  const [head = ''] = error.message.split('\n');
  const fault: CaseFault = { tag: 'error', type: error.code, head, text: `${error.message}\n${error.fix}` };
  return [...cases, { name: 'the run', line: 1, seconds: 0, fault }];
}

const skippedAs = (type: string, text: string): CaseFault => ({ tag: 'skipped', type, head: text, text });

function junitCase({ name, line, seconds, fault }: Case, { result }: RunReport, file: string): JunitCase {
  const place = { name, classname: file, file, line, seconds };
  if (fault === null) return { ...place, outcome: null };
  const { tag, type, head, text } = fault;
  const message = `${result.file}:${line} ${head}`;
  return { ...place, outcome: tag === 'skipped' ? { tag, message } : { tag, type, message, text } };
}

/** Every step of a run: its start, its duration, what it waited for and what it found. */

import { type Html, html } from '../../../base/text/html.ts';
import { formatDuration } from '../../../base/time/durations.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { CHECK_TERMS } from '../../../contract/resources/vocabulary.ts';
import type { RunFailure } from '../../judging/run-reporter.ts';
import type { ReportStep, RunReport } from '../report-data.ts';
import { failureAt } from './failure-cards.ts';
import { type TimedStep, timedSteps } from './timed-steps.ts';

/** A refused step has the sign of a failure and a word of its own; a step without a check has none. */
const signOf = (outcome: TimedStep['kind']): string =>
  outcome === 'step' || outcome === 'mark' ? '' : CHECK_TERMS[outcome === 'refused' ? 'failed' : outcome].glyph;
const resultOf = (outcome: TimedStep['kind']): string =>
  outcome === 'step' || outcome === 'mark' ? '' : outcome === 'refused' ? outcome : CHECK_TERMS[outcome].word;

/** Maximum number of listed events that an action caused. */
const MOST_SEEN = 5;

/** Maximum number of values of the nearest candidate; its failure has all. */
const MOST_DIFFERING = 2;

export function stepsTable(report: RunReport): Html {
  return html`<div class="wide" tabindex="0"><table class="steps"><thead><tr><th>at</th><th><span class="unseen">result</span></th><th>step</th><th>took</th><th>line</th></tr></thead><tbody>${stepRows(report)}</tbody></table></div>`;
}

/** Only the first row of a repeated line has the anchor. */
function stepRows(report: RunReport): Html[] {
  const steps = timedSteps(report);
  const seen = new Set<number>();
  return steps.map((step, place) => {
    const isFirst = !seen.has(step.line);
    seen.add(step.line);
    const isFailed = step.kind === 'failed' || step.kind === 'refused';
    const failed = isFailed ? report.result.failures.find(({ line }) => line === step.line) : undefined;
    const failure = isFailed ? failureAt(report.result.failures, step.line) : null;
    const next = steps.slice(place + 1).find(({ kind }) => kind === 'step' || kind === 'refused');
    const saw = step.kind === 'step' ? causedText(step, next?.happened, report) : waitedText(step, failed);
    return stepRow(step, place, { isFirst, failure, saw });
  });
}

interface StepNotes {
  readonly isFirst: boolean;
  readonly failure: string | null;
  readonly saw: string;
}

function stepRow(step: TimedStep, place: number, { isFirst, failure, saw }: StepNotes): Html {
  const { line, text, why, kind, beganMs, endMs } = step;
  const id = isFirst ? html` id="line-${line}"` : null;
  const link = failure === null ? null : html` <a href="#${failure}">why it failed</a>`;
  const took = kind === 'mark' ? '' : formatDuration(Math.round(endMs - beganMs));
  const sign =
    kind === 'mark' || kind === 'step'
      ? null
      : html`<span aria-hidden="true">${signOf(kind)}</span><span class="unseen">${resultOf(kind)}</span>`;
  return html`<tr class="${kind}" data-step="${place}"${id}><td><time>${formatClockTime(beganMs)}</time></td><td class="sign">${sign}</td><td>${text}${why === null ? null : html`: ${why}`}${saw === '' ? null : html`<br><small>${saw}</small>`}${link}</td><td><small>${took}</small></td><td><small>${line === 0 ? '' : line}</small></td></tr>`;
}

/** Lists the events that an action caused: those until the next action. Checks in between wait for them. */
function causedText({ beganMs, happened }: TimedStep, until: number | undefined, { happenings }: RunReport): string {
  const events = happenings.slice(happened, until).filter(({ kind }) => kind === 'event');
  const shown = events.slice(0, MOST_SEEN).map(({ t, text }) => {
    const after = Math.round(t - beganMs);
    return after <= 0 ? text : `${text} after ${formatDuration(after)}`;
  });
  const more = events.length - shown.length;
  return shown.length === 0 ? '' : `then ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** `failed`: the failure of the step. Its rows compare what was expected with the nearest that there was. */
function waitedText({ waitedMs, saw, kind }: ReportStep, failed: RunFailure | undefined): string {
  if (kind === 'mark' || kind === 'refused' || kind === 'skipped') return '';
  const waited = waitedMs === 0 ? '' : `waited ${formatDuration(Math.round(waitedMs))}`;
  const shown = saw.slice(0, MOST_SEEN).join(', ');
  const differing = (failed?.rows ?? []).slice(0, MOST_DIFFERING).map(({ path, got }) => `${path} ${got}`);
  const nearest = differing.length === 0 ? 'found nothing' : `nearest: ${differing.join(', ')}`;
  const found = shown === '' ? (kind === 'failed' ? nearest : '') : `found ${shown}`;
  return [waited, found].filter((part) => part !== '').join(', ');
}

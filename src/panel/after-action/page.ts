/** The report of a muster as one HTML document that prints: no script, nothing loaded, everything that people wrote escaped. */
import { Html, html } from '../../base/html.ts';
import { curve } from './curve.ts';
import type { AfterAction } from './record.ts';
import { alerts, contractors, decisions, everybody, notSafe, points } from './sections.ts';
import { style } from './style.ts';
import { milestones, standing, summary, titleOf } from './summary.ts';
import { dateAndTime } from './words.ts';

const SIGN = 'Sandbox: a simulation. No real watch, no real person.';

/** The whole document. */
export function reportPage(report: AfterAction): string {
  const title = titleOf(report);
  const body = html`<header class="sign">${SIGN}</header><main>
<h1>${title}</h1>${standing(report)}${summary(report)}${milestones(report)}
${curve(report) ?? html`<p class="dim">${report.course.length === 0 ? NO_COURSE : 'Nobody was ever expected: there is no curve.'}</p>`}
${points(report)}${contractors(report)}${decisions(report)}${alerts(report)}${notSafe(report)}${everybody(report)}
<footer>Counted by the service at the start and every 5 s; a count holds until the next one. Muster ${report.musterId}. Drawn up on ${dateAndTime(report.drawnAt)}. ${SIGN}</footer></main>`;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(style(SIGN))}</style></head><body>${body}</body></html>`.text;
}

const NO_COURSE = 'No curve: the muster ended under an older version of the sandbox, which did not keep its counts.';

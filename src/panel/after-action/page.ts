/** The report of a muster as one printable HTML document: no script, nothing loaded, user text escaped. */
import { Html, html } from '../../base/html.ts';
import { sha256Hex } from '../../base/ids.ts';
import { SIGN } from '../document.ts';
import { curve } from './curve.ts';
import type { AfterAction } from './record.ts';
import { alerts, allPeople, contractors, decisions, notSafe, points } from './sections.ts';
import { style } from './style.ts';
import { milestones, standing, summary, titleOf } from './summary.ts';
import { dateAndTime } from './words.ts';

const STYLE = style(SIGN);

/** The style is inline, so that a saved copy keeps it; the policy allows this style only, by its hash. */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${Buffer.from(sha256Hex(STYLE), 'hex').toString('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Links lead to `/panel/musters/<id>` and to the tables under `report.csv`. */
export function reportPage(report: AfterAction): string {
  const title = titleOf(report);
  const body = html`<header class="sign">${SIGN}</header><main>
${links(report)}<h1>${title}</h1>${standing(report)}${summary(report)}${milestones(report)}
${curve(report) ?? html`<p class="dim">${report.course.length === 0 ? NO_COURSE : 'Nobody was ever expected: there is no curve.'}</p>`}
${points(report)}${contractors(report)}${decisions(report)}${alerts(report)}${notSafe(report)}${allPeople(report)}
<footer>Counted by the service at the start and every 5 s; a count holds until the next one. Muster ${report.musterId}. Drawn up on ${dateAndTime(report.drawnAt)}. ${SIGN}</footer></main>`;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(STYLE)}</style></head><body>${body}</body></html>`.text;
}

/** On screen only. */
function links({ musterId }: AfterAction): Html {
  const table = (query: string, name: string): Html =>
    html`<a href="/panel/musters/${musterId}/report.csv${query}">${name}</a>`;
  const tables = [table('', 'people'), table('?part=timeline', 'timeline'), table('?part=course', 'counts')];
  return html`<nav class="screen"><a href="/panel/musters/${musterId}">The muster’s page</a> As CSV: ${tables}</nav>`;
}

const NO_COURSE = 'No curve: the muster ended under an older version of the sandbox, which did not keep its counts.';

/** The report of a muster as one printable HTML document: no scripts, nothing loaded, user text escaped. */

import { sha256Hex } from '../../../base/ids.ts';
import { Html, html } from '../../../base/text/html.ts';
import { compareText } from '../../../base/text/order.ts';
import { SIGN } from '../../../base/text/site-header.ts';
import {
  ALERT_TERMS,
  HELP_REASON_WORDS,
  PERSON_TERMS,
  SEVERITY_TERMS,
} from '../../../contract/resources/vocabulary.ts';
import { byRankAtEnd } from '../../../watching/state/not-safe.ts';
import type { StatusRank } from '../../../watching/state/people.ts';
import { capital } from '../../../watching/state/words.ts';
import { curve } from './curve.ts';
import type { AfterAction, AlertRecord, AlertStep, ExclusionRecord, PersonRecord, PointRecord } from './record.ts';
import { style } from './style.ts';
import { milestones, standing, summary, table, titleOf, when } from './summary.ts';
import { dateAndTime, figure, percent, span, spanInWords, timeOfDay } from './words.ts';

const STYLE = style(SIGN);

const NOTHING = new Html('');

/** The style is inline, so that a saved copy keeps it; the policy allows this style only, by its hash. */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${Buffer.from(sha256Hex(STYLE), 'hex').toString('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Links lead to `/panel/musters/<id>` and to the tables under `report.csv`. `strip`: what is urgent now, which only a screen
 * shows; empty: nothing is.
 */
export function reportPage(report: AfterAction, strip: Html = NOTHING): string {
  const title = titleOf(report);
  const body = html`<header class="sign">${SIGN}</header>${strip.text === '' ? null : html`<div class="screen strip">${strip}</div>`}<main>
${links(report)}<h1>${title}</h1>${standing(report)}${summary(report)}${notSafe(report)}${milestones(report)}
${curve(report) ?? html`<p class="dim">${report.course.length === 0 ? NO_COURSE : 'The muster expected nobody, so there is no curve.'}</p>`}
${points(report)}${contractors(report)}${decisions(report)}${alerts(report)}${allPeople(report)}
<footer>Counted by the service at the start and every 5 s; a count holds until the next one. Muster ${report.musterId}. Drawn up on ${dateAndTime(report.drawnAt)}. ${SIGN}</footer></main>`;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(STYLE)}</style></head><body>${body}</body></html>`.text;
}

/** The links are shown only on screen, not in print. */
function links({ musterId }: AfterAction): Html {
  const table = (query: string, name: string): Html =>
    html`<a href="/panel/musters/${musterId}/report.csv${query}">${name}</a>`;
  const tables = [table('', 'people'), table('?part=timeline', 'timeline'), table('?part=course', 'counts')];
  return html`<nav class="screen"><a href="/panel/musters/${musterId}">The muster’s page</a> As CSV: ${tables}</nav>`;
}

const NO_COURSE = 'No curve: the records of later musters have taken the place of its counts.';

const SINCE_START = 'Minutes and seconds since the start; the time of day in UTC beside it.';

// The tables of the report: points, contractors, decisions, alerts, people.

const points = (report: AfterAction): Html =>
  html`<h2>Assembly points</h2>${table(
    ['Point', 'Served', { figure: 'Safe there' }, { figure: 'At most' }, { figure: 'Last arrival' }, 'Excluded'],
    report.points.map((point) => pointRow(report, point)),
  )}`;

const pointRow = (report: AfterAction, { name, kinds, safe, most, lastArrivalAt, exclusions }: PointRecord) => [
  name,
  kinds.join(', '),
  figure(safe),
  figure(most),
  when(report, lastArrivalAt),
  html`${exclusions.map((one) => excluded(report, one))}`,
];

function excluded(report: AfterAction, { at, by, reason, recommended, until }: ExclusionRecord): Html {
  const advice = recommended === null ? '' : recommended ? ', as recommended' : ', not recommended';
  const back = until === null ? '' : `; reinstated at ${span(until.at - report.startedAt)} by ${until.by ?? '-'}`;
  return html`<div>at ${when(report, at)} by ${by ?? '-'}${advice}: ${reason ?? '-'}${back}</div>`;
}

function contractors({ contractors: groups }: AfterAction): Html | null {
  if (groups.length === 0) return null;
  return html`<h2>Contractors</h2>${table(
    ['Contractor', { figure: 'Expected' }, { figure: 'Safe' }, { figure: 'Share' }, { figure: 'Median time to safe' }],
    groups.map(({ contractor, expected, safe, medianMs }) => [
      contractor ?? 'Own staff',
      figure(expected),
      figure(safe),
      percent(safe, expected),
      medianMs === null ? '-' : span(medianMs),
    ]),
  )}`;
}

const decisions = (report: AfterAction): Html =>
  html`<h2>Decisions of the control room</h2>${table(
    [{ figure: '#' }, { figure: 'After' }, 'What', 'Who', 'Reason'],
    report.timeline.map(({ at, what, by, reason }, place) => [
      place + 1,
      when(report, at),
      what,
      by ?? '',
      reason ?? '',
    ]),
    SINCE_START,
  )}`;

function alerts(report: AfterAction): Html {
  if (report.alerts.length === 0) return html`<h2>Alerts</h2><p>None was raised on the site during it.</p>`;
  return html`<h2>Alerts</h2>${table(
    [{ figure: 'Raised' }, 'Alert', 'Severity', 'Acknowledged', 'Resolved'],
    report.alerts.map((alert) => alertRow(report, alert)),
    `Raised on the site during it, and serious ones that were open when it began. Their state is of ${dateAndTime(report.drawnAt)}; the times of acknowledging and resolving are from the alert.`,
  )}`;
}

function alertRow(
  report: AfterAction,
  { raisedAt, type, title, severity, acknowledged, resolved, before }: AlertRecord,
) {
  const step = (done: AlertStep | null): Html => {
    if (done === null) return html`<span class="dim">no</span>`;
    const words = [done.reason, done.note].filter((text) => text !== null).join('; ');
    return html`after ${spanInWords(done.afterMs)} by ${done.by}${words === '' ? null : html`<br><small>${words}</small>`}`;
  };
  const raised = before ? html`<small>${dateAndTime(raisedAt)}, before</small>` : when(report, raisedAt);
  const { glyph, word } = SEVERITY_TERMS[severity];
  return [
    raised,
    html`<span class="mark"><i aria-hidden="true">${ALERT_TERMS[type].glyph}</i></span>${title}`,
    html`<span class="mark ${severity}"><i aria-hidden="true">${glyph}</i>${word}</span>`,
    step(acknowledged),
    step(resolved),
  ];
}

const GONE = 'Nothing is kept of its people: the records of later musters have taken its place.';

/** People who were not safe, in the order of the list of the muster. */
function notSafe(report: AfterAction): Html {
  const { people, endedAt, totals } = report;
  const head = endedAt === null ? 'Not safe at the last count' : 'Not safe at the end';
  if (people === null) return html`<h2>${head}</h2><p>${figure(totals.expected - totals.safe)}. ${GONE}</p>`;
  const missing = people.flatMap((person) => {
    const { standing, worker } = person;
    if (standing === null) return [];
    return [{ ...standing, person, rescue: standing.rank === 'rescue', code: worker.externalId }];
  });
  if (missing.length === 0)
    return html`<h2>${head}</h2><p>${people.length === 0 ? 'Nobody was expected.' : 'Nobody: all expected workers are safe.'}</p>`;
  missing.sort((a, b) => byRankAtEnd(a, b) || compareText(a.person.worker.id, b.person.worker.id));
  return html`<h2>${head} (${figure(missing.length)})</h2>${table(
    ['Name', 'Code', 'Contractor', 'Reason', 'Last place', { figure: 'Last seen' }, 'Known of them'],
    missing.map(({ person, rank, word }) => [
      person.worker.name,
      html`<span class="code">${person.worker.externalId}</span>`,
      person.worker.contractor,
      signOf(rank, word),
      person.lastPlace ?? '-',
      person.lastSeenAt === null ? 'never' : timeOfDay(person.lastSeenAt),
      html`${whereabouts(report, person, callOf(person))}`,
    ]),
    `The last place is the last position ${endedAt === null ? 'now' : 'at the end'}, as a panel user may see it; times are UTC.`,
  )}`;
}

/** Where no open call shows the reason any more, the lists have the general word. */
const callOf = ({ standing, helpReason }: PersonRecord): readonly string[] =>
  standing?.rank === 'help' && helpReason !== null ? [HELP_REASON_WORDS[helpReason]] : [];

const rankOf = ({ rescue, status, helpReason }: PersonRecord): StatusRank =>
  rescue ? 'rescue' : status === 'help' && helpReason === 'helping' ? 'helping' : status;

/** Glyph, word and colour of the page of the muster. */
const signOf = (rank: StatusRank, words: string): Html =>
  html`<span class="mark of-person ${rank}"><i aria-hidden="true">${PERSON_TERMS[rank].glyph}</i>${capital(words)}</span>`;

/** For example `to rescue: trapped`, `helping`, `not arrived`. */
const statusOf = (person: PersonRecord): string => {
  const rank = rankOf(person);
  const { word } = PERSON_TERMS[rank];
  return person.helpReason === null || rank === 'helping' ? word : `${word}: ${HELP_REASON_WORDS[person.helpReason]}`;
};

function allPeople(report: AfterAction): Html | null {
  const { people } = report;
  if (people === null || people.length === 0) return null;
  return html`<h2>Everybody (${figure(people.length)})</h2>${peopleTable(report, people)}`;
}

const peopleTable = (report: AfterAction, people: readonly PersonRecord[]): Html =>
  table(
    [
      'Name',
      'Code',
      'Contractor',
      'Status',
      'Where',
      { figure: 'Since' },
      { figure: 'First safe' },
      { figure: 'Last seen' },
    ],
    people.map((person) => [
      person.worker.name,
      html`<span class="code">${person.worker.externalId}</span>`,
      person.worker.contractor,
      signOf(rankOf(person), statusOf(person)),
      html`${whereabouts(report, person)}`,
      ...[person.since, person.firstSafeAt, person.lastSeenAt].map((at) =>
        at === null ? '-' : span(at - report.startedAt),
      ),
    ]),
    `Since, first safe, last seen: minutes and seconds since the start (${dateAndTime(report.startedAt)}). A safe person’s point alone: the watch was seen there.`,
  );

function whereabouts(report: AfterAction, person: PersonRecord, known: readonly string[] = []): Html {
  const { point, safeBy, declared, marked, rescue, status } = person;
  const parts = [...known];
  if (point !== null) parts.push(point.valid ? point.name : `${point.name} (does not serve, or excluded)`);
  if (safeBy === 'declared') parts.push('said so on the watch');
  if (marked !== null && safeBy !== 'position' && safeBy !== 'declared')
    parts.push(`marked safe by ${marked.by} at ${span(marked.at - report.startedAt)}`);
  if (declared !== null && status !== 'safe')
    parts.push(`said to be at ${declared.point.name}${declared.contradicted ? ', and was seen elsewhere since' : ''}`);
  return html`${rescue ? html`<b class="mark rescue">${capital(PERSON_TERMS.rescue.word)}. </b>` : null}${upperFirst(parts.join(', '))}`;
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

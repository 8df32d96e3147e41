/** The outcomes of `sandbox certify` as data, JUnit XML, and one HTML page. [cli, certify] */
import { Html, html } from '../../base/text/html.ts';
import { STYLE } from '../../scenario/reporting/html/html-style.ts';
import { escaped } from '../../scenario/reporting/junit.ts';
import type { CheckOutcome, countsOf } from './certify.ts';
import { CHECK_GROUPS, type CheckGroup, checkName, clauseText } from './check.ts';
import { type Exchange, replyText } from './send.ts';

export interface CertifyReport {
  /** What was judged: an address, or `watch` and a serial. */
  readonly url: string;
  readonly subject: 'Webhook receiver' | 'Watch';
  readonly version: string;
  readonly outcomes: readonly CheckOutcome[];
  readonly counts: ReturnType<typeof countsOf>;
}

/** The outcome of a check in the envelope of the JSON output. */
export const outcomeData = ({ check, result, sent, got, production, fix, exchanges, trace, tookMs }: CheckOutcome) => ({
  number: check.series === undefined ? check.number : checkName(check),
  group: check.group,
  title: check.title,
  clause: check.clause,
  result,
  sent,
  came_back: got,
  production,
  cure: fix,
  took_ms: Math.round(tookMs),
  exchanges: exchanges.map(({ delivery, status, answer, error, tookMs: took }) => ({
    sent: delivery.what,
    event_id: delivery.eventId,
    status,
    error,
    took_ms: took,
    answer: answer.slice(0, MOST_SHOWN),
  })),
  ...(trace === undefined ? {} : { trace }),
});

/** Maximum characters of a body in a report. */
const MOST_SHOWN = 2_000;

export function certifyJunit({ url, version, outcomes, counts }: CertifyReport): string {
  const seconds = outcomes.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1_000;
  const inconclusive = outcomes.filter(({ isInconclusive }) => isInconclusive).length;
  const totals = `tests="${outcomes.length}" failures="${counts.failed}" errors="${inconclusive}"`;
  const time = `time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="muster-sandbox certify" ${totals} ${time}>`,
    `  <testsuite name="${escaped(`certify ${url}`)}" ${totals} skipped="${counts.not_judged - inconclusive}" ${time}>`,
    '    <properties>',
    `      <property name="version" value="${escaped(version)}"/>`,
    '    </properties>',
    ...outcomes.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseText({ check, result, sent, got, production, fix, tookMs, isInconclusive }: CheckOutcome): string {
  const name = `${check.series ?? ''}${String(check.number).padStart(2, '0')} ${check.title}`;
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(`certify.${check.group}`)}" time="${(tookMs / 1_000).toFixed(3)}"`;
  const text = [
    `sent: ${sent}`,
    `came back: ${got}`,
    `production: ${production ?? 'nothing special'}`,
    `fix: ${fix ?? 'none'}`,
  ];
  const whole = escaped([...text, clauseText(check)].join('\n'));
  switch (result) {
    case 'passed':
      return `${open}/>`;
    case 'not_judged':
      if (isInconclusive)
        return `${open}>\n      <error type="inconclusive" message="${escaped(got)}"/>\n    </testcase>`;
      return `${open}>\n      <skipped message="${escaped(got)}"/>\n    </testcase>`;
    case 'advice':
      return `${open}>\n      <system-out>${whole}</system-out>\n    </testcase>`;
    case 'failed':
      return `${open}>\n      <failure type="check" message="${escaped(got)}">${whole}</failure>\n    </testcase>`;
  }
}

const SIGNS = { passed: '✓', failed: '✗', advice: '!', not_judged: '·' } as const;
const WORDS = { passed: 'passed', failed: 'failed', advice: 'advice', not_judged: 'not judged' } as const;

export function certifyHtml({ url, subject, version, outcomes, counts }: CertifyReport): string {
  const result = counts.failed === 0 ? 'passed' : 'failed';
  const troubles = outcomes.filter(({ result }) => result === 'failed' || result === 'advice');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${result}: certify ${url}</title><style>${new Html(STYLE)}</style></head><body>
<header><span class="verdict ${result}">${result}</span><h1>${subject}</h1><p class="dim">${unlinked(url)}</p>
<dl class="facts">${Object.entries(counts).map(([name, count]) => html`<div><dt>${name.replace('_', ' ')}</dt><dd>${count}</dd></div>`)}</dl>
<p>A check that is not judged is not passed: what it needs was not given, or an earlier check has to pass first.</p></header>
<main>
${troubles.length === 0 ? null : html`<section aria-label="Failures"><h2>What has to change</h2>${troubles.map(card)}</section>`}
${groupsOf(outcomes).map(([group, rows]) => html`<h2>${CHECK_GROUPS[group]}</h2><div class="wide" tabindex="0"><table class="steps"><thead><tr><th>check</th><th><span class="unseen">verdict</span></th><th>a ${subject.toLowerCase()} that passes</th><th>what came back</th><th>clause</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>`)}
</main>
<footer>Made by muster-sandbox ${version}.</footer></body></html>
`;
  return page.text;
}

function groupsOf(outcomes: readonly CheckOutcome[]): [CheckGroup, CheckOutcome[]][] {
  const groups = new Map<CheckGroup, CheckOutcome[]>();
  for (const one of outcomes) groups.set(one.check.group, [...(groups.get(one.check.group) ?? []), one]);
  return [...groups];
}

/** A URL in the page is text. It is split, so that tools that search for loaded resources find none. */
const unlinked = (text: string): Html => new Html(html`${text}`.text.replaceAll('://', '&#58;//'));

const card = ({ check, result, sent, got, production, fix, exchanges, trace = [] }: CheckOutcome): Html =>
  html`<article class="failure" id="check-${checkName(check)}"><h3>${checkName(check)} ${check.title} <small>${WORDS[result]}</small></h3>
<table><tbody>${[
    ['sent', sent],
    ['came back', got],
    ['production', production],
    ['fix', fix],
    ['clause', clauseText(check)],
  ].flatMap(([name, text]) =>
    text == null ? [] : [html`<tr><th>${name ?? ''}</th><td>${unlinked(text)}</td></tr>`],
  )}</tbody></table>${exchanges.slice(0, 6).map(exchangeDetails)}${trace.length === 0 ? null : html`<details><summary>packets</summary><pre tabindex="0">${unlinked(trace.join('\n'))}</pre></details>`}</article>`;

const exchangeDetails = (exchange: Exchange): Html => {
  const { delivery, status, answer, answerHeaders } = exchange;
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 300)}`);
  const request = ['POST', ...lines(delivery.headers), '', delivery.body.slice(0, MOST_SHOWN)].join('\n');
  const reply =
    status === null
      ? replyText(exchange)
      : [String(status), ...lines(answerHeaders), '', answer.slice(0, MOST_SHOWN)].join('\n');
  return html`<details><summary>${delivery.what}: ${unlinked(replyText(exchange))}</summary><pre tabindex="0">${unlinked(request)}</pre><pre tabindex="0">${unlinked(reply)}</pre></details>`;
};

function row({ check, result, got }: CheckOutcome): Html {
  const name =
    result === 'failed' || result === 'advice'
      ? html`<a href="#check-${checkName(check)}">${check.title}</a>`
      : html`${check.title}`;
  return html`<tr class="${result}"><td>${checkName(check)}</td><td class="sign">${SIGNS[result]}</td><td>${name}</td><td>${unlinked(got)}</td><td><small>${check.clause}</small></td></tr>`;
}

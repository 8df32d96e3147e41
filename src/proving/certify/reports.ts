/** The outcomes of `sandbox certify` as data, JUnit XML, Markdown, and one HTML page. [cli, certify] */
import { Html, html } from '../../base/text/html.ts';
import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import { markdownText } from '../../base/text/markdown.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
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

export const certifyJunit = ({ url, version, outcomes }: CertifyReport): string =>
  junitXml('muster-sandbox certify', [
    {
      name: `certify ${url}`,
      properties: [['version', version]],
      cases: outcomes.map(junitCase),
      seconds: outcomes.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1_000,
    },
  ]);

const junitCase = (outcome: CheckOutcome): JunitCase => ({
  name: `${outcome.check.series ?? ''}${String(outcome.check.number).padStart(2, '0')} ${outcome.check.title}`,
  classname: `certify.${outcome.check.group}`,
  seconds: outcome.tookMs / 1_000,
  outcome: junitOutcome(outcome),
});

function junitOutcome({
  check,
  result,
  sent,
  got,
  production,
  fix,
  isInconclusive,
}: CheckOutcome): JunitCase['outcome'] {
  const text = [
    `sent: ${sent}`,
    `came back: ${got}`,
    `production: ${production ?? 'nothing special'}`,
    `fix: ${fix ?? 'none'}`,
    clauseText(check),
  ].join('\n');
  switch (result) {
    case 'passed':
      return null;
    case 'not_judged':
      return isInconclusive ? { tag: 'error', type: 'inconclusive', message: got } : { tag: 'skipped', message: got };
    case 'advice':
      return { tag: 'system-out', text };
    case 'failed':
      return { tag: 'failure', type: 'check', message: got, text };
  }
}

/** Counts, a table of the checks, and each failed check with its fix. */
export function certifyMarkdown({ url, subject, version, outcomes, counts }: CertifyReport): string {
  const lines = [
    `## ${counts.failed === 0 ? 'passed' : 'failed'}: certify ${markdownText(url)}`,
    '',
    `${subject}: ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name.replace('_', ' ')}`)
      .join(', ')}`,
    '',
    '| | check | what came back | clause |',
    '|---|---|---|---|',
    ...outcomes.map(
      ({ check, result, got }) =>
        `| ${CHECK_TERMS[result].glyph} | ${checkName(check)} ${markdownText(check.title)} | ${markdownText(got)} | ${markdownText(check.clause)} |`,
    ),
    ...outcomes
      .filter(({ result }) => result === 'failed' || result === 'advice')
      .flatMap(({ check, result, sent, production, fix }) => [
        '',
        `### ${checkName(check)} ${markdownText(check.title)} (${CHECK_TERMS[result].word})`,
        '',
        `- sent: ${markdownText(sent)}`,
        ...(production === null ? [] : [`- production: ${markdownText(production)}`]),
        ...(fix === null ? [] : [`- fix: ${markdownText(fix)}`]),
      ]),
    '',
    `Made by muster-sandbox ${version}.`,
  ];
  return `${lines.join('\n')}\n`;
}

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
  html`<article class="failure" id="check-${checkName(check)}"><h3>${checkName(check)} ${check.title} <small>${CHECK_TERMS[result].word}</small></h3>
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
  return html`<tr class="${result}"><td>${checkName(check)}</td><td class="sign">${CHECK_TERMS[result].glyph}</td><td>${name}</td><td>${unlinked(got)}</td><td><small>${check.clause}</small></td></tr>`;
}

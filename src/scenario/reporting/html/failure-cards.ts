/** The failures of a run on its page: expected and got, what happened around each, and the commands that play it again. */

import { Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import type { RunFailure } from '../../judging/run-reporter.ts';
import { commandOf } from '../../model/again.ts';
import type { FailureContext, ShownHappening } from '../happenings.ts';
import type { RunReport } from '../report-data.ts';

/** Failures shown with context; later ones are usually consequences of the first. */
const MOST_AROUNDS = 10;

/** The first card takes the focus, so that the page opens there. */
export function failureCards({ result: { failures }, around }: RunReport): Html {
  if (failures.length === 0) return html``;
  const cards = failures.map((failure, place) =>
    card(failure, place < MOST_AROUNDS ? (around[place] ?? null) : null, place + 1, failures.length),
  );
  return html`<section aria-label="Failures"><h2>What failed</h2>${cards}</section>`;
}

/** Anchor of the failure of this line; null if it did not fail. */
export function failureAt(failures: readonly RunFailure[], line: number): string | null {
  const place = failures.findIndex((failure) => failure.line === line);
  return place < 0 ? null : `failure-${place + 1}`;
}

function card(failure: RunFailure, around: FailureContext | null, number: number, count: number): Html {
  const { line, whole, rows, again } = failure;
  const head = headOf(whole);
  return html`<article class="failure" id="failure-${number}" tabindex="-1" aria-labelledby="failure-${number}-name"${number === 1 ? new Html(' autofocus') : null}>
<p class="hops">${number} of ${count}${hop(number - 1, count, 'previous failure')}${hop(number + 1, count, 'next failure')} <a href="#line-${line}">its step</a></p>
<h3 id="failure-${number}-name">line ${line}: ${head}</h3>
${rows.length === 0 ? null : html`<div class="wide" tabindex="0"><table class="gots"><thead><tr><th>path</th><th>expected</th><th>got</th></tr></thead><tbody>${rows.map(({ path, expected, got }) => html`<tr><td><code>${path}</code></td><td><code>${expected}</code></td><td><code>${got}</code></td></tr>`)}</tbody></table></div>`}
<pre tabindex="0">${whole}</pre>
<p>Play it again up to this step:</p><pre class="command">${commandOf(again)}</pre>
<p>Play up to this step and stop there, to look at the sandbox:</p><pre class="command">${commandOf(again, true)}</pre>
${around === null ? null : aroundTable(failure, around)}</article>`;
}

const hop = (number: number, count: number, words: string): Html | null =>
  number < 1 || number > count ? null : html` <a href="#failure-${number}">${words}</a>`;

/** The step's text in `FAIL file:line  TEXT     at ...`. */
export const headOf = (text: string): string =>
  (text.split('\n')[0] ?? '').replace(/^FAIL .*?:\d+ {2}/, '').replace(/\s{2,}at \d.*$/, '');

type DiffRow = ShownHappening | { readonly t: number; readonly kind: 'begin' | 'verdict'; readonly text: string };

function aroundTable({ beganMs, atMs }: RunFailure, { happenings, leftOut }: FailureContext): Html {
  const rows: DiffRow[] = [
    ...happenings,
    ...(beganMs === atMs ? [] : [{ t: beganMs, kind: 'begin' as const, text: 'the step begins' }]),
    { t: atMs, kind: 'verdict', text: 'the verdict: failed' },
  ];
  // Order at equal instants: beginning of the step, happenings, result.
  const rank = ({ kind }: DiffRow): number => (kind === 'begin' ? 0 : kind === 'verdict' ? 2 : 1);
  rows.sort((a, b) => a.t - b.t || rank(a) - rank(b));
  const more = leftOut === 0 ? null : html`<p class="dim">And ${leftOut} more, farther from the step.</p>`;
  return html`<h4>What happened around it</h4><div class="wide" tabindex="0"><table class="around"><thead><tr><th>at</th><th>kind</th><th>what happened</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>${more}`;
}

/** Breaks up urls in bodies, so that tools which search the page for loaded resources do not find them. */
const unlinked = (body: string): Html => new Html(html`${body}`.text.replaceAll('://', '&#58;//'));

function row(one: DiffRow): Html {
  const body = 'body' in one ? one.body : null;
  const text =
    body === null
      ? html`${one.text}`
      : html`<details><summary>${one.text}</summary><pre tabindex="0">${unlinked(body)}</pre></details>`;
  const kind = one.kind === 'begin' || one.kind === 'verdict' ? '' : one.kind;
  return html`<tr class="is-${one.kind}"><td><time>${formatClockTime(one.t)}</time></td><td>${kind}</td><td>${text}</td></tr>`;
}

/** The result of a comparison as one HTML page. It needs no script and makes no request. [cli, compare] */
import { Html, html } from '../../base/text/html.ts';
import { pagePolicy } from '../../base/text/page-policy.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
import type { ComparedCheck } from './compared-check.ts';
import { type ComparisonResult, differencesIn, exchangesIn, keyOfCheck, keyOfPoint } from './comparison-result.ts';
import { isSwitchable } from './open-points/profile.ts';
import type { PointRow } from './open-points/rows.ts';
import type { DeviationGroup } from './report.ts';
import { NOT_ALLOWED } from './writes.ts';

/** The service and the sandbox that were compared. */
export interface ComparedSides {
  /** Addresses of the two sides. */
  readonly service: string;
  readonly sandbox: string;
  /** Requests per minute to the service. */
  readonly perMinute: number;
}

interface ReportCircumstances {
  /** Null: recorded traffic was judged. */
  readonly sides: ComparedSides | null;
  /** Files and folders of recorded traffic. */
  readonly recordings: readonly string[];
  /** The service to which `sandbox proxy` forwarded the traffic. */
  readonly forwardedTo?: string;
  /** Keys of the differences that the baseline contains. */
  readonly known: ReadonlySet<string>;
  /** False: bodies contain names of the traffic. */
  readonly isRedacted: boolean;
  readonly version: string;
}

/** A section of the page, with its entry in the table of contents. */
interface PageSection {
  readonly id: string;
  readonly heading: string;
  readonly count: number;
  readonly content: Html;
}

export function comparisonHtml(result: ComparisonResult, about: ReportCircumstances): string {
  const { checks, groups, points } = result;
  const { sides, known, isRedacted, version } = about;
  const isNew = ({ key }: { readonly key: string }) => !known.has(key);
  const differences = differencesIn(result);
  const differs = differences.some(isNew);
  const verdict = differs ? 'different' : differences.length > 0 ? 'only known differences' : 'nothing differs';
  const title = sides === null ? 'Recorded traffic, judged by the contract' : 'The service, compared with the sandbox';
  const sections = [
    ...(sides === null ? [] : [differentSection(checks, known)]),
    deviationsSection(groups, result),
    ...(sides === null
      ? []
      : [pointsSection(points, known), explainedSection(checks), ...unknownSections(checks), sameSection(checks)]),
    judgedSection(result),
  ];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(PAGE_STYLE, '')}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${verdict}: ${sides === null ? 'recorded traffic' : shownAddress(sides.service)}</title><style>${new Html(PAGE_STYLE)}</style></head><body>
<a class="skip" href="#${sections[0]?.id ?? ''}">Skip to the result</a>
<header><span class="verdict ${differs ? 'failed' : 'passed'}">${verdict}</span>${isRedacted ? null : html` <span class="truth">not redacted</span>`}
<h1>${title}</h1>
${counts(result)}
${circumstances(about)}
<p class="dim">${isRedacted ? 'This page contains no names and no secrets of the traffic.' : 'Made with --redact off: this page contains names of the traffic, but no tokens and no secrets.'}${sides === null ? '' : ' Values are not compared, because the service and the sandbox have different worlds.'}</p>
<nav aria-label="Contents"><ul class="chapters">${sections.map(({ id, heading, count }) => html`<li><a href="#${id}">${heading} <b>${count}</b></a></li>`)}</ul></nav></header>
<main>
${sections.map(({ id, heading, count, content }) => html`<section aria-labelledby="${id}"><h2 id="${id}" tabindex="-1">${heading} <small>${count}</small></h2>${content}</section>\n`)}
</main>
<footer>Made by muster-sandbox ${version}.</footer></body></html>
`;
  // URLs in the page are text. They are escaped, so that tools that search for loaded resources find none.
  return page.text.replaceAll('://', '&#58;//');
}

function counts(result: ComparisonResult): Html {
  const { checks, groups, points, judged } = result;
  const count = (kind: ComparedCheck['result']) => checks.filter((one) => one.result === kind).length;
  const times = groups.reduce((sum, one) => sum + one.times, 0);
  const others = points.filter(({ result: reading }) => reading === 'otherwise').length;
  const facts: readonly (readonly [name: string, value: string | number])[] = [
    ...(checks.length === 0
      ? []
      : ([
          ['same', count('same')],
          ['different', count('different')],
          ['explained by another row', count('explained')],
          ['unknown', count('unknown')],
        ] as const)),
    ['kinds of deviation', groups.length === 0 ? 0 : `${groups.length} (${times} ${timesWord(times)})`],
    ...(points.length === 0 ? [] : [['open points with another reading', `${others} of ${points.length}`] as const]),
    ['exchanges judged', `${exchangesIn(result)}, of ${judged.size} operations`],
  ];
  return factList(facts);
}

const circumstances = ({ sides, recordings, forwardedTo }: ReportCircumstances): Html =>
  factList(
    sides === null
      ? [
          forwardedTo === undefined
            ? ['recorded in', recordings.join(', ')]
            : ['forwarded to', shownAddress(forwardedTo)],
        ]
      : [
          ['service', shownAddress(sides.service)],
          ['sandbox', sides.sandbox],
          ['rate', `${sides.perMinute} requests a minute`],
        ],
    ' addresses',
  );

const factList = (facts: readonly (readonly [string, string | number])[], kind = ''): Html =>
  html`<dl class="facts${kind}">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Omits the query, which may contain a secret. */
const shownAddress = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === '/' ? '' : pathname}`;
};

const timesWord = (count: number): string => (count === 1 ? 'time' : 'times');
const isKnownText = (isKnown: boolean): Html | null =>
  isKnown ? html` <span class="known">known to the baseline</span>` : null;

function differentSection(checks: readonly ComparedCheck[], known: ReadonlySet<string>): PageSection {
  const different = checks.filter(({ result }) => result === 'different');
  return {
    id: 'different',
    heading: 'Different answers',
    count: different.length,
    content:
      different.length === 0
        ? html`<p>The service and the sandbox give the same answer to each request that could be compared.</p>`
        : html`${different.map((one) => differentCard(one, known.has(keyOfCheck(one))))}`,
  };
}

function differentCard(
  { name, clause, request, differences, service, sandbox }: ComparedCheck,
  isKnown: boolean,
): Html {
  const rows = (['status', 'code', 'media'] as const).map((key) => {
    const [theirs, ours] = [service?.[key] ?? 'none', sandbox?.[key] ?? 'none'];
    return html`<tr${new Html(theirs === ours ? '' : ' class="differs"')}><th scope="row">${ANSWER_WORDS[key]}</th><td><code>${breakable(theirs || 'none')}</code></td><td><code>${breakable(ours || 'none')}</code></td></tr>`;
  });
  // The table already shows these three.
  const others = differences.filter((one) => !/^(status|code|media): /.test(one));
  return html`<article class="failure${isKnown ? ' is-known' : ''}"><h3>${name}${isKnownText(isKnown)}</h3>
<p><code>${request}</code> <span class="dim">${clause}</span></p>
<table class="answers"><caption class="unseen">Both answers to ${request}</caption><thead><tr><td></td><th scope="col">service</th><th scope="col">sandbox</th></tr></thead><tbody>${rows}</tbody></table>
${others.length === 0 ? null : html`<ul class="differences">${others.map((one) => html`<li>${one}</li>`)}</ul>`}</article>`;
}

/** Allows a line break after each `/` and `_` of a long word. */
const breakable = (text: string | number): Html =>
  new Html(html`${text}`.text.replace(/[/_](?=.)/g, (separator) => `${separator}<wbr>`));

const ANSWER_WORDS = { status: 'status', code: 'code', media: 'Content-Type' } as const;

function deviationsSection(groups: readonly DeviationGroup[], result: ComparisonResult): PageSection {
  const operations = [...new Set(groups.map(({ operation }) => operation))];
  return {
    id: 'deviations',
    heading: 'Deviations from the contract',
    count: groups.length,
    content:
      groups.length === 0
        ? html`<p>${exchangesIn(result)} exchanges and deliveries were judged, and all of them fit the contract.</p>`
        : html`${operations.map(
            (operation) =>
              html`<h3 class="operation">${operation}</h3>${groups.filter((one) => one.operation === operation).map((one) => deviationCard(one, groups.length <= MOST_OPEN))}`,
          )}`,
  };
}

/** With more groups than this, the bodies of examples are collapsed, because many groups often have the same example. */
const MOST_OPEN = 6;

function deviationCard(
  { operations, clause, pointer, detail, times, example, isKnown }: DeviationGroup,
  isOpen: boolean,
): Html {
  const { request, status, source, body } = example;
  return html`<article class="failure${isKnown ? ' is-known' : ''}"><h4>${pointer === '' ? null : html`<code>${pointer}</code> `}${detail}${isKnownText(isKnown)}</h4>
<p><b>${times} ${timesWord(times)}</b> <span class="dim">${clause}</span></p>
${operations.length < 2 ? null : html`<p>In ${operations.map((one, place) => html`${place === 0 ? '' : ', '}<code>${one}</code>`)}</p>`}
<p>The smallest example: <code>${request}</code>${status === null ? '' : `, status ${status}`} <span class="dim">(${source})</span></p>
${body === '' ? null : html`<details${new Html(isOpen ? ' open' : '')}><summary>Body</summary><pre class="command">${indented(body)}</pre></details>`}</article>`;
}

/** A truncated example is not JSON any more, and is returned unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** The list of open points (docs/gaps.md) describes this reading in a sentence. */
const readingText = (reading: string | null): string | null => (reading === 'as here' ? AS_LISTED : reading);
const AS_LISTED = 'as in the list of open points';

/** For each result of a point: the heading, the columns, and the cells of a row after the name of the point. */
const POINT_TABLES: readonly {
  readonly result: PointRow['result'];
  readonly heading: string;
  readonly columns: readonly string[];
  readonly cells: (point: PointRow) => readonly (string | Html | null)[];
}[] = [
  {
    result: 'otherwise',
    heading: 'The service has another reading',
    columns: ['the service', 'the sandbox', 'to use the reading of the service'],
    cells: (one) => [
      readingText(one.observed),
      readingText(one.ours),
      isSwitchable(one)
        ? html`<code>--assume ${one.switch}=${one.observed}</code>`
        : (one.why ?? 'no switch has this reading'),
    ],
  },
  {
    result: 'as here',
    heading: 'The service has the reading of the sandbox',
    columns: ['both'],
    cells: ({ ours }) => [readingText(ours)],
  },
  {
    result: 'not known',
    heading: 'Not known',
    columns: ['the sandbox', 'why the reading of the service is not known'],
    cells: ({ ours, why }) => [readingText(ours), why],
  },
  {
    result: 'not observable',
    heading: 'Not observable',
    columns: ['the sandbox', 'why no call shows the reading'],
    cells: ({ ours, why }) => [readingText(ours), why],
  },
];

function pointsSection(points: readonly PointRow[], known: ReadonlySet<string>): PageSection {
  const tables = POINT_TABLES.map(({ result, heading, columns, cells }) => {
    const rows = points.filter((one) => one.result === result);
    if (rows.length === 0) return html``;
    return html`<h3>${heading} <small>${rows.length}</small></h3>${table(
      heading,
      ['point', ...columns],
      rows.map((one) => [pointName(one, result === 'otherwise' && known.has(keyOfPoint(one))), ...cells(one)]),
    )}`;
  });
  return {
    id: 'open-points',
    heading: 'Open points',
    count: points.length,
    content: html`<p>The points that the specification leaves open, and the reading of the service.</p>${tables}`,
  };
}

const pointName = ({ number, id, clause, decision, question }: PointRow, isKnown: boolean): Html =>
  html`${number} <b>${id}</b> <span class="dim">[spec ${clause}] ${decision ?? null}</span>${isKnownText(isKnown)}<br>${question}`;

/** Different answers that another row of the report explains. */
function explainedSection(checks: readonly ComparedCheck[]): PageSection {
  const explained = checks.filter(({ result }) => result === 'explained');
  return {
    id: 'explained',
    heading: 'Different, with a cause that is reported above',
    count: explained.length,
    content:
      explained.length === 0
        ? html`<p>No other answer differs.</p>`
        : byReason(explained, ({ explained: cause }) => cause ?? ''),
  };
}

/** Returns two sections: the checks that need `--allow-writes`, and those with an unknown result for another reason. */
function unknownSections(checks: readonly ComparedCheck[]): PageSection[] {
  const unknown = checks.filter(({ result }) => result === 'unknown');
  const isLeftOut = ({ differences: [why = ''] }: ComparedCheck) => why.startsWith(NOT_ALLOWED);
  const [leftOut, others] = [unknown.filter(isLeftOut), unknown.filter((one) => !isLeftOut(one))];
  return [
    {
      id: 'not-allowed',
      heading: 'Not compared without --allow-writes',
      count: leftOut.length,
      content:
        leftOut.length === 0
          ? html`<p>All checks that write were allowed.</p>`
          : html`<p>These checks change something at the service, so they are sent only if <code>--allow-writes</code> names them.</p>${byReason(leftOut)}`,
    },
    {
      id: 'unknown',
      heading: 'Unknown for another reason',
      count: others.length,
      content: others.length === 0 ? html`<p>Nothing else is unknown.</p>` : byReason(others),
    },
  ];
}

function byReason(
  checks: readonly ComparedCheck[],
  reasonOf = ({ differences }: ComparedCheck) => differences.join('; '),
): Html {
  const reasons = new Map<string, ComparedCheck[]>();
  for (const one of checks) {
    const why = reasonOf(one);
    reasons.set(why, [...(reasons.get(why) ?? []), one]);
  }
  return html`${[...reasons].map(([why, all]) => html`<h3>${why} <small>${all.length}</small></h3>${checkTable(why, all)}`)}`;
}

function sameSection(checks: readonly ComparedCheck[]): PageSection {
  const same = checks.filter(({ result }) => result === 'same');
  const content = folded('requests with the same answer', checkTable('The same', same));
  return { id: 'same', heading: 'The same', count: same.length, content };
}

const checkTable = (name: string, checks: readonly ComparedCheck[]): Html =>
  table(
    name,
    ['request', 'check', 'clause'],
    checks.map((one) => [html`<code>${one.request}</code>`, one.name, one.clause]),
  );

function judgedSection({ judged }: ComparisonResult): PageSection {
  const rows = [...judged].toSorted(([a], [b]) => a.localeCompare(b));
  const content = folded(
    'operations',
    table(
      'Judged by the contract',
      ['operation', 'exchanges'],
      rows.map(([operation, count]) => [html`<code>${operation}</code>`, String(count)]),
    ),
  );
  return { id: 'judged', heading: 'Judged by the contract', count: rows.length, content };
}

const folded = (what: string, content: Html): Html =>
  html`<details><summary>Show the ${what}</summary>${content}</details>`;

/** The first column is the row header. A wide table scrolls separately, also with the keyboard. */
const table = (name: string, head: readonly string[], rows: readonly (readonly (string | Html | null)[])[]): Html =>
  html`<div class="wide" tabindex="0" role="group" aria-label="${name}"><table class="listed columns-${head.length}"><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(
    ([first = '', ...cells]) =>
      html`<tr><th scope="row">${first}</th>${cells.map((cell, place) => html`<td data-column="${head[place + 1] ?? ''}">${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;

const OWN_STYLE = `
h2 small{color:var(--dim);font-weight:400}h2{scroll-margin-top:1rem}h3{margin:1.3rem 0 .4rem}.failure h3{margin:.1rem 0 .3rem}main code{overflow-wrap:anywhere}
.failure{max-width:64rem}.failure.is-known{border-color:var(--edge)}.known{font-size:12px;font-weight:600;border:1px solid var(--edge);border-radius:4px;padding:0 .4em;white-space:nowrap;color:var(--dim)}
.failure p{margin:.3rem 0}.failure h4{margin:.1rem 0 .3rem}h3.operation{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
table.answers{width:auto;margin:.5rem 0}table.answers td,table.answers th{padding-right:1.6rem}table.answers thead td{border-top:0}table.answers tbody th,table.listed tbody th{font-weight:400;text-align:left}table.answers tbody th{color:var(--dim)}.differs td code{font-weight:700;color:var(--red)}
.differences{margin:.3rem 0;padding-left:1.2rem;overflow-wrap:anywhere}
table.listed{table-layout:fixed;max-width:90rem}table.listed th:first-child{width:40%}table.listed.columns-2 th:first-child{width:60%}table.listed td,table.listed th{overflow-wrap:anywhere}pre.command{max-width:100%}
@media(max-width:760px){table.listed{font-size:13.5px}table.answers{table-layout:fixed;width:100%}table.answers td,table.answers th{padding-right:.6rem}dl.addresses{grid-template-columns:1fr}
table.listed:not(.columns-2) :is(thead,tbody,tr,th,td){display:block;width:auto!important;border-top:0;padding-right:0}table.listed:not(.columns-2) thead{position:absolute;width:1px!important;height:1px;overflow:hidden;clip-path:inset(50%)}table.listed:not(.columns-2) tr{border-top:1px solid var(--line);padding:.3rem 0}table.listed:not(.columns-2) td::before{content:attr(data-column) ": ";color:var(--dim)}}
@media print{.failure{break-inside:avoid}nav{display:none}}
`;

const PAGE_STYLE = `${STYLE}${OWN_STYLE}`;

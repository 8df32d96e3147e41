/** A coverage as a page, and as a summary in Markdown. [cli, Coverage] */
import { Html, html } from '../../base/text/html.ts';
import { pagePolicy } from '../../base/text/page-policy.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
import { HONEST, halfText, restText } from './lines.ts';
import { nextLines } from './next.ts';
import { type CoverageSummary, type CoveredGroup, type CoveredItem, isUnused } from './summary.ts';

const RESULT_WORDS: Readonly<Record<CoveredItem['result'], string>> = {
  met: 'met',
  not_handled: 'met, not handled',
  not_met: 'never',
};

/** Each line unfolds to the items with their sentence, clause, first time and answer. */
export function coverageHtml(summary: CoverageSummary, version: string): string {
  const { organizations, requests, deliveries, groups, mistakes, filters } = summary;
  const facts = [
    ['requests', requests],
    ['deliveries', deliveries],
    ['items', `${groups.reduce((sum, { met }) => sum + met, 0)} of ${groups.reduce((sum, { of }) => sum + of, 0)}`],
  ] as const;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(STYLE, '')}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Coverage of the contract</title><style>${new Html(STYLE)}</style></head><body>
<header><h1>Coverage of the contract</h1><p class="dim">${organizations.join(', ')}</p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl><p>${HONEST}</p></header>
<main>${groups.map(groupSection)}
${nextSection(summary)}
${mistakes.length === 0 ? null : html`<h2>Your client's mistakes</h2><ul>${mistakes.map(({ code, times }) => html`<li>${times} × ${code}</li>`)}</ul>`}
${filters.length === 0 ? null : html`<h2>Filters that were used</h2><p>${filters.join(', ')}</p>`}
</main>
<footer>Made by muster-sandbox ${version}, catalogue ${summary.view.catalogue}.</footer></body></html>
`;
  return page.text.replaceAll('://', '&#58;//');
}

const groupSection = (group: CoveredGroup): Html =>
  html`<details><summary><progress max="${group.of}" value="${group.met}" aria-hidden="true"></progress> <b>${group.group}</b> ${countText(group)}${missingText(group)}</summary>
<div class="wide" tabindex="0"><table class="steps"><thead><tr><th>item</th><th>result</th><th>what it is</th><th>clause</th><th>first</th></tr></thead><tbody>${missingFirst(
    group.items,
  ).map(
    ({ name, result, sentence, clause, first, partly }) =>
      html`<tr><td>${name}</td><td>${RESULT_WORDS[result]}${halfText({ partly })}</td><td>${sentence}</td><td>${clause}</td><td>${first === null ? '' : `${first.at} ${first.by}`}</td></tr>`,
  )}</tbody></table></div></details>`;

const missingFirst = (items: readonly CoveredItem[]): CoveredItem[] =>
  items.toSorted((a, b) => Number(a.result === 'met') - Number(b.result === 'met'));

const countText = (group: CoveredGroup): string => (isUnused(group) ? 'not used' : `${group.met} of ${group.of}`);

/** Characters of the names of what is missing, which the unfolded table has whole. */
const MOST_NAMES = 90;

function missingText(group: CoveredGroup): string {
  const rest = isUnused(group) ? '' : restText(group, MOST_NAMES);
  return rest === '' ? '' : `; ${rest}`;
}

/** The commands that add most; null: there is none. */
function nextSection(summary: CoverageSummary): Html | null {
  const commands = nextLines(summary).map((line) => line.replace(/^ *next: /, '').replace(/\(\+(\d+)\)$/, '# adds $1'));
  return commands.length === 0 ? null : html`<h2>Next</h2><pre tabindex="0">${commands.join('\n')}</pre>`;
}

/** The groups as a part of another page. */
export const coverageSection = (summary: CoverageSummary): string =>
  html`<section aria-label="Coverage"><h2>Coverage of the contract</h2><p>${HONEST}</p>${summary.groups.map(groupSection)}${nextSection(summary)}</section>`.text.replaceAll(
    '://',
    '&#58;//',
  );

export const coverageMarkdown = (summary: CoverageSummary): string => {
  const { groups, mistakes, requests, deliveries } = summary;
  return [
    '## Coverage of the contract',
    '',
    `${requests} requests, ${deliveries} deliveries.`,
    '',
    '| group | met | missing |',
    '|---|---|---|',
    ...groups.map((one) => {
      const { group, items } = one;
      const missing = items.filter(({ result }) => result !== 'met').map(({ name }) => `\`${name}\``);
      return `| ${group} | ${countText(one)} | ${missing.slice(0, 12).join(', ')}${missing.length > 12 ? ', …' : ''} |`;
    }),
    '',
    ...(mistakes.length === 0
      ? []
      : [`Your client's mistakes: ${mistakes.map(({ code, times }) => `${times} × \`${code}\``).join(', ')}.`, '']),
    ...nextLines(summary).map((line) => `    ${line.trim()}`),
    '',
    HONEST,
    '',
  ].join('\n');
};

/** The result of a search as JUnit XML and one HTML page. [cli, explore] */
import { inRepository } from '../../base/repository.ts';
import { Html, html } from '../../base/text/html.ts';
import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import { pagePolicy } from '../../base/text/page-policy.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
import { type FoundScenario, slowText, unfinishedOf } from './findings.ts';
import { sameRule } from './play.ts';
import type { SearchEnd } from './search.ts';
import type { JudgedRule } from './statistics.ts';
import { namedWallTime } from './wall-time.ts';

/** A search, with what its reports show beside its end. */
interface SearchReport {
  /** The file of rules. */
  readonly file: string;
  readonly seed: string;
  readonly version: string;
  readonly end: SearchEnd;
  readonly warnings: readonly string[];
}

/** A case for each rule: broken is a failure, nothing to judge is an error. */
export function exploreJunit({ file, seed, version, end }: SearchReport): string {
  const path = inRepository(file);
  const place = { classname: path, file: path };
  const cases = end.statistics.rules.map((rule): JunitCase => {
    const { line } = rule;
    return { ...place, name: rule.text, line, outcome: outcomeOf(rule, end) };
  });
  const { error } = end;
  if (error !== null)
    cases.push({
      ...place,
      name: 'the search',
      outcome: { tag: 'error', type: error.code, message: error.message, text: `${error.message}\n${error.fix}` },
    });
  const properties = [
    ['version', version],
    ['seed', seed],
    ['scenarios', String(end.scenarios)],
  ] as const;
  return junitXml('explore', [{ name: `explore ${file}`, file: path, properties, cases, seconds: end.wallMs / 1_000 }]);
}

function outcomeOf(rule: JudgedRule, { findings, idle, slow }: SearchEnd): JunitCase['outcome'] {
  const found = findings.find((one) => sameRule(one.rule, rule));
  if (found !== undefined) {
    const { rule: broken, path, text, again } = found;
    const [first = ''] = broken.why.split('\n');
    const unfinished = unfinishedOf(found);
    const message = [first, ...unfinished].join('; ');
    const type = found.confirmed && found.undecided === null ? 'rule' : 'slow_or_broken';
    const why = [broken.why, ...unfinished, found.decided.text].join('\n');
    return { tag: 'failure', type, message, text: `${why}\n\n${path}\n\n${text}\nAgain: ${again}` };
  }
  if (idle.some(({ file, line }) => file === rule.file && line === rule.line))
    return { tag: 'error', type: 'rule_not_judged', message: 'No scenario had anything for this rule to judge.' };
  const late = slow.find((one) => sameRule(one, rule));
  return late === undefined ? null : { tag: 'system-out', text: slowText(late) };
}

export function exploreHtml({ file, seed, version, end, warnings }: SearchReport): string {
  const { findings, error, idle, scenarios, features, statistics, wallMs } = end;
  const [sign, word] =
    findings.length > 0
      ? (['failed', `${findings.length} broken`] as const)
      : error !== null || idle.length > 0
        ? (['error', 'not judged'] as const)
        : (['passed', 'nothing found'] as const);
  const facts = [
    ['scenarios', scenarios],
    ['situations met', features.length],
    ['took', formatDuration(Math.round(wallMs / 1_000) * 1_000)],
    ['seed', seed],
  ] as const;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(STYLE, '')}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${word}: explore ${file}</title><style>${new Html(STYLE)}</style></head><body>
<header><span class="verdict ${sign}">${word}</span><h1>Search for broken rules</h1><p class="dim">${file}</p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>
<main>
${error === null ? null : html`<section aria-label="Error"><h2>The search ended early</h2><p class="reason">${error.message}</p><p>${error.fix}</p></section>`}
${findings.length === 0 ? null : html`<section aria-label="Broken rules"><h2>Broken rules</h2>${findings.map(card)}</section>`}
<h2>Rules</h2><div class="wide" tabindex="0"><table class="steps"><thead><tr><th>line</th><th>rule</th><th>judged in scenarios</th><th>slow in</th></tr></thead><tbody>${statistics.rules.map(({ line, text, scenarios: judged, slow }) => html`<tr><td>${line}</td><td>${text}</td><td>${judged}</td><td>${slow}</td></tr>`)}</tbody></table></div>
<h2>Where the time went</h2><div class="wide" tabindex="0"><table class="steps"><thead><tr><th>waiting for</th><th>seconds</th><th>share</th></tr></thead><tbody>${namedWallTime(statistics.wall_ms_by).map(({ name, ms, pct }) => html`<tr><td>${name}</td><td>${(ms / 1_000).toFixed(1)}</td><td>${pct} %</td></tr>`)}</tbody></table></div>
${warnings.length === 0 ? null : html`<h2>Warnings</h2><ul>${warnings.map((one) => html`<li>${one}</li>`)}</ul>`}
</main>
<footer>Made by muster-sandbox ${version}.</footer></body></html>
`;
  // Addresses in the page are text. They are escaped, so that tools that search for loaded resources find none.
  return page.text.replaceAll('://', '&#58;//');
}

const card = ({ rule, source, path, text, again, flaky, ...found }: FoundScenario): Html =>
  html`<article class="failure"><h3>${rule.file}:${rule.line} <small>${source}</small></h3><p class="reason">${rule.why}</p>
${flaky === null ? null : html`<p>Flaky: it broke again in ${flaky.broke} of ${flaky.of} runs.</p>`}${unfinishedOf({ flaky, ...found }).map((one) => html`<p>${one}</p>`)}<p>${found.decided.text}</p><p>${path}</p><pre tabindex="0">${text}</pre><pre class="command" tabindex="0">${again}</pre></article>`;

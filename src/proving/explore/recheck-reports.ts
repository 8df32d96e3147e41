/** The result of `explore --recheck` as JUnit XML and one HTML page. [cli, explore] */
import { inRepository } from '../../base/repository.ts';
import { Html, html } from '../../base/text/html.ts';
import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import { pagePolicy } from '../../base/text/page-policy.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
import type { RecheckEnd } from './recheck.ts';

/** A case for each stored finding: broken is a failure, not judged is an error. */
export function recheckJunit(file: string, version: string, { rechecked, wallMs }: RecheckEnd): string {
  const cases = rechecked.map(({ path, result, text }): JunitCase => {
    const place = { name: path, classname: inRepository(file), file: inRepository(path) };
    if (result === 'held') return { ...place, outcome: { tag: 'system-out', text } };
    return { ...place, outcome: { tag: result === 'broken' ? 'failure' : 'error', type: result, message: text, text } };
  });
  const properties = [['version', version]] as const;
  const suite = { name: `recheck ${file}`, file: inRepository(file), properties, cases, seconds: wallMs / 1_000 };
  return junitXml('explore', [suite]);
}

const WORDS = { held: 'held', broken: 'broken', not_judged: 'not judged' } as const;

export function recheckHtml(file: string, version: string, { rechecked }: RecheckEnd): string {
  const broken = rechecked.filter(({ result }) => result === 'broken').length;
  const isHeld = rechecked.every(({ result }) => result === 'held');
  const [sign, word] =
    broken > 0 ? ['failed', `${broken} broken`] : isHeld ? ['passed', 'held'] : ['error', 'not judged'];
  const rows = rechecked.map(
    ({ path, result, text }) => html`<tr><td>${path}</td><td>${WORDS[result]}</td><td>${text}</td></tr>`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(STYLE, '')}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${word}: recheck ${file}</title><style>${new Html(STYLE)}</style></head><body>
<header><span class="verdict ${sign}">${word}</span><h1>Stored findings, played again</h1><p class="dim">${file}</p></header>
<main><div class="wide" tabindex="0"><table class="steps"><thead><tr><th>scenario</th><th>result</th><th>plays</th></tr></thead><tbody>${rows}</tbody></table></div></main>
<footer>Made by muster-sandbox ${version}.</footer></body></html>
`;
  // Addresses in the page are text. They are escaped, so that tools that search for loaded resources find none.
  return page.text.replaceAll('://', '&#58;//');
}

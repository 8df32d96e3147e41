/** The pages of the problems: their list, and one for each code. */
import { html } from '../../../base/text/html.ts';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode, problemSlug } from '../../../contract/problems.ts';
import type { OpenApi } from '../openapi/document.ts';
import { type ReferencePage, routeOf } from './frame.ts';
import { problemCodesOf } from './operation.ts';
import type { DocumentedOperation } from './operations.ts';
import { inline } from './prose.ts';

export function problemsPage(): ReferencePage {
  const rows = PROBLEM_CODES.map((code) => {
    const { status, explanation, fix } = PROBLEMS[code];
    return html`<tr><td>${status}<td><a href="/problems/${problemSlug(code)}"><code>${code}</code></a><td>${inline(explanation)} ${inline(fix)}</tr>`;
  });
  const main = html`<h1>Problems</h1><p class="lead">Every <code>code</code> that an error may carry. <a href="/docs#errors">How errors are written</a></p><table class="problems"><thead><tr><th>Status<th>Code<th>When, and what to do</tr></thead><tbody>${rows}</tbody></table>`;
  return { title: 'Problems: API reference', main };
}

export function problemPage(
  code: ProblemCode,
  document: OpenApi,
  operations: readonly DocumentedOperation[],
): ReferencePage {
  const { status, title, explanation, fix } = PROBLEMS[code];
  const rows = operations
    .filter((one) => problemCodesOf(one.operation, document).some(([, known]) => known === code))
    .map((one) => html`<li><a href="/docs/${one.operation.operationId}">${routeOf(one)}</a></li>`);
  const main = html`<p class="trail"><a href="/docs">API reference</a> › <a href="/docs/problems">Problems</a></p><h1>${title}</h1><p class="lead">HTTP ${status}, code <code>${code}</code></p><div class="prose"><p>${inline(explanation)}</p><h2>Fix</h2><p>${inline(fix)}</p>${rows.length === 0 ? null : html`<h2>Operations that may answer it</h2><ul class="operations">${rows}</ul>`}</div>`;
  return { title, main };
}

/** Pages behind the `type` of a problem: meaning and fix, as HTML or JSON by Accept. [decisions 2] */
import type { FastifyInstance } from 'fastify';
import { PROBLEM_CODES, PROBLEMS, problemSlug } from '../../../contract/problems.ts';
import type { ApiParts } from '../route.ts';
import { ProblemAnswer } from './problem-answer.ts';

export function problemPages(app: FastifyInstance, { baseUrl }: ApiParts): void {
  app.get('/problems/:slug', async (request, reply) => {
    const { slug } = request.params as { slug: string };
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === slug);
    if (code === undefined) throw new ProblemAnswer('not_found', 'There is no such problem.');
    const { status, title, explanation, fix } = PROBLEMS[code];
    if ((request.headers.accept ?? '').includes('text/html')) {
      reply.type('text/html; charset=utf-8');
      return page(title, status, code, explanation, fix);
    }
    reply.type('application/json; charset=utf-8');
    return JSON.stringify({ type: `${baseUrl()}/problems/${slug}`, code, status, title, explanation, cure: fix });
  });
}

/** The title and the code are constants of the sandbox, without characters that need escaping. */
const page = (title: string, status: number, code: string, explanation: string, fix: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}
code{background:#8882;padding:.1em .3em;border-radius:.2em}</style>
<h1>${title}</h1><p>HTTP ${status}, code <code>${code}</code></p><p>${escaped(explanation)}</p><h2>Fix</h2><p>${escaped(fix)}</p></html>`;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

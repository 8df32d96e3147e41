/** Pages behind the `type` of a problem: meaning and fix, and the list of all, as HTML or JSON by Accept. [decisions 2] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode, problemSlug } from '../../../contract/problems.ts';
import type { ApiParts } from '../route.ts';
import { ProblemAnswer } from './problem-answer.ts';

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

/** `sendPage` answers a browser. */
export function problemPages(
  app: FastifyInstance,
  { baseUrl }: ApiParts,
  sendPage: (code: ProblemCode, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const summaryOf = (code: ProblemCode) => {
    const { status, title } = PROBLEMS[code];
    return { type: `${baseUrl()}/problems/${problemSlug(code)}`, code, status, title };
  };
  for (const path of ['/problems', '/problems/'])
    app.get(path, async (request, reply) => {
      if (isBrowser(request)) return reply.redirect('/docs/problems', 302);
      reply.type('application/json; charset=utf-8');
      return JSON.stringify({ data: PROBLEM_CODES.map(summaryOf) });
    });
  app.get('/problems/:slug', async (request, reply) => {
    const { slug } = request.params as { slug: string };
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === slug);
    if (code === undefined) throw new ProblemAnswer('not_found', 'There is no such problem.');
    if (isBrowser(request)) return sendPage(code, reply);
    const { explanation, fix } = PROBLEMS[code];
    reply.type('application/json; charset=utf-8');
    return JSON.stringify({ ...summaryOf(code), explanation, cure: fix });
  });
}

/** Pages behind the `type` of a problem: meaning and fix, as HTML or JSON by Accept. [decisions 2] */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode, problemSlug } from '../../../contract/problems.ts';
import type { ApiParts } from '../route.ts';
import { ProblemAnswer } from './problem-answer.ts';

/** `sendPage` answers a browser. */
export function problemPages(
  app: FastifyInstance,
  { baseUrl }: ApiParts,
  sendPage: (code: ProblemCode, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get('/problems/:slug', async (request, reply) => {
    const { slug } = request.params as { slug: string };
    const code = PROBLEM_CODES.find((known) => problemSlug(known) === slug);
    if (code === undefined) throw new ProblemAnswer('not_found', 'There is no such problem.');
    const { status, title, explanation, fix } = PROBLEMS[code];
    if ((request.headers.accept ?? '').includes('text/html')) return sendPage(code, reply);
    reply.type('application/json; charset=utf-8');
    return JSON.stringify({ type: `${baseUrl()}/problems/${slug}`, code, status, title, explanation, cure: fix });
  });
}

/** The OpenAPI and AsyncAPI documents as JSON, and the pages of the reference below /docs and /problems. Each is made on request. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { browserScript } from '../../../base/browser-script.ts';
import { problemPages } from '../answers/problem-pages.ts';
import type { ReferenceSite } from '../reference/site.ts';
import type { ApiParts, Route } from '../route.ts';
import type { DocumentPart, OpenApi } from './openapi.ts';

/** Permits the script of the pages, the index that it searches, and the icon. It permits no other host. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

const sendPage = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.status(status).type('text/html; charset=utf-8').header('content-security-policy', CONTENT_POLICY).send(page);

export function docsPages(app: FastifyInstance, routes: readonly Route[], parts: ApiParts): void {
  const { baseUrl, mqttUrl, assumptions } = parts;
  // Imported on demand, to keep the start of a sandbox fast.
  const document = async (part: DocumentPart): Promise<OpenApi> =>
    (await import('./openapi.ts')).openApi(routes, baseUrl(), part, assumptions);
  const json = (part: DocumentPart) => once(async () => text(await document(part)));
  const json30 = once(async () =>
    text((await import('../openapi/openapi30.ts')).openApi30(await document('contract'))),
  );
  const watches = once(async () => text((await import('./asyncapi.ts')).asyncApi(mqttUrl())));
  const site = once(async (): Promise<ReferenceSite> => {
    const { ReferenceSite: Site } = await import('../reference/site.ts');
    return new Site(await document('whole'));
  });
  const documents = {
    '/openapi.json': json('contract'),
    '/openapi-3.0.json': json30,
    '/v1/sandbox/openapi.json': json('sandbox'),
    '/asyncapi.json': watches,
  };
  for (const [path, made] of Object.entries(documents))
    app.get(path, async (_request, reply) => {
      reply.type('application/json; charset=utf-8');
      return made();
    });
  const script = once(() =>
    browserScript(
      new URL('./reference.js', import.meta.url),
      new URL('../reference/browser/main.ts', import.meta.url),
      'iife',
    ),
  );
  app.get('/docs/reference.js', { config: { unlogged: true } }, async (_request, reply) => {
    reply.type('text/javascript; charset=utf-8');
    return script();
  });
  const index = once(async () => (await site()).search());
  app.get('/docs/search.json', { config: { unlogged: true } }, async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
    return index();
  });
  for (const path of ['/docs', '/docs/*'])
    app.get(path, async (request, reply) => {
      const { '*': name = '' } = request.params as { '*'?: string };
      const reference = await site();
      const page = reference.page(name);
      return page === undefined ? sendPage(reply, reference.missing(name), 404) : sendPage(reply, page);
    });
  problemPages(app, parts, async (code, reply) => sendPage(reply, (await site()).problem(code)));
}

const text = (document: object): string => JSON.stringify(document, null, 2);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

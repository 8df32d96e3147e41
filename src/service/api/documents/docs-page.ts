/** The OpenAPI and AsyncAPI documents as JSON and the reference page at /docs, each made on first request. */
import type { FastifyInstance } from 'fastify';
import { browserScript } from '../../../base/browser-script.ts';
import type { ApiParts, Route } from '../route.ts';
import type { DocumentPart, OpenApi } from './openapi.ts';

/** Permits the one script of the page, which searches. It permits no image and no other host. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; base-uri 'none'; form-action 'none'";

export function docsPage(
  app: FastifyInstance,
  routes: readonly Route[],
  { baseUrl, mqttUrl, assumptions }: ApiParts,
): void {
  // Imported on demand, to keep the start of a sandbox fast.
  const document = async (part: DocumentPart): Promise<OpenApi> =>
    (await import('./openapi.ts')).openApi(routes, baseUrl(), part, assumptions);
  const json = (part: DocumentPart) => once(async () => text(await document(part)));
  const json30 = once(async () =>
    text((await import('../openapi/openapi30.ts')).openApi30(await document('contract'))),
  );
  const watches = once(async () => text((await import('./asyncapi.ts')).asyncApi(mqttUrl())));
  const page = once(async () => (await import('../reference/page.ts')).referencePage(await document('whole')));
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
  for (const path of ['/docs', '/docs/'])
    app.get(path, async (_request, reply) => {
      reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_POLICY);
      return page();
    });
}

const text = (document: object): string => JSON.stringify(document, null, 2);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

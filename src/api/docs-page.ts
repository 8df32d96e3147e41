/** The documents at /openapi.json and /asyncapi.json and the reference page at /docs, each made on first request. */
import type { FastifyInstance } from 'fastify';
import type { OpenApi } from './openapi.ts';
import type { ApiParts, Route } from './route.ts';

/** No script, no image, no other host. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function docsPage(app: FastifyInstance, routes: readonly Route[], { baseUrl, mqttUrl }: ApiParts): void {
  // Imported on demand, to keep the start of a sandbox fast.
  const document = once(async (): Promise<OpenApi> => (await import('./openapi.ts')).openApi(routes, baseUrl()));
  const json = once(async () => JSON.stringify(await document(), null, 2));
  const watches = once(async () => JSON.stringify((await import('./asyncapi.ts')).asyncApi(mqttUrl()), null, 2));
  const page = once(async () => (await import('./reference/page.ts')).referencePage(await document()));
  app.get('/openapi.json', async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
    return json();
  });
  app.get('/asyncapi.json', async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
    return watches();
  });
  app.get('/docs', async (_request, reply) => {
    reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_POLICY);
    return page();
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

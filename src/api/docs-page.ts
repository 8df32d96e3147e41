/** The reference page at /docs: every operation with its scope, made from the table of routes; it needs no network. */
import type { FastifyInstance } from 'fastify';
import type { Access, Route } from './route.ts';

export function docsPage(app: FastifyInstance, routes: readonly Route[]): void {
  const text = render(routes);
  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(text));
}

const ACCESS: Partial<Record<Access, string>> = {
  any: 'any valid token',
  none: 'none',
  events: 'alerts:read or musters:read',
  sandbox: "a client's token or the control token",
  control: 'control token',
};

/** Everything in it is our own text, without a character that HTML minds. */
function render(routes: readonly Route[]): string {
  const rows = routes.map(({ method, path, access, summary, query, answers }) => {
    const parameters = Object.keys(query?.properties ?? {}).join(', ');
    const shown = path.replace(/:(\w+)/g, '{$1}');
    const statuses = Object.keys(answers).join(', ');
    return `<tr><td><code>${method}</code><td><code>${shown}</code><td>${summary}<td>${ACCESS[access] ?? access}<td>${parameters}<td>${statuses}</tr>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API reference</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}
td,th{text-align:left;vertical-align:top;padding:.35rem .7rem;border-bottom:1px solid #8884}code{white-space:nowrap}</style>
<h1>Alerts and Evacuations Integration API</h1><p>What stands under /v1/sandbox/ exists in the sandbox only; everything else is as in production.
Get a token at POST /v1/oauth/token and send it as <code>Authorization: Bearer …</code>.</p>
<table><tr><th>Method<th>Path<th>What<th>Scope<th>Query<th>Success</tr>${rows.join('\n')}</table></html>`;
}

/** The guide at `/guide/`, and its `llms.txt` where agents look for it. */
import type { FastifyInstance } from 'fastify';
import type { GuideSite } from './site.ts';

/** Permits scripts, styles and pictures of the guide itself, and no other host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

export function guidePages(app: FastifyInstance): void {
  let made: Promise<GuideSite> | null = null;
  // Imported on demand, to keep the start of a sandbox fast.
  const site = () => {
    made ??= import('./site.ts').then(({ GuideSite: Site }) => new Site({ isServed: true }));
    return made;
  };
  const config = { unlogged: true };
  app.get('/guide', { config }, (_request, reply) => reply.redirect('/guide/', 302));
  for (const path of ['/llms.txt', '/llms-full.txt'])
    app.get(path, { config }, (_request, reply) => reply.redirect(`/guide${path}`, 302));
  app.get('/guide/*', { config }, async (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    const guide = await site();
    const file = await guide.file(path);
    if (file !== undefined) return reply.type(file.type).header('content-security-policy', POLICY).send(file.body);
    // The user may type a page's name without its extension.
    if ((await guide.file(`${path}.html`)) !== undefined) return reply.redirect(`/guide/${path}.html`, 302);
    return reply
      .status(404)
      .type('text/plain; charset=utf-8')
      .send('The guide has no such page. It begins at /guide/\n');
  });
}

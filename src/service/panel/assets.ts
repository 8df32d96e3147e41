/** Style sheet and script of the pages. Pages load nothing from other servers. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { browserScript } from '../../base/browser-script.ts';
import { sha256Hex } from '../../base/ids.ts';
import { STYLE } from './style.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly tag: string;
}

const asset = (name: string, type: string, text: string): Asset => {
  const tag = sha256Hex(text).slice(0, 12);
  return { path: `/panel/assets/${tag}/${name}`, type, text, tag };
};

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
}

let assets: Promise<Assets> | null = null;

/** In a package the script is next to the bundle; in a clone esbuild builds it for the first page. */
export function loadAssets(): Promise<Assets> {
  assets ??= scriptText().then((script) => ({
    style: asset('panel.css', 'text/css; charset=utf-8', STYLE),
    script: asset('panel.js', 'text/javascript; charset=utf-8', script),
  }));
  return assets;
}

const scriptText = (): Promise<string> =>
  browserScript(new URL('./panel.js', import.meta.url), new URL('./browser/main.ts', import.meta.url), 'esm');

/** The address contains the content hash, so browsers may cache the file permanently. */
export function serveAssets(app: FastifyInstance): void {
  app.get('/panel/assets/:tag/:name', async (request, reply) => {
    const found = Object.values(await loadAssets()).find(({ path }) => path === request.url.split('?')[0]);
    if (found === undefined) return reply.status(404).type('text/plain').send('There is no such file.\n');
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return send(request, reply.type(found.type), found.text);
  });
}

/** Compressed if the client accepts gzip. */
export function send(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.header('vary', 'accept-encoding');
  if (text.length < 1_000 || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(gzipSync(text));
}

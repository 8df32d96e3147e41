/** Style sheet and script of the pages. Pages load nothing from other servers. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { browserScript } from '../../base/browser-script.ts';
import { sha256Hex } from '../../base/ids.ts';
import { STYLE } from '../../watching/regions/style.ts';

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

/** Comments and line breaks of the style. */
const REMARKS = /\/\*.*?\*\/|\n/g;

let assets: Promise<Assets> | null = null;

/** In a package the script is next to the bundle; in a clone esbuild builds it for the first page. */
export function loadAssets(): Promise<Assets> {
  assets ??= scriptText().then((script) => ({
    style: asset('panel.css', 'text/css; charset=utf-8', STYLE.replaceAll(REMARKS, '')),
    script: asset('panel.js', 'text/javascript; charset=utf-8', script),
  }));
  return assets;
}

const scriptText = (): Promise<string> =>
  browserScript(new URL('./panel.js', import.meta.url), new URL('./browser/main.ts', import.meta.url), 'esm');

/** The address contains the content hash, so browsers may cache the file permanently. */
export function serveAssets(app: FastifyInstance): void {
  compress(app);
  app.get('/panel/assets/:tag/:name', async (request, reply) => {
    const found = Object.values(await loadAssets()).find(({ path }) => path === request.url.split('?')[0]);
    if (found === undefined) return reply.status(404).type('text/plain').send('There is no such file.\n');
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return send(reply.type(found.type), found.text);
  });
}

/** Compressed by a hook of `serveAssets` if the client accepts gzip. */
export const send = (reply: FastifyReply, text: string): FastifyReply => reply.header('vary', COMPRESSIBLE).send(text);

const COMPRESSIBLE = 'accept-encoding';

/** A hook, because the links of a page get the path of the base address before. */
function compress(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isWanted = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const isLong = typeof payload === 'string' && payload.length >= 1_000;
    if (!isLong || !isWanted || reply.getHeader('vary') !== COMPRESSIBLE) return done(null, payload);
    reply.header('content-encoding', 'gzip');
    done(null, gzipSync(payload));
  });
}

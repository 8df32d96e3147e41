/** What a request of a browser says: its path, query and form, and the page to go back to. */
import type { FastifyRequest } from 'fastify';

export const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] as string;
export const queryOf = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(request.url.split('?')[1] ?? '');

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
}

/** The page of the panel that sent the form. A browser names it with the root, which redirects and links get later. */
export function placeBefore({ headers: { referer = '' } }: FastifyRequest, root: string): string {
  if (!URL.canParse(referer)) return '/panel';
  const { pathname, search } = new URL(referer);
  const isRooted = pathname === root || pathname.startsWith(`${root}/`);
  return placeIn(`${isRooted ? pathname.slice(root.length) || '/' : pathname}${search}`);
}

/** Returns a path of the panel from an untrusted address; the control room for any other address. */
export function placeIn(address: string | null | undefined): string {
  if (address === null || address === undefined || !URL.canParse(address, 'http://panel')) return '/panel';
  const { pathname, search } = new URL(address, 'http://panel');
  return pathname === '/' || pathname === '/panel' || pathname.startsWith('/panel/')
    ? `${pathname}${search}`
    : '/panel';
}

/** Who may read the panel, and who may act there: the Host, the cookie and the Origin of a request. [decisions 10] */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hmacSecret, sameSecret } from '../base/ids.ts';

export interface DoorParts {
  readonly controlToken: string;
  /** The Host headers by which a page may be read without a login: none else, so that no foreign page reaches it by DNS rebinding. */
  readonly hostAllowed: (host: string | undefined) => boolean;
  /** The base address as the outside knows it. */
  readonly baseUrl: () => string;
  /** At which the panel listens. */
  readonly port: () => number;
}

/** A browser keeps it for a working day. */
const MAX_AGE_S = 12 * 60 * 60;
const OPERATOR_COOKIE = 'sandbox_operator';
const DEFAULT_OPERATOR = 'Control room';

export class PanelDoor {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** A browser sends the cookies of a host to each of its ports, so each port has a name of its own. */
  get #cookie(): string {
    return `sandbox_panel_${this.#parts.port()}`;
  }

  /** Derived from the control token for this port only: another local server that receives the cookie cannot use it here. */
  get #pass(): string {
    return hmacSecret(this.#parts.controlToken, 'panel', this.#parts.port());
  }

  /** Whether the request carries the pass that `letIn` gave. */
  mayAct(request: FastifyRequest): boolean {
    const pass = cookiesOf(request).get(this.#cookie);
    return pass !== undefined && sameSecret(pass, this.#pass);
  }

  /** On this machine without a login; elsewhere, and by any other name, only with one. */
  mayRead(request: FastifyRequest): boolean {
    return this.#parts.hostAllowed(request.headers.host) || this.mayAct(request);
  }

  isKey(token: string): boolean {
    return sameSecret(token, this.#parts.controlToken);
  }

  /** Whether the panel is read on this machine, and only its name is wrong. */
  get isLocal(): boolean {
    return this.#parts.hostAllowed(new URL(this.#parts.baseUrl()).host);
  }

  /** A form was sent by a page of this panel. Browsers name the origin of every POST. */
  isOwnForm({ headers: { origin, host } }: FastifyRequest): boolean {
    if (origin === undefined || origin === 'null') return false;
    if (origin === new URL(this.#parts.baseUrl()).origin) return true;
    return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
  }

  letIn(reply: FastifyReply): void {
    this.#set(reply, `${this.#cookie}=${this.#pass}; HttpOnly; Max-Age=${MAX_AGE_S}`);
  }

  /** Also the cookie of an older version, which stood for the panel's path only. */
  letOut(reply: FastifyReply): void {
    this.#set(reply, `${this.#cookie}=; HttpOnly; Max-Age=0`);
    this.#set(reply, `${this.#cookie}=; HttpOnly; Max-Age=0`, '/panel');
  }

  /** Whose name stands in what is done from this browser. */
  operatorOf(request: FastifyRequest): string {
    const name = cookiesOf(request).get(OPERATOR_COOKIE) ?? '';
    return name.trim() === '' ? DEFAULT_OPERATOR : name.slice(0, 120);
  }

  callOperator(reply: FastifyReply, name: string): void {
    this.#set(reply, `${OPERATOR_COOKIE}=${encodeURIComponent(name.trim().slice(0, 120))}; Max-Age=31536000`);
  }

  /** For the whole server, as the page at its root acts too; the API itself reads no cookie. */
  #set(reply: FastifyReply, cookie: string, path = '/'): void {
    const secure = this.#parts.baseUrl().startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `${cookie}; SameSite=Strict; Path=${path}${secure}`);
  }
}

function cookiesOf({ headers: { cookie = '' } }: FastifyRequest): Map<string, string> {
  const pairs = cookie.split(';').map((pair) => {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1).trim();
    try {
      return [pair.slice(0, equals).trim(), decodeURIComponent(value)] as const;
    } catch {
      return [pair.slice(0, equals).trim(), value] as const;
    }
  });
  return new Map(pairs);
}

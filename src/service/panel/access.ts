/** Access to the panel for reading and acting: Host, cookie and Origin of a request. [decisions 10] */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hmacSecret, sameSecret } from '../../base/ids.ts';
import { rootOf } from '../../base/text/html.ts';

export interface PanelAccessParts {
  readonly controlToken: string;
  /** Returns true for Host headers that may read without a login; any other could be DNS rebinding. */
  readonly hostAllowed: (host: string | undefined) => boolean;
  /** The public base address. */
  readonly baseUrl: () => string;
  /** True if the panel's own port uses https. */
  readonly isSecure: boolean;
  /** The panel's own port. */
  readonly port: () => number;
}

/** The cookie is valid for a working day. */
const MAX_AGE_S = 12 * 60 * 60;
const OPERATOR_COOKIE = 'sandbox_operator';
const DEFAULT_OPERATOR = 'Control room';

export class PanelAccess {
  readonly #parts: PanelAccessParts;

  constructor(parts: PanelAccessParts) {
    this.#parts = parts;
  }

  /** The name contains the port, because all ports of a host share cookies. */
  get #cookie(): string {
    return `sandbox_panel_${this.#parts.port()}`;
  }

  /**
   * The cookie's value is derived from the control token for this port only, so that it opens no other sandbox and does
   * not reveal the token. Browsers send the cookies of 127.0.0.1 to every port: a local server that the same browser
   * visits receives the cookie, and can read and act in this panel with it until it expires. Therefore, pages that show
   * a secret or start a run ask for the control token itself. [decisions 10, Known limit of the cookie]
   */
  get #pass(): string {
    return hmacSecret(this.#parts.controlToken, 'panel', this.#parts.port());
  }

  mayAct(request: FastifyRequest): boolean {
    const pass = cookiesOf(request).get(this.#cookie);
    return pass !== undefined && sameSecret(pass, this.#pass);
  }

  /** Reading needs no login under a local name; under any other name it needs one. */
  mayRead(request: FastifyRequest): boolean {
    return this.#parts.hostAllowed(request.headers.host) || this.mayAct(request);
  }

  isKey(token: string): boolean {
    return sameSecret(token, this.#parts.controlToken);
  }

  /** True if the sandbox is on a loopback address, so that only the Host header was wrong. */
  get isLocal(): boolean {
    return this.#parts.hostAllowed(new URL(this.#parts.baseUrl()).host);
  }

  /** True if a page of this panel sent the form: browsers send the Origin of every POST. */
  isOwnForm({ headers: { origin, host } }: FastifyRequest): boolean {
    if (origin === undefined || origin === 'null') return false;
    if (origin === new URL(this.#parts.baseUrl()).origin) return true;
    // A proxy may use https in front of an http port, but no proxy uses http in front of an https port.
    const schemes = this.#parts.isSecure ? ['https'] : ['http', 'https'];
    return host !== undefined && schemes.some((scheme) => origin === `${scheme}://${host}`);
  }

  letIn(reply: FastifyReply): void {
    this.#set(reply, `${this.#cookie}=${this.#pass}; HttpOnly; Max-Age=${MAX_AGE_S}`);
  }

  letOut(reply: FastifyReply): void {
    this.#set(reply, `${this.#cookie}=; HttpOnly; Max-Age=0`);
  }

  /** The name of the actor for the actions of this browser. */
  operatorOf(request: FastifyRequest): string {
    const name = cookiesOf(request).get(OPERATOR_COOKIE) ?? '';
    return name.trim() === '' ? DEFAULT_OPERATOR : name.slice(0, 120);
  }

  callOperator(reply: FastifyReply, name: string): void {
    this.#set(reply, `${OPERATOR_COOKIE}=${encodeURIComponent(name.trim().slice(0, 120))}; Max-Age=31536000`);
  }

  /** The path is that of the landing page, which acts too; the API does not read cookies. */
  #set(reply: FastifyReply, cookie: string): void {
    const secure = this.#parts.isSecure || this.#parts.baseUrl().startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `${cookie}; SameSite=Strict; Path=${rootOf(this.#parts.baseUrl()) || '/'}${secure}`);
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

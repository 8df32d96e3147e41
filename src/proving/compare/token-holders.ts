/** Identifies the clients of recorded or forwarded traffic by their tokens. No report contains the tokens. [spec 5] */
import { TOKEN_PATH } from '../../contract/operations/operation.ts';
import { isMap } from '../../contract/schema.ts';
import { jsonOf } from './compared-check.ts';
import type { ApiExchange } from './exchange.ts';

type TokenHolder = Pick<ApiExchange, 'client' | 'scopes'>;

/** An exchange with its token, before tokens are removed. */
interface TokenTraffic {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly sent: string;
  readonly body: string;
}

const BEARER = /^Bearer\s+(\S+)$/i;

export class TokenHolders {
  readonly #holders = new Map<string, TokenHolder>();

  /** Returns the client of a request; empty if the request has no token, or if the token was removed. */
  holderOf({ method, path, authorization = '', sent, body }: TokenTraffic): TokenHolder {
    if (method === 'POST' && path === TOKEN_PATH) this.#granted(authorization, sent, jsonOf(body));
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined || token === 'hidden') return {};
    const known = this.#holders.get(token) ?? { client: `the holder of token ${this.#holders.size + 1}` };
    this.#holders.set(token, known);
    return known;
  }

  #granted(authorization: string, sent: string, answer: unknown): void {
    if (!isMap(answer) || typeof answer['access_token'] !== 'string') return;
    const json = jsonOf(sent);
    const [basic] = Buffer.from(authorization.replace(/^Basic\s+/i, ''), 'base64')
      .toString()
      .split(':');
    const named = (isMap(json) ? json['client_id'] : new URLSearchParams(sent).get('client_id')) ?? basic;
    const scopes = typeof answer['scope'] === 'string' ? { scopes: answer['scope'].split(' ') } : {};
    this.#holders.set(answer['access_token'], { client: `client ${String(named)}`, ...scopes });
  }
}

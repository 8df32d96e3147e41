/** The customer's own system, one for each company: it requests tokens, creates destinations, acknowledges and resolves alerts, all through the public API. */

import { Bug, Outage } from '../../base/assert.ts';
import { SCOPES, type Scope } from '../../contract/enumerations.ts';
import { updateAlert } from '../../contract/operations/alerts.ts';
import { pathOf, scopesAt } from '../../contract/operations/all.ts';
import { type Operation, TOKEN_PATH } from '../../contract/operations/operation.ts';
import { listSites } from '../../contract/operations/plant.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, testWebhook } from '../../contract/operations/webhooks.ts';
import type { AlertUpdate, TokenResponse } from '../../contract/requests.ts';
import type { RotatedSecret, Site, WebhookDestinationCreated } from '../../contract/resources.ts';
import { quoted } from '../../contract/sentences.ts';
import type { PlannedReceiver, TokenKind } from '../model/scenario.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';

/** A company of the running sandbox and its client credentials. */
export interface StageClient {
  readonly organization: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes that its tokens may request; absent: all scopes of the contract. */
  readonly scopes?: readonly string[];
}

/** A request that the API refused; `refused` is the `detail` of the problem. */
export interface ApiRefusal {
  readonly refused: string;
  readonly code: string;
}

/** A call of the step `api`. */
interface ApiCall {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly body: unknown;
  readonly token: TokenKind;
  /** Requested scopes; null: all. */
  readonly scope: string | null;
}

/** Changes to a company's access that need the control token. */
export interface AccessControl {
  /** Ends all tokens of the company. */
  endTokens(how: 'expire' | 'revoke', organization: string): Promise<void>;
  setScopes(scopes: readonly Scope[], organization: string): Promise<void>;
}

export class Customer {
  readonly #http: Pick<HttpClient, 'call'>;
  readonly #client: StageClient;
  readonly #control: AccessControl;
  /** Valid tokens by the requested scopes; null: the scopes of the client. */
  readonly #tokens = new Map<string | null, string>();

  constructor(http: Pick<HttpClient, 'call'>, client: StageClient, control: AccessControl) {
    this.#http = http;
    this.#client = client;
    this.#control = control;
  }

  async createDestination(receiver: PlannedReceiver, url: string): Promise<WebhookDestinationCreated> {
    const { events, minSeverity, contractors, sites } = receiver;
    const filters = {
      ...(minSeverity === null ? {} : { min_severity: minSeverity }),
      ...(contractors === null ? {} : { contractors }),
      ...(sites === null ? {} : { site_ids: await this.#siteIds(sites) }),
    };
    const answer = await this.#callOf(createWebhook, [], { url, event_types: events, filters });
    const refusal = refusalOf(answer);
    if (refusal === null) return answer.body as WebhookDestinationCreated;
    throw new Outage({
      code: 'receiver_refused',
      message: `The API refused the destination of the receiver "${receiver.name}": ${refusal.refused}`,
      fix: 'Check the scopes and contractors of the contract: a destination needs the scope webhooks:manage.',
      exitCode: 2,
    });
  }

  async rotateSecret(id: string): Promise<RotatedSecret | ApiRefusal> {
    const answer = await this.#callOf(rotateWebhookSecret, [id]);
    return refusalOf(answer) ?? (answer.body as RotatedSecret);
  }

  async testDestination(id: string): Promise<ApiRefusal | null> {
    return refusalOf(await this.#callOf(testWebhook, [id]));
  }

  async deleteDestination(id: string): Promise<ApiRefusal | null> {
    return refusalOf(await this.#callOf(deleteWebhook, [id]));
  }

  /** Returns null on success. */
  async updateAlert(id: string, update: AlertUpdate): Promise<ApiRefusal | null> {
    return refusalOf(await this.#callOf(updateAlert, [id], update));
  }

  call({ method, path, body, token, scope }: ApiCall): Promise<HttpAnswer> {
    if (token === 'valid') return this.#call(method, path, body, scope);
    return orItsAnswer(async () => {
      const carried = await this.#tokenOf(token, scope, method, path);
      return this.#http.call({ method, path, body, ...(carried === null ? {} : { token: carried }) });
    });
  }

  async #tokenOf(
    kind: Exclude<TokenKind, 'valid'>,
    scope: string | null,
    method: string,
    path: string,
  ): Promise<string | null> {
    switch (kind) {
      case 'none':
        return null;
      case 'expired':
      case 'revoked': {
        const { access_token } = await this.#newToken(scope);
        await this.#control.endTokens(kind === 'expired' ? 'expire' : 'revoke', this.#client.organization);
        // The revocation affects all tokens of the company.
        this.#tokens.clear();
        return access_token;
      }
      case 'narrow': {
        const lacks: readonly string[] = scopesAt(method, path);
        const { scope } = await this.#newToken(null);
        const granted = scope.split(' ') as Scope[];
        const kept = granted.filter((one) => !lacks.includes(one));
        return kept.length > 0 ? (await this.#newToken(kept.join(' '))).access_token : this.#strangeToken(lacks);
      }
    }
  }

  /**
   * Returns a token that has none of the required scopes. The token endpoint issues no token without a scope, so if
   * needed the contract gets one more scope while the token is issued; once the contract is restored, the token permits
   * nothing.
   */
  async #strangeToken(lacks: readonly string[]): Promise<string> {
    const { organization } = this.#client;
    // All scopes of the contract, which may be more than this client's tokens request.
    const granted = (await this.#newToken('all')).scope.split(' ') as Scope[];
    const other = SCOPES.find((one) => !lacks.includes(one)) as Scope;
    if (granted.includes(other)) return (await this.#newToken(other)).access_token;
    await this.#control.setScopes([...granted, other], organization);
    try {
      return (await this.#newToken(other)).access_token;
    } finally {
      await this.#control.setScopes(granted, organization);
    }
  }

  async #siteIds(names: readonly string[]): Promise<string[]> {
    const { body } = await this.#callOf(listSites);
    const sites = (body as { data: Site[] }).data;
    return sites.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  }

  #callOf(operation: Operation, ids: readonly string[] = [], body?: unknown): Promise<HttpAnswer> {
    return this.#call(operation.method, pathOf(operation, ...ids), body);
  }

  async #call(method: string, path: string, body?: unknown, scope: string | null = null): Promise<HttpAnswer> {
    const send = () =>
      orItsAnswer(async () => {
        const token = this.#tokens.get(scope) ?? (await this.#newToken(scope)).access_token;
        this.#tokens.set(scope, token);
        return this.#http.call({ method, path, token, body });
      });
    const answer = await send();
    if (answer.status !== 401 || answer.ofTokenRequest === true) return answer;
    // A token expires after an hour, but a scenario may last days, so a new token is requested.
    this.#tokens.delete(scope);
    return send();
  }

  /** `all`: every scope of the contract; null: every scope of the client. */
  async #newToken(scope: string | null): Promise<TokenResponse> {
    const { clientId, clientSecret, organization, scopes } = this.#client;
    const wanted = scope === 'all' ? null : (scope ?? scopes?.join(' ') ?? null);
    const scopeField = wanted === null ? {} : { scope: wanted };
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...scopeField };
    const answer = await this.#http.call({ method: 'POST', path: TOKEN_PATH, form });
    if (answer.status === 200) return answer.body as TokenResponse;
    const { error = String(answer.status) } = (answer.body ?? {}) as { error?: string };
    if (answer.status < 500 && answer.status !== 429 && wanted !== null)
      throw new Outage({
        code: 'no_token',
        message: `The client of ${quoted(organization)} got no token with the scope "${wanted}": ${error}.`,
        fix: 'Check the scopes of its contract.',
        exitCode: 2,
      });
    throw new TokenRefused(answer);
  }
}

/**
 * The token endpoint failed, as an `api_fault` may cause, or was rate-limited: its reply becomes the reply of the call.
 */
class TokenRefused extends Error {
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super(`The token endpoint answered ${answer.status}.`);
    this.answer = answer;
  }
}

async function orItsAnswer(send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TokenRefused) return { ...error.answer, ofTokenRequest: true };
    throw error;
  }
}

/** Returns null on success; otherwise the refusal because of the state, the contract or an outage. */
export function refusalOf({ status, body, ofTokenRequest }: HttpAnswer): ApiRefusal | null {
  if (status >= 200 && status < 300) return null;
  const {
    code = String(status),
    detail = '',
    errors = [],
  } = (body ?? {}) as {
    code?: string;
    detail?: string;
    errors?: { pointer: string; detail: string }[];
  };
  const places = errors.map((error) => ` ${error.pointer} ${error.detail}`).join(';');
  const whose = ofTokenRequest === true ? 'the token request: ' : '';
  return { refused: whose + (`${detail}${places}`.trim() || `status ${status}`), code };
}

/** As `refusalOf`, for sandbox-only routes: a failure of the sandbox itself throws. */
export function actionRefusalOf(answer: HttpAnswer): ApiRefusal | null {
  const refusal = refusalOf(answer);
  if (refusal === null || answer.status < 500) return refusal;
  const { refused, code } = refusal;
  if (answer.status === 503) {
    throw new Outage({
      code,
      message: `The sandbox cannot store anything: ${refused}`,
      fix: 'Free space on the disk.',
    });
  }
  throw new Bug(`The sandbox answered ${answer.status}: ${refused}`);
}

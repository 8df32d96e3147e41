/** The customer's own system: it gets a token, makes destinations, and acknowledges and resolves alerts by the public API. */
import { Bug, Outage } from '../base/assert.ts';
import type { AlertUpdate, TokenResponse } from '../contract/requests.ts';
import type { Site, WebhookDestinationCreated } from '../contract/resources.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import type { StageClient } from './ports.ts';
import type { PlannedReceiver } from './story.ts';

/** The status refused it, and why: the problem's own words. */
export interface Refusal {
  readonly refused: string;
  readonly code: string;
}

export class Customer {
  readonly #http: HttpClient;
  readonly #client: StageClient;
  #token: string | null = null;

  constructor(http: HttpClient, client: StageClient) {
    this.#http = http;
    this.#client = client;
  }

  /** Makes the destination of a receiver; the answer is its secret. */
  async createDestination(receiver: PlannedReceiver, url: string): Promise<string> {
    const { events, minSeverity, contractors, sites } = receiver;
    const filters = {
      ...(minSeverity === null ? {} : { min_severity: minSeverity }),
      ...(contractors === null ? {} : { contractors }),
      ...(sites === null ? {} : { site_ids: await this.#siteIds(sites) }),
    };
    const answer = await this.#call('POST', '/v1/webhooks', { url, event_types: events, filters });
    const refusal = refusalOf(answer);
    if (refusal === null) return (answer.body as WebhookDestinationCreated).secret;
    throw new Outage({
      code: 'receiver_refused',
      message: `The API refused the destination of the receiver "${receiver.name}": ${refusal.refused}`,
      cure: 'Look at the scopes and contractors of the contract: making a destination needs webhooks:manage.',
      exitCode: 2,
    });
  }

  /** Null when it is done. */
  async updateAlert(id: string, update: AlertUpdate): Promise<Refusal | null> {
    return refusalOf(await this.#call('PATCH', `/v1/alerts/${id}`, update));
  }

  async #siteIds(names: readonly string[]): Promise<string[]> {
    const { body } = await this.#call('GET', '/v1/sites');
    const sites = (body as { data: Site[] }).data;
    return sites.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  }

  async #call(method: string, path: string, body?: unknown): Promise<HttpAnswer> {
    const send = async () => this.#http.call({ method, path, token: this.#token ?? (await this.#newToken()), body });
    const answer = await send();
    if (answer.status !== 401) return answer;
    // A token lives an hour, and a story may last days.
    this.#token = null;
    return send();
  }

  async #newToken(): Promise<string> {
    const { clientId, clientSecret } = this.#client;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await this.#http.call({ method: 'POST', path: '/v1/oauth/token', form });
    if (answer.status !== 200) throw new Bug(`The sandbox gave its own client no token: ${answer.status}.`);
    this.#token = (answer.body as TokenResponse).access_token;
    return this.#token;
  }
}

/** Null for success; what the state or the contract refused in words; a bug or an outage of the sandbox is thrown. */
export function refusalOf({ status, body }: HttpAnswer): Refusal | null {
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
  const words = `${detail}${places}`.trim() || `status ${status}`;
  if (status === 503) {
    throw new Outage({ code, message: `The sandbox cannot store anything: ${words}`, cure: 'Make room on the disk.' });
  }
  if (status >= 500) throw new Bug(`The sandbox answered ${status}: ${words}`);
  return { refused: words, code };
}

/** The destinations of a scenario's receivers and their secrets, which the customers create and keep. [spec 4] */

import { hmacSecret } from '../../base/ids.ts';
import type { PlannedReceiver, WebhookTurn } from '../model/scenario.ts';
import type { BuiltInReceivers } from './built-in-receivers.ts';
import type { ApiRefusal, Customer } from './customer.ts';

interface KnownDestination {
  readonly id: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

interface DestinationsParts {
  readonly planned: readonly PlannedReceiver[];
  readonly receivers: Pick<BuiltInReceivers, 'awaitSecret' | 'setSecrets'>;
  customerOf(
    company: string,
  ): Pick<Customer, 'createDestination' | 'rotateSecret' | 'testDestination' | 'deleteDestination'>;
  urlOf(receiver: PlannedReceiver): string;
}

export class Destinations {
  readonly #parts: DestinationsParts;
  /** A receiver has a new secret after a rotation, or because its destination was created during the scenario. */
  onNewSecret: (receiver: string, secret: string) => Promise<void> = async () => {};
  readonly #known = new Map<string, KnownDestination>();

  constructor(parts: DestinationsParts) {
    this.#parts = parts;
  }

  async createAll(): Promise<void> {
    for (const receiver of this.#parts.planned) await this.#create(receiver);
  }

  /** Returns null on success. `isAnnounced`: a new secret is sent to the user's own system. */
  async turn(turn: WebhookTurn, name: string, isAnnounced = true): Promise<ApiRefusal | null> {
    const receiver = this.#parts.planned.find((one) => one.name === name);
    const known = this.#known.get(name);
    if (receiver === undefined) return { refused: `There is no receiver ${name}.`, code: 'not_found' };
    const customer = this.#parts.customerOf(receiver.company);
    if (turn === 'create') {
      if (known !== undefined) return { refused: `${name} has a destination already.`, code: 'conflict' };
      await this.#create(receiver);
      if (isAnnounced) await this.onNewSecret(name, this.secretOf(name));
      return null;
    }
    if (known === undefined) return { refused: `${name} has no destination now.`, code: 'not_found' };
    if (turn === 'test') return customer.testDestination(known.id);
    if (turn === 'delete') {
      this.#known.delete(name);
      return customer.deleteDestination(known.id);
    }
    const rotated = await this.#rotate(customer, name, known);
    if (rotated === null && isAnnounced) await this.onNewSecret(name, this.secretOf(name));
    return rotated;
  }

  /** The newest secret of a receiver. */
  secretOf(name: string): string {
    return this.#known.get(name)?.secrets[0] ?? '';
  }

  async #create(receiver: PlannedReceiver): Promise<void> {
    const { receivers, customerOf, urlOf } = this.#parts;
    receivers.awaitSecret(receiver.name);
    const { id, secret } = await customerOf(receiver.company).createDestination(receiver, urlOf(receiver));
    this.#know(receiver.name, { id, secrets: [secret] });
  }

  async #rotate(
    customer: Pick<Customer, 'rotateSecret'>,
    name: string,
    known: KnownDestination,
  ): Promise<ApiRefusal | null> {
    this.#parts.receivers.awaitSecret(name);
    const rotated = await customer.rotateSecret(known.id);
    if ('refused' in rotated) {
      this.#know(name, known);
      return rotated;
    }
    // A second rotation makes the oldest secret invalid. [spec 4]
    this.#know(name, { id: known.id, secrets: [rotated.secret, ...known.secrets.slice(0, 1)] });
    return null;
  }

  #know(name: string, known: KnownDestination): void {
    this.#known.set(name, known);
    this.#parts.receivers.setSecrets(name, known.secrets);
  }
}

/** A receiver that the user runs, and the secret that it needs. */
export interface VerifyingReceiver {
  readonly name: string;
  readonly company: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * The user configures the secret once, so it depends on nothing that differs between runs: neither on the seed nor on
 * time or order. [cli, Own receivers]
 */
const ownSecret = (company: string, url: string): string =>
  `whsec_${hmacSecret('own receiver', company, new URL(url).href)}`;

/** The receivers of a scenario that have a `url`. */
export const ownReceivers = (planned: readonly PlannedReceiver[]): VerifyingReceiver[] =>
  planned.flatMap(({ name, company, url }) =>
    url === null ? [] : [{ name, company, url, secret: ownSecret(company, url) }],
  );

export class ReceiverAddresses {
  /** Host name -> address, for the start of the sandbox. */
  readonly forwards = new Map<string, string>();
  readonly #urls = new Map<string, string>();

  readonly #hostOf: (name: string) => string;
  readonly #own: readonly VerifyingReceiver[];
  readonly #planned: readonly PlannedReceiver[];

  constructor(planned: readonly PlannedReceiver[], builtIn: Pick<BuiltInReceivers, 'forwards' | 'urlOf' | 'hostOf'>) {
    this.#own = ownReceivers(planned);
    this.#planned = planned;
    this.#hostOf = (name) => builtIn.hostOf(name);
    for (const [host, address] of builtIn.forwards) this.forwards.set(host, address);
    for (const { name, url } of planned) {
      if (url === null) this.#urls.set(name, builtIn.urlOf(name));
      else this.#addOwn(name, new URL(url));
    }
  }

  urlOf(name: string): string {
    return this.#urls.get(name) ?? '';
  }

  /** The secret of the user's own receiver at this URL; null for a built-in receiver. A rotated one derives from the first. */
  readonly ownReceiverSecret = (company: string, url: string, before?: string): string | null => {
    const own = this.#own.find((one) => one.company === company && this.urlOf(one.name) === url);
    if (own === undefined) return null;
    return before === undefined ? own.secret : `whsec_${hmacSecret(before, 'rotated')}`;
  };

  /** True if a program of the user judges the deliveries to this URL: its receiver, or the `system` to which they are forwarded. */
  readonly isOwnReceiver = (organization: string, url: string): boolean =>
    this.#planned.some(
      ({ name, company, ...one }) =>
        (one.url !== null || one.systemPath !== null) && company === organization && this.urlOf(name) === url,
    );

  /** Returns the short name of the receiver with this URL. */
  nameOf(url: string): string | null {
    for (const [name, own] of this.#urls) if (own === url) return name;
    return null;
  }

  /**
   * The API accepts only public https, so a user's local receiver gets a host name that the sandbox forwards.
   * [decisions 7]
   */
  #addOwn(name: string, url: URL): void {
    if (url.protocol === 'https:') {
      this.#urls.set(name, url.href);
      return;
    }
    const host = this.#hostOf(name);
    this.forwards.set(host, url.origin);
    this.#urls.set(name, `https://${host}${url.pathname}${url.search}`);
  }
}

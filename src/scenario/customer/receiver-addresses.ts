/** Maps receivers to addresses: the url of each destination, and where the sandbox forwards deliveries to it. */

import type { PlannedReceiver } from '../story/story.ts';
import type { BuiltInReceivers } from './built-in-receivers.ts';

export class ReceiverAddresses {
  /** Host name -> address, for the boot of the sandbox. */
  readonly forwards = new Map<string, string>();
  readonly #urls = new Map<string, string>();

  readonly #hostOf: (name: string) => string;

  constructor(planned: readonly PlannedReceiver[], builtIn: Pick<BuiltInReceivers, 'forwards' | 'urlOf' | 'hostOf'>) {
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

  /** The short name behind the url of a destination. */
  nameOf(url: string): string | null {
    for (const [name, own] of this.#urls) if (own === url) return name;
    return null;
  }

  /** The API accepts public https only, so a user's local receiver gets a host name that is forwarded. [decisions 7] */
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

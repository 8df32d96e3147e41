/** Removes from a report what must not leave the machine, or differs from run to run: credentials, and the address of the sandbox. */
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';

/** Names of fields that hold credentials. */
const FIELDS = /^(?:secret|client_secret|access_token|refresh_token|token|password|authorization|.*_secret)$/i;

/** Shorter values are not searched for in texts, because they may be ordinary words. */
const SHORTEST = 12;

export const HIDDEN = '(hidden)';

/** The sandbox of a run has a random free port, and no longer exists when the report is read. */
const SANDBOX = 'http://sandbox';

export class Redaction {
  /** Each value with its replacement. */
  readonly #values = new Map<string, string>();
  #pattern: RegExp | null = null;

  /** Adds the credentials of a request and its response. */
  learn({ token, body, form }: HttpCall, answer: HttpAnswer): void {
    this.add(token);
    for (const part of [body, form, answer.body]) this.#learnFrom(part);
  }

  add(value: unknown): void {
    if (typeof value === 'string' && value.length >= SHORTEST) this.#replace(value, HIDDEN);
  }

  /** Adds the base address of the sandbox. */
  addAddress(url: string): void {
    this.#replace(url, SANDBOX);
  }

  #replace(value: string, by: string): void {
    if (this.#values.has(value)) return;
    this.#values.set(value, by);
    this.#pattern = null;
  }

  #learnFrom(part: unknown): void {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (FIELDS.test(key)) this.add(value);
      else this.#learnFrom(value);
    }
  }

  /** Returns the text without known values. */
  text(text: string): string {
    if (this.#values.size === 0) return text;
    // Longer values come first, because one value may contain another.
    this.#pattern ??= new RegExp(
      [...this.#values.keys()]
        .sort((a, b) => b.length - a.length)
        .map(escaped)
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, (value) => this.#values.get(value) ?? HIDDEN);
  }

  /** Returns a redacted copy of JSON data. */
  json<T>(data: T): T {
    return this.#hidden('', data) as T;
  }

  #hidden(key: string, value: unknown): unknown {
    if (typeof value === 'string') return FIELDS.test(key) ? HIDDEN : this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.#hidden('', one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#hidden(name, one)]));
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

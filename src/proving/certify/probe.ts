/** Addresses of the receiver that certify uses: its stored alerts and musters, the people that it paged, and the endpoint for a new secret. */

import { type Static, type TSchema, Type } from 'typebox';
import { fetchFault } from '../../base/network/trusting-fetch.ts';
import { MACHINE_TIME, type MachineTime } from '../../base/time/timers.ts';
import { check } from '../../contract/check.ts';

/** One call or message to a person about an alert. */
const PersonPage = Type.Object({ alert: Type.String(), person: Type.String() });
export type PersonPage = Static<typeof PersonPage>;

/** What the address answers to GET; more keys are allowed everywhere. */
export const ReceiverState = Type.Object({
  alerts: Type.Array(
    Type.Object({
      id: Type.String(),
      status: Type.Optional(Type.String()),
      date_last_modified: Type.Optional(Type.String()),
      simulated: Type.Optional(Type.Boolean()),
    }),
  ),
  musters: Type.Optional(Type.Array(Type.Object({ id: Type.String(), status: Type.Optional(Type.String()) }))),
  acted: Type.Optional(Type.Array(Type.String())),
  pages: Type.Optional(Type.Array(PersonPage)),
});
export type ReceiverState = Static<typeof ReceiverState>;

/** Part of the help of the command. */
export const PROBE_HELP = `--probe: the receiver answers a GET of this address with the alerts and musters that your system stores, and with the
ids of the events that it processed. An event that was processed twice is listed twice. musters and acted are optional:
  {"alerts": [{"id": "...", "status": "...", "date_last_modified": "...", "simulated": true,
               "location": {"latitude": 43.35, "longitude": -3.01} or null}],
   "musters": [{"id": "...", "status": "..."}], "acted": ["<event id>", "..."]}
--probe-pages: the receiver answers a GET of this address with the people that your system paged, and the alert of
each page. A person who was paged twice is listed twice. The reply is a list, or an object with the key "pages":
  {"pages": [{"alert": "<alert id>", "person": "shift-lead"}]}
Without --probe-pages, certify reads the key "pages" of the reply of --probe.
--secret-to: certify sends a new secret to this address by POST, to test a rotation without a restart. Answer 2xx:
  {"receiver": "certify", "secret": "whsec_..."}`;

/** Wall milliseconds until the receiver must hold what it accepted, since it may use a queue. */
const SETTLE_MS = 3_000;
/**
 * Wall milliseconds for one answer of such an address. The contract does not limit this time, and a runtime may have to
 * compile code for its first answer.
 */
const ANSWER_MS = 10_000;
const LOOK_EVERY_MS = 50;

export class ReceiverProbe {
  readonly #url: URL;
  readonly #settleMs: number;
  readonly #machine: MachineTime;

  constructor(url: URL, settleMs = SETTLE_MS, machine = MACHINE_TIME) {
    this.#url = url;
    this.#settleMs = settleMs;
    this.#machine = machine;
  }

  /** The state, or a sentence that says why there is none. */
  read(): Promise<ReceiverState | string> {
    return readJson(this.#url, ReceiverState, 'The probe');
  }

  /**
   * Reads the state until `holds` is true or the time is over, which counts from the first answer. Resolves with the
   * last state, or the sentence.
   */
  async until(holds: (state: ReceiverState) => boolean): Promise<ReceiverState | string> {
    let endMs: number | null = null;
    for (;;) {
      const state = await this.read();
      endMs ??= this.#machine.monotonicMs() + this.#settleMs;
      if ((typeof state !== 'string' && holds(state)) || this.#machine.monotonicMs() > endMs) return state;
      await new Promise<void>((resolve) => this.#machine.later(LOOK_EVERY_MS, resolve));
    }
  }
}

/** The pages that the receiver sent: from `--probe-pages URL`, or the key `pages` of `--probe URL`. */
export class PagesProbe {
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
  }

  /** All pages, or a sentence that says why there are none. */
  async read(): Promise<readonly PersonPage[] | string> {
    const answer = await readJson(this.#url, PagesAnswer, 'The probe of pages');
    if (typeof answer === 'string') return answer;
    return Array.isArray(answer) ? answer : (answer.pages ?? NO_PAGES);
  }
}

const PagesAnswer = Type.Union([Type.Array(PersonPage), Type.Object({ pages: Type.Optional(Type.Array(PersonPage)) })]);
const NO_PAGES = 'the probe does not return the people that your system pages: it has no key "pages"';

/**
 * `--secret-to URL`: an address that accepts a new secret while the receiver runs, like `secret_to` of an explore file.
 */
export class SecretAddress {
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Resolves with null if the secret was accepted, or else with a sentence that says why not. */
  async send(secret: string): Promise<string | null> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ receiver: 'certify', secret }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await answer.arrayBuffer();
      return answer.ok ? null : `a new secret was sent to ${this.#url.href}, which answered ${answer.status}, not 2xx`;
    } catch (error) {
      return `a new secret was sent to ${this.#url.href}, which did not answer: ${fetchFault(error as Error)}`;
    }
  }
}

async function readJson<T extends TSchema>(url: URL, schema: T, what: string): Promise<Static<T> | string> {
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    body = await answer.json();
  } catch (error) {
    return `${what} ${url.href} does not answer JSON: ${fetchFault(error as Error)}`;
  }
  if (!answer.ok) return `${what} ${url.href} answered ${answer.status}.`;
  const checked = check(schema, body);
  if (checked.ok) return checked.value;
  const [first] = checked.errors;
  return `The answer of ${what.toLowerCase()} ${url.href} ${first?.detail} at ${first?.pointer || '/'}.`;
}

/**
 * What webhooks.mjs calls the API with: a clock that wake calls can drive, and calls that know which failures pass.
 */
export const WAKE_MS = 10_000;
export const RETRY_MS = 2_000;

/** The time by which calls are retried. */
export class Clock {
  #frozen = null;
  #ticks = 0;
  now() {
    return this.#frozen === null ? Date.now() : this.#frozen + this.#ticks * WAKE_MS;
  }
  tick() {
    if (this.#frozen === null) this.#frozen = Date.now();
    this.#ticks += 1;
  }
}

/** A call that failed in a way that passes: to be made again, not before `at`. */
export class Later extends Error {
  constructor(why, at) {
    super(why);
    this.at = at;
  }
}

export class Api {
  #token = null;
  #notBefore = 0;
  constructor(env, clock) {
    this.env = env;
    this.clock = clock;
    this.ended = new AbortController();
  }

  async #send(path, init) {
    const signal = AbortSignal.any([this.ended.signal, AbortSignal.timeout(10_000)]);
    try {
      const answer = await fetch(this.env.SANDBOX_API_URL + path, { ...init, signal });
      return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() };
    } catch (error) {
      throw new Later(`${path}: ${error.cause?.code ?? error.message}`, this.clock.now() + RETRY_MS);
    }
  }

  #passes(path, answer) {
    if (answer.status !== 429 && answer.status < 500) return;
    const wait = Number(answer.after) > 0 ? Number(answer.after) * 1000 : RETRY_MS;
    if (answer.status === 429) this.#notBefore = this.clock.now() + wait;
    throw new Later(`${path}: ${answer.status}`, this.clock.now() + wait);
  }

  async #login() {
    const answer = await this.#send('/v1/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: this.env.SANDBOX_CLIENT_ID,
        client_secret: this.env.SANDBOX_CLIENT_SECRET,
      }).toString(),
    });
    if (answer.status !== 200) {
      this.#passes('/v1/oauth/token', answer);
      throw new Later(`no token: ${answer.status}`, this.clock.now() + RETRY_MS);
    }
    this.#token = JSON.parse(answer.text).access_token;
  }

  /** The answer to a call, with a new token where the old one has ended. Throws Later where it has to be repeated. */
  async call(method, path, body) {
    for (let tries = 1; ; tries += 1) {
      if (this.clock.now() < this.#notBefore) throw new Later(`${path}: over the limit`, this.#notBefore);
      if (this.#token === null) await this.#login();
      const token = this.#token;
      const answer = await this.#send(path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      this.#passes(path, answer);
      // A token carries its scopes: after a 403 the next call asks for a new one.
      if ((answer.status === 401 || answer.status === 403) && this.#token === token) this.#token = null;
      if (answer.status === 401) {
        if (tries === 1) continue;
        throw new Later(`${path}: 401`, this.clock.now() + RETRY_MS);
      }
      return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
    }
  }

  /** All items of a list, page by page. */
  async *walk(path) {
    let cursor = null;
    do {
      const page = await this.call(
        'GET',
        `${path}&limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      if (page.status !== 200) throw new Later(`${path}: ${page.status}`, this.clock.now() + 3 * WAKE_MS);
      yield* page.body.data;
      cursor = page.body.next_cursor;
    } while (cursor !== null);
  }
}

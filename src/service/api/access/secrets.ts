/** Redacts secrets in unexpected places, such as a path, before they reach a log or a response. [decisions 10] */
import { sha256Hex } from '../../../base/ids.ts';
import { decoded, HIDDEN, withoutSecrets } from '../../../contract/operations/hidden-secrets.ts';
import type { World } from '../../domain/world/world.ts';
import type { RequestProblem } from '../../engine/store-port.ts';

/** Recognises secrets by their hashes, because secrets of a credentials file can have any form. */
export class KnownSecrets {
  readonly #world: World;
  readonly #controlToken: string;
  readonly #controlHash: string;
  readonly #paths: RedactedTexts;
  readonly #queries: RedactedTexts;
  readonly #headers: RedactedTexts;

  constructor(world: World, controlToken: string) {
    this.#world = world;
    this.#controlToken = controlToken;
    this.#controlHash = sha256Hex(controlToken);
    this.#paths = new RedactedTexts(world);
    this.#queries = new RedactedTexts(world);
    this.#headers = new RedactedTexts(world);
  }

  /** Redacts the parts of a path. */
  cutFromPath(path: string): string {
    return this.#paths.of(path, () => this.#redactPath(path));
  }

  /** Redacts secrets in a query, whatever the parameter's name. */
  cutFromQuery(query: string): string {
    return query === '' ? '' : this.#queries.of(query, () => this.#redactQuery(query));
  }

  /** Redacts the words of a header. */
  cutFromHeader(value: string): string {
    const redact = () =>
      withoutSecrets(value.replace(/[^\s()/;,]+/g, (word) => (word.length < SHORTEST ? word : this.cut(word))));
    return this.#headers.of(value, redact);
  }

  #redactQuery(query: string): string {
    const kept = query.split('&').map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return withoutSecrets(this.cut(pair));
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      const shown = withoutSecrets(this.cut(name));
      return `${shown}=${SECRET_NAMES.test(decoded(name)) ? HIDDEN : withoutSecrets(this.cut(value))}`;
    });
    return kept.join('&');
  }

  #redactPath(path: string): string {
    let isCut = false;
    const parts = path.split('/');
    for (let place = 0; place < parts.length; place++) {
      const part = parts[place] as string;
      if (part.length < SHORTEST || this.cut(part) === part) continue;
      parts[place] = HIDDEN;
      isCut = true;
    }
    return withoutSecrets(isCut ? parts.join('/') : path);
  }

  /** Redacts secrets of this address in a text that may quote it, such as a refusal. */
  cutFromAnswer(text: string, target: string): string {
    const sent = target.split(/[/?&=]/).filter((part) => this.cut(part) === HIDDEN);
    const words = [this.#controlToken, ...sent, ...sent.map(decoded)];
    return words.reduce((redacted, word) => redacted.replaceAll(word, HIDDEN), text);
  }

  /** As `cutFromAnswer`, for the sentences of a problem. */
  cutFromProblem({ detail, errors }: RequestProblem, target: string): RequestProblem {
    const cut = (text: string): string => this.cutFromAnswer(text, target);
    return {
      detail: cut(detail),
      errors: errors.map((one) => ({ pointer: cut(one.pointer), detail: cut(one.detail) })),
    };
  }

  /** Returns the value, or `HIDDEN` if the value is a known secret. */
  cut(value: string): string {
    const plain = decoded(value);
    return plain.length >= SHORTEST && this.#knows(sha256Hex(plain)) ? HIDDEN : value;
  }

  #knows(hash: string): boolean {
    if (hash === this.#controlHash || this.#world.get('token', hash) !== undefined) return true;
    for (const { secretHash } of this.#world.all('client')) if (secretHash === hash) return true;
    return false;
  }
}

const SECRET_NAMES = /token|ticket|secret|password|authorization|credential|api_?key|^key$/i;

/** Maximum of remembered texts, and their length: a client reads the same few addresses again and again. */
const MOST_TEXTS = 500;
const LONGEST_TEXT = 200;

/** Memoises redacted texts, which would cost a hash for each part of each request, until a token or a client changes. */
class RedactedTexts {
  readonly #world: World;
  readonly #texts = new Map<string, string>();
  #version = -1;

  constructor(world: World) {
    this.#world = world;
  }

  of(text: string, redact: () => string): string {
    const { secretsVersion } = this.#world.indexes;
    if (this.#version !== secretsVersion || this.#texts.size >= MOST_TEXTS) this.#texts.clear();
    this.#version = secretsVersion;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const redacted = redact();
    if (text.length <= LONGEST_TEXT) this.#texts.set(text, redacted);
    return redacted;
  }
}

/** Shorter values are not looked up: a secret of that length protects nothing. */
const SHORTEST = 8;

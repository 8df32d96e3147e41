/** Removes tokens and secrets from exchanges, before a HAR stores or a report shows them. [cli, compare, proxy] */

const SECRET_HEADERS: readonly string[] = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization'];
const HIDDEN = 'hidden';

/** Replaces each token by a number. Requests with the same token have the same number. */
export class TokenNumbers {
  readonly #numbers = new Map<string, number>();

  of(token: string): string {
    const number = this.#numbers.get(token) ?? this.#numbers.size + 1;
    this.#numbers.set(token, number);
    return `${HIDDEN}-${number}`;
  }
}

const ACCESS_TOKEN = /("access_token"\s*:\s*)"((?:[^"\\]|\\.)*)"/g;

/** Like `withoutTokens`, but replaces each token of an answer with its number. */
export const withTokenNumbers = (text: string, numbers: TokenNumbers): string =>
  withoutTokens(text.replace(ACCESS_TOKEN, (_all, before: string, token: string) => `${before}"${numbers.of(token)}"`));

/** A key in JSON whose value is a secret; below, a parameter of a form or a query. */
const SECRET_FIELD = /("(?:access_token|client_secret|secret)"\s*:\s*)"(?!hidden-\d+")(whsec_)?(?:[^"\\]|\\.)*"/g;
const SECRET_PARAMETER = /((?:^|&|\?)(?:access_token|client_secret|ticket|token)=)[^&\s]*/g;

/** Replaces each secret of the text. It keeps the prefix `whsec_`, because the form of a secret is judged. */
export const withoutTokens = (text: string): string =>
  text
    .replace(SECRET_FIELD, (_all, before: string, prefix = '') => `${before}"${prefix}${HIDDEN}"`)
    .replace(SECRET_PARAMETER, (_all, before: string) => `${before}${HIDDEN}`);

export const hiddenHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
  numbers: TokenNumbers,
): { name: string; value: string }[] =>
  headers.map(([name, value]) => ({
    name,
    value: SECRET_HEADERS.includes(name.toLowerCase()) ? hiddenValue(value, numbers) : value,
  }));

/** A bearer token keeps its scheme, and is replaced with its number. */
function hiddenValue(value: string, numbers: TokenNumbers): string {
  const token = /^Bearer\s+(\S+)$/i.exec(value)?.[1];
  return token === undefined ? HIDDEN : `Bearer ${numbers.of(token)}`;
}

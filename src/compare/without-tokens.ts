/** Exchanges without tokens and secrets: what a HAR stores and a report shows. [cli, compare, proxy] */

const SECRET_HEADERS: readonly string[] = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization'];
const HIDDEN = 'hidden';

/** A key of JSON or of a form whose value is a secret. */
const SECRET_FIELD = /("(?:access_token|client_secret|secret)"\s*:\s*)"(whsec_)?(?:[^"\\]|\\.)*"/g;
const SECRET_PARAMETER = /((?:^|&|\?)(?:access_token|client_secret|ticket|token)=)[^&\s]*/g;

/** The text with each secret replaced; `whsec_` stays, since the form of a secret is judged. */
export const withoutTokens = (text: string): string =>
  text
    .replace(SECRET_FIELD, (_all, before: string, prefix = '') => `${before}"${prefix}${HIDDEN}"`)
    .replace(SECRET_PARAMETER, (_all, before: string) => `${before}${HIDDEN}`);

export const hiddenHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
): { name: string; value: string }[] =>
  headers.map(([name, value]) => ({
    name,
    value: SECRET_HEADERS.includes(name.toLowerCase()) ? HIDDEN : value,
  }));

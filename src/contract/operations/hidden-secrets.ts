/** Hides what has the form of a secret of the API in a text, before it reaches a log or an answer. [decisions 10] */

/** Tokens and client secrets have exactly 43 such characters. Cursors have more of them, and ids contain dashes. */
const SECRET = /(?<![A-Za-z0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9])|whsec_[A-Za-z0-9_]+/g;

export const HIDDEN = '[hidden]';

/** Replaces everything that has the form of a secret, also if it is percent-encoded. */
export function withoutSecrets(text: string): string {
  const plain = text.replace(SECRET, HIDDEN);
  if (!text.includes('%')) return plain;
  return plain
    .split('/')
    .map((part) => (decoded(part).replace(SECRET, HIDDEN) === decoded(part) ? part : HIDDEN))
    .join('/');
}

/** Text that cannot be decoded stays as it is. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Opaque cursors: the position of a page walk, bound to its client and query. [decisions 1] */
import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../base/ids.ts';
import { ProblemAnswer } from './problem-answer.ts';

export class Cursors {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** `position`: key of the last item of the page. */
  write(binding: string, position: string): string {
    return Buffer.from(JSON.stringify([position, this.#seal(binding, position)])).toString('base64url');
  }

  /** Returns null if there is no cursor. Refuses a cursor of another client, list or filter. */
  read(binding: string, cursor: string | undefined): string | null {
    if (cursor === undefined) return null;
    try {
      const [position, seal] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [unknown, unknown];
      // Several Base64 texts decode to the same bytes. Only the text that `write` produces is accepted.
      if (typeof position === 'string' && typeof seal === 'string' && sameSecret(seal, this.#seal(binding, position)))
        if (this.write(binding, position) === cursor) return position;
    } catch {
      // Falls through to the refusal.
    }
    throw new ProblemAnswer('invalid_cursor', 'The cursor is not from this query of this client.', {
      errors: [{ pointer: '?cursor', detail: 'must be the next_cursor of the page before, with the same query' }],
    });
  }

  #seal(binding: string, position: string): string {
    return createHmac('sha256', this.#key).update(`${binding}\n${position}`).digest('base64url').slice(0, 22);
  }
}

/** What a cursor is bound to: the client, the list and the filters in any order, but not the page size. */
export function bindingOf(clientId: string, list: string, query: Readonly<Record<string, unknown>>): string {
  const { limit: _, cursor: __, ...filters } = query;
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined);
  const bound = entries.map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value]);
  bound.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  return JSON.stringify([clientId, list, bound]);
}

/** The port to documents that memory has evicted: the store has them, and reads them on demand. */
import type { AlertQuery } from '../alerts/alert-query.ts';
import type { Alert, Documents } from './documents.ts';

/** Kinds for which memory holds only the newest documents. */
const ARCHIVED_KINDS = ['alert', 'heard', 'course', 'roll'] as const;
export type ArchivedKind = (typeof ARCHIVED_KINDS)[number];

export const isArchivedKind = (kind: string): kind is ArchivedKind =>
  (ARCHIVED_KINDS as readonly string[]).includes(kind);

/** Every call returns the last committed state. */
export interface Archive {
  get<K extends ArchivedKind>(kind: K, id: string): Documents[K] | undefined;
  /** All matching alerts, including those in memory. `known` returns documents that need not be read again. */
  alerts(query: AlertQuery, known: (id: string) => Alert | undefined): readonly Alert[];
  /** The number of matching alerts, without the query's `limit`. */
  count(query: AlertQuery): number;
}

export type ArchiveRequest =
  | { readonly what: 'get'; readonly kind: ArchivedKind; readonly id: string }
  | { readonly what: 'alerts' | 'count'; readonly query: AlertQuery };

/**
 * One result for each request, in their order: a document or undefined, a list, a number. All are of one committed
 * state.
 */
type FetchArchived = (requests: readonly ArchiveRequest[]) => Promise<readonly unknown[]>;

/**
 * Thrown if a rule needs a document that is not in memory, since rules cannot await the store. The engine fetches it
 * and calls the rule again.
 */
export class NotInMemory extends Error {
  override readonly name = 'NotInMemory';
  readonly archive: FetchedArchive;
  readonly request: ArchiveRequest;

  constructor(archive: FetchedArchive, request: ArchiveRequest) {
    super('The store has to be asked for this first.');
    this.archive = archive;
    this.request = request;
  }
}

/** The documents that one reader or one transaction has fetched so far. */
export class Answers {
  readonly #archive: FetchedArchive;
  readonly #requests = new Map<string, ArchiveRequest>();
  #fetched: Fetched = EMPTY;

  constructor(archive: FetchedArchive) {
    this.#archive = archive;
  }

  /** Fetches all requests again, so that all results are of one committed state. */
  async ask(missing: Iterable<ArchiveRequest>): Promise<void> {
    for (const request of missing) this.#requests.set(JSON.stringify(request), request);
    const answers = await this.#archive.ask([...this.#requests.values()]);
    const byRequest = new Map([...this.#requests.keys()].map((key, place) => [key, answers[place]]));
    const listed = [...this.#requests.values()].flatMap((request, place) =>
      request.what === 'alerts' ? (answers[place] as readonly Alert[]) : [],
    );
    this.#fetched = { byRequest, alerts: new Map(listed.map((alert) => [alert.id, alert])) };
  }

  /** Calls a reader, for which the archive returns these results. */
  during<V>(read: () => V): V {
    return this.#archive.withAnswers(this.#fetched, read);
  }
}

interface Fetched {
  readonly byRequest: ReadonlyMap<string, unknown>;
  /** The alerts in the fetched lists, by id. */
  readonly alerts: ReadonlyMap<string, Alert>;
}

const EMPTY: Fetched = { byRequest: new Map(), alerts: new Map() };

/** The archive of an asynchronous store. */
export class FetchedArchive implements Archive {
  readonly ask: FetchArchived;
  #answers: Fetched = EMPTY;

  constructor(ask: FetchArchived) {
    this.ask = ask;
  }

  withAnswers<V>(answers: Fetched, read: () => V): V {
    const before = this.#answers;
    this.#answers = answers;
    try {
      return read();
    } finally {
      this.#answers = before;
    }
  }

  get<K extends ArchivedKind>(kind: K, id: string): Documents[K] | undefined {
    const listed = kind === 'alert' ? this.#answers.alerts.get(id) : undefined;
    return (listed ?? this.#answer({ what: 'get', kind, id })) as Documents[K] | undefined;
  }

  alerts(query: AlertQuery): readonly Alert[] {
    return this.#answer({ what: 'alerts', query }) as readonly Alert[];
  }

  count(query: AlertQuery): number {
    return this.#answer({ what: 'count', query }) as number;
  }

  #answer(request: ArchiveRequest): unknown {
    const key = JSON.stringify(request);
    const { byRequest } = this.#answers;
    if (!byRequest.has(key)) throw new NotInMemory(this, request);
    return byRequest.get(key);
  }
}

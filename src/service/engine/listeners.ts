/** The listeners of an engine. One that throws is reported, and the others are still called. */
import { asError } from '../../base/assert.ts';
import type { Notice } from '../../contract/notices.ts';
import type { CommitRecord, EngineListener } from './commit-record.ts';
import type { Failures } from './failures.ts';

// The calls are written out with their `try`: a closure for each message and each listener would only be garbage.

export class Listeners {
  readonly #failures: Pick<Failures, 'report'>;
  readonly #all: EngineListener[] = [];

  constructor(failures: Pick<Failures, 'report'>) {
    this.#failures = failures;
  }

  /** Returns a function that removes the listener. */
  add(listener: EngineListener): () => void {
    this.#all.push(listener);
    return () => {
      const place = this.#all.indexOf(listener);
      if (place >= 0) this.#all.splice(place, 1);
    };
  }

  /** Calls the listeners with a transaction that changed or sent something, and then with its notices. */
  committed(record: CommitRecord): void {
    const { touched, reportingDevices, attempts, effects } = record;
    if (touched.length + reportingDevices.size + attempts.length + effects.length === 0) return;
    for (const listener of this.#all)
      try {
        listener.committed?.(record);
      } catch (error) {
        this.failed('commit', error);
      }
    for (const effect of effects) if (effect.kind === 'notice') this.notice(effect.notice);
  }

  notice(notice: Notice): void {
    for (const listener of this.#all)
      try {
        listener.notice?.(notice);
      } catch (error) {
        this.failed('notice', error);
      }
  }

  /** Reports an exception of a listener, or of the receiver of an outcome. */
  failed(what: string, error: unknown): void {
    this.#failures.report({ part: 'listener', what, error: asError(error) });
  }
}

/** Recorded answers of a sandbox (`test/service/api/record-examples.ts`), with invented secrets. */
import type { OAuthError, Problem, ProblemCode } from '../../../contract/problems.ts';
import recording from './examples.json' with { type: 'json' };

/** Base address of the recording. */
export const RECORDED_AT = 'http://127.0.0.1:4600';

export interface Recording {
  /** operationId -> success status -> body. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** operationId -> name of the example -> request body. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly problems: Readonly<Partial<Record<ProblemCode, Problem>>>;
  /** Status of the token endpoint -> body. */
  readonly oauth: Readonly<Record<string, OAuthError>>;
  /** Event group -> delivery. */
  readonly deliveries: Readonly<Record<string, ExampleDelivery>>;
}

export interface ExampleDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The recording with another base address. */
export class Recorded {
  readonly #all: Recording;

  constructor(baseUrl: string) {
    this.#all = JSON.parse(JSON.stringify(recording).replaceAll(RECORDED_AT, baseUrl));
  }

  answer(operationId: string, status: string): unknown {
    return this.#all.answers[operationId]?.[status];
  }

  requests(operationId: string): Readonly<Record<string, unknown>> {
    return this.#all.requests[operationId] ?? {};
  }

  problem(code: ProblemCode): Problem | undefined {
    return this.#all.problems[code];
  }

  oauth(status: number): OAuthError | undefined {
    return this.#all.oauth[status];
  }

  delivery(group: string): ExampleDelivery | undefined {
    return this.#all.deliveries[group];
  }
}

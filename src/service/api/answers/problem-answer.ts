/** A problem as an exception: the answer of a request that cannot be carried out. */
import type { ProblemCode } from '../../../contract/problems.ts';
import type { Rejection } from '../../domain/changes.ts';

/** Thrown by a handler to answer with a problem. */
export class ProblemAnswer extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: Rejection['errors'];
  readonly headers: Readonly<Record<string, string>>;
  /** For the request log only. */
  readonly note: string | null;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: Rejection['errors']; headers?: Record<string, string>; note?: string | undefined } = {},
  ) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.note = options.note ?? null;
  }
}

/** A refusal is a value: a problem code, what is wrong, and where. [style 7] */
import type { ProblemCode } from '../contract/problems.ts';

export interface Rejection {
  readonly rejected: true;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** For the request log alone, never for the one who asked: what went wrong inside. */
  readonly note?: string;
}

export const reject = (code: ProblemCode, detail: string, errors?: Rejection['errors']): Rejection => ({
  rejected: true,
  code,
  detail,
  ...(errors === undefined ? {} : { errors }),
});

export const isRejection = (value: unknown): value is Rejection =>
  typeof value === 'object' && value !== null && (value as { rejected?: unknown }).rejected === true;

/** The body of an error of the API, in the format of RFC 9457. [decisions 2] */

import { PROBLEMS, type Problem, type ProblemCode, type ProblemError, problemSlug } from '../problems.ts';
import { withoutSecrets } from './hidden-secrets.ts';

export function problemBody(
  baseUrl: string,
  path: string | null,
  code: ProblemCode,
  detail: string,
  errors?: readonly ProblemError[],
): Problem {
  const { status, title } = PROBLEMS[code];
  // A 422 always has pointers. The empty pointer means the whole body. [decisions 2]
  const places = errors ?? (status === 422 ? [{ pointer: '', detail }] : undefined);
  return {
    type: `${baseUrl}/problems/${problemSlug(code)}`,
    title,
    status,
    detail: withoutSecrets(detail),
    ...(path === null ? {} : { instance: withoutSecrets(path) }),
    code,
    ...(places === undefined
      ? {}
      : {
          errors: places.map((one) => ({ pointer: withoutSecrets(one.pointer), detail: withoutSecrets(one.detail) })),
        }),
  };
}

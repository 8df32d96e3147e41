/** The audit row of a request: without headers, body and secrets. [spec 5, decisions 10] */

import { randomId } from '../../../base/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { withoutSecrets } from '../../../contract/operations/hidden-secrets.ts';
import type { Client } from '../../domain/world/documents.ts';
import type { RequestProblem, RequestRecord } from '../../engine/store-port.ts';
import type { KnownSecrets } from '../access/secrets.ts';
import { pathOf, queryOf } from './request-rules.ts';

const MAX_PATH = 500;
const MAX_QUERY = 1_000;
const MAX_AGENT = 200;

/** The log keeps this many characters of a sentence, and this many errors of a problem. */
const MAX_SENTENCE = 500;
const MAX_ERRORS = 10;

export interface AnsweredRequest
  extends Pick<RequestRecord, 'method' | 'status' | 'code' | 'tookMs' | 'note' | 'warnings'> {
  readonly client: Client | null;
  /** Null if the answer was not a problem. */
  readonly problem: RequestProblem | null;
  readonly target: string;
  readonly agent?: string | undefined;
}

export function auditRow(clock: Clock, known: KnownSecrets, request: AnsweredRequest): RequestRecord {
  return {
    id: randomId(),
    at: clock.now(),
    wallAt: clock.wall(),
    clientId: request.client?.id ?? null,
    organizationId: request.client?.organizationId ?? null,
    method: request.method,
    path: known.cutFromPath(pathOf(request.target)).slice(0, MAX_PATH),
    query: known.cutFromQuery(queryOf(request.target)).slice(0, MAX_QUERY),
    status: request.status,
    code: request.code,
    tookMs: Math.round(request.tookMs * 1_000) / 1_000,
    note: request.note === null ? null : withoutSecrets(request.note),
    warnings: request.warnings,
    ...(request.agent === undefined ? {} : { agent: known.cutFromHeader(request.agent).slice(0, MAX_AGENT) }),
    ...(request.problem === null ? {} : { problem: keptProblem(request.problem) }),
  };
}

const kept = (text: string): string => withoutSecrets(text).slice(0, MAX_SENTENCE);

const keptProblem = ({ detail, errors }: RequestProblem): RequestProblem => ({
  detail: kept(detail),
  errors: errors.slice(0, MAX_ERRORS).map((one) => ({ pointer: kept(one.pointer), detail: kept(one.detail) })),
});

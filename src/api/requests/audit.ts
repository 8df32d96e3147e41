/** The audit row of a request: without headers, body and secrets. [spec 5, decisions 10] */

import { randomId } from '../../base/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Client } from '../../domain/world/documents.ts';
import type { RequestRecord } from '../../engine/store-port.ts';
import { decoded, HIDDEN, type KnownSecrets, withoutSecrets } from '../access/secrets.ts';
import { pathOf, queryOf } from './request-rules.ts';

const MAX_PATH = 500;
const MAX_QUERY = 1_000;

export interface AnsweredRequest
  extends Pick<RequestRecord, 'method' | 'status' | 'code' | 'tookMs' | 'note' | 'warnings'> {
  readonly client: Client | null;
  readonly target: string;
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
    query: queryWithoutSecrets(queryOf(request.target), known).slice(0, MAX_QUERY),
    status: request.status,
    code: request.code,
    tookMs: Math.round(request.tookMs * 1_000) / 1_000,
    note: request.note === null ? null : withoutSecrets(request.note),
    warnings: request.warnings,
  };
}

const SECRET_NAMES = /token|ticket|secret|password|authorization|credential|api_?key|^key$/i;

/** Redacts secrets in a query, whatever the parameter's name. */
function queryWithoutSecrets(query: string, known: KnownSecrets): string {
  if (query === '') return '';
  const kept = query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return withoutSecrets(known.cut(pair));
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const shown = withoutSecrets(known.cut(name));
    return `${shown}=${SECRET_NAMES.test(decoded(name)) ? HIDDEN : withoutSecrets(known.cut(value))}`;
  });
  return kept.join('&');
}

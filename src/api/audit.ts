/** The audit row of a request, without secrets: no header and no body is kept. [spec 5, decisions 10] */
import type { Clock } from '../base/clock.ts';
import { randomId } from '../base/ids.ts';
import type { Client } from '../domain/world/documents.ts';
import type { RequestRecord } from '../engine/store-port.ts';
import { pathOf, queryOf } from './request-rules.ts';

const MAX_PATH = 500;
const MAX_QUERY = 1_000;

export interface Told {
  readonly client: Client | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly code: string | null;
  readonly tookMs: number;
  readonly note: string | null;
  readonly warnings: readonly string[];
}

export function auditRow(clock: Clock, told: Told): RequestRecord {
  return {
    id: randomId(),
    at: clock.now(),
    wallAt: clock.wall(),
    clientId: told.client?.id ?? null,
    organizationId: told.client?.organizationId ?? null,
    method: told.method,
    path: pathOf(told.target).split('/').map(hidden).join('/').slice(0, MAX_PATH),
    query: withoutSecrets(queryOf(told.target)).slice(0, MAX_QUERY),
    status: told.status,
    code: told.code,
    tookMs: Math.round(told.tookMs * 1_000) / 1_000,
    note: told.note,
    warnings: told.warnings,
  };
}

const SECRET_NAMES = /token|ticket|secret|password|authorization|credential|api_?key|^key$/i;

/** A token, a client secret and a signing secret all have 43 such characters; a cursor has more. */
const SECRET_VALUE = /^(?:whsec_)?[A-Za-z0-9]{43}$/;

const hidden = (value: string): string => (SECRET_VALUE.test(decoded(value)) ? '[hidden]' : value);

/** A secret that somebody put into the address has no place in a log, however its name is spelled. */
function withoutSecrets(query: string): string {
  const kept = query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return hidden(pair);
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    return `${name}=${SECRET_NAMES.test(decoded(name)) ? '[hidden]' : hidden(value)}`;
  });
  return kept.join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

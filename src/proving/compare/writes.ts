/**
 * The checks of `sandbox compare --to` that write. Each one runs only if `--allow-writes` names it: the creation and deletion of
 * webhook destinations, and the acknowledgement of one alert. [spec 4, decisions 5, 7]
 */
import { isMap } from '../../contract/schema.ts';
import type { CheckRequest, ComparedService } from './checks.ts';
import { type ComparedCheck, comparedCheck, jsonOf } from './compared-check.ts';
import type { ApiExchange } from './exchange.ts';
import type { JudgedService } from './judged-service.ts';

/** The permitted writes. */
export interface AllowedWrites {
  readonly destinations: boolean;
  /** The alert that may be acknowledged; null: none. */
  readonly alertId: string | null;
}

/** The two values of `--allow-writes`. */
export const WRITES = { destinations: 'destinations', acknowledge: 'acknowledge=ALERT_ID' } as const;

/** Start of the reason for a check that was skipped because it writes. */
export const NOT_ALLOWED = 'not compared: needs --allow-writes';

/** A name in a reserved top-level domain [RFC 6761 6.5], so that nothing is ever sent there. */
const NOWHERE = 'https://sandbox-compare.example/hook';

/** One step. `path` may need the id of the object that an earlier step created. */
interface WriteStep {
  readonly name: string;
  readonly clause: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: (id: string) => string;
  readonly json?: unknown;
}

const DESTINATION: readonly WriteStep[] = [
  made('a destination without TLS', '[spec 4]', {
    url: 'http://sandbox-compare.example/hook',
    event_types: ['muster.ended'],
  }),
  made('a destination at a private address', '[decisions 7, Public addresses]', {
    url: 'https://127.0.0.1/hook',
    event_types: ['muster.ended'],
  }),
  made('a destination with credentials', '[decisions 7, Form of a url]', {
    url: 'https://user:password@sandbox-compare.example/hook',
    event_types: ['muster.ended'],
  }),
  made('a destination for no event', '[decisions 7, Subscription]', { url: NOWHERE, event_types: [] }),
  made('a destination for an unknown event', '[spec 4]', { url: NOWHERE, event_types: ['alert.deleted'] }),
  made('a destination with an unknown field', '[decisions 2]', {
    url: NOWHERE,
    event_types: ['muster.ended'],
    urls: [],
  }),
  made('a destination with an empty filter', '[decisions 7, Subscription]', {
    url: NOWHERE,
    event_types: ['muster.ended'],
    filters: { contractors: [] },
  }),
  made('a destination', '[spec 4]', { url: NOWHERE, event_types: ['muster.ended'] }),
  { name: 'the list with the destination', clause: '[spec 4]', method: 'GET', path: () => '/v1/webhooks' },
  { name: 'a new secret', clause: '[spec 4]', method: 'POST', path: (id) => `/v1/webhooks/${id}/rotate-secret` },
  { name: 'the deletion', clause: '[spec 4]', method: 'DELETE', path: (id) => `/v1/webhooks/${id}`, json: {} },
  { name: 'the deletion again', clause: '[decisions 2]', method: 'DELETE', path: (id) => `/v1/webhooks/${id}` },
  {
    name: 'a new secret for a deleted destination',
    clause: '[decisions 2]',
    method: 'POST',
    path: (id) => `/v1/webhooks/${id}/rotate-secret`,
  },
];

function made(name: string, clause: string, json: unknown): WriteStep {
  return { name, clause, method: 'POST', path: () => '/v1/webhooks', json };
}

const ACTOR = { name: 'muster-sandbox' };

const ACKNOWLEDGEMENT: readonly WriteStep[] = [
  updated('an update without the operator', '[spec 4]', { status: 'acknowledged' }),
  updated('an update to an unknown status', '[spec 4]', { status: 'closed', actor: ACTOR }),
  updated('an update with a long note', '[spec 8]', { status: 'acknowledged', actor: ACTOR, note: 'x'.repeat(501) }),
  updated('an acknowledgement', '[spec 3]', { status: 'acknowledged', actor: ACTOR }),
  updated('the acknowledgement again', '[decisions 5, Updates]', { status: 'acknowledged', actor: ACTOR }),
  updated('an acknowledgement with a reason', '[decisions 5, Updates]', {
    status: 'acknowledged',
    actor: ACTOR,
    resolution_reason: 'compare',
  }),
];

function updated(name: string, clause: string, json: unknown): WriteStep {
  return { name, clause, method: 'PATCH', path: (id) => `/v1/alerts/${id}`, json };
}

interface WriteParts {
  readonly service: JudgedService;
  readonly sandbox: ComparedService;
  readonly allowed: AllowedWrites;
  /** Raises an alert in the sandbox, and returns its id. */
  readonly newAlert: () => Promise<string>;
}

/** A step, and the service's answer to it. */
export interface WriteExchange {
  readonly step: string;
  readonly service: ApiExchange;
}

interface ComparedWrites {
  readonly checks: ComparedCheck[];
  readonly exchanges: WriteExchange[];
}

/** Reports each check that is not permitted as not compared, so that the report names the flag that permits it. */
export async function compareWrites(parts: WriteParts): Promise<ComparedWrites> {
  const compared: ComparedWrites = { checks: [], exchanges: [] };
  const { allowed, sandbox, newAlert } = parts;
  if (allowed.destinations) await playSteps(parts, DESTINATION, compared, null);
  else refuse(DESTINATION, compared, WRITES.destinations);
  if (allowed.alertId === null) refuse(ACKNOWLEDGEMENT, compared, WRITES.acknowledge);
  else {
    const { status, body } = await parts.service.call({ method: 'GET', path: `/v1/alerts/${allowed.alertId}` });
    const alert = jsonOf(body);
    const isOpen = status === 200 && isMap(alert) && alert['status'] === 'unacknowledged';
    if (isOpen)
      await playSteps(parts, ACKNOWLEDGEMENT, compared, { service: allowed.alertId, sandbox: await newAlert() });
    else leaveOut(ACKNOWLEDGEMENT, compared, `the alert is not unacknowledged (${sandbox.name} requires this status)`);
  }
  return compared;
}

const refuse = (steps: readonly WriteStep[], compared: ComparedWrites, what: string): void =>
  leaveOut(steps, compared, `${NOT_ALLOWED} ${what}`);

function leaveOut(steps: readonly WriteStep[], { checks }: ComparedWrites, why: string): void {
  for (const { name, clause, method, path } of steps) {
    const request = `${method} ${path('ID')}`;
    const check = {
      name,
      clause,
      request,
      result: 'unknown',
      differences: [why],
      explained: null,
      service: null,
      sandbox: null,
    } as const;
    checks.push(check);
  }
}

/**
 * `begin`: ids of the objects that the steps change; null if the steps create them. Deletes all created objects, even after an
 * error.
 */
async function playSteps(
  { service, sandbox }: WriteParts,
  steps: readonly WriteStep[],
  { checks, exchanges }: ComparedWrites,
  begin: { readonly service: string; readonly sandbox: string } | null,
): Promise<void> {
  const ids = { service: begin?.service ?? null, sandbox: begin?.sandbox ?? null };
  const left = new Set<string>();
  try {
    for (const step of steps) {
      const [theirs, ours] = [requestOf(step, ids.service), requestOf(step, ids.sandbox)];
      // The service created no object, so the step has no target.
      if (theirs === null || ours === null) {
        leaveOut([step], { checks, exchanges }, 'the service created no object');
        continue;
      }
      const answer = await service.call(theirs).catch((error: Error) => error);
      const own = await sandbox.call(ours);
      const found = answer instanceof Error ? [] : service.foundIn(answer);
      const check = { name: step.name, clause: step.clause, request: { ...theirs, path: step.path('ID') } };
      const compared = comparedCheck(check, { theirs: answer, ours: own, found, mayRead: false });
      checks.push(compared);
      if (!(answer instanceof Error)) {
        exchanges.push({ step: step.name, service: answer });
        ids.service = madeBy(step, answer, left) ?? ids.service;
      }
      ids.sandbox = madeBy(step, own, new Set()) ?? ids.sandbox;
    }
  } finally {
    for (const id of left) await service.call({ method: 'DELETE', path: `/v1/webhooks/${id}` }).catch(() => null);
  }
}

function requestOf({ method, path, json }: WriteStep, id: string | null): CheckRequest | null {
  if (id === null && path('ID').includes('ID')) return null;
  return { method, path: path(id ?? ''), ...(json === undefined ? {} : { json: JSON.stringify(json) }) };
}

/** Returns the id of the destination that the step created, or null. `left`: ids of the destinations to be deleted. */
function madeBy(
  { method, path }: WriteStep,
  { status, body, path: sent }: ApiExchange,
  left: Set<string>,
): string | null {
  if (method === 'DELETE' && status === 204) left.delete(sent.split('/').at(-1) ?? '');
  if (method !== 'POST' || path('ID') !== '/v1/webhooks' || status !== 201) return null;
  const value = jsonOf(body);
  const id = isMap(value) ? value['id'] : undefined;
  if (typeof id !== 'string') return null;
  left.add(id);
  return id;
}

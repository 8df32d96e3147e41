/** The condition `request`: calls by a customer's client, from the audit log. */

import { formatInstant } from '../../../base/time/instants.ts';
import { quoted } from '../../../contract/sentences.ts';
import { type Candidate, fittingOf, type ViewScope } from '../../judging/subject.ts';
import type { RecordedRequest } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches } from '../../model/matchers.ts';
import { reportUndefinedIn } from '../../model/read-matcher.ts';
import { filledText, parsedReference, REFERENCES_IN_TEXT } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { company, field, matcher, required } from '../field.ts';
import { count } from './keys.ts';
import { lookForCount, needsOf, unclaimedSince } from './parts.ts';

const TRIGGERS = new Set(['request-answered'] as const);
const WANTED = /^(GET|POST|PATCH|DELETE|HEAD) (\/v1\/\S*)$/;

/** Null: any call. */
type WantedCall = { readonly method: string; readonly called: string } | null;

const call = field<{ readonly wanted: WantedCall }>(
  'text',
  'the method and the path, in which * matches one segment; or any',
  { type: 'string' },
  (wanted, at) => {
    if (wanted === 'any') return { wanted: null };
    const [, method, called] = typeof wanted === 'string' ? (WANTED.exec(wanted) ?? []) : [];
    if (method === undefined || called === undefined)
      return at.mistake(`${quoted(wanted)} is not a call. Write "PATCH /v1/alerts/$fall.id", "GET /v1/events" or any.`);
    return reportUndefinedIn(called, at) ? { wanted: { method, called } } : null;
  },
  'method',
);

/** `request: PATCH /v1/alerts/$fall.id` (`*` matches one path segment); `company`, `status`, `code`, `count`. */
export const REQUEST = defineCondition({
  word: 'request',
  help: 'A call of the API by the customer’s client, from the audit log. Its search starts at the last action or the last "api" step, whichever began later.',
  example: '{request: PATCH /v1/alerts/*, status: 200}',
  lasts: false,
  searches: true,
  sees: 'calls',
  fields: {
    request: required(call),
    company: company('The company of the client.'),
    status: matcher('The HTTP status of the answer.'),
    code: matcher('The problem code of the answer.'),
    count,
  },
  resource: null,
  scopes: [],
  mutation: { isPassing: false },
  read: ({ whole }) => {
    if (whole === null) return null;
    const { request, company: whose = null, status, code, count: wanted } = whole;
    const answer = Object.entries({ status, code }).filter(
      (entry): entry is [string, Matcher] => entry[1] !== undefined,
    );
    const body: Matcher = { kind: 'fields', fields: new Map(answer) };
    const { wanted: call } = request;
    const named = call?.called.match(REFERENCES_IN_TEXT) ?? [];
    const references = named.flatMap((text) => parsedReference(text) ?? []);
    const all = (viewScope: ViewScope) => candidatesOf({ call, company: whose, matcher: body }, viewScope);
    return {
      text: `request ${call === null ? 'any' : `${call.method} ${call.called}`}${whose === null ? '' : ` of ${whose}`}`,
      triggers: TRIGGERS,
      needs: [...references, ...needsOf(body), ...needsOf(wanted)],
      names: null,
      look: (viewScope) => lookForCount(all(viewScope), wanted, viewScope),
      all: (viewScope) => fittingOf(all(viewScope)),
    };
  },
});

interface WantedRequest {
  readonly call: WantedCall;
  readonly company: string | null;
  readonly matcher: Matcher;
}

const keyOf = ({ seq }: RecordedRequest): string => `request ${seq}`;

function candidatesOf({ call, company, matcher }: WantedRequest, viewScope: ViewScope): Candidate[] {
  const path = call === null ? null : filledText(call.called, viewScope.named);
  if (path?.ok === false) return [];
  const parts = path === null ? null : String(path.value).split('/');
  const fits = (one: RecordedRequest) =>
    (call === null || one.method === call.method) &&
    (company === null || one.company === company) &&
    (parts === null || isPath(parts, one.path.split('/')));
  const found = unclaimedSince(viewScope.record.requests, keyOf, viewScope).filter(fits);
  return found.map((one): Candidate => {
    const missed: Mismatch[] = mismatches(matcher, { status: one.status, code: one.code }, viewScope);
    const label = `${one.method} ${one.path}: ${one.status}`;
    const { at, company, path: target, status, code } = one;
    const body = { method: one.method, path: target, company, status, code, at: formatInstant(at) };
    const named = { kind: 'answer', id: `${one.method} ${one.path}`, body } as const;
    return { key: keyOf(one), at: one.at, label, mismatches: missed, named };
  });
}

function isPath(wanted: readonly string[], called: readonly string[]): boolean {
  return wanted.length === called.length && wanted.every((part, i) => part === '*' || part === called[i]);
}

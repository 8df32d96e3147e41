/** The subject `request`: calls by a customer's client, from the audit log. */

import { formatInstant } from '../../../base/instants.ts';
import { quoted } from '../../../contract/sentences.ts';
import type { RecordedRequest } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches } from '../../story/matchers.ts';
import { readMatcher, readOneOf } from '../../story/read-matcher.ts';
import { filledText, parsedReference, REFERENCES_IN_TEXT, reportUndefinedIn } from '../../story/references.ts';
import { lookForCount, needsOf, readCount, reportSubjectKeys } from './parts.ts';
import { type Candidate, type CheckSight, fittingOf, type ReadSubject } from './subject.ts';

const KEYS = ['request', 'company', 'status', 'code', 'count'];
const TRIGGERS = new Set(['request-answered'] as const);
const WANTED = /^(GET|POST|PATCH|DELETE|HEAD) (\/v1\/\S*)$/;

/** `request: PATCH /v1/alerts/$fall.id` (`*` matches one path segment); `company`, `status`, `code`, `count`. */
export const readRequest: ReadSubject = (fields, at) => {
  const { companies } = at;
  reportSubjectKeys(fields, KEYS, at);
  const wanted = fields['request'];
  const [, method, called] = typeof wanted === 'string' ? (WANTED.exec(wanted) ?? []) : [];
  if (method === undefined || called === undefined) {
    if (wanted !== undefined)
      at.of('request').mistake(
        `${quoted(wanted)} is not a call. Write "PATCH /v1/alerts/$fall.id" or "GET /v1/events".`,
      );
    return null;
  }
  const named = reportUndefinedIn(called, at.of('request'));
  const { company } = fields;
  const known =
    company === undefined || readOneOf(company, companies, 'not a company of the story', at.of('company')) !== null;
  const body = new Map<string, Matcher | null>();
  for (const key of ['status', 'code'])
    if (Object.hasOwn(fields, key)) body.set(key, readMatcher(fields[key], at.of(key)));
  const count = readCount(fields, at);
  if (!named || !known || count === null || [...body.values()].includes(null)) return null;
  const matcher: Matcher = { kind: 'fields', fields: body as Map<string, Matcher> };
  const whose = (company as string | undefined) ?? null;
  const references = (called.match(REFERENCES_IN_TEXT) ?? []).flatMap((text) => parsedReference(text) ?? []);
  const all = (sight: CheckSight) => candidatesOf({ method, called, company: whose, matcher }, sight);
  return {
    word: 'request',
    text: `request ${method} ${called}${whose === null ? '' : ` of ${whose}`}`,
    lasts: false,
    triggers: TRIGGERS,
    needs: [...references, ...needsOf(matcher), ...needsOf(count)],
    names: null,
    look: (sight) => lookForCount(all(sight), count, sight),
    all: (sight) => fittingOf(all(sight)),
  };
};

interface WantedRequest {
  readonly method: string;
  readonly called: string;
  readonly company: string | null;
  readonly matcher: Matcher;
}

function candidatesOf({ method, called, company, matcher }: WantedRequest, sight: CheckSight): Candidate[] {
  const path = filledText(called, sight.named);
  if (!path.ok) return [];
  const parts = String(path.value).split('/');
  const fits = (one: RecordedRequest) =>
    one.seq > sight.since &&
    one.method === method &&
    (company === null || one.company === company) &&
    isPath(parts, one.path.split('/')) &&
    !sight.taken.has(`request ${one.seq}`);
  return sight.record.requests.filter(fits).map((one): Candidate => {
    const missed: Mismatch[] = mismatches(matcher, { status: one.status, code: one.code }, sight);
    const label = `${one.method} ${one.path}: ${one.status}`;
    const { at, company, path: target, status, code } = one;
    const body = { method, path: target, company, status, code, at: formatInstant(at) };
    const named = { kind: 'answer', id: `${one.method} ${one.path}`, body } as const;
    return { key: `request ${one.seq}`, at: one.at, label, mismatches: missed, named };
  });
}

function isPath(wanted: readonly string[], called: readonly string[]): boolean {
  return wanted.length === called.length && wanted.every((part, i) => part === '*' || part === called[i]);
}

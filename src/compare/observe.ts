/**
 * Sends the contract's read-only checks to a service and to a sandbox, and compares what they answer: status, code, headers and
 * shape of the body. What a world has in it differs, so values are not compared. [cli, compare]
 */
import { isMap } from '../contract/schema.ts';
import { type CheckRequest, type ComparedService, READ_CHECKS } from './checks.ts';
import { type ComparedCheck, comparedCheck, jsonOf } from './compared-check.ts';
import type { ApiExchange, Deviation } from './exchange.ts';
import type { ContractJudge } from './judge.ts';

interface ObserveParts {
  readonly service: ComparedService;
  readonly sandbox: ComparedService;
  /** Judges the service's answers. */
  readonly judge: ContractJudge;
  readonly onCheck: (check: ComparedCheck) => void;
}

/** The checks as they compared, and what of the service's answers does not fit the contract. */
export async function observe({ service, sandbox, judge, onCheck }: ObserveParts): Promise<{
  readonly checks: readonly ComparedCheck[];
  readonly deviations: readonly Deviation[];
}> {
  const checks: ComparedCheck[] = [];
  const deviations: Deviation[] = [];
  for (const check of READ_CHECKS) {
    const theirs = await service.call(check.request).catch((error: Error) => error);
    // Nothing was answered at all: the address or the client is wrong, and the other checks would say it again.
    if (theirs instanceof Error && checks.every((one) => one.service === null)) throw theirs;
    const ours = await sandbox.call(check.request);
    const found = theirs instanceof Error ? [] : judge.add(theirs);
    if (!(theirs instanceof Error)) {
      deviations.push(...found);
      for (const request of followUps(check.request, theirs)) {
        const answer = await service.call(request).catch(() => null);
        if (answer !== null) deviations.push(...judge.add(answer));
      }
    }
    const compared = comparedCheck(check, theirs, ours, found);
    checks.push(compared);
    onCheck(compared);
  }
  return { checks, deviations };
}

/** What can be read further where a list has something: its next page, its first object, and what belongs to that. Only judged. */
function followUps({ method, path, query, token }: CheckRequest, { status, body }: ApiExchange): CheckRequest[] {
  if (method !== 'GET' || status !== 200 || token !== undefined || (query !== undefined && !query.startsWith('limit')))
    return [];
  const value = jsonOf(body);
  const { data, next_cursor: cursor } = isMap(value) ? value : {};
  const page =
    typeof cursor === 'string' ? [{ method, path, query: `limit=2&cursor=${encodeURIComponent(cursor)}` }] : [];
  if (query !== undefined) return page;
  const [first] = Array.isArray(data) ? data : [];
  const id = isMap(first) ? first['id'] : undefined;
  if (typeof id === 'string' && path === '/v1/sites')
    return [...page, { method, path: `${path}/${encodeURIComponent(id)}/zones` }];
  if (typeof id !== 'string' || !HAS_OBJECTS.test(path)) return page;
  const object = { method, path: `${path}/${encodeURIComponent(id)}` };
  return [...page, object, ...(path === '/v1/musters' ? [{ method, path: `${object.path}/missing` }] : [])];
}

/** Lists whose objects can be read one by one. */
const HAS_OBJECTS = /^\/v1\/(alerts|musters)$/;

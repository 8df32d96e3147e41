/** Links each difference to the report row that explains it, so that one cause is one row. [cli, compare] */
import type { ObservableId } from '../../contract/gaps.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { type ComparedCheck, deviationName, isUnknownCode } from './compared-check.ts';
import type { Deviation } from './exchange.ts';
import type { PointRow } from './open-points/rows.ts';

interface FoundRows {
  readonly checks: readonly ComparedCheck[];
  readonly deviations: readonly Deviation[];
  readonly points: readonly PointRow[];
}

export function folded({ checks, deviations, points }: FoundRows): FoundRows {
  const linked = checks.map((check) => linkedToPoint(check, points));
  const rows = points.map((row) => linkedToDeviation(row, { checks: linked, deviations, points }));
  // An open point with another reading than the first explains the deviations that this reading allows.
  const explains = new Set(rows.filter(hasOtherReading).map(({ id }) => id));
  const left = deviations.filter(({ point }) => point === undefined || !explains.has(point));
  return {
    checks: linkedToFirst(linked.map((check) => linkedToQuery(check, left))),
    deviations: left,
    points: rows.map((row) => withDecision(row, linked)),
  };
}

/** True if the service has a reading of the table other than the first one, even if the sandbox has the same reading. */
const hasOtherReading = ({ observed, readings }: PointRow): boolean =>
  observed !== null && observed !== 'otherwise' && readings.indexOf(observed) > 0;

/** True if the service has a reading of the table that the sandbox does not have. */
const isReadOtherwise = (row: PointRow): boolean =>
  row.result === 'otherwise' && row.observed !== 'otherwise' && row.readings.includes(row.observed ?? '');

function linkedToPoint(check: ComparedCheck, points: readonly PointRow[]): ComparedCheck {
  if (check.result !== 'different') return check;
  const { open, service } = check;
  const row = points.find(({ id }) => id === (isUnknownCode(check) ? 'codes' : open?.point));
  if (row?.result !== 'otherwise') return check;
  const isOfReading = isReadOtherwise(row) && service?.status === open?.statuses[row.observed ?? ''];
  if (!isOfReading && row.id !== 'codes') return check;
  return { ...check, result: 'explained', explained: `${POINT} ${row.number} ${row.id}` };
}

/** Adds the clause of the sandbox's reading, which comes from a check that the point explains. */
function withDecision(row: PointRow, checks: readonly ComparedCheck[]): PointRow {
  const explained = checks.find(({ open, result }) => open?.point === row.id && result === 'explained');
  return row.result === 'otherwise' && explained !== undefined ? { ...row, decision: explained.clause } : row;
}

/** Links a check to the deviation that the judge found: the contract refuses the request, and no reading allows it. */
function linkedToQuery(check: ComparedCheck, deviations: readonly Deviation[]): ComparedCheck {
  const { result, open, clause } = check;
  const found = deviations.find((one) => one.point !== undefined && one.point === open?.point && one.clause === clause);
  return result !== 'different' || found === undefined
    ? check
    : { ...check, result: 'explained', explained: deviationName(found) };
}

/** If several checks have the same difference, only the first one is reported as different. */
function linkedToFirst(checks: readonly ComparedCheck[]): ComparedCheck[] {
  const first = new Map<string, ComparedCheck>();
  return checks.map((check) => {
    if (check.result !== 'different') return check;
    const key = `${check.clause} ${check.differences.join('; ')}`;
    const before = first.get(key);
    first.set(key, before ?? check);
    return before === undefined ? check : { ...check, result: 'explained', explained: `the same as ${before.request}` };
  });
}

/** Start of a reference to an open point. */
const POINT = 'open point';

/** Deviations that concern an open point, where the specification itself leaves no choice. */
const ABOUT: readonly { readonly point: ObservableId; readonly fits: (deviation: Deviation) => boolean }[] = [
  { point: 'severities', fits: ({ rule, pointer }) => rule === 'severity' || isBody(rule, pointer, /\/severity$/) },
  {
    point: 'details-mapping',
    fits: ({ rule, pointer }) => rule === 'details' || isBody(rule, pointer, /\/details(\/|$)/),
  },
  { point: 'title-form', fits: ({ rule, pointer }) => rule === 'title' || isBody(rule, pointer, /\/title$/) },
  {
    point: 'muster-statuses',
    fits: ({ rule, pointer }) => rule === 'totals' || isBody(rule, pointer, /\/totals(\/|$)/),
  },
  {
    point: 'muster-closing',
    fits: ({ rule, pointer }) => rule === 'closing' || isBody(rule, pointer, /\/totals(\/|$)/),
  },
  { point: 'missing-order', fits: ({ rule, operation }) => rule === 'order' && operation.endsWith('/missing') },
  { point: 'versions', fits: ({ rule, pointer }) => isBody(rule, pointer, /\/api_version$/) },
  { point: 'id-versions', fits: ({ rule, pointer }) => isBody(rule, pointer, /(^|\/)id$/) },
  { point: 'codes', fits: ({ rule, pointer }) => rule === 'problem' && pointer === '/code' },
];
const isBody = (rule: string, pointer: string, place: RegExp): boolean => rule === 'body' && place.test(pointer);

/** Sets a point to `not known` if it differs and a deviation or a check already reports the difference. */
function linkedToDeviation(row: PointRow, { checks, deviations }: FoundRows): PointRow {
  if (row.result !== 'otherwise') return row;
  const about = ABOUT.filter(({ point }) => point === row.id);
  const deviation = deviations.find((one) => about.some(({ fits }) => fits(one)));
  const check = isReadOtherwise(row)
    ? undefined
    : checks.find(({ open, result, service, explained }) => {
        const isDifferent = result === 'different' || (result === 'explained' && explained?.startsWith(POINT) !== true);
        const isOfCodes = row.id === 'codes' && !Object.hasOwn(PROBLEMS, service?.code ?? 'none');
        return isDifferent && (open?.point === row.id || isOfCodes);
      });
  const clause = deviation?.clause ?? check?.clause;
  return clause === undefined
    ? row
    : { ...row, result: 'not known', observed: null, why: `the difference is reported as a deviation from ${clause}` };
}

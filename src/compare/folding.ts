/** One cause is one row of the report: differences that another row explains are linked to it. [cli, compare] */
import type { ObservableId } from '../contract/gaps.ts';
import { PROBLEMS } from '../contract/problems.ts';
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
  // An open point with a reading of its own explains what is found because of it.
  const explains = new Set(rows.filter(hasOtherReading).map(({ id }) => id));
  const left = deviations.filter(({ point }) => point === undefined || !explains.has(point));
  return {
    checks: linkedToFirst(linked.map((check) => linkedToQuery(check, left))),
    deviations: left,
    points: rows.map((row) => withDecision(row, linked)),
  };
}

/** A reading of the table of open points that is not the first one, whether or not the sandbox has it too. */
const hasOtherReading = ({ observed, readings }: PointRow): boolean =>
  observed !== null && observed !== 'otherwise' && readings.indexOf(observed) > 0;

/** A reading of the table that the sandbox does not have. */
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

/** The clause of this sandbox's own reading, as the checks name it that the point explains. */
function withDecision(row: PointRow, checks: readonly ComparedCheck[]): PointRow {
  const explained = checks.find(({ open, result }) => open?.point === row.id && result === 'explained');
  return row.result === 'otherwise' && explained !== undefined ? { ...row, decision: explained.clause } : row;
}

/** A request that the contract refuses, and that no reading allows: the judge has found it too. */
function linkedToQuery(check: ComparedCheck, deviations: readonly Deviation[]): ComparedCheck {
  const { result, open, clause } = check;
  const found = deviations.find((one) => one.point !== undefined && one.point === open?.point && one.clause === clause);
  return result !== 'different' || found === undefined
    ? check
    : { ...check, result: 'explained', explained: deviationName(found) };
}

/** Of several checks with the same difference, the first one is reported. */
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

/** How the reference to an open point begins. */
const POINT = 'open point';

/** What a deviation says of an open point: the specification itself leaves no choice there. */
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

/** A point that is read as no reading allows, where a deviation or a check says so already. */
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
    : { ...row, result: 'not known', observed: null, why: `what differs is reported as a deviation from ${clause}` };
}

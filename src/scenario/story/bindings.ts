/** Parameters, matrix and cases: which runs a file expands to, and the file with their values substituted. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';

/** Values by parameter name; `$name` refers to one. */
export type Values = JsonMap;

/** Limits of runs per file: above the first it is a mistake, above the second a warning. */
const MOST_CASES = 500;
const MANY_CASES = 50;

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)$/;

export interface Bindings {
  /** Defaults, overridden by `--set`. */
  readonly params: Values;
  /** One per run; empty for a file without a matrix or cases. */
  readonly cases: readonly Values[];
}

/** Reads `params`, `matrix` and `cases`; `set` wins over the defaults. */
export function readBindings(value: JsonMap, report: Report, set: Values = {}): Bindings {
  const params = readParams(value, report);
  for (const name of Object.keys(set)) {
    if (Object.hasOwn(params, name)) continue;
    const known = Object.keys(params);
    const what = known.length === 0 ? ' The file has no params.' : didYouMean(name, known);
    report.mistake([], `${quoted(name)} is set, but is not a parameter.${what}`);
  }
  if (Object.hasOwn(value, 'matrix') && Object.hasOwn(value, 'cases')) {
    report.mistake(['cases'], 'A file has matrix (every combination) or cases (a list), not both. Delete one.', 'key');
  }
  const cases = Object.hasOwn(value, 'matrix') ? readMatrix(value, report) : readCases(value, report);
  for (const name of new Set(cases.flatMap((one) => Object.keys(one)))) {
    if (!Object.hasOwn(params, name)) continue;
    const key = Object.hasOwn(value, 'matrix') ? ['matrix', name] : ['params', name];
    report.mistake(key, `${quoted(name)} is a parameter already. Write another name.`, 'key');
  }
  const from = Object.hasOwn(value, 'matrix') ? 'matrix' : 'cases';
  if (cases.length > MOST_CASES)
    report.mistake([from], `These are ${cases.length} runs. Write at most ${MOST_CASES}.`, 'key');
  else if (cases.length > MANY_CASES) report.warning([from], `These are ${cases.length} runs.`, 'key');
  return { params: { ...params, ...set }, cases: cases.length > MOST_CASES ? [] : cases };
}

function readParams({ params }: JsonMap, report: Report): Values {
  if (params === undefined) return {};
  if (!isMap(params)) {
    report.mistake(['params'], `${shown(params)} is not a map of parameters. Write params: {silence: 30s}.`);
    return {};
  }
  return namedValues(params, ['params'], report);
}

/** The cartesian product; the last name varies fastest. */
function readMatrix({ matrix }: JsonMap, report: Report): Values[] {
  if (!isMap(matrix) || Object.keys(matrix).length === 0) {
    if (matrix !== undefined)
      report.mistake(['matrix'], `${shown(matrix)} is not a map of lists. Write matrix: {fault: [503, reset]}.`);
    return [];
  }
  let cases: Values[] = [{}];
  for (const [name, list] of Object.entries(namedValues(matrix, ['matrix'], report))) {
    if (!Array.isArray(list) || list.length === 0) {
      report.mistake(['matrix', name], `${shown(list)} is not a list of values. Write ${name}: [503, reset].`);
      continue;
    }
    if (cases.length * list.length > MOST_CASES * 2) continue;
    cases = cases.flatMap((one) => list.map((item: unknown) => ({ ...one, [name]: item })));
  }
  return cases;
}

function readCases({ cases }: JsonMap, report: Report): Values[] {
  if (cases === undefined) return [];
  if (!Array.isArray(cases) || cases.length === 0 || !cases.every(isMap)) {
    report.mistake(['cases'], `${shown(cases)} is not a list of cases. Write cases: [{fault: 503}, {fault: reset}].`);
    return [];
  }
  const names = [...new Set(cases.flatMap((one) => Object.keys(one)))];
  return cases.map((one, i) => {
    const missing = names.filter((name) => !Object.hasOwn(one, name));
    if (missing.length > 0)
      report.mistake(['cases', i], `This case does not say ${missing.map(quoted).join(' or ')}, as others do.`);
    return namedValues(one, ['cases', i], report);
  });
}

function namedValues(values: JsonMap, path: Path, report: Report): JsonMap {
  for (const name of Object.keys(values)) {
    if (!NAME.test(name))
      report.mistake([...path, name], `${quoted(name)} is not a name. Write letters and digits.`, 'key');
  }
  return values;
}

/** Substitutes every value that is exactly `$name`. */
export function withValues(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const [, name] = REFERENCE.exec(value) ?? [];
    return name !== undefined && Object.hasOwn(values, name) ? values[name] : value;
  }
  if (Array.isArray(value)) return value.map((item) => withValues(item, values));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withValues(item, values)]));
}

/** A case as the command line takes it: `fault=slow,side=left`. */
export function shownCase(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(',');
}

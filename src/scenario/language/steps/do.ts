/** The step `do`: runs the steps of a macro with the given parameters, in a separate scope of names. [scenario-language, Fine print] */

import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { type Path, type Report, shown } from '../../../plant/mistakes.ts';
import { type Macro, readName, type ScenarioReading } from '../../model/read-matcher.ts';
import type { GivenKind, Reference, ScenarioNames } from '../../model/references.ts';
import { type DoBody, type ScenarioStep, withValues } from '../../model/scenario.ts';
import { aloneFor, anything, field, required } from '../field.ts';
import { map, reportUnknownKeys } from '../read-map.ts';
import { defineStep, FREE } from '../step.ts';

/** Maximum nesting of macros. */
const DEEPEST_DO = 8;

/** Hidden name for the last object that a macro finds, if the macro does not name it. */
const LAST = '(last)';

/** `do: {macro: name, with: {a: ...}}`. */
export const DO = defineStep({
  word: 'do',
  group: 'flow',
  help: 'Runs the steps of a macro with the given parameters.',
  example: '{macro: attend, with: {alert: $sos}}',
  modifiers: ['as'],
  value: map('The macro and its arguments.', {
    word: 'do',
    write: (_value, { macros }) => [...macros.keys()][0] ?? 'name',
    alone: aloneFor('macro', 'attend', { type: 'string' }),
    fields: {
      macro: required(field('text', 'A macro of the file.', { type: 'string' }, (value) => value)),
      with: anything('A value for each of its parameters.'),
    },
  }),
  mutation: { kind: 'none', why: 'The steps of a macro are mutated in its definition.' },
  permission: FREE,
  *read({ given }, at) {
    const { macros, doing } = at;
    if (given['macro'] === undefined) return null;
    const name = readName(given['macro'], [...macros.keys()], 'not a macro', at.of('macro'));
    const macro = name === null ? undefined : macros.get(name);
    if (name === null || macro === undefined) return null;
    if (doing.includes(name) || doing.length >= DEEPEST_DO) {
      const why = doing.includes(name) ? 'does itself' : `stands ${DEEPEST_DO} macros deep`;
      return at.of('macro').mistake(`${quoted(name)} ${why}, so it would never end. Write its steps here.`);
    }
    at.budget?.takeValue(given['with']);
    const args = withOf(name, macro.params, given['with'], at.of('with'));
    if (args === null) return null;
    const own = new Set([...macro.params, ...namesIn(macro.steps)]);
    const names = at.names.ofMacro(own);
    const handing = handedIn(args, own, names, at.of('with'));
    if (handing === null) return null;
    const values = { ...at.values, ...handing.values };
    const inner: ScenarioReading = {
      ...at,
      report: reportOnArguments(at, macro, handing.values),
      path: macro.path,
      doing: [...doing, name],
      calls: [...(at.calls ?? []), at.placeOf(at.path)],
      names,
      values,
    };
    const expanded = withValues(macro.steps, handing.values);
    at.budget?.takeValue(expanded);
    const steps = yield* at.readSteps(expanded, inner);
    const found = lastFound(steps);
    const body: DoBody = {
      kind: 'do',
      steps: found?.steps ?? steps,
      handed: handing.handed,
      own: [...own],
      last: found === null ? null : { name: found.name, kind: found.kind },
    };
    const argTexts = Object.entries(args).map(([key, item]) => `${key} ${String(item)}`);
    return { body, text: [`do ${name}`, ...argTexts].join(', '), names: found?.kind ?? null };
  },
});

/** Reads the arguments; every parameter is required. */
function withOf(name: string, params: readonly string[], given: unknown, at: ScenarioReading): JsonMap | null {
  const values = given ?? {};
  if (!isMap(values))
    return at.mistake(`${shown(given)} is not what the macro gets. Write with: {${params.join(': ..., ')}: ...}.`);
  let whole = reportUnknownKeys(values, params, `is not a parameter of ${quoted(name)}`, at);
  for (const key of params) {
    if (Object.hasOwn(values, key)) continue;
    whole = false;
    at.report.mistake(at.path.slice(0, -1), `${quoted(name)} needs ${quoted(key)}. Write with: {${key}: ...}.`, 'key');
  }
  return whole ? values : null;
}

/** Reports a mistake in a substituted argument at the `do` that gives it, not at the parameter in the macro. */
function reportOnArguments(at: ScenarioReading, macro: Macro, values: JsonMap): Report {
  const { report } = at;
  const given = (path: Path): Path => {
    let value: unknown = macro.steps;
    for (const [i, key] of path.slice(macro.path.length).entries()) {
      value = Array.isArray(value) || isMap(value) ? (value as Record<string | number, unknown>)[key] : undefined;
      const name = typeof value === 'string' && value.startsWith('$') ? value.slice(1) : null;
      if (name !== null && Object.hasOwn(values, name))
        return [...at.of('with', name).path, ...path.slice(macro.path.length + i + 1)];
    }
    return path;
  };
  return {
    mistake: (path, message, spot, fix) => report.mistake(given(path), message, spot, fix),
    missing: (path, message, spot) => (report.missing ?? report.mistake)(given(path), message, spot),
    warning: (path, message, spot) => report.warning(given(path), message, spot),
    note: (path, message, spot) => report.note?.(given(path), message, spot),
    sameFile: (one, other) => report.sameFile?.(one, other) ?? true,
    writtenAt: (path) => report.writtenAt?.(given(path)),
    boundAt: (name) => report.boundAt?.(name),
  };
}

/** Returns every name that the steps of a macro, or a step, bind. */
export function namesIn(steps: unknown): string[] {
  if (Array.isArray(steps)) return steps.flatMap(namesIn);
  if (!isMap(steps)) return [];
  const { as, ...rest } = steps;
  return [...(typeof as === 'string' ? [as] : []), ...Object.values(rest).flatMap(namesIn)];
}

interface Handing {
  /** Parameters substituted by value. */
  readonly values: JsonMap;
  /** References of the caller, by their names in the macro. */
  readonly handed: DoBody['handed'];
}

/**
 * An argument `$name` is passed by reference; any other value is substituted. References within lists and maps get
 * generated names. Returns null after reporting an unknown name.
 */
function handedIn(
  given: JsonMap,
  own: ReadonlySet<string>,
  names: ScenarioNames,
  place: ScenarioReading,
): Handing | null {
  const handed: { name: string; reference: Reference }[] = [];
  const values: Record<string, unknown> = {};
  let whole = true;
  const hand = (name: string, text: string, at: ScenarioReading): boolean => {
    const reference = at.names.read(text, at);
    if (reference === null) return false;
    handed.push({ name, reference });
    const kind = at.names.kindOf(reference);
    names.give(name, kind === 'value' ? 'any' : kind, reference.line, at);
    return true;
  };
  let generated = 0;
  const inside = (value: unknown, at: ScenarioReading): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown, i) => inside(item, at.of(i)));
    if (isMap(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, at.of(key))]));
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    // The name is unique per depth, so that a nested macro does not shadow it.
    const depth = `handed-${place.doing.length + 1}`;
    let name = `${depth}-${++generated}`;
    while (own.has(name)) name = `${depth}-${++generated}`;
    whole = hand(name, value, at) && whole;
    return `$${name}`;
  };
  for (const [key, value] of Object.entries(given)) {
    const at = place.of(key);
    if (typeof value === 'string' && value.startsWith('$')) whole = hand(key, value, at) && whole;
    else {
      names.give(key, 'value', place.placeOf(at.path).line, at);
      values[key] = inside(value, at);
    }
  }
  return whole ? { values, handed } : null;
}

interface LastFound {
  readonly name: string;
  readonly kind: GivenKind;
  /** The steps, changed so that the step that finds the object binds the hidden name. */
  readonly steps: readonly ScenarioStep[];
}

/** Returns the last object that the steps find: the subject of the last check, or the result of an action. */
function lastFound(steps: readonly ScenarioStep[]): LastFound | null {
  for (let i = steps.length - 1; i >= 0; i--) {
    const found = foundBy(steps[i]!);
    if (found !== null) return { ...found, steps: steps.with(i, found.step) };
  }
  return null;
}

function foundBy(step: ScenarioStep): (Omit<LastFound, 'steps'> & { readonly step: ScenarioStep }) | null {
  const named = (kind: GivenKind | null) =>
    kind === null ? null : { name: step.as ?? LAST, kind, step: { ...step, as: step.as ?? LAST } };
  switch (step.kind) {
    case 'check':
      return step.verb === 'never' ? null : named(step.subject.names);
    case 'action':
      return step.as === null ? null : named(step.names);
    case 'api':
      return step.as === null ? null : named('answer');
    case 'do':
      return named(step.last?.kind ?? null);
    case 'repeat':
    case 'together': {
      const found = lastFound(step.steps);
      return found === null ? null : { ...found, step: { ...step, steps: found.steps } };
    }
    default:
      return null;
  }
}

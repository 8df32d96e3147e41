/** The condition `probe`: the reply of the user's own system, alone or compared with the alerts or musters of the API. */
import { Alert, Muster } from '../../../contract/resources.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean, shown } from '../../../plant/mistakes.ts';
import type { IsSettled, ProbeCheck, ViewScope } from '../../judging/subject.ts';
import { flowOf } from '../../model/flow.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../model/matchers.ts';
import { readName, type ScenarioReading } from '../../model/read-matcher.ts';
import { idOf } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, matcher, required } from '../field.ts';
import { count } from './keys.ts';
import { describeAlert, needsOf, readObjectFields } from './parts.ts';

const TRIGGERS = new Set(['alert-changed', 'muster-changed', 'delivery-attempted', 'request-answered'] as const);

/** The lists with which a reply can be compared: the words that select their objects, and the schema of an object. */
const COMPARED = {
  alerts: { which: ['open', 'all'], schema: Alert, noun: 'an alert' },
  musters: { which: ['active', 'all'], schema: Muster, noun: 'a muster' },
} as const;
type ComparedList = keyof typeof COMPARED;
const COMPARABLE = Object.keys(COMPARED) as ComparedList[];

const FIELDS = {
  probe: required(
    field<string>('one-of', 'the name of a probe', { type: 'string' }, (value, at) =>
      readName(value, at.probes ?? [], 'not a probe', at),
    ),
  ),
  same_as: field(
    'map',
    'The list must contain exactly the ids of {alerts: open}, {alerts: all}, {musters: active} or {musters: all}. Further keys are fields that these objects must have.',
    { type: 'object' },
    readSameAs,
  ),
  distinct: field<true>('flag', 'true: the list must not contain duplicates.', { enum: [true] }, (value, at) =>
    value === true ? true : at.mistake(`${shown(value)} has no effect. Write distinct: true.`),
  ),
  value: matcher('The required answer.'),
  count,
};

/** The keys that state a requirement for the reply. */
const DEMANDS = Object.keys(FIELDS).filter((key) => key !== 'probe');

/** `probe: open_alerts` with `same_as`, `distinct`, `value` or `count`. */
export const PROBE = defineCondition({
  word: 'probe',
  help: 'The current answer of your own system. Use it only in rules: with always, or in "followed_by".',
  example: '{probe: open_alerts, same_as: {alerts: open}}',
  lasts: true,
  sees: 'own-system',
  fields: FIELDS,
  resource: null,
  scopes: [],
  mutation: { isPassing: false },
  read: ({ given, whole }, at) => {
    const keys = DEMANDS.filter((key) => Object.hasOwn(given, key));
    if (keys.length === 0)
      at.mistake('What must the answer be? Write same_as, distinct, value or count beside it.', 'key');
    if (whole === null) return null;
    const { probe: name, same_as: sameAs, distinct, value, count: wanted } = whole;
    const judge: ProbeCheck['judge'] = (answer, viewScope, isSettled) => [
      ...(sameAs === undefined ? [] : differences(name, answer, sameAs, viewScope, isSettled)),
      ...(distinct === undefined ? [] : twice(name, answer)),
      ...(value === undefined || !isSettled(null) ? [] : mismatches(value, answer, viewScope, name)),
      ...(wanted === undefined || !isSettled(null)
        ? []
        : mismatches(wanted, listed(answer)?.length, viewScope, `${name}: count`)),
    ];
    const demands = keys.map((key) => (key === 'same_as' ? `same as ${wordsOf(given['same_as'])}` : key));
    return {
      text: `probe ${name} ${demands.join(', ')}`,
      triggers: TRIGGERS,
      needs: [...needsOf(sameAs?.matcher), ...needsOf(value), ...needsOf(wanted)],
      names: null,
      all: null,
      probe: { name, judge },
      look: () => ({ matched: false, mismatches: [], candidates: 0 }),
    };
  },
});

interface SameAs {
  readonly of: ComparedList;
  readonly isAll: boolean;
  readonly matcher: Matcher;
}

/**
 * Reads `{alerts: open}` or `{musters: active}` with any fields of the object; returns null after reporting a mistake.
 */
function readSameAs(value: unknown, at: ScenarioReading): SameAs | null {
  const given = isMap(value) ? COMPARABLE.filter((of) => Object.hasOwn(value, of)) : [];
  const [of] = given;
  if (of === undefined || given.length > 1 || !isMap(value))
    return at.mistake(`${shown(value)} is nothing to compare with. Write {alerts: open} or {musters: active}.`);
  const { which: words, schema, noun } = COMPARED[of];
  const which = words.find((word) => word === value[of]);
  if (which === undefined) at.of(of).mistake(`${quoted(value[of])} is not which ${of}.${didYouMean(value[of], words)}`);
  const { matcher, whole } = readObjectFields(value, [of], at);
  reportMisshapen(matcher, schema, noun, at);
  return which === undefined || !whole ? null : { of, isAll: which === 'all', matcher };
}

const wordsOf = (value: unknown): string =>
  Object.entries(value as JsonMap)
    .map(([key, item]) =>
      key in COMPARED ? `${String(item)} ${key}` : `${key} ${isMap(item) ? flowOf(item) : String(item)}`,
    )
    .join(' ');

const listed = (answer: unknown): readonly unknown[] | undefined => (Array.isArray(answer) ? answer : undefined);

/** Objects are compared one by one, so that a very recent change of one object affects only that object. */
function differences(
  name: string,
  answer: unknown,
  { of, isAll, matcher }: SameAs,
  viewScope: ViewScope,
  isSettled: IsSettled,
): Mismatch[] {
  const items = listed(answer);
  if (items === undefined) return [{ path: name, expected: 'a list', got: shown(answer) }];
  const got = new Set(items.map((item) => idOf(item) ?? JSON.stringify(item)));
  const known = new Map(knownOf(of, viewScope).map((one) => [one.id, one]));
  const wanted = [...known.values()].filter(
    ({ isOpen, object }) => (isAll || isOpen) && mismatches(matcher, object, viewScope).length === 0,
  );
  const ids = new Set(wanted.map(({ id }) => id));
  return [
    ...wanted
      .filter(({ id }) => !got.has(id) && isSettled(id))
      .map(({ id, label }) => ({ path: name, expected: label, got: 'no such item', objectId: id })),
    ...[...got]
      .filter((id) => !ids.has(id) && isSettled(id))
      .map((id) => ({
        path: name,
        expected: 'not in the list',
        got: known.get(id)?.label ?? `${id}, which is no ${of.slice(0, -1)} of the API`,
        objectId: id,
      })),
  ];
}

interface KnownObject {
  readonly id: string;
  readonly object: Alert | Muster;
  readonly isOpen: boolean;
  readonly label: string;
}

function knownOf(of: ComparedList, viewScope: ViewScope): KnownObject[] {
  const { record } = viewScope;
  if (of === 'alerts')
    return [...record.alerts.values()].map(({ alert }) => {
      const { id, status } = alert;
      return {
        id,
        object: alert,
        isOpen: status !== 'resolved',
        label: `${describeAlert(alert, viewScope)}, ${status}`,
      };
    });
  return [...record.musters.values()].map(({ muster }) => {
    const { id, kind, status, site } = muster;
    return { id, object: muster, isOpen: status === 'active', label: `${kind} muster at ${site.name}, ${status}` };
  });
}

function twice(name: string, answer: unknown): Mismatch[] {
  const items = listed(answer);
  if (items === undefined) return [{ path: name, expected: 'a list', got: shown(answer) }];
  const texts = items.map((item) => JSON.stringify(item));
  const again = texts.find((text, i) => texts.indexOf(text) !== i);
  return again === undefined ? [] : [{ path: name, expected: 'each once', got: `${again} more than once` }];
}

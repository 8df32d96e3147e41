/** The condition `watch`: the screen of an emulated watch. */
import { DownAlertState, DownPrompt, DownVehicle, MusterNotice } from '../../../contract/watch.ts';
import { didYouMean, shown } from '../../../plant/mistakes.ts';
import type { WatchScreen } from '../../judging/looks.ts';
import type { ViewScope } from '../../judging/subject.ts';
import { type Matcher, type Mismatch, mismatches } from '../../model/matchers.ts';
import { defineCondition, type Resource } from '../condition.ts';
import { field, required } from '../field.ts';
import { person } from './keys.ts';
import { ofPeople } from './looked-at.ts';

const SHOWS = ['prompt', 'alert', 'muster', 'rest', 'vehicle', 'nothing'] as const;
type Shows = (typeof SHOWS)[number];

/** A form of values that other keys have. */
const MATCHER_FORM = /^(?:not |one of |\/)/;
const WRITE_ONE = ` Write ${SHOWS.slice(0, -1).join(', ')} or ${SHOWS.at(-1)}.`;

const shows = field<Shows>(
  'one-of',
  `${SHOWS.slice(0, -1).join(', ')} or nothing: one word, and no other form of values. Further keys are fields of what the watch shows.`,
  { enum: SHOWS },
  (value, at) => {
    const known = SHOWS.find((one) => one === value);
    if (known !== undefined) return known;
    return at.mistake(
      `${shown(value)} is not what a watch shows.${MATCHER_FORM.test(String(value)) ? WRITE_ONE : didYouMean(String(value), SHOWS)}`,
    );
  },
);

/** All fields of everything that a watch can show. */
const screen: Resource = {
  schema: {
    properties: {
      ...DownPrompt.properties,
      ...DownAlertState.properties,
      ...DownVehicle.properties,
      ...MusterNotice.properties,
    },
  },
  noun: 'a watch',
};

/** `watch: ana`, `shows` (prompt, alert, muster, rest, vehicle, nothing) and the fields of what it shows. */
export const WATCH = defineCondition({
  word: 'watch',
  help: 'The content of the screen of a watch.',
  example: '{watch: ana, shows: prompt}',
  lasts: true,
  sees: 'screen',
  fields: { watch: required(person('a worker')), shows },
  resource: screen,
  shapeOf: (given) => {
    if (given['shows'] === 'alert') return { schema: DownAlertState, noun: 'an alert on the watch' };
    return given['shows'] === 'muster' ? { schema: MusterNotice, noun: 'a muster on the watch' } : null;
  },
  scopes: ['alerts:read', 'musters:read'],
  mutation: { isPassing: true },
  read: ({ given, whole, body }, at) => {
    if (!Object.hasOwn(given, 'shows'))
      return at.mistake(`"watch" needs "shows". Write shows: ${SHOWS.join(', ')}.`, 'key');
    if (whole === null || body === null || whole.shows === undefined) return null;
    const { watch: who, shows: wanted } = whole;
    return ofPeople('watch', who, given, body, null, (viewScope, id) => {
      const found = viewScope.look.watch(id);
      if (found === null) return { missed: [{ path: 'watch', expected: 'an emulated watch', got: '(absent)' }] };
      return { missed: screenMismatches(wanted, body, found, viewScope) };
    });
  },
});

function screenMismatches(wanted: Shows, matcher: Matcher, found: WatchScreen, viewScope: ViewScope): Mismatch[] {
  const visible = visibleOn(found);
  const got = visible.length === 0 ? 'nothing' : visible.join(', ');
  if (wanted === 'nothing') return visible.length === 0 ? [] : [{ path: 'shows', expected: 'nothing', got }];
  if (!visible.includes(wanted)) return [{ path: 'shows', expected: wanted, got }];
  if (wanted === 'rest') return [];
  const bodies = wanted === 'alert' ? found.alerts : [found[wanted]];
  const attempts = bodies.map((body) => mismatches(matcher, body, viewScope));
  return attempts.reduce((best, one) => (one.length < best.length ? one : best), attempts[0] ?? []);
}

/** What the screen shows. A watch can show several things at once. */
export function visibleOn({ prompt, alerts, muster, rest, vehicle }: WatchScreen): Exclude<Shows, 'nothing'>[] {
  return [
    ...(prompt === null ? [] : (['prompt'] as const)),
    ...(alerts.length === 0 ? [] : (['alert'] as const)),
    ...(muster === null ? [] : (['muster'] as const)),
    ...(rest === null ? [] : (['rest'] as const)),
    ...(vehicle === null ? [] : (['vehicle'] as const)),
  ];
}

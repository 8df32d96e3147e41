/** What may happen round musters in any order: people, watches, the control room, and the service's own time. */
import fc from 'fast-check';
import { SITE } from '../small-world.ts';
import { AT, type MusterWorld, type Place } from './muster-world.ts';

const PEOPLE = [1, 2, 3, 4, 5] as const;
const POINTS = ['Gate A', 'Hill North', 'Tower'] as const;
const KINDS = ['general', 'tsunami', 'earthquake'] as const;

export type Step = (small: MusterWorld) => void;
const active = (step: Step): Step => {
  return (small) => {
    if (small.world.indexes.activeMuster(SITE) !== undefined) step(small);
  };
};

const person = fc.constantFrom(...PEOPLE);
const point = fc.constantFrom(...POINTS);
const place = fc.constantFrom(...(Object.keys(AT) as Place[]));
/** A scenario of 5 to 60 steps. */
export const scenarios = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.integer({ min: 0, max: 40 }).map((seconds) => (small: MusterWorld) => small.wait(seconds)),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(person, place, fc.constantFrom(null, 3, 50, 51), fc.constantFrom(null, 0, 12), fc.boolean())
        .map(([n, where, uncertaintyM, heightM, off]) => (small: MusterWorld) => {
          const height = heightM === null ? null : { heightM, uncertaintyM: 1, building: null, floor: null };
          if (off) small.at(n, 5_000, 5_000);
          else small.goes(n, where, { uncertaintyM, height });
        }),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(person, point).map(
        ([n, at]) =>
          (small: MusterWorld) =>
            void small.declare(n, at),
      ),
    },
    { weight: 2, arbitrary: person.map((n) => (small: MusterWorld) => void small.help(n, 'trapped')) },
    {
      weight: 1,
      arbitrary: fc.constant((small: MusterWorld) => {
        for (const alert of small.alerts('evacuation_help')) small.update(alert, 'resolved');
      }),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...KINDS).map((kind) => (small: MusterWorld) => {
        if (small.world.indexes.activeMuster(SITE) === undefined) small.start({ kind });
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS).map((kind) => active((small) => void small.begin(kind))) },
    { weight: 2, arbitrary: point.map((at) => active((small) => void small.exclude(at))) },
    { weight: 2, arbitrary: point.map((at) => active((small) => void small.reinstate(at))) },
    {
      weight: 1,
      arbitrary: fc.tuple(person, fc.option(point)).map(([n, at]) => active((small) => void small.mark(n, at))),
    },
    { weight: 1, arbitrary: fc.constant(active((small) => void small.inspect())) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('completed', 'cancelled')
        .map((how) => active((small) => void small.end(how as 'completed'))),
    },
  ),
  { minLength: 5, maxLength: 60 },
);

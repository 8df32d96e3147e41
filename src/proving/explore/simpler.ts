/** The details that a scenario may not need, apart from whole steps: pauses, names, fields, values, people, zones and sites. */
import { isActionName } from '../../contract/action-check.ts';
import { peopleFieldOf } from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { type GeneratedScenario, type GeneratedStep, namesIn } from './generated-scenario.ts';
import { withCrew } from './plant.ts';

/** A detail that may not be needed: functions that remove or simplify it, the one with the simplest result first. */
export type ScenarioDetail = readonly ((scenario: GeneratedScenario) => GeneratedScenario)[];

/** Simpler values for a field, the simplest first. */
const SIMPLER: Readonly<Record<string, readonly unknown[]>> = {
  duplicate: [2],
  shuffle: ['30s'],
  hold: ['20s'],
  does: [503],
  advance: ['2h'],
  share: [1],
  status: [503],
  answers: ['help'],
};

/** Candidates for a duration: the shortest one, and one that is longer than most deadlines. */
const SHORTER = ['2s', '1m'];

/** Returns the details of the steps, and the time zone. Several details can be changed together. */
export function detailsOf(scenario: GeneratedScenario): ScenarioDetail[] {
  const { steps } = scenario;
  const details = steps.flatMap((_, at) =>
    detailsOfStep(steps, at).map((ways) =>
      ways.map(
        (way) =>
          (one: GeneratedScenario): GeneratedScenario => ({
            ...one,
            steps: one.steps.map((step, place) => (place === at ? way(step) : step)),
          }),
      ),
    ),
  );
  return scenario.timeZone === undefined ? details : [...details, [({ timeZone: _timeZone, ...local }) => local]];
}

type StepChange = (step: GeneratedStep) => GeneratedStep;

function detailsOfStep(steps: readonly GeneratedStep[], at: number): (readonly StepChange[])[] {
  const step = steps[at] as GeneratedStep;
  const [word = '', fields] = Object.entries(step)[0] ?? [];
  const { after, as, for: lasts } = step;
  const details: (readonly StepChange[])[] = [];
  const isNamed = steps.slice(at + 1).some((one) => namesIn(one).includes(as as string));
  if (as !== undefined && !isNamed) details.push([without('as')]);
  if (after !== undefined) details.push([without('after'), ...shorterThan(after).map(having('after'))]);
  if (word === 'wait') details.push(shorterThan(fields).map(having('wait')));
  if (lasts !== undefined) {
    // An outage must end, because no system can react to an event that is never delivered.
    const forEver = word === 'deliveries' || word === 'signal' ? [without('for')] : [];
    details.push([...forEver, ...shorterThan(lasts).map(having('for'))]);
  }
  if (isMap(fields)) {
    const inFields = (change: (fields: JsonMap) => JsonMap): StepChange => {
      return (one) => ({ ...one, [word]: change(one[word] as JsonMap) });
    };
    for (const [key, value] of Object.entries(fields)) {
      const simple = (SIMPLER[key] ?? []).filter((one) => one !== value).map((one) => inFields(having(key)(one)));
      details.push([...(OPTIONAL.has(`${word} ${key}`) ? [inFields(without(key))] : []), ...simple]);
    }
    const [first, person] = [firstPerson(steps), personIn(step)];
    if (person !== null) details.push(fewerThan(person.name).map((name) => inFields(having(person.key)(name))));
    if (first !== null && person !== null && person.name !== first) details.push([inFields(having(person.key)(first))]);
  }
  return details.filter((ways) => ways.length > 0);
}

const having =
  (key: string) =>
  (value: unknown) =>
  (map: JsonMap): JsonMap => ({ ...map, [key]: value });

const without =
  (key: string) =>
  ({ [key]: _left, ...rest }: JsonMap): JsonMap =>
    rest;

/** Optional fields of a step. */
const OPTIONAL = new Set([
  'resolve via',
  'acknowledge via',
  'hazard official',
  'fall answers',
  'cannot_evacuate reason',
]);

const shorterThan = (duration: unknown): readonly string[] => {
  const index = SHORTER.indexOf(String(duration));
  return index >= 0 ? SHORTER.slice(0, index) : SHORTER;
};

/** Candidates for a number of workers of a group, such as `60 of crew`; none for a single person. */
function fewerThan(name: string): readonly string[] {
  const [, count, group] = /^(\d+) of (.+)$/.exec(name) ?? [];
  return FEWER.filter((few) => few < Number(count)).map((few) => `${few} of ${group}`);
}

/** The last two are more than the pages of 20 and of 50 objects that many clients read. */
const FEWER = [2, 8, 25, 60];

/** The person that the scenario names first. */
function firstPerson(steps: readonly GeneratedStep[]): string | null {
  for (const step of steps) {
    const person = personIn(step);
    if (person !== null) return person.name;
  }
  return null;
}

/** The one person who acts in a step, and the key that names them. */
function personIn(step: GeneratedStep): { readonly key: string; readonly name: string } | null {
  const [[word = '', fields] = []] = Object.entries(step);
  const key = isActionName(word) ? peopleFieldOf(word) : undefined;
  const name = key !== undefined && isMap(fields) ? fields[key] : undefined;
  return key !== undefined && typeof name === 'string' ? { key, name } : null;
}

/**
 * Returns the parts of the plant that no step names: people, zones, sites, the section `service`, and workers of the group that the
 * scenario brought. One person always stays.
 */
export function unnamedParts({ plant, steps }: GeneratedScenario): ScenarioDetail[] {
  const { sites, workers, service, crowd } = plant;
  const words = new Set(JSON.stringify(steps).match(/[\w -]+/g));
  const parts: ((plant: JsonMap) => JsonMap)[] = service === undefined ? [] : [without('service')];
  if (crowd !== undefined) {
    const { crowd: _all, ...rest } = plant;
    const { crowd: named } = withCrew(rest, steps, isMap(sites) ? Object.keys(sites) : []);
    if (named === undefined) parts.push(without('crowd'));
    else if (JSON.stringify(named) !== JSON.stringify(crowd)) parts.push(having('crowd')(named));
  }
  if (isMap(sites) && isMap(workers)) {
    const people = Object.keys(workers);
    const named = people.filter((name) => words.has(name));
    const kept = new Set(named.length > 0 ? named : people.slice(0, 1));
    const homes = new Set<unknown>(people.filter((name) => kept.has(name)).map((name) => inMap(workers[name], 'site')));
    if (isMap(crowd)) for (const group of Object.values(crowd)) homes.add(inMap(group, 'site'));
    const begun = new Set<unknown>(people.filter((name) => kept.has(name)).map((name) => inMap(workers[name], 'in')));
    const isHome = (site: string) => words.has(site) || homes.has(site) || Object.keys(sites).length === 1;
    for (const name of people) if (!kept.has(name)) parts.push(inside('workers')(without(name)));
    for (const [site, section] of Object.entries(sites)) {
      if (!isHome(site)) parts.push(withoutSite(site));
      else
        for (const zone of Object.keys((inMap(section, 'zones') ?? {}) as JsonMap))
          if (!words.has(zone) && !begun.has(zone))
            parts.push(inside('sites')(inside(site)(inside('zones')(without(zone)))));
    }
  }
  return parts.map((part) => [(scenario) => ({ ...scenario, plant: part(scenario.plant) })]);
}

/** Changes a value of a map that is itself a map. */
const inside =
  (key: string) =>
  (change: (map: JsonMap) => JsonMap) =>
  (map: JsonMap): JsonMap => {
    const value = map[key];
    return isMap(value) ? { ...map, [key]: change(value) } : map;
  };

const inMap = (value: unknown, key: string): unknown => (isMap(value) ? value[key] : undefined);

/** Removes a site and its people. */
const withoutSite =
  (site: string) =>
  (plant: JsonMap): JsonMap =>
    inside('workers')((workers) =>
      Object.fromEntries(Object.entries(workers).filter(([, one]) => inMap(one, 'site') !== site)),
    )(inside('sites')(without(site))(plant));

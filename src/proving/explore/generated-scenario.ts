/** A generated scenario: its plant and steps as data, and their text as a readable scenario. */
import { stringify } from 'yaml';
import { isMap, type JsonMap } from '../../contract/schema.ts';

/** A step as in a scenario file: its action, and its modifiers. */
export type GeneratedStep = JsonMap;

export interface GeneratedScenario {
  /** The plant sections that the file of rules leaves open. */
  readonly plant: JsonMap;
  readonly steps: readonly GeneratedStep[];
  /** The seed of draws within the scenario, such as the order of shuffled deliveries. */
  readonly seed: number;
  /** The time zone of the user's system. Absent: the time zone of this machine. */
  readonly timeZone?: string | undefined;
  /** Names of the moves from which the scenario was generated. */
  readonly moves?: readonly string[];
}

/** The name that a step binds. */
export const nameOf = (step: GeneratedStep): string | undefined => step['as'] as string | undefined;

/** Returns the names that a step and the steps within it bind. */
export function namesBoundBy(step: unknown): string[] {
  if (Array.isArray(step)) return step.flatMap(namesBoundBy);
  if (!isMap(step)) return [];
  const { as } = step;
  return [
    ...(typeof as === 'string' ? [as] : []),
    ...Object.values(step).flatMap((inner) => (typeof inner === 'object' ? namesBoundBy(inner) : [])),
  ];
}

/** The names that a step refers to. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\$[a-z]/.test(value) ? [value.slice(1).split('.')[0] as string] : [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isMap(value) ? Object.values(value).flatMap(namesIn) : [];
}

/**
 * Removes steps that refer to an unbound name, and steps after which no system can verify a delivery, because its secret has
 * expired and the newest one was not announced.
 */
export function sound(steps: readonly GeneratedStep[]): GeneratedStep[] {
  const bound = new Set<string>();
  const unannounced = new Set<unknown>();
  return steps.filter((step) => {
    if (endsKnownSecret(step, unannounced)) return false;
    const own = namesBoundBy(step);
    if (namesIn(step).some((name) => !bound.has(name) && !own.includes(name))) return false;
    for (const name of own) bound.add(name);
    return true;
  });
}

/** Renames the names of the second list, so that each name is bound once. */
export function joined(first: readonly GeneratedStep[], second: readonly GeneratedStep[]): GeneratedStep[] {
  const names = second.flatMap(namesBoundBy);
  const taken = new Set(first.flatMap(namesBoundBy));
  const renamed = new Map<string, string>();
  for (const name of names) {
    let n = 1;
    while (taken.has(`${name[0]}${n}`)) n++;
    taken.add(`${name[0]}${n}`);
    renamed.set(name, `${name[0]}${n}`);
  }
  return [...first, ...second.map((step) => rename(step, renamed) as GeneratedStep)];
}

function rename(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'as') return names.get(value) ?? value;
    return value.startsWith('$')
      ? value.replace(/^\$([\w-]+)/, (_whole, name: string) => `$${names.get(name) ?? name}`)
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rename(item, names, name)]));
}

/** True if no announced secret is valid after the step. `unannounced`: receivers whose newest secret was not announced. */
function endsKnownSecret(step: GeneratedStep, unannounced: Set<unknown>): boolean {
  const { webhook, clock } = step;
  if (isMap(clock) && clock['advance'] !== undefined) return unannounced.size > 0;
  if (!isMap(webhook) || webhook['rotate_secret'] === undefined) return false;
  const receiver = webhook['rotate_secret'];
  if (webhook['announced'] !== false) unannounced.delete(receiver);
  else if (unannounced.has(receiver)) return true;
  else unannounced.add(receiver);
  return false;
}

/** The scenario's text and, by step, the line on which it begins. */
export interface GeneratedScenarioText {
  readonly text: string;
  readonly lines: readonly number[];
}

export interface GeneratedScenarioHead {
  readonly title: string;
  /** Comments that describe the finding. */
  readonly remarks: readonly string[];
  /** The file with the rules, relative to the scenario. */
  readonly rules: string;
}

export function textOf(
  { plant, steps, seed, timeZone }: GeneratedScenario,
  { title, remarks, rules }: GeneratedScenarioHead,
): GeneratedScenarioText {
  const lines = [
    ...remarks.map((remark) => (remark === '' ? '#' : `# ${remark}`)),
    `scenario: ${flow(title)}`,
    `use: [${flow(rules)}]`,
    `seed: ${seed}`,
    ...(timeZone === undefined ? [] : [`system: {time_zone: ${flow(timeZone)}}`]),
    ...Object.entries(plant).flatMap(([name, section]) => sectionLines(name, section)),
    'steps:',
  ];
  const begins: number[] = [];
  for (const step of steps) {
    begins.push(lines.length + 1);
    const [first, ...beside] = Object.entries(step);
    if (first === undefined) continue;
    lines.push(`  - ${first[0]}: ${flow(first[1])}`, ...beside.map(([key, value]) => `    ${key}: ${flow(value)}`));
  }
  if (steps.length === 0) lines.push('  - wait: 1s');
  return { text: `${lines.join('\n')}\n`, lines: begins };
}

/** Writes one line for each person and zone, and one line for every other section. */
function sectionLines(name: string, section: unknown): string[] {
  if (name === 'workers' && isMap(section)) return [`${name}:`, ...entryLines(section, '  ')];
  if (name === 'sites' && isMap(section))
    return [
      `${name}:`,
      ...Object.entries(section).flatMap(([site, body]) => {
        const { zones, ...rest } = body as JsonMap;
        return [
          `  ${flow(site)}:`,
          ...entryLines(rest, '    '),
          '    zones:',
          ...entryLines(zones as JsonMap, '      '),
        ];
      }),
    ];
  return [`${name}: ${flow(section)}`];
}

const entryLines = (map: JsonMap, indent: string): string[] =>
  Object.entries(map).map(([key, value]) => `${indent}${flow(key)}: ${flow(value)}`);

/** Returns the value as YAML on one line. */
export function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
}

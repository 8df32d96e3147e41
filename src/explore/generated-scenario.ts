/** A scenario under search: its plant and steps as data, and their text as a scenario that a person can read. */
import { stringify } from 'yaml';
import { isMap, type JsonMap } from '../contract/schema.ts';

/** A step as it is in a file: its word, and what stands beside it. */
export type GeneratedStep = JsonMap;

export interface GeneratedScenario {
  /** The plant sections that the file of rules leaves open. */
  readonly plant: JsonMap;
  readonly steps: readonly GeneratedStep[];
  /** Draws within the scenario, such as the order of shuffled deliveries. */
  readonly seed: number;
}

/** The name that a step binds. */
export const nameOf = (step: GeneratedStep): string | undefined => step['as'] as string | undefined;

/** The names that a step refers to. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\$[a-z]/.test(value) ? [value.slice(1).split('.')[0] as string] : [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isMap(value) ? Object.values(value).flatMap(namesIn) : [];
}

/** Without steps whose names nothing binds any more, step by step. */
export function sound(steps: readonly GeneratedStep[]): GeneratedStep[] {
  const bound = new Set<string>();
  return steps.filter((step) => {
    if (namesIn(step).some((name) => !bound.has(name))) return false;
    const name = nameOf(step);
    if (name !== undefined) bound.add(name);
    return true;
  });
}

/** The scenario's text and, by step, the line on which it begins. */
export interface GeneratedScenarioText {
  readonly text: string;
  readonly lines: readonly number[];
}

export interface GeneratedScenarioHead {
  readonly title: string;
  /** What was found, as comments. */
  readonly remarks: readonly string[];
  /** The file with the rules, relative to the scenario. */
  readonly rules: string;
}

export function textOf(
  { plant, steps, seed }: GeneratedScenario,
  { title, remarks, rules }: GeneratedScenarioHead,
): GeneratedScenarioText {
  const lines = [
    ...remarks.map((remark) => (remark === '' ? '#' : `# ${remark}`)),
    `scenario: ${flow(title)}`,
    `use: [${flow(rules)}]`,
    `seed: ${seed}`,
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

/** One line for each person and zone; everything else on one line. */
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

/** On one line, as YAML. */
export function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
}

/** Options that cannot be combined, in one list for all entrances: flags, variables, settings, code. [cli, up] */
import { CLI } from '../../base/text/command-form.ts';
import type { OptionName } from './table.ts';

/** Values by option; a switch is present with the value that was given. */
export type GivenOptions = Readonly<Partial<Record<OptionName, unknown>>>;

/** A sentence and the fix; `names` writes the options in the form of the entrance. */
export interface Contradiction {
  readonly of: readonly OptionName[];
  readonly message: string;
  readonly advice: string | null;
}

/** Returns the name of an option in the form of its entrance; with a value, the option with this value. */
export type OptionNaming = (name: OptionName, value?: string) => string;

interface ContradictionRule {
  /** The rule applies if all of these options are given. */
  readonly of: readonly [OptionName, ...OptionName[]];
  /** The rule applies only if none of these options is given; empty: no such restriction. */
  readonly without?: readonly OptionName[];
  readonly message: (names: OptionNaming) => string;
  /** Absent: the message already contains the fix. */
  readonly advice?: (names: OptionNaming) => string;
}

/** Options that a sandbox of one process has, but a node of several does not. */
const OF_ONE_PROCESS = ['speed', 'start', 'scenario', 'ambient', 'truth'] as const;

const NODE_ALONE: Pick<ContradictionRule, 'message' | 'advice'> = {
  message: (names) =>
    `${names('node')} says that several nodes share a database and a broker, and one of the two is missing.`,
  advice: (names) =>
    `Give both: ${names('node', 'a')} ${names('database', 'postgres://user:password@host/NAME')} ${names('broker', 'mqtt://host:1883')}`,
};

export const CONTRADICTIONS: readonly ContradictionRule[] = [
  {
    of: ['dashboard', 'json'],
    message: (names) => `${names('dashboard')} draws where ${names('json')} writes. Leave out one of the two.`,
  },
  {
    of: ['memory', 'database'],
    message: (names) =>
      `${names('memory')} keeps nothing, and ${names('database')} says where to keep it. Leave out one of the two.`,
  },
  {
    of: ['truth', 'fleet'],
    message: (names) =>
      `${names('truth')} is about emulated watches, and ${names('fleet')} has none. Leave out one of the two.`,
  },
  { of: ['node'], without: ['database'], ...NODE_ALONE },
  { of: ['node'], without: ['broker'], ...NODE_ALONE },
  {
    of: ['tls', 'node'],
    message: (names) => `${names('tls')} makes certificates for one data folder, and nodes have one each.`,
    advice: (names) =>
      `Leave out ${names('tls')} or ${names('node')}. For several nodes, put a proxy that speaks TLS in front of them.`,
  },
  ...OF_ONE_PROCESS.map(
    (alone): ContradictionRule => ({
      of: [alone, 'node'],
      message: (names) =>
        `${names(alone)} is only for a sandbox with one process: nodes use real time, and do not emulate watches.`,
      advice: (names) => `Leave out ${names(alone)} or ${names('node')}. Watches come from ${CLI} fleet --broker URL.`,
    }),
  ),
  {
    of: ['mqttPort', 'broker'],
    message: (names) =>
      `${names('mqttPort')} is of the sandbox’s own broker, and with ${names('broker')} it has none. Leave out one of the two.`,
  },
];

/** Returns every contradiction of these options, in the order of the rules. */
export function contradictionsOf(given: GivenOptions, names: OptionNaming): Contradiction[] {
  const applies = ({ of, without = [] }: ContradictionRule): boolean =>
    of.every((name) => isThere(given, name)) && !without.some((name) => isThere(given, name));
  return CONTRADICTIONS.filter(applies).map(({ of, message, advice }) => ({
    of,
    message: message(names),
    advice: advice?.(names) ?? null,
  }));
}

/** The fleet is on by default, so only switching it off can contradict another option. */
function isThere(given: GivenOptions, name: OptionName): boolean {
  const value = given[name];
  return name === 'fleet' ? value === false : value !== undefined && value !== false;
}

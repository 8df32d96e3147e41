/** The flags of `sandbox run`: parsing, defaults, and contradictions. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunMode } from '../../scenario/model/scenario.ts';
import { namedAddress } from '../deliveries/receiver-address.ts';
import { usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { durationOf, MOST_JOBS, shard, wholeNumber } from '../values.ts';

/** The share of mutations of a process of `--mutate --jobs`. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

export interface RunFlags {
  readonly mode: RunMode;
  readonly speed?: number;
  readonly seed?: string;
  readonly seeds?: string;
  /** `1..5`, or `all`. */
  readonly orders?: string;
  readonly out?: string;
  readonly until?: number;
  readonly set: readonly string[];
  readonly case: readonly string[];
  readonly receiver: readonly string[];
  readonly jobs?: number;
  /** Wall ms. */
  readonly timeout?: number;
  readonly verify?: boolean;
  /** `--shuffle-ties`: number of the permutation; `true` is the first. */
  readonly shuffleTies?: number | boolean;
  readonly failFast?: boolean;
  readonly keep?: boolean;
  readonly pause?: boolean;
  readonly watch?: boolean;
  readonly mutate?: boolean;
  readonly mutateShare?: Share;
  readonly report?: string;
  readonly truth?: boolean;
  readonly json?: boolean;
}

const whole = (most: number, what: string) => (text: string) => {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > most) throw new InvalidArgumentError(what);
  return Number(text);
};
const shareOf = (text: string): Share => {
  const { part, of } = shard(text);
  return { index: part - 1, of };
};
/** `before` is absent for the first value of a settings file. */
const collect = (text: string, before: readonly string[] = []): string[] => {
  if (!/^[A-Za-z][\w-]*=/.test(text)) throw new InvalidArgumentError('Write NAME=VALUE.');
  return [...before, text];
};

/** The value of `--orders` without a range. */
export const ALL_ORDERS = 'all';

/** Adds the flags to the command. */
export function addRunFlags(command: Command): Command {
  takeOnly(command, '--shuffle-ties', /^\d+$/, '1');
  takeOnly(command, '--orders', /^\d+\.\./, ALL_ORDERS);
  return command
    .addOption(
      new Option('--mode <mode>', 'how time passes')
        .choices(['fast', 'scaled', 'real'])
        .default('fast')
        .env('SANDBOX_MODE'),
    )
    .addOption(sandboxFlag('speed', 'run'))
    .addOption(sandboxFlag('seed', 'run'))
    .option('--seeds <range>', 'a run for each seed: 1..50')
    .option(
      '--orders [range]',
      'a run for each order of simultaneous steps and of requests of your system in flight together, at most 24, or for these: 0..5; 0 is the order of the file',
    )
    .option('--set <name=value>', 'a value for a parameter of the file; repeatable', collect, [])
    .option(
      '--case <name=value>',
      'only the runs of a matrix with this value; repeatable: one name, either value; several names, each',
      collect,
      [],
    )
    .option(
      '--receiver <name=url>',
      'deliveries go to your own receiver, over real HTTP; repeatable',
      (entry: string, before?: readonly string[]) => collect(namedAddress('--receiver', entry), before),
      [],
    )
    .addOption(
      new Option('--until <line>', 'leave out the steps behind this line').argParser(
        whole(9_999_999, 'It must be the number of a line.'),
      ),
    )
    .addOption(new Option('--timeout <duration>', 'end a run that takes longer, wall time').argParser(durationOf))
    .addOption(
      new Option('--jobs <n>', 'runs at a time, each in a process of its own').argParser(wholeNumber(MOST_JOBS)),
    )
    .addOption(sandboxFlag('allowCommands', 'run'))
    .option('--fail-fast', 'begin no run after one that failed')
    .option('--keep', 'leave the sandbox up after the scenario, until Ctrl-C')
    .option('--pause', 'stop at --until, or at the first failure, and leave the sandbox up, until Ctrl-C')
    .option('--watch', 'run again whenever a file of the scenario is saved')
    .option('--verify', 'play twice, compare the logs, and name the first difference')
    .option(
      '--mutate',
      'change one thing at a time; list the changes that the scenario does not notice, and the checks that fail under none',
    )
    .addOption(new Option('--mutate-share <part>').argParser(shareOf).hideHelp())
    .addOption(
      new Option(
        '--shuffle-ties [order]',
        'simultaneous steps, and all else that is due at one instant, in another order: the first, or this one',
      ).argParser(whole(9_999_999, 'It must be a whole number from 1.')),
    )
    .option('--out <folder>', 'write run.jsonl, the canonical log, and the reports')
    .option('--report <kinds>', 'some of html, junit, json, md, github; all but github with --out')
    .option('--truth', 'the HTML report also shows where everybody truly is, and all names, under a badge')
    .option('--json', 'the verdicts as one JSON object');
}

/** Commander would consume the next word as the optional value of a flag; here it may be a file. `alone`: its value without one. */
function takeOnly(command: Command, flag: string, value: RegExp, alone: string): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (argv) =>
    parse(argv.map((word, at) => (word === flag && !value.test(argv[at + 1] ?? '') ? `${flag}=${alone}` : word)));
}

/** The order of `--shuffle-ties`; 0: that of the file. */
export const orderOf = ({ shuffleTies = 0 }: RunFlags): number => Number(shuffleTies);

/** Throws a usage error if flags contradict each other. */
export function refuseMisuse(flags: RunFlags): void {
  if (flags.speed !== undefined && flags.mode !== 'scaled') throw usage('--speed is for --mode scaled.');
  if (flags.seeds !== undefined && flags.seed !== undefined)
    throw usage('--seed and --seeds say two things. Leave one out.');
  if (flags.orders !== undefined && orderOf(flags) > 0)
    throw usage('--shuffle-ties and --orders say two things. Leave one out.');
  if (orderOf(flags) > 0 && flags.mode !== 'fast') throw usage('--shuffle-ties is for --mode fast.');
  if (flags.orders !== undefined && flags.mode !== 'fast') throw usage('--orders is for --mode fast.');
  const beside = OF_PLAIN_RUNS.filter((name) => flags[name] !== undefined && flags[name] !== false);
  if (flags.mutate === true && (flags.mode !== 'fast' || beside.length > 0)) {
    const what = flags.mode !== 'fast' ? `--mode ${flags.mode}` : `--${dashed(beside[0] as string)}`;
    throw usage(`--mutate plays in lock-step and writes no reports: it does not go with ${what}. Leave one out.`);
  }
  const hasPage = flags.report === undefined ? flags.out !== undefined : /(?:^|,)\s*html\s*(?:,|$)/.test(flags.report);
  if (flags.truth === true && !hasPage) throw usage('--truth is for the HTML report: add --report html or --out.');
  if (flags.jobs !== undefined && (flags.keep === true || flags.pause === true || flags.verify === true))
    throw usage('--jobs does not go with --keep, --pause or --verify. Leave it out.');
  if (flags.pause === true && flags.watch === true) throw usage('--pause does not go with --watch. Leave one out.');
}

/** Flags without meaning for mutated scenarios. */
const OF_PLAIN_RUNS = [
  ...(['keep', 'pause', 'verify', 'orders', 'shuffleTies', 'out', 'report', 'truth', 'until', 'failFast'] as const),
];

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

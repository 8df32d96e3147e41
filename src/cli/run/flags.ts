/** The flags of `sandbox run`: parsing, defaults, and contradictions. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunMode } from '../../scenario/model/scenario.ts';
import { coverageFlag, coverageFloorFlag } from '../coverage/flags.ts';
import { namedAddress } from '../deliveries/receiver-address.ts';
import { usage } from '../output.ts';
import { addReportFlags, type RequestedReports } from '../reports.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { durationOf, MOST_JOBS, shard, wholeNumber } from '../values.ts';

/** The share of mutations that one process of `--mutate --jobs` plays. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

export interface RunFlags {
  readonly mode: RunMode;
  readonly speed?: number;
  readonly seed?: string;
  readonly seeds?: string;
  /** A range such as `1..5`, or `all`. */
  readonly orders?: string;
  readonly out?: string;
  readonly until?: number;
  readonly set: readonly string[];
  readonly case: readonly string[];
  readonly receiver: readonly string[];
  readonly jobs?: number;
  /** Time limit of a run; wall ms. */
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
  readonly reports: RequestedReports<'run'>;
  readonly truth?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly coverage?: string;
  readonly coverageFloor?: readonly string[];
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
  command
    .addOption(
      new Option('--mode <mode>', 'how the simulated time passes')
        .choices(['fast', 'scaled', 'real'])
        .default('fast')
        .env('SANDBOX_MODE'),
    )
    .addOption(sandboxFlag('speed', 'run'))
    .addOption(sandboxFlag('seed', 'run'))
    .option('--seeds <range>', 'play one run for each seed of the range, such as 1..50')
    .option(
      '--orders [range]',
      'play one run for each order of simultaneous steps, and of simultaneous requests of your system; at most 24, or a range such as 0..5; 0 is the order of the file',
    )
    .addOption(
      new Option('--set <name=value>', 'set a parameter of the file (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--case <name=value>',
        'play only the runs of a matrix with this value (repeatable; two values of one name: the runs with either)',
      )
        .argParser(collect)
        .default([], 'all'),
    )
    .addOption(
      new Option('--receiver <name=url>', 'send the deliveries to your own receiver, over real HTTP (repeatable)')
        .argParser((entry: string, before?: readonly string[]) => collect(namedAddress('--receiver', entry), before))
        .default([], 'none'),
    )
    .addOption(
      new Option('--until <line>', 'leave out the steps after this line').argParser(
        whole(9_999_999, 'It must be the number of a line.'),
      ),
    )
    .addOption(
      new Option('--timeout <duration>', 'end a run that takes longer than this real time, such as 2m').argParser(
        durationOf,
      ),
    )
    .addOption(
      new Option('--jobs <n>', 'number of simultaneous runs, each in its own process').argParser(
        wholeNumber(MOST_JOBS),
      ),
    )
    .addOption(sandboxFlag('allowCommands', 'run'))
    .option('--fail-fast', 'do not start further runs after a failed run')
    .option('--keep', 'keep the sandbox after the scenario, until Ctrl-C')
    .option('--pause', 'stop after the line of --until or at the first failure, and keep the sandbox until Ctrl-C')
    .option('--watch', 'play the scenario again after each change of its files')
    .option('--verify', 'play each scenario twice, compare the logs, and report the first difference')
    .option(
      '--mutate',
      'change one value at a time (mutation test); list the changes that no check detects, and the checks that never fail',
    )
    .addOption(new Option('--mutate-share <part>').argParser(shareOf).hideHelp())
    .addOption(
      new Option(
        '--shuffle-ties [order]',
        'use another order for simultaneous steps and events: order 1, or the given number',
      ).argParser(whole(9_999_999, 'It must be a whole number from 1.')),
    )
    .option('--truth', 'show ground truth in the HTML report, marked by a badge: real positions and all names')
    .addOption(coverageFlag())
    .addOption(coverageFloorFlag())
    .option('--verbose', 'print the steps of each run, also of several runs')
    .option('--json', 'print the results as one JSON object');
  return addReportFlags(command, 'folder of the run logs (run.jsonl, events.jsonl) and the reports (default: report)');
}

/**
 * Commander would use the next word as the optional value of a flag, but here it may be a file. `alone` is the value of
 * the flag without one.
 */
function takeOnly(command: Command, flag: string, value: RegExp, alone: string): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (argv) =>
    parse(argv.map((word, at) => (word === flag && !value.test(argv[at + 1] ?? '') ? `${flag}=${alone}` : word)));
}

/** The order of `--shuffle-ties`; 0 is the order of the file. */
export const orderOf = ({ shuffleTies = 0 }: RunFlags): number => Number(shuffleTies);

/** Throws a usage error if flags contradict each other. */
export function refuseMisuse(flags: RunFlags): void {
  if (flags.speed !== undefined && flags.mode !== 'scaled') throw usage('--speed is for --mode scaled.');
  if (flags.seeds !== undefined && flags.seed !== undefined)
    throw usage('--seed and --seeds contradict each other. Remove one of them.');
  if (flags.orders !== undefined && orderOf(flags) > 0)
    throw usage('--shuffle-ties and --orders contradict each other. Remove one of them.');
  if (orderOf(flags) > 0 && flags.mode !== 'fast') throw usage('--shuffle-ties is for --mode fast.');
  if (flags.orders !== undefined && flags.mode !== 'fast') throw usage('--orders is for --mode fast.');
  const beside = OF_PLAIN_RUNS.filter((name) => flags[name] !== undefined && flags[name] !== false);
  if (flags.mutate === true && (flags.mode !== 'fast' || beside.length > 0)) {
    const what = flags.mode !== 'fast' ? `--mode ${flags.mode}` : `--${dashed(beside[0] as string)}`;
    throw usage(
      `--mutate plays in lock-step and writes no reports, so it cannot be combined with ${what}. Remove one of them.`,
    );
  }
  if (flags.truth === true && !flags.reports.kinds.includes('html'))
    throw usage('--truth is for the HTML report: add --report html or --out.');
  if (flags.jobs !== undefined && (flags.keep === true || flags.pause === true || flags.verify === true))
    throw usage('--jobs cannot be combined with --keep, --pause or --verify. Remove it.');
  if (flags.pause === true && flags.watch === true)
    throw usage('--pause and --watch cannot be combined. Remove one of them.');
}

/** Flags that have no meaning for mutated scenarios. */
const OF_PLAIN_RUNS = [
  ...(['keep', 'pause', 'verify', 'orders', 'shuffleTies', 'out', 'report', 'truth', 'until', 'failFast'] as const),
  ...(['coverage', 'coverageFloor'] as const),
];

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

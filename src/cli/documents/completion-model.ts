/** What can be completed: commands, their flags and words, and the actions of `trigger` with their fields. [cli, completion] */
import type { Command, Option } from 'commander';
import { ACTION_NAMES, ACTIONS, type ActionName, fieldsOfAction, type HeldKind } from '../../contract/actions.ts';
import { EVENT_SELECTORS } from '../../contract/enumerations.ts';
import { CONTRACT_WORDS } from '../../contract/words.ts';
import type { OptionRow } from '../../sandbox/options/kinds.ts';
import { ROWS } from '../../sandbox/options/table.ts';
import { WORLD_SECTIONS } from '../control/world.ts';
import { reportKinds } from '../reports.ts';
import { optionOf } from '../sandbox-flags.ts';
import { EVERY_WORD } from '../scenarios/explain.ts';

/**
 * Kinds of names that are determined when they are completed. Scenarios and snapshots come from folders, all others
 * from the running sandbox.
 */
export const NAME_KINDS = ['people', 'zones', 'points', 'sites', 'clients', 'snapshots', 'stories'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** `files`: paths. `any`: values that cannot be completed. `commands`: programs of the shell. */
export type Completable = readonly string[] | { readonly names: NameKind } | 'files' | 'any' | 'commands';

interface CompletedFlag {
  readonly flag: string;
  readonly description: string;
  /** Null if the flag takes no value. */
  readonly values: Completable | null;
}

/** A command, or an action such as `trigger fall`. */
export interface CompletedCommand {
  readonly key: string;
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
  readonly words: Completable;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof SHELLS)[number];

/** Keeps only plain words, because the reference has words that a shell would expand. */
const plain = (words: readonly string[]): string[] => [...new Set(words)].filter((word) => /^[a-z_]+$/.test(word));
const PLAIN_WORDS = plain(EVERY_WORD);

/** Words that can follow a command. */
const WORDS: Readonly<Record<string, Completable>> = {
  trigger: ACTION_NAMES,
  clock: ['pause', 'resume', 'speed', 'advance'],
  logs: ['requests', 'deliveries', 'events', 'watches', 'mail'],
  world: WORLD_SECTIONS,
  snapshot: ['save', 'load', 'list'],
  completion: SHELLS,
  explain: plain([...EVERY_WORD, ...CONTRACT_WORDS.map(({ word }) => word)]),
  exec: 'commands',
  run: { names: 'stories' },
  validate: { names: 'stories' },
  list: { names: 'stories' },
  record: 'any',
  init: 'files',
  replay: 'files',
};

/** Values of flags by their names, if neither the flag nor the table of options lists them. */
const VALUES: Readonly<Record<string, Completable>> = {
  '--company': { names: 'clients' },
  '--as': { names: 'clients' },
  '--events': EVENT_SELECTORS,
  '--scenario': { names: 'stories' },
};

/**
 * The kind of names that a field of an action accepts, by what the field holds; null if the names cannot be completed.
 */
const NAMES_OF: { readonly [K in HeldKind]: NameKind | null } = {
  people: 'people',
  zone: 'zones',
  point: 'points',
  place: 'zones',
  destination: 'zones',
  site: 'sites',
  company: 'clients',
  alert: null,
  muster: null,
  watch: null,
  receiver: null,
  moment: null,
  parts: null,
  plain: null,
};

/** Returns every command, then every action. */
export function completed(commands: readonly Command[]): CompletedCommand[] {
  const help: CompletedCommand = {
    key: 'help',
    description: 'the help of a command or a step',
    flags: [],
    words: [...commands.map((one) => one.name()), ...PLAIN_WORDS],
  };
  return [...commands.map(commandOf), help, ...ACTION_NAMES.map(actionOf)];
}

function commandOf(command: Command): CompletedCommand {
  const key = command.name();
  const flags = command.options.map((option) => flagOf(key, option));
  const words = WORDS[key] ?? (command.registeredArguments.length === 0 ? 'any' : 'files');
  return { key, description: command.description(), flags: [...flags, HELP_FLAG], words };
}

const HELP_FLAG: CompletedFlag = { flag: '--help', description: 'help of the command', values: null };

function flagOf(key: string, option: Option): CompletedFlag {
  const { long, description, argChoices, required, optional } = option;
  const flag = long ?? '';
  const site: Completable = { names: 'sites' };
  const choices = argChoices ?? (flag === '--report' ? reportKinds(key) : undefined);
  const values = choices ?? (key === 'world' && flag === '--site' ? site : (VALUES[flag] ?? valuesOf(option)));
  return { flag, description, values: required || optional ? values : null };
}

/** Words of the table of options, or paths if the flag takes one. */
function valuesOf(option: Option): Completable {
  const name = optionOf(option);
  const row: OptionRow | null = name === undefined ? null : ROWS[name];
  if (row?.kind === 'text' && row.words !== undefined) return row.words;
  return /<(file|folder)>$/.test(option.flags) ? 'files' : 'any';
}

function actionOf(action: ActionName): CompletedCommand {
  const { title } = ACTIONS[action];
  const flags = Object.entries(fieldsOfAction(action)).map(([name, schema]): CompletedFlag => {
    const names = NAMES_OF[schema['x-holds'].kind];
    return {
      flag: `--${name.replaceAll('_', '-')}`,
      description: (schema.description ?? name.replaceAll('_', ' ')).replace(/ \[[^\]]*\]/, ''),
      values: schema.enum?.map(String) ?? (names === null ? 'any' : { names }),
    };
  });
  return { key: `trigger ${action}`, description: title, flags: [...flags, HELP_FLAG], words: 'any' };
}

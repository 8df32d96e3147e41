/** `sandbox trigger`: one action of the catalogue on the running sandbox. [cli] */
import type { Command } from 'commander';
import type { TSchema } from 'typebox';
import { CLI } from '../../base/text/command-form.ts';
import { checkAction, isActionName } from '../../contract/action-check.ts';
import { ACTION_GROUPS, ACTIONS, type ActionName, actionBody, peopleFieldOf } from '../../contract/actions.ts';
import { check } from '../../contract/check.ts';
import { withoutKeywords } from '../../contract/schema.ts';
import { didYouMean, underscored } from '../../contract/sentences.ts';
import { refuseControlCharacter } from '../control-characters.ts';
import { CommandError, colourOf, EXIT, envelope, out, usage } from '../output.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { exampleOf } from './action-example.ts';
import { printAnswer, type TriggerAnswer } from './trigger-lines.ts';

const HELP = `
The fields of an action are flags: ${CLI} trigger fall --who W-014 --answers ok --answers-after 10s
Separate the values of a list with spaces: --who W-014 W-015. Names can have hyphens: start-muster means
start_muster. A place is a zone, metres or degrees: --at 'Tank Farm', --at 120 80, --at latitude=-32.7641
longitude=-71.4921

Examples:
  ${CLI} trigger --list          lists all actions
  ${CLI} trigger sos --who W-014
  ${CLI} trigger enter --who W-014 --zone 'Tank Farm'`;

interface TriggerFlags {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineTrigger(program: Command, ended: (code: number) => void): void {
  program
    .command('trigger [action] [fields...]')
    .description('perform an action in the running sandbox, such as a fall or an evacuation')
    .allowUnknownOption()
    .passThroughOptions()
    .option('--list', 'list the actions')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'trigger'))
    .addHelpText('after', HELP)
    .action(async (action: string | undefined, fields: string[], flags: TriggerFlags) => {
      ended(await trigger(action, fields, flags));
    });
}

async function trigger(typed: string | undefined, rest: readonly string[], given: TriggerFlags): Promise<number> {
  const { words, flags } = ownFlags(rest, given);
  const action = typed === undefined ? undefined : underscored(typed, ACTIONS);
  if (flags.list === true || action === undefined) {
    if (action === undefined && flags.list !== true)
      throw usage('Name an action.', `${CLI} trigger --list shows them.`);
    list(flags.json === true);
    return EXIT.done;
  }
  if (!isActionName(action)) {
    throw usage(
      `"${action}" is not an action.${didYouMean(action, Object.keys(ACTIONS))}`,
      `${CLI} trigger --list shows them.`,
    );
  }
  if (words.includes('--help') || words.includes('-h')) {
    // It loads the language of scenarios, which an action does not need.
    const { printActionHelp } = await import('./action-help.ts');
    printActionHelp(action, flags.json === true);
    return EXIT.done;
  }
  const body = { action, ...readFields(action, words) };
  const checked = checkAction(body);
  if (!checked.ok) {
    const lines = checked.errors.map(({ pointer, detail }) => `--${pointer.slice(1).replaceAll('_', '-')} ${detail}`);
    throw new CommandError(EXIT.usage, 'usage', `${action}: ${lines.join('; ')}`, {
      actions: [`For example: ${exampleOf(action)}`],
      details: checked.errors,
    });
  }
  const found = findRunning(flags.dataDir);
  const { status, body: answer } = await callSandbox(found, 'POST', '/v1/sandbox/actions', body);
  if (status !== 200 && status !== 202) throw refusedCall(status, answer);
  if (flags.json === true) out(JSON.stringify(envelope('trigger', answer)));
  else await printAnswer(found, answer as TriggerAnswer);
  return EXIT.done;
}

/** Accepts the command's own flags after the action too. */
function ownFlags(rest: readonly string[], given: TriggerFlags): { words: string[]; flags: TriggerFlags } {
  const flags = { ...given };
  const words: string[] = [];
  for (let place = 0; place < rest.length; place++) {
    const word = rest[place] as string;
    if (word === '--json') (flags as { json?: boolean }).json = true;
    else if (word === '--list') (flags as { list?: boolean }).list = true;
    else if (word === '--data-dir') (flags as { dataDir: string }).dataDir = rest[++place] ?? given.dataDir;
    else if (word.startsWith('--data-dir=')) (flags as { dataDir: string }).dataDir = word.slice('--data-dir='.length);
    else words.push(word);
  }
  return { words, flags };
}

/**
 * Reads `--answers-after 10s` as `answers_after: "10s"`. Values become numbers, lists and objects if the schema has
 * them.
 */
function readFields(action: ActionName, words: readonly string[]): Record<string, unknown> {
  const fields: Record<string, string[]> = {};
  let current: string[] | null = null;
  for (const word of words) {
    const [, name, value] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      current = fields[name.replaceAll('-', '_')] ??= [];
      if (value !== undefined) current.push(value);
    } else if (current === null)
      throw usage(`"${word}" is not a field; write a field as --name value.`, `For example: ${exampleOf(action)}`);
    else current.push(word);
  }
  for (const [name, values] of Object.entries(fields))
    for (const value of values) {
      // A note may have lines, and JSON may be written over several.
      const isText = FREE_TEXTS.includes(name);
      if (!isText)
        refuseControlCharacter(
          `--${name.replaceAll('_', '-')}`,
          JSON_VALUE.test(value) ? value.replace(/\s/g, ' ') : value,
        );
    }
  const properties = actionBody(action).properties as Record<string, TSchema>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      // Actors may be comma-separated.
      fieldOf(name === peopleFieldOf(action) ? values.flatMap((value) => value.split(',')) : values, properties[name]),
    ]),
  );
}

const FREE_TEXTS: readonly string[] = ['note', 'reason'];
const JSON_VALUE = /^[[{]/;

/** The value of a flag: the first interpretation that the field's schema accepts. */
function fieldOf(words: readonly string[], schema: TSchema | undefined): unknown {
  const readings = readingsOf(words);
  return schema === undefined ? readings[0] : (readings.find((one) => check(schema, one).ok) ?? plainest(words));
}

/** If no interpretation fits, the literal words are used, because they give the best error message. */
const plainest = (words: readonly string[]): unknown =>
  words.length === 1 ? words[0] : words.length === 0 ? '' : words;

function readingsOf(words: readonly string[]): unknown[] {
  const [only] = words;
  if (only === undefined) return [true, [], ''];
  const numbers = words.map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  const areNumbers = numbers.every(Number.isFinite);
  const pairs = words.map((word) => /^([a-z_]+)=(.*)$/s.exec(word));
  return [
    ...(words.length === 1 ? [...(areNumbers ? numbers : []), ...plainWords(only), only] : []),
    ...(areNumbers ? [numbers] : []),
    // Pairs such as `--at latitude=43.361 longitude=-8.412`.
    ...(pairs.every((pair) => pair !== null)
      ? [Object.fromEntries(pairs.map((pair) => [pair?.[1], readingsOf([pair?.[2] ?? ''])[0]]))]
      : []),
    words,
  ];
}

function plainWords(word: string): unknown[] {
  if (word === 'null') return [null];
  if (word === 'true' || word === 'false') return [word === 'true'];
  if (!JSON_VALUE.test(word)) return [];
  try {
    return [JSON.parse(word)];
  } catch {
    return [];
  }
}

function list(json: boolean): void {
  if (json) {
    const actions = Object.entries(ACTIONS).map(([name, { title, help }]) => ({
      action: name,
      title,
      help,
      schema: withoutKeywords(actionBody(name as ActionName), (keyword) => keyword === 'x-holds'),
    }));
    return out(JSON.stringify(envelope('trigger', { actions })));
  }
  const paint = colourOf(process.stdout);
  const width = Math.max(...Object.keys(ACTIONS).map((name) => name.length)) + 2;
  for (const group of ACTION_GROUPS) {
    const rows = Object.entries(ACTIONS).filter(([, row]) => row.group === group);
    if (rows.length > 0) out(paint('bold', group.replace('_', ' ')));
    for (const [name, { title }] of rows) {
      out(`  ${name.padEnd(width)}${title}`);
      out(paint('dim', `  ${''.padEnd(width)}${exampleOf(name as ActionName)}`));
    }
  }
  out('\nsandbox trigger ACTION --help: what it does, and its fields');
}

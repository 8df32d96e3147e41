/** `sandbox trigger`: one action of the catalogue on the running sandbox. [cli] */
import { type Command, Option } from 'commander';
import { checkAction, isActionName } from '../contract/action-check.ts';
import { ACTIONS, type ActionName, type ActionResult, actionBody, actionExample } from '../contract/actions.ts';
import type { Problem } from '../contract/problems.ts';
import { closest } from '../contract/sentences.ts';
import { CommandError, EXIT, usage } from './exit.ts';
import { colourOf, envelope, out } from './output.ts';
import { callSandbox, findRunning } from './running.ts';

const HELP = `
The fields of an action are flags: sandbox trigger fall --who W-014 --answers ok --answers-after 10s
A list is written with spaces or commas: --who W-014 W-015

  sandbox trigger --list          the whole catalogue
  sandbox trigger sos --who W-014`;

interface TriggerFlags {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineTrigger(program: Command, ended: (code: number) => void): void {
  program
    .command('trigger [action] [fields...]')
    .description('make something happen in the running sandbox')
    .allowUnknownOption()
    .passThroughOptions()
    .option('--list', 'list the actions')
    .option('--json', 'answer in the envelope')
    .addOption(new Option('--data-dir <folder>', 'of the running sandbox').env('SANDBOX_DATA_DIR').default('.sandbox'))
    .addHelpText('after', HELP)
    .action(async (action: string | undefined, fields: string[], flags: TriggerFlags) => {
      ended(await trigger(action, fields, flags));
    });
}

async function trigger(action: string | undefined, rest: readonly string[], given: TriggerFlags): Promise<number> {
  const { words, flags } = ownFlags(rest, given);
  if (flags.list === true || action === undefined) {
    if (action === undefined && flags.list !== true)
      throw usage('Name an action.', 'sandbox trigger --list shows them.');
    list(flags.json === true);
    return EXIT.done;
  }
  if (!isActionName(action)) {
    const meant = closest(action, Object.keys(ACTIONS));
    throw usage(
      `"${action}" is not an action.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
      'sandbox trigger --list shows them.',
    );
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
  if (status !== 200 && status !== 202) throw refusal(answer as Problem);
  if (flags.json === true) out(JSON.stringify(envelope('trigger', answer)));
  else tell(answer as Answer);
  return EXIT.done;
}

/** Our own flags may stand behind the action too. */
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

/** `--answers-after 10s` becomes `answers_after: "10s"`; numbers and booleans where the schema has them. */
function readFields(action: ActionName, words: readonly string[]): Record<string, unknown> {
  const fields: Record<string, string[]> = {};
  let current: string[] | null = null;
  for (const word of words) {
    const [, name, value] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      current = fields[name.replaceAll('-', '_')] ??= [];
      if (value !== undefined) current.push(value);
    } else if (current === null)
      throw usage(`"${word}" stands alone; a field is written as --name value.`, `For example: ${exampleOf(action)}`);
    else current.push(word);
  }
  const properties = actionBody(action).properties as Record<string, FieldSchema>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, fieldOf(name, values, properties[name] ?? {})]),
  );
}

interface FieldSchema {
  readonly type?: string;
  readonly anyOf?: readonly FieldSchema[];
}

function fieldOf(name: string, values: readonly string[], schema: FieldSchema): unknown {
  const types = [schema, ...(schema.anyOf ?? [])].map(({ type }) => type);
  const all = name === 'who' ? values.flatMap((value) => value.split(',')) : values;
  const [only] = all;
  if (only === undefined) return types.includes('boolean') ? true : types.includes('array') ? [] : '';
  if (only === 'null' && types.includes('null')) return null;
  // `who` is one person or several, and the answer has their form; other lists are lists of one too.
  if (all.length > 1 || (types.includes('array') && name !== 'who')) return all;
  const isNumber = types.includes('number') || types.includes('integer');
  if (isNumber && only.trim() !== '' && Number.isFinite(Number(only))) return Number(only);
  if (types.includes('boolean') && (only === 'true' || only === 'false')) return only === 'true';
  return only;
}

function exampleOf(action: ActionName): string {
  const { action: _, ...fields } = actionExample(action);
  const flags = Object.entries(fields).map(
    ([name, value]) => `--${name.replaceAll('_', '-')} ${[value].flat().join(' ')}`,
  );
  return `sandbox trigger ${action} ${flags.join(' ')}`;
}

/** The state refused it: 1. What was asked for does not exist: 2. */
function refusal({ status, detail, title, code, errors }: Problem): CommandError {
  const exitCode = status === 409 ? EXIT.failed : status === 404 || status === 422 ? EXIT.usage : EXIT.environment;
  return new CommandError(exitCode, code, detail ?? title, { details: errors ?? null, retryable: status >= 429 });
}

type Answer = { action: string; at: string; result?: ActionResult; results?: ActionResult[] };

function tell({ action, at, result, results }: Answer): void {
  const paint = colourOf(process.stdout);
  for (const one of results ?? (result === undefined ? [] : [result])) {
    const { buffered, ...ids } = one;
    const text = Object.entries(ids).map(([name, id]) => `${name.replace('_id', '')} ${id}`);
    const late = buffered === true ? paint(33, '  kept by the watch, to be sent when it has signal again') : '';
    out(`${paint(2, at.slice(11, 23))}  ${paint(1, action)}  ${text.join('  ')}${late}`);
  }
}

function list(json: boolean): void {
  if (json) {
    const actions = Object.entries(ACTIONS).map(([name, { title, help }]) => ({
      action: name,
      title,
      help,
      schema: actionBody(name as ActionName),
    }));
    return out(JSON.stringify(envelope('trigger', { actions })));
  }
  const width = Math.max(...Object.keys(ACTIONS).map((name) => name.length));
  for (const [name, { title, help }] of Object.entries(ACTIONS)) {
    out(`${name.padEnd(width)}  ${title}. ${help}`);
    out(`${''.padEnd(width)}  ${exampleOf(name as ActionName)}`);
  }
}

/** An example of each action, as a command. */
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { type ActionName, actionExample } from '../../contract/actions.ts';

const quoted = (value: unknown): string => shellWord(typeof value === 'string' ? value : JSON.stringify(value));

export function exampleOf(action: ActionName): string {
  const { action: _, ...fields } = actionExample(action);
  const flags = Object.entries(fields).map(
    ([name, value]) => `--${name.replaceAll('_', '-')} ${[value].flat().map(quoted).join(' ')}`,
  );
  return `${CLI} trigger ${action} ${flags.join(' ')}`;
}

/** An example of each action, as a command. */
import { CLI } from '../../base/text/command-form.ts';
import { type ActionName, actionExample } from '../../contract/actions.ts';

/** Quotes a value for a shell. */
const quoted = (value: unknown): string => {
  const word = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w.:+-]+$/.test(word) ? word : `'${word}'`;
};

export function exampleOf(action: ActionName): string {
  const { action: _, ...fields } = actionExample(action);
  const flags = Object.entries(fields).map(
    ([name, value]) => `--${name.replaceAll('_', '-')} ${[value].flat().map(quoted).join(' ')}`,
  );
  return `${CLI} trigger ${action} ${flags.join(' ')}`;
}

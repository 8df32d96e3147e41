/** Actions as commands, and an example of each. */
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { type ActionBody, type ActionName, actionExample } from '../../contract/actions.ts';

const quoted = (value: unknown): string => shellWord(typeof value === 'string' ? value : JSON.stringify(value));

/** The command that does the action. */
export function triggerCommand({ action, ...fields }: ActionBody): string {
  const flags = Object.entries(fields).map(
    ([name, value]) => `--${name.replaceAll('_', '-')} ${[value].flat().map(quoted).join(' ')}`,
  );
  return `${CLI} trigger ${action} ${flags.join(' ')}`;
}

export const exampleOf = (action: ActionName): string => triggerCommand(actionExample(action));

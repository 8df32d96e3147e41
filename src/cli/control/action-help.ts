/** `sandbox trigger ACTION --help`: what the action does, and its fields as flags. [cli] */
import { CLI } from '../../base/text/command-form.ts';
import { type ActionName, peopleFieldOf } from '../../contract/actions.ts';
import { STEP_CATALOGUE } from '../../scenario/language/derive/catalogue.ts';
import { fittedToTerminal } from '../fitted.ts';
import { envelope, out } from '../output.ts';
import { meaningOf } from '../scenarios/explain.ts';
import { exampleOf } from './action-example.ts';

/** Needs no running sandbox. */
export function printActionHelp(action: ActionName, json: boolean): void {
  const step = STEP_CATALOGUE.find((one) => one.action === action);
  const fields = (step?.fields ?? []).map(({ name, required, schema }) => ({
    flag: `--${name.replaceAll('_', '-')}`,
    required,
    meaning:
      name === peopleFieldOf(action)
        ? 'A worker (external_id or id), a watch (serial), or a list of them.'
        : meaningOf(schema),
  }));
  const help = step?.help ?? '';
  if (json) return out(JSON.stringify(envelope('trigger', { action, help, fields, example: exampleOf(action) })));
  out(fittedToTerminal(`Usage: ${CLI} trigger ${action}${fields.length === 0 ? '' : ' [fields]'}\n\n${help}\n`));
  const width = Math.max(...fields.map(({ flag }) => flag.length), 0) + 2;
  for (const { flag, required, meaning } of fields)
    out(fittedToTerminal(`  ${flag.padEnd(width)}${required ? 'needed. ' : ''}${meaning}`));
  out(`${fields.length === 0 ? '' : '\n'}For example:\n  ${exampleOf(action)}`);
}

/**
 * `sandbox gaps`: lists the open points of the API specification, this sandbox's choice, and how to change it. [cli]
 */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { GAPS } from '../../contract/gaps.ts';
import { colourOf, EXIT, envelope, out } from '../output.ts';

const HELP = `
The real service may behave differently at these points. You can switch some of them, to test a client with both
readings:

  ${CLI} gaps --json | jq '.data.gaps[] | select(.switch)'
  ${CLI} up --assume by-label=actor --assume retry=delay`;

export function defineGaps(program: Command, ended: (code: number) => void): void {
  program
    .command('gaps')
    .description('list the open points of the API specification, and what the sandbox does')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action(({ json }: { json?: boolean }) => {
      if (json === true) out(JSON.stringify(envelope('gaps', { gaps: GAPS })));
      else print();
      ended(EXIT.done);
    });
}

function print(): void {
  const paint = colourOf(process.stdout);
  for (const { id, clause, question, here, switch: turn } of GAPS) {
    out(`${paint('bold', id)}  ${paint('dim', `[spec ${clause}]`)}`);
    out(`  ${question}`);
    out(`  ${paint('teal', here)}`);
    if (turn !== null) out(`  ${paint('amber', `--assume ${turn}`)}`);
    out('');
  }
}

/** `sandbox validate`: every mistake of scenario files in one go, and what may not have been meant. [scenario-language, Messages] */
import type { Command } from 'commander';
import { plural } from '../contract/sentences.ts';
import { inOrder, type Mistake, renderMistakes } from '../plant/mistakes.ts';
import { loadStory } from '../scenario/load.ts';
import { isPart, mistakesOfPart } from '../scenario/load-part.ts';
import { readFromDisk } from '../scenario/ports.ts';
import { EXIT } from './exit.ts';
import { annotation } from './github.ts';
import { colourOf, command, envelope, out, outLine, talk } from './output.ts';
import { STORIES_FOLDER, storiesHere } from './stories.ts';

const HELP = `
Mistakes come with line, column, the place underlined, and what to write; warnings do not make a file invalid.
A file with a matrix or cases is read once for each of them. A part (part: instead of scenario:) is checked as a story that uses it would be. Without a word, the folder ${STORIES_FOLDER} is meant.

Examples:
  sandbox validate scenarios
  sandbox validate my.scenario.yaml --json

Exit codes: 0 valid, 2 a file has mistakes.`;

interface Validated {
  readonly file: string;
  readonly valid: boolean;
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
}

export function defineValidate(program: Command, ended: (code: number) => void): void {
  program
    .command('validate [files...]')
    .description('find every mistake in scenario files')
    .option('--json', 'the mistakes as one JSON object')
    .addHelpText('after', HELP)
    .action((asked: string[], { json }: { json?: boolean }) => {
      const files = storiesHere(asked).map(validated);
      const broken = files.filter(({ valid }) => !valid);
      if (json === true) tellJson(files, broken);
      else for (const file of files) tell(file);
      ended(broken.length === 0 ? EXIT.done : EXIT.usage);
    });
}

/** A mistake that only some cases have is one of the file. */
function validated(file: string): Validated {
  if (isPart(readFromDisk(file))) {
    const mistakes = inOrder([...mistakesOfPart(file)]);
    return { file, valid: mistakes.length === 0, mistakes, warnings: [] };
  }
  const first = loadStory(file);
  const all = first.ok ? first.cases.map((values) => loadStory(file, { values })) : [first];
  const loaded = [first, ...all];
  const mistakes = inOrder(loaded.flatMap((one) => (one.ok ? [] : one.mistakes)));
  const warnings = inOrder(loaded.flatMap((one) => (one.ok ? one.warnings : [])));
  return { file, valid: mistakes.length === 0, mistakes, warnings };
}

function tell({ file, valid, mistakes, warnings }: Validated): void {
  const paint = colourOf(process.stderr);
  if (mistakes.length > 0) talk(renderMistakes(mistakes, readFromDisk));
  for (const warning of warnings)
    talk(renderMistakes([{ ...warning, message: `${paint(33, 'warning')}  ${warning.message}` }], readFromDisk));
  if (process.env['GITHUB_ACTIONS'] === 'true') {
    for (const mistake of mistakes) command(annotation('error', mistake.message, mistake));
    for (const warning of warnings) command(annotation('warning', warning.message, warning));
  }
  const warned = warnings.length === 0 ? '' : `, ${plural(warnings.length, 'warning')}`;
  if (valid) outLine(`${file}  valid${warned}`);
  else outLine(`${file}  ${plural(mistakes.length, 'mistake')}${warned}`);
}

function tellJson(files: readonly Validated[], broken: readonly Validated[]): void {
  const line = envelope('validate', { files });
  if (broken.length === 0) return out(JSON.stringify(line));
  const [first] = broken;
  const message = `${plural(broken.length, 'file')} with mistakes; the first: ${first?.file}:${first?.mistakes[0]?.line}  ${first?.mistakes[0]?.message}`;
  const error = {
    code: 'invalid_file',
    message,
    retryable: false,
    details: null,
    actions: ['Change the files as their mistakes say.'],
  };
  out(JSON.stringify({ ...line, status: 'error', error }));
}

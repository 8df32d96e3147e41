/**
 * `sandbox validate`: lists all mistakes and warnings of scenario files, and corrects those that have only one
 * correction. [scenario-language, Messages]
 */

import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { inRepository } from '../../base/repository.ts';
import { CLI } from '../../base/text/command-form.ts';
import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import { shellWord } from '../../base/text/printable.ts';
import { FILE_LIMITS, MARK, readMarkedText } from '../../base/user-files.ts';
import type { Tone } from '../../contract/resources/terminal-colours.ts';
import { plural } from '../../contract/sentences.ts';
import type { Mistake } from '../../plant/mistakes.ts';
import { countOfMistakes, MOST_LISTED, renderMistakes } from '../../plant/shown-mistakes.ts';
import { VERSION } from '../../sandbox/version.ts';
import { type Mending, mendFiles, mistakesOf } from '../../scenario/mend/mend-files.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import type { FileCommand } from '../../scenario/reading/read-system.ts';
import { CommandError, colourOf, command, EXIT, envelope, out, outLine, talk, talkLine, usage } from '../output.ts';
import {
  addReportFlags,
  isAnnotated,
  mainReport,
  type RequestedReports,
  requestedReports,
  writeReports,
} from '../reports.ts';
import { annotation } from '../run/github.ts';
import { commandLine } from '../shell-commands.ts';
import { EntryLines, entryColumns, timeText, verdictLine } from '../verdict.ts';
import { SCENARIOS_FOLDER, scenariosHere } from './find-scenarios.ts';

const HELP = `
Reports each mistake with its line and column, the marked place, and the correction. Warnings do not make a file
invalid. Notes name the default values of a plant that its file does not set. If FILES is not given, validate
checks the folder ${SCENARIOS_FOLDER}.

The output lists the commands that a file starts on this machine (system, probes). Read them before you run a
file from another person. A file with a matrix or cases is checked once for each case. A part (a file with part:
instead of scenario:) is checked as if a scenario used it.

--fix corrects mistakes that have only one correction, in the files and in the parts that they use. It moves a
modifier such as "within" out of the braces, and corrects a word with one wrong letter. Comments and layout
stay. The changes are printed as a diff on stdout; all other output goes to stderr.

Examples:
  ${CLI} validate scenarios
  ${CLI} validate my.scenario.yaml --json
  ${CLI} validate my.scenario.yaml --fix
  ${CLI} validate scenarios --fix --dry-run | patch -p0
  ${CLI} validate scenarios --report junit,github

Exit codes: 0 valid, 2 a file has mistakes (with --fix: has mistakes left; with --dry-run: before the
corrections).`;

interface Validated {
  readonly file: string;
  readonly valid: boolean;
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
  readonly notes: readonly Mistake[];
  readonly commands: readonly FileCommand[];
}

interface ValidateFlags {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function defineValidate(program: Command, ended: (code: number) => void): void {
  const validating = program
    .command('validate [files...]')
    .description('find the mistakes in scenario files, and correct some of them')
    .option('--fix', 'correct mistakes that have only one correction, and print a diff')
    .option('--dry-run', 'with --fix: print the diff, but do not change the files')
    .option('--json', 'print the mistakes as one JSON object');
  addReportFlags(validating)
    .addHelpText('after', HELP)
    .action((named: string[], flags: ValidateFlags, command: Command) =>
      ended(validate(scenariosHere(named), flags, requestedReports('validate', command))),
    );
}

function validate(
  named: readonly string[],
  { fix = false, dryRun = false, json = false }: ValidateFlags,
  reports: RequestedReports<'validate'>,
): number {
  if (dryRun && !fix) throw usage('--dry-run goes with --fix: without it nothing is written anyway.');
  const mending = fix ? mendFiles(named) : null;
  if (mending !== null && !dryRun) write(mending);
  const files = named.map((file): Validated => {
    const { mistakes, warnings, notes, commands } = mistakesOf(file, readNamed(file));
    return { file, valid: mistakes.length === 0, mistakes, warnings, notes, commands };
  });
  const broken = files.filter(({ valid }) => !valid);
  if (isAnnotated(reports)) annotate(files);
  if (json) printJson(files, broken, mending, !dryRun);
  else {
    if (mending !== null) printMending(mending, dryRun);
    // With --fix, stdout has only the diff.
    const line = mending === null ? outLine : talkLine;
    const isSeveral = files.length > 1;
    if (isSeveral) tellResults(files, line);
    for (const file of files) tell(file, isSeveral && file.valid ? null : line);
    if (mending === null) printFixable(broken);
  }
  writeReports(reports, { 'junit.xml': () => validateJunit(files) });
  if (!json && files.length > 1) printVerdict(files, mainReport(reports));
  return broken.length === 0 ? EXIT.done : EXIT.usage;
}

function write({ files }: Mending): void {
  for (const { file, after } of files) {
    try {
      const before = readMarkedText(file, { mostBytes: FILE_LIMITS.document });
      const hasMark = typeof before === 'string' && before.startsWith(MARK);
      writeFileSync(file, `${hasMark ? MARK : ''}${after}`);
    } catch (error) {
      const message = `${file} cannot be written: ${(error as Error).message}.`;
      throw new CommandError(EXIT.environment, 'not_written', message, {
        actions: ['Make the file writable, or use --dry-run.'],
      });
    }
  }
}

function printMending({ fixes, files, diff }: Mending, dryRun: boolean): void {
  if (files.length === 0) return talk('no mistakes with a certain correction');
  const paint = colourOf(process.stdout);
  const colours: Readonly<Record<string, Tone>> = { '+': 'green', '-': 'red', '@': 'teal' };
  for (const line of diff.split('\n')) {
    const colour = colours[line[0] ?? ''];
    outLine(colour === undefined ? line : paint(colour, line));
  }
  const what = `${plural(fixes.length, 'mistake')} in ${plural(files.length, 'file')}`;
  talk(dryRun ? `${what} would be corrected (--dry-run)` : `${what} corrected`);
}

function printFixable(broken: readonly Validated[]): void {
  const all = broken.flatMap(({ mistakes }) => mistakes);
  const fixable = all.filter(({ fix }) => fix !== undefined);
  if (fixable.length === 0) return;
  const files = broken.filter(({ mistakes }) => mistakes.some(({ fix }) => fix !== undefined));
  talkLine(
    `${fixable.length} of ${countOfMistakes(all.length)} can be corrected by: ${CLI} validate --fix ${files.map(({ file }) => shellWord(file)).join(' ')}`,
  );
}

/** Files share lines; the mistakes follow. */
function tellResults(files: readonly Validated[], line: (text: string) => void): void {
  const entries = new EntryLines(entryColumns(process.stdout), colourOf(process.stdout), line);
  for (const { file, valid } of files)
    entries.add({ name: file, result: valid ? 'passed' : 'failed', checks: null, why: null });
  entries.end();
}

function printVerdict(files: readonly Validated[], report: string | null): void {
  const valid = files.filter((one) => one.valid).length;
  const warnings = files.reduce((sum, one) => sum + one.warnings.length, 0);
  const facts = [...(warnings === 0 ? [] : [plural(warnings, 'warning')]), timeText()];
  const counts = `${valid} valid, ${files.length - valid} with mistakes`;
  const word = valid === files.length ? 'PASSED' : 'FAILED';
  talkLine(verdictLine({ word, counts, facts, report }, colourOf(process.stderr)));
}

/** `line`: prints the result; null: it has been printed. */
function tell(
  { file, valid, mistakes, warnings, notes, commands }: Validated,
  line: ((text: string) => void) | null,
): void {
  const paint = colourOf(process.stderr);
  const textOf = textsOf(file);
  const marked = (all: readonly Mistake[], mark: string) =>
    all.map((one) => ({ ...one, message: `${mark}  ${one.message}` }));
  if (mistakes.length > 0) talk(renderMistakes(mistakes, textOf));
  if (warnings.length > 0) talk(renderMistakes(marked(warnings, paint('amber', 'warning')), textOf, 'warning'));
  if (notes.length > 0) talk(renderMistakes(marked(notes, paint('dim', 'note')), () => undefined, 'note'));
  for (const one of commands) talkLine(commandLine(one));
  const warned = warnings.length === 0 ? '' : `, ${plural(warnings.length, 'warning')}`;
  line?.(`${file}  ${valid ? 'valid' : countOfMistakes(mistakes.length)}${warned}`);
}

function annotate(files: readonly Validated[]): void {
  for (const { mistakes, warnings } of files) {
    for (const mistake of mistakes) command(annotation('error', { text: mistake.message }, mistake));
    for (const warning of warnings) command(annotation('warning', { text: warning.message }, warning));
  }
}

/** A case for each file. Its warnings are in its output. */
function validateJunit(files: readonly Validated[]): string {
  const cases = files.map(({ file, mistakes, warnings }): JunitCase => {
    const [first] = mistakes;
    const place = { name: inRepository(file), classname: 'validate', file: inRepository(file), line: first?.line ?? 1 };
    const textOf = textsOf(file);
    if (first === undefined)
      return {
        ...place,
        outcome:
          warnings.length === 0 ? null : { tag: 'system-out', text: renderMistakes(warnings, textOf, 'warning') },
      };
    const message = `${first.file}:${first.line}:${first.column} ${first.message}`;
    return {
      ...place,
      outcome: { tag: 'failure', type: 'invalid_file', message, text: renderMistakes(mistakes, textOf) },
    };
  });
  return junitXml('validate', [{ name: 'validate', properties: [['version', VERSION]], cases }]);
}

/** The current texts of a file and its parts, for the lines that are shown. */
function textsOf(file: string): (path: string) => string | undefined {
  const read = readNamed(file);
  return (path) => {
    const text = read(path);
    return typeof text === 'string' ? text : undefined;
  };
}

function printJson(
  files: readonly Validated[],
  broken: readonly Validated[],
  mending: Mending | null,
  written: boolean,
) {
  const mended =
    mending === null ? {} : { fixes: mending.fixes, diff: mending.diff, written: written && mending.files.length > 0 };
  const listed = files.map((file) => ({ ...file, mistakes: file.mistakes.slice(0, MOST_LISTED) }));
  const line = envelope('validate', { files: listed, ...mended });
  if (broken.length === 0) return out(JSON.stringify(line));
  const [first] = broken;
  const message = `${plural(broken.length, 'file')} with mistakes; the first: ${first?.file}:${first?.mistakes[0]?.line}  ${first?.mistakes[0]?.message}`;
  const error = {
    code: 'invalid_file',
    message,
    retryable: false,
    details: null,
    actions: ['Correct the mistakes in the files.'],
  };
  out(JSON.stringify({ ...line, status: 'error', error }));
}

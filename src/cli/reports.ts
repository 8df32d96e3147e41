/** `--report KIND,...` and `--out FOLDER`: one declaration and one writer for every command with reports. [cli, Reports] */
import { mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { Outage } from '../base/assert.ts';
import { shellWord } from '../base/text/printable.ts';
import { REPORT_FILES, type ReportKind } from '../base/text/report-files.ts';
import { didYouMean, quoted } from '../contract/sentences.ts';
import { talkLine, usage } from './output.ts';
import { makeFolder, writeReportFile } from './report-file.ts';
import { SETTINGS } from './switches.ts';

/** The kinds of each command. */
const KINDS = {
  run: ['html', 'junit', 'json', 'md', 'github'],
  validate: ['junit', 'github'],
  certify: ['html', 'junit', 'json', 'md'],
  explore: ['html', 'junit', 'json'],
  drill: ['html', 'json', 'csv'],
  compare: ['html', 'junit', 'json'],
  proxy: ['html', 'junit', 'json'],
  status: ['html', 'json', 'md'],
} as const satisfies Readonly<Record<string, readonly ReportKind[]>>;

type ReportingCommand = keyof typeof KINDS;

/** The kinds of a command; none if it has no reports. */
export const reportKinds = (command: string): readonly ReportKind[] =>
  Object.hasOwn(KINDS, command) ? KINDS[command as ReportingCommand] : [];

/** The default of `--out`. */
const FOLDER = 'report';

/** The reports of one call of a command. It is plain data, which processes of `--jobs` get. */
export interface RequestedReports<C extends ReportingCommand = ReportingCommand> {
  readonly command: C;
  readonly kinds: readonly ReportKind[];
  /** The folder as the user wrote it; null if no file is requested. */
  readonly folder: string | null;
  /** The absolute path, because the working folder may no longer exist at the end. */
  readonly path: string | null;
}

/** The text of each file that the command can write. A text is made only if its file was requested. */
type ReportTexts<C extends ReportingCommand> = {
  readonly [F in (typeof REPORT_FILES)[(typeof KINDS)[C][number]][number]]: () => string;
};

/** Adds `--report` and `--out` to a command. `outHelp` says what else the folder holds. */
export function addReportFlags(command: Command, outHelp = `folder of the reports (default: ${FOLDER})`): Command {
  const kinds: readonly ReportKind[] = KINDS[command.name() as ReportingCommand];
  const files = kinds.flatMap((kind) => REPORT_FILES[kind]);
  const except = kinds.includes('github') ? ' except github' : '';
  return command
    .option(
      '--report <kinds>',
      `reports to write, separated by commas: ${kinds.join(', ')} (with --out alone: all${except}); the files are ${files.join(', ')}`,
      (one: string, before: string | undefined) => (before === undefined ? one : `${before},${one}`),
    )
    .option('--out <folder>', outHelp);
}

/**
 * Returns the reports that the flags request. Throws a usage error for an unknown kind, and an `Outage` if the folder
 * cannot be used, before the command does its work.
 */
export function requestedReports<C extends ReportingCommand>(name: C, command: Command): RequestedReports<C> {
  const { report, out } = command.opts<{ report?: string; out?: string }>();
  const isSetting = command.getOptionValueSource('report') === SETTINGS;
  const named = report === undefined ? [] : kindsIn(report, name, isSetting);
  const kinds = named.length > 0 ? named : defaultKinds(name, out);
  if (out === '') throw usage('--out must not be empty: it names a folder.');
  const files = kinds.flatMap((kind) => REPORT_FILES[kind]);
  const folder = out ?? (files.length > 0 ? FOLDER : null);
  if (folder === null) return { command: name, kinds, folder: null, path: null };
  refuseUnusable(folder, files);
  return { command: name, kinds, folder, path: resolve(folder) };
}

/** The path of the report that a person opens first, with the folder as the user wrote it; null if no file is written. */
export function mainReport({ kinds, folder }: RequestedReports): string | null {
  const [file] = kinds.flatMap((kind) => REPORT_FILES[kind]);
  return folder === null || file === undefined ? null : join(folder, file);
}

function defaultKinds(name: ReportingCommand, out: string | undefined): ReportKind[] {
  const kinds: readonly ReportKind[] = KINDS[name];
  const isJob = (process.env['GITHUB_STEP_SUMMARY'] ?? '') !== '';
  return kinds.filter((kind) => (kind === 'github' ? isJob : out !== undefined));
}

/** Other names of kinds, and the endings of their files. */
const OTHER_NAMES: Readonly<Record<string, ReportKind>> = { htm: 'html', xml: 'junit', markdown: 'md', summary: 'md' };

/** The settings file has one `report` for all commands, so a kind of another command is left out there. */
function kindsIn(text: string, name: ReportingCommand, isSetting: boolean): ReportKind[] {
  const kinds: readonly ReportKind[] = KINDS[name];
  const words = text.split(',').map((word) => word.trim());
  const wanted = isSetting
    ? words.filter((word) => kinds.includes(word as ReportKind) || !(word in REPORT_FILES))
    : words;
  const unknown = wanted.find((word) => !kinds.includes(word as ReportKind));
  if (unknown === undefined) return [...new Set(wanted as ReportKind[])];
  const list = `There are ${kinds.join(', ')}.`;
  if (/[./\\]/.test(unknown))
    throw usage(
      `--report ${unknown}: it takes kinds of reports, and --out takes their folder.`,
      `Write: ${reportFlags([kindOfFile(unknown, kinds)], dirname(unknown))}`,
      list,
    );
  const other = OTHER_NAMES[unknown.toLowerCase()];
  const hint = other !== undefined && kinds.includes(other) ? ` Did you mean "${other}"?` : didYouMean(unknown, kinds);
  throw usage(`${quoted(unknown)} is not a report of ${name}.${hint}`, list);
}

function kindOfFile(file: string, kinds: readonly ReportKind[]): ReportKind {
  const ending = extname(file).slice(1).toLowerCase();
  const kind = OTHER_NAMES[ending] ?? (ending as ReportKind);
  return kinds.includes(kind) ? kind : (kinds[0] as ReportKind);
}

/** The flags that write these reports into the folder; null: into the default one. */
export const reportFlags = (kinds: readonly ReportKind[], folder: string | null): string =>
  `--report ${[...new Set(kinds)].join(',')}${folder === null ? '' : ` --out ${shellWord(folder)}`}`;

/** Throws an `Outage` if the folder and its files could not be written at the end. It leaves nothing behind. */
function refuseUnusable(folder: string, files: readonly string[]): void {
  const path = resolve(folder);
  let made: string | undefined;
  try {
    const file = firstFile(path);
    if (file !== null) throw new Error(`${file === path ? 'it' : file} is a file`);
    // The rights of a folder do not tell: root may write everywhere, but not on every file system.
    made = makeFolder(path);
    rmdirSync(mkdtempSync(join(path, '.probe-')));
    const taken = files.find((one) => statSync(join(path, one), { throwIfNoEntry: false })?.isDirectory() === true);
    if (taken !== undefined) throw new Error(`${taken} in it is a folder`);
  } catch (error) {
    const message = `--out ${folder} cannot be written as a folder of reports: ${(error as Error).message}.`;
    throw new Outage({ code: 'not_writable', message, fix: 'Name another folder with --out.' });
  } finally {
    if (made !== undefined) removeEmpty(path, made);
  }
}

/** The first part of the path that exists and is no folder; null if there is none. */
function firstFile(path: string): string | null {
  const parts = path.split(sep);
  for (let length = 2; length <= parts.length; length++) {
    const part = parts.slice(0, length).join(sep);
    const found = statSync(part, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isDirectory()) return part;
  }
  return null;
}

/** Removes the folders from `path` up to `first`, unless another process has used one since. */
function removeEmpty(path: string, first: string): void {
  try {
    for (let at = path; at.startsWith(first); at = dirname(at)) rmdirSync(at);
  } catch {
    // The folder is in use.
  }
}

/** Writes the requested files of the command, and names them on stderr. */
export function writeReports<C extends ReportingCommand>(requested: RequestedReports<C>, texts: ReportTexts<C>): void {
  const textOf: Readonly<Record<string, () => string>> = texts;
  for (const file of requested.kinds.flatMap((kind) => REPORT_FILES[kind])) {
    putReport(requested, file, textOf[file]?.() ?? '');
    nameReport(requested, file);
  }
}

/** Writes one file of the folder. */
export function putReport({ path }: RequestedReports, file: string, text: string): void {
  if (path !== null) writeReportFile(join(path, file), text);
}

/** Names a file that was written, with the folder as the user wrote it. */
export function nameReport({ folder }: RequestedReports, file: string): void {
  if (folder !== null) talkLine(`report  ${join(folder, file)}`);
}

/** The text of a `report.json`: the envelope that the command prints with `--json`. */
export const envelopeText = (envelope: object): string => `${JSON.stringify(envelope, null, 2)}\n`;

/** True if annotations of a pull request are printed. GitHub gets them without a flag. */
export const isAnnotated = ({ kinds }: RequestedReports): boolean =>
  kinds.includes('github') || process.env['GITHUB_ACTIONS'] === 'true';

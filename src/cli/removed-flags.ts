/** Flags of earlier versions: each is refused with what replaces it. [cli, Reports] */
import { dirname } from 'node:path';
import type { ReportKind } from '../base/text/report-files.ts';
import { list } from '../contract/sentences.ts';
import { type CommandError, usage } from './output.ts';
import { reportFlags, reportKinds } from './reports.ts';

/** The flags with a file, and the report that replaces each. No command has them, and other tools do. */
const REMOVED: Readonly<Record<string, ReportKind>> = { junit: 'junit', html: 'html', csv: 'csv', 'csv-people': 'csv' };

/** The refusal of the removed flags among these words, with the words of the user; null if there are none. */
export function removedFlagRefusal(command: string, words: readonly string[]): CommandError | null {
  const kinds = reportKinds(command);
  if (kinds.length === 0) return null;
  const found = words.flatMap((word, place) => {
    const [, flag = '', value = words[place + 1] ?? ''] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const file = value.startsWith('-') ? '' : value;
    return Object.hasOwn(REMOVED, flag) ? [{ flag, kind: REMOVED[flag] as ReportKind, file }] : [];
  });
  const [first] = found;
  if (first === undefined) return null;
  const flags = [...new Set(found.map(({ flag }) => `--${flag}`))].join(' and ');
  const message = `${command} has no ${flags}: reports have one form in every command.`;
  const wanted = found.map(({ kind }) => kind).filter((kind) => kinds.includes(kind));
  if (wanted.length === 0)
    return usage(message, `The reports of ${command} are ${list(kinds).replace(' or ', ' and ')}.`);
  return usage(message, `Write: ${reportFlags(wanted, first.file === '' ? null : dirname(first.file))}`);
}

/** The refusal of a key of the settings file; null if the key was never a flag of a report. */
export function removedSettingRefusal(file: string, key: string, value: unknown): CommandError | null {
  if (!Object.hasOwn(REMOVED, key)) return null;
  const message = `${file}: "${key}" was replaced: reports have one form in every command.`;
  return usage(message, `Write: report: ${REMOVED[key]}`, `and: out: ${dirname(String(value))}`);
}

/** Examines a scenario file that is to run in the sandbox, and returns what the sandbox must know before the run, as plain data. [decisions 9] */

import { basename } from 'node:path';
import { isSameName } from '../../base/text/same-name.ts';
import { atOnce, type Slices } from '../../base/time/slices.ts';
import { type ReadText, withoutHostFolders, withoutHostPath } from '../../base/user-files.ts';
import { list } from '../../contract/sentences.ts';
import { MOST_LISTED } from '../../plant/shown-mistakes.ts';
import type { RunMode, Values } from '../../scenario/model/scenario.ts';
import { type LoadedScenario, loadInSlices, openScenario } from '../../scenario/reading/load.ts';
import { type MergedFile, readMerged } from '../../scenario/reading/merged-file.ts';
import { type TransferredScenario, toTransfer } from '../../scenario/reading/transferred.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import { type StepBeyond, stepsBeyond } from './beyond.ts';
import { actionsOf, ignoredIn, refusalOf } from './suits.ts';

/** The request must be structured-cloneable, because it is sent to a worker thread. */
export interface ExamineRequest {
  readonly file: string;
  readonly parameters: Values;
  readonly seed: string | undefined;
  /** The viewer of the token that starts the scenario; null: the control token. */
  readonly viewer: TokenViewer | null;
  readonly mode: RunMode;
}

/** What the sandbox must know of a scenario before it begins. */
export interface ExaminedScenario {
  readonly seed: string;
  readonly values: Values | null;
  readonly set: Values;
  /** The steps of the scenario itself and of `finally`, for its progress. */
  readonly steps: readonly { readonly line: number; readonly text: string }[];
  /** Steps that the token may not perform. */
  readonly beyond: readonly StepBeyond[];
  /** The actions of the catalogue that the scenario uses. */
  readonly actions: readonly string[];
  /** Addresses of the user's own receivers. */
  readonly ownUrls: readonly string[];
  readonly warnings: readonly string[];
}

export interface Examination {
  readonly scenario: ExaminedScenario;
  readonly loaded: Extract<LoadedScenario, { ok: true }>;
  readonly transfer: () => TransferredScenario;
}

/** Reads the scenario with its parameters; of a matrix or cases, the first run that has the requested values. */
export const examine = (request: ExamineRequest, read: ReadText): Examination | Rejection =>
  atOnce(examineInSlices(request, read));

/** As `examine`, in slices, so that a server can do other work in between. */
export function* examineInSlices(
  { file, parameters, seed, viewer, mode }: ExamineRequest,
  read: ReadText,
  { merged = readMerged(file, read), light = false }: { readonly merged?: MergedFile; readonly light?: boolean } = {},
): Slices<Examination | Rejection> {
  yield;
  const bare = yield* loadInSlices(openScenario(file, { read, seed, merged: merged.afresh(), light }));
  yield;
  const commands = commandsRefused(bare, viewer);
  if (commands !== null) return commands;
  if (!bare.ok) return reject('validation_failed', `The scenario has mistakes:\n${textFor(viewer, bare)}`);
  const ofCases = new Set(bare.cases.flatMap((one) => Object.keys(one)));
  const wanted = Object.entries(parameters);
  const equal = (one: Values, name: string, value: unknown) =>
    isSameName(JSON.stringify(one[name]), JSON.stringify(value));
  const values =
    bare.cases.find((one) => wanted.every(([name, value]) => !ofCases.has(name) || equal(one, name, value))) ?? null;
  if (values === null && bare.cases.length > 0)
    return reject(
      'validation_failed',
      'The scenario has no case with these values; GET /v1/sandbox/scenarios lists them.',
      [{ pointer: '/parameters', detail: 'fit no case of the scenario' }],
    );
  const set = Object.fromEntries(wanted.filter(([name]) => !ofCases.has(name)));
  const open = openScenario(file, { read, seed, values, set, merged: merged.afresh(), light });
  yield;
  const loaded = wanted.length === 0 ? bare : yield* loadInSlices(open);
  yield;
  // A parameter can be a command, so the commands of the file are checked again with its values.
  const withValues = commandsRefused(loaded, viewer);
  if (withValues !== null) return withValues;
  if (!loaded.ok || !('value' in open)) {
    const mistakes = (loaded.ok ? [] : loaded.mistakes).slice(0, MOST_LISTED);
    const errors = mistakes.map(({ message }) => ({ pointer: '/parameters', detail: message }));
    const first = errors[0]?.detail ?? '';
    return reject('validation_failed', `With these parameters the scenario has mistakes. ${first}`, errors);
  }
  const { scenario } = loaded;
  const refused = refusalOf(scenario, mode);
  if (refused !== null) return reject('action_refused', refused);
  return {
    scenario: {
      seed: loaded.seed,
      values,
      set,
      steps: [...scenario.steps, ...scenario.finally].map(({ line, text }) => ({ line, text })),
      beyond: viewer === null ? [] : stepsBeyond(scenario, viewer),
      actions: [...actionsOf(scenario)],
      ownUrls: scenario.receivers.flatMap(({ url }) => (url === null ? [] : [new URL(url).href])),
      warnings: ignoredIn(merged.value),
    },
    loaded,
    transfer: () => toTransfer(open),
  };
}

/**
 * Refuses commands for the token of a client: it must not start programs on the machine of the sandbox. [decisions 9,
 * Scenarios with commands]
 */
function commandsRefused({ commands }: LoadedScenario, viewer: TokenViewer | null): Rejection | null {
  if (viewer === null || commands.length === 0) return null;
  const keys = list([...new Set(commands.map(({ key }) => `"${key}"`))]).replace(' or ', ' and ');
  const why = `The scenario starts a command on the machine of the sandbox (${keys})`;
  return reject('insufficient_scope', `${why}, and needs the control token.`);
}

/** Shortens the path of an included file outside the folders to its file name. */
const withoutOutside = (message: string): string =>
  message.replace(/^(.+?)(?= is outside the folders)/, (path) => basename(path));

/** A client gets no line of a file and no path of the host. */
function textFor(viewer: TokenViewer | null, loaded: Extract<LoadedScenario, { ok: false }>): string {
  if (viewer === null) return loaded.text;
  return loaded.mistakes
    .slice(0, MOST_LISTED)
    .map(
      ({ file, line, column, message }) =>
        `${withoutHostPath(file)}:${line}:${column}  ${withoutHostFolders(withoutOutside(message))}`,
    )
    .join('\n');
}

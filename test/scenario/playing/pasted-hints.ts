/** Pastes the hints of `--mutate` as they are printed, and plays the scenario again. */
import { isSeq, isMap as isYamlMap, type ParsedNode, parseDocument } from 'yaml';
import type { ReadText } from '../../../src/base/user-files.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import type { ScenarioChange, Version } from '../../../src/scenario/model/change.ts';
import { ChecksSeen } from '../../../src/scenario/mutate/checks-seen.ts';
import { hintFor } from '../../../src/scenario/mutate/hint.ts';
import { PlayedCase } from '../../../src/scenario/mutate/played-case.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';

export interface PastedHint {
  /** `file:line word detail: text`. */
  readonly change: string;
  /** The lines to paste, or the words of a hint without them. */
  readonly hint: string;
  /** What is wrong with it; null: it notices the change, and the unchanged scenario passes. */
  readonly fault: string | null;
  readonly isPasted: boolean;
}

/** Those that do not notice their change. */
export const faultsOf = (hints: readonly PastedHint[]): readonly PastedHint[] =>
  hints.filter(({ fault }) => fault !== null);

/** Whose hints take a minute each, because three days or a storm of calls are played for each try. */
const LONG: readonly string[] = ['three-days', 'receiver-outage', 'tsunami-muster', 'storm-of-429'];
export const isShort = (name: string): boolean => !LONG.some((one) => name.startsWith(one));

/** The hint of each change of the file that passes, of those that `isWanted`. */
export async function pastedHints(
  file: string,
  read: ReadText,
  isWanted: (change: ScenarioChange) => boolean,
): Promise<PastedHint[]> {
  const loaded = loadScenario(file, { read });
  if (!loaded.ok) throw new Error(loaded.text);
  const values = loaded.cases.length === 0 ? [null] : loaded.cases;
  const cases = values.map((one) => new PlayedCase(file, one, { boot: bootStage, read }, new ChecksSeen()));
  const passed = new Map<string, { change: ScenarioChange; theCase: PlayedCase; version: Version; place: number }>();
  const noticed = new Set<string>();
  for (const [place, theCase] of cases.entries()) {
    const broken = await theCase.baseline();
    if (broken !== null) throw new Error(`${file}: ${broken.text}`);
    for (const change of theCase.found().changes.filter(isWanted)) {
      if (noticed.has(change.key)) continue;
      const outcome = await theCase.judge(change);
      if (outcome?.kind === 'passed') passed.set(change.key, { change, theCase, version: outcome.version, place });
      else if (outcome !== null) noticed.add(change.key);
    }
  }
  const found: PastedHint[] = [];
  for (const [key, { change, theCase, version, place }] of passed) {
    if (noticed.has(key)) continue;
    const { why, paste } = await hintFor(file, { change, theCase, version }, cases);
    const text = `${change.file}:${change.line} ${change.word} ${change.detail}: ${version.text}`;
    if (paste === null) {
      found.push({ change: text, hint: why, fault: null, isPasted: false });
      continue;
    }
    const lines = String(read(paste.file)).split('\n');
    const after = lines.toSpliced(paste.below, 0, ...paste.lines).join('\n');
    const readAfter: ReadText = (path) => (path === paste.file ? after : read(path));
    const fault = await faultOf(file, readAfter, { values, value: values[place] ?? null, version });
    found.push({ change: text, hint: paste.lines.join('\n'), fault, isPasted: true });
  }
  return found;
}

interface Replayed {
  readonly values: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly version: Version;
}

async function faultOf(file: string, read: ReadText, { values, value, version }: Replayed): Promise<string | null> {
  const played = (one: Replayed['value'], edits: Version['edits']) =>
    runFile(file, { mode: 'fast', boot: bootStage, read, values: one, edits, sink: () => {} });
  for (const one of values) {
    const { verdict, failures, mistakes } = await played(one, []);
    if (verdict !== 'passed') return `the unchanged scenario: ${mistakes ?? failures[0]?.text ?? verdict}`;
  }
  const { verdict, mistakes } = await played(value, version.edits);
  return verdict === 'failed' ? null : `the changed scenario: ${mistakes ?? verdict}`;
}

/** The scenario without the checks that bind no name, without expected answers and rules: nothing notices a change. */
export function withoutChecks(text: string): string {
  const document = parseDocument(text);
  const strip = (node: unknown): void => {
    if (isSeq(node)) {
      node.items = node.items.filter((item) => !isFreeCheck(item as ParsedNode));
      for (const item of node.items) strip(item);
    } else if (isYamlMap(node)) {
      node.delete('answers');
      for (const { value } of node.items) strip(value);
    }
  };
  document.delete('rules');
  strip(document.contents);
  return String(document);
}

const isFreeCheck = (item: unknown): boolean =>
  isYamlMap(item) && !item.has('as') && ['expect', 'check', 'never'].some((word) => item.has(word));

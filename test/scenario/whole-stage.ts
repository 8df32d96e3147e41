/** Plays short scenarios against a whole sandbox: real MQTT, HTTP and webhooks, in lock-step. */
import { bootStage } from '../../src/sandbox/boot.ts';
import type { RunNotice } from '../../src/scenario/log/run-notices.ts';
import { type RunResult, runFile } from '../../src/scenario/playing/run-file.ts';
import type { RunOptions } from '../../src/scenario/playing/run-options.ts';

const HEAD = `scenario: A short scenario
seed: 7
site:
  name: Small plant
  origin: [43.3, -8.4]
  zones:
    Dock: {type: work_area, box: [0, 0, 200, 120]}
    Tank farm: {type: restricted, box: [0, 300, 160, 410]}
    Canteen: {type: privacy, box: [300, 0, 340, 40]}
    Gate: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
contract: {technical_contact: safety@small.example}
workers: {ana: {in: Dock}, luis: {in: Dock}}
receivers: {erp: {events: [alert.*, muster.*]}}
`;

/** A scenario with these lines below `steps`, indented as the language wants; `rest` are further keys. */
export const wholeScenario = (steps: string, rest = ''): string => {
  const lines = steps.replace(/^\n|\s+$/g, '').split('\n');
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  return `${HEAD}${rest}${rest === '' ? '' : '\n'}steps:\n${lines.map((line) => `  ${line.slice(indent)}`).join('\n')}\n`;
};

export interface WholeRun extends RunResult {
  readonly notices: readonly RunNotice[];
}

/** Plays the text; its mistakes are thrown. */
export async function playWhole(text: string, options: Partial<RunOptions> = {}): Promise<WholeRun> {
  const notices: RunNotice[] = [];
  const result = await runFile('short.scenario.yaml', {
    mode: 'fast' as const,
    boot: bootStage,
    sink: (notice: RunNotice) => void notices.push(notice),
    read: (path) => (path === 'short.scenario.yaml' ? text : undefined),
    ...options,
  });
  if (result.exitCode === 2) throw new Error(result.mistakes ?? result.error?.message);
  return { ...result, notices };
}

/** Plays the steps and returns the failures; empty if the scenario passes. */
export async function failuresOf(steps: string, rest = ''): Promise<readonly string[]> {
  const { failures, error } = await playWhole(wholeScenario(steps, rest));
  return [...failures.map(({ text }) => text), ...(error === null ? [] : [`${error.code}: ${error.message}`])];
}

/** The receiver-outage scenario, two simulated days in a fast run, against the same two days in which nothing happens; and all the scenarios that ship, one after the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bootStage } from '../src/sandbox/boot.ts';
import { runFile } from '../src/scenario/playing/run-file.ts';
import { loadScenario } from '../src/scenario/reading/load.ts';
import { figures, tellRatio } from './figures.ts';
import { measured } from './table.ts';

const FOLDER = resolve(import.meta.dirname, '../scenarios');
const SCENARIO = join(FOLDER, 'receiver-outage.scenario.yaml');
const ROUNDS = 3;
/** A scenario should cost little more than the time that passes in it. */
const TARGET = 2;

const QUIET = `
scenario: Two days of nothing
use: [sites/harbour.yaml]
seed: 3
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - wait: 48h20m
`;

async function wallMs(
  file: string,
  text: string | null,
  values: Readonly<Record<string, unknown>> | null,
): Promise<number> {
  const read = (path: string) => (text !== null && path === file ? text : readFileSync(path, 'utf8'));
  const begun = performance.now();
  const { verdict, failures } = await runFile(file, { mode: 'fast', values, boot: bootStage, sink: () => {}, read });
  if (verdict !== 'passed') throw new Error(`${file}: ${failures[0]?.text ?? verdict}`);
  return performance.now() - begun;
}

export async function benchScenarios(): Promise<void> {
  const [our, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await wallMs(join(FOLDER, 'quiet.scenario.yaml'), QUIET, null));
    our.push(await wallMs(SCENARIO, null, { fault: 503 }));
  }
  tellRatio('two simulated days with a receiver that is down', figures(our), figures(bare), TARGET);

  const begun = performance.now();
  let runs = 0;
  for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.scenario.yaml'))) {
    const loaded = loadScenario(join(FOLDER, name));
    const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
    for (const values of cases) {
      await wallMs(join(FOLDER, name), null, values);
      runs++;
    }
  }
  measured({
    what: `all ${runs} runs of the scenarios that ship`,
    value: (performance.now() - begun) / 1_000,
    unit: 's',
  });
  console.log(`all ${runs} runs of the scenarios that ship: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

/** The line `again:` of a failure, and that of a report, play the same again: they are run as they are printed. [scenario-language, Messages] */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { BIN } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

/** Fails in all that it was given: its case, its parameters, its seed, the order of ties. */
const SCENARIO = `scenario: What it was given
site: {name: Plant, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
params: {charge: 50, silence: 2m}
matrix: {with: [watch_button, watch_hardware_button], note: [${isWhole ? 'a, ' : ''}"it's \\"b\\", $HOME\\u001b[31m"]}
workers: {ana: {in: Dock}, luis: {in: Dock}, eva: {in: Dock}}
crowd: {crew: {count: 5, in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - mark: $note
  - sos: {who: 1 of crew, with: $with}
  - battery: {who: luis, pct: $charge}
  - wait: $silence
  - together:
      - sos: {who: ana, with: $with}
      - sos: {who: luis, with: $with}
      - sos: {who: eva, with: $with}
  - check: {alerts: open, count: 1}
`;

interface Ran {
  readonly code: number | null;
  readonly text: string;
  readonly runs: readonly { log_sha256: string; failures: { line: number; text: string }[]; verdict: string }[];
}

const file = join(folder.path, "ana's\tscenario.scenario.yaml");
writeFileSync(file, SCENARIO);

/** As a person pastes it, where \`sandbox\` is on the path. */
function paste(command: string): Promise<Ran> {
  const shell = `sandbox() { "${process.execPath}" "${BIN}" "$@"; }; ${command}`;
  const child = spawn('sh', ['-c', shell], { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, text] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    text += bytes;
  });
  return new Promise((done) =>
    child.once('close', (code) => done({ code, text, runs: stdout === '' ? [] : JSON.parse(stdout).data.runs })),
  );
}

const againOf = (text: string): string => /again {5}(.*)$/m.exec(text)?.[1] ?? '';

const GIVEN = [
  '--shuffle-ties 3 --seed 2',
  '--seed random --shuffle-ties',
  '--shuffle-ties',
  '--seed 11',
  '--set charge=15 --set silence=30s --case with=watch_hardware_button',
  '--mode scaled --speed 40 --seed 3',
  '--mode real --set silence=1s --receiver erp=http://127.0.0.1:9/hook',
];

// Without a shell: seeds-and-orders.test.ts.
for (const flags of GIVEN)
  unless(withoutWhole).test(`of a run with ${flags}`, {
    concurrent: true,
  }, async () => {
    const out = `reports ${flags.replace(/\W+/g, '-')}`;
    const first = await paste(`sandbox run "ana's"?"scenario.scenario.yaml" ${flags} --json --out "${out}"`);
    expect(first.code).toBe(1);
    // A run in real time begins now.
    const exact = !flags.includes('--mode real');
    // The last of the matrix, whose note has every sign that a shell could take for its own.
    const failed = first.runs.at(-1);
    const [failure] = failed?.failures ?? [];
    const again = againOf(failure?.text ?? '');
    const second = await paste(`${again} --json`);
    expect(second.runs).toHaveLength(1);
    expect(second.code).toBe(1);
    expect(againOf(second.runs[0]?.failures[0]?.text ?? '')).toBe(again);
    if (exact) expect(second.runs[0]?.failures).toEqual(failed?.failures);
    const reports = JSON.parse(readFileSync(join(folder.path, out, 'report.json'), 'utf8')) as {
      runs: { rerun: string }[];
    };
    const whole = await paste(`${reports.runs.at(-1)?.rerun} --json`);
    expect(whole.runs).toHaveLength(1);
    if (exact) expect(whole.runs[0]?.log_sha256).toBe(failed?.log_sha256);
  });

/** Plays a scenario with a witness, for tests of its report. */
import { bootStage } from '../../../src/sandbox/boot.ts';
import type { Boot, RunWitness } from '../../../src/scenario/playing/ports.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import type { PackedRun } from '../../../src/scenario/reporting/html/packed-run.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { Witness } from '../../../src/scenario/reporting/witness.ts';

interface ReportedOptions {
  readonly truth?: boolean;
  readonly boot?: Boot;
  /** Called with what the witness is called with. */
  readonly onAnswer?: RunWitness['onAnswer'];
}

export async function reported(scenario: string, options: ReportedOptions = {}): Promise<RunReport> {
  const { truth = false, boot = bootStage, onAnswer = () => {} } = options;
  const witness = new Witness({ truth });
  const answered = witness.onAnswer.bind(witness);
  witness.onAnswer = (call, answer) => {
    onAnswer(call, answer);
    answered(call, answer);
  };
  const result = await runFile('page.scenario.yaml', {
    mode: 'fast',
    boot,
    sink: () => {},
    witness,
    read: (path) => (path === 'page.scenario.yaml' ? scenario : undefined),
  });
  if (result.verdict === 'error') throw new Error(result.mistakes ?? result.error?.message);
  return witness.report(result, '1.2.3', 'sandbox run page.scenario.yaml --seed 7');
}

/** The data that the script of a page reads. */
export function dataOf(page: string): PackedRun {
  const json = /<script type="application\/json" id="run-data">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  return JSON.parse(json) as PackedRun;
}

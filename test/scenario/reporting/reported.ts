/** Plays a scenario with a witness, for tests of its report. */
import { type Coordinates, frame, type Point } from '../../../src/base/geometry/shapes.ts';
import type { StreamPerson } from '../../../src/contract/stream.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import type { Boot, RunWitness } from '../../../src/scenario/playing/ports.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import type { PackedRun } from '../../../src/scenario/reporting/html/packed-run.ts';
import { RunAt } from '../../../src/scenario/reporting/html/run-at.ts';
import type { RunReport } from '../../../src/scenario/reporting/report-data.ts';
import { truePlaceAt } from '../../../src/scenario/reporting/seen/truth.ts';
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

/** The run of a page at any instant, with what a client sees of its people by their short names. */
export class PagedRun extends RunAt {
  constructor(page: string) {
    super(dataOf(page));
  }

  person(who: string, t: number): StreamPerson | undefined {
    return this.world(t).people.get(this.run.people.find((one) => one.who === who)?.workerId ?? '');
  }

  /** The name of the plan and the real place; undefined without ground truth. */
  truth(who: string, t: number): { readonly name: string | null; readonly at: Point | null } | undefined {
    const { workerId } = this.run.people.find((one) => one.who === who) ?? {};
    const found = this.run.truth?.people.find((one) => one.workerId === workerId);
    if (found === undefined) return undefined;
    const at = truePlaceAt(found.track, t);
    return { name: found.name, at: at === null ? null : metresFrom(ORIGIN, at) };
  }

  /** Whole tenths of a metre from the origin of the site; null if no position is shown. */
  place(who: string, t: number): Point | null {
    const location = this.person(who, t)?.location ?? null;
    return location === null ? null : metresFrom(ORIGIN, location);
  }
}

/** The origin of the sites of these tests. */
const ORIGIN = { latitude: 43.361, longitude: -8.412 };

function metresFrom(origin: Coordinates, at: Coordinates): Point {
  const [x, y] = frame(origin).toMetres(at);
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}

/** The data that the script of a page reads. */
export function dataOf(page: string): PackedRun {
  const json = /<script type="application\/json" id="run-data">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  return JSON.parse(json) as PackedRun;
}

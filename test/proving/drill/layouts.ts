/** Hand-made layouts under drill. */
import { type DrillLayout, readLayout } from '../../../src/proving/drill/layout.ts';
import { type DrillRun, type DrillSetting, playDrill, seedOfRun } from '../../../src/proving/drill/play.ts';
import { checkedSiteFile } from '../../../src/scenario/mend/checked-part.ts';

/** A hall with one narrow door, a yard, a gate, and a hill that serves a tsunami too. */
export const WORKS = `part: Works
site:
  name: Old works
  origin: [43.3610, -8.4120]
  zones:
    Hall: {type: building, box: [0, 0, 80, 50], doors: [[40, 0, 0.9]]}
    Yard: {type: work_area, box: [0, 70, 160, 120]}
    Gate: {type: assembly_point, box: [20, -60, 70, -30], serves: [general, earthquake], capacity: 300}
    Hill: {type: assembly_point, box: [300, 90, 340, 130], serves: [general, tsunami], capacity: 400}
`;

export const SETTING: DrillSetting = { kind: 'general', excluded: [], afterMs: 60_000, limitMs: 3_600_000 };

export function layoutFrom(text = WORKS, people?: number): DrillLayout {
  const label = 'works.yaml';
  const read = (seed: string) => checkedSiteFile(text, label, { seed, readFile: () => undefined });
  const { layout, mistakes } = readLayout({ label, read }, people);
  if (layout === null) throw new Error(JSON.stringify(mistakes));
  return layout;
}

export async function played(layout: DrillLayout, runs: number, setting: Partial<DrillSetting> = {}, seed = '1') {
  const all: DrillRun[] = [];
  for (let run = 1; run <= runs; run++) {
    const pause = { breathe: () => Promise.resolve(), isOver: () => false };
    const one = await playDrill(layout, { ...SETTING, ...setting }, { run, seed: seedOfRun(seed, run) }, pause);
    if (one !== null) all.push(one);
  }
  return all;
}

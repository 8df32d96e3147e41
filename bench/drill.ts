/** A hundred drills of the default plant in one process, beside a bare loop that moves as many people for as many seconds. */
import { readShipped } from '../src/base/shipped.ts';
import { readLayout } from '../src/proving/drill/layout.ts';
import { playDrill, seedOfRun } from '../src/proving/drill/play.ts';
import { checkedSiteFile } from '../src/scenario/mend/checked-part.ts';
import { measured } from './table.ts';

const RUNS = 100;
const TARGET_S = 60;

const SETTING = { kind: 'general', excluded: [], afterMs: 600_000, limitMs: 3_600_000 } as const;
const PAUSE = { breathe: () => Promise.resolve(), isOver: () => false };

export async function benchDrill(): Promise<void> {
  const label = 'terminal-puerto-alerce';
  const text = readShipped(`scenarios/sites/${label}.yaml`);
  const read = (seed: string) => checkedSiteFile(text, label, { seed, readFile: () => undefined });
  const { layout } = readLayout({ label, read });
  if (layout === null) throw new Error(`${label} has mistakes`);
  const begun = performance.now();
  let personSeconds = 0;
  for (let run = 1; run <= RUNS; run++) {
    const played = await playDrill(layout, SETTING, { run, seed: seedOfRun('1', run) }, PAUSE);
    if (played === null) throw new Error('a drill has no end');
    personSeconds += layout.people * (SETTING.afterMs / 1_000 + played.lastedS);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const bareS = bareLoop(layout.people, personSeconds);
  measured({
    what: `${RUNS} drills of ${layout.people} people`,
    value: seconds,
    unit: 's',
    bare: bareS,
    aim: { of: 'value', most: TARGET_S },
  });
  console.log(
    `drill: ${RUNS} drills of ${layout.people} people in ${seconds.toFixed(1)} s (${seconds <= TARGET_S ? 'within' : 'OVER'} ${TARGET_S}), ${(RUNS / seconds).toFixed(1)} a second; ${(personSeconds / 1e6).toFixed(1)} million person-seconds at ${((seconds * 1e9) / personSeconds).toFixed(0)} ns, ${(seconds / bareS).toFixed(0)} times a bare loop (${bareS.toFixed(2)} s)`,
  );
}

/** Seconds for as many steps of people who only move straight on. */
function bareLoop(people: number, steps: number): number {
  const [x, y, dx, dy] = Array.from({ length: 4 }, (_, n) => new Float64Array(people).fill(n / 10)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const begun = performance.now();
  for (let tick = 0; tick * people < steps; tick++)
    for (let i = 0; i < people; i++) {
      x[i]! += dx[i]!;
      y[i]! += dy[i]!;
    }
  return (performance.now() - begun) / 1_000;
}

/** Plays the changes of a short scenario. Lines are counted from the first step. */
import { bootStage } from '../../../src/sandbox/boot.ts';
import { idleChecks } from '../../../src/scenario/mutate/idle.ts';
import { mutateScenario } from '../../../src/scenario/mutate/mutate-scenario.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { wholeScenario } from '../whole-stage.ts';

const FILE = 'short.scenario.yaml';

export async function judged(steps: string, rest = '', parts: Readonly<Record<string, string>> = {}) {
  const whole = wholeScenario(steps, rest);
  // Each play would deliver each event to a receiver that the steps are not about.
  const text = steps.includes('erp') ? whole : whole.replace(/^receivers: .*\n/m, '');
  const first = text.split('\n').indexOf('steps:') + 1;
  const read = (path: string) => (path === FILE ? text : parts[path]);
  const loaded = loadScenario(FILE, { read });
  const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
  const report = await mutateScenario(FILE, { boot: bootStage, cases, read });
  const { judged: all, broken, checks } = report;
  const idle = idleChecks(checks, FILE);
  return {
    broken,
    all,
    checks,
    idle: idle.map(({ line, word, outcome }) => `${line - first} ${word} ${outcome}`),
    advice: idle.map(({ why }) => why),
    outcomes: all.map(({ line, word, detail, outcome }) => `${line - first} ${word} ${detail} ${outcome}`),
    weak: all.filter(({ outcome }) => outcome === 'unnoticed' || outcome === 'stale'),
  };
}

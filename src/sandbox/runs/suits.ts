/** Whether a scenario can run in a running sandbox, and which parts of its file have no effect there. [decisions 9] */

import { CLI } from '../../base/text/command-form.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { RunMode, Scenario, ScenarioStep } from '../../scenario/model/scenario.ts';

/** Sections that say what a sandbox is, and this one is already. */
const IGNORED: Readonly<Record<string, string>> = {
  contract: 'the contract is that of the client',
  clock: 'time is that of the sandbox',
  clients: 'the client is the one that started the run',
};

/** In words, why it cannot be played here; null where it can. */
export function refusalOf(scenario: Scenario, mode: RunMode): string | null {
  if (!scenario.modes.includes(mode)) {
    const speed = scenario.modes.includes('scaled') ? ' Start the sandbox with --speed 20, or play it' : ' Play it';
    return `This scenario plays in ${scenario.modes.join(' or ')} time only, and this sandbox runs in ${mode} time.${speed} with: ${CLI} run.`;
  }
  if (scenario.plan.organizations.length > 1)
    return `This scenario defines its own companies, but a run in a running sandbox uses the company of the client. Play it with: ${CLI} run.`;
  return null;
}

/** What the scenario does of the catalogue. */
export function actionsOf(scenario: Scenario): ReadonlySet<string> {
  return new Set(
    stepsOf(scenario).flatMap((step) => {
      if (step.kind === 'action') return [step.action];
      // A narrow token may need another contract for a moment.
      return step.kind === 'api' && step.token === 'narrow' ? ['contract'] : [];
    }),
  );
}

/** A sentence for each section of the file that is ignored. */
export function ignoredIn(value: JsonMap): string[] {
  return Object.entries(IGNORED).flatMap(([key, why]) =>
    Object.hasOwn(value, key) ? [`"${key}" of the file is ignored: ${why}.`] : [],
  );
}

/** All steps, also those inside of others and those that run beside the scenario. */
export function stepsOf(scenario: Scenario): ScenarioStep[] {
  const all = (steps: readonly ScenarioStep[]): ScenarioStep[] =>
    steps.flatMap((step) =>
      step.kind === 'do' || step.kind === 'together' || step.kind === 'repeat' ? [step, ...all(step.steps)] : [step],
    );
  return all([...scenario.steps, ...scenario.whens.flatMap(({ steps }) => steps), ...scenario.finally]);
}

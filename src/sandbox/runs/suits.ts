/** Whether a scenario can run in a running sandbox, and which sections of its file are ignored there. [decisions 9] */

import { CLI } from '../../base/text/command-form.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { RunMode, Scenario, ScenarioStep } from '../../scenario/model/scenario.ts';

/** Sections that configure a sandbox; the running sandbox is already configured. */
const IGNORED: Readonly<Record<string, string>> = {
  contract: 'the contract is that of the client',
  clock: 'time is that of the sandbox',
  clients: 'the client is the one that started the run',
};

/** Returns the reason why the scenario cannot run here, in words; null if it can. */
export function refusalOf(scenario: Scenario, mode: RunMode): string | null {
  if (!scenario.modes.includes(mode)) {
    const speed = scenario.modes.includes('scaled') ? ' Start the sandbox with --speed 20, or play it' : ' Play it';
    return `This scenario plays in ${scenario.modes.join(' or ')} time only, and this sandbox runs in ${mode} time.${speed} with: ${CLI} run.`;
  }
  if (scenario.plan.organizations.length > 1)
    return `This scenario defines its own companies, but a run in a running sandbox uses the company of the client. Play it with: ${CLI} run.`;
  return null;
}

/** Returns the actions of the catalogue that the scenario uses. */
export function actionsOf(scenario: Scenario): ReadonlySet<string> {
  return new Set(
    stepsOf(scenario).flatMap((step) => {
      if (step.kind === 'action') return [step.action];
      // A narrow token can require a temporary change of the contract.
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

/** Returns all steps, including nested steps, those of `when` and those of `finally`. */
export function stepsOf(scenario: Scenario): ScenarioStep[] {
  const all = (steps: readonly ScenarioStep[]): ScenarioStep[] =>
    steps.flatMap((step) =>
      step.kind === 'do' || step.kind === 'together' || step.kind === 'repeat' ? [step, ...all(step.steps)] : [step],
    );
  return all([...scenario.steps, ...scenario.whens.flatMap(({ steps }) => steps), ...scenario.finally]);
}

/** Whether a story suits a sandbox that runs already, and what of its file counts for nothing there. [decisions 9] */

import { CLI } from '../../base/text/command-form.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { RunMode, Story, StoryStep } from '../../scenario/story/story.ts';

/** Sections that say what a sandbox is, and this one is already. */
const IGNORED: Readonly<Record<string, string>> = {
  contract: 'the contract is that of the client',
  clock: 'time is that of the sandbox',
  clients: 'the client is the one that started the run',
};

/** In words, why it cannot be played here; null where it can. */
export function refusalOf(story: Story, mode: RunMode): string | null {
  if (!story.modes.includes(mode)) {
    const speed = story.modes.includes('scaled') ? ' Start the sandbox with --speed 20, or play it' : ' Play it';
    return `This story plays in ${story.modes.join(' or ')} time only, and this sandbox runs in ${mode} time.${speed} with: ${CLI} run.`;
  }
  if (story.plan.organizations.length > 1)
    return `This story has companies of its own, and here there is only the client’s. Play it with: ${CLI} run.`;
  return null;
}

/** What the story does of the catalogue. */
export function actionsOf(story: Story): ReadonlySet<string> {
  return new Set(
    stepsOf(story).flatMap((step) => {
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

/** All steps, also those inside of others and those that run beside the story. */
export function stepsOf(story: Story): StoryStep[] {
  const all = (steps: readonly StoryStep[]): StoryStep[] =>
    steps.flatMap((step) =>
      step.kind === 'do' || step.kind === 'together' || step.kind === 'repeat' ? [step, ...all(step.steps)] : [step],
    );
  return all([...story.steps, ...story.whens.flatMap(({ steps }) => steps), ...story.finally]);
}

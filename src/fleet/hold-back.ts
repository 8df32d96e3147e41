/** What keeps a wearer where they are: which alert ends it, and what is said to whoever wants to move them. [decisions 6] */
import type { AlertType } from '../contract/enumerations.ts';
import type { StuckBy } from './people/stuck.ts';
import type { Whereabouts } from './whereabouts.ts';

/** What the resolution of an alert ends, by the alert's type. */
export const FREED_BY: { readonly [T in AlertType]?: readonly StuckBy[] } = {
  evacuation_help: ['trapped', 'injured'],
  fall_detected: ['fallen'],
  sos: ['fallen'],
};

/**
 * Why a wearer cannot be moved now; null: they can. A puppet does what its steps say: who moves it frees it. Whoever lives
 * a life of their own has to be freed first.
 */
export function heldBack(serial: string, { stuckBy: cause, isPuppet }: Whereabouts): string | null {
  if (cause === null || isPuppet) return null;
  const why = cause === 'fallen' ? 'lies where they fell' : `is ${cause}`;
  return `The wearer of ${serial} ${why}, and stays there until freed: use the action free first, or resolve their alert.`;
}

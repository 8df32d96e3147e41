/**
 * One life of a sandbox, from its world to its announcement, in the order in which it starts. The stored state comes
 * first, because a stored world decides what runs; then the core, what acts on it, the listeners, and last the people who
 * use all of them.
 */
import type { Stops } from '../../base/stops.ts';
import { startControl } from './control.ts';
import { startCore } from './core.ts';
import { listen } from './listeners.ts';
import { startPlant } from './plant.ts';
import { type LifeControl, openState, type SandboxGround } from './storage.ts';

export async function beginLife(ground: SandboxGround, lives: LifeControl, stops: Stops) {
  const state = { ...ground, ...(await openState(ground, lives, stops)) };
  const core = { ...state, ...(await startCore(state, lives, stops)) };
  const control = { ...core, ...startControl(core, lives, stops) };
  const listeners = await listen(control, stops);
  return { ...control, ...listeners, ...(await startPlant(control, stops)) };
}

export type SandboxLife = Awaited<ReturnType<typeof beginLife>>;

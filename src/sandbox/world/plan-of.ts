/** The world that the options select, and a string that identifies it. */
import { sha256Hex } from '../../base/ids.ts';
import { defaultWorld } from '../../plant/default-world.ts';
import type { Plan } from '../../plant/plan.ts';
import type { SandboxOptions } from '../options/options.ts';

/** Without `--seed` the world is that of seed 1. [cli, up] */
const STANDARD_SEED = '1';

export interface PlannedWorld {
  readonly plan: Plan;
  /** Equal for equal options; it is kept in the data folder. */
  readonly origin: string;
  readonly worldSeed: string;
}

export function planOf(options: SandboxOptions): PlannedWorld {
  const worldSeed = options.seed ?? STANDARD_SEED;
  if (options.plan !== undefined)
    return { plan: options.plan, worldSeed, origin: sha256Hex(`${worldSeed}/${JSON.stringify(options.plan)}`) };
  const origin = JSON.stringify([
    worldSeed,
    options.watches ?? null,
    options.site === undefined ? null : sha256Hex(options.site.text),
  ]);
  const { watches, site } = options;
  const plan = defaultWorld(worldSeed, {
    ...(watches === undefined ? {} : { watches }),
    ...(site === undefined ? {} : { site: site.planned, crew: site.crew ?? null, contract: site.contract }),
  });
  return { plan, origin, worldSeed };
}

export const watchesOf = ({ organizations }: Plan): number =>
  organizations.flatMap(({ sites }) => sites).reduce((sum, { workers }) => sum + workers.length, 0);

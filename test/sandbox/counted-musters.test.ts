/** Headcounts that hold: on the shipped plants and in vertical shelters, the count follows the ground truth and loses nobody. [decisions 6] */
import { join } from 'node:path';
import { expect } from 'vitest';
import { sandboxOptions } from '../../src/cli/up/options.ts';
import type { MusterKind } from '../../src/contract/enumerations.ts';
import type { SandboxOptions } from '../../src/sandbox/options/options.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, sampled, watchOption } from '../helpers/whole.ts';
import {
  type CountedMuster,
  countMusters,
  fallsWithoutCause,
  falselySafe,
  furthestFromTruth,
  lostAtPoints,
} from './counted-musters.ts';

const KINDS: readonly MusterKind[] = ['tsunami', 'general', 'earthquake'];

/** Whole: 15 musters, one of each kind on each of five plants, until most are safe and some have come back. MUSTER_SEEDS: more of them. */
const SEEDS = Number(process.env['MUSTER_SEEDS'] ?? (isWhole ? KINDS.length : 1));
/** Many musters of a plant take some minutes where other tests run beside them. */
const WITHIN_MS = SEEDS > 1 ? 60_000 * SEEDS : 120_000;
const MINUTES = SEEDS > 1 ? 30 : 12;

/** The plants of the default world; two that nobody wrote for this program follow from its documents alone. */
const PLANTS = ['default world', 'cannery', 'refinery'] as const;

async function mustersOn(plant: (typeof PLANTS)[number], n: number): Promise<CountedMuster[]> {
  const seed = String(n + 1);
  const options = { seed, ...watchOption(30), dataDir: `counted-${process.pid}-${plant}-${n}` };
  const kind = KINDS[n % KINDS.length]!;
  if (plant === 'default world')
    // No wave comes to the second plant.
    return countMusters(options, (site) => (kind === 'tsunami' && site.startsWith('Fund') ? 'general' : kind), MINUTES);
  const file = join(import.meta.dirname, 'plants', `${plant}.yaml`);
  const { site } = sandboxOptions({ site: file } as never) as Required<Pick<SandboxOptions, 'site'>>;
  const all = await countMusters({ ...options, site }, () => kind, MINUTES);
  return all.filter((muster) => muster.site === site.planned.name);
}

for (const { row: plant, skip } of sampled(PLANTS, 3))
  unless(
    skip,
  ).test(`on the ${plant} the safe count falls only when somebody leaves a point, differs from the ground truth by 5 % at most, and under 1 % of it is wrong`, {
    timeout: WITHIN_MS,
  }, async () => {
    const musters: CountedMuster[] = [];
    for (let n = 0; n < SEEDS; n++) musters.push(...(await mustersOn(plant, n)));
    for (const muster of musters) {
      const words = `${muster.site}, ${muster.kind}`;
      expect(muster.headcounts.at(-1)!.safe.size, words).toBeGreaterThan(0.6 * muster.expected);
      expect(lostAtPoints(muster), words).toEqual([]);
      expect(fallsWithoutCause(muster), words).toBe(0);
      // In whole people, rounded up: of 18, one is more than 5 %.
      expect(furthestFromTruth(muster), words).toBeLessThanOrEqual(Math.ceil(0.05 * muster.expected));
    }
    expect(falselySafe(musters)).toBeLessThan(0.01);
  });

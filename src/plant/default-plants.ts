/** The plants of the default world: the site files `scenarios/sites/`, as users write them. */

import plants from './default-plants.json' with { type: 'json' };
import type { PlannedContract, PlannedCrew, PlannedSite } from './plan.ts';
import { DEFAULT_CONTRACT } from './planned-site.ts';

/** A plant and who works there. */
export interface CrewedPlant {
  readonly site: PlannedSite;
  readonly crew: PlannedCrew;
}

/** A company of the default world and its contract. */
interface DefaultCompany {
  readonly name: string;
  readonly contract: PlannedContract;
  readonly plants: readonly CrewedPlant[];
}

/** In the order of their watches; the contract is in the file of the first plant. [cli, default world] */
const COMPANIES = [
  { name: 'Austral Metales y Puertos', plants: ['terminal-puerto-alerce', 'fundicion-cerro-pardo'] },
  { name: 'Naval Ría Brava', plants: ['astillero-ria-brava'] },
] as const;

/** A site file as `readSiteFile` reads it. */
interface ReadPlant extends CrewedPlant {
  readonly contract: Partial<PlannedContract>;
}

/** The names of the files, without the ending. */
export const DEFAULT_PLANTS = COMPANIES.flatMap((company) => company.plants);

/** Generated from the site files and checked by a test: parsing their YAML would take a fifth of the time of a boot. */
const READ = plants as unknown as Readonly<Record<(typeof DEFAULT_PLANTS)[number], ReadPlant>>;

export const DEFAULT_COMPANIES: readonly DefaultCompany[] = COMPANIES.map(({ name, plants: [first, ...others] }) => ({
  name,
  plants: [first, ...others].map((plant) => READ[plant]),
  contract: { ...DEFAULT_CONTRACT, ...READ[first].contract },
}));

/** The plants of the default world: the site files in `scenarios/sites/`, in the same form as users write them. */

import plants from './default-plants.json' with { type: 'json' };
import type { PlannedContract, PlannedCrew, PlannedSite } from './plan.ts';
import { DEFAULT_CONTRACT } from './planned-site.ts';

/** A plant and the people who work there. */
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

/** In the order of their watches. The contract of a company is in the file of its first plant. [cli, default world] */
const COMPANIES = [
  { name: 'Austral Metales y Puertos', plants: ['terminal-puerto-alerce', 'fundicion-cerro-pardo'] },
  { name: 'Naval Ría Brava', plants: ['astillero-ria-brava'] },
] as const;

/** A site file as `readSiteFile` returns it. */
interface ReadPlant extends CrewedPlant {
  readonly contract: Partial<PlannedContract>;
}

/** The names of the files, without the extension. */
export const DEFAULT_PLANTS = COMPANIES.flatMap((company) => company.plants);

/** Generated from the site files and checked by a test. Parsing their YAML would take a fifth of the start time. */
const READ = plants as unknown as Readonly<Record<(typeof DEFAULT_PLANTS)[number], ReadPlant>>;

export const DEFAULT_COMPANIES: readonly DefaultCompany[] = COMPANIES.map(({ name, plants: [first, ...others] }) => ({
  name,
  plants: [first, ...others].map((plant) => READ[plant]),
  contract: { ...DEFAULT_CONTRACT, ...READ[first].contract },
}));

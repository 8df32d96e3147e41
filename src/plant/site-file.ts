/** Reads a site file, that is a part with a plant, and reports all its mistakes at once. */

import { parseDuration } from '../base/time/durations.ts';
import type { ReadText } from '../base/user-files.ts';
import { quoted } from '../contract/sentences.ts';
import { checkSection, didYouMean, type FilePlace, inOrder, type Mistake, placeIn, type Sound } from './mistakes.ts';
import type { CrewSection } from './people-schema.ts';
import type { PlannedContract, PlannedCrew, PlannedSite, PlannedWorker } from './plan.ts';
import { plannedPeople } from './planned-people.ts';
import { type DraftSite, plannedContract, plannedService, plannedSite, type SiteOptions } from './planned-site.ts';
import { formOfSchema, inLongForm } from './short-forms.ts';
import { SiteFileSchema } from './site-schema.ts';
import { readYaml, reportOn } from './yaml-source.ts';

export interface SiteFileOptions {
  /**
   * The seed of names and starting points that the file does not define. Default: "1", the seed of the default world.
   */
  readonly seed?: string;
  /** The default behaviour of people. Default: `auto`, as in a running plant. */
  readonly behaveDefault?: PlannedWorker['behave'];
  /** Reads a GeoJSON file that is named in this one, by the name written there. */
  readonly readFile?: ReadText;
}

export interface SiteFile {
  /** Null if there is a mistake. It has no workers if the file defines none. */
  readonly plan: PlannedSite | null;
  /** Null if the file defines no crew. */
  readonly crew: PlannedCrew | null;
  /** The contract fields that the file defines. The caller merges them into the company's contract. */
  readonly contract: Partial<PlannedContract>;
  /** External ids by short name. */
  readonly byShortName: ReadonlyMap<string, readonly string[]>;
  readonly mistakes: readonly Mistake[];
  /** Valid content that is probably not intended. */
  readonly warnings: readonly Mistake[];
  /** What is assumed because the file does not define it. */
  readonly notes: readonly Mistake[];
}

/** Keys of other parts of the language: valid in a part, but without effect for a plant. */
const FOREIGN_KEYS = [
  'about',
  'tags',
  'use',
  'macros',
  'receivers',
  'companies',
  'system',
  'probes',
  'setup',
  'params',
];

const SITE_FILE_FORM = formOfSchema(SiteFileSchema);

/** Reads the plant of a site file. `file` is its name in messages. Never throws for a wrong text. */
export function readSiteFile(text: string, file: string, options: SiteFileOptions = {}): SiteFile {
  const source = inLongForm(readYaml(text, file), SITE_FILE_FORM);
  const report = reportOn(source);
  const nothing = { plan: null, crew: null, contract: {}, byShortName: new Map() };
  if (source.value === undefined) return { ...nothing, mistakes: source.mistakes, warnings: [], notes: [] };
  const read = planOf(source.value, placeIn(report), options) ?? nothing;
  const mistakes = inOrder([...source.mistakes, ...report.mistakes]);
  const warnings = inOrder(report.warnings);
  const notes = inOrder(report.notes);
  return { ...read, plan: mistakes.length > 0 ? null : read.plan, mistakes, warnings, notes };
}

function planOf(
  value: unknown,
  root: FilePlace,
  options: SiteFileOptions,
): Pick<SiteFile, 'plan' | 'crew' | 'contract' | 'byShortName'> | undefined {
  const { seed = '1', behaveDefault = 'auto', readFile } = options;
  const file = checkSection(SiteFileSchema, withoutForeign(value, root), root);
  if (file === undefined) return undefined;
  const service = plannedService(file.service ?? {}, root.of('service'));
  const siteOptions: SiteOptions = { service, ...(readFile === undefined ? {} : { readFile }) };
  const draft = plannedSite(file.site ?? {}, root.of('site'), siteOptions);
  const contract = plannedContract(file.contract ?? {});
  const people = plannedPeople(file, [draft], root, { seed, behaveDefault });
  const plan = { ...draft.site, ...people.bySite.get(draft.site.name)! };
  const crew = file.crew === undefined ? null : plannedCrew(file.crew, draft, root.of('crew'));
  if (crew !== null && plan.workers.length > 0)
    root
      .of('crew')
      .mistake('The people are named already, so there is no crew of the seed. Delete one of the two.', 'key');
  sayUnknownContractors(plan, crew, contract, root);
  return { plan, crew, contract, byShortName: people.byShortName };
}

/** Keeps the sections of a plant; the others are reported. */
function withoutForeign(value: unknown, root: FilePlace): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([key]) => {
    if (key === 'scenario')
      root.of(key).mistake('This is a scenario. A site file begins with part: and has no steps.', 'key');
    else if (key === 'sites') root.of(key).mistake('A site file has one plant. Write site: and what it has.', 'key');
    else if (FOREIGN_KEYS.includes(key))
      root.of(key).warning(`${quoted(key)} is not a key of a plant and is ignored.`, 'key');
    else return true;
    return false;
  });
  return Object.fromEntries(fields);
}

function sayUnknownContractors(
  { workers }: PlannedSite,
  crew: PlannedCrew | null,
  contract: Partial<PlannedContract>,
  root: FilePlace,
): void {
  if (workers.length === 0 && crew === null) return;
  const known = crew?.contractors ?? workers.map((worker) => worker.contractor);
  for (const [i, contractor] of (contract.contractors ?? []).entries()) {
    if (known.includes(contractor)) continue;
    root.of('contract', 'contractors', i).warning(`Nobody here works for ${quoted(contractor)}.`);
  }
}

// Converts the section `crew` to its planned form. Every mistake is reported.

/** Complete if the report has no mistake. */
function plannedCrew(section: Sound<CrewSection>, site: DraftSite, at: FilePlace): PlannedCrew {
  const { count = 0, contractors = [], roles = [], permits = {}, vehicles = {} } = section;
  return {
    count,
    contractors: contractors.filter((name) => name !== undefined),
    roles: roles.filter((name) => name !== undefined),
    permits: Object.entries(permits).map(([reference, permit]) => {
      const { zone = '', holders = 0, inside = 0, for: duration } = permit ?? {};
      const place = at.of('permits', reference);
      if (zone !== '' && !site.zoneNames.includes(zone))
        place.of('zone').mistake(`${quoted(zone)} is not a zone.${didYouMean(zone, site.zoneNames)}`);
      if (inside > holders)
        place.of('inside').mistake(`${inside} cannot be inside when ${holders} hold it. Write ${holders} or less.`);
      return { reference, zone, holders, inside, forMs: duration === undefined ? null : parseDuration(duration) };
    }),
    vehicles: Object.entries(vehicles).map(([name, { type = '', role = '' } = {}]) => ({ name, type, role })),
  };
}

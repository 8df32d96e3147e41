/** Reads the world of a scenario (companies, plants, people, receivers) into the plan with which a sandbox starts. */

import { dirname, join } from 'node:path';
import type { ReadText } from '../../base/user-files.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { checkSection, didYouMean, type FilePlace, freeKeys, type Path, shown } from '../../plant/mistakes.ts';
import { CrowdsSection, VehiclesSection, WorkersSection } from '../../plant/people-schema.ts';
import type { PlannedOrganization } from '../../plant/plan.ts';
import { plannedPeople } from '../../plant/planned-people.ts';
import {
  DEFAULT_CONTRACT,
  type DraftSite,
  plannedContract,
  plannedService,
  plannedSite,
} from '../../plant/planned-site.ts';
import { ContractSection, SiteSection } from '../../plant/site-schema.ts';
import { type PlannedService, ServiceSection } from '../../plant/thresholds.ts';
import { COMPANY_KEYS } from '../language/sections.ts';
import { CUSTOMER } from '../model/own-system.ts';
import type { Scenario, ScenarioCast } from '../model/scenario.ts';
import { readReceivers, shortNamesIn } from './read-receivers.ts';

export type ScenarioWorld = Pick<Scenario, 'plan' | 'cast' | 'receivers'>;

/** Values that are not in the merged map. */
interface ReadWorldOptions {
  readonly seed: string;
  readonly read: ReadText;
  /** The file that defined this path of the map. */
  fileOf(path: Path): string;
  /** Urls of receivers from the command line. */
  readonly urls?: ReadonlyMap<string, string> | undefined;
  readonly hasSystem: boolean;
}

export function readWorld(value: JsonMap, root: FilePlace, options: ReadWorldOptions): ScenarioWorld {
  const service = plannedService(
    checkSection(ServiceSection, value['service'] ?? {}, root.of('service')) ?? {},
    root.of('service'),
  );
  const drafts = draftsOf(value, root, service, options);
  const contract = plannedContract(checkSection(ContractSection, value['contract'] ?? {}, root.of('contract')) ?? {});
  const companies = readCompanies(value, service, root, options);
  const sitesOf = new Map([
    [CUSTOMER, drafts.map(({ site }) => site.name)],
    ...companies.map(({ name, sites }) => [name, sites.map((site) => site.name)] as const),
  ]);
  const receivers = readReceivers(
    value,
    { sitesOf, urls: options.urls ?? new Map(), hasSystem: options.hasSystem },
    root,
  );
  if (drafts.length === 0) return { plan: { organizations: [] }, cast: shortNames(value), receivers };
  const sections = {
    workers: checkSection(WorkersSection, value['workers'] ?? {}, root.of('workers')),
    crowd: checkSection(CrowdsSection, value['crowd'] ?? {}, root.of('crowd')),
    vehicles: checkSection(VehiclesSection, value['vehicles'] ?? {}, root.of('vehicles')),
  };
  const people = plannedPeople(sections, drafts, root, { seed: options.seed, behaveDefault: 'scripted' });
  const sites = drafts.map(({ site }) => ({ ...site, ...people.bySite.get(site.name) }));
  const customer = { name: CUSTOMER, contract: { ...DEFAULT_CONTRACT, ...contract }, sites };
  reportDuplicates([customer, ...companies], root);
  // People with mistakes are still known by name, to avoid further mistakes in steps.
  const cast = new Map([...shortNames(value), ...people.byShortName, ...companies.flatMap((one) => [...one.cast])]);
  return { plan: { organizations: [customer, ...companies.map(({ cast: _cast, ...one }) => one)] }, cast, receivers };
}

interface Company extends PlannedOrganization {
  readonly cast: ScenarioCast;
}

const KEYS_OF_COMPANY = Object.keys(COMPANY_KEYS);

/** `companies:`: other companies with their sites, contract and people. */
function readCompanies(value: JsonMap, service: PlannedService, root: FilePlace, options: ReadWorldOptions): Company[] {
  const { companies = {} } = value;
  if (!isMap(companies)) {
    root.of('companies').mistake('Companies are a map. Write other: {sites: {...}, workers: {...}}.', 'key');
    return [];
  }
  return Object.entries(companies).flatMap(([name, section]): Company[] => {
    const at = root.of('companies', name);
    if (name === CUSTOMER) at.mistake(`${quoted(CUSTOMER)} is the file's own company. Write another name.`, 'key');
    if (!isMap(section)) {
      at.mistake(`${quoted(name)} has no sites. Write {sites: {...}, workers: {...}}.`, 'key');
      return [];
    }
    for (const key of Object.keys(section)) {
      if (KEYS_OF_COMPANY.includes(key)) continue;
      const free = freeKeys(KEYS_OF_COMPANY, section, at.of(key));
      at.of(key).mistake(`${quoted(key)} is not a key of a company.${didYouMean(key, free)}`, 'key');
    }
    const drafts = draftsOf(section, at, service, options);
    if (drafts.length === 0) {
      at.missing(`${quoted(name)} has no sites. Write sites: and what each has.`, 'key');
      return [];
    }
    const sound = checkSection(ContractSection, section['contract'] ?? {}, at.of('contract')) ?? {};
    const workers = checkSection(WorkersSection, section['workers'] ?? {}, at.of('workers'));
    const how = { seed: options.seed, behaveDefault: 'scripted' } as const;
    const people = plannedPeople({ workers }, drafts, at, how);
    const sites = drafts.map(({ site }) => ({ ...site, ...people.bySite.get(site.name) }));
    const contract = { ...DEFAULT_CONTRACT, ...plannedContract(sound) };
    return [{ name, contract, sites, cast: new Map(people.byShortName) }];
  });
}

/** Short names, external ids and sites are global, so each must be unique across companies. */
function reportDuplicates([own, ...others]: readonly PlannedOrganization[], root: FilePlace): void {
  const sites = new Set(own?.sites.map(({ name }) => name));
  const people = new Set(own?.sites.flatMap(({ workers }) => workers.map(({ externalId }) => externalId)));
  const serials = new Set(own?.sites.flatMap(({ workers }) => workers.map(({ watch }) => watch.serial)));
  for (const { name, sites: more } of others) {
    for (const site of more) {
      const at = root.of('companies', name);
      if (sites.has(site.name))
        at.of('sites', site.name).mistake(`${quoted(site.name)} is a site already. Write another name.`, 'key');
      sites.add(site.name);
      for (const { externalId, watch } of site.workers) {
        const taken = people.has(externalId) || serials.has(watch.serial);
        if (taken)
          at.of('workers', externalId ?? '').mistake(
            `${quoted(externalId)} is somebody else already. Write another name.`,
            'key',
          );
        people.add(externalId);
        serials.add(watch.serial);
      }
    }
  }
}

function draftsOf(value: JsonMap, at: FilePlace, service: PlannedService, options: ReadWorldOptions): DraftSite[] {
  const { sites = {} } = value;
  if (!isMap(sites))
    at.of('sites').mistake(`${shown(sites)} is not a map of sites. Write North: and what it has.`, 'key');
  return siteSections(value).flatMap(({ section, at: own }): DraftSite[] => {
    const place = at.of(...own);
    const checked = checkSection(SiteSection, section, place);
    const folder = dirname(options.fileOf(place.path));
    const readFile = (name: string) => options.read(join(folder, name));
    return checked === undefined ? [] : [plannedSite(checked, place, { service, readFile })];
  });
}

function shortNames(value: JsonMap): ScenarioCast {
  const names = ['workers', 'crowd'].flatMap((key) => shortNamesIn(value[key]));
  return new Map(names.map((name) => [name, [name]]));
}

function siteSections(value: JsonMap): { section: unknown; at: Path }[] {
  const { site, sites } = value;
  const one = site === undefined ? [] : [{ section: site, at: ['site'] }];
  if (!isMap(sites)) return one;
  // The key is the default name of the site.
  const several = Object.entries(sites).map(([name, section]) => ({
    section: isMap(section) ? { name, ...section } : section,
    at: ['sites', name],
  }));
  return [...one, ...several];
}

/** Reads the world of a story (companies, plants, people, receivers) into the plan that a sandbox boots from. */

import { dirname, join } from 'node:path';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { checkSection, didYouMean, freeKeys, type Path, type Report } from '../../plant/mistakes.ts';
import { CrowdsSection, VehiclesSection, WorkersSection } from '../../plant/people-schema.ts';
import type { Plan, PlannedOrganization, PlannedService } from '../../plant/plan.ts';
import { plannedPeople } from '../../plant/planned-people.ts';
import {
  DEFAULT_CONTRACT,
  type DraftSite,
  plannedContract,
  plannedService,
  plannedSite,
} from '../../plant/planned-site.ts';
import { ContractSection, ServiceSection, SiteSection } from '../../plant/site-schema.ts';
import type { ReadText } from '../story/merged-file.ts';
import type { PlannedReceiver, StoryCast } from '../story/story.ts';
import { readReceivers } from './read-receivers.ts';

/** The file's own company. [scenario-language] */
export const CUSTOMER = 'customer';

export interface StoryWorld {
  readonly plan: Plan;
  readonly cast: StoryCast;
  readonly receivers: readonly PlannedReceiver[];
}

/** What is not in the merged map. */
export interface ReadWorldOptions {
  readonly seed: string;
  readonly read: ReadText;
  /** The file that defined this path of the map. */
  fileOf(path: Path): string;
  /** Some text was unreadable, so missing keys are not reported. */
  readonly broken?: boolean;
  /** Urls of receivers from the command line. */
  readonly urls?: ReadonlyMap<string, string> | undefined;
}

export function readWorld(value: JsonMap, report: Report, options: ReadWorldOptions): StoryWorld {
  const service = plannedService(
    checkSection(ServiceSection, value['service'] ?? {}, ['service'], report) ?? {},
    ['service'],
    report,
  );
  const drafts = draftsOf(value, [], service, report, options);
  if (siteSections(value).length === 0 && options.broken !== true) {
    report.mistake(['site'], 'A story plays in a plant. Write use: and the file of one, or site: and what it has.');
  }
  const contract = plannedContract(checkSection(ContractSection, value['contract'] ?? {}, ['contract'], report) ?? {});
  const companies = readCompanies(value, service, report, options);
  const sitesOf = new Map([
    [CUSTOMER, drafts.map(({ site }) => site.name)],
    ...companies.map(({ name, sites }) => [name, sites.map((site) => site.name)] as const),
  ]);
  const receivers = readReceivers(value, { sitesOf, urls: options.urls ?? new Map() }, report);
  if (drafts.length === 0) return { plan: { organizations: [] }, cast: shortNames(value), receivers };
  const sections = {
    workers: checkSection(WorkersSection, value['workers'] ?? {}, ['workers'], report),
    crowd: checkSection(CrowdsSection, value['crowd'] ?? {}, ['crowd'], report),
    vehicles: checkSection(VehiclesSection, value['vehicles'] ?? {}, ['vehicles'], report),
  };
  const people = plannedPeople(sections, drafts, [], report, { seed: options.seed, behaveDefault: 'puppet' });
  const sites = drafts.map(({ site }) => ({ ...site, ...people.bySite.get(site.name) }));
  const customer = { name: CUSTOMER, contract: { ...DEFAULT_CONTRACT, ...contract }, sites };
  reportDuplicates([customer, ...companies], report);
  // People with mistakes stay known by name, to avoid follow-up mistakes in steps.
  const cast = new Map([...shortNames(value), ...people.byShortName, ...companies.flatMap((one) => [...one.cast])]);
  return { plan: { organizations: [customer, ...companies.map(({ cast: _cast, ...one }) => one)] }, cast, receivers };
}

interface Company extends PlannedOrganization {
  readonly cast: StoryCast;
}

const COMPANY_KEYS = ['site', 'sites', 'contract', 'workers'];

/** `companies:`: other companies with their sites, contract and people. */
function readCompanies(value: JsonMap, service: PlannedService, report: Report, options: ReadWorldOptions): Company[] {
  const { companies = {} } = value;
  if (!isMap(companies)) {
    report.mistake(['companies'], 'Companies are a map. Write other: {sites: {...}, workers: {...}}.', 'key');
    return [];
  }
  return Object.entries(companies).flatMap(([name, section]): Company[] => {
    const at = ['companies', name];
    if (name === CUSTOMER)
      report.mistake(at, `${quoted(CUSTOMER)} is the file's own company. Write another name.`, 'key');
    if (!isMap(section)) {
      report.mistake(at, `${quoted(name)} has no sites. Write {sites: {...}, workers: {...}}.`, 'key');
      return [];
    }
    for (const key of Object.keys(section)) {
      if (COMPANY_KEYS.includes(key)) continue;
      const free = freeKeys(COMPANY_KEYS, section, [...at, key], report);
      report.mistake([...at, key], `${quoted(key)} is not a key of a company.${didYouMean(key, free)}`, 'key');
    }
    const drafts = draftsOf(section, at, service, report, options);
    if (drafts.length === 0) {
      report.mistake(at, `${quoted(name)} has no sites. Write sites: and what each has.`, 'key');
      return [];
    }
    const sound = checkSection(ContractSection, section['contract'] ?? {}, [...at, 'contract'], report) ?? {};
    const workers = checkSection(WorkersSection, section['workers'] ?? {}, [...at, 'workers'], report);
    const how = { seed: options.seed, behaveDefault: 'puppet' } as const;
    const people = plannedPeople({ workers }, drafts, at, report, how);
    const sites = drafts.map(({ site }) => ({ ...site, ...people.bySite.get(site.name) }));
    const contract = { ...DEFAULT_CONTRACT, ...plannedContract(sound) };
    return [{ name, contract, sites, cast: new Map(people.byShortName) }];
  });
}

/** Short names, external ids and sites are global, so each must be unique across companies. */
function reportDuplicates([own, ...others]: readonly PlannedOrganization[], report: Report): void {
  const sites = new Set(own?.sites.map(({ name }) => name));
  const people = new Set(own?.sites.flatMap(({ workers }) => workers.map(({ externalId }) => externalId)));
  const serials = new Set(own?.sites.flatMap(({ workers }) => workers.map(({ watch }) => watch.serial)));
  for (const { name, sites: more } of others) {
    for (const site of more) {
      const at = ['companies', name];
      if (sites.has(site.name))
        report.mistake(
          [...at, 'sites', site.name],
          `${quoted(site.name)} is a site already. Write another name.`,
          'key',
        );
      sites.add(site.name);
      for (const { externalId, watch } of site.workers) {
        const taken = people.has(externalId) || serials.has(watch.serial);
        if (taken)
          report.mistake(
            [...at, 'workers', externalId ?? ''],
            `${quoted(externalId)} is somebody else already. Write another name.`,
            'key',
          );
        people.add(externalId);
        serials.add(watch.serial);
      }
    }
  }
}

function draftsOf(
  value: JsonMap,
  at: Path,
  service: PlannedService,
  report: Report,
  options: ReadWorldOptions,
): DraftSite[] {
  return siteSections(value).flatMap(({ section, at: own }): DraftSite[] => {
    const place = [...at, ...own];
    const checked = checkSection(SiteSection, section, place, report);
    const folder = dirname(options.fileOf(place));
    const readFile = (name: string) => options.read(join(folder, name));
    return checked === undefined ? [] : [plannedSite(checked, place, report, { service, readFile })];
  });
}

function shortNames(value: JsonMap): StoryCast {
  const names = ['workers', 'crowd'].flatMap((key) => (isMap(value[key]) ? Object.keys(value[key]) : []));
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

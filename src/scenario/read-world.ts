/** Reads the world of a story, its company, plants, people and receivers, to the plan that a sandbox is booted from. */
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { EventSelector, Severity } from '../contract/enumerations.ts';
import { quoted } from '../contract/sentences.ts';
import type { Path, Report } from '../plant/mistakes.ts';
import { CrowdsSection, VehiclesSection, WorkersSection } from '../plant/people-schema.ts';
import type { Plan } from '../plant/plan.ts';
import { plannedPeople } from '../plant/planned-people.ts';
import {
  DEFAULT_CONTRACT,
  type DraftSite,
  plannedContract,
  plannedService,
  plannedSite,
} from '../plant/planned-site.ts';
import { checkSection, didYouMean } from '../plant/section-check.ts';
import { ContractSection, ServiceSection, SiteSection } from '../plant/site-schema.ts';
import { notYet } from './file-keys.ts';
import { type Fields, isFields } from './merged-file.ts';
import type { ReadText } from './ports.ts';
import type { Cast, PlannedReceiver } from './story.ts';

/** The file's own company. [scenario-language] */
export const CUSTOMER = 'customer';

export interface World {
  readonly plan: Plan;
  readonly cast: Cast;
  readonly receivers: readonly PlannedReceiver[];
}

/** Where the reading of the world gets what is not in the merged map. */
export interface WorldOptions {
  readonly seed: string;
  readonly read: ReadText;
  /** The file that a path of the map came from. */
  fileOf(path: Path): string;
}

export function readWorld(value: Fields, report: Report, options: WorldOptions): World {
  const service = plannedService(
    checkSection(ServiceSection, value['service'] ?? {}, ['service'], report) ?? {},
    ['service'],
    report,
  );
  const drafts = sitesOf(value).flatMap(({ section, at }): DraftSite[] => {
    const checked = checkSection(SiteSection, section, at, report);
    const folder = dirname(options.fileOf(at));
    const readFile = (name: string) => options.read(join(folder, name));
    return checked === undefined ? [] : [plannedSite(checked, at, report, { service, readFile })];
  });
  if (sitesOf(value).length === 0) {
    report.mistake(['site'], 'A story plays in a plant. Write use: and the file of one, or site: and what it has.');
  }
  const contract = plannedContract(checkSection(ContractSection, value['contract'] ?? {}, ['contract'], report) ?? {});
  const receivers = readReceivers(value, drafts, report);
  if (drafts.length === 0) return { plan: { organizations: [] }, cast: shortNames(value), receivers };
  const sections = {
    workers: checkSection(WorkersSection, value['workers'] ?? {}, ['workers'], report),
    crowd: checkSection(CrowdsSection, value['crowd'] ?? {}, ['crowd'], report),
    vehicles: checkSection(VehiclesSection, value['vehicles'] ?? {}, ['vehicles'], report),
  };
  const people = plannedPeople(sections, drafts, [], report, { seed: options.seed, behaveDefault: 'puppet' });
  const sites = drafts.map(({ site }) => ({ ...site, ...people.bySite.get(site.name) }));
  const customer = { name: CUSTOMER, contract: { ...DEFAULT_CONTRACT, ...contract }, sites };
  // Who has a mistake of their own is still known by name, so that the steps are not blamed for it.
  const cast = new Map([...shortNames(value), ...people.byShortName]);
  return { plan: { organizations: [customer] }, cast, receivers };
}

function shortNames(value: Fields): Cast {
  const names = ['workers', 'crowd'].flatMap((key) => (isFields(value[key]) ? Object.keys(value[key]) : []));
  return new Map(names.map((name) => [name, [name]]));
}

function sitesOf(value: Fields): { section: unknown; at: Path }[] {
  const { site, sites } = value;
  const one = site === undefined ? [] : [{ section: site, at: ['site'] }];
  if (!isFields(sites)) return one;
  // The key is the site's name where the section does not say another.
  const several = Object.entries(sites).map(([name, section]) => ({
    section: isFields(section) ? { name, ...section } : section,
    at: ['sites', name],
  }));
  return [...one, ...several];
}

/** A built-in receiver; the host name is made of the short name. */
const RECEIVER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;
const LATER_KEYS = ['url', 'calls_back', 'company'];

const Text = Type.String({ minLength: 1, 'x-noun': 'a name' });
const ReceiverSection = Type.Object(
  {
    events: Type.Optional(
      Type.Array(EventSelector, {
        minItems: 1,
        'x-noun': 'a list of event types',
        'x-write': 'Write [alert.*] or [muster.*].',
      }),
    ),
    min_severity: Type.Optional(Severity),
    contractors: Type.Optional(Type.Array(Text, { minItems: 1, 'x-noun': 'a list of contractors' })),
    sites: Type.Optional(Type.Array(Text, { minItems: 1, 'x-noun': 'a list of sites' })),
  },
  { additionalProperties: false, 'x-noun': 'a receiver' },
);

function readReceivers(value: Fields, drafts: readonly DraftSite[], report: Report): PlannedReceiver[] {
  const { receivers } = value;
  if (receivers === undefined) return [];
  if (!isFields(receivers)) {
    report.mistake(['receivers'], 'Receivers are a map. Write erp: {events: [alert.*]}.', 'key');
    return [];
  }
  return Object.entries(receivers).map(([name, section]) => readReceiver(name, section, drafts, report));
}

function readReceiver(name: string, section: unknown, drafts: readonly DraftSite[], report: Report): PlannedReceiver {
  const at = ['receivers', name];
  if (!RECEIVER_NAME.test(name) || name === 'any') {
    report.mistake(at, `${quoted(name)} is not a name for a receiver. Write small letters, digits and hyphens.`, 'key');
  }
  const own = isFields(section) ? Object.entries(section) : [];
  for (const [key] of own) if (LATER_KEYS.includes(key)) report.mistake([...at, key], notYet(key), 'key');
  const known = isFields(section) ? Object.fromEntries(own.filter(([key]) => !LATER_KEYS.includes(key))) : section;
  const read = checkSection(ReceiverSection, known ?? {}, at, report) ?? {};
  const sites = drafts.map(({ site }) => site.name);
  for (const [i, site] of (read.sites ?? []).entries()) {
    if (sites.includes(site)) continue;
    report.mistake([...at, 'sites', i], `${quoted(site)} is not a site.${didYouMean(site, sites)}`);
  }
  return {
    name,
    events: read.events ?? ['alert.*', 'muster.*'],
    minSeverity: read.min_severity ?? null,
    contractors: read.contractors ?? null,
    sites: read.sites ?? null,
  };
}

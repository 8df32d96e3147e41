/** Reads `receivers`: their subscriptions, and whether they are built in or run by the user. */

import { isPrintable } from '../../base/text/printable.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { checkSection, didYouMean, type FilePlace } from '../../plant/mistakes.ts';
import { ReceiverSection } from '../language/section-schemas.ts';
import type { PlannedReceiver } from '../model/scenario.ts';

/** The short name of a built-in receiver becomes its host name. */
const RECEIVER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;

interface ReceiversWorld {
  /** Sites by company; the file's own company comes first. */
  readonly sitesOf: ReadonlyMap<string, readonly string[]>;
  /** URLs from the command line, which override those of the file. */
  readonly urls: ReadonlyMap<string, string>;
  /** True if the file describes the user's own system, so that a url may be a path of the system. */
  readonly hasSystem: boolean;
}

export function readReceivers(value: JsonMap, world: ReceiversWorld, root: FilePlace): PlannedReceiver[] {
  const { receivers: given = {} } = value;
  if (!isMap(given)) {
    const names = typeof given === 'string' ? given : 'erp';
    root
      .of('receivers')
      .mistake(`Receivers are a map. Write receivers: [${names}], or erp: {events: [alert.*]} for each.`, 'key');
  }
  const receivers: JsonMap = isMap(given) ? given : Object.fromEntries(shortNamesIn(given).map((name) => [name, {}]));
  for (const name of world.urls.keys()) {
    if (Object.hasOwn(receivers, name)) continue;
    const known = Object.keys(receivers);
    const has = known.length === 0 ? ' The file has no receivers.' : didYouMean(name, known);
    root.missing(`--receiver names ${quoted(name)}, which is not a receiver of the file.${has}`);
  }
  return Object.entries(receivers).map(([name, section]) => readReceiver(name, section, world, root));
}

function readReceiver(name: string, section: unknown, world: ReceiversWorld, root: FilePlace): PlannedReceiver {
  const at = root.of('receivers', name);
  if (!RECEIVER_NAME.test(name) || name === 'any') {
    at.mistake(`${quoted(name)} is not a name for a receiver. Write small letters, digits and hyphens.`, 'key');
  }
  const read = checkSection(ReceiverSection, section, at) ?? {};
  const companies = [...world.sitesOf.keys()];
  const [own = ''] = companies;
  const company = read.company ?? own;
  if (!world.sitesOf.has(company))
    at.of('company').missing(`${quoted(company)} is not a company of the scenario.${didYouMean(company, companies)}`);
  const sites = world.sitesOf.get(company) ?? [];
  for (const [i, site] of (read.sites ?? []).entries()) {
    if (sites.includes(site)) continue;
    at.of('sites', i).missing(`${quoted(site)} is not a site.${didYouMean(site, sites)}`);
  }
  const address = world.urls.get(name) ?? read.url ?? null;
  const systemPath = world.hasSystem && address?.startsWith('/') === true ? address : null;
  const url = systemPath === null ? address : null;
  reportAddress(url, at.of('url'));
  return {
    name,
    company,
    url,
    systemPath,
    callsBack: read.calls_back ?? false,
    events: read.events ?? ['alert.*', 'muster.*'],
    minSeverity: read.min_severity ?? null,
    contractors: read.contractors ?? null,
    sites: read.sites ?? null,
  };
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns true for an http address on this machine. */
export function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && LOOPBACK.has(hostname);
}

function reportAddress(url: string | null, at: FilePlace): void {
  if (url === null || !isPrintable(url) || !URL.canParse(url)) {
    if (url !== null) at.mistake(`${quoted(url)} is not an address. Write http://127.0.0.1:3000/hook.`);
    return;
  }
  if (new URL(url).protocol === 'https:' || isOnThisMachine(url)) return;
  at.mistake(`${quoted(url)} is neither https nor on this machine. Write https://... or http://127.0.0.1:3000/hook.`);
}

/** The names in a section, also in one that is not the map that it should be: they are not unknown in the steps. */
export function shortNamesIn(section: unknown): string[] {
  if (isMap(section)) return Object.keys(section);
  const words = Array.isArray(section) ? section : typeof section === 'string' ? section.split(/[\s,]+/) : [];
  return words.filter((word): word is string => typeof word === 'string' && word !== '');
}

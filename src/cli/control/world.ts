/** `sandbox world`: lists the people, zones, points, clients and watches of the running sandbox, by the names that actions accept. [cli] */

import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { isSameName } from '../../base/text/same-name.ts';
import type { WorldList } from '../../contract/operations/world.ts';
import { WATCH_TERMS } from '../../contract/resources/vocabulary.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { callSandbox, findRunning, refusedCall } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { clipped, tableLines } from '../table.ts';
import { many } from '../values.ts';

const HELP = `
SECTIONS are: sites, people, zones, points, clients, watches. Without sections, the command lists all of them.
Use the listed names in actions, scenarios and "${CLI} trigger".

Examples:
  ${CLI} world
  ${CLI} world people --site 'Terminal Puerto Alerce'
  ${CLI} world zones points
  ${CLI} world watches --json | jq '.data.watches[] | select(.emulated | not)'   the watches for your own client`;

type Section = keyof WorldList;
type WorldRows = { readonly [S in Section]: WorldList[S][number] };

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
const dash = (value: string | number | null): string => (value === null || value === '' ? '-' : String(value));

/** The columns of a section: heading and cell. */
const COLUMNS: { readonly [S in Section]: Readonly<Record<string, (row: WorldRows[S]) => string>> } = {
  sites: {
    site: ({ name }) => name,
    privacy: ({ privacy_mode }) => privacy_mode,
    company: ({ organization }) => organization,
  },
  people: {
    person: ({ external_id, id }) => external_id ?? id,
    watch: ({ watch }) => dash(watch),
    name: ({ name }) => name,
    role: ({ role }) => dash(role),
    contractor: ({ contractor }) => dash(contractor),
  },
  zones: {
    zone: ({ name }) => name,
    type: ({ type }) => type,
  },
  points: {
    point: ({ name }) => name,
    serves: ({ serves }) => serves.join(', '),
    vertical: ({ vertical }) => yesNo(vertical),
    capacity: ({ capacity }) => dash(capacity),
  },
  clients: {
    client: ({ client_id }) => client_id,
    names: ({ include_worker_names }) => yesNo(include_worker_names),
    scopes: ({ scopes }) => String(scopes.length),
    company: ({ organization }) => organization,
    contractors: ({ contractors }) => contractors?.join(', ') ?? 'all',
  },
  watches: {
    watch: ({ serial }) => serial,
    person: ({ worker }) => dash(worker),
    status: ({ status }) => WATCH_TERMS[status].word,
    worn: ({ worn }) => (worn === null ? '-' : yesNo(worn)),
    battery: ({ battery }) => (battery === null ? '-' : `${battery} %`),
    'last seen': ({ date_last_seen }) => dash(date_last_seen?.slice(0, 19) ?? null),
    of: ({ emulated }) => (emulated ? 'fleet' : 'your client'),
  },
};
export const WORLD_SECTIONS = Object.keys(COLUMNS) as readonly Section[];

interface WorldFlags {
  readonly site?: readonly string[];
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineWorld(program: Command, ended: (code: number) => void): void {
  program
    .command('world [sections...]')
    .description('list the people, zones, points, clients and watches of the running sandbox')
    .addOption(
      new Option('--site <name>', 'list only the objects of this site; write its name or id (repeatable)').argParser(
        many,
      ),
    )
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'world'))
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], flags: WorldFlags) => {
      const sections = sectionsOf(words);
      const { status, body } = await callSandbox(findRunning(flags.dataDir), 'GET', '/v1/sandbox/world');
      if (status !== 200) throw refusedCall(status, body);
      const all = body as WorldList;
      const sites = sitesOf(all, flags.site);
      const shown = Object.fromEntries(
        sections.map((section) => [section, all[section].filter((row) => isOn(row, sites, flags.site))]),
      ) as Partial<WorldList>;
      if (flags.json === true) out(JSON.stringify(envelope('world', shown)));
      else for (const section of sections) print(section, shown[section] ?? [], sections.length > 1);
      ended(EXIT.done);
    });
}

function sectionsOf(words: readonly string[]): readonly Section[] {
  for (const word of words) {
    if ((WORLD_SECTIONS as readonly string[]).includes(word)) continue;
    throw usage(
      `"${word}" is not a section of the world.${didYouMean(word, WORLD_SECTIONS)}`,
      `There are ${WORLD_SECTIONS.join(', ')}.`,
    );
  }
  return words.length === 0 ? WORLD_SECTIONS : WORLD_SECTIONS.filter((section) => words.includes(section));
}

/** The names of the sites that the flags name, or of all sites without a flag. */
function sitesOf({ sites }: WorldList, named: readonly string[] = []): ReadonlySet<string> {
  const found = named.map((word) => {
    const site = sites.find(({ id, name }) => isSameName(name, word) || id === word.toLowerCase());
    if (site !== undefined) return site.name;
    const names = sites.map(({ name }) => name);
    throw usage(`There is no site "${word}".${didYouMean(word, names)}`, `There are ${names.join(', ')}.`);
  });
  return new Set(named.length === 0 ? sites.map(({ name }) => name) : found);
}

/** Clients belong to a company and not to a site, so they are always listed. */
function isOn(row: WorldRows[Section], sites: ReadonlySet<string>, named: readonly string[] | undefined): boolean {
  if ('site' in row) return sites.has(row.site);
  return named === undefined || !('privacy_mode' in row) || sites.has(row.name);
}

/** Prints a section. If the rows have sites, they are grouped by site. */
function print(section: Section, rows: readonly WorldRows[Section][], titled: boolean): void {
  const paint = colourOf(process.stdout);
  if (titled) out(paint('bold', `${section} (${rows.length})`));
  const columns = COLUMNS[section] as Readonly<Record<string, (row: WorldRows[Section]) => string>>;
  const sites = [...new Set(rows.map((row) => ('site' in row ? row.site : null)))];
  const table = tableLines([
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((cell) => cell(row))),
  ]);
  out(paint('dim', clipped(`  ${table[0]}`)));
  for (const site of sites) {
    if (site !== null) outLine(paint('teal', `  ${site}`));
    rows.forEach((row, index) => {
      if (site === null || ('site' in row && row.site === site)) outLine(clipped(`  ${table[index + 1]}`));
    });
  }
  if (rows.length === 0) out('  none');
  out('');
}

/** The sections of a file: its top-level keys. Their readers, the editor schema, `explain` and the reference page use these declarations. [scenario-language, File] */
import type { TSchema } from 'typebox';
import { type JsonMap, withoutKeywords } from '../../contract/schema.ts';
import {
  CrewSection,
  CrowdSection,
  CrowdsSection,
  VehicleSection,
  VehiclesSection,
  WorkerSection,
} from '../../plant/people-schema.ts';
import { ContractSection, SiteSection } from '../../plant/site-schema.ts';
import { ServiceSection } from '../../plant/thresholds.ts';
import type { RunMode } from '../model/scenario.ts';
import type { Field } from './field.ts';
import { CLOCK_KEYS, FILE_FORMS, type FileForm, HEAD_KEYS, TITLES } from './head.ts';
import { schemaOf } from './read-map.ts';
import { RULE_FIELDS } from './rules.ts';
import { ProbeSection, ReceiverSection, SystemSection } from './section-schemas.ts';
import { WHEN_FIELDS } from './whens.ts';

/** An explained key. */
type ExplainedKey = Pick<Field<unknown>, 'help' | 'schema' | 'isRequired'>;

interface SectionDeclaration {
  /** The files that may have it. */
  readonly forms: readonly FileForm[];
  readonly help: string;
  /** YAML that begins with the key. */
  readonly example: string;
  /** Draft-07, without a description; sections of a plant refer to definitions. */
  readonly schema: JsonMap;
  /** The keys of its map, of each entry, or of each item. */
  readonly keys?: Readonly<Record<string, ExplainedKey>>;
  /** The schema of its map, or of each entry, whose keys are explained. */
  readonly of?: { readonly each: boolean; readonly schema: TSchema };
  /** Words of its list. */
  readonly words?: Readonly<Record<string, string>>;
  /** False where a value cannot be `$name`: what is read before parameters have values. */
  readonly isBound?: false;
  /** Read again by the thread that plays a scenario which another thread has read up to its steps. */
  readonly isPlayed?: true;
}

const ALL: readonly FileForm[] = FILE_FORMS;
const SCENARIO: readonly FileForm[] = ['scenario'];

const TEXT: JsonMap = { type: 'string' };
const TEXTS: JsonMap = { type: 'array', items: TEXT };
const STEPS: JsonMap = { type: 'array', items: { $ref: '#/definitions/step' } };
const shared = (name: string): JsonMap => ({ $ref: `#/definitions/${name}` });
const mapOf = (each: JsonMap): JsonMap => ({ type: 'object', additionalProperties: each });

const key = (help: string, schema: JsonMap, isRequired = false): ExplainedKey => ({ help, schema, isRequired });

/** The explanation and schema of a key that the head reads. */
const headSection = ({ help, schema }: Field<unknown>) => ({ help, schema });

const json = (schema: TSchema): JsonMap => schema as object as JsonMap;

/** Without `required`: a file may hold only some keys if a part that it uses has the rest. */
export const partial = (schema: TSchema): JsonMap =>
  withoutKeywords(schema, (keyword, value) => keyword === 'required' && Array.isArray(value)) as JsonMap;

/** A map that may be empty: `service:` with nothing after it. */
export const orEmpty = (schema: JsonMap): JsonMap => ({ ...schema, type: [schema['type'], 'null'].flat() });

export const COMPANY_KEYS = {
  site: key('Its plant.', shared('site')),
  sites: key('Its plants by name.', mapOf(shared('site'))),
  contract: key('What it may see.', shared('contract')),
  workers: key('Its people.', shared('workers')),
};

export const MACRO_KEYS = {
  params: key('The names of its parameters; each use must give every one.', TEXTS),
  steps: key(
    'Its steps; $param is filled in. Names that they give with "as" are local to each use of the macro.',
    STEPS,
    true,
  ),
};

const MODE_WORDS: Readonly<Record<RunMode, string>> = {
  fast: 'Time jumps to what is due next.',
  scaled: 'Time runs a number of times as fast as the wall clock.',
  real: 'Time follows the wall clock.',
};

export const SECTIONS = {
  scenario: {
    forms: SCENARIO,
    ...headSection(TITLES.scenario),
    example: 'scenario: A fall becomes an SOS',
  },
  part: {
    forms: ['part'],
    ...headSection(TITLES.part),
    isBound: false,
    example: 'part: The harbour plant',
  },
  explore: {
    forms: ['explore'],
    ...headSection(TITLES.explore),
    isBound: false,
    example: 'explore: The alert inbox of our control room',
  },
  about: {
    forms: ALL,
    ...headSection(HEAD_KEYS.about),
    example: 'about: Nobody answers the prompt.',
  },
  skip: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.skip),
    example: 'skip: The reader at gate 4 is not installed yet.',
  },
  known_failure: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.known_failure),
    example: 'known_failure: Our inbox loses the second alert (ticket 812).',
  },
  tags: {
    forms: ALL,
    ...headSection(HEAD_KEYS.tags),
    example: 'tags: [alerts, smoke]',
  },
  use: {
    forms: ALL,
    ...headSection(HEAD_KEYS.use),
    isBound: false,
    example: 'use: [scenarios/sites/harbour.yaml]',
  },
  seed: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.seed),
    example: 'seed: 42',
  },
  clock: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.clock),
    example: 'clock: {start: 2026-10-05T06:00:00Z, speed: 60}',
    keys: CLOCK_KEYS,
  },
  modes: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.modes),
    example: 'modes: [fast, scaled]',
    words: MODE_WORDS,
  },
  params: {
    forms: SCENARIO,
    help: 'Values with a default. Write $name instead of a whole value, and in the path of "api". The flag --set name=value overrides the default.',
    example: 'params: {silence: 30s}',
    schema: { type: 'object' },
    isBound: false,
    isPlayed: true,
  },
  matrix: {
    forms: SCENARIO,
    help: 'One run for each combination of these values. $name is the value of the run. It cannot be combined with "cases".',
    example: 'matrix: {fault: [503, reset], side: [left, right]}',
    schema: { ...mapOf({ type: 'array', minItems: 1 }), minProperties: 1 },
    isBound: false,
    isPlayed: true,
  },
  cases: {
    forms: SCENARIO,
    help: 'One run for each entry of the list; $name is its value. Or the name of a CSV file, relative to this file: its first row has the names, and each further row the values of a run. Not together with "matrix".',
    example: 'cases: [{fault: 503, tries: 2}, {fault: reset, tries: 3}]',
    schema: { type: ['array', 'string'], minItems: 1, items: { type: 'object' } },
    isBound: false,
    isPlayed: true,
  },
  site: {
    forms: ALL,
    help: 'The plant: where it is, its zones, and the times allowed for an evacuation.',
    example:
      'site: {name: Small plant, origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}, Gate A: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}}}',
    schema: shared('site'),
    of: { each: false, schema: SiteSection },
  },
  sites: {
    forms: ALL,
    help: 'Several plants by name. Actions on a site must then name the site: site: NAME.',
    example:
      'sites: {North: {origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}}}, South: {origin: [43.5, -8.4], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}}',
    schema: mapOf(shared('site')),
    of: { each: true, schema: SiteSection },
  },
  contract: {
    forms: ALL,
    help: 'What the file’s own company, "customer", may see: names, scopes, contractors.',
    example: 'contract: {include_worker_names: true, technical_contact: safety@harbour.example}',
    schema: shared('contract'),
    of: { each: false, schema: ContractSection },
  },
  companies: {
    forms: ALL,
    help: 'Other companies by name, each with its plants, contract and people. Without it there is one, "customer".',
    example:
      'companies: {haulier: {sites: {Depot: {origin: [44, -8], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}}, workers: {otto: {in: Yard}}}}',
    schema: mapOf(schemaOf(COMPANY_KEYS)),
    keys: COMPANY_KEYS,
  },
  service: {
    forms: ALL,
    help: 'Thresholds of the service. Each has a default.',
    example: 'service: {fall_prompt: 30s, no_signal_after: 90s, low_battery_pct: 20}',
    schema: orEmpty(partial(ServiceSection)),
    of: { each: false, schema: ServiceSection },
  },
  workers: {
    forms: ALL,
    help: 'People by short name; scripted workers, who move only by steps, or autonomous ones with "behave: auto". "puppet" is an older word for "scripted".',
    example: 'workers: {ana: {in: Dock, battery: 60}, luis: {near: ana, distance: 40m}}',
    schema: shared('workers'),
    of: { each: true, schema: WorkerSection },
  },
  crowd: {
    forms: ALL,
    help: 'Groups of people by short name. "3 of crew" means three of them, which the seed selects.',
    example: 'crowd: {crew: {count: 12, in: Dock, pace: 1.2..1.6}}',
    schema: orEmpty(partial(CrowdsSection)),
    of: { each: true, schema: CrowdSection },
  },
  vehicles: {
    forms: ALL,
    help: 'Vehicles by short name.',
    example: 'vehicles: {lift: {type: forklift, driver: luis}}',
    schema: orEmpty(partial(VehiclesSection)),
    of: { each: true, schema: VehicleSection },
  },
  crew: {
    forms: ['part'],
    help: `The people of a plant for "sandbox up --site": numbers, firms, trades, permits and vehicles, from which the seed makes people. A scenario that uses the part names its own.`,
    example:
      'crew: {count: 20, contractors: [Montajes Sur], roles: [Welder, Fitter], permits: {WP-1: {zone: Tank farm, holders: 2, inside: 1, for: 8h}}, vehicles: {Forklift 1: {type: forklift, role: Fitter}}}',
    schema: partial(CrewSection),
    of: { each: false, schema: CrewSection },
  },
  receivers: {
    forms: ALL,
    help: 'Receivers of events by short name. Without "url", the receiver is built in, and a step can make it fail.',
    example: 'receivers: {erp: {events: [alert.*], min_severity: high}}',
    schema: mapOf(orEmpty(json(ReceiverSection))),
    of: { each: true, schema: ReceiverSection },
  },
  system: {
    forms: ALL,
    help: 'Your own system: how it starts and where it listens. It gets SANDBOX_API_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_WEBHOOK_SECRET and PORT; a receiver whose url is a path gets its deliveries there. "start" is run by the shell: a file that you name may do it, and it is printed before; over HTTP it needs the control token.',
    example: 'system: {start: node inbox.mjs, ready: /health, wake: {post: /poll, every: 10s}}',
    schema: json(SystemSection),
    of: { each: false, schema: SystemSection },
    isPlayed: true,
  },
  probes: {
    forms: ALL,
    help: 'Questions to your own system by name, for rules: a path of it ("get"), or a command that prints JSON ("run"), with the same permission as that of "system".',
    example: 'probes: {open_alerts: {get: /open-alerts, path: "alerts[*].id"}}',
    schema: mapOf(json(ProbeSection)),
    of: { each: true, schema: ProbeSection },
    isPlayed: true,
  },
  macros: {
    forms: ALL,
    help: 'Steps under a name, played with "do". The names in a macro are its own, so that it can be used twice; "as" beside "do" names the last thing that it found.',
    example: 'macros: {attend: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}}',
    schema: mapOf(schemaOf(MACRO_KEYS)),
    keys: MACRO_KEYS,
    isBound: false,
    isPlayed: true,
  },
  setup: {
    forms: ['part'],
    help: 'Steps that run before those of the file that uses the part, in the order of "use". Names that they give with "as" are known in its steps.',
    example: 'setup: [{mark: The plant is ready}]',
    schema: STEPS,
    isPlayed: true,
  },
  steps: {
    forms: SCENARIO,
    help: 'The sequence of steps: one action a line. Required.',
    example: 'steps:\n  - sos: {who: ana}\n  - expect: {alert: sos, of: ana}\n    within: 2s',
    schema: STEPS,
    isPlayed: true,
  },
  when: {
    forms: SCENARIO,
    help: 'Steps that run in parallel to the scenario each time, or the first time, that a condition becomes true; their failures count.',
    example:
      'when:\n  - every: {event: alert.created}\n    as: e\n    after: 2s\n    steps: [{acknowledge: {alert: $e.object, by: Desk}}]',
    schema: { type: 'array', items: schemaOf(WHEN_FIELDS) },
    keys: WHEN_FIELDS,
    isPlayed: true,
  },
  rules: {
    forms: ['scenario', 'explore'],
    help: 'Checks that apply to the whole run.',
    example:
      'rules:\n  - every: {event: alert.*}\n    delivered_to: erp\n    within: 5s\n  - never: {alert: heat_stress}',
    schema: { type: 'array', items: schemaOf(RULE_FIELDS) },
    keys: RULE_FIELDS,
    isPlayed: true,
  },
  moves: {
    forms: ['explore'],
    help: 'Sequences of steps by name, of which `explore` makes scenarios beside its own: what happens at your sites. Names that they give with "as" are their own.',
    example:
      'moves:\n  leak: [{hazard: {kind: tsunami_risk}, as: leak}, {resolve: {alert: $leak, by: Desk}, after: 2m}]',
    schema: mapOf(STEPS),
    isPlayed: true,
  },
  finally: {
    forms: SCENARIO,
    help: 'Steps that are played at the end, whatever the result of the run.',
    example: 'finally:\n  - check: {alerts: open, type: heat_stress, count: 0}',
    schema: STEPS,
    isPlayed: true,
  },
} as const satisfies Readonly<Record<string, SectionDeclaration>>;
export type SectionName = keyof typeof SECTIONS;

/** By name, without the narrow types. */
export const SECTION_OF: Readonly<Record<SectionName, SectionDeclaration>> = SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];

export const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name);

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
import { ContractSection, NamedSiteSection, SiteSection } from '../../plant/site-schema.ts';
import { ServiceSection } from '../../plant/thresholds.ts';
import type { RunMode } from '../model/scenario.ts';
import type { Field } from './field.ts';
import { CLOCK_KEYS, FILE_FORMS, type FileForm, HEAD_KEYS, TITLES } from './head.ts';
import { schemaOf } from './read-map.ts';
import { RULE_FIELDS } from './rules.ts';
import { ProbeSection, ReceiverSection, SystemSection } from './section-schemas.ts';
import { WHEN_FIELDS } from './whens.ts';

/** A key with an explanation. */
type ExplainedKey = Pick<Field<unknown>, 'help' | 'schema' | 'isRequired'>;

interface SectionDeclaration {
  /** The forms of files that may have the section. */
  readonly forms: readonly FileForm[];
  readonly help: string;
  /** YAML that begins with the key. */
  readonly example: string;
  /** Draft-07, without a description; sections of a plant refer to definitions. */
  readonly schema: JsonMap;
  /** The keys of the section's map, of each entry, or of each item. */
  readonly keys?: Readonly<Record<string, ExplainedKey>>;
  /** The schema of the section's map, or of each entry, whose keys are explained. */
  readonly of?: { readonly each: boolean; readonly schema: TSchema };
  /** The words in the section's list. */
  readonly words?: Readonly<Record<string, string>>;
  /** False if a value cannot be `$name`, because the section is read before parameters have values. */
  readonly isBound?: false;
  /**
   * True if the section is read again by the thread that plays the scenario, after another thread has read the file.
   */
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

/** Removes `required`: a file may have only some keys if a part that it uses has the rest. */
export const partial = (schema: TSchema): JsonMap =>
  withoutKeywords(schema, (keyword, value) => keyword === 'required' && Array.isArray(value)) as JsonMap;

/** Allows an empty map: `service:` with nothing after it. */
export const orEmpty = (schema: JsonMap): JsonMap => ({ ...schema, type: [schema['type'], 'null'].flat() });

export const COMPANY_KEYS = {
  site: key('The plant of the company.', shared('site')),
  sites: key('The plants of the company, by name.', mapOf(shared('site'))),
  contract: key('Its contract: what its client may see.', shared('contract')),
  workers: key('The workers of the company, by short name.', shared('workers')),
};

export const MACRO_KEYS = {
  params: key('The names of the parameters. Each use must give a value for each of them.', TEXTS),
  steps: key(
    'The steps. $param is replaced by the value of the parameter. Names that the steps give with "as" are local to each use of the macro.',
    STEPS,
    true,
  ),
};

const MODE_WORDS: Readonly<Record<RunMode, string>> = {
  fast: 'Simulated time jumps to the next thing that is due.',
  scaled: 'As fast, but not faster than "speed" times the wall clock. The result is the same.',
  real: 'As fast, but not faster than the wall clock. The result is the same.',
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
  orders_may_differ: {
    forms: SCENARIO,
    ...headSection(HEAD_KEYS.orders_may_differ),
    example: 'orders_may_differ: The desk that is second is refused.',
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
    help: 'One run for each combination of these values. $name is replaced by the value of the run. It cannot be combined with "cases".',
    example: 'matrix: {fault: [503, reset], side: [left, right]}',
    schema: { ...mapOf({ type: 'array', minItems: 1 }), minProperties: 1 },
    isBound: false,
    isPlayed: true,
  },
  cases: {
    forms: SCENARIO,
    help: 'One run for each entry of the list; $name is replaced by the value of the entry. Or the path of a CSV file, relative to this file: its first row has the names, and each further row has the values of one run. Commas separate the cells. A cell in double quotes is a text, any other a plain value of YAML. It cannot be combined with "matrix".',
    example: 'cases: [{fault: 503, tries: 2}, {fault: reset, tries: 3}]',
    // A map alone could be meant as a matrix.
    schema: { type: ['array', 'string'], minItems: 1, items: { type: 'object' }, 'x-whole': true },
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
    help: 'Several plants by name. Actions on a site must then give the name of the site: site: NAME.',
    example:
      'sites: {North: {origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}}}, South: {origin: [43.5, -8.4], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}}',
    schema: mapOf(shared('site')),
    of: { each: true, schema: NamedSiteSection },
  },
  contract: {
    forms: ALL,
    help: 'What the client of the own company of the file, "customer", may see: names, scopes and contractors.',
    example: 'contract: {include_worker_names: true, technical_contact: safety@harbour.example}',
    schema: shared('contract'),
    of: { each: false, schema: ContractSection },
  },
  companies: {
    forms: ALL,
    help: 'Other companies by name, each with its plants, contract and workers. Without this key, "customer" is the only company.',
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
    help: 'Workers by short name. A scripted worker moves only by steps. An autonomous worker has "behave: auto" and acts without steps.',
    example: 'workers: {ana: {in: Dock, battery: 60}, luis: {near: ana, distance: 40m}}',
    schema: shared('workers'),
    of: { each: true, schema: WorkerSection },
  },
  crowd: {
    forms: ALL,
    help: 'Groups of workers by short name. "3 of crew" means three workers of the group "crew", selected by the seed.',
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
    help: `The workers of a plant for "sandbox up --site": their number, contractors, roles, permits and vehicles. The seed generates the workers from it. A scenario that uses the part defines its own workers.`,
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
    help: 'Your own system: how it starts and where it listens. Its environment has SANDBOX_API_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_WEBHOOK_SECRET and PORT. If the url of a receiver is a path, its deliveries are sent to that path of the system. The shell runs the command of "start". It is printed before, and runs only from a file that you name; over HTTP it needs the control token.',
    example: 'system: {start: node inbox.mjs, ready: /health, wake: {post: /poll, every: 10s}}',
    schema: json(SystemSection),
    of: { each: false, schema: SystemSection },
    isPlayed: true,
  },
  probes: {
    forms: ALL,
    help: 'Queries to your own system by name, for use in rules. A probe is a path of the system ("get"), or a command that prints JSON ("run"). The command needs the same permission as "start" of "system".',
    example: 'probes: {open_alerts: {get: /open-alerts, path: "alerts[*].id"}}',
    schema: mapOf(json(ProbeSection)),
    of: { each: true, schema: ProbeSection },
    isPlayed: true,
  },
  macros: {
    forms: ALL,
    help: 'Named sequences of steps, which the step "do" runs. Names in a macro are local to each use. "as" next to "do" names the last result of the macro.',
    example: 'macros: {attend: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}}',
    schema: mapOf(schemaOf(MACRO_KEYS)),
    keys: MACRO_KEYS,
    isBound: false,
    isPlayed: true,
  },
  setup: {
    forms: ['part'],
    help: 'Steps that run before the steps of the file that uses the part, in the order of "use". The steps of the file can use the names that they give with "as".',
    example: 'setup: [{mark: The plant is ready}]',
    schema: STEPS,
    isPlayed: true,
  },
  steps: {
    forms: SCENARIO,
    help: 'The sequence of steps. Required.',
    example: 'steps:\n  - sos: {who: ana}\n  - expect: {alert: sos, of: ana}\n    within: 2s',
    schema: STEPS,
    isPlayed: true,
  },
  when: {
    forms: SCENARIO,
    help: 'Steps that run in parallel to the scenario each time, or only the first time, that a condition becomes true. If they fail, the run fails.',
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
    help: 'Named sequences of steps that are typical of your sites. `explore` uses them in the scenarios that it generates, in addition to its own. Names that they give with "as" are local to each use.',
    example:
      'moves:\n  leak: [{hazard: {kind: tsunami_risk}, as: leak}, {resolve: {alert: $leak, by: Desk}, after: 2m}]',
    schema: mapOf(STEPS),
    isPlayed: true,
  },
  finally: {
    forms: SCENARIO,
    help: 'Steps that run at the end, also if the run has failed.',
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

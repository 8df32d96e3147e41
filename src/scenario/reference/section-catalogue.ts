/** Documentation of the keys of a scenario file, from which the editor schema and `explain` are derived. [scenario-language, File] */
import type { TSchema } from 'typebox';
import { CrewSection, CrowdSection, VehicleSection, WorkerSection } from '../../plant/people-schema.ts';
import { ContractSection, SiteSection } from '../../plant/site-schema.ts';
import { ServiceSection } from '../../plant/thresholds.ts';
import { ReceiverSection } from '../reading/read-receivers.ts';
import { ProbeSection, SystemSection } from '../reading/read-system.ts';
import type { FileKeyName } from '../story/file-keys.ts';

export interface SectionHelp {
  readonly help: string;
  /** YAML that begins with the key. */
  readonly example: string;
  /** The schema of its map, or of each entry. */
  readonly of?: { readonly each: boolean; readonly schema: TSchema };
  /** Keys without a schema, with descriptions. */
  readonly keys?: Readonly<Record<string, string>>;
}

const MACRO_KEYS = {
  params: 'The names of its parameters; every one is required where it is done.',
  steps: 'Its steps; $param is filled in. Names that they give with "as" are the macro’s own, anew each time.',
};

const COMPANY_KEYS = {
  'site, sites': 'Its plants.',
  contract: 'What it may see.',
  workers: 'Its people.',
};

export const SECTION_HELP: { readonly [K in FileKeyName]: SectionHelp } = {
  scenario: { help: 'The title of the story, as a sentence. Required.', example: 'scenario: A fall becomes an SOS' },
  part: {
    help: 'The name of a part: a file that others include with "use". It has no steps.',
    example: 'part: The harbour plant',
  },
  explore: {
    help: 'The title of a file of rules about your own system, for which "sandbox explore" searches a story that breaks one. It has no steps.',
    example: 'explore: The alert inbox of our control room',
  },
  about: { help: 'What the story is about, in a sentence or two.', example: 'about: Nobody answers the prompt.' },
  tags: { help: 'Words by which stories are picked: sandbox run tag:smoke.', example: 'tags: [alerts, smoke]' },
  use: {
    help: 'Parts, relative to this file; maps merge by key, and this file wins. Lists and plain values are replaced.',
    example: 'use: [scenarios/sites/harbour.yaml]',
  },
  seed: { help: 'Names, ids, keys and draws follow from it. Default 1; --seed wins.', example: 'seed: 42' },
  clock: {
    help: 'When the story begins, and how fast time runs in scaled mode.',
    example: 'clock: {start: 2026-10-05T06:00:00Z, speed: 60}',
    keys: {
      start: 'A time; default 2026-10-05T06:00:00Z in fast mode, else now.',
      speed: 'Of scaled runs; default 60.',
    },
  },
  modes: {
    help: 'How the story can be played; default all.',
    example: 'modes: [fast, scaled]',
    keys: {
      fast: 'Time jumps to what is due next.',
      scaled: 'So many times as fast as the wall clock.',
      real: 'By the wall clock.',
    },
  },
  params: {
    help: 'Values with a default, as $name wherever a whole value stands, and in the path of "api"; --set name=value wins.',
    example: 'params: {silence: 30s}',
  },
  matrix: {
    help: 'One run for each combination of these values; $name stands for that of the run. Never beside "cases".',
    example: 'matrix: {fault: [503, reset], side: [left, right]}',
  },
  cases: {
    help: 'One run for each entry of the list; $name stands for its value. Never beside "matrix".',
    example: 'cases: [{fault: 503, tries: 2}, {fault: reset, tries: 3}]',
  },
  site: {
    help: 'The plant: where it is, its zones, and the times allowed for an evacuation.',
    example:
      'site: {name: Small plant, origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}, Gate A: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}}}',
    of: { each: false, schema: SiteSection },
  },
  sites: {
    help: 'Several plants by name. Actions on a site then say which: site: NAME.',
    example:
      'sites: {North: {origin: [43.3, -8.4], zones: {Dock: {type: work_area, box: [0, 0, 200, 120]}}}, South: {origin: [43.5, -8.4], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}}',
    of: { each: true, schema: SiteSection },
  },
  contract: {
    help: 'What the file’s own company, "customer", may see: names, scopes, contractors.',
    example: 'contract: {include_worker_names: true, technical_contact: safety@harbour.example}',
    of: { each: false, schema: ContractSection },
  },
  companies: {
    help: 'Other companies by name, each with its plants, contract and people. Without it there is one, "customer".',
    example:
      'companies: {haulier: {sites: {Depot: {origin: [44, -8], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}}, workers: {otto: {in: Yard}}}}',
    keys: COMPANY_KEYS,
  },
  service: {
    help: 'Thresholds of the service; what is left out has its default.',
    example: 'service: {fall_prompt: 30s, no_signal_after: 90s, low_battery_pct: 20}',
    of: { each: false, schema: ServiceSection },
  },
  workers: {
    help: 'People by short name; scripted workers, who move only by steps, or autonomous ones with "behave: auto". "puppet" is an older word for "scripted".',
    example: 'workers: {ana: {in: Dock, battery: 60}, luis: {near: ana, distance: 40m}}',
    of: { each: true, schema: WorkerSection },
  },
  crowd: {
    help: 'Groups of people by short name; "3 of crew" means three of them, drawn by the seed.',
    example: 'crowd: {crew: {count: 12, in: Dock, pace: 1.2..1.6}}',
    of: { each: true, schema: CrowdSection },
  },
  vehicles: {
    help: 'Vehicles by short name.',
    example: 'vehicles: {lift: {type: forklift, driver: luis}}',
    of: { each: true, schema: VehicleSection },
  },
  crew: {
    help: 'The people of a plant for "sandbox up --site": numbers, firms, trades, permits and vehicles, from which the seed makes people. A story that uses the part names its own.',
    example:
      'crew: {count: 20, contractors: [Montajes Sur], roles: [Welder, Fitter], permits: {WP-1: {zone: Tank farm, holders: 2, inside: 1, for: 8h}}, vehicles: {Forklift 1: {type: forklift, role: Fitter}}}',
    of: { each: false, schema: CrewSection },
  },
  receivers: {
    help: 'Receivers of events by short name; without "url" a built-in one, which a step can make misbehave.',
    example: 'receivers: {erp: {events: [alert.*], min_severity: high}}',
    of: { each: true, schema: ReceiverSection },
  },
  system: {
    help: 'Your own system: how it starts and where it listens. It gets SANDBOX_API_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, SANDBOX_WEBHOOK_SECRET and PORT; a receiver whose url is a path gets its deliveries there. "start" is run by the shell: a file that you name may do it, and it is printed before; over HTTP it needs the control token.',
    example: 'system: {start: node inbox.mjs, ready: /health, wake: {post: /poll, every: 10s}}',
    of: { each: false, schema: SystemSection },
  },
  probes: {
    help: 'Questions to your own system by name, for rules: a path of it ("get"), or a command that prints JSON ("run"), with the same permission as that of "system".',
    example: 'probes: {open_alerts: {get: /open-alerts, path: "alerts[*].id"}}',
    of: { each: true, schema: ProbeSection },
  },
  macros: {
    help: 'Steps under a name, done with "do". The names in a macro are its own, so that it can be done twice; "as" beside "do" names the last thing that it found.',
    example: 'macros: {attend: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}}',
    keys: MACRO_KEYS,
  },
  steps: {
    help: 'The story: one action a line. Required.',
    example: 'steps:\n  - sos: {who: ana}\n  - expect: {alert: sos, of: ana}\n    within: 2s',
  },
  when: {
    help: 'Steps that run beside the story each time, or the first time, that something comes true; their failures count.',
    example:
      'when:\n  - every: {event: alert.created}\n    as: e\n    after: 2s\n    steps: [{acknowledge: {alert: $e.object, by: Desk}}]',
    keys: {
      every: 'A check: the steps run each time that it comes true.',
      first: 'A check: they run the first time.',
      as: 'A name for what was found, known in these steps only.',
      after: 'A pause before them.',
      steps: 'What is done.',
    },
  },
  rules: {
    help: 'What holds over the whole run.',
    example:
      'rules:\n  - every: {event: alert.*}\n    delivered_to: erp\n    within: 5s\n  - never: {alert: heat_stress}',
    keys: {
      every:
        'A check: each that it matches keeps what stands beside it; it fails if there is none, unless count: 0.. says so.',
      always: 'A check that is true all the time.',
      never: 'A check that is never true.',
      within: 'The limit of delivered_to and followed_by, or the time that a probe has to follow.',
      apart: 'They lie at least so far apart.',
      delivered_to: 'Each is delivered to this receiver.',
      as: 'A name for the match, known in followed_by.',
      followed_by: 'A check that comes true within the limit, for each match.',
      signed: 'valid: each delivery is signed as it should be.',
      count: 'How many there must be; default at least one.',
    },
  },
  finally: {
    help: 'Steps that are played at the end, however the story went.',
    example: 'finally:\n  - check: {alerts: open, type: heat_stress, count: 0}',
  },
};

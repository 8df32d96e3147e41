/** When to use each command, in one sentence, and one example with what it prints. The help of a command shows both. [cli] */
import { CLI } from '../base/text/command-form.ts';

/** The end of the help of one command. */
interface CommandUse {
  /** One sentence. */
  readonly when: string;
  /** The words behind the name of the program, as a shell takes them. */
  readonly example: string;
  /** What it prints; `…` stands for what differs between runs, and a line of it for any number of lines. */
  readonly prints: readonly string[];
}

export const USES: Readonly<Record<string, CommandUse>> = {
  up: {
    when: 'You build a client or a receiver, and need the API on this machine while you work.',
    example: 'up --watches 20',
    prints: [
      '…',
      '  muster-sandbox is ready  (a simulation: no real watch, no real person)',
      '…',
      '  API       http://…',
      '…',
    ],
  },
  exec: {
    when: 'Your tests need a sandbox for as long as they run, in CI above all.',
    example: "exec --watches 4 -- sh -c 'echo $SANDBOX_API_URL'",
    prints: ['http://127.0.0.1:…'],
  },
  run: {
    when: 'You want to know whether what happens is what should happen, each time in the same way.',
    example: 'run fall-to-sos',
    prints: [
      '…  A fall nobody answers becomes an SOS  (fast, seed 42)',
      '…',
      '00:00:20.000   fall ana, answers never',
      '00:00:20.000 ✓ expect alert fall_detected of ana within 2s',
      '…',
    ],
  },
  explore: {
    when: 'Your whole system is to be tried with situations that nobody thought of.',
    example: 'explore first.explore.yaml --minutes 5',
    prints: ['…', 'nothing found  first.explore.yaml  …'],
  },
  drill: {
    when: 'You plan points, doors or stairs, and need the times of many evacuations.',
    example: 'drill --runs 5 --watches 30',
    prints: [
      '…',
      '  Safe                    median        interval   95th        interval    5th  runs never',
      '…',
      '  90 %                      8:34   7:23 to 10:17  10:17   8:34 to 10:17   7:23',
      '…',
    ],
  },
  record: {
    when: 'You did by hand what a test is to repeat.',
    example: 'record --for 2m --out gate-fall.scenario.yaml',
    prints: ['written to gate-fall.scenario.yaml; play it with: … run gate-fall.scenario.yaml'],
  },
  validate: {
    when: 'You changed a scenario, and want all mistakes of it at once.',
    example: 'validate scenarios/first.scenario.yaml',
    prints: ['scenarios/first.scenario.yaml  valid'],
  },
  list: {
    when: 'You look for a scenario to begin from.',
    example: 'list',
    prints: ['…', 'fall-to-sos  A fall nobody answers becomes an SOS  …', '…'],
  },
  explain: {
    when: 'You met a word of a scenario or of the API, and need its meaning.',
    example: 'explain within',
    prints: [
      'within  Beside the word of a step',
      'The limit of a check: 5s, or 29s..31s for not before 29 s either. Default 5 s.',
      '…',
    ],
  },
  schema: {
    when: 'Your editor is to complete and check scenario files.',
    example: 'schema > scenario.schema.json',
    prints: [],
  },
  init: {
    when: 'You have no scenario yet.',
    example: 'init',
    prints: ['Wrote scenarios/first.scenario.yaml and scenarios/scenario.schema.json.', '…'],
  },
  replay: {
    when: 'A receiver is to get again what it got in a run.',
    example: 'replay report/run.jsonl --to http://127.0.0.1:3000/hook',
    prints: [
      'signed with whsec_…',
      'alert.created               …  204  … ms, in the run for erp',
      '…',
      '6 sent, 6 delivered, 0 failed',
    ],
  },
  trigger: {
    when: 'Something is to happen now, in the sandbox that runs.',
    example: 'trigger sos --who W-001',
    prints: ['…  sos  W-001 …  alert sos, unacknowledged  http://…/panel/alerts/…'],
  },
  dashboard: {
    when: 'You want to watch people, alerts and deliveries in the terminal.',
    example: 'dashboard --once',
    prints: ['… SANDBOX …', '…'],
  },
  listen: {
    when: 'Your receiver runs on this machine, or you have none and want to see what would come.',
    example: 'listen --forward-to http://127.0.0.1:3000/hook',
    prints: [
      'to      http://127.0.0.1:3000/hook',
      'events  alert.*, muster.* of Austral Metales y Puertos',
      'secret  whsec_…',
      'panel   http://…/panel/deliveries',
      '',
      '  1  …  alert.created              204  try 1, 23 ms, event …',
    ],
  },
  logs: {
    when: 'A call or a delivery did not do what you expected.',
    example: 'logs deliveries',
    prints: ['…  alert.created              → http://127.0.0.1:3000/hook  204  try 1  23 ms, event …'],
  },
  certify: {
    when: 'Your receiver is ready, and you want to know what production would find.',
    example: 'certify --list',
    prints: [
      'What is genuine is accepted',
      '  1  A signed delivery is answered 2xx  [spec 4 Receiver contract, 6.4]',
      '…',
    ],
  },
  compare: {
    when: 'You want to know whether the real service does as the sandbox does.',
    example: 'compare --recorded session.har',
    prints: ['2 exchanges of 2 operations judged, 0 kinds of deviation'],
  },
  proxy: {
    when: 'Your client talks to the real service, and each exchange is to be judged.',
    example: 'proxy --to https://api.example.com --har session.har',
    prints: [
      'http://127.0.0.1:… passes requests on to https://api.example.com',
      '…',
      '6 exchanges and deliveries judged, 0 kinds of deviation',
    ],
  },
  mcp: {
    when: 'A coding agent is to use the sandbox.',
    example: 'mcp --list',
    prints: ['start_sandbox      Start a sandbox', '…'],
  },
  'explain-delivery': {
    when: 'A receiver refused a delivery, and you look for the cause.',
    example: 'explain-delivery 7d3f0a52-6f0e-4c1e-9a53-0f6d1f0f7a11',
    prints: [
      'alert.created  event …, delivery …',
      'to       http://127.0.0.1:3000/hook',
      '…',
      'Nothing is wrong: it was accepted.',
    ],
  },
  strictness: {
    when: 'Before you go to production: what did your clients do that the service may refuse?',
    example: 'strictness',
    prints: ['Nothing that production may refuse, in the newest 1000 requests.'],
  },
  gaps: {
    when: 'The specification is silent, and you need to know what the sandbox assumes.',
    example: 'gaps',
    prints: ['…', 'severities  …', '  Which severity has each alert type?', '…'],
  },
  env: {
    when: 'Another program needs the addresses and secrets of the sandbox.',
    example: 'env',
    prints: ['SANDBOX_API_URL=http://…', 'SANDBOX_MQTT_URL=mqtt://…', '…'],
  },
  fleet: {
    when: 'Watches are to run apart from the service, or against a broker of your own.',
    example: 'fleet --broker mqtt://127.0.0.1:1883 --watches 20',
    prints: ['… connected to mqtt://127.0.0.1:1883. Ctrl-C: they say goodbye.'],
  },
  clock: {
    when: 'A test is to wait an hour without waiting.',
    example: 'clock advance 10m',
    prints: ['…Z  speed 1'],
  },
  status: {
    when: 'You are not sure what runs, or how it is.',
    example: 'status',
    prints: ['API       http://…', 'MQTT      mqtt://…', '…'],
  },
  stop: {
    when: 'A sandbox runs in the background, and is to end.',
    example: 'stop',
    prints: ['stopped: http://… (process …, data folder …)'],
  },
  world: {
    when: 'You need the name or id of a person, a zone or a client.',
    example: 'world people',
    prints: ['  person  watch     name …', '…', '  W-0…', '…'],
  },
  reset: {
    when: 'A test is to begin from the first state, without a new start.',
    example: 'reset',
    prints: ['back to the beginning; the clock shows …Z'],
  },
  snapshot: {
    when: 'You come back to one state again and again.',
    example: 'snapshot save before',
    prints: ['saved before: …before.ndjson (… kB)'],
  },
  doctor: {
    when: 'The sandbox does not start here.',
    example: 'doctor',
    prints: ['ok       Node         …', '…'],
  },
  completion: {
    when: 'Your shell is to complete commands, flags and names.',
    example: 'completion bash >> ~/.bashrc',
    prints: [],
  },
  openapi: {
    when: 'You generate a client, or load the API into a tool.',
    example: 'openapi > openapi.json',
    prints: [],
  },
  asyncapi: {
    when: 'You generate code for a watch or a gateway.',
    example: 'asyncapi > asyncapi.json',
    prints: [],
  },
  version: { when: 'You report a problem.', example: 'version', prints: ['…'] },
};

/** The lines at the end of a command's help. */
export function endOfHelp(name: string): string {
  const use = USES[name];
  if (use === undefined) return '';
  const shown = use.prints.length === 0 ? ['(nothing: the file has it)'] : use.prints;
  return ['', `When: ${use.when}`, '', `  $ ${CLI} ${use.example}`, ...shown.map((line) => `  ${line}`)].join('\n');
}

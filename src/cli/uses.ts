/** For each command: one sentence about when to use it, and one example with its output. The help of a command shows both. [cli] */

import { CLI } from '../base/text/command-form.ts';
import { CHECK_TERMS } from '../contract/resources/vocabulary.ts';

/** The end of the help of one command. */
interface CommandUse {
  /** One sentence. */
  readonly when: string;
  /** The words after the name of the program, as written for a shell. */
  readonly example: string;
  /** The output. `…` replaces text that differs between runs. A line that is only `…` replaces any number of lines. */
  readonly prints: readonly string[];
}

export const USES: Readonly<Record<string, CommandUse>> = {
  up: {
    when: 'To run the API on this machine while you develop a client or a receiver.',
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
    when: 'To run tests that need a sandbox, for example in CI.',
    example: "exec --watches 4 -- sh -c 'echo $SANDBOX_API_URL'",
    prints: ['http://127.0.0.1:…'],
  },
  run: {
    when: 'To check the behaviour of your system with a test that gives the same result each time.',
    example: 'run fall-to-sos',
    prints: [
      '…  A fall nobody answers becomes an SOS  (fast, seed 42)',
      '…',
      '00:00:20.000   fall ana, answers never',
      `00:00:20.000 ${CHECK_TERMS.passed.glyph} expect alert fall_detected of ana within 2s`,
      '…',
    ],
  },
  explore: {
    when: 'To test your whole system with situations that you did not think of.',
    example: 'explore first.explore.yaml --minutes 5',
    prints: ['…', 'nothing found  first.explore.yaml  …'],
  },
  drill: {
    when: 'To plan assembly points, doors or stairs with the times of many evacuations.',
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
    when: 'To turn actions that you performed by hand into a test.',
    example: 'record --for 2m --out gate-fall.scenario.yaml',
    prints: ['written to gate-fall.scenario.yaml; play it with: … run gate-fall.scenario.yaml'],
  },
  validate: {
    when: 'After a change of a scenario, to find all its mistakes at once.',
    example: 'validate scenarios/first.scenario.yaml',
    prints: ['scenarios/first.scenario.yaml  valid'],
  },
  list: {
    when: 'To find a scenario to start from.',
    example: 'list',
    prints: ['…', 'fall-to-sos  A fall nobody answers becomes an SOS  …', '…'],
  },
  explain: {
    when: 'To look up a word of a scenario or of the API.',
    example: 'explain within',
    prints: [
      'within  Modifiers of steps',
      'The time limit of a check, such as 5s. 29s..31s: at the earliest after 29 s, at the latest after 31 s. Default: 5s.',
      '…',
    ],
  },
  schema: {
    when: 'To complete and check scenario files in your editor.',
    example: 'schema > scenario.schema.json',
    prints: [],
  },
  init: {
    when: 'To start with scenarios, if you have none.',
    example: 'init',
    prints: ['Wrote scenarios/first.scenario.yaml and scenarios/scenario.schema.json.', '…'],
  },
  replay: {
    when: 'To send the deliveries of a run to a receiver again.',
    example: 'replay report/run.jsonl --to http://127.0.0.1:3000/hook',
    prints: [
      'signed with whsec_…',
      'alert.created               …  204  … ms, in the run for erp',
      '…',
      '6 sent, 6 delivered, 0 failed',
    ],
  },
  trigger: {
    when: 'To cause an alert, an evacuation or another event in the running sandbox now.',
    example: 'trigger sos --who W-001',
    prints: ['…  sos  W-001 …  alert sos, unacknowledged  http://…/panel/alerts/…'],
  },
  dashboard: {
    when: 'To watch people, alerts and deliveries in the terminal.',
    example: 'dashboard --once',
    prints: ['… SANDBOX …', '…'],
  },
  listen: {
    when: 'To receive webhooks on this machine, or to see them if you have no receiver yet.',
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
    when: 'To find out why a call or a delivery failed.',
    example: 'logs deliveries',
    prints: ['…  alert.created              → http://127.0.0.1:3000/hook  204  try 1  23 ms, event …'],
  },
  certify: {
    when: 'To find the faults of your receiver or watch before production does.',
    example: 'certify --list',
    prints: [
      'What is genuine is accepted',
      '  1  A signed delivery is answered 2xx  [spec 4 Receiver contract, 6.4]',
      '…',
    ],
  },
  compare: {
    when: 'To find out where the real service and the sandbox differ.',
    example: 'compare --recorded session.har',
    prints: ['2 exchanges of 2 operations checked, 0 kinds of deviation'],
  },
  proxy: {
    when: 'To check each exchange between your client and the real service.',
    example: 'proxy --to https://api.example.com --har session.har',
    prints: [
      'http://127.0.0.1:… forwards requests to https://api.example.com',
      '…',
      '6 exchanges and deliveries checked, 0 kinds of deviation',
    ],
  },
  mcp: {
    when: 'To let a coding agent use the sandbox.',
    example: 'mcp --list',
    prints: ['start_sandbox      Start a sandbox', '…'],
  },
  'explain-delivery': {
    when: 'To find out why a receiver refused a delivery.',
    example: 'explain-delivery 7d3f0a52-6f0e-4c1e-9a53-0f6d1f0f7a11',
    prints: [
      'alert.created  event …, delivery …',
      'to       http://127.0.0.1:3000/hook',
      '…',
      'Nothing is wrong: it was accepted.',
    ],
  },
  strictness: {
    when: 'Before you go to production, to find requests of your clients that it may refuse.',
    example: 'strictness',
    prints: ['Nothing that production may refuse, in the newest 1000 requests.'],
  },
  gaps: {
    when: 'To find out what the sandbox does where the specification leaves a point open.',
    example: 'gaps',
    prints: ['…', 'severities  …', '  Which severity has each alert type?', '…'],
  },
  env: {
    when: 'To give the addresses and secrets of the sandbox to another program.',
    example: 'env',
    prints: ['SANDBOX_API_URL=http://…', 'SANDBOX_MQTT_URL=mqtt://…', '…'],
  },
  fleet: {
    when: 'To run the watches on another machine, or with your own broker.',
    example: 'fleet --broker mqtt://127.0.0.1:1883 --watches 20',
    prints: ['… connected to mqtt://127.0.0.1:1883. Ctrl-C disconnects them.'],
  },
  clock: {
    when: 'To test what happens after an hour without waiting for an hour.',
    example: 'clock advance 10m',
    prints: ['…Z  speed 1'],
  },
  status: {
    when: 'To check whether a sandbox is running, and its state.',
    example: 'status',
    prints: ['API       http://…', 'MQTT      mqtt://…', '…'],
  },
  stop: {
    when: 'To stop a sandbox that runs in the background.',
    example: 'stop',
    prints: ['stopped: http://… (process …, data folder …)'],
  },
  world: {
    when: 'To look up the name or id of a person, a zone or a client.',
    example: 'world people',
    prints: ['  person  watch     name …', '…', '  W-0…', '…'],
  },
  reset: {
    when: 'To start a test from the first state without a restart.',
    example: 'reset',
    prints: ['back to the beginning; the clock shows …Z'],
  },
  snapshot: {
    when: 'To return to the same state several times.',
    example: 'snapshot save before',
    prints: ['saved before: …before.ndjson (… kB)'],
  },
  doctor: {
    when: 'To find out why the sandbox does not start on this machine.',
    example: 'doctor',
    prints: ['ok       Node         …', '…'],
  },
  completion: {
    when: 'To complete commands, flags and names in your shell.',
    example: 'completion bash >> ~/.bashrc',
    prints: [],
  },
  openapi: {
    when: 'To generate a client, or to import the API into a tool.',
    example: 'openapi > openapi.json',
    prints: [],
  },
  asyncapi: {
    when: 'To generate code for a watch or a gateway.',
    example: 'asyncapi > asyncapi.json',
    prints: [],
  },
  version: { when: 'To report a problem with the version that you use.', example: 'version', prints: ['…'] },
};

/** The lines at the end of a command's help. */
export function endOfHelp(name: string): string {
  const use = USES[name];
  if (use === undefined) return '';
  const shown = use.prints.length === 0 ? ['(no output in the terminal: the file contains it)'] : use.prints;
  return ['', `When to use it: ${use.when}`, '', `  $ ${CLI} ${use.example}`, ...shown.map((line) => `  ${line}`)].join(
    '\n',
  );
}

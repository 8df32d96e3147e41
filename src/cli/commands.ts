/** The commands by name. [cli] */
import { Command } from 'commander';

/** Commands are loaded lazily, so that `--version` and usage errors are fast. */
export const COMMANDS: Record<string, (program: Command, ended: (code: number) => void) => Promise<void>> = {
  up: async (program, ended) => (await import('./up/up.ts')).defineUp(program, ended),
  exec: async (program, ended) => (await import('./up/exec.ts')).defineExec(program, ended),
  run: async (program, ended) => (await import('./run/run.ts')).defineRun(program, ended),
  explore: async (program, ended) => (await import('./explore/explore.ts')).defineExplore(program, ended),
  drill: async (program, ended) => (await import('./drill/drill.ts')).defineDrill(program, ended),
  record: async (program, ended) => (await import('./scenarios/record.ts')).defineRecord(program, ended),
  validate: async (program, ended) => (await import('./scenarios/validate.ts')).defineValidate(program, ended),
  list: async (program, ended) => (await import('./scenarios/list.ts')).defineList(program, ended),
  explain: async (program, ended) => (await import('./scenarios/explain.ts')).defineExplain(program, ended),
  schema: async (program, ended) => (await import('./scenarios/schema.ts')).defineSchema(program, ended),
  init: async (program, ended) => (await import('./scenarios/init.ts')).defineInit(program, ended),
  replay: async (program, ended) => (await import('./deliveries/replay.ts')).defineReplay(program, ended),
  trigger: async (program, ended) => (await import('./control/trigger.ts')).defineTrigger(program, ended),
  dashboard: async (program, ended) => (await import('./dashboard/dashboard.ts')).defineDashboard(program, ended),
  listen: async (program, ended) => (await import('./deliveries/listen.ts')).defineListen(program, ended),
  logs: async (program, ended) => (await import('./control/logs.ts')).defineLogs(program, ended),
  certify: async (program, ended) => (await import('./certify/certify.ts')).defineCertify(program, ended),
  compare: async (program, ended) => (await import('./compare/compare.ts')).defineCompare(program, ended),
  proxy: async (program, ended) => (await import('./proxy/proxy.ts')).defineProxy(program, ended),
  'explain-delivery': async (program, ended) =>
    (await import('./deliveries/explain-delivery.ts')).defineExplainDelivery(program, ended),
  strictness: async (program, ended) => (await import('./control/strictness.ts')).defineStrictness(program, ended),
  gaps: async (program, ended) => (await import('./documents/gaps.ts')).defineGaps(program, ended),
  env: async (program, ended) => (await import('./control/env.ts')).defineEnv(program, ended),
  fleet: async (program, ended) => (await import('./fleet/fleet.ts')).defineFleet(program, ended),
  clock: async (program, ended) => (await import('./control/clock.ts')).defineClock(program, ended),
  status: async (program, ended) => (await import('./control/status.ts')).defineStatus(program, ended),
  stop: async (program, ended) => (await import('./control/stop.ts')).defineStop(program, ended),
  world: async (program, ended) => (await import('./control/world.ts')).defineWorld(program, ended),
  reset: async (program, ended) => (await import('./control/reset.ts')).defineReset(program, ended),
  snapshot: async (program, ended) => (await import('./control/snapshot.ts')).defineSnapshot(program, ended),
  doctor: async (program, ended) => (await import('./doctor/doctor.ts')).defineDoctor(program, ended),
  completion: async (program, ended) =>
    (await import('./documents/completion.ts')).defineCompletion(program, ended, everyCommand),
  openapi: async (program, ended) => (await import('./documents/openapi.ts')).defineOpenapi(program, ended),
  asyncapi: async (program, ended) => (await import('./documents/asyncapi.ts')).defineAsyncapi(program, ended),
  mcp: async (program, ended) => (await import('./mcp/mcp.ts')).defineMcp(program, ended),
  version: async (program, ended) => (await import('./documents/version.ts')).defineVersion(program, ended),
};

/** Loads all commands. */
export async function everyCommand(): Promise<readonly Command[]> {
  const program = new Command('sandbox').enablePositionalOptions();
  for (const define of Object.values(COMMANDS)) await define(program, () => {});
  return program.commands;
}

/** Other names of commands: terms of the field that users look for. */
export const ALIASES: Readonly<Record<string, string>> = { fuzz: 'explore' };

/** The commands of the short help, with texts that fit on one line of 80 columns. `help --all` lists all commands. */
export const FIRST_COMMANDS: Readonly<Record<string, string>> = {
  up: 'start the API, an MQTT broker and emulated watches',
  trigger: 'perform an action: an SOS, a fall, an evacuation',
  dashboard: 'show map, people, alerts and webhooks in the terminal',
  listen: 'deliver webhooks to your receiver, or show them',
  exec: 'run a command, such as your tests, with a new sandbox',
  run: 'play scenarios and evaluate their checks',
  init: 'write a first scenario',
  certify: 'test your webhook receiver, or a watch',
  explore: 'search for scenarios that break your system (fuzzing)',
  drill: 'simulate an evacuation many times: percentiles, queues',
  compare: 'compare the real service with the sandbox',
  mcp: 'run a server for coding agents',
  doctor: 'check this machine: ports, disk, clock',
};

/** Headings of the program's help, in their order. A command that is not listed here belongs to the last one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'A sandbox:': ['up', 'exec', 'status', 'stop', 'reset', 'snapshot', 'clock', 'fleet', 'doctor'],
  'Actions and state:': ['trigger', 'world', 'env', 'logs', 'strictness', 'dashboard'],
  'Your receiver or watch:': ['listen', 'certify', 'explain-delivery', 'explore', 'compare', 'proxy'],
  'References:': ['mcp', 'gaps', 'openapi', 'asyncapi', 'completion', 'version'],
  'Scenarios:': [],
};

export const groupOf = (name: string): string =>
  Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(name)) ?? 'Scenarios:';

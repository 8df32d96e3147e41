/** The commands by name. [cli] */
import { Command } from 'commander';

/** Commands are loaded lazily, so that `--version` and usage errors are fast. */
export const COMMANDS: Record<string, (program: Command, ended: (code: number) => void) => Promise<void>> = {
  up: async (program, ended) => (await import('./up.ts')).defineUp(program, ended),
  exec: async (program, ended) => (await import('./exec.ts')).defineExec(program, ended),
  run: async (program, ended) => (await import('./run.ts')).defineRun(program, ended),
  explore: async (program, ended) => (await import('./explore.ts')).defineExplore(program, ended),
  drill: async (program, ended) => (await import('./drill.ts')).defineDrill(program, ended),
  record: async (program, ended) => (await import('./record.ts')).defineRecord(program, ended),
  validate: async (program, ended) => (await import('./validate.ts')).defineValidate(program, ended),
  list: async (program, ended) => (await import('./list.ts')).defineList(program, ended),
  explain: async (program, ended) => (await import('./explain.ts')).defineExplain(program, ended),
  schema: async (program, ended) => (await import('./schema.ts')).defineSchema(program, ended),
  init: async (program, ended) => (await import('./init.ts')).defineInit(program, ended),
  replay: async (program, ended) => (await import('./replay.ts')).defineReplay(program, ended),
  trigger: async (program, ended) => (await import('./trigger.ts')).defineTrigger(program, ended),
  dashboard: async (program, ended) => (await import('./dashboard.ts')).defineDashboard(program, ended),
  listen: async (program, ended) => (await import('./listen.ts')).defineListen(program, ended),
  logs: async (program, ended) => (await import('./logs.ts')).defineLogs(program, ended),
  certify: async (program, ended) => (await import('./certify.ts')).defineCertify(program, ended),
  'explain-delivery': async (program, ended) =>
    (await import('./explain-delivery.ts')).defineExplainDelivery(program, ended),
  strictness: async (program, ended) => (await import('./strictness.ts')).defineStrictness(program, ended),
  gaps: async (program, ended) => (await import('./gaps.ts')).defineGaps(program, ended),
  env: async (program, ended) => (await import('./env.ts')).defineEnv(program, ended),
  fleet: async (program, ended) => (await import('./fleet.ts')).defineFleet(program, ended),
  clock: async (program, ended) => (await import('./clock.ts')).defineClock(program, ended),
  status: async (program, ended) => (await import('./status.ts')).defineStatus(program, ended),
  stop: async (program, ended) => (await import('./stop.ts')).defineStop(program, ended),
  world: async (program, ended) => (await import('./world.ts')).defineWorld(program, ended),
  reset: async (program, ended) => (await import('./reset.ts')).defineReset(program, ended),
  snapshot: async (program, ended) => (await import('./snapshot.ts')).defineSnapshot(program, ended),
  doctor: async (program, ended) => (await import('./doctor.ts')).defineDoctor(program, ended),
  completion: async (program, ended) => (await import('./completion.ts')).defineCompletion(program, ended),
  openapi: async (program, ended) => (await import('./openapi.ts')).defineOpenapi(program, ended),
  asyncapi: async (program, ended) => (await import('./asyncapi.ts')).defineAsyncapi(program, ended),
  version: async (program, ended) => (await import('./version.ts')).defineVersion(program, ended),
};

/** Loads all of them. */
export async function everyCommand(): Promise<readonly Command[]> {
  const program = new Command('sandbox').enablePositionalOptions();
  for (const define of Object.values(COMMANDS)) await define(program, () => {});
  return program.commands;
}

/** Headings of the program's help, in their order; a command that is in none is of the last. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'A sandbox:': ['up', 'exec', 'status', 'stop', 'reset', 'snapshot', 'clock', 'fleet', 'doctor'],
  'What happens in it:': ['trigger', 'world', 'env', 'logs', 'strictness', 'dashboard'],
  'Your receiver or watch:': ['listen', 'certify', 'explain-delivery', 'explore'],
  'References:': ['gaps', 'openapi', 'asyncapi', 'completion', 'version'],
  'Scenarios:': [],
};

export const groupOf = (name: string): string =>
  Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(name)) ?? 'Scenarios:';

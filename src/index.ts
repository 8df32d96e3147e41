/** The package: start a sandbox from code, as the command line does. */
export { Outage } from './base/assert.ts';
export type { Ready, ReadyClient, ReadyLine, ReadyWatch } from './contract/banner.ts';
export type { Notice } from './contract/notices.ts';
export type { SandboxOptions } from './sandbox/options.ts';
export { type Sandbox, startSandbox } from './sandbox/start.ts';

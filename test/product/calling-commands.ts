/** Every command that talks to a running sandbox, with what shows that it got an answer. */
import { expect } from 'vitest';
import type { Ended } from './sandbox-process.ts';

/** A command that calls the sandbox: its words, and what shows that it got an answer. */
export interface CallingRow {
  readonly args: readonly string[];
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
  /** Default: 0. */
  readonly code?: number;
  /** It reads the data folder, and takes no address. */
  readonly isLocal?: true;
  /** Without an answer it says nothing, since a shell waits for it. */
  readonly isSilent?: true;
}

/** `elsewhere`: the test that covers it. `alone`: why it needs no running sandbox. */
export type Row = CallingRow | { readonly elsewhere: string } | { readonly alone: string };

/**
 * Of all commands, so that a new one without a row fails: for a sandbox with a watch of W-001. `out`: where a recording
 * is written; `tls`: the sandbox was started with --tls.
 */
export const callingRows = ({ out, tls }: { out: string; tls: boolean }): Readonly<Record<string, Row>> => ({
  up: { elsewhere: 'tls.test.ts' },
  exec: { elsewhere: 'tls.test.ts' },
  fleet: { elsewhere: 'tls.test.ts' },
  certify: { elsewhere: 'tls.test.ts' },
  record: { args: ['record', '--for', '100ms', '--out', out], stderr: /written to/ },
  replay: { args: ['replay', '--to', 'nowhere.example', '--since', '1m'], code: 2, stderr: /destination/ },
  trigger: { args: ['trigger', 'sos', '--who', 'W-001'], stdout: /W-001.*\/panel\/alerts\/[0-9a-f-]{36}/s },
  dashboard: { args: ['dashboard', '--once'], stdout: /SANDBOX .*People|SANDBOX .*Missing/s },
  listen: { args: ['listen', '--print-secret'], stdout: /^whsec_/ },
  logs: { args: ['logs', 'watches'], stdout: /online/ },
  'explain-delivery': { args: ['explain-delivery', 'nothing'], code: 2, stderr: /There is no delivery/ },
  strictness: { args: ['strictness'], stdout: /Nothing that production may refuse/ },
  env: { args: ['env'], stdout: tls ? /SANDBOX_CA_FILE=.*ca\.pem/ : /SANDBOX_API_URL=http:/, isLocal: true },
  clock: { args: ['clock'], stdout: /speed 1/ },
  status: { args: ['status'], stdout: tls ? /API\s+https:/ : /API\s+http:/ },
  stop: { elsewhere: 'a test of its own' },
  world: { args: ['world', 'people'], stdout: /W-001/ },
  snapshot: { args: ['snapshot', 'save', 'kept'], stdout: /saved kept/ },
  reset: { args: ['reset'], stdout: /back to the beginning/ },
  doctor: tls
    ? { args: ['doctor', '--tls'], stdout: /runs at https:[\s\S]*ca\.pem is valid until/, isLocal: true }
    : { args: ['doctor'], stdout: /runs at http:/, isLocal: true },
  completion: { args: ['completion', 'names', 'people'], stdout: /W-001/, isSilent: true },
  run: { alone: 'it starts a sandbox for each run' },
  explore: { elsewhere: 'explore: a running system is reset to the sandbox that runs' },
  drill: { alone: 'it has no sandbox' },
  mcp: { elsewhere: 'mcp.test.ts' },
  compare: { alone: 'it starts a sandbox to compare with, and calls the service that is named' },
  proxy: { alone: 'it calls the service that is named' },
  validate: { alone: 'it reads files' },
  list: { alone: 'it reads files' },
  explain: { alone: 'it reads the catalogue' },
  schema: { alone: 'it prints a document' },
  init: { alone: 'it writes files' },
  gaps: { alone: 'it reads the catalogue' },
  version: { alone: 'it prints the version' },
  openapi: { args: ['openapi'], stdout: tls ? /"url": "https:/ : /"url": "http:/, isLocal: true },
  asyncapi: { args: ['asyncapi'], stdout: tls ? /"protocol": "mqtts"/ : /"protocol": "mqtt"/, isLocal: true },
});

export function answered({ stdout = /^/, stderr = /^/, code = 0 }: CallingRow, ended: Omit<Ended, 'signal'>): void {
  expect(ended).toMatchObject({
    code,
    stdout: expect.stringMatching(stdout),
    stderr: expect.stringMatching(stderr),
  });
}

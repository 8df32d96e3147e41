/** The options of a sandbox as a type. Generated from src/sandbox/options/table.ts: node --import tsx test/generated/write.ts */
import type { Notice } from './contract-types.ts';
import type { Credentials } from './types.ts';

/** What a sandbox can be started with; absent entries are as in `sandbox up`. */
export interface SandboxOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string | undefined;
  /** Port of the API; 0 picks a free one. From 0 to 65535. Default: a free one. */
  port?: number | undefined;
  /** Port of the broker; 0 picks a free one. From 0 to 65535. Default: a free one. */
  mqttPort?: number | undefined;
  /** Speak https and mqtts only. Clients trust the certificate authority `ready.ca_file`, which the data folder keeps. */
  tls?: boolean | undefined;
  /** Keep the world in this folder. Default: none, nothing is kept. */
  dataDir?: string | undefined;
  /** Continue with what is left of a damaged data folder; `warnings` list what was lost. */
  acceptLoss?: boolean | undefined;
  /** Keep nothing on disk; any number of such sandboxes run beside each other in one folder. False without `dataDir`: keep the world in .sandbox. Default: true without `dataDir` and `database`. */
  memory?: boolean | undefined;
  /** The path of a site file: your own plant, which replaces the first site. */
  site?: string | undefined;
  /** Watches in all, split by site. From 1 to 100000. Default: 110. */
  watches?: number | undefined;
  /** Emulate watches. Default: true. */
  fleet?: boolean | undefined;
  /** The number from which world, ids and secrets follow. Default: the world of seed 1 with random secrets. */
  seed?: string | number | undefined;
  /** Simulated seconds per second. Above 0, at most 10000. Default: 1. */
  speed?: number | undefined;
  /** The simulated time at the start: ISO 8601, or ms since the Unix epoch. */
  start?: string | number | Date | undefined;
  /** Base address in links and problem types. */
  publicUrl?: string | undefined;
  /** Secrets of your own, or the path of a JSON file with them. */
  credentials?: Credentials | string | undefined;
  /** Host name -> local address: requests to `https://HOST/...` are sent to that address. */
  forwards?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** Targets of `forwards` may have self-signed certificates; nothing else. */
  skipVerify?: boolean | undefined;
  /** Keep the world in Postgres: `postgres://user:password@host:port/name`. */
  database?: string | undefined;
  /** Use this broker in place of the sandbox’s own: `mqtt://` or `mqtts://user:password@host:port`. */
  broker?: string | undefined;
  /** Send the e-mails about lost deliveries: `smtp://host:port`. Default: they are written as files. */
  smtp?: string | undefined;
  /** An origin, such as `http://localhost:5173`, whose pages may call the API from a browser. */
  cors?: string | undefined;
  /** Readings of open points that `sandbox compare --save` stored, by the path of the file; `assume` wins. */
  profile?: string | undefined;
  /** Other readings of open points of the specification, as `sandbox gaps` lists them: `{retry: 'delay'}`. */
  assume?: Readonly<Record<string, string>> | undefined;
  /** Refuse input that this sandbox accepts and production may refuse. */
  strict?: boolean | undefined;
  /** Background activity. Without it, nothing happens by itself. */
  ambient?: 'calm' | 'busy' | undefined;
  /** Write the real position of every worker to this file, as NDJSON. */
  truth?: string | undefined;
  /** A function that gets each notice, right after its commit. */
  onNotice?: ((notice: Notice) => void) | undefined;
}

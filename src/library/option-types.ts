/** The options of a sandbox as a type. Generated from src/sandbox/options/table.ts: node --import tsx test/generated/write.ts */
import type { Notice } from './contract-types.ts';
import type { Credentials } from './credentials.ts';

/** What a sandbox can be started with; absent entries are as in `sandbox up`. */
export interface SandboxOptions {
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string | undefined;
  /** Port of the API; 0 selects a free port. From 0 to 65535. Default: a free port. */
  port?: number | undefined;
  /** Port of the MQTT broker; 0 selects a free port. From 0 to 65535. Default: a free port. */
  mqttPort?: number | undefined;
  /** Use only https and mqtts. Clients must trust the certificate authority in the file `ready.ca_file`, which is in the data folder. */
  tls?: boolean | undefined;
  /** The folder that stores the state. Default: none, nothing is stored. */
  dataDir?: string | undefined;
  /** Start even if the data folder is damaged; `warnings` list what was lost. */
  acceptLoss?: boolean | undefined;
  /** Store nothing on disk. Any number of such sandboxes can run at the same time in one folder. If it is false and `dataDir` is not given, the folder .sandbox stores the state. Default: true without `dataDir` and `database`. */
  memory?: boolean | undefined;
  /** The path of a site file: your own plant, which replaces the first site. */
  site?: string | undefined;
  /** Total number of watches, distributed over the sites. From 1 to 100000. Default: 110. */
  watches?: number | undefined;
  /** Emulate watches. Default: true. */
  fleet?: boolean | undefined;
  /** The number that determines the world, ids and secrets. Default: the world of seed 1 with random secrets. */
  seed?: string | number | undefined;
  /** Simulated seconds per real second. Above 0, at most 10000. Default: 1. */
  speed?: number | undefined;
  /** The simulated time at the start: ISO 8601, or ms since the Unix epoch. */
  start?: string | number | Date | undefined;
  /** Base address that links and problem types use. It may have a path, which a proxy removes. */
  publicUrl?: string | undefined;
  /** Secrets of your own, or the path of a JSON file with them. */
  credentials?: Credentials | string | undefined;
  /** Host name -> local address: requests to `https://HOST/...` are sent to that address. */
  forwards?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** Accept self-signed certificates of the targets of `forwards`, and of no other address. */
  skipVerify?: boolean | undefined;
  /** Store the state in Postgres: `postgres://user:password@host:port/name`. */
  database?: string | undefined;
  /** Use this MQTT broker instead of starting one: `mqtt://` or `mqtts://user:password@host:port`. */
  broker?: string | undefined;
  /** Mail server for the e-mails about lost deliveries: `smtp://host:port`. Default: write them as files. */
  smtp?: string | undefined;
  /** Allow web pages of this origin, such as `http://localhost:5173`, to call the API. */
  cors?: string | undefined;
  /** The path of a file with readings of open points, from `sandbox compare --save`; `assume` overrides it. */
  profile?: string | undefined;
  /** Other readings of open points of the specification: `{retry: 'delay'}`. `sandbox gaps` lists them. */
  assume?: Readonly<Record<string, string>> | undefined;
  /** Refuse non-standard input, which the sandbox otherwise accepts and production may refuse. */
  strict?: boolean | undefined;
  /** Generate background activity, such as calls, falls and radio outages. Default: none. */
  ambient?: 'calm' | 'busy' | undefined;
  /** Write the real position of each worker to this NDJSON file. */
  truth?: string | undefined;
  /** A function that receives each notice after its commit. */
  onNotice?: ((notice: Notice) => void) | undefined;
}

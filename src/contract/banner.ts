/** Machine-readable output of the command line: the envelope and the ready line. */
import { type Static, type TSchema, Type } from 'typebox';
import { Scope } from './enumerations.ts';
import { closed, inline, nullable, Uuid, whole } from './shapes.ts';

/** The version of the envelope format [cli]. */
export const ENVELOPE_SCHEMA_VERSION = 1;

/** The most watches in the ready line; `env --format json` contains all [cli, ready]. */
export const MAX_READY_WATCHES = 200;

/** Why a command failed, and what to do next [cli, envelope]. */
export const CliError = closed('CliError', 'The reason why the command failed [cli].', {
  code: Type.String(),
  message: Type.String(),
  retryable: Type.Boolean(),
  details: Type.Unknown(),
  actions: Type.Array(Type.String()),
});
export type CliError = Static<typeof CliError>;

/** The envelope of the output of `--json` [cli]. */
export function Envelope<T extends TSchema>(title: string, data: T) {
  return closed(title, 'The output of a command with --json [cli].', {
    schema_version: Type.Literal(ENVELOPE_SCHEMA_VERSION),
    command: Type.String(),
    status: Type.Enum(['ok', 'error'], { type: 'string' }),
    data,
    warnings: Type.Array(Type.String()),
    error: nullable(CliError),
  });
}
export type Envelope<T = unknown> = {
  schema_version: typeof ENVELOPE_SCHEMA_VERSION;
  command: string;
  status: 'ok' | 'error';
  data: T;
  warnings: string[];
  error: CliError | null;
};

/** A client of the sandbox and its contract [cli, ready]. */
export const ReadyClient = inline({
  organization: Type.String(),
  client_id: Type.String(),
  client_secret: Type.String(),
  scopes: Type.Array(Scope),
  include_worker_names: Type.Boolean(),
  contractors: nullable(Type.Array(Type.String())),
});
export type ReadyClient = Static<typeof ReadyClient>;

/** A watch of the sandbox. If `emulated` is false, it is free for the user's own client [cli, ready]. */
export const ReadyWatch = inline({
  serial: Type.String(),
  key: Type.String(),
  site_id: Uuid,
  worker: nullable(Type.String({ description: 'The external_id of the worker who wears it.' })),
  emulated: Type.Boolean(),
});
export type ReadyWatch = Static<typeof ReadyWatch>;

/** Addresses and credentials of a running sandbox [cli, ready]. */
export const Ready = closed('Ready', 'The addresses and credentials of a running sandbox [cli].', {
  event: Type.Literal('ready'),
  api_url: Type.String({ format: 'uri' }),
  mqtt_url: Type.String({ format: 'uri' }),
  panel_url: Type.String({ format: 'uri' }),
  data_dir: Type.String(),
  ca_file: Type.Optional(
    Type.String({ description: 'With --tls: the PEM file of the certificate authority that clients must trust.' }),
  ),
  pid: whole(1),
  control_token: Type.String(),
  clients: Type.Array(ReadyClient),
  watches: Type.Array(ReadyWatch, { maxItems: MAX_READY_WATCHES }),
});
export type Ready = Static<typeof Ready>;

/**
 * The environment variables by which clients find the certificate authority: this program's commands, Node.js, programs
 * that use the defaults of OpenSSL or Go, curl, and the Python package requests. The variables of the last two have
 * priority over SSL_CERT_FILE. Without TLS there are none [cli, up --tls].
 */
export const trustVariables = (caFile: string | undefined): Record<string, string> =>
  caFile === undefined ? {} : Object.fromEntries(TRUST_VARIABLES.map((name) => [name, caFile]));

const TRUST_VARIABLES = [
  ...(['SANDBOX_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'] as const),
];

/** The first line of `sandbox up --json`; also the content of `sandbox.json` and `--ready-file` [cli, ready]. */
export const ReadyLine = Envelope('ReadyLine', Ready);
export type ReadyLine = Envelope<Ready>;

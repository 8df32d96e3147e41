/**
 * `sandbox openapi`: prints an OpenAPI document, or a collection made from it. No sandbox needs to be running. [cli]
 */
import { type Command, Option } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { RateLimiter } from '../../service/api/access/limits.ts';
import { brunoCollection } from '../../service/api/collections/bruno.ts';
import { postmanCollection } from '../../service/api/collections/postman.ts';
import { type OpenApi, openApi } from '../../service/api/documents/openapi.ts';
import { openApi30 } from '../../service/api/openapi/openapi30.ts';
import { allRoutes } from '../../service/api/routes/all.ts';
import { EXIT, envelope, out, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { DEFAULTS, documentAddress } from './document-address.ts';

const HELP = `
Without --sandbox, the document describes the API, which production also offers. With --sandbox, it describes the
operations under /v1/sandbox/, which production does not have. Use --format openapi-3.0 for generators that cannot
read OpenAPI 3.1. Without --url, the address in the document is that of the running sandbox of the data folder.

Examples:
  ${CLI} openapi > openapi.json
  ${CLI} openapi --url https://sandbox.example | npx openapi-typescript > api.d.ts
  ${CLI} openapi --format openapi-3.0 > openapi-3.0.json
  ${CLI} openapi --sandbox > sandbox.json
  ${CLI} openapi --format postman > postman.json        a collection to import; also --format bruno

A running sandbox serves the documents at /openapi.json, /openapi-3.0.json and /v1/sandbox/openapi.json, and a
page at /docs.`;

interface OpenapiFlags {
  readonly url?: string;
  readonly dataDir: string;
  readonly sandbox?: boolean;
  readonly format: keyof typeof FORMATS;
  readonly json?: boolean;
}

const FORMATS = {
  openapi: (document: OpenApi): object => document,
  'openapi-3.0': openApi30,
  postman: postmanCollection,
  bruno: brunoCollection,
} as const;

export function defineOpenapi(program: Command, ended: (code: number) => void): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .option('--url <url>', `base address in the document (default: that of the running sandbox, or ${DEFAULTS.api})`)
    .option('--sandbox', 'print the document of the operations under /v1/sandbox/ instead')
    .addOption(
      new Option('--format <format>', 'format of the document: OpenAPI 3.1, OpenAPI 3.0, or a collection')
        .choices(Object.keys(FORMATS))
        .default('openapi'),
    )
    .addOption(sandboxFlag('dataDir', 'openapi'))
    .option('--json', 'print the document in a JSON object with its status')
    .addHelpText('after', HELP)
    .action(({ sandbox, format, json, ...place }: OpenapiFlags) => {
      const url = documentAddress('api', place);
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw usage(`${url} is not an address. Write it as --url https://sandbox.example.`);
      const part = sandbox === true ? 'sandbox' : 'contract';
      const document = FORMATS[format](openApi(allRoutes(new RateLimiter()), url.replace(/\/+$/, ''), part));
      out(json === true ? JSON.stringify(envelope('openapi', document)) : JSON.stringify(document, null, 2));
      ended(EXIT.done);
    });
}

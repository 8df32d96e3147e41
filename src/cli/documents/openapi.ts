/** `sandbox openapi`: an OpenAPI document on stdout, or a collection made from it; no sandbox needs to run. [cli] */
import { type Command, Option } from 'commander';
import { RateLimiter } from '../../api/access/limits.ts';
import { brunoCollection } from '../../api/collections/bruno.ts';
import { postmanCollection } from '../../api/collections/postman.ts';
import { type OpenApi, openApi } from '../../api/documents/openapi.ts';
import { openApi30 } from '../../api/openapi/openapi30.ts';
import { allRoutes } from '../../api/routes/all.ts';
import { CLI } from '../../base/text/command-form.ts';
import { EXIT, envelope, out, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { DEFAULTS, documentAddress } from './document-address.ts';

const HELP = `
Without --sandbox: the API, which production offers too. With it: the operations that only a sandbox has, under /v1/sandbox/.
--format openapi is OpenAPI 3.1; openapi-3.0 is the same document for generators that do not read 3.1. The document names the
address of the sandbox that is running in the data folder, if there is one, unless --url names another.

Examples:
  ${CLI} openapi > openapi.json
  ${CLI} openapi --url https://sandbox.example | npx openapi-typescript > api.d.ts
  ${CLI} openapi --sandbox > sandbox.json
  ${CLI} openapi --format postman > postman.json        a collection to import; also --format bruno
  ${CLI} openapi > openapi.json
  ${CLI} openapi --url https://sandbox.example | npx openapi-typescript > api.d.ts
  ${CLI} openapi --format openapi-3.0 > openapi-3.0.json
  ${CLI} openapi --sandbox > sandbox.json
  ${CLI} openapi --format postman > postman.json        a collection to import; also --format bruno

A running sandbox serves them at /openapi.json, /openapi-3.0.json and /v1/sandbox/openapi.json, and as a page at /docs.`;

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
    .option(
      '--url <url>',
      `the base address that the document names (default: of the running sandbox, else ${DEFAULTS.api})`,
    )
    .option('--sandbox', 'the document of the operations that only a sandbox has')
    .addOption(
      new Option('--format <format>', 'OpenAPI 3.1, OpenAPI 3.0, or a collection made from it')
        .choices(Object.keys(FORMATS))
        .default('openapi'),
    )
    .addOption(sandboxFlag('dataDir', 'openapi'))
    .option('--json', 'the document in the envelope')
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

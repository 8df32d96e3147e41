/** `sandbox openapi`: an OpenAPI 3.1 document on stdout, or a collection made from it; no sandbox needs to run. [cli] */
import { type Command, Option } from 'commander';
import { brunoCollection } from '../api/collections/bruno.ts';
import { postmanCollection } from '../api/collections/postman.ts';
import { RateLimiter } from '../api/limits.ts';
import { type OpenApi, openApi } from '../api/openapi.ts';
import { allRoutes } from '../api/routes/all.ts';
import { CLI } from '../base/command-form.ts';
import { EXIT, envelope, out, usage } from './output.ts';

const HELP = `
Without --sandbox: the contract, which production offers too. With it: what only a sandbox has, under /v1/sandbox/.

Examples:
  ${CLI} openapi > openapi.json
  ${CLI} openapi --url https://sandbox.example | npx openapi-typescript > api.d.ts
  ${CLI} openapi --sandbox > sandbox.json
  ${CLI} openapi --format postman > postman.json        a collection to import; also --format bruno

A running sandbox serves them at /openapi.json and /v1/sandbox/openapi.json, and both as a page at /docs.`;

interface OpenapiFlags {
  readonly url: string;
  readonly sandbox?: boolean;
  readonly format: keyof typeof FORMATS;
  readonly json?: boolean;
}

const FORMATS = {
  openapi: (document: OpenApi): object => document,
  postman: postmanCollection,
  bruno: brunoCollection,
} as const;

export function defineOpenapi(program: Command, ended: (code: number) => void): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .option('--url <url>', 'the base address that the document names', 'http://127.0.0.1:4600')
    .option('--sandbox', 'the document of what only a sandbox has')
    .addOption(
      new Option('--format <format>', 'the document, or a collection made from it')
        .choices(Object.keys(FORMATS))
        .default('openapi'),
    )
    .option('--json', 'the document in the envelope')
    .addHelpText('after', HELP)
    .action(({ url, sandbox, format, json }: OpenapiFlags) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw usage(`--url ${url} is not an address. Write it as https://sandbox.example.`);
      const part = sandbox === true ? 'sandbox' : 'contract';
      const document = FORMATS[format](openApi(allRoutes(new RateLimiter()), url.replace(/\/+$/, ''), part));
      out(json === true ? JSON.stringify(envelope('openapi', document)) : JSON.stringify(document, null, 2));
      ended(EXIT.done);
    });
}

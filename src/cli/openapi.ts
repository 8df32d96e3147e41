/** `sandbox openapi`: the OpenAPI 3.1 document on stdout; no sandbox needs to run. [cli] */
import type { Command } from 'commander';
import { RateLimiter } from '../api/limits.ts';
import { openApi } from '../api/openapi.ts';
import { allRoutes } from '../api/routes/all.ts';
import { EXIT, envelope, out, usage } from './output.ts';

const HELP = `
Examples:
  sandbox openapi > openapi.json
  sandbox openapi --url https://sandbox.example | npx openapi-typescript > api.d.ts

A running sandbox serves it at /openapi.json, and as a page at /docs.`;

export function defineOpenapi(program: Command, ended: (code: number) => void): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .option('--url <url>', 'the base address that the document names', 'http://127.0.0.1:4600')
    .option('--json', 'the document in the envelope')
    .addHelpText('after', HELP)
    .action(({ url, json }: { url: string; json?: boolean }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw usage(`--url ${url} is not an address. Write it as https://sandbox.example.`);
      const document = openApi(allRoutes(new RateLimiter()), url.replace(/\/+$/, ''));
      out(json === true ? JSON.stringify(envelope('openapi', document)) : JSON.stringify(document, null, 2));
      ended(EXIT.done);
    });
}

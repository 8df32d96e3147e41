/** `sandbox asyncapi`: prints the AsyncAPI 3 document of the watch protocol. No sandbox needs to be running. [cli] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { asyncApi } from '../../service/api/documents/asyncapi.ts';
import { EXIT, envelope, out, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { DEFAULTS, documentAddress } from './document-address.ts';

const HELP = `
The document describes the messages that a watch sends and receives over MQTT. Without --url, the broker in the
document is that of the running sandbox of the data folder.

Examples:
  ${CLI} asyncapi > asyncapi.json
  ${CLI} asyncapi --url mqtt://broker.example:1883 > asyncapi.json

A running sandbox serves the document at /asyncapi.json.`;

export function defineAsyncapi(program: Command, ended: (code: number) => void): void {
  program
    .command('asyncapi')
    .description('print the AsyncAPI document of the watch protocol')
    .option(
      '--url <url>',
      `address of the broker in the document (default: that of the running sandbox, or ${DEFAULTS.broker})`,
    )
    .addOption(sandboxFlag('dataDir', 'asyncapi'))
    .option('--json', 'print the document in a JSON object with its status')
    .addHelpText('after', HELP)
    .action(({ json, ...place }: { url?: string; dataDir: string; json?: boolean }) => {
      const url = documentAddress('broker', place);
      if (!URL.canParse(url) || !/^mqtts?:$/.test(new URL(url).protocol) || new URL(url).host === '')
        throw usage(`${url} is not the address of a broker. Write it as --url mqtt://127.0.0.1:1883.`);
      const document = asyncApi(url);
      out(json === true ? JSON.stringify(envelope('asyncapi', document)) : JSON.stringify(document, null, 2));
      ended(EXIT.done);
    });
}

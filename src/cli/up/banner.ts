/** The startup banner: aligned lines, and a suggestion of what to try next. [cli, up] */

import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { DEFAULT_WORDS, exampleWorkerOf } from '../../contract/actions.ts';
import { DEFAULT_DATA_DIR } from '../../sandbox/options/values.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { receiverAddress } from '../deliveries/receiver-address.ts';
import { colourOf } from '../output.ts';
import { dataDirWords, type UpFlags } from '../sandbox-flags.ts';

export function banner(
  { ready, warnings, fleet, memory, database, watches }: Sandbox,
  stream: { isTTY?: boolean },
  {
    forward: forwards = [],
    skipVerify,
    dataDir = DEFAULT_DATA_DIR,
  }: Pick<UpFlags, 'forward' | 'skipVerify' | 'dataDir'>,
): string {
  const paint = colourOf(stream);
  const line = (label: string, text: string) => `  ${paint('dim', label.padEnd(9))} ${text}`;
  const emulated = fleet?.views().length ?? 0;
  const spare = ready.watches.find((watch) => !watch.emulated);
  // An action of the terminal moves emulated watches only.
  const example = exampleWorkerOf(watches(), ({ emulated: isEmulated, worker }) => (isEmulated ? worker : null));
  const trusted = ready.ca_file === undefined ? '' : ' --cacert $SANDBOX_CA_FILE';
  // What is pasted finds this sandbox.
  const place = dataDirWords(dataDir);
  const call = `eval "$(${CLI} env --format sh${place})"; curl -s${trusted} $SANDBOX_API_URL/v1/oauth/token -d grant_type=client_credentials -d client_id=$SANDBOX_CLIENT_ID -d client_secret=$SANDBOX_CLIENT_SECRET`;
  const lines = [
    '',
    `  ${paint('bold', 'muster-sandbox')} is ready${paint('dim', '  (a simulation: no real watch, no real person)')}`,
    '',
    line('panel', paint('teal', `${ready.panel_url}?token=${ready.control_token}`)),
    line('API', paint('teal', ready.api_url)),
    line('guide', paint('teal', `${ready.api_url}/guide/`)),
    line('docs', `${paint('teal', `${ready.api_url}/docs`)}   the API reference`),
    line('MQTT', `${paint('teal', ready.mqtt_url)}   ${emulated} emulated watches connected`),
    line('data', memory ? `in ${ready.data_dir}, not kept (--memory)` : ready.data_dir),
    ...(ready.ca_file === undefined ? [] : [line('CA', `${ready.ca_file}   NODE_EXTRA_CA_CERTS=${ready.ca_file}`)]),
    ...(database === null ? [] : [line('world', database)]),
    '',
    ...(emulated > 0
      ? [
          line('try', `${CLI} trigger fall --who ${shellWord(example?.worker ?? DEFAULT_WORDS.worker)}${place}`),
          line(
            '',
            `${CLI} listen${place}   ${paint('dim', 'webhooks without a receiver; the panel has an inbox too')}`,
          ),
        ]
      : []),
    line(emulated > 0 ? '' : 'try', call),
    line('stop', 'Ctrl-C'),
    '',
  ];
  for (const client of ready.clients) {
    const contractors = client.contractors === null ? '' : `, contractor ${client.contractors.join(', ')} only`;
    const names = client.include_worker_names ? 'with names' : 'without names';
    lines.push(line('client', `${paint('bold', client.organization)}  (${names}${contractors})`));
    lines.push(line('', `id      ${client.client_id}`));
    lines.push(line('', `secret  ${client.client_secret}`));
  }
  if (spare !== undefined) {
    lines.push(line('watch', `${spare.serial} is for your own MQTT client  (worker ${spare.worker})`));
    lines.push(line('', `key     ${spare.key}`));
  }
  if (forwards.length > 0) lines.push('');
  for (const forward of forwards) {
    const [host, url] = splitForward(forward);
    lines.push(
      line('forward', `https://${host}/…  →  ${url}   ${paint('amber', 'not the public rule: on this machine only')}`),
    );
  }
  if (forwards.length > 0 && skipVerify === true)
    lines.push(line('', paint('amber', 'certificates of these addresses are not verified (--skip-verify)')));
  for (const warning of warnings) lines.push('', `  ${paint('amber', 'note')}      ${warning}`);
  lines.push('');
  return lines.join('\n');
}

const splitForward = (forward: string): [string, string] => {
  const equals = forward.indexOf('=');
  return [forward.slice(0, equals), receiverAddress('--forward', forward.slice(equals + 1))];
};

/** How `sandbox fleet` reaches its broker: the address, what TLS needs, and the version of MQTT. [cli, fleet] */

import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { type Command, Option } from 'commander';
import { given } from '../../base/given.ts';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';
import { BROKER_PROTOCOLS, type BrokerTls, type MqttVersion, secureContextOf } from '../../fleet/fleet.ts';
import type { LoneFleetOptions } from '../../sandbox/fleet/lone-fleet.ts';
import { usage } from '../output.ts';

export interface BrokerFlags {
  readonly broker?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  readonly mqttVersion?: '4' | '5';
}

const SECURE = /^(mqtts|wss):/;

/** Adds the options to the command. */
export function defineBroker(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--broker <url>',
        'address of the broker: mqtt://, mqtts://, ws:// or wss://host:port (default: that of the sandbox)',
      ).env('SANDBOX_MQTT_URL'),
    )
    .addOption(new Option('--ca <file>', 'PEM file with the CA certificates to trust (default: those of Node.js)'))
    .addOption(new Option('--cert <file>', 'PEM client certificate, if the broker requires one; needs --key'))
    .addOption(new Option('--key <file>', 'PEM private key of the certificate of --cert'))
    .addOption(
      new Option('--insecure', 'accept any certificate of the broker, without checking its issuer and its host'),
    )
    .addOption(
      new Option('--mqtt-version <n>', 'protocol level of MQTT: 4 is MQTT 3.1.1, 5 is MQTT 5')
        .choices(['4', '5'])
        .default('4'),
    );
}

/** Returns the broker of the flags, or else that of the sandbox. */
export function brokerOf(
  flags: BrokerFlags,
  ofSandbox: { readonly brokerUrl: string | null; readonly ca: string | null },
): Pick<LoneFleetOptions, 'brokerUrl' | 'brokerTls' | 'mqttVersion'> {
  const url = flags.broker ?? ofSandbox.brokerUrl;
  if (url === null)
    throw usage('The address of the broker is missing.', 'Write it with --broker mqtt://10.0.0.5:1883.');
  const brokerUrl = judged(url);
  const tls = tlsOf(flags);
  if (tls !== undefined && !SECURE.test(brokerUrl))
    throw usage(
      `--ca, --cert, --key and --insecure are for mqtts:// and wss://, and the broker is ${brokerUrl}.`,
      'Remove them, or write the address of its TLS listener.',
    );
  const trusted = SECURE.test(brokerUrl) && ofSandbox.ca !== null ? { ca: besidesRoots(ofSandbox.ca) } : undefined;
  const brokerTls = flags.ca === undefined && trusted !== undefined ? { ...trusted, ...tls } : tls;
  const mqttVersion = Number(flags.mqttVersion ?? '4') as MqttVersion;
  return { brokerUrl, mqttVersion, ...given({ brokerTls }) };
}

/**
 * Validates the URL: it must have a host, and may have a path only for WebSockets. It has no user name, because each
 * watch has its own.
 */
function judged(url: string): string {
  const { protocol, hostname, username, password, pathname } = URL.canParse(url) ? new URL(url) : new URL('none:');
  const path = protocol.startsWith('ws') || /^\/?$/.test(pathname);
  if (BROKER_PROTOCOLS.includes(protocol) && hostname !== '' && path && `${username}${password}` === '') return url;
  throw usage(
    `--broker ${url} is not the address of a broker.`,
    'Write it as mqtt://10.0.0.5:1883, mqtts://broker.example:8883, ws://10.0.0.5:9001/mqtt or wss://broker.example/mqtt; a name and password are not needed, since each watch has its own.',
  );
}

/**
 * Trusts the sandbox's authority in addition to the root certificates of Node.js, because an external broker (up
 * --broker) may have any certificate that Node.js trusts.
 */
const besidesRoots = (ca: string): Buffer => Buffer.from([...rootCertificates, ca].join('\n'));

/** Returns undefined if none of the flags is given. */
function tlsOf({ ca, cert, key, insecure }: BrokerFlags): BrokerTls | undefined {
  if ((cert === undefined) !== (key === undefined))
    throw usage(
      '--cert and --key must be used together.',
      'Name the file of the certificate and the file of its private key.',
    );
  const files = { ca: pem('--ca', ca), cert: pem('--cert', cert), key: pem('--key', key) };
  const tls: BrokerTls = given({ ...files, insecure });
  if (Object.keys(tls).length === 0) return undefined;
  try {
    // A TLS context accepts a CA file without certificates, and then trusts no certificate.
    if (tls.ca !== undefined) new X509Certificate(tls.ca);
    secureContextOf(tls);
  } catch (error) {
    const flags = Object.entries({ '--ca': ca, '--cert': cert, '--key': key }).filter(([, file]) => file !== undefined);
    throw usage(
      `${flags.map(([flag, file]) => `${flag} ${file}`).join(', ')} cannot be used: ${(error as Error).message}.`,
      'They must be PEM files, and --key the key of --cert without a passphrase.',
    );
  }
  return tls;
}

function pem(flag: string, file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  const text = readUserText(file, { mostBytes: FILE_LIMITS.document });
  if (typeof text !== 'string') throw usage(`${flag} ${file} ${text.why}.`, 'Give the path of a PEM file.');
  if (!text.includes('-----BEGIN ')) throw usage(`${flag} ${file} is not a PEM file.`, 'It begins with -----BEGIN.');
  return Buffer.from(text);
}

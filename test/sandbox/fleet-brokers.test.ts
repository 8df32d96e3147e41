/** Emulated watches at a broker that is not ours: a real Mosquitto, plain, over TLS and over WebSockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Outage } from '../../src/base/assert.ts';
import type { BrokerTls, FleetNotice } from '../../src/fleet/fleet.ts';
import { type LoneFleet, type LoneFleetOptions, startLoneFleet } from '../../src/sandbox/fleet/lone-fleet.ts';
import { withoutExternal } from '../helpers/any-broker.ts';
import { certificates, Mosquitto } from '../helpers/mosquitto.ts';
import { unless } from '../helpers/unless.ts';

const OPEN = 'allow_anonymous true';
let files: ReturnType<typeof certificates>;
let mosquitto: Mosquitto;
let urls: Record<'plain' | 'tls' | 'ws' | 'wss' | 'elsewhere' | 'closed' | 'mutual', string>;
const fleets: LoneFleet[] = [];

beforeAll(async () => {
  if (withoutExternal.some((reason) => reason !== null)) return;
  files = certificates({ here: 'DNS:localhost,IP:127.0.0.1', elsewhere: 'DNS:broker.elsewhere', fleet: 'DNS:fleet' });
  writeFileSync(files.path('nobody'), '');
  const secure = (name: string) => [
    `cafile ${files.path('ca.pem')}`,
    `certfile ${files.path(`${name}.pem`)}`,
    `keyfile ${files.path(`${name}.key`)}`,
  ];
  mosquitto = await Mosquitto.start(files.path('mosquitto.conf'), [
    [OPEN],
    [OPEN, ...secure('here')],
    [OPEN, 'protocol websockets'],
    [OPEN, 'protocol websockets', ...secure('here')],
    [OPEN, ...secure('elsewhere')],
    ['allow_anonymous false', `password_file ${files.path('nobody')}`],
    [OPEN, ...secure('here'), 'require_certificate true'],
  ]);
  const at = (protocol: string, n: number) => `${protocol}://127.0.0.1:${mosquitto.ports[n]}`;
  urls = {
    plain: at('mqtt', 0),
    tls: at('mqtts', 1),
    ws: `${at('ws', 2)}/mqtt`,
    wss: at('wss', 3),
    elsewhere: at('mqtts', 4),
    closed: at('mqtt', 5),
    mutual: at('mqtts', 6),
  };
});
afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.stop();
});
afterAll(async () => {
  await mosquitto?.stop();
  files?.remove();
});

const pem = (file: string): Buffer => readFileSync(files.path(file));

/** The few watches that a small world has. */
async function connect(brokerUrl: string, more: Partial<LoneFleetOptions> = {}): Promise<LoneFleet> {
  const fleet = await startLoneFleet({ brokerUrl, listed: null, seed: '1', watches: 12, ...more });
  fleets.push(fleet);
  return fleet;
}

/** The message for a person. */
async function refusal(brokerUrl: string, more: Partial<LoneFleetOptions> = {}) {
  const error = await connect(brokerUrl, more).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Outage)) throw new Error(`no outage: ${String(error)}`);
  return { code: error.code, exitCode: error.exitCode, message: error.message, fix: error.fix };
}

unless(...withoutExternal).describe('a Mosquitto takes the watches in', () => {
  const ways: [string, () => [string, BrokerTls?]][] = [
    ['over TCP', () => [urls.plain]],
    ['over TLS, by the CA that signed its certificate', () => [urls.tls, { ca: pem('ca.pem') }]],
    ['over TLS by its host name', () => [urls.tls.replace('127.0.0.1', 'localhost'), { ca: pem('ca.pem') }]],
    ['over TLS, when nobody wants to know who it is', () => [urls.elsewhere, { insecure: true }]],
    [
      'over TLS, when both show a certificate',
      () => [urls.mutual, { ca: pem('ca.pem'), cert: pem('fleet.pem'), key: pem('fleet.key') }],
    ],
    ['over a WebSocket', () => [urls.ws]],
    ['over a WebSocket with TLS', () => [urls.wss, { ca: pem('ca.pem') }]],
  ];
  it.each(ways)('%s', async (_way, how) => {
    const [url, brokerTls] = how();
    for (const mqttVersion of [4, 5] as const) {
      const { fleet, watches } = await connect(url, {
        mqttVersion,
        ...(brokerTls === undefined ? {} : { brokerTls }),
      });
      expect(fleet.views().filter(({ connected }) => connected)).toHaveLength(watches);
      for (const one of fleets.splice(0)) await one.stop();
    }
  });
});

unless(...withoutExternal).describe('a broker that cannot be had is reported with what to do', () => {
  const troubles: [string, () => [string, BrokerTls?], object][] = [
    ['a CA that nobody here trusts', () => [urls.tls], { message: /certificate/, fix: /--ca FILE/ }],
    ['another CA', () => [urls.tls, { ca: pem('other-ca.pem') }], { message: /certificate/, fix: /--ca FILE/ }],
    ['another CA over a WebSocket', () => [urls.wss, {}], { message: /certificate/, fix: /--ca FILE/ }],
    [
      'a certificate of another host',
      () => [urls.elsewhere, { ca: pem('ca.pem') }],
      { message: /IP: 127\.0\.0\.1 is not in the cert's list/, fix: /host name that is in its certificate/ },
    ],
    ['a certificate of the fleet that is missing', () => [urls.mutual, { ca: pem('ca.pem') }], { fix: /--cert FILE/ }],
    [
      'no TLS where TLS is asked for',
      () => [urls.plain.replace('mqtt:', 'mqtts:'), { ca: pem('ca.pem') }],
      { message: /could connect/ },
    ],
    ['no WebSocket there', () => [urls.plain.replace('mqtt:', 'ws:')], { message: /could connect/ }],
    ['nobody there', () => ['mqtts://127.0.0.1:1'], { message: /ECONNREFUSED/, fix: /Is it running/ }],
    [
      'a key that is not known',
      () => [urls.closed],
      { code: 'watch_refused', message: /not authorised|user name or the key/, fix: /--credentials/ },
    ],
  ];
  it.each(troubles)('%s', async (_trouble, how, expected) => {
    const [url, brokerTls] = how();
    const words = Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [
        name,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ]),
    );
    const reported = await refusal(url, brokerTls === undefined ? {} : { brokerTls });
    expect(reported).toMatchObject({ code: 'broker_unreachable', exitCode: 3, ...words });
  });
});

unless(...withoutExternal).it('a broker that goes and comes back finds all watches again', async () => {
  const notices: FleetNotice[] = [];
  let failed: () => void = () => {};
  const tried = new Promise<void>((tell) => {
    failed = tell;
  });
  const onNotice = (notice: FleetNotice) => {
    notices.push(notice);
    if (notice.kind === 'link-failed') failed();
  };
  const { fleet, watches } = await connect(urls.plain, { onNotice });
  await mosquitto.stop();
  await tried;
  expect(fleet.views().filter(({ connected }) => connected)).toEqual([]);
  await mosquitto.run();
  for (const { serial } of fleet.views()) await mosquitto.logged(new RegExp(`New client connected .* as ${serial} `));
  await fleet.ready();
  expect(fleet.views().filter(({ connected }) => connected)).toHaveLength(watches);
  expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(['link-failed']));
});

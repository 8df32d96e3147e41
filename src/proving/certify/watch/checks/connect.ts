/** CONNECT, last will, subscriptions and birth. [watch-protocol] */
import { check as fits } from '../../../../contract/check.ts';
import {
  allFilter,
  downFilter,
  HOST_STATE_TOPIC,
  upStatusTopic,
  WatchBirth,
  WatchDeath,
} from '../../../../contract/watch.ts';
import { advice, notJudged, passed } from '../../check.ts';
import type { WatchBench } from '../bench.ts';
import { broken, checksOf, type WatchCheck } from '../check.ts';
import { readJson, type TapConnection } from '../tap.ts';

const check = checksOf('connect', 'calm');

/** Seconds of silence after which a muster shows `no_signal`. [decisions 6] */
const NO_SIGNAL_S = 90;

/** The first connection that the broker accepted. It therefore has a CONNECT. */
const first = ({ tap }: WatchBench) =>
  tap.connections.find(({ granted }) => granted === 0) as TapConnection & { connect: object };

export const CONNECT_CHECKS: readonly WatchCheck[] = [
  check(
    {
      number: 1,
      title: 'It connects as itself, by MQTT 3.1.1, with a clean session',
      clause: 'watch-protocol: user name, client id, password; sessions are clean',
    },
    async (bench) => {
      const { serial, key } = bench.service;
      const { clientId, username, password, clean, protocolVersion } = first(bench).connect;
      const isOwn = clientId === serial || clientId.startsWith(`${serial}/`);
      const wrong = [
        protocolVersion === 4 ? null : `protocol level ${protocolVersion} instead of 4`,
        clean === true ? null : 'clean session 0',
        isOwn ? null : `client id ${clientId}`,
        username === serial ? null : `user name ${username}`,
        String(password) === key ? null : 'another password',
      ].filter((one) => one !== null);
      const sent = 'CONNACK 0';
      if (wrong.length === 0) return passed(sent, `client id ${clientId}, user name ${serial}, clean session`);
      return broken(sent, wrong.join(', '), {
        production:
          'The service keeps no session between connections. Messages of a session that is not clean may be lost, or evict another client.',
        fix: `Connect with client id and user name ${serial}, its key as the password, and clean session 1.`,
      });
    },
  ),
  check(
    {
      number: 2,
      title: 'Its keep-alive finds a dead connection before it counts as silence',
      clause: 'watch-protocol: contact is any packet, PINGREQ included; decisions 6',
    },
    async (bench) => {
      const { keepalive = 0 } = first(bench).connect;
      const got = `keep-alive ${keepalive} s`;
      if (keepalive > 0 && keepalive <= NO_SIGNAL_S / 1.5) return passed('CONNACK 0', got);
      return advice(
        'CONNACK 0',
        got,
        `Use 30 s: without PINGRESP, the watch detects a dead connection late, and after ${NO_SIGNAL_S} s without a packet its wearer counts as without signal.`,
      );
    },
  ),
  check(
    { number: 3, title: 'Its last will is its death, retained', clause: 'watch-protocol up/status: the last will' },
    async (bench) => {
      const { siteId, serial } = bench.service;
      const { will } = first(bench).connect;
      const topic = upStatusTopic(siteId, serial);
      const payload = will === undefined ? undefined : readJson(will.payload);
      const wrong =
        will === undefined
          ? 'no last will'
          : [
              will.topic === topic ? null : `on ${will.topic}`,
              will.qos === 1 ? null : `by QoS ${will.qos}`,
              will.retain === true ? null : 'not retained',
              fits(WatchDeath, payload).ok ? null : `saying ${String(will.payload).slice(0, 120)}`,
            ]
              .filter((one) => one !== null)
              .join(', ');
      if (wrong === '') return passed('CONNACK 0', `the will ${String(will?.payload)} on up/status`);
      return broken('CONNACK 0', wrong, {
        production: 'When the connection breaks, the retained birth still says online.',
        fix: `Give CONNECT a will on ${topic}, QoS 1, retained: {"online":false,"session":N} with the number that its birth will have.`,
      });
    },
  ),
  check(
    {
      number: 4,
      title: 'It subscribes to its downlinks by QoS 1, before its birth',
      clause: 'watch-protocol: a watch subscribes, then says its birth',
    },
    async (bench) => {
      const { siteId, serial } = bench.service;
      const { number, subscribed } = first(bench);
      const subscriptions = subscribed.flatMap(({ subscriptions }) => subscriptions);
      const needed = [downFilter(siteId, serial), allFilter(siteId)];
      const missing = needed.filter((filter) => !covers(subscriptions, filter));
      const allowed = new Set([...needed, HOST_STATE_TOPIC]);
      const foreign = subscriptions.filter(({ topic }) => !isOwn(topic, allowed));
      const own = bench.tap.trace.filter(({ way, connection }) => way === 'up' && connection === number);
      const at = (cmd: string) => own.findIndex(({ packet }) => packet.cmd === cmd);
      const isLate = at('publish') >= 0 && at('publish') < at('subscribe');
      const wrong = [
        ...missing.map((filter) => `no subscription of ${filter} by QoS 1`),
        ...foreign.map(({ topic }) => `a subscription of ${topic}, which is not its own`),
        ...(isLate ? ['the birth came before the subscription'] : []),
      ];
      if (wrong.length === 0) return passed('SUBACK', subscriptions.map(({ topic }) => topic).join(', '));
      return broken('SUBACK', wrong.join('; '), {
        production:
          'At the birth the service sends the open prompts, alerts and the muster once. The watch misses those that it has not subscribed to.',
        fix: `Subscribe to ${[...allowed].join(', ')} by QoS 1, wait for SUBACK, then publish the birth.`,
      });
    },
  ),
  check(
    {
      number: 5,
      title: 'Its first message is its birth, retained',
      clause: 'watch-protocol up/status: birth after CONNACK',
    },
    async (bench) => {
      const { siteId, serial } = bench.service;
      const { number, connect } = first(bench);
      const birth = bench.tap.uplinks.find(({ connection }) => connection === number);
      if (birth === undefined) return notJudged('it has published nothing');
      const will = connect.will === undefined ? undefined : (readJson(connect.will.payload) as { session?: unknown });
      const checked = fits(WatchBirth, birth.payload);
      const wrong = [
        birth.topic === upStatusTopic(siteId, serial) ? null : `on ${birth.topic}`,
        birth.packet.qos === 1 ? null : `by QoS ${birth.packet.qos}`,
        birth.packet.retain ? null : 'not retained',
        checked.ok ? null : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '),
        checked.ok && will?.session !== undefined && will.session !== checked.value.session
          ? `session ${checked.value.session}, but ${String(will.session)} in the will`
          : null,
      ].filter((one) => one !== null);
      const text = String(birth.packet.payload).slice(0, 160);
      if (wrong.length === 0) return passed('SUBACK', text);
      return broken('SUBACK', `${text}: ${wrong.join(', ')}`, {
        production:
          'Without a birth, the service sends no open prompt, alert or muster, and assigns messages to the previous session.',
        fix: 'Publish {"online":true,"session":N,"firmware":"...","t":"..."} on up/status, QoS 1, retained, before anything else; N is one more at each connection.',
      });
    },
  ),
];

type Subscriptions = readonly { readonly topic: string; readonly qos: number }[];

/** True if the subscriptions have the filter itself, or each of its topics. */
function covers(subscriptions: Subscriptions, filter: string): boolean {
  const has = (topic: string) => subscriptions.some((one) => one.topic === topic && one.qos >= 1);
  const root = filter.slice(0, -1);
  const leaves = filter.endsWith('down/#') ? ['alert', 'config'] : ['muster'];
  return has(filter) || leaves.every((leaf) => has(root + leaf));
}

const isOwn = (topic: string, allowed: ReadonlySet<string>): boolean =>
  [...allowed].some((one) => topic === one || (one.endsWith('#') && topic.startsWith(one.slice(0, -1))));

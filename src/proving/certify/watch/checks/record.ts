/**
 * Checks of downlinks and of the disconnection, and checks over the whole conversation. [watch-protocol, access and
 * fine print]
 */

import { randomId } from '../../../../base/ids.ts';
import { CLI } from '../../../../base/text/command-form.ts';
import { check as fits } from '../../../../contract/check.ts';
import {
  downAlertTopic,
  MAX_WATCH_PAYLOAD_BYTES,
  musterTopic,
  uplinkSchema,
  upStatusTopic,
  WatchDeath,
} from '../../../../contract/watch.ts';
import { passed } from '../../check.ts';
import type { WatchBench } from '../bench.ts';
import { broken, checksOf, noHand, type WatchCheck } from '../check.ts';
import type { TracedPacket, TracedPublish } from '../tap.ts';

const downlink = checksOf('downlink', 'calm');
const record = checksOf('record', 'any');

/** Time limits in wall ms. */
const PUBACK_MS = 3_000;
const GOODBYE_MS = 5_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Downlinks with content that no watch knows yet, or that cannot be parsed. */
const strangeDownlinks = ({
  service: { siteId, serial },
}: WatchBench): readonly (readonly [string, string, unknown])[] => {
  const alert = downAlertTopic(siteId, serial);
  const resolved = { kind: 'alert', alert_id: randomId(), type: 'sos', status: 'resolved', by: null };
  return [
    ['an unknown kind', alert, { kind: 'siren', volume: 11 }],
    ['an unknown field', alert, { ...resolved, colour: 'red' }],
    ['an alert that it never had', alert, resolved],
    ['no JSON', alert, Buffer.from('{"kind":')],
    ['no object', alert, null],
    ['an empty all/muster', musterTopic(siteId), Buffer.alloc(0)],
  ];
};

const STAYS = {
  production:
    'A newer service sends fields that this firmware does not know. The watch would hang, restart or lose its connection in an emergency, and again at each birth.',
  fix: 'Acknowledge every downlink of QoS 1 before you parse it, ignore unknown fields, and keep the connection.',
};

/** Messages of the watch. Messages that certify made are not among them. */
const uplinksOf = ({ tap }: WatchBench): readonly TracedPublish[] => tap.uplinks;

const some = (lines: readonly string[]): string =>
  `${lines.slice(0, 3).join('; ')}${lines.length > 3 ? `; and ${lines.length - 3} more` : ''}`;

export const RECORD_CHECKS: readonly WatchCheck[] = [
  downlink(
    {
      number: 33,
      title: 'What it does not know, or cannot read, it leaves out',
      clause: 'watch-protocol down/alert, all/muster',
    },
    async (bench) => {
      const { tap } = bench;
      const sent = 'an unknown kind, an unknown field, no JSON, null, an empty message';
      const connection = tap.current?.number;
      for (const [what, topic, payload] of strangeDownlinks(bench))
        if (!(await tap.inject(topic, payload, PUBACK_MS))) return broken(sent, `${what}: no PUBACK`, STAYS);
      const { mark } = bench;
      const goesOn = await tap.until(() => bench.positions(mark).length > 0, 3 * bench.service.positionEveryMs + 2_000);
      if (tap.current?.number !== connection) return broken(sent, 'the connection ended', STAYS);
      return goesOn === true
        ? passed(sent, 'each has its PUBACK, and reports go on')
        : broken(sent, 'no report since', STAYS);
    },
  ),
  downlink(
    {
      number: 34,
      title: 'It acknowledges every downlink of QoS 1',
      state: 'any',
      clause: 'watch-protocol: a watch that does not read is disconnected',
    },
    async ({ tap }) => {
      const sentIds = tap.downlinks.filter(({ packet }) => packet.qos === 1);
      const unacknowledged = () =>
        sentIds.filter(({ connection, packet: { messageId } }) => {
          const end = tap.connections.find(({ number }) => number === connection)?.endedAtMs ?? null;
          const isOf = (one: TracedPacket) =>
            one.way === 'up' && one.connection === connection && one.packet.cmd === 'puback';
          return end === null && !tap.trace.some((one) => isOf(one) && one.packet.messageId === messageId);
        });
      await tap.until(() => unacknowledged().length === 0, PUBACK_MS);
      const open = unacknowledged();
      const sent = `${sentIds.length} downlinks of QoS 1`;
      if (open.length === 0) return passed(sent, 'each has its PUBACK');
      return broken(sent, `${open.length} without PUBACK, first ${open[0]?.topic}`, {
        production:
          'The service keeps the next messages, and closes the connection of a watch that does not read for 10 s.',
        fix: 'Send PUBACK for each PUBLISH of QoS 1 as soon as it is received.',
      });
    },
  ),
  downlink(
    {
      number: 35,
      title: 'When switched off, it disconnects cleanly',
      needs: ['hand'],
      clause: 'watch-protocol up/status: {online: false, session}',
    },
    async (bench) => {
      const { tap } = bench;
      const sent = 'the watch is switched off cleanly';
      const current = tap.current;
      const { mark } = bench;
      const reply = await bench.ask({ do: 'end' }, 'Switch the watch off, by its menu.');
      if (!reply.isDone) return noHand(reply.why);
      await tap.until(() => current?.endedAtMs != null, Math.max(GOODBYE_MS, bench.hand?.patienceMs ?? 0));
      const death = bench.since(mark).findLast(({ payload }) => fits(WatchDeath, payload).ok);
      const wrong = [
        current?.endedAtMs == null ? 'the connection stands' : null,
        current?.isGoodbye === true ? null : 'no DISCONNECT',
        death === undefined ? 'no {online: false}' : null,
        death !== undefined && !death.packet.retain ? 'its death is not retained' : null,
      ].filter((one) => one !== null);
      if (wrong.length === 0) return passed(sent, `${String(death?.packet.payload)}, then DISCONNECT`);
      return broken(sent, wrong.join(', '), {
        production:
          'After DISCONNECT the broker publishes no last will: the retained birth would say online permanently. Without DISCONNECT the will looks like a lost connection.',
        fix: 'Publish {"online":false,"session":N} on up/status, QoS 1, retained; wait for the PUBACK; then DISCONNECT.',
      });
    },
  ),
  record(
    {
      number: 36,
      title: 'Each payload fits its schema, with no unknown key',
      clause: 'watch-protocol: a payload that breaks its schema is dropped',
    },
    async (bench) => {
      const wrong = uplinksOf(bench).flatMap(({ known, payload, packet }) => {
        if (known?.way !== 'up') return [];
        const result = fits(uplinkSchema(known), payload);
        if (result.ok) return [];
        const why = result.errors.slice(0, 2).map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
        return [`${packet.topic.split('/up/')[1]}: ${why.join(', ')}`];
      });
      const sent = `${uplinksOf(bench).length} messages of the watch`;
      if (wrong.length === 0) return passed(sent, 'all fit');
      return broken(sent, some([...new Set(wrong)]), {
        production: `The message gets its PUBACK and is discarded: it is not sent again, and has no effect. ${CLI} logs watches shows it.`,
        fix: `Write exactly the keys of the schema (${CLI} asyncapi prints it), each of its type, and no other keys.`,
      });
    },
  ),
  record(
    {
      number: 37,
      title: 'It publishes on its own topics only, by QoS 0 or 1, in at most 8 KiB',
      clause: 'watch-protocol, access: a foreign topic, QoS 2 or more than 8 KiB ends the connection',
    },
    async (bench) => {
      const { serial, siteId } = bench.service;
      const wrong = uplinksOf(bench).flatMap(({ known, packet, bytes }) => {
        const isOwn = known?.way === 'up' && known.serial === serial && known.site === siteId;
        const why = !isOwn
          ? 'a foreign topic'
          : packet.qos === 2
            ? 'QoS 2'
            : bytes > MAX_WATCH_PAYLOAD_BYTES
              ? `${bytes} bytes`
              : null;
        return why === null ? [] : [`${packet.topic}: ${why}`];
      });
      wrong.push(...bench.tap.breaches.map((why) => `no MQTT: ${why}`));
      const sent = `${uplinksOf(bench).length} messages of the watch`;
      if (wrong.length === 0) return passed(sent, 'all on its own up/');
      return broken(sent, some([...new Set(wrong)]), {
        production:
          'The broker closes the connection. A client that sends it again after each reconnection can send no other message.',
        fix: 'Publish only to the topics of the protocol under wt/v1/{site}/{serial}/up/, with QoS 0 or 1, and split long arrays of positions.',
      });
    },
  ),
  record(
    {
      number: 38,
      title: 'Each event has an id of its own, a UUID',
      clause: 'watch-protocol, fine print: the serial and the id decide',
    },
    async (bench) => {
      const eventsById = new Map<string, string>();
      const wrong: string[] = [];
      for (const { known, payload, packet } of uplinksOf(bench)) {
        if (known?.way !== 'up' || known.leaf !== 'event') continue;
        const { id, session: _, seq: __, ...rest } = (payload ?? {}) as Record<string, unknown>;
        const event = `${known.kind} ${JSON.stringify(rest, Object.keys(rest).toSorted())}`;
        if (!UUID.test(String(id))) wrong.push(`${packet.topic.split('/up/')[1]}: id ${String(id)} is no UUID`);
        else if ((eventsById.get(String(id)) ?? event) !== event) wrong.push(`id ${String(id)} stands for two events`);
        eventsById.set(String(id), event);
      }
      const sent = `${eventsById.size} events`;
      if (wrong.length === 0) return passed(sent, `${eventsById.size} ids`);
      return broken(sent, some(wrong), {
        production:
          'An event with a known id is a repetition: it gets its PUBACK and has no effect, also after a restart of the watch.',
        fix: 'Generate a random UUID (version 4) for each event, with a generator that is seeded differently at each start.',
      });
    },
  ),
  record(
    {
      number: 39,
      title: 'seq counts from 1 in each session, over all topics',
      clause: 'watch-protocol, fine print: session, seq',
    },
    async (bench) => {
      const wrong: string[] = [];
      let counted = 0;
      for (const { number } of bench.tap.connections) {
        let last = 0;
        const own = uplinksOf(bench).filter(({ connection }) => connection === number);
        const session = (
          own.find(({ topic }) => topic.endsWith('/up/status'))?.payload as { session?: number } | undefined
        )?.session;
        for (const { payload, packet } of own)
          for (const one of (Array.isArray(payload) ? payload : [payload]) as ({
            session?: number;
            seq?: number;
          } | null)[]) {
            // A repeated message may have the old bytes, with those of an older session. [watch-protocol, fine print]
            if (typeof one?.seq !== 'number' || packet.dup || (session !== undefined && one.session !== session))
              continue;
            counted++;
            if (one.seq !== last + 1) wrong.push(`session ${one.session}: seq ${one.seq} after ${last}`);
            last = one.seq;
          }
      }
      if (wrong.length === 0) return passed(`${counted} messages and fixes`, 'each one more than the last');
      return broken(`${counted} messages and fixes`, some(wrong), {
        production: 'Messages that arrive together are sorted by seq: an answer may be processed before its fall.',
        fix: 'Use one counter for all topics, starting at 1 at each CONNECT. Each fix of an array has its own number.',
      });
    },
  ),
  record(
    { number: 40, title: 'Only up/status is retained', clause: 'watch-protocol, topics: retained' },
    async (bench) => {
      const { siteId, serial } = bench.service;
      const status = upStatusTopic(siteId, serial);
      const wrong = uplinksOf(bench).flatMap(({ packet, topic }) => {
        if (packet.retain === (topic === status)) return [];
        return [packet.retain ? `${topic} is retained` : `${topic} is not retained`];
      });
      const sent = `${uplinksOf(bench).length} messages of the watch`;
      if (wrong.length === 0) return passed(sent, 'up/status alone');
      return broken(sent, some([...new Set(wrong)]), {
        production: 'The broker sends a retained event or position to each later subscriber, as if it were new.',
        fix: 'Use RETAIN 1 for up/status, and RETAIN 0 for all other messages.',
      });
    },
  ),
];

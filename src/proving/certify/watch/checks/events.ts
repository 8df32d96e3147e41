/** What a wearer presses, and the alerts and falls that result. [watch-protocol up/event, down/alert] */

import { randomId } from '../../../../base/ids.ts';
import { CLI } from '../../../../base/text/command-form.ts';
import { formatInstant, parseInstant } from '../../../../base/time/instants.ts';
import { wallMs } from '../../../../base/time/timers.ts';
import { downAlertTopic } from '../../../../contract/watch.ts';
import { advice, type Finding, notJudged, passed } from '../../check.ts';
import { RECONNECT_MS, type WatchBench } from '../bench.ts';
import { broken, checksOf, noHand, type Remedy, type WatchCheck } from '../check.ts';
import type { TracedPublish } from '../tap.ts';
import { judgeAlarm, judgePace } from './reports.ts';

const wearer = checksOf('wearer', 'calm');
const alerts = checksOf('alerts', 'calm');

const field = ({ payload }: TracedPublish, name: string): unknown =>
  (payload as Record<string, unknown> | null)?.[name];

const NO_EVENT: Remedy = {
  production: 'The event has no effect: no alert, no event, no webhook.',
  fix: 'Publish it on up/event/{kind} by QoS 1, at once, with {"id","session","seq","t"} and the fields of its kind.',
};

const text = ({ packet }: TracedPublish): string => `QoS ${packet.qos}: ${String(packet.payload).slice(0, 160)}`;

/** Requires QoS 1: with QoS 0, a lost event is never sent again. */
function judgeEvent(sent: string, event: TracedPublish | null, kind: string): Finding {
  if (event === null) return broken(sent, `no up/event/${kind}`, NO_EVENT);
  if (event.packet.qos === 1) return passed(sent, text(event));
  return broken(sent, text(event), {
    production: `With QoS 0, a lost message is never sent again. The service logs it in ${CLI} logs watches.`,
    fix: 'Publish events with QoS 1, and repeat the same id until the PUBACK.',
  });
}

const NO_PROMPT: Remedy = {
  production: 'The worker cannot answer, so each fall becomes an SOS after the time of the prompt.',
  fix: 'Show {kind: prompt} of down/alert until its until, or until it is answered.',
};

const LATE: Remedy = {
  production:
    'The prompt belongs to the service: after its time the fall has become an SOS. A late answer contradicts the log, and a wearer who pressed it believes that nobody comes.',
  fix: 'Remove the prompt from the screen at its until, or prompt_s after it arrived, and do not send an answer after that.',
};

export const WEARER_CHECKS: readonly WatchCheck[] = [
  wearer(
    {
      number: 12,
      title: 'SOS is published at once, by QoS 1',
      clause: 'watch-protocol up/event: sos',
      needs: ['hand'],
    },
    async (bench) => {
      const { mark } = bench;
      const reply = await bench.ask({ do: 'sos' }, 'Press SOS on the watch.');
      if (!reply.isDone) return noHand(reply.why);
      const finding = judgeEvent('SOS is pressed', await bench.event('sos', mark), 'sos');
      await bench.downAlert(({ kind, type }) => kind === 'alert' && type === 'sos');
      return finding;
    },
  ),
  wearer(
    { number: 13, title: 'A wish for a call is published', clause: 'watch-protocol up/event: call', needs: ['hand'] },
    async (bench) => {
      const { mark } = bench;
      const reply = await bench.ask({ do: 'call' }, 'Ask for a call on the watch.');
      return reply.isDone
        ? judgeEvent('a call is asked for', await bench.event('call', mark), 'call')
        : noHand(reply.why);
    },
  ),
  wearer(
    {
      number: 14,
      title: 'What got no PUBACK is sent again, with the same id',
      needs: ['hand'],
      clause: 'watch-protocol up/event: the same id until the PUBACK',
    },
    lostPuback,
  ),
];

async function lostPuback(bench: WatchBench): Promise<Finding> {
  const sent = 'SOS is pressed; the connection breaks before the PUBACK';
  const { mark, tap } = bench;
  tap.losePuback(({ known }) => known?.way === 'up' && known.leaf === 'event' && known.kind === 'sos');
  const reply = await bench.ask({ do: 'sos' }, 'Press SOS on the watch. The connection will break.');
  if (!reply.isDone) return noHand(reply.why);
  const first = await bench.event('sos', mark);
  if (first === null) return broken(sent, 'no up/event/sos', NO_EVENT);
  if (first.packet.qos === 0) return notJudged('it was published by QoS 0, which has no PUBACK');
  await tap.until(() => tap.hasLostPuback, 5_000);
  const again = await tap.until(() => bench.events('sos', mark).find((one) => one !== first), RECONNECT_MS);
  const remedy = {
    production:
      'The first message may have been lost with the connection, and the SOS with it. The service recognizes a repetition by serial and id, over sessions and restarts; a new id is a second press.',
    fix: 'Keep the event with its id until its PUBACK, over reconnections and restarts, and send it again after the next birth.',
  };
  if (again === null) return broken(sent, 'it was not sent again', remedy);
  const [id, second] = [field(first, 'id'), field(again, 'id')];
  if (id !== second)
    return broken(sent, `sent again with another id: ${String(second)} instead of ${String(id)}`, remedy);
  if (field(first, 't') !== field(again, 't'))
    return broken(sent, `sent again with the same id and another t: ${String(field(again, 't'))}`, {
      production: 'worker_acknowledged_at and the history take t: it is when it happened, not when it was sent.',
      fix: 'Keep t with the event.',
    });
  const how = again.connection === first.connection ? 'on the same connection' : 'after the next CONNECT';
  return passed(sent, `the same id ${how}${again.packet.dup ? ', DUP 1' : ''}`);
}

export const ALERT_CHECKS: readonly WatchCheck[] = [
  alerts(
    {
      number: 15,
      title: 'While an alert is open it reports at the alarm interval, by QoS 1',
      state: 'alert',
      clause: 'watch-protocol up/position: 1 during an open alert; down/config: alarm_every_s',
    },
    (bench) => judgeAlarm(bench, 'down/alert with an open SOS'),
  ),
  alerts(
    {
      number: 16,
      title: 'An alert is acknowledged by a press',
      state: 'alert',
      needs: ['hand'],
      clause: 'watch-protocol up/event: ack',
    },
    async (bench) => {
      const { mark } = bench;
      const sent = 'acknowledge is pressed while an SOS is open';
      const reply = await bench.ask({ do: 'ack' }, 'Acknowledge the alert that the watch shows.');
      if (!reply.isDone) return noHand(reply.why);
      const ack = await bench.event('ack', mark);
      const finding = judgeEvent(sent, ack, 'ack');
      const named = ack === null ? null : (field(ack, 'alert_id') ?? null);
      const open = (await bench.service.openAlerts()).at(-1);
      if (finding.result !== 'passed' || named === null || String(named).toLowerCase() === open) return finding;
      return broken(sent, `it acknowledges ${String(named)}, open is ${String(open)}`, {
        production:
          'worker_acknowledged_at of the open alert stays empty: the control room thinks that the wearer has not seen it.',
        fix: 'Take alert_id from the newest {kind: alert} on down/alert. Without alert_id, the service uses the newest alert.',
      });
    },
  ),
  alerts(
    {
      number: 17,
      title: 'When the alert is resolved it reports as usual again',
      clause: 'watch-protocol down/alert: status resolved',
    },
    async (bench) => {
      const { positionEveryMs } = bench.service;
      await bench.reach('alert');
      await bench.reach('calm');
      const pace = await bench.pace(positionEveryMs);
      return judgePace('down/alert with status resolved', pace, positionEveryMs);
    },
  ),
  alerts(
    {
      number: 18,
      title: 'A fall is published, its prompt is shown, and the answer goes back',
      needs: ['hand'],
      clause: 'watch-protocol up/event: fall, prompt; down/alert: prompt',
    },
    async (bench) => {
      const fell = await fall(bench);
      if ('result' in fell) return fell;
      const isShown = await bench.looks('Does the watch ask its wearer whether they are well?', ({ prompt }) => prompt);
      const sent = 'a fall, then "I am OK" in time';
      if (isShown === false) return broken(sent, 'the prompt is not shown', NO_PROMPT);
      const { mark } = bench;
      const reply = await bench.ask({ do: 'answer', answer: 'ok' }, 'Answer "I am OK" on the watch now.');
      if (!reply.isDone) return noHand(reply.why);
      const answer = await bench.event('prompt', mark);
      const finding = judgeEvent(sent, answer, 'prompt');
      if (answer === null || finding.result !== 'passed') return finding;
      if (String(field(answer, 'fall_id')).toLowerCase() !== fell.id || field(answer, 'answer') !== 'ok')
        return broken(sent, `${text(answer)}; the fall was ${fell.id}`, {
          production: 'The service finds no fall for the answer, so the fall becomes an SOS.',
          fix: 'fall_id is the id of the fall’s own message, which the prompt repeats.',
        });
      return answer.wallMs <= fell.untilMs
        ? passed(sent, `${finding.got}, ${Math.round((fell.untilMs - answer.wallMs) / 1_000)} s before its end`)
        : notJudged('the answer was pressed too late');
    },
  ),
  alerts(
    {
      number: 19,
      title: 'A prompt whose time is over is not answered as if in time',
      needs: ['hand'],
      clause: 'watch-protocol, fine print: the prompt belongs to the service',
    },
    async (bench) => {
      const fell = await fall(bench);
      if ('result' in fell) return fell;
      const sent = 'a fall; "I am OK" after the time of the prompt';
      await bench.pause(Math.max(0, fell.untilMs - wallMs()) + 300);
      return judgeLate(bench, sent, fell.id, fell.untilMs);
    },
  ),
  alerts(
    {
      number: 20,
      title: 'A prompt that comes after its time is not shown',
      needs: ['hand'],
      clause: 'watch-protocol down/alert: prompt, until',
    },
    async (bench) => {
      const { siteId, serial } = bench.service;
      const id = randomId();
      const untilMs = wallMs() - 60_000;
      const prompt = { kind: 'prompt', fall_id: id, until: formatInstant(untilMs) };
      if (!(await bench.tap.inject(downAlertTopic(siteId, serial), prompt, 3_000)))
        return broken('a prompt of a minute ago', 'no PUBACK', LATE);
      return judgeLate(bench, 'a prompt of a minute ago, then "I am OK"', id, untilMs);
    },
  ),
];

async function judgeLate(bench: WatchBench, sent: string, fallId: string, untilMs: number): Promise<Finding> {
  const isShown = await bench.looks(
    'Does the watch still ask its wearer whether they are well?',
    ({ prompt }) => prompt,
    { expected: false },
  );
  if (isShown === true) return broken(sent, 'the prompt is still shown', LATE);
  const { mark } = bench;
  const reply = await bench.ask({ do: 'answer', answer: 'ok' }, 'Answer "I am OK" on the watch, if it still lets you.');
  if (!reply.isDone) return passed(sent, 'the device has nothing to answer');
  const answers = () =>
    bench.events('prompt', mark).find((one) => String(field(one, 'fall_id')).toLowerCase() === fallId);
  const answer = await bench.tap.until(answers, Math.min(2_000, bench.hand?.patienceMs ?? 0));
  if (answer === null) return passed(sent, 'no answer was published');
  const tMs = parseInstant(String(field(answer, 't'))) ?? Number.NaN;
  if (tMs > untilMs) return advice(sent, `${text(answer)}, which says that it is late`, LATE.fix);
  return broken(sent, `${text(answer)}, as if it were in time`, LATE);
}

/** A fall and its prompt, or the finding if one of them is missing. */
async function fall(bench: WatchBench): Promise<Finding | { readonly id: string; readonly untilMs: number }> {
  const { mark } = bench;
  const reply = await bench.ask({ do: 'fall' }, 'Let the watch fall, so that it detects it. Do not answer yet.');
  if (!reply.isDone) return noHand(reply.why);
  const event = await bench.event('fall', mark);
  const finding = judgeEvent('a fall', event, 'fall');
  if (event === null || finding.result !== 'passed') return finding;
  const id = String(field(event, 'id')).toLowerCase();
  const prompt = await bench.downAlert(({ kind, fall_id }) => kind === 'prompt' && fall_id === id);
  if (prompt === null)
    return broken(
      'a fall',
      `${text(event)}; the service sent no prompt: ${(await bench.service.noted()).at(-1) ?? 'it says no reason'}`,
      NO_EVENT,
    );
  return { id, untilMs: parseInstant(String(field(prompt, 'until'))) ?? 0 };
}

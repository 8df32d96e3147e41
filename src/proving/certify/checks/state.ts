/** The state of the receiver after duplicates, retries and deliveries out of order; most of these checks need the probe. [spec 6.2, 6.3] */
import { formatInstant } from '../../../base/time/instants.ts';
import { wallMs } from '../../../base/time/timers.ts';
import type { ReceiverCheck } from '../check.ts';
import { closedMuster } from '../events.ts';
import type { ReceiverState } from '../probe.ts';
import { isAccepted } from '../send.ts';
import { acceptedFinding } from './row.ts';
import {
  ACCEPTED,
  after,
  by,
  changed,
  holds,
  holdsAll,
  MAY_BE_REFUSED,
  send,
  sendReopened,
  stateCheck,
} from './state-row.ts';

const group = 'state';

/** Instants that stay in this order, however long the deliveries between them take. Call it once for each judgement. */
const ago = (...ms: readonly number[]): string[] => {
  const now = wallMs();
  return ms.map((one) => formatInstant(now - one));
};

const acted = ({ acted: events }: ReceiverState, id: string): number | undefined =>
  events?.filter((one) => one === id).length;

const actedOnce =
  (id: string) =>
  (state: ReceiverState): string | null | undefined => {
    const times = acted(state, id);
    return times === undefined ? undefined : times === 1 ? null : `the event was acted on ${times} times`;
  };

const NEWEST =
  'Keep the version with the latest date_last_modified, and discard older ones, in one atomic step: UPDATE ... WHERE date_last_modified < the new one. Do not rely on the order of arrival.';
const ONCE =
  'Store the event id under a unique key, in the same transaction as its effect and before you act. If it already exists, answer 2xx and do nothing.';

export const STATE_CHECKS: readonly ReceiverCheck[] = [
  {
    number: 39,
    group,
    title: 'A duplicate is answered 2xx',
    clause: '6.2 at-least-once',
    needs: [],
    judge: async ({ make, send: post }) => {
      const event = make.event({ alert: make.alert() });
      const first = await post(make.of('an event', event));
      const second = await post(make.of('the same event, signed again', event));
      return acceptedFinding([first, second], `A duplicate was delivered already: answer 2xx, not 409. ${ONCE}`);
    },
  },
  {
    number: 40,
    group,
    title: 'An older version is answered 2xx',
    clause: '6.3',
    needs: [],
    judge: async ({ make, send: post }) => {
      const created = make.alert();
      const alert = changed(created, 2_000, { status: 'resolved', resolved: { ...by, note: null } });
      const newer = await post(make.of('alert.resolved first', make.event({ alert }, { type: 'alert.resolved' })));
      const older = await post(make.of('then the alert.created of the same alert', make.event({ alert: created })));
      return acceptedFinding(
        [newer, older],
        'Discard it, and answer 2xx: if you refuse it, it is sent again for 24 h.',
      );
    },
  },
  stateCheck({
    number: 41,
    title: 'An accepted alert is held',
    clause: '6.4',
    production: ACCEPTED,
    fix: 'Store the event before you answer 2xx: production does not send it again.',
    observe: async (bench, sent) => {
      const alerts = [true, false].map((simulated) => bench.make.alert({ simulated }));
      for (const alert of alerts)
        await send(bench, sent, `a new SOS, simulated: ${alert.simulated}`, bench.make.event({ alert }));
      return holdsAll(bench, alerts);
    },
  }),
  stateCheck({
    number: 42,
    title: 'A duplicate is acted on once',
    clause: '6.2',
    requires: [39, 41],
    fix: ONCE,
    production:
      'If production gets no 2xx in time, it sends the event again, also if your system has already processed it.',
    observe: async (bench, sent) => {
      const event = bench.make.event({ alert: bench.make.alert() });
      for (const what of ['an event', 'the same again', 'and again']) await send(bench, sent, what, event);
      return actedOnce(event.id);
    },
  }),
  stateCheck({
    number: 43,
    title: 'Duplicates at the same moment are acted on once',
    clause: '6.2',
    requires: [39, 41, 42],
    fix: `Looking first and inserting then lets both through. ${ONCE}`,
    production:
      'A retry can arrive while the first attempt is still being processed, or at another process of your system.',
    observe: async (bench, sent) => {
      const event = bench.make.event({ alert: bench.make.alert() });
      const posted = [1, 2, 3, 4].map((place) =>
        bench.send(bench.make.of(`the same event at once, number ${place}`, event)),
      );
      sent.push(...(await Promise.all(posted)));
      return actedOnce(event.id);
    },
  }),
  stateCheck({
    number: 44,
    title: 'The event id is that of the body',
    clause: '6.1, 5',
    requires: [41, 42],
    fix: 'Deduplicate by the id in the body: X-Service-Event-Id is not signed.',
    production: 'A recorded delivery can be sent again within 5 min, with any number of different header ids.',
    observe: async (bench, sent) => {
      const event = bench.make.event({ alert: bench.make.alert() });
      await send(bench, sent, 'an event', event);
      const original = sent[0]!.delivery;
      const headers = { ...original.headers, 'X-Service-Event-Id': bench.make.event({ alert: bench.make.alert() }).id };
      sent.push(await bench.send({ ...original, what: MAY_BE_REFUSED, headers }));
      return (state) => {
        const times = acted(state, event.id);
        const also = acted(state, headers['X-Service-Event-Id']);
        if (times === undefined || also === undefined) return undefined;
        return times + also === 1 ? null : `the event was acted on ${times + also} times`;
      };
    },
  }),
  stateCheck({
    number: 45,
    title: 'The newest version wins, whatever arrives last',
    clause: '6.3',
    requires: [40, 41],
    fix: NEWEST,
    production: ACCEPTED,
    observe: async (bench, sent) => {
      const created = bench.make.alert();
      const resolved = changed(created, 2_000, { status: 'resolved', resolved: { ...by, note: 'done' } });
      const acknowledged = changed(created, 1_000, { status: 'acknowledged', acknowledged: by });
      await send(bench, sent, 'alert.resolved', bench.make.event({ alert: resolved }, { type: 'alert.resolved' }));
      await send(bench, sent, 'then its older alert.created', bench.make.event({ alert: created }));
      await send(
        bench,
        sent,
        'then its older alert.acknowledged',
        bench.make.event({ alert: acknowledged }, { type: 'alert.acknowledged' }),
      );
      return holds(bench, resolved);
    },
  }),
  stateCheck({
    number: 46,
    title: 'A retry after a newer event changes nothing',
    clause: '6.3',
    requires: [39, 40, 41],
    fix: NEWEST,
    production: ACCEPTED,
    observe: async (bench, sent) => {
      const created = bench.make.alert();
      const first = bench.make.event({ alert: created });
      const acknowledged = changed(created, 1_500, { status: 'acknowledged', acknowledged: by });
      await send(bench, sent, 'alert.created', first);
      await send(
        bench,
        sent,
        'alert.acknowledged',
        bench.make.event({ alert: acknowledged }, { type: 'alert.acknowledged' }),
      );
      await send(bench, sent, 'alert.created once more, as a late retry', first);
      return holds(bench, acknowledged);
    },
  }),
  stateCheck({
    number: 47,
    title: 'A reopened alert is open again',
    clause: '3, 6 alert.reopened',
    requires: [41],
    production: ACCEPTED,
    fix: 'No status is final: use the status of the newest version, also if it changes back from resolved.',
    observe: async (bench, sent) => {
      const { alert } = await sendReopened(bench, sent);
      return holds(bench, alert);
    },
  }),
  stateCheck({
    number: 48,
    title: 'The press on the watch is no acknowledgement',
    clause: '2 worker_acknowledged_at',
    requires: [41],
    production: ACCEPTED,
    fix: 'alert.worker_acknowledged sets worker_acknowledged_at alone. Take the status from data.alert.status, not from the type of the event.',
    observe: async (bench, sent) => {
      const created = bench.make.alert();
      const pressed = changed(created, 1_000, { worker_acknowledged_at: after(created.date_last_modified, 900) });
      await send(bench, sent, 'alert.created', bench.make.event({ alert: created }));
      await send(
        bench,
        sent,
        'alert.worker_acknowledged',
        bench.make.event({ alert: pressed }, { type: 'alert.worker_acknowledged' }),
      );
      return holds(bench, pressed);
    },
  }),
  stateCheck({
    number: 49,
    title: 'A muster that has ended stays ended',
    clause: '6.3 created_at',
    requires: [40, 41],
    production: ACCEPTED,
    fix: 'Musters have no date_last_modified: store the created_at of the event with them, and discard older events.',
    observe: async (bench, sent) => {
      const muster = bench.make.muster();
      const { make } = bench;
      const [started, updated, ended] = ago(3_000, 1_000, 0) as [string, string, string];
      await send(bench, sent, 'muster.started', make.event({ muster }, { created_at: started }));
      await send(
        bench,
        sent,
        'muster.ended',
        make.event({ muster: closedMuster(muster) }, { type: 'muster.ended', created_at: ended }),
      );
      await send(
        bench,
        sent,
        'then an older muster.updated',
        make.event({ muster }, { type: 'muster.updated', created_at: updated }),
      );
      return ({ musters }) => {
        const held = musters?.find(({ id }) => id === muster.id);
        if (musters === undefined || (held !== undefined && held.status === undefined)) return undefined;
        if (held === undefined) return 'the muster is not held';
        return held.status === 'completed' ? null : `the muster is held as ${held.status}, and is completed`;
      };
    },
  }),
  stateCheck({
    number: 64,
    title: 'The late end of a muster leaves the next one open',
    clause: '6.3 created_at',
    requires: [40, 41],
    production: ACCEPTED,
    fix: 'Store musters by their id, not by their site: the end of one muster does not end another.',
    observe: async (bench, sent) => {
      const { make } = bench;
      const [first, next] = [make.muster(), make.muster()];
      const [started, ended, startedNext] = ago(3_000, 2_000, 1_000) as [string, string, string];
      await send(bench, sent, 'muster.started', make.event({ muster: first }, { created_at: started }));
      await send(bench, sent, 'muster.started of the next', make.event({ muster: next }, { created_at: startedNext }));
      await send(
        bench,
        sent,
        'then muster.ended of the first, which occurred before it',
        make.event({ muster: closedMuster(first) }, { type: 'muster.ended', created_at: ended }),
      );
      return ({ musters }) => {
        const held = musters?.find(({ id }) => id === next.id);
        if (musters === undefined || (held !== undefined && held.status === undefined)) return undefined;
        if (held === undefined) return 'the muster that is under way is not held';
        return held.status === 'active' ? null : `the muster that is under way is held as ${held.status}`;
      };
    },
  }),
  stateCheck({
    number: 50,
    title: 'What was refused changed nothing',
    clause: '5',
    requires: [16, 41],
    fix: 'Verify before you store or act.',
    production:
      'Production sends nothing like this, but anybody who finds the address can: your system acts on it, whatever it answers.',
    observe: async (bench, sent) => {
      const { make } = bench;
      const alert = make.alert();
      const forged = await bench.send(
        make.of('a forged SOS', make.event({ alert }), { secrets: [make.otherSecret()] }),
      );
      if (isAccepted(forged)) sent.push(forged);
      return ({ alerts }) => (alerts.some(({ id }) => id === alert.id) ? 'the forged alert is held' : null);
    },
  }),
];

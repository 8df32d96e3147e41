/** The state of the receiver after duplicates, retries and deliveries out of order; most of these checks need the probe. [spec 6.2, 6.3] */
import { formatInstant } from '../../../base/time/instants.ts';
import { wallMs } from '../../../base/time/timers.ts';
import type { Event } from '../../../contract/events.ts';
import type { Alert } from '../../../contract/resources.ts';
import { type CheckBench, type Finding, failed, notJudged, passed, type ReceiverCheck } from '../check.ts';
import { closedMuster } from '../events.ts';
import type { ReceiverState } from '../probe.ts';
import { type Exchange, isAccepted } from '../send.ts';
import { acceptedFinding, sentText } from './row.ts';

const group = 'state';

/** A check of what the receiver did. The probe is read after the receiver holds a marker alert, which is sent last. */
interface StateRow {
  readonly number: number;
  readonly title: string;
  readonly clause: string;
  readonly fix: string;
  readonly requires?: readonly number[];
  /** The consequence in production, where all of these deliveries count as accepted. */
  readonly production: string;
  /**
   * Sends the deliveries. The returned function evaluates the state: it returns what is wrong, or null if nothing is,
   * or undefined if the state lacks the necessary keys.
   */
  readonly observe: (
    bench: CheckBench,
    sent: Exchange[],
  ) => Promise<(state: ReceiverState) => string | null | undefined>;
}

const ACCEPTED =
  'Production counts each of these as delivered and never sends them again: nothing corrects your system.';

const stateCheck = ({ number, title, clause, fix, requires = [], production, observe }: StateRow): ReceiverCheck => ({
  number,
  group,
  title,
  clause,
  needs: ['probe'],
  requires,
  judge: async (bench): Promise<Finding> => {
    const sent: Exchange[] = [];
    const wrongIn = await observe(bench, sent);
    const marker = bench.make.alert();
    sent.push(await bench.send(bench.make.of('a new SOS as the last', bench.make.event({ alert: marker }))));
    const refused = sent.find((exchange) => !isAccepted(exchange) && exchange.delivery.what !== MAY_BE_REFUSED);
    if (refused !== undefined)
      return acceptedFinding(
        sent.filter(({ delivery }) => delivery.what !== MAY_BE_REFUSED),
        fix,
      );
    const isHeld = ({ alerts }: ReceiverState) => alerts.some(({ id }) => id === marker.id);
    // Tasks that run after the answer may end later, and in any order.
    const state = await bench.probe!.until((one) => isHeld(one) && wrongIn(one) === null);
    if (typeof state === 'string') return notJudged(state);
    const wrong = isHeld(state) ? wrongIn(state) : 'an accepted alert is not held in time';
    if (wrong === undefined)
      return notJudged('the probe does not say this: the key "acted", "musters", or a field of the alert is missing');
    const text = sentText(sent);
    return wrong === null
      ? passed(text, 'the state is right', sent)
      : failed(text, wrong, { production, fix, exchanges: sent });
  },
});

/** A delivery with this description may be answered in any way. */
const MAY_BE_REFUSED = 'the same body and signature under another X-Service-Event-Id';

/** The time `ms` after an instant; both in the format of the contract. */
const after = (instant: string, ms: number): string => formatInstant(Date.parse(instant) + ms);

/** Instants that stay in this order, however long the deliveries between them take. Call it once for each judgement. */
const ago = (...ms: readonly number[]): string[] => {
  const now = wallMs();
  return ms.map((one) => formatInstant(now - one));
};

const send = async ({ make, send: post }: CheckBench, sent: Exchange[], what: string, event: Event): Promise<void> => {
  sent.push(await post(make.of(what, event)));
};

const acted = ({ acted: events }: ReceiverState, id: string): number | undefined =>
  events?.filter((one) => one === id).length;

const actedOnce =
  (id: string) =>
  (state: ReceiverState): string | null | undefined => {
    const times = acted(state, id);
    return times === undefined ? undefined : times === 1 ? null : `the event was acted on ${times} times`;
  };

/** Whether the receiver holds this version of the alert, or the version that its own update created. */
const holds =
  ({ client }: CheckBench, alert: Alert) =>
  (state: ReceiverState): string | null | undefined => {
    const wrong = holdsVersion(alert)(state);
    const now = client?.delivered.alert(alert.id);
    return typeof wrong === 'string' && now !== undefined && holdsVersion(now)(state) === null ? null : wrong;
  };

const holdsVersion =
  ({ id, status, simulated, date_last_modified: modified }: Alert) =>
  ({ alerts }: ReceiverState): string | null | undefined => {
    const entries = alerts.filter((one) => one.id === id);
    const [held] = entries;
    if (held === undefined) return 'the alert is not held';
    if (entries.length > 1) return `the alert is held ${entries.length} times`;
    if (held.status === undefined && held.date_last_modified === undefined) return undefined;
    if (held.status !== undefined && held.status !== status)
      return `the alert is held as ${held.status}, and is ${status}`;
    if (held.date_last_modified !== undefined && Date.parse(held.date_last_modified) !== Date.parse(modified))
      return `the version of ${held.date_last_modified} is held, and ${modified} is the newest`;
    if (held.simulated !== undefined && held.simulated !== simulated)
      return `the alert is held with simulated: ${held.simulated}`;
    return null;
  };

const changed = (alert: Alert, ms: number, over: Partial<Alert>): Alert => ({
  ...alert,
  date_last_modified: after(alert.date_last_modified, ms),
  ...over,
});

const by = { at: formatInstant(wallMs()), by: 'Shift lead' };
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
      return (state) => {
        const found = alerts.map((alert) => holds(bench, alert)(state));
        return found.find((one) => typeof one === 'string') ?? found[0];
      };
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
      const created = bench.make.alert();
      const resolved = changed(created, 1_000, { status: 'resolved', resolved: { ...by, note: null } });
      const reopened = changed(created, 2_000, {});
      await send(bench, sent, 'alert.created', bench.make.event({ alert: created }));
      await send(bench, sent, 'alert.resolved', bench.make.event({ alert: resolved }, { type: 'alert.resolved' }));
      await send(bench, sent, 'alert.reopened', bench.make.event({ alert: reopened }, { type: 'alert.reopened' }));
      return holds(bench, reopened);
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

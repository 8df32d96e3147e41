/** A check of what the receiver holds, by its own list: the frame of these checks, and what they compare. [spec 6.2, 6.3] */
import { formatInstant } from '../../../base/time/instants.ts';
import { wallMs } from '../../../base/time/timers.ts';
import type { Event } from '../../../contract/events.ts';
import type { Alert } from '../../../contract/resources.ts';
import { type CheckBench, type Finding, failed, notJudged, passed, type ReceiverCheck } from '../check.ts';
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
  /** What the probe lacks if the state does not tell. */
  readonly missing?: string;
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

const MISSING = 'the probe does not say this: the key "acted", "musters", or a field of the alert is missing';

export const ACCEPTED =
  'Production counts each of these as delivered and never sends them again: nothing corrects your system.';

export const stateCheck = ({
  number,
  title,
  clause,
  fix,
  requires = [],
  production,
  missing = MISSING,
  observe,
}: StateRow): ReceiverCheck => ({
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
    if (wrong === undefined) return notJudged(missing);
    const text = sentText(sent);
    return wrong === null
      ? passed(text, 'the state is right', sent)
      : failed(text, wrong, { production, fix, exchanges: sent });
  },
});

/** A delivery with this description may be answered in any way. */
export const MAY_BE_REFUSED = 'the same body and signature under another X-Service-Event-Id';

/** The time `ms` after an instant; both in the format of the contract. */
export const after = (instant: string, ms: number): string => formatInstant(Date.parse(instant) + ms);

export const send = async (
  { make, send: post }: CheckBench,
  sent: Exchange[],
  what: string,
  event: Event,
): Promise<void> => {
  sent.push(await post(make.of(what, event)));
};

/**
 * What is wrong about the version of the alert that the receiver holds. Null: it is this one, or the one that its own update
 * created; undefined: the probe does not say it.
 */
export const holds =
  ({ client }: CheckBench, alert: Alert) =>
  (state: ReceiverState): string | null | undefined => {
    const wrong = holdsVersion(alert)(state);
    const now = client?.delivered.alert(alert.id);
    return typeof wrong === 'string' && now !== undefined && holdsVersion(now)(state) === null ? null : wrong;
  };

/** As `holds`, for several alerts: the first that is not held as it is decides. */
export const holdsAll =
  (bench: CheckBench, alerts: readonly Alert[]) =>
  (state: ReceiverState): string | null | undefined => {
    const found = alerts.map((alert) => holds(bench, alert)(state));
    return found.find((one) => typeof one === 'string') ?? found[0];
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

export const changed = (alert: Alert, ms: number, over: Partial<Alert>): Alert => ({
  ...alert,
  date_last_modified: after(alert.date_last_modified, ms),
  ...over,
});

/** Sends an alert that is created, resolved and reopened, and returns its last event. */
export async function sendReopened(bench: CheckBench, sent: Exchange[]): Promise<{ alert: Alert; eventId: string }> {
  const { make } = bench;
  const created = make.alert();
  const resolved = changed(created, 1_000, { status: 'resolved', resolved: { ...by, note: null } });
  const alert = changed(created, 2_000, {});
  const event = make.event({ alert }, { type: 'alert.reopened' });
  await send(bench, sent, 'alert.created', make.event({ alert: created }));
  await send(bench, sent, 'alert.resolved', make.event({ alert: resolved }, { type: 'alert.resolved' }));
  await send(bench, sent, 'alert.reopened', event);
  return { alert, eventId: event.id };
}

export const by = { at: formatInstant(wallMs()), by: 'Shift lead' };

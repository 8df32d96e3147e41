/** What the receiver's own list shows of single alerts: of one second, of each site, without a position, reopened, acknowledged by itself. [spec 2, 6] */
import { formatInstant } from '../../../base/time/instants.ts';
import { wallMs } from '../../../base/time/timers.ts';
import { isMap } from '../../../contract/schema.ts';
import type { ReceiverCheck } from '../check.ts';
import type { ReceiverState } from '../probe.ts';
import { ACCEPTED, by, changed, holds, holdsAll, send, sendReopened, stateCheck } from './state-row.ts';

/** How long certify waits for the receiver's own acknowledgement; wall milliseconds. */
const OWN_CALL_MS = 1_500;

type ListedAlert = ReceiverState['alerts'][number];

/** The coordinates of an entry; null: it shows none; undefined: it has no key for them. */
function coordinatesOf(entry: ListedAlert): readonly [number, number] | null | undefined {
  const fields = entry as Readonly<Record<string, unknown>>;
  const place = ['location', 'position', 'coordinates'].find((key) => key in fields);
  const value = place === undefined ? fields : fields[place];
  if (Array.isArray(value)) return numbers(value[0], value[1]);
  if (!isMap(value)) return null;
  if (Array.isArray(value['coordinates'])) return numbers(value['coordinates'][0], value['coordinates'][1]);
  const keyIn = (keys: readonly string[]) => keys.find((key) => key in value);
  const [latitude, longitude] = [keyIn(['latitude', 'lat']), keyIn(['longitude', 'lng', 'lon', 'long'])];
  if (latitude === undefined || longitude === undefined) return place === undefined ? undefined : null;
  return numbers(value[latitude], value[longitude]);
}

function numbers(one: unknown, other: unknown): readonly [number, number] | null {
  const pair = [one, other].map((value) => (value === null || value === '' ? Number.NaN : Number(value)));
  return pair.some(Number.isNaN) ? null : [pair[0] as number, pair[1] as number];
}

export const HELD_CHECKS: readonly ReceiverCheck[] = [
  stateCheck({
    number: 65,
    title: 'Alerts of one second are all held',
    clause: '2 ids; 6.2',
    requires: [41],
    production: ACCEPTED,
    fix: 'Tell alerts apart by their id alone. Times are no keys: two people can press SOS in the same millisecond.',
    observe: async (bench, sent) => {
      const second = Math.floor(wallMs() / 1_000) * 1_000 - 2_000;
      const alerts = [100, 100, 500].map((ms) => {
        const at = formatInstant(second + ms);
        return bench.make.alert({ date_created: at, date_last_modified: at });
      });
      for (const [place, alert] of alerts.entries())
        await send(bench, sent, `SOS ${place + 1} of 3 in one second`, bench.make.event({ alert }));
      return holdsAll(bench, alerts);
    },
  }),
  stateCheck({
    number: 66,
    title: 'Alerts of each site are held',
    clause: '2 Site; 6.1 site_id',
    requires: [41, 65],
    production: 'A destination gets the events of all its sites, and production counts each as delivered.',
    fix: 'Do not compare site_id with one site, and read all sites: GET /v1/sites has pages, and site_id accepts a list.',
    observe: async (bench, sent) => {
      const { make } = bench;
      const { siteId, name, otherSite } = make.site;
      const alerts = [{ id: siteId, name }, otherSite].map((site) => make.alert({ site }));
      for (const alert of alerts)
        await send(bench, sent, `an SOS at ${alert.site.name}`, make.event({ alert }, { site_id: alert.site.id }));
      return holdsAll(bench, alerts);
    },
  }),
  stateCheck({
    number: 67,
    title: 'An alert with a withheld position is held',
    clause: '2 location_withheld',
    requires: [41],
    production: ACCEPTED,
    fix: 'Store the alert without its position, and show that it is withheld. Somebody still needs help.',
    observe: async (bench, sent) => {
      const alert = bench.make.alert({ location: null, location_withheld: true });
      await send(bench, sent, 'an SOS with location: null and location_withheld: true', bench.make.event({ alert }));
      return holds(bench, alert);
    },
  }),
  stateCheck({
    number: 68,
    title: 'An unknown position is not 0, 0',
    clause: '2 location',
    requires: [41, 65],
    production: 'Your screen sends the rescue to a place in the Atlantic, and not to the zone of the alert.',
    fix: 'Keep null as null. Do not convert a missing coordinate to a number, and show the zone instead.',
    missing:
      'the probe lists no positions: add "location" with latitude and longitude to its alerts, and null where an alert has none',
    observe: async (bench, sent) => {
      const [located, unknown] = [bench.make.alert(), bench.make.alert({ location: null })] as const;
      await send(bench, sent, 'an SOS with a position', bench.make.event({ alert: located }));
      await send(bench, sent, 'an SOS with location: null', bench.make.event({ alert: unknown }));
      return (state) => {
        const wrong = holdsAll(bench, [located, unknown])(state);
        if (typeof wrong === 'string') return wrong;
        const shown = (id: string) => coordinatesOf(state.alerts.find((one) => one.id === id)!);
        if (!Array.isArray(shown(located.id))) return undefined;
        const [latitude, longitude] = shown(unknown.id) ?? [null, null];
        return latitude === 0 && longitude === 0 ? 'the alert without a position is held at 0, 0' : null;
      };
    },
  }),
  stateCheck({
    number: 69,
    title: 'A reopened alert is the same alert',
    clause: '3, 6 alert.reopened',
    requires: [41, 47],
    production: 'Two teams go to one person, and one of the two alerts stays open when the other is resolved.',
    fix: 'alert.reopened has the id of the alert that was resolved: change that entry, and make no new one.',
    observe: async (bench, sent) => {
      const { alert, eventId } = await sendReopened(bench, sent);
      return (state) => {
        const isOfIt = (one: ListedAlert) => [alert.id, eventId].some((id) => JSON.stringify(one).includes(id));
        const entries = state.alerts.filter(isOfIt);
        return entries.length > 1 ? `the alert is listed ${entries.length} times` : holds(bench, alert)(state);
      };
    },
  }),
  stateCheck({
    number: 70,
    title: 'An own acknowledgement does not hide later changes',
    clause: '6.3; 3 PATCH',
    requires: [41],
    production: ACCEPTED,
    fix: 'After your own PATCH, keep the date_last_modified of its reply, and take each newer version. Do not keep your own status.',
    observe: async (bench, sent) => {
      const { make, client } = bench;
      const created = make.alert();
      await send(bench, sent, 'alert.created of a critical SOS', make.event({ alert: created }));
      const now = () => client?.delivered.alert(created.id) ?? created;
      const isAcknowledged = () => now().status === 'acknowledged';
      await client?.until(isAcknowledged, Math.min(bench.clientWaitMs, OWN_CALL_MS));
      const what = isAcknowledged() ? 'alert.resolved, after the receiver acknowledged it' : 'alert.resolved';
      const alert = changed(now(), 2_000, { status: 'resolved', resolved: { ...by, note: 'done' } });
      await send(bench, sent, what, make.event({ alert }, { type: 'alert.resolved' }));
      return holds(bench, alert);
    },
  }),
];

/** Observers of the open points about alerts. [decisions 4, 5, cli compare] */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import { check } from '../../../contract/check.ts';
import { type AlertType, SEVERITIES, type Severity, severityAtLeast } from '../../../contract/enumerations.ts';
import type { ALERT_POINTS } from '../../../contract/gaps/alerts.ts';
import type { ObservableId } from '../../../contract/gaps.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import { DETAILS_BY_TYPE } from '../../../contract/resources/details.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { agreed, alertsOf, eventsOf, map, maps, type ObservedParts, type Observers, timeOf } from './observation.ts';

type AlertId = Extract<(typeof ALERT_POINTS)[number]['id'], ObservableId>;

const NEARBY_AGE_MS = 2 * 60_000;

export const ALERT_OBSERVERS: Observers<AlertId> = {
  'details-mapping': async (parts) =>
    agreed(
      (await knownAlerts(parts)).map(({ alert, type }) => asHere(check(DETAILS_BY_TYPE[type], alert['details']).ok)),
      NO_ALERT,
    ),
  severities: async (parts) =>
    agreed(
      (await knownAlerts(parts)).map(({ alert, kind }) => asHere(alert['severity'] === kind.severity)),
      NO_ALERT,
    ),
  'title-form': async (parts) =>
    agreed(
      (await knownAlerts(parts)).map(({ alert, kind }) =>
        asHere(titlesOf(alert, kind.words).includes(String(alert['title']))),
      ),
      NO_ALERT,
    ),
  'one-open-alert': async (parts) => {
    const open = (await knownAlerts(parts)).filter(
      ({ alert, kind }) => alert['status'] !== 'resolved' && alert['worker'] !== null && !kind.namesItsZone,
    );
    const keys = open.map(({ alert, type }) => `${type} ${String(map(alert['worker'])['id'])}`);
    if (new Set(keys).size < keys.length) return { reading: 'makes another alert' };
    return { unknown: 'no worker has two open alerts of one type, which may be chance' };
  },
  'offline-after': async (parts) =>
    agreed(
      (await alertsOfType(parts, 'device_offline')).map((alert) =>
        map(alert['details'])['minutes_silent'] === 10 ? '10 min' : 'another time',
      ),
      'the client sees no alert of a silent watch',
    ),
  'low-battery-at': async (parts) => {
    const charges = (await alertsOfType(parts, 'low_battery')).map(({ details }) =>
      Number(map(details)['battery_pct']),
    );
    const most = Math.max(...charges);
    if (most > 20) return { reading: 'another charge' };
    return most === 20 ? { reading: '20 %' } : { unknown: 'no listed alert was raised at 20 % exactly' };
  },
  'nearby-age': async (parts) =>
    agreed(
      (await alertsOf(parts)).flatMap((alert) =>
        maps(alert['nearby']).map((one) =>
          timeOf(alert['date_created']) - timeOf(one['reported_at']) <= NEARBY_AGE_MS ? '2 min' : 'longer',
        ),
      ),
      'no listed alert has somebody nearby',
    ),
  'frozen-references': async (parts) => {
    const [alerts, events] = [await alertsOf(parts), await eventsOf(parts)];
    const pairs = alerts.flatMap((alert) => {
      const same = events
        .map(({ data }) => map(map(data)['alert']))
        .find((one) => one['id'] === alert['id'] && one['date_last_modified'] === alert['date_last_modified']);
      return same === undefined ? [] : [references(same) === references(alert)];
    });
    // Equal references in one alert prove nothing, because they may not have changed since the event.
    const follows = pairs.includes(false);
    return agreed(
      pairs.map(() => (follows ? 'as of now' : 'as of the last change')),
      'no listed alert has the version of its last event',
    );
  },
  'veil-location': async (parts) => {
    const veiled = (await onVeiledSites(parts)).filter(
      ({ alert, least }) => !severityAtLeast(alert['severity'] as Severity, least) && alert['worker'] !== null,
    );
    return agreed(
      veiled.map(({ alert }) => (alert['location'] === null ? 'withheld for good' : 'shown')),
      'the client sees no alert below the unveiling severity of an on_demand site',
    );
  },
  'nearby-under-veil': async (parts) => {
    const incidents = (await onVeiledSites(parts)).filter(({ alert }) => maps(alert['nearby']).length > 0);
    return incidents.length > 0
      ? { reading: 'not hidden' }
      : { unknown: 'no listed alert of an on_demand site has somebody nearby' };
  },
  'vehicle-warnings': async (parts) =>
    agreed(
      (await alertsOf(parts))
        .filter((alert) => maps(alert['vehicle_warnings']).length > 0)
        .map(({ type }) => (type === 'sos' || type === 'fall_detected' ? 'sos and fall_detected' : 'other types too')),
      'no listed alert has a vehicle warning',
    ),
};

/** Only references are compared. Any other difference within a version is a deviation. */
const references = ({ site, zone, worker, device }: JsonMap): string => canonicalJson({ site, zone, worker, device });

const NO_ALERT = 'the client sees no alert';
const asHere = (isHere: boolean) => (isHere ? 'as here' : 'otherwise');

async function knownAlerts(parts: ObservedParts) {
  return (await alertsOf(parts)).flatMap((alert) => {
    const type = String(alert['type']);
    if (!Object.hasOwn(ALERT_KINDS, type)) return [];
    return [{ alert, type: type as AlertType, kind: ALERT_KINDS[type as AlertType] }];
  });
}

const alertsOfType = async (parts: ObservedParts, type: AlertType): Promise<JsonMap[]> =>
  (await alertsOf(parts)).filter((alert) => alert['type'] === type);

/** Returns the possible titles, with and without the worker's name: the contract of the client decides. */
function titlesOf(alert: JsonMap, words: string): string[] {
  const [worker, zone, site] = [map(alert['worker']), map(alert['zone']), map(alert['site'])];
  if (alert['worker'] === null) return [`${words} at ${String(site['name'])}`, words];
  const inZone = alert['zone'] === null ? '' : ` in ${String(zone['name'])}`;
  const people = [worker['name'], worker['external_id']].filter((one) => typeof one === 'string');
  return [...people.map((one) => `${words}: ${one}${inZone}`), `${words}${inZone}`];
}

/** Returns the alerts of sites in `on_demand` mode, each with the severity at which its site unveils. */
async function onVeiledSites(parts: ObservedParts): Promise<{ alert: JsonMap; least: Severity }[]> {
  const least = new Map<unknown, Severity>();
  for (const { id, privacy_mode: mode, unveil_min_severity: severity } of await parts.service.list('/v1/sites'))
    if (mode === 'on_demand' && SEVERITIES.includes(severity as Severity)) least.set(id, severity as Severity);
  return (await knownAlerts(parts)).flatMap(({ alert, kind }) => {
    const severity = least.get(map(alert['site'])['id']);
    const isKnown = SEVERITIES.includes(alert['severity'] as Severity);
    return severity === undefined || kind.namesItsZone || !isKnown ? [] : [{ alert, least: severity }];
  });
}

/** Packs the data of a run for its page, and writes it as JSON that no text of a scenario can break out of. */
import { polygonArea } from '../../../base/geometry/shapes.ts';
import { printable } from '../../../base/text/printable.ts';
import type { Alert, Totals } from '../../../contract/resources.ts';
import type { ReportHappening } from '../happenings.ts';
import type { ReportPerson, ReportSite, RunReport } from '../report-data.ts';
import {
  HAPPENING_KINDS,
  LEFT_OUT,
  type PackedAlert,
  type PackedBody,
  type PackedHappening,
  type PackedMuster,
  type PackedPerson,
  type PackedRun,
  type PackedStep,
  type PersonSeen,
  TOTAL_NAMES,
} from './packed-run.ts';
import { timedSteps } from './timed-steps.ts';

export function packRun(report: RunReport): PackedRun {
  const { persons, alerts, musters, receivers, happenings, result, start, hasTruth } = report;
  const bodies = new Bodies();
  // The bodies near failures come first, so that they are in the page even for a very long run.
  const near = new Set(report.around.flatMap((context) => context.happenings.map(({ place }) => place)));
  for (const place of near) bodies.placeOf(happenings[place] as ReportHappening);
  const states = new Distinct<PersonSeen>();
  const objects = new Distinct<string>();
  const people = persons.map((person) => packedPerson(person, states));
  const indexOf = new Map(persons.map(({ workerId }, place) => [workerId, place]));
  const names = receivers.map(({ name }) => name);
  const packedAlerts: PackedAlert[] = alerts.map(({ id, states: all }) => ({
    object: objects.place(id),
    person: indexOf.get(all[0]?.alert.worker?.id ?? '') ?? -1,
    site: all[0]?.alert.site.name ?? '',
    states: all.map(({ t, alert }) => [t, bodies.place(alert)]),
  }));
  const packedMusters: PackedMuster[] = musters.map(({ id, site, counts }) => ({
    object: objects.place(id),
    site,
    counts: counts.map(({ t, kind, phase, totals, points }) => [
      t,
      kind,
      phase,
      totalsList(totals),
      points.map(({ name, count, isExcluded }) => [name, count, isExcluded ? 1 : 0]),
    ]),
  }));
  let lastT = 0;
  const packedHappenings = happenings.map((one): PackedHappening => {
    const { t, kind, text, worker, object, receiver, facts } = one;
    const dt = t - lastT;
    lastT = t;
    return [
      dt,
      HAPPENING_KINDS.indexOf(kind),
      text,
      bodies.placeOf(one),
      indexOf.get(worker ?? '') ?? -1,
      object === null ? -1 : objects.place(object),
      receiver === null ? -1 : names.indexOf(receiver),
      facts,
    ];
  });
  return {
    start,
    end: result.simulatedMs,
    hasTruth,
    bodies: bodies.all,
    states: states.all,
    people,
    sites: report.sites.map(packedSite),
    alerts: packedAlerts,
    musters: packedMusters,
    receivers: names,
    objects: objects.all,
    happenings: packedHappenings,
    steps: timedSteps(report).map(({ t, line, beganMs, endMs, kind }): PackedStep => {
      const isCheck = kind === 'passed' || kind === 'failed';
      return [isCheck ? beganMs : t, endMs, line, isCheck ? 1 : 0];
    }),
    failures: result.failures.map(({ beganMs, atMs, line }) => [beganMs, atMs, line]),
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
};

/**
 * Writes JSON for a script element, without control characters; the escapes are valid JSON. Addresses are split, so
 * that a search of the page for `://` finds no address that it could load.
 */
export const scriptJson = (data: object): string =>
  printable(JSON.stringify(data))
    .replace(/[<>&]/g, (character) => ESCAPES[character] as string)
    .replaceAll('://', ':\\/\\/');

/** Stores each distinct value once, in the order of first use. */
class Distinct<T> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();

  place(value: T): number {
    const key = JSON.stringify(value);
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.all.push(value) - 1;
      this.#places.set(key, place);
    }
    return place;
  }
}

/**
 * Maximum number of characters of JSON of all bodies, before equal ones are merged: a browser opens a page of this size
 * in a second.
 */
const MOST_BODIES = 8_000_000;

/**
 * The largest part of an event is its alert. The alert is stored as a separate body, because it is already in the data
 * as a state of the alert.
 */
class Bodies {
  readonly #all = new Distinct<PackedBody>();
  #size = 0;

  get all(): readonly PackedBody[] {
    return this.#all.all;
  }

  place(json: unknown): number {
    return this.#all.place([json]);
  }

  placeOf({ body }: ReportHappening): number {
    if (body === null || body === undefined) return -1;
    this.#size += JSON.stringify(body).length;
    if (this.#size > MOST_BODIES) return LEFT_OUT;
    const { data, ...envelope } = body as { readonly data?: { readonly alert?: Alert } };
    if (data?.alert === undefined || Object.keys(data).length !== 1) return this.place(body);
    return this.#all.place([envelope, 'alert', this.place(data.alert)]);
  }
}

function packedPerson(person: ReportPerson, states: Distinct<PersonSeen>): PackedPerson {
  const { who, code, contractor, site, names, moments, statuses, truth } = person;
  const track: number[] = [];
  const seen: number[] = [];
  let last = { t: 0, x: 0, y: 0 };
  let lastState = { t: 0, place: -1 };
  for (const { t, at } of moments) {
    if (at === null || (track.length > 0 && at[0] === last.x && at[1] === last.y)) continue;
    track.push(t - last.t, at[0] - last.x, at[1] - last.y);
    last = { t, x: at[0], y: at[1] };
  }
  const changes = [...new Set([...moments, ...statuses].map(({ t }) => t))].sort((a, b) => a - b);
  let [moment, status] = [0, 0];
  for (const t of changes) {
    while ((moments[moment + 1]?.t ?? Number.POSITIVE_INFINITY) <= t) moment++;
    while ((statuses[status + 1]?.t ?? Number.POSITIVE_INFINITY) <= t) status++;
    const [now, standing] = [moments[moment], statuses[status]];
    if (now === undefined || standing === undefined) continue;
    const { place, masked, reason, rescue, floor, worn } = now;
    const state = states.place({ status: standing.status, place, masked, reason, rescue, floor, worn });
    if (state === lastState.place) continue;
    seen.push(t - lastState.t, state);
    lastState = { t, place: state };
  }
  return {
    who,
    code,
    contractor,
    site,
    names: names.map(({ t, name }) => [t, name]),
    states: seen,
    track,
    truth: truth === null ? null : differences(truth),
  };
}

const packedSite = ({ name, zones }: ReportSite): PackedRun['sites'][number] => ({
  name,
  zones: zones
    .toSorted((a, b) => polygonArea(a.ring) - polygonArea(b.ring))
    .map((zone) => [zone.name, zone.ring.flat().map((metres) => Math.round(metres * 10))]),
});

/** Returns the differences of flattened t, x, y. */
const differences = (values: readonly number[]): number[] =>
  values.map((value, place) => value - (place < 3 ? 0 : (values[place - 3] ?? 0)));

const totalsList = (totals: Totals): (number | null)[] => TOTAL_NAMES.map((name) => totals[name]);

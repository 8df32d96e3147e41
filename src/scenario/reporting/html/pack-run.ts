/** Packs the data of a run for its page, and writes it as JSON that no text of a scenario can break out of. */
import { printable } from '../../../base/text/printable.ts';
import type { ReportHappening } from '../happenings.ts';
import type { RunReport } from '../report-data.ts';
import {
  HAPPENING_KINDS,
  LEFT_OUT,
  type PackedAlert,
  type PackedHappening,
  type PackedRun,
  type PackedStep,
} from './packed-run.ts';
import { timedSteps } from './timed-steps.ts';

export function packRun(report: RunReport): PackedRun {
  const { people, alerts, receivers, happenings, result, start } = report;
  const bodies = new Bodies();
  // The bodies near failures come first, so that they are in the page even for a very long run.
  const near = new Set(report.around.flatMap((context) => context.happenings.map(({ place }) => place)));
  for (const place of near) bodies.placeOf(happenings[place] as ReportHappening);
  const objects = new Distinct<string>();
  const indexOf = new Map(people.map(({ workerId }, place) => [workerId, place]));
  const names = receivers.map(({ name }) => name);
  const packedAlerts = alerts.map(
    ({ id, type, workerId, changes: [created] }): PackedAlert => [
      objects.place(id),
      indexOf.get(workerId ?? '') ?? -1,
      created?.t ?? 0,
      type,
    ],
  );
  for (const { id } of report.musters) objects.place(id);
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
    bodies: bodies.all,
    people,
    seen: report.seen,
    truth: report.truth,
    alerts: packedAlerts,
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

class Bodies {
  readonly #all = new Distinct<unknown>();
  #size = 0;

  get all(): readonly unknown[] {
    return this.#all.all;
  }

  placeOf({ body }: ReportHappening): number {
    if (body === null || body === undefined) return -1;
    this.#size += JSON.stringify(body).length;
    if (this.#size > MOST_BODIES) return LEFT_OUT;
    return this.#all.place(body);
  }
}

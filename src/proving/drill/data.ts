/** The figures of a drill as data: the body of `--json`, and the tables of `--report csv`. */
import { csv } from '../../base/text/csv.ts';
import { cornerOf, DENSITY_LIMIT, HEAT_CELL_M } from './crowding.ts';
import {
  type ComparedRow,
  type CountFigures,
  compared,
  type DrillFigures,
  type GroupFigures,
  SAFE_SHARES,
  timesOf,
} from './figures.ts';
import { CONFIDENCE_PCT } from './interval.ts';
import { GUIDELINE_TESTS, inputsOf, NOT_MODELLED } from './model.ts';
import type { DrillRun } from './play.ts';
import type { RunSpread } from './spread.ts';

/**
 * The fields of `data` in the envelope. Times are seconds from the alarm; null means never. The same seed gives the
 * same bytes.
 */
export function drillData(seed: string, runsRequested: number, layouts: readonly DrillFigures[]): object {
  const [first, second] = layouts;
  return {
    seed,
    runs_asked: runsRequested,
    percentiles: [5, 50, 95],
    layouts: layouts.map(layoutData),
    difference: first === undefined || second === undefined ? null : differenceData(first, second),
  };
}

function layoutData(figures: DrillFigures): object {
  const { layout, setting, runs, all, timed, parts, points, zones, unsafe, unseen, queues, curve, heat } = figures;
  return {
    layout: layout.label,
    site: layout.planned.name,
    kind: setting.kind,
    excluded: setting.excluded,
    after_s: setting.afterMs / 1_000,
    limit_s: setting.limitMs / 1_000,
    runs: runs.length,
    ...groupData(all),
    confidence_pct: CONFIDENCE_PCT,
    intervals_s: Object.fromEntries(timed.map(({ median, p95 }, i) => [TIMED_KEYS[i], { median, p95 }])),
    around_90_pct_s:
      parts === null ? null : { start: tenth(parts.startS), wait: tenth(parts.waitedS), rest: tenth(parts.restS) },
    inputs: inputsOf(setting.kind).map(([name, value]) => ({ name, value })),
    guideline_tests: GUIDELINE_TESTS,
    not_modelled: NOT_MODELLED,
    points: points.map(({ point, overfull, wentOn, ...group }) => ({
      name: point.name,
      serves: point.serves,
      excluded: point.excluded,
      capacity: point.capacity,
      capacity_assumed: point.isAssumed,
      ...groupData(group),
      runs_over_capacity: overfull,
      went_on: tenth(wentOn),
    })),
    zones: zones.map(({ zone, ...group }) => ({ name: zone, ...groupData(group) })),
    not_safe: unsafe.map(countData),
    safe_but_unseen: unseen.map(countData),
    queues: queues.map(({ place, at, perS, longest, byHand, wait, personS }) => ({
      place,
      x_m: tenth(at[0]),
      y_m: tenth(at[1]),
      people_per_s: Math.round(perS * 1_000) / 1_000,
      longest: spreadData(longest),
      wait_by_hand_s: spreadData(byHand),
      longest_wait_s: spreadData(wait),
      person_s: tenth(personS),
    })),
    curve: curve.map(({ s, p5, median, p95 }) => ({ s, safe_pct: { p5, median, p95 } })),
    heat: {
      cell_m: HEAT_CELL_M,
      limit_per_m2: DENSITY_LIMIT,
      cells: [...heat].map(([cell, personS]) => {
        const [x, y] = cornerOf(cell);
        return { x_m: x, y_m: y, person_s: tenth(personS) };
      }),
    },
    each_run: runs.map((run) => ({ run: run.run, seed: run.seed, ...runData(run) })),
  };
}

const TIMED_KEYS = [...SAFE_SHARES.map((share) => `${share}_pct`), 'last'];

const groupData = ({ people, shares, last }: GroupFigures): object => ({
  people: spreadData(people),
  safe_s: {
    ...Object.fromEntries(SAFE_SHARES.map((share) => [`${share}_pct`, spreadData(shares[share])])),
    last: spreadData(last),
  },
});

const spreadData = ({ p5, median, p95, never }: RunSpread): object => ({ p5, median, p95, runs_never: never });

const countData = ({ what, mean, most, runs }: CountFigures<string>): object => ({
  why: what,
  mean: Math.round(mean * 100) / 100,
  most,
  runs,
});

const tenth = (value: number): number => Math.round(value * 10) / 10;

function runData(run: DrillRun): object {
  const { last, ...shares } = timesOf(run);
  const safe = run.people.filter(({ why }) => why === null).length;
  return {
    people: run.people.length,
    safe,
    lasted_s: run.lastedS,
    safe_s: { ...Object.fromEntries(SAFE_SHARES.map((share) => [`${share}_pct`, shares[share]])), last },
  };
}

function differenceData(first: DrillFigures, second: DrillFigures): object {
  const { all, zones } = compared(first, second);
  const rowData = ({ difference: { median, interval, isSeen, earlier, later } }: ComparedRow): object => ({
    median_s: median,
    interval_s: interval,
    difference_seen: isSeen,
    runs_earlier: earlier,
    runs_later: later,
  });
  return {
    safe_s: Object.fromEntries(all.map((row, i) => [TIMED_KEYS[i], rowData(row)])),
    zones: zones.map((row) => ({ name: row.name, '90_pct': rowData(row) })),
  };
}

const LAYOUT_COLUMNS = ['layout', 'run', 'seed'];

const layoutCells = ({ layout }: DrillFigures, { run, seed }: DrillRun) => [layout.label, run, seed];

/** One row per run. The header must not change. */
export const runsCsv = (layouts: readonly DrillFigures[]): string =>
  csv(
    [
      ...[...LAYOUT_COLUMNS, 'people', 'safe', 'safe_50_s', 'safe_90_s', 'safe_100_s', 'last_s'],
      ...['longest_queue', 'longest_queue_at', 'longest_wait_s', 'waiting_person_s'],
    ],
    layouts.flatMap((figures) =>
      figures.runs.map((run) => {
        const times = timesOf(run);
        const [worst] = run.queues.toSorted((a, b) => b.longest - a.longest);
        return [
          ...layoutCells(figures, run),
          ...[run.people.length, run.people.filter(({ why }) => why === null).length],
          ...[times[50], times[90], times[100], times.last, worst?.longest ?? 0, worst?.place ?? null],
          Math.max(0, ...run.queues.map(({ waitS }) => waitS)),
          run.queues.reduce((sum, { personS }) => sum + personS, 0),
        ];
      }),
    ),
  );

/** One row per person and run. The header must not change. */
export const peopleOfRunsCsv = (layouts: readonly DrillFigures[]): string =>
  csv(
    [...LAYOUT_COLUMNS, 'person', 'zone', 'behaviour', 'safe_s', 'first_point', 'point', 'not_safe_because', 'watch'],
    layouts.flatMap((figures) =>
      figures.runs.flatMap((run) =>
        run.people.map(({ id, zone, behaviour, safeS, firstPoint, point, why, watch }) => [
          ...[...layoutCells(figures, run), id, zone, behaviour, safeS, firstPoint, point, why, watch],
        ]),
      ),
    ),
  );

/** Ground truth, for the file of --truth and for the control token: true positions, against which reports can be judged. [cli, up --truth] */
import { closeSync, writeSync } from 'node:fs';
import type { PersonTruth } from '../api/route.ts';
import { type Clock, LANE } from '../base/clock.ts';
import { formatInstant } from '../base/instants.ts';
import type { World } from '../domain/world/world.ts';
import type { Fleet, WatchTruth } from '../fleet/fleet.ts';
import { openTruthFile } from './truth-file.ts';

/** Sampling interval; simulated ms. */
const EVERY_MS = 10_000;

export interface TruthParts {
  readonly file: string;
  readonly clock: Clock;
  readonly fleet: Fleet;
  /** Null: the run has none. */
  readonly seed: string | null;
  /** The file cannot be written any more, and truth ends. */
  readonly onFailed: (error: Error) => void;
}

/**
 * Writes NDJSON: a header, then every 10 s of simulated time one line per watch, so that a track is what `grep` finds of a
 * serial; of a fleet that goes on, behind the lines of before. Nothing that the service emits holds any of it. Answers with how to end it.
 */
export function writeTruth({ file, clock, fleet, seed, onFailed }: TruthParts): () => void {
  const continues = fleet.resumed !== null;
  const descriptor = openTruthFile({ file, seed, now: clock.now(), continues });
  let stopped = false;
  let cancel = (): void => {};
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    cancel();
    closeSync(descriptor);
  };
  const write = (lines: readonly object[]): void => {
    try {
      writeSync(descriptor, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    } catch (error) {
      stop();
      onFailed(error as Error);
    }
  };
  const look = (): void => {
    const at = formatInstant(clock.now());
    write(fleet.truth().map((truth) => lineOf(at, truth)));
    if (!stopped) wait();
  };
  const wait = (): void => {
    const due = Math.floor(clock.now() / EVERY_MS + 1) * EVERY_MS;
    cancel = clock.at(due, { lane: LANE.rest, actor: 'truth' }, look);
  };
  look();
  return stop;
}

function lineOf(at: string, truth: WatchTruth): object {
  const [x, y] = truth.point;
  return {
    at,
    site_id: truth.siteId,
    serial: truth.serial,
    ...truth.coordinates,
    x_m: centimetres(x),
    y_m: centimetres(y),
    zone: truth.zone,
    height_m: truth.heightM === null ? null : centimetres(truth.heightM),
    floor: truth.floor,
    in_vehicle: truth.inVehicle,
    worn: truth.worn,
    activity: truth.activity,
    battery_pct: truth.batteryPct,
    charging: truth.charging,
    network: truth.network,
    gps: truth.gps,
  };
}

/** Of each wearer of an emulated watch. */
export function personTruths(world: World, fleet: Pick<Fleet, 'truth'>): PersonTruth[] {
  return fleet.truth().flatMap(({ serial, coordinates, heightM, floor, zone, inVehicle, worn, activity }) => {
    const device = world.get('device', world.indexes.deviceId(serial) ?? '');
    if (device?.workerId == null) return [];
    return [{ workerId: device.workerId, ...coordinates, heightM, floor, zone, inVehicle, worn, activity }];
  });
}

const centimetres = (metres: number): number => Math.round(metres * 100) / 100;

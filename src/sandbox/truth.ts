/** Ground truth, for the file of --truth and for the control token: true positions, with which reports can be compared. [cli, up --truth] */

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { Outage } from '../base/assert.ts';
import { type Clock, type Instant, LANE } from '../base/time/clock.ts';
import { formatInstant, parseInstant } from '../base/time/instants.ts';
import type { Fleet, WatchTruth } from '../fleet/fleet.ts';
import type { PersonTruth } from '../service/api/answers/person-truth.ts';
import type { World } from '../service/domain/world/world.ts';
import { keepPrivate } from '../service/store/folder/data-folder.ts';
import { VERSION } from './version.ts';

/** Sampling interval; simulated ms. */
const EVERY_MS = 10_000;

interface TruthParts {
  readonly file: string;
  readonly clock: Clock;
  readonly fleet: Fleet;
  /** Null: the run has no seed. */
  readonly seed: string | null;
  /** Called when the file cannot be written any more; the recording of ground truth then ends. */
  readonly onFailed: (error: Error) => void;
}

/**
 * Writes NDJSON: a header, then one line per watch every 10 s of simulated time, so that `grep` for a serial returns
 * its track. If the fleet continues an earlier one, the lines are appended to those of the earlier run. The service
 * emits none of this data. Returns the function that stops it.
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

/** Returns the true state of each wearer of an emulated watch. */
export function personTruths(world: World, fleet: Pick<Fleet, 'truth'>): PersonTruth[] {
  return fleet.truth().flatMap(({ serial, coordinates, heightM, floor, zone, inVehicle, worn, activity }) => {
    const device = world.get('device', world.indexes.deviceId(serial) ?? '');
    if (device?.workerId == null) return [];
    return [{ workerId: device.workerId, ...coordinates, heightM, floor, zone, inVehicle, worn, activity }];
  });
}

const centimetres = (metres: number): number => Math.round(metres * 100) / 100;

const FORMAT = 'muster-sandbox truth';

/** More bytes than any line has. */
const MOST_OF_A_LINE = 4_096;

// The file of `--truth`: a new file with a header, or the file of a continued world, so that a track has gaps only for
// the time when the sandbox was down.

export interface TruthFileParts {
  readonly file: string;
  /** Null: the run has no seed. */
  readonly seed: string | null;
  readonly now: Instant;
  /** The people of an earlier start continue: its lines are kept, and new lines are appended. */
  readonly continues: boolean;
}

/** Returns a descriptor positioned after the header, or after the last complete line of a continued file. */
export function openTruthFile({ file, seed, now, continues }: TruthFileParts): number {
  try {
    // The file has the true positions of all people, so only the user who started the sandbox may read it.
    keepPrivate(file);
    const kept = continues ? goOn(file, seed, now) : null;
    if (kept !== null) return kept;
    const descriptor = openSync(file, 'w', 0o600);
    const header = { format: FORMAT, version: VERSION, seed, started_at: formatInstant(now) };
    writeSync(descriptor, `${JSON.stringify(header)}\n`);
    return descriptor;
  } catch (error) {
    throw new Outage({
      code: 'truth_not_writable',
      message: `The truth file ${file} cannot be written: ${(error as Error).message}`,
      fix: 'Name a file in an existing, writable folder with --truth.',
    });
  }
}

/** Returns null if there is no such file, or if it belongs to another run or to a later time. */
function goOn(file: string, seed: string | null, now: Instant): number | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { size } = fstatSync(descriptor);
  const head = read(descriptor, 0);
  const tail = read(descriptor, Math.max(0, size - MOST_OF_A_LINE));
  // A kill may have truncated the last line.
  const whole = tail.subarray(0, tail.lastIndexOf('\n') + 1);
  const header = parsed(head.subarray(0, head.indexOf('\n') + 1));
  const last = parsed(whole.subarray(whole.lastIndexOf('\n', -2) + 1));
  const lastAt = parseInstant(String(last?.['at'] ?? last?.['started_at'] ?? ''));
  if (header?.['format'] !== FORMAT || header['seed'] !== seed || lastAt === null || lastAt > now) {
    closeSync(descriptor);
    return null;
  }
  ftruncateSync(descriptor, size - (tail.length - whole.length));
  closeSync(descriptor);
  return openSync(file, 'a');
}

function read(descriptor: number, from: number): Buffer {
  const buffer = Buffer.alloc(MOST_OF_A_LINE);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, MOST_OF_A_LINE, from));
}

function parsed(line: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

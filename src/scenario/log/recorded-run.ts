/** Reads the files of an earlier run: the header of its log, the log itself, and its deliveries. */

import { dirname, join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { FILE_LIMITS, openUserLines, readUserLines, UnreadableLine } from '../../base/user-files.ts';
import type { EventType } from '../../contract/enumerations.ts';
import { isMap } from '../../contract/schema.ts';
import type { Again } from '../model/again.ts';
import type { Values } from '../model/scenario.ts';
import { LOG_FILE, type ReadRecord } from './canonical-log.ts';
import { EVENTS_FILE } from './events-file.ts';

/** The first record of a log. */
export interface RunHeader extends Pick<Again, 'seed' | 'values'> {
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly version: string;
  readonly scenario: string;
  /** Parameters set with `--set`. */
  readonly set: Values;
  /** Steps on later lines were not run. */
  readonly until: number | undefined;
}

/** The first attempt to deliver an event to a receiver. */
export interface RecordedDelivery {
  /** Ms from the start of the scenario. */
  readonly atMs: number;
  readonly receiver: string;
  readonly eventId: string;
  readonly type: EventType;
  readonly body: string;
}

export interface RecordedRun {
  readonly header: RunHeader;
  /** Each line includes its newline. */
  readonly lines: readonly string[];
}

/** Lines of recordings, each read with a limit. [decisions 9, Limits of scenario files] */
const LINES = { mostBytes: FILE_LIMITS.line };

/** Throws an `Outage` with exit code 2 if the file is not the log of a run. */
export function readRun(file: string): RecordedRun {
  const header = firstLine(file);
  const head = recordOf(header);
  if (head?.k !== 'head') throw wrong(`${file} is not the log of a run: its first line is not a header.`);
  const { version, scenario, file: played, seed } = head.d;
  if ([version, scenario, played, seed].some((one) => typeof one !== 'string'))
    throw wrong(`${file} is not the log of a run: its header has no version, scenario, file or seed.`);
  const values = (head.d['case'] ?? null) as Values | null;
  const set = (head.d['set'] ?? {}) as Values;
  const { until } = head.d;
  const lines = readUserLines(file, LINES);
  if ('why' in lines) throw wrong(`${file} ${lines.why}.`);
  return {
    header: { version, scenario, file: played, seed, values, set, until } as RunHeader,
    lines: lines.filter((line) => line !== '').map((line) => `${line}\n`),
  };
}

/** Reads only the first line: a file that is not the log of a run is refused without reading the rest. */
function firstLine(file: string): string {
  const lines = openUserLines(file, LINES);
  if ('why' in lines) throw wrong(`${file} ${lines.why}.`);
  try {
    for (const line of lines) return line;
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    throw wrong(`${file} ${error.message}.`);
  }
  return '';
}

/** The point at which an incomplete log breaks off. */
export interface Cut {
  /** The last line, from 1. */
  readonly line: number;
  /** Time of the last complete record, ms from the start. */
  readonly atMs: number;
  /** True if the last line itself is incomplete. */
  readonly within: boolean;
}

/** Returns null for a complete log: every line is a record, and one record is the end of the scenario. */
export function cutOf({ lines }: RecordedRun): Cut | null {
  const records = lines.map(recordOf);
  const broken = records.indexOf(null);
  if (broken < 0 && records.some((record) => record?.k === 'end')) return null;
  const whole = broken < 0 ? records : records.slice(0, broken);
  return { line: broken < 0 ? lines.length : broken + 1, atMs: whole.at(-1)?.t ?? 0, within: broken >= 0 };
}

/**
 * Returns the deliveries in the order of their first attempts. `receiver` null: an event that several receivers got is
 * returned once.
 */
export function deliveriesOf(run: RecordedRun, file: string, receiver: string | null): RecordedDelivery[] {
  const beside = join(dirname(file), EVENTS_FILE);
  const events = readUserLines(beside, LINES);
  if ('why' in events)
    throw wrong(
      `${beside} ${events.why}, and it holds the bodies. Play the scenario again with --out: it writes both.`,
    );
  const bodies = new Map(
    events.flatMap((body, index) => (body === '' ? [] : [[eventIdOf(body, `${beside}:${index + 1}`), body] as const])),
  );
  const once = new Set<string>();
  return run.lines.flatMap((line): RecordedDelivery[] => {
    const record = recordOf(line);
    if (record?.k !== 'dlv' || (receiver !== null && record.who !== receiver)) return [];
    const { event, type } = record.d as { event: string; type: EventType };
    const body = bodies.get(event);
    if (once.has(event) || body === undefined) return [];
    once.add(event);
    return [{ atMs: record.t, receiver: record.who ?? '', eventId: event, type, body }];
  });
}

function eventIdOf(body: string, place: string): string {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    if (typeof id === 'string') return id;
  } catch {
    // The place is refused below.
  }
  throw wrong(`${place} is no event.`);
}

/** Short names of the receivers of deliveries. */
export function receiversOf({ lines }: RecordedRun): string[] {
  const names = lines.map(recordOf).flatMap((record) => (record?.k === 'dlv' ? [record.who ?? ''] : []));
  return [...new Set(names)].filter((name) => name !== '');
}

/** Returns a line of a log as a record; null if it is none. */
export function recordOf(line: string): ReadRecord | null {
  try {
    const record: unknown = JSON.parse(line);
    if (!isMap(record)) return null;
    const { k, t = 0, d = {} } = record;
    return typeof k === 'string' && typeof t === 'number' && isMap(d) ? ({ ...record, k, t, d } as ReadRecord) : null;
  } catch {
    return null;
  }
}

const wrong = (message: string): Outage =>
  new Outage({
    code: 'no_run',
    message,
    fix: `Name the ${LOG_FILE} of a run: ${CLI} run my.scenario.yaml --out report writes report/${LOG_FILE}.`,
    exitCode: 2,
  });

/** Reads the files of an earlier run: the header of its log, the log itself, and its deliveries. */

import { dirname, join } from 'node:path';
import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/command-form.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { Again } from '../story/again.ts';
import type { ReadText } from '../story/merged-file.ts';
import type { Values } from '../story/story.ts';
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
  /** Steps on later lines were left out. */
  readonly until: number | undefined;
}

/** The first attempt to deliver an event to a receiver. */
export interface RecordedDelivery {
  /** Ms from the start of the story. */
  readonly atMs: number;
  readonly receiver: string;
  readonly eventId: string;
  readonly type: EventType;
  readonly body: string;
}

export interface RecordedRun {
  readonly header: RunHeader;
  /** Each with its newline. */
  readonly lines: readonly string[];
}

/** Throws an `Outage` with exit code 2 if the file is not the log of a run. */
export function readRun(file: string, read: ReadText): RecordedRun {
  const text = read(file);
  if (text === undefined) throw wrong(`${file} cannot be read.`);
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [`${line}\n`]));
  const head = parsed(lines[0] ?? '');
  if (head?.k !== 'head') throw wrong(`${file} is no log of a run: its first line is no header.`);
  const { version, scenario, file: story, seed } = head.d;
  if ([version, scenario, story, seed].some((one) => typeof one !== 'string'))
    throw wrong(`${file} is no log of a run: its header lacks version, scenario, file or seed.`);
  const values = (head.d['case'] ?? null) as Values | null;
  const set = (head.d['set'] ?? {}) as Values;
  const { until } = head.d;
  return { header: { version, scenario, file: story, seed, values, set, until } as RunHeader, lines };
}

/** Where an incomplete log breaks off. */
export interface Cut {
  /** The last line, from 1. */
  readonly line: number;
  /** Time of the last complete record, ms from the start. */
  readonly atMs: number;
  /** The last line itself is cut off. */
  readonly within: boolean;
}

/** Null for a complete log: every line is a record, and one is the end of the story. */
export function cutOf({ lines }: RecordedRun): Cut | null {
  const records = lines.map(parsed);
  const broken = records.indexOf(null);
  if (broken < 0 && records.some((record) => record?.k === 'end')) return null;
  const whole = broken < 0 ? records : records.slice(0, broken);
  return { line: broken < 0 ? lines.length : broken + 1, atMs: whole.at(-1)?.t ?? 0, within: broken >= 0 };
}

/** In the order of their first attempts; `receiver` null: an event that several got, once. */
export function deliveriesOf(
  run: RecordedRun,
  file: string,
  receiver: string | null,
  read: ReadText,
): RecordedDelivery[] {
  const beside = join(dirname(file), EVENTS_FILE);
  const events = read(beside);
  if (events === undefined)
    throw wrong(`${beside} is not there, and it holds the bodies. Play the story again with --out: it writes both.`);
  const bodies = new Map(
    events
      .split('\n')
      .flatMap((body) => (body === '' ? [] : [[(JSON.parse(body) as { id: string }).id, body] as const])),
  );
  const once = new Set<string>();
  return run.lines.flatMap((line): RecordedDelivery[] => {
    const record = parsed(line);
    if (record?.k !== 'dlv' || (receiver !== null && record.who !== receiver)) return [];
    const { event, type } = record.d as { event: string; type: EventType };
    const body = bodies.get(event);
    if (once.has(event) || body === undefined) return [];
    once.add(event);
    return [{ atMs: record.t, receiver: record.who ?? '', eventId: event, type, body }];
  });
}

/** Short names of the receivers of deliveries. */
export function receiversOf({ lines }: RecordedRun): string[] {
  const names = lines.map(parsed).flatMap((record) => (record?.k === 'dlv' ? [record.who ?? ''] : []));
  return [...new Set(names)].filter((name) => name !== '');
}

function parsed(line: string): ReadRecord | null {
  try {
    return JSON.parse(line) as ReadRecord;
  } catch {
    return null;
  }
}

const wrong = (message: string): Outage =>
  new Outage({
    code: 'no_run',
    message,
    cure: `Name the ${LOG_FILE} of a run: ${CLI} run my.scenario.yaml --out report writes report/${LOG_FILE}.`,
    exitCode: 2,
  });

/** The subjects `worker`, `device` and `position`, as the API answers an unscoped client now, and `watch`, the screen. */

import type { TObject } from 'typebox';
import { Device, Position, Worker } from '../../../contract/resources.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { DownAlertState, MusterNotice } from '../../../contract/watch.ts';
import { didYouMean, shown } from '../../../plant/mistakes.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../story/matchers.ts';
import { readMatcher, reportUnknownPerson, type StoryReading } from '../../story/read-matcher.ts';
import type { WatchScreen } from '../looks.ts';
import { needsOf, readObjectFields } from './parts.ts';
import type { CheckSight, LookResult, ReadSubject } from './subject.ts';

/** Polling interval: no notice announces a position or a screen; simulated ms. */
const LOOK_EVERY_MS = 500;

const TRIGGERS = new Set([
  ...(['alert-changed', 'muster-changed', 'watch-online', 'watch-offline', 'uplink-heard', 'event-occurred'] as const),
]);

/** `worker: ana` and any field of the Worker. */
export const readWorkerSubject = resourceSubject('worker', Worker, 'a worker', (sight, id) => sight.look.worker(id));

/** `device: ana` and any field of the Device: the watch that ana wears. */
export const readDeviceSubject = resourceSubject('device', Device, 'a device', (sight, id) => sight.look.device(id));

function resourceSubject(
  word: 'worker' | 'device',
  schema: TObject,
  noun: string,
  look: (sight: CheckSight, workerId: string) => object | null,
): ReadSubject {
  return (fields, at) => {
    const who = readWho(fields[word], at.of(word));
    const { matcher, whole } = readObjectFields(fields, [word], at);
    reportMisshapen(matcher, schema, noun, at);
    if (who === null || !whole) return null;
    return subjectOf(word, who, fields, matcher, (sight, id) => {
      const body = look(sight, id);
      return body === null ? [absent(word)] : mismatches(matcher, body, sight);
    });
  };
}

/** `position: ana` with `visible` and `masked`, and any field of the Position. */
export const readPositionSubject: ReadSubject = (fields, at) => {
  const who = readWho(fields['position'], at.of('position'));
  const visible = readFlag(fields, 'visible', at);
  const masked = readFlag(fields, 'masked', at);
  const { matcher, whole } = readObjectFields(fields, ['position', 'visible', 'masked'], at);
  reportMisshapen(matcher, Position, 'a position', at);
  if (who === null || visible === null || masked === null || !whole) return null;
  return subjectOf('position', who, fields, matcher, (sight, id) => {
    const position = sight.look.position(id);
    const missed: Mismatch[] = [];
    if (visible !== undefined && visible !== (position !== null))
      missed.push({ path: 'visible', expected: String(visible), got: String(position !== null) });
    if (position === null) return visible === false ? missed : [...missed, absent('position')].slice(0, 1);
    if (masked !== undefined && position.location.masked !== masked)
      missed.push({ path: 'masked', expected: String(masked), got: String(position.location.masked) });
    return [...missed, ...mismatches(matcher, position, sight)];
  });
};

const SHOWS = ['prompt', 'alert', 'muster', 'rest', 'vehicle', 'nothing'] as const;
type Shows = (typeof SHOWS)[number];

/** `watch: ana`, `shows` (prompt, alert, muster, rest, vehicle, nothing) and the fields of what it shows. */
export const readWatchSubject: ReadSubject = (fields, at) => {
  const who = readWho(fields['watch'], at.of('watch'));
  const { shows } = fields;
  if (!Object.hasOwn(fields, 'shows'))
    return at.mistake(`"watch" needs "shows". Write shows: ${SHOWS.join(', ')}.`, 'key');
  if (!SHOWS.includes(shows as Shows)) {
    const meant = didYouMean(String(shows), SHOWS);
    return at.of('shows').mistake(`${shown(shows)} is not what a watch shows.${meant}`);
  }
  const { matcher, whole } = readObjectFields(fields, ['watch', 'shows'], at);
  if (shows === 'alert') reportMisshapen(matcher, DownAlertState, 'an alert on the watch', at);
  if (shows === 'muster') reportMisshapen(matcher, MusterNotice, 'a muster on the watch', at);
  if (who === null || !whole) return null;
  return subjectOf('watch', who, fields, matcher, (sight, id) => {
    const screen = sight.look.watch(id);
    if (screen === null) return [{ path: 'watch', expected: 'an emulated watch', got: '(absent)' }];
    return screenMismatches(shows as Shows, matcher, screen, sight);
  });
};

function screenMismatches(shows: Shows, matcher: Matcher, screen: WatchScreen, sight: CheckSight): Mismatch[] {
  const said = saidBy(screen);
  const got = said.length === 0 ? 'nothing' : said.join(', ');
  if (shows === 'nothing') return said.length === 0 ? [] : [{ path: 'shows', expected: 'nothing', got }];
  if (!said.includes(shows)) return [{ path: 'shows', expected: shows, got }];
  if (shows === 'rest') return [];
  const bodies = shows === 'alert' ? screen.alerts : [screen[shows]];
  const attempts = bodies.map((body) => mismatches(matcher, body, sight));
  return attempts.reduce((best, one) => (one.length < best.length ? one : best), attempts[0] ?? []);
}

function saidBy({ prompt, alerts, muster, rest, vehicle }: WatchScreen): Exclude<Shows, 'nothing'>[] {
  return [
    ...(prompt === null ? [] : (['prompt'] as const)),
    ...(alerts.length === 0 ? [] : (['alert'] as const)),
    ...(muster === null ? [] : (['muster'] as const)),
    ...(rest === null ? [] : (['rest'] as const)),
    ...(vehicle === null ? [] : (['vehicle'] as const)),
  ];
}

const absent = (what: string): Mismatch => ({ path: what, expected: 'any', got: '(absent)' });

/** Everybody of a crowd must match. */
function subjectOf(
  word: string,
  who: string,
  fields: JsonMap,
  matcher: Matcher,
  judge: (sight: CheckSight, workerId: string) => Mismatch[],
): ReturnType<ReadSubject> {
  const keys = Object.keys(fields).filter((key) => key !== word);
  const look = (sight: CheckSight): LookResult => {
    const ids = sight.workerIds(who);
    const missed = ids.flatMap((id, i) =>
      judge(sight, id).map((miss) => (ids.length === 1 ? miss : { ...miss, path: `${who}[${i}].${miss.path}` })),
    );
    if (missed.length > 0) return { matched: false, mismatches: missed, candidates: ids.length };
    return { matched: true, found: [], at: null };
  };
  const said = keys.map((key) => `${key} ${typeof fields[key] === 'object' ? '…' : String(fields[key])}`);
  return {
    word,
    text: [`${word} ${who}`, ...said].join(' '),
    lasts: true,
    triggers: TRIGGERS,
    everyMs: LOOK_EVERY_MS,
    needs: needsOf(matcher),
    names: null,
    all: null,
    look,
  };
}

function readWho(value: unknown, at: StoryReading): string | null {
  if (typeof value === 'string' && at.cast.has(value)) return value;
  if (value !== undefined) reportUnknownPerson(value, at, at.cast);
  return null;
}

function readFlag(fields: JsonMap, key: string, at: StoryReading): boolean | null | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return value;
  readMatcher(value, at.of(key));
  return at.of(key).mistake(`${quoted(value)} is neither true nor false. Write ${key}: true.`);
}

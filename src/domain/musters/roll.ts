/** The roll: the final state of each person in a muster, kept for the report. No view of the API reads it. [decisions 6] */
import type { Instant } from '../../base/clock.ts';
import { workerSnapshot } from '../alerts/snapshots.ts';
import type { ChangeOf } from '../changes.ts';
import { needsRescue } from '../views/muster.ts';
import { lastSeenAt } from '../watches/contact.ts';
import type { Expected, Muster, Roll, RollLine, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { safety } from './count.ts';
import { NONE } from './inside.ts';
import { validPoints } from './targets.ts';

/** Lines of all rolls together, some 60 MB of memory; the oldest rolls make room. */
const MOST_LINES = 200_000;

/** All counted people as of the last count; `changed`: those whose state a count just made alters. */
export function lastLines(world: World, muster: Muster, now: Instant, changed: readonly Expected[] = []): RollLine[] {
  const people = new Map(world.indexes.expectedIn(muster.id));
  for (const person of changed) people.set(person.workerId, person);
  const valid = validPoints(muster);
  const lines: RollLine[] = [];
  for (const person of people.values()) {
    const worker = world.get('worker', person.workerId);
    if (person.counted && worker !== undefined) lines.push(lineOf(world, person, worker, valid, now));
  }
  return lines.sort((a, b) => (a.worker.id < b.worker.id ? -1 : 1));
}

function lineOf(world: World, person: Expected, worker: Worker, valid: ReadonlySet<string>, now: Instant): RollLine {
  const telemetry = worker.deviceId === null ? null : world.telemetry(worker.deviceId);
  const { status, point, declared, marked } = person;
  const named = (id: string) => ({ id, name: world.get('zone', id)?.name ?? '' });
  const safe = status === 'safe';
  return {
    worker: workerSnapshot(worker),
    status,
    helpReason: person.helpReason,
    point: point === null ? null : { ...named(point.id), valid: point.valid },
    safeBy: safe ? (safety(valid, now, person, telemetry?.stays ?? NONE)?.by ?? null) : null,
    declared:
      declared === null
        ? null
        : { point: named(declared.pointId), at: declared.at, contradicted: declared.contradicted },
    marked:
      marked === null
        ? null
        : { point: marked.pointId === null ? null : named(marked.pointId), at: marked.at, by: marked.by },
    since: person.since ?? null,
    firstSafeAt: person.firstSafeAt ?? null,
    lastSeenAt: telemetry === null ? null : lastSeenAt(telemetry),
    needsRescue: !safe && needsRescue(world, worker.id),
  };
}

export function rollClosed(world: World, roll: Roll): ChangeOf<'roll-closed'> {
  const before = [...world.all('roll')].sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  let lines = roll.rows.length;
  const forgotten: string[] = [];
  for (const { id, rows } of before) {
    lines += rows.length;
    if (lines > MOST_LINES) forgotten.push(id);
  }
  return { kind: 'roll-closed', roll, forgotten };
}

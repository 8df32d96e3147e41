/** Converts a roll to rows and back: for 10,000 people, rows take a third of the space of objects. */
import type { Roll, RollLine, RollRow } from '../world/documents.ts';

export function rowsOf(id: string, at: number, lines: readonly RollLine[]): Roll {
  const [points, contractors] = [new RollPlaces<string>(), new RollPlaces<string>()];
  const names: string[] = [];
  const placeOf = (point: { readonly id: string; readonly name: string }): number => {
    const place = points.of(point.id);
    names[place] = point.name;
    return place;
  };
  const rows = lines.map((line): RollRow => {
    const { worker, point, declared, marked } = line;
    return [
      ...([worker.id, worker.externalId, worker.name] as const),
      worker.contractor === null ? null : contractors.of(worker.contractor),
      ...([line.status, line.helpReason, line.safeBy] as const),
      point === null ? null : [placeOf(point), point.valid],
      declared === null ? null : [placeOf(declared.point), declared.at, declared.contradicted],
      marked === null ? null : [marked.point === null ? null : placeOf(marked.point), marked.at, marked.by],
      ...([line.since, line.firstSafeAt, line.lastSeenAt, line.needsRescue, line.critical, line.fix] as const),
    ];
  });
  const named = points.all().map((pointId, place) => ({ id: pointId, name: names[place] ?? '' }));
  return { id, at, points: named, contractors: contractors.all(), rows };
}

/** In the order of the workers' ids. */
export function linesOf({ points, contractors, rows }: Roll): RollLine[] {
  const pointAt = (place: number) => points[place] ?? { id: '', name: '' };
  return rows.map((row) => {
    const [id, externalId, name, contractor, status, helpReason, safeBy, ...rest] = row;
    const [point, declared, marked, since, firstSafeAt, lastSeenAt, needsRescue, critical, fix] = rest;
    return {
      worker: { id, externalId, name, contractor: contractor === null ? null : (contractors[contractor] ?? null) },
      status,
      helpReason,
      safeBy,
      point: point === null ? null : { ...pointAt(point[0]), valid: point[1] },
      declared: declared === null ? null : { point: pointAt(declared[0]), at: declared[1], contradicted: declared[2] },
      marked:
        marked === null
          ? null
          : { point: marked[0] === null ? null : pointAt(marked[0]), at: marked[1], by: marked[2] },
      since,
      firstSafeAt,
      lastSeenAt,
      needsRescue,
      critical,
      fix,
    };
  });
}

/** Stores each value once, with its index. */
class RollPlaces<T> {
  readonly #places = new Map<T, number>();

  of(value: T): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.#places.size);
    return this.#places.size - 1;
  }

  all(): T[] {
    return [...this.#places.keys()];
  }
}

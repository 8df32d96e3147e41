/** Ground truth of a run, for a report that was asked for it: where people really are, their names, and privacy zones. [decisions 4] */
import { frame } from '../../base/geometry/shapes.ts';
import type { Scenario } from '../model/scenario.ts';
import type { TruePosition } from '../playing/ports.ts';
import { DEGREE_PARTS, type ReportPerson, type ReportTruth } from './seen/truth.ts';

/** Sampling interval, simulated ms; it equals the reporting interval of a watch. */
const EVERY_MS = 5_000;

export class TrueTracks {
  readonly #tracks = new Map<string, number[]>();
  #sampledAt = Number.NEGATIVE_INFINITY;

  /** `positions` is called only when a sample is due. */
  sample(t: number, positions: () => readonly TruePosition[]): void {
    if (t - this.#sampledAt < EVERY_MS) return;
    this.#sampledAt = t;
    for (const { workerId, latitude, longitude } of positions()) {
      const track = this.#tracks.get(workerId) ?? [];
      this.#tracks.set(workerId, track);
      const [north, east] = [Math.round(latitude * DEGREE_PARTS), Math.round(longitude * DEGREE_PARTS)];
      if (track.at(-2) !== north || track.at(-1) !== east) track.push(Math.round(t), north, east);
    }
  }

  report({ plan }: Scenario, people: readonly ReportPerson[]): ReportTruth {
    const sites = plan.organizations.flatMap((organization) => organization.sites);
    const names = new Map(sites.flatMap(({ workers }) => workers.map(({ externalId, name }) => [externalId, name])));
    return {
      people: people.map(({ workerId, code }) => ({
        workerId,
        name: names.get(code ?? '') ?? null,
        track: this.#tracks.get(workerId) ?? [],
      })),
      privacyZones: sites.flatMap(({ name: site, origin, zones }) =>
        zones
          .filter(({ type }) => type === 'privacy')
          .map(({ name, ring }) => ({ site, name, ring: ring.map((point) => frame(origin).toDegrees(point)) })),
      ),
    };
  }
}

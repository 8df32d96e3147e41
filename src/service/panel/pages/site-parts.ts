/** The live parts of a site: the map with the assembly points, the list of people beside it, and the curve. */
import { type Html, html } from '../../../base/text/html.ts';
import { regionSection } from '../../../watching/regions/regions.ts';
import type { PanelLook } from '../../../watching/regions/scene.ts';
import { countsText, type PointCounts, recentOf } from '../../../watching/state/arrivals.ts';
import type { CourseStretch } from '../../domain/world/muster-documents.ts';

interface ShownMuster {
  readonly id?: string;
  /** Of the active muster; empty without one. */
  readonly course: readonly CourseStretch[];
}

/**
 * The map is first where it fits beside the list. On a narrow screen the parts are below each other in the order of the
 * document: an operator with a phone needs the names first. Without a muster's `id` the page follows the active one.
 */
export function siteParts(look: PanelLook, siteId: string, { id, course }: ShownMuster): Html {
  const about = { site: siteId };
  const muster = id === undefined ? about : { site: siteId, muster: id };
  const recent = recentOf(countsOf(course), look.now);
  const points = recent.length === 0 ? muster : { ...muster, recent: countsText(recent) };
  return html`${regionSection('banner', look, muster)}${regionSection('not-safe', look, muster)}<p class="to-map"><a href="#plan">Map and assembly points</a></p><div class="watch">${regionSection('people', look, about)}<div class="plan" id="plan" tabindex="-1">${regionSection('map', look, { ...about, size: 'large' })}${regionSection('points', look, points)}${regionSection('other-alerts', look, about)}</div>${regionSection('curve', look, muster)}</div>`;
}

/** The people at each point, at each count of the muster. */
const countsOf = (course: readonly CourseStretch[]): PointCounts[] =>
  course.flatMap(({ points, samples }) =>
    samples.map(({ at, safeAt }) => ({
      at,
      counts: Object.fromEntries(points.map(({ id }, place) => [id, safeAt[place] ?? 0])),
    })),
  );

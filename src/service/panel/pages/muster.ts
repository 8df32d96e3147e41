/** The page of a muster: banner, curve, points, missing people, timeline, and the report. [spec 2 Muster] */
import { type Html, html } from '../../../base/text/html.ts';
import { curveView } from '../../../watching/regions/curve.ts';
import { bannerView, musterTitle, pointsView } from '../../../watching/regions/muster.ts';
import { regionSection } from '../../../watching/regions/regions.ts';
import type { PanelLook } from '../../../watching/regions/scene.ts';
import { rowsAtEnd } from '../../../watching/state/not-safe.ts';
import { musterView } from '../../domain/views/muster.ts';
import type { CourseStretch, Muster } from '../../domain/world/muster-documents.ts';
import type { PanelPage } from '../document.ts';
import { timelineView } from './overview.ts';
import { siteParts } from './site-parts.ts';

export function musterPage(look: PanelLook, muster: Muster, course: readonly CourseStretch[]): PanelPage {
  const { id, site } = muster;
  const title = musterTitle(musterView(muster));
  const timeline = html`<section class="log"><h2>Timeline</h2><div id="timeline" data-changes="muster ${id}">${musterPart(muster)}</div>${takeHome(id)}</section>`;
  if (muster.status !== 'active')
    return { title, site: site.id, main: html`${overParts(look, muster, course)}${timeline}` };
  const actions = regionSection('steer', look, { site: site.id });
  return { title, site: site.id, actions, main: html`${siteParts(look, site.id, { id, course })}${timeline}` };
}

/** Fetched again when the muster changes. */
export const musterPart = (muster: Muster): Html => timelineView(muster.timeline);

/** The parts of a closed muster, which does not change. Figures that its totals lack come from its last headcount. */
function overParts(look: PanelLook, muster: Muster, course: readonly CourseStretch[]): Html {
  const { now, reader, world } = look;
  const counts = course.flatMap(({ samples }) => samples);
  const [stretch, last] = [course.at(-1), counts.at(-1)];
  const safeAt = Object.fromEntries(stretch?.points.map(({ id }, place) => [id, last?.safeAt[place] ?? 0]) ?? []);
  const view = musterView(
    last === undefined
      ? muster
      : { ...muster, totals: { ...last.totals, ...known(muster.totals) }, safeAt: muster.safeAt ?? safeAt },
  );
  const curve = counts.map(({ at, totals }) => ({ at, safe: totals.safe }));
  const zones = world.sites.get(muster.site.id)?.zones ?? [];
  return html`<section>${bannerView({ muster: view, rows: rowsAtEnd(world, view), now }, true)}</section>${regionSection('not-safe', look, { site: muster.site.id, muster: muster.id })}<div class="split"><section class="curve">${curveView(view, curve, now)}</section><section>${pointsView(view, zones, reader)}</section></div>`;
}

const known = (totals: Muster['totals']): Partial<Muster['totals']> =>
  Object.fromEntries(Object.entries(totals).filter(([, people]) => people !== null));

const takeHome = (id: string): Html =>
  html`<h2>Report</h2><p class="report"><a href="/panel/musters/${id}/report">Printable report</a> <a href="/panel/musters/${id}/report.csv" download>People as CSV</a> <a href="/panel/musters/${id}/report.csv?part=timeline" download>Timeline as CSV</a> <a href="/panel/musters/${id}/report.csv?part=course" download>Course as CSV</a></p><p class="links"><a href="/panel/deliveries?about=${id}">Its deliveries</a></p>`;

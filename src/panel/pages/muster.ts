/** The page of one evacuation: its banner, curve and points, who is missing, what the control room did, and what to take home. [spec 2 Muster] */
import { type Html, html } from '../../base/html.ts';
import { musterView } from '../../domain/views/muster.ts';
import type { Muster } from '../../domain/world/documents.ts';
import type { CurvePoint } from '../../watching/world.ts';
import type { Page } from '../document.ts';
import { curveView } from '../view/curve.ts';
import { bannerView, musterTitle, pointsView } from '../view/muster.ts';
import { regionSection } from '../view/regions.ts';
import type { Look } from '../view/scene.ts';
import { timelineView } from './timeline.ts';

/** `samples`: how many were safe at each count that changed something. */
export function musterPage(seen: Look, muster: Muster, samples: readonly CurvePoint[]): Page {
  const look = { ...seen, world: { ...seen.world, curves: new Map([[muster.id, samples]]) } };

  const { id, site } = muster;
  const about = { site: site.id, muster: id };
  const title = musterTitle(musterView(muster));
  const timeline = html`<div id="timeline" data-changes="muster ${id}">${musterPart(muster)}</div>`;
  if (muster.status !== 'active')
    return { title, site: site.id, main: html`${overParts(look, muster)}<h2>Timeline</h2>${timeline}${takeHome(id)}` };
  const main = html`${regionSection('banner', look, about)}${regionSection('steer', look, about)}<div class="split">${regionSection('map', look, { site: site.id, size: 'large' })}<div>${regionSection('curve', look, about)}${regionSection('points', look, about)}</div></div>${regionSection('people', look, { site: site.id })}${regionSection('alerts', look, { site: site.id })}<h2>Timeline</h2>${timeline}${takeHome(id)}`;
  return { title, site: site.id, main, curve: { muster: id, samples } };
}

/** What the browser asks for again when the muster changed. */
export const musterPart = (muster: Muster): Html => timelineView(muster.timeline);

/** A closed muster stays as it is: nothing of it lives. */
function overParts({ now, reader, world }: Look, muster: Muster): Html {
  const view = musterView(muster);
  const curve: readonly CurvePoint[] = world.curves.get(muster.id) ?? [];
  return html`<section>${bannerView(view, now, true)}</section><section class="curve">${curveView(view, curve, now)}</section><section>${pointsView(view, reader)}</section>`;
}

const takeHome = (id: string): Html =>
  html`<h2>Report</h2><p class="report"><a href="/panel/musters/${id}/report">Printable report</a> <a href="/panel/musters/${id}/report.csv" download>People as CSV</a> <a href="/panel/musters/${id}/report.csv?part=timeline" download>Timeline as CSV</a> <a href="/panel/musters/${id}/report.csv?part=course" download>Course as CSV</a></p>`;

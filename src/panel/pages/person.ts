/** The page of one worker, as a panel user may see them. [decisions 4] */
import { html } from '../../base/html.ts';
import type { PanelPage } from '../document.ts';
import { regionSection } from '../view/regions.ts';
import type { PanelLook } from '../view/scene.ts';

export function personPage(look: PanelLook, workerId: string): PanelPage | null {
  const worker = look.world.workers.get(workerId);
  if (worker === undefined) return null;
  const site = worker.site_id;
  const about = { site, worker: workerId };
  return {
    title: worker.name ?? worker.external_id ?? 'Worker',
    site,
    deeds: regionSection('person-deeds', look, about),
    main: html`<div class="split"><div>${regionSection('person', look, about)}${regionSection('alerts', look, about)}</div>${regionSection('map', look, { ...about, size: 'large' })}</div>`,
  };
}

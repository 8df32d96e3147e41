/** Ground truth on the map of a site, and as text: where people really are, and the shapes of privacy zones. Only with its badge. [decisions 4] */
import { type Html, html } from '../../../base/text/html.ts';
import type { StreamSite } from '../../../contract/stream.ts';
import { areaShape } from '../../../watching/drawing/plan.ts';
import { deci } from '../../../watching/regions/window.ts';
import { siteFrameOf } from '../../../watching/state/site-frame.ts';
import { type ReportTruth, truePlaceAt } from '../seen/truth.ts';

/** Everybody of the run who is inside the frame of the map of this site. */
export function truthLayer(site: StreamSite, { people, privacyZones }: ReportTruth, t: number): Html {
  const { flat } = siteFrameOf(site);
  const sheet = { place: ([x, y]: readonly [number, number]) => [deci(x), deci(-y)] as const };
  const zones = privacyZones
    .filter((zone) => zone.site === site.name)
    .map(({ name, ring }) =>
      areaShape(
        sheet,
        ring.map((corner) => flat.toMetres(corner)),
        'zone privacy',
        `${name} (privacy)`,
      ),
    );
  const path = people
    .map(({ track }) => truePlaceAt(track, t))
    .flatMap((at) => (at === null ? [] : [sheet.place(flat.toMetres(at))]))
    .map(([x, y]) => `M${x} ${y}h0`)
    .join('');
  return html`${zones}<path class="true-places" d="${path}"></path>`;
}

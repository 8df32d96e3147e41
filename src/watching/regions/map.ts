/** The map of a site as SVG, with its legend. [spec 2 Zone, Location] */

import { Html, html } from '../../base/text/html.ts';
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { locatedAmong, type StatusRank } from '../state/people.ts';
import { siteFrameOf } from '../state/site-frame.ts';
import { mapGroundOf } from './ground.ts';
import { DOT_STATUSES, dotsOf, marksOf, withNames } from './marks.ts';
import { type PanelScene, RANKS } from './scene.ts';
import { deci, firstOf, scaleOf, viewBoxOf } from './window.ts';

/** The size that the server assumes; CSS pixels. */
const SIZE_PX = { large: [660, 470], small: [380, 240] } as const;
export type MapSize = keyof typeof SIZE_PX;

/** Highlights in addition to the people. */
interface Pointed {
  /** The location of an alert. */
  readonly pin?: { readonly latitude: number; readonly longitude: number } | null;
  /** A person who is marked regardless of the status. */
  readonly worker?: string | null;
}

const pinView = (site: StreamSite, pin: { readonly latitude: number; readonly longitude: number }): Html => {
  const [x, y] = siteFrameOf(site).flat.toMetres(pin);
  return html`<g class="pin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="30"></circle><text x="${deci(x)}" y="${deci(-y)}">✛</text></g>`;
};

const ZOOM = html`<div class="zoom" hidden><button type="button" data-zoom="in" aria-label="Nearer">+</button><button type="button" data-zoom="out" aria-label="Farther">−</button><button type="button" data-zoom="all" aria-label="The whole site">⤢</button></div>`;

/** The symbols that this map may contain now. */
function legendView({ active }: PanelScene, { pin, worker }: Pointed): Html {
  const ranks: readonly StatusRank[] = active === null ? ['rescue', 'not_worn', 'person'] : [...RANKS, 'helping'];
  const item = (rank: StatusRank): Html => {
    const word = active === null && rank === 'rescue' ? 'critical alert' : PERSON_TERMS[rank].word;
    // On the map these people are dots, and lists have the glyph; that of safe people is a dot.
    const dot =
      rank !== 'safe' && DOT_STATUSES.some((one) => one === rank) ? html`<i class="dot" aria-hidden="true"></i>` : null;
    return html`<li class="fare ${rank}">${dot}<i aria-hidden="true">${PERSON_TERMS[rank].glyph}</i> ${word}</li>`;
  };
  const pinned = pin == null ? new Html('') : html`<li class="fare rescue"><i aria-hidden="true">✛</i> the alert</li>`;
  const chosen =
    worker == null ? new Html('') : html`<li class="fare chosen"><i aria-hidden="true">◯</i> this person</li>`;
  return html`<ul class="legend" aria-label="Signs on the map">${pinned}${chosen}${ranks.map(item)}</ul>`;
}

/**
 * The list next to the map has the same content as text. The size of one CSS pixel in units of the map is an attribute, in which the
 * style gives the sizes of texts: a page may be opened under a policy without inline styles.
 */
export function mapView(scene: PanelScene, size: MapSize, pointed: Pointed = {}): Html {
  const { site, siteRows } = scene;
  const { pin = null, worker = null } = pointed;
  const isLarge = size === 'large';
  const window = firstOf(site);
  const [widthPx, heightPx] = SIZE_PX[size];
  const metresPerPx = scaleOf(window, widthPx, heightPx);
  const dots = dotsOf(scene, worker, metresPerPx);
  const paths = DOT_STATUSES.map((status) => html`<path class="dots ${status}" d="${dots[status]}"></path>`);
  const { view, labels, taken, coverable } = mapGroundOf(scene, window, metresPerPx, isLarge);
  const people = marksOf(scene, { window, metresPerPx, taken, coverable, chosen: worker });
  const marks = withNames(people, labels).map((mark) => mark.view());
  const tools = isLarge ? html`<div class="tools">${legendView(scene, pointed)}${ZOOM}</div>` : new Html('');
  const keys = isLarge ? new Html(' tabindex="0" role="group"') : new Html('');
  return html`<div class="map ${size}" data-map="${site.id}"${keys} aria-label="Map of ${site.name}; arrow keys move it, plus and minus zoom"><svg viewBox="${viewBoxOf(window)}" font-size="${10 * metresPerPx}" role="group" aria-label="Map of ${site.name}: ${locatedAmong(siteRows)} of ${siteRows.length} people are on it"><g class="ground">${view}</g><g class="layer">${scene.layer?.(site) ?? null}</g>${paths}<g class="marks">${marks}</g>${pin === null ? new Html('') : pinView(site, pin)}</svg>${tools}</div>`;
}

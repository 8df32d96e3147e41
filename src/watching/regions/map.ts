/** The map of a site as SVG, with its legend. [spec 2 Zone, Location] */

import { Html, html } from '../../base/text/html.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { locatedAmong, type MarkRank, markRankOf, termOfMark } from '../state/people.ts';
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

/** Safe first, then by severity. */
const IN_LEGEND: readonly MarkRank[] = [...RANKS.slice(0, 2), 'critical', ...RANKS.slice(2), 'helping', 'person'];
const WITHOUT_MUSTER: readonly MarkRank[] = ['critical', 'not_worn', 'person'];
const IN_MUSTER: readonly MarkRank[] = [...RANKS, 'helping'];

/** The symbols that a map usually has now, and those that it has besides. */
export function legendItems({ active, siteRows }: PanelScene, isPinned: boolean, worker: string | null): Html {
  const usual = active === null ? WITHOUT_MUSTER : IN_MUSTER;
  const onMap = siteRows.filter(({ person }) => person.location !== null);
  const drawn = new Set(onMap.map(markRankOf));
  const item = (rank: MarkRank): Html => {
    const { glyph, word } = termOfMark(rank);
    // On the map these people are dots, and lists have the glyph; that of safe people is a dot.
    const dot =
      rank !== 'safe' && DOT_STATUSES.some((one) => one === rank) ? html`<i class="dot" aria-hidden="true"></i>` : null;
    return html`<li class="fare ${rank}">${dot}<i aria-hidden="true">${glyph}</i> ${word}${rank === 'critical' ? ' alert' : ''}</li>`;
  };
  const pinned = isPinned ? html`<li class="fare critical"><i aria-hidden="true">✛</i> the alert</li>` : null;
  const isChosen = worker !== null && onMap.some(({ id }) => id === worker);
  const chosen = isChosen ? html`<li class="fare chosen"><i aria-hidden="true">◯</i> this person</li>` : null;
  return html`${pinned}${chosen}${IN_LEGEND.filter((rank) => usual.includes(rank) || drawn.has(rank)).map(item)}`;
}

/** The name of the map for screen readers. */
export const mapLabel = ({ site, siteRows }: PanelScene): string =>
  `Map of ${site.name}: ${locatedAmong(siteRows)} of ${siteRows.length} people are on it`;

/**
 * The list next to the map has the same content as text. The size of one CSS pixel in units of the map is an attribute, in which the
 * style gives the sizes of texts: a page may be opened under a policy without inline styles.
 */
export function mapView(scene: PanelScene, size: MapSize, pointed: Pointed = {}): Html {
  const { site } = scene;
  const { pin = null, worker = null } = pointed;
  const isLarge = size === 'large';
  const window = firstOf(site);
  const [widthPx, heightPx] = SIZE_PX[size];
  const metresPerPx = scaleOf(window, widthPx, heightPx);
  const dots = dotsOf(scene, worker, metresPerPx);
  const paths = DOT_STATUSES.map((status) => html`<path class="dots ${status}" d="${dots[status]}"></path>`);
  const { view, names, taken, coverable } = mapGroundOf(scene, window, metresPerPx, isLarge);
  const people = marksOf(scene, { window, metresPerPx, taken, coverable, chosen: worker });
  const marks = withNames(people, names).map((mark) => mark.view());
  const tools = isLarge
    ? html`<div class="tools"><ul class="legend" aria-label="Signs on the map">${legendItems(scene, pin !== null, worker)}</ul>${ZOOM}</div>`
    : new Html('');
  const keys = isLarge ? new Html(' tabindex="0" role="group"') : new Html('');
  return html`<div class="map ${size}" data-map="${site.id}"${keys} aria-label="Map of ${site.name}; arrow keys move it, plus and minus zoom"><svg viewBox="${viewBoxOf(window)}" font-size="${10 * metresPerPx}" role="group" aria-label="${mapLabel(scene)}"><g class="ground">${view}</g><g class="layer">${scene.layer?.(site) ?? null}</g>${paths}<g class="marks">${marks}</g>${pin === null ? new Html('') : pinView(site, pin)}</svg>${tools}</div>`;
}

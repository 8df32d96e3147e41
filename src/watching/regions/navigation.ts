/** The links of the header, with the number of what is open, active and failing behind them. */
import { Html, html } from '../../base/text/html.ts';
import { siteLinks } from '../../base/text/site-header.ts';
import { isOpen, isOpenCritical } from '../state/people.ts';
import { type StreamState, sitesOf } from '../state/state.ts';
import type { PanelLook } from './scene.ts';

/** A number, and the words that it has for a screen reader or for everybody. Not shown if it is 0. */
interface LinkCount {
  readonly count: number;
  readonly hidden?: string;
  readonly shown?: string;
  /** True if somebody should look at once. */
  readonly isUrgent: boolean;
}

function alertCount({ alerts }: StreamState): LinkCount {
  const open = [...alerts.values()].filter(isOpen);
  const isUrgent = open.some((alert) => isOpenCritical(alert) && alert.status === 'unacknowledged');
  return { count: open.length, hidden: 'open', isUrgent };
}

function musterCount({ musters }: StreamState): LinkCount {
  const active = [...musters.values()].filter(({ status }) => status === 'active');
  const isUrgent = active.some(({ totals }) => totals.safe < totals.expected);
  return { count: active.length, hidden: 'active', isUrgent };
}

/** Deliveries that have failed and will be tried again. */
function failingCount({ deliveries }: StreamState): LinkCount {
  const failing = [...deliveries.values()].filter(({ state, tries }) => state === 'waiting' && tries > 0);
  return { count: failing.length, shown: 'failing', isUrgent: false };
}

/** The numbers behind the links of the header. */
const COUNTS: Readonly<Record<string, (world: StreamState) => LinkCount>> = {
  '/panel/alerts': alertCount,
  '/panel/musters': musterCount,
  '/panel/deliveries': failingCount,
};

/** `here`: the path of the page, whose link is marked. */
export function navView({ world }: PanelLook, { here = '' }: { readonly here?: string }): Html {
  const after = (to: string) => {
    const countOf = COUNTS[to];
    return countOf === undefined ? null : countView(countOf(world));
  };
  const sites = sitesOf(world).map(({ id, name }) => {
    const to = `/panel/sites/${id}`;
    return html`<a href="${to}"${new Html(to === `/${here}` ? ' aria-current="page"' : '')}>${name}</a>`;
  });
  return html`${siteLinks(`/${here}`, { after })}<span class="sites">${sites}</span>`;
}

function countView({ count, hidden, shown, isUrgent }: LinkCount): Html {
  if (count === 0) return new Html('');
  const words = hidden === undefined ? html` ${shown ?? ''}` : html`<span class="hidden"> ${hidden}</span>`;
  return html` <b class="count${isUrgent ? ' hot' : ''}">${count}${words}</b>`;
}

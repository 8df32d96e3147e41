/** The style of a run's page beyond that of all reports: the regions of the panel look as they do there. */
import { shades } from '../../../base/text/shades.ts';
import { STYLE } from '../../../watching/regions/style.ts';

/** What the panel sets for its whole page. */
const TOKENS = `
:root{--card:var(--page);--shadow:none;${shades({ ground: ['#f8fafb', '#11171e'], building: ['#e3e8ee', '#232c37'] })}}`;

/** What the elements of all reports have must not reach the regions. */
const RESET = `
.regions .plot svg{background:none;border:0}.regions time,.regions code{font:inherit;font-variant-numeric:tabular-nums}.regions :is(h2,h3){border:0;padding:0}.regions .legend i{height:auto;margin-right:0;border-radius:0}.regions .legend .dot{height:6px;border-radius:50%;margin-right:.2rem}`;

const OWN = `
.at-site>h3{font-size:1.05rem;margin:.2rem 0 .4rem}.at-site+.at-site{margin-top:1.4rem;border-top:1px solid var(--line);padding-top:.8rem}
.at-site section.region:not(:empty){padding:0;border:0;border-radius:0;box-shadow:none;margin:0 0 .9rem}.at-site .scroll.list{max-height:16rem}.live .at-site .map.large svg{max-height:38vh}.at-site td.do,.at-site th:has(+td.do){padding:0}.at-site h2{font-size:15px;margin:.8rem 0 .3rem}
.true-places{fill:none;stroke:var(--violet);stroke-width:6;stroke-linecap:square}.regions .zone.privacy{fill:color-mix(in srgb,var(--violet) 18%,transparent);stroke:var(--violet)}.true-key i{display:inline-block;width:7px;height:7px;background:var(--violet);margin-right:.2rem}.true-key,.room{font-size:13px;margin:.3rem 0}
.late{margin:.2rem 0;color:var(--red)}`;

export const RUN_STYLE = `${TOKENS}.regions{${STYLE}}${RESET}${OWN}`;

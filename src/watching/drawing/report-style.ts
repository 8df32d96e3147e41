/** The style of a report: light and dark, screen and print, without external resources. All text has a contrast of at least 4.5:1. */

import { shades } from '../../base/text/shades.ts';
import { TERM_VARIABLES, TOKEN_SHADES } from '../../contract/resources/palette.ts';

/** The colour of text on fills is `--on`: white on dark fills in light mode, dark on bright fills in dark mode. */
const SHADES = shades({
  ...TOKEN_SHADES,
  ink: ['#1d2430', '#dfe5ee'],
  dim: ['#55606f', '#9fabbc'],
  line: ['#dfe4ea', '#2c3541'],
  edge: ['#8a94a3', '#6b7788'],
  page: ['#fff', '#12161c'],
  soft: ['#f5f7fa', '#1a2029'],
  link: ['#0b5cad', '#82bbf7'],
  code: ['#0f1720', '#0b0f14'],
  'code-ink': ['#dce4ee', '#cfd8e3'],
  on: ['#fff', '#10151b'],
});

const COLOURS = `
:root{color-scheme:light dark;${SHADES};${TERM_VARIABLES}}`;

const TEXT = `
*{box-sizing:border-box}
body{margin:0 auto;max-width:104rem;padding:1rem 1.4rem 4rem;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:.3rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-top:1px solid var(--line);padding-top:.8rem}
h3{font-size:1.05rem;margin:.2rem 0 .6rem}h4{font-size:1rem;margin:1.2rem 0 .3rem}
a{color:var(--link)}.chapters a{text-decoration:none}a:hover{text-decoration:underline!important}
code,pre,time{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.dim,small{color:var(--dim)}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.verdict{display:inline-block;font-weight:700;padding:.1rem .7rem;border-radius:1rem;color:var(--on);background:var(--green)}.verdict.failed,.verdict.error{background:var(--red)}
[hidden]{display:none!important}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.5rem 1.2rem;margin:.8rem 0}
dl.facts div{border-left:3px solid var(--line);padding-left:.7rem}dt{font-size:12px;color:var(--dim)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
dd.hash{font:12px/1.4 ui-monospace,Menlo,monospace;font-weight:400}
pre{background:var(--code);color:var(--code-ink);padding:.8rem 1rem;border-radius:8px;overflow:auto;margin:.4rem 0}pre.command{white-space:pre-wrap;overflow-wrap:anywhere}
.truth{display:inline-block;font-size:12px;font-weight:700;letter-spacing:.06em;padding:0 .6em;border-radius:4px;color:var(--on);background:var(--violet);vertical-align:middle}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.3rem .6rem;z-index:9}
.rerun summary{padding:0}.reason{white-space:pre-wrap;overflow-wrap:anywhere}
.failure{border:1px solid var(--red);border-left-width:5px;border-radius:8px;padding:.5rem .9rem;margin:.6rem 0}.failure:focus{outline:3px solid var(--link);outline-offset:2px}
.hops{margin:0;color:var(--dim)}.hops a{margin-left:.8rem}.failure p{margin:.6rem 0 .2rem}.failure .hops{margin:0;font-size:13px}.failure h3{margin:.1rem 0 .3rem}.failure h3 a{color:var(--ink);text-decoration:none}.failure h3 time{color:var(--red);font-weight:700;margin-right:.4rem}
.live .failure:not(.chosen) .cause{display:none}.live .failure:not(.chosen){border-color:var(--line);border-left-color:var(--red)}.gots td:nth-child(2) code{color:var(--green)}.gots td:nth-child(3) code{color:var(--red)}
.near{margin:.6rem 0}.live .around{font-size:13px}.cause>.wide{max-height:17rem;overflow-y:auto}.failure h4{margin:.6rem 0 .2rem}
.around td:first-child,.around td:nth-child(2){white-space:nowrap}.around td:nth-child(2){color:var(--dim)}.is-begin td,.is-verdict td{font-weight:700}.is-verdict td{color:var(--red)}.around summary{padding:0}
.gots td{overflow-wrap:anywhere;min-width:6rem}
.chapters{display:flex;flex-wrap:wrap;gap:.3rem .5rem;list-style:none;padding:0;margin:.6rem 0}.chapters a{display:block;border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem}
`;

const DRAWINGS = `
svg:not(.regions *){display:block;width:100%;height:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .name{text-anchor:end;fill:var(--ink)}svg.narrow .name{text-anchor:start}svg .tick{fill:var(--dim)}
.if-narrow{display:none}.narrow-only{display:none}
.grid,.rail{stroke:var(--line);stroke-width:1}.cursor{stroke:var(--link);stroke-width:1.5;display:none}.live .cursor{display:block}
.lanes .step{fill:var(--dim)}.lanes .passed,.delivered{fill:var(--green)}.lanes path.failed,.lanes path.refused{stroke:var(--red);stroke-width:2.5;fill:none}
.lanes .lost{fill:var(--soft);stroke:var(--red);stroke-width:2}.lanes .waiting{fill:var(--soft);stroke:var(--ochre);stroke-width:2}
.lanes .mark{stroke:var(--link);stroke-width:2}.lanes .happened{fill:var(--link)}.lanes .waited{fill:var(--dim)}.lanes .result{stroke:var(--red);stroke-width:1.5;stroke-dasharray:4 3}.cursor.outside{display:none!important}.lanes .change{stroke:var(--page);stroke-width:2}.lanes .within{fill:var(--on);pointer-events:none}
.alert.critical{fill:var(--critical)}.alert.high{fill:var(--high)}.alert.medium{fill:var(--medium)}.alert.low{fill:var(--low)}
rect.muster{fill:var(--blue)}rect.muster.inspecting{fill:var(--violet)}rect.muster.completed,rect.muster.cancelled{fill:var(--grey)}
figure{margin:.8rem 0 1.4rem}figcaption{margin-bottom:.3rem}.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.4rem 0;font-size:13px}.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
.map{max-width:46rem;margin:.4rem 0}.map svg.plant{max-height:46vh}.boundary{fill:none;stroke:var(--dim);stroke-dasharray:6 5}
polygon.zone{fill:color-mix(in srgb,var(--dim) 12%,transparent);stroke:var(--dim);stroke-width:1}
polygon.assembly_point{fill:color-mix(in srgb,var(--green) 22%,transparent);stroke:var(--green)}
polygon.forbidden,polygon.restricted{fill:color-mix(in srgb,var(--red) 14%,transparent);stroke:var(--red)}polygon.privacy{fill:color-mix(in srgb,var(--violet) 18%,transparent);stroke:var(--violet)}
svg text.zone{text-anchor:middle;dominant-baseline:hanging;fill:var(--dim);font-size:17px}
`;

const PLAYER = `
.player{position:sticky;top:0;z-index:5;background:var(--page);border-bottom:1px solid var(--line);padding:.5rem 0 .4rem}
.controls,.filters{display:flex;flex-wrap:wrap;gap:.3rem .5rem;align-items:center}.controls time{font-size:16px;font-weight:700;margin-left:auto}.run{flex:1 1 12rem;min-width:0;margin:0;font-weight:600;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
button,select{font:inherit;font-size:14px;border:1px solid var(--edge);border-radius:6px;background:var(--soft);color:var(--ink);padding:.15rem .6rem}button{cursor:pointer}button:disabled{opacity:.5;cursor:default}button.main{min-width:5rem;font-weight:700;background:var(--link);color:var(--on);border-color:var(--link)}.to-failure{color:var(--red)}
select{max-width:15rem;min-height:26px;padding:.1rem .3rem}
button.jump{background:none;border:0;padding:0;color:var(--link);font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;text-decoration:underline;text-decoration-color:transparent;white-space:nowrap;min-height:24px}button.jump:hover,button.jump:focus-visible{text-decoration-color:currentColor}
:is(button,select,summary,a,input,.wide,pre):focus-visible{outline:3px solid var(--link);outline-offset:1px}
.scrubber{position:relative;margin:.3rem 0 0}.scrubber input{width:100%;margin:0;accent-color:var(--link)}.ticks{height:10px;background:none;border:0;border-radius:0;padding:0 8px}.ticks path{vector-effect:non-scaling-stroke;stroke:var(--dim);stroke-width:1}.ticks .tick-failure{stroke:var(--red);stroke-width:3}
.instant{min-height:1.5em;margin:.1rem 0 .3rem;font-size:14px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.filters{font-size:14px;color:var(--dim)}
#keys{position:relative;margin-left:auto}#keys[open] .help{position:absolute;right:0;top:100%;width:18rem;background:var(--page);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem;margin:0;box-shadow:0 4px 16px #0003;color:var(--ink)}#keys dl{margin:0}#keys dl div{display:flex;gap:.6rem;justify-content:space-between}#keys dd{font-weight:400}kbd{font:12px ui-monospace,Menlo,monospace;border:1px solid var(--edge);border-radius:4px;padding:0 .4em;margin-right:.2em}
.columns{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);grid-template-rows:auto 1fr;gap:0 2rem;align-items:start}.failures,.rest{grid-column:1}.now{grid-column:2;grid-row:1/3}.columns h2:first-child{border-top:0;margin-top:.6rem;padding-top:0}.live .now{position:sticky;top:var(--bar,8.5rem);max-height:calc(100vh - var(--bar,8.5rem));overflow-y:auto}
.failure,.live tr[id]{scroll-margin-top:calc(var(--bar,8.5rem) + .5rem)}
.rows{max-height:30rem;overflow:auto}.rows table{font-size:13px}.rows tr.later td,.rows tr.later summary{color:var(--dim)}.at-instant td{box-shadow:inset 0 -2px var(--link)}tr[aria-current] td{background:var(--soft);box-shadow:inset 0 -2px var(--link)}.rows td:nth-child(2){color:var(--dim)}
details dl.facts{grid-template-columns:1fr;gap:.1rem;margin:.3rem 0}details dl.facts div{display:flex;gap:.6rem;border:0;padding:0}details dl.facts dt{min-width:10rem;font-size:13px}details dl.facts dd{font-weight:400;font-size:13px}
`;

const REST = `
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-top:1px solid var(--line)}thead th{color:var(--dim);font-weight:600;border-top:0}
tr.mark td{font-weight:700;padding-top:.8rem}tr.failed td,tr.refused td{color:var(--red)}tr.failed small,tr.refused small{color:inherit}tr:target{outline:2px solid var(--link)}td.sign{width:1.2rem}
tr.passed .sign{color:var(--green)}.steps td:first-child,.steps td:nth-child(4){white-space:nowrap}.runs .why{color:var(--red)}
.attempt{display:inline-block;border:1px solid var(--line);border-radius:5px;padding:0 .5em;margin:.1rem 0;background:var(--soft)}.attempt.delivered{border-color:var(--green)}.attempt.lost{border-color:var(--red)}.attempt.waiting{border-color:var(--ochre)}
summary{cursor:pointer;padding:.15rem 0}footer{margin-top:3rem;color:var(--dim);font-size:13px}
@media(max-width:1199px){.columns{display:flex;flex-direction:column;align-items:stretch}.live .now{position:static;max-height:none}.map svg.plant{max-height:none}}
@media(max-width:760px){body{padding:.8rem .9rem 4rem}.player:not([hidden]){display:contents}.player .bar{position:sticky;top:0;z-index:5;background:var(--page);border-bottom:1px solid var(--line);padding:.3rem 0}.around td:nth-child(2),.around th:nth-child(2){display:none}.if-wide,.wide-only{display:none}.if-narrow,text.narrow-only{display:block}.if-narrow svg{max-width:36rem}dl.facts{grid-template-columns:1fr 1fr}.controls{gap:.25rem}.run{flex-basis:100%;font-size:14px}.controls time{font-size:14px}.controls button{padding:.15rem .35rem;font-size:13px}.controls button.main{min-width:3.6rem}.instant{white-space:normal;max-height:2.9em}.filters label{font-size:13px}.filters select{max-width:6.2rem}
svg text.zone{font-size:32px}}
@media print{:root{color-scheme:light}.player,.log,.skip,.cursor{display:none!important}body{max-width:none;padding:0;font-size:11pt}.columns{display:block}.live .now{position:static;max-height:none;overflow:visible}.live .failure:not(.chosen) .cause{display:block}.cause>.wide,.rows{max-height:none}tr,figure,pre{break-inside:avoid}h2,h3,h4,figcaption,thead{break-after:avoid}.failure:focus{outline:0}.verdict,.truth,.severity,.legend i,.attempt,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}details::details-content{content-visibility:visible;display:block}pre{background:none;color:inherit;border:1px solid var(--line);white-space:pre-wrap}a{color:inherit;text-decoration:none}.hops{display:none}button.jump{color:inherit}}
`;

export const STYLE = `${COLOURS}${TEXT}${DRAWINGS}${PLAYER}${REST}`;

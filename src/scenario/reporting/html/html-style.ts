/** The style of a report: light and dark, screen and print, without external resources. All text has a contrast of at least 4.5:1. */

/** Text on fills is `--on`: white on dark fills in light mode, dark on bright fills in dark mode. */
const COLOURS = `
:root{color-scheme:light dark;--ink:#1d2430;--dim:#55606f;--line:#dfe4ea;--page:#fff;--soft:#f5f7fa;--link:#0b5cad;--code:#0f1720;--code-ink:#dce4ee;--on:#fff;
--safe:#14703f;--help:#c0272d;--wrong:#8e2f9c;--nosignal:#8a5f00;--notworn:#2f5fb8;--pending:#2b6b78;--stack:#9ad0da;
--critical:#c0272d;--high:#b04a06;--medium:#8a5f00;--low:#5a6672}
@media(prefers-color-scheme:dark){:root{--ink:#dfe5ee;--dim:#9fabbc;--line:#2c3541;--page:#12161c;--soft:#1a2029;--link:#82bbf7;--code:#0b0f14;--code-ink:#cfd8e3;--on:#10151b;
--safe:#5ed39b;--help:#ff8a80;--wrong:#dd9be6;--nosignal:#e8c15a;--notworn:#8fb6ff;--pending:#7cc4d2;--stack:#3f7f8c;
--critical:#ff8a80;--high:#ffab70;--medium:#e8c15a;--low:#a5b1bf}}`;

const TEXT = `
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1.2rem 1.4rem 5rem;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25;margin:.3rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .5rem;border-top:1px solid var(--line);padding-top:1rem}
h3{font-size:1.05rem;margin:.2rem 0 .6rem}h4{font-size:1rem;margin:1.2rem 0 .3rem}
a{color:var(--link)}.chapters a{text-decoration:none}a:hover{text-decoration:underline!important}
code,pre,time{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.dim,small{color:var(--dim)}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.verdict{display:inline-block;font-weight:700;padding:.1rem .7rem;border-radius:1rem;color:var(--on);background:var(--safe)}.verdict.failed,.verdict.error{background:var(--help)}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.6rem 1.2rem;margin:1rem 0}
dl.facts div{border-left:3px solid var(--line);padding-left:.7rem}dt{font-size:12px;color:var(--dim)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
dd.hash{font:12px/1.4 ui-monospace,Menlo,monospace;font-weight:400}
pre{background:var(--code);color:var(--code-ink);padding:.8rem 1rem;border-radius:8px;overflow:auto;margin:.4rem 0}pre.command{white-space:pre-wrap;overflow-wrap:anywhere}
.truth{display:inline-block;font-size:12px;font-weight:700;letter-spacing:.06em;padding:0 .6em;border-radius:4px;color:var(--on);background:var(--wrong);vertical-align:middle}
.failure{border:1px solid var(--help);border-left-width:5px;border-radius:8px;padding:.6rem .9rem;margin:.8rem 0;scroll-margin-top:1rem}.failure:focus{outline:3px solid var(--link);outline-offset:2px}
.hops{margin:0;color:var(--dim)}.hops a{margin-left:.8rem}.failure p{margin:.8rem 0 .2rem}
.around td:first-child,.around td:nth-child(2){white-space:nowrap}.around td:nth-child(2){color:var(--dim)}.is-begin td,.is-verdict td{font-weight:700}.is-verdict td{color:var(--help)}.around summary{padding:0}
.gots td{overflow-wrap:anywhere;min-width:6rem}
.chapters{display:flex;flex-wrap:wrap;gap:.3rem .5rem;list-style:none;padding:0;margin:.6rem 0}.chapters a{display:block;border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem}
`;

const DRAWINGS = `
svg{display:block;width:100%;height:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .name{text-anchor:end;fill:var(--ink)}svg.narrow .name{text-anchor:start}svg .tick{fill:var(--dim);font-size:11px}
.if-narrow{display:none}.narrow-only{display:none}
.grid,.rail{stroke:var(--line);stroke-width:1}.cursor{stroke:var(--link);stroke-width:1.5;display:none}.live .cursor{display:block}
.lanes .step{fill:var(--dim)}.lanes .passed,.delivered{fill:var(--safe)}.lanes path.failed,.lanes path.refused{stroke:var(--help);stroke-width:2.5;fill:none}
.lanes .lost{fill:var(--soft);stroke:var(--help);stroke-width:2}.lanes .waiting{fill:var(--soft);stroke:var(--nosignal);stroke-width:2}
.lanes .mark{stroke:var(--link);stroke-width:2}.lanes .change{stroke:var(--page);stroke-width:2}.lanes .within{fill:var(--on);font-size:11px;pointer-events:none}
.alert.critical{fill:var(--critical)}.alert.high{fill:var(--high)}.alert.medium{fill:var(--medium)}.alert.low{fill:var(--low)}
rect.muster{fill:var(--notworn)}rect.muster.inspecting{fill:var(--wrong)}rect.muster.completed,rect.muster.cancelled{fill:var(--low)}
.counters .safe,.legend .safe{fill:var(--safe);background:var(--safe)}.counters .help,.legend .help{fill:var(--help);background:var(--help)}.counters .wrong_point,.legend .wrong_point{fill:var(--wrong);background:var(--wrong)}
.counters .no_signal,.legend .no_signal{fill:var(--nosignal);background:var(--nosignal)}.counters .not_worn,.legend .not_worn{fill:var(--notworn);background:var(--notworn)}.counters .pending,.legend .pending{fill:var(--stack);background:var(--stack)}
figure{margin:.8rem 0 1.4rem}figcaption{margin-bottom:.3rem}.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.4rem 0;font-size:13px}.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
.legend.people li{display:flex;align-items:center;gap:.35rem}.legend svg.key{width:22px;height:22px;background:none;border:0}.legend .person{background:none}
svg.definitions{position:absolute;width:0;height:0;border:0}
.map{max-width:46rem}.boundary{fill:none;stroke:var(--dim);stroke-dasharray:6 5}
polygon.zone{fill:color-mix(in srgb,var(--dim) 12%,transparent);stroke:var(--dim);stroke-width:1}
polygon.assembly_point{fill:color-mix(in srgb,var(--safe) 22%,transparent);stroke:var(--safe)}
polygon.forbidden,polygon.restricted{fill:color-mix(in srgb,var(--help) 14%,transparent);stroke:var(--help)}polygon.privacy{fill:color-mix(in srgb,var(--wrong) 18%,transparent);stroke:var(--wrong)}
svg text.zone{text-anchor:middle;dominant-baseline:hanging;fill:var(--dim);font-size:17px}svg .person text{font-size:17px;font-weight:600;paint-order:stroke;stroke:var(--soft);stroke-width:4px}
.plant .person use{transform:scale(1.3)}body:not(.live) .person text{display:none}
.person use{fill:var(--link);stroke:var(--soft);stroke-width:1}.person .on,.on{fill:none;stroke:var(--on);stroke-width:2}.hollow{fill:none;stroke:currentColor;stroke-width:3}
.person{color:var(--link)}.person.alert,.person.help,.person.trapped,.person.injured{color:var(--help)}.person.safe{color:var(--safe)}.person.pending{color:var(--pending)}.person.wrong_point,.person.helping{color:var(--wrong)}.person.no_signal{color:var(--nosignal)}.person.not_worn{color:var(--notworn)}.person use{fill:currentColor}
`;

const REST = `
.time{position:sticky;bottom:0;display:none;gap:.8rem;align-items:center;background:var(--page);border-top:1px solid var(--line);padding:.6rem 0;margin-top:1rem}.live .time{display:flex}.time input{flex:1;min-width:0}
button{font:inherit;border:1px solid var(--line);border-radius:6px;background:var(--soft);color:var(--ink);padding:.15rem .8rem;cursor:pointer}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;vertical-align:top;padding:.25rem .8rem .25rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0}
tr.mark td{font-weight:700;padding-top:.8rem}tr.failed td,tr.refused td{color:var(--help)}tr:target{outline:2px solid var(--link)}td.sign{width:1.2rem}
tr.passed .sign{color:var(--safe)}
.attempt{display:inline-block;border:1px solid var(--line);border-radius:5px;padding:0 .5em;margin:.1rem 0;background:var(--soft)}.attempt.delivered{border-color:var(--safe)}.attempt.lost{border-color:var(--help)}.attempt.waiting{border-color:var(--nosignal)}
summary{cursor:pointer;padding:.2rem 0}footer{margin-top:3rem;color:var(--dim);font-size:13px}
@media(max-width:760px){body{padding:.8rem .9rem 5rem}.if-wide,.wide-only{display:none}.if-narrow,text.narrow-only{display:block}.if-narrow svg{max-width:36rem}
svg text.zone{font-size:32px}svg .person text{font-size:32px;stroke-width:7px}.plant .person use{transform:scale(2.4)}.steps td:first-child{white-space:nowrap}}
@media print{.time{display:none!important}body{max-width:none}}
`;

export const STYLE = `${COLOURS}${TEXT}${DRAWINGS}${REST}`;

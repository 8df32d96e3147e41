/** The look of a report: light and dark, on a screen and on paper, nothing loaded from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1d2430;--dim:#5b6575;--line:#dfe4ea;--page:#fff;--soft:#f5f7fa;--link:#0b5cad;--code:#0f1720;--code-ink:#dce4ee;
--safe:#1f9d61;--help:#d3302f;--wrong:#a23fb0;--nosignal:#d59a00;--notworn:#3568c4;--pending:#9ad0da;
--critical:#d3302f;--high:#e2711d;--medium:#d59a00;--low:#7a8794;--warn:#fff6e0;--warn-line:#e0a93a}
@media(prefers-color-scheme:dark){:root{--ink:#dfe5ee;--dim:#97a3b4;--line:#2c3541;--page:#12161c;--soft:#1a2029;--link:#76b4f5;--code:#0b0f14;--code-ink:#cfd8e3;
--safe:#4cc38a;--help:#f2655c;--wrong:#cf7fdb;--nosignal:#e2b53f;--notworn:#76a2f0;--pending:#3f7f8c;
--critical:#f2655c;--high:#f0944d;--medium:#e2b53f;--low:#8b98a6;--warn:#2a2312;--warn-line:#8a6a1f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1.2rem 1.4rem 5rem;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page)}
h1{font-size:1.6rem;line-height:1.25;margin:.3rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .5rem;border-top:1px solid var(--line);padding-top:1rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
code,pre,time{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.dim,small{color:var(--dim)}
.verdict{display:inline-block;font-weight:700;padding:.1rem .7rem;border-radius:1rem;color:#fff;background:var(--safe)}.verdict.failed,.verdict.error{background:var(--help)}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.6rem 1.2rem;margin:1rem 0}
dl.facts div{border-left:3px solid var(--line);padding-left:.7rem}dt{font-size:12px;color:var(--dim)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
dd.hash{font:12px/1.4 ui-monospace,Menlo,monospace;font-weight:400}
pre{background:var(--code);color:var(--code-ink);padding:.8rem 1rem;border-radius:8px;overflow:auto;margin:.4rem 0}
.truth{display:inline-block;font-size:12px;font-weight:700;letter-spacing:.06em;padding:0 .6em;border-radius:4px;color:#fff;background:var(--wrong);vertical-align:middle}
.failure{border:1px solid var(--help);border-left-width:5px;border-radius:8px;padding:.4rem .9rem;margin:.8rem 0}
.chapters{display:flex;flex-wrap:wrap;gap:.3rem .5rem;list-style:none;padding:0;margin:.6rem 0}.chapters a{display:block;border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem}
svg{display:block;width:100%;height:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .name{text-anchor:end;fill:var(--dim)}svg .tick{text-anchor:middle;fill:var(--dim);font-size:10px}
.grid,.rail{stroke:var(--line);stroke-width:1}.cursor{stroke:var(--link);stroke-width:1.5;display:none}.live .cursor{display:block}
.lanes .step{fill:var(--dim)}.lanes .passed,.delivered{fill:var(--safe)}.lanes .failed,.lanes .refused,.lost{fill:var(--help)}.waiting{fill:var(--nosignal)}
.lanes .mark{stroke:var(--link);stroke-width:2}.lanes .change{stroke:var(--page);stroke-width:2}.lanes .within{fill:#fff;font-size:10px;pointer-events:none}
.alert.critical{fill:var(--critical)}.alert.high{fill:var(--high)}.alert.medium{fill:var(--medium)}.alert.low{fill:var(--low)}
rect.muster{fill:var(--notworn)}rect.muster.inspecting{fill:var(--wrong)}rect.muster.completed,rect.muster.cancelled{fill:var(--low)}
.safe{fill:var(--safe);background:var(--safe)}.help{fill:var(--help);background:var(--help)}.wrong_point{fill:var(--wrong);background:var(--wrong)}
.no_signal{fill:var(--nosignal);background:var(--nosignal)}.not_worn{fill:var(--notworn);background:var(--notworn)}.pending{fill:var(--pending);background:var(--pending)}
figure{margin:.8rem 0 1.4rem}figcaption{margin-bottom:.3rem}.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.4rem 0;font-size:13px}.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
.map{max-width:46rem}.boundary{fill:none;stroke:var(--dim);stroke-dasharray:6 5}
polygon.zone{fill:color-mix(in srgb,var(--dim) 12%,transparent);stroke:var(--dim);stroke-width:1}
polygon.assembly_point{fill:color-mix(in srgb,var(--safe) 22%,transparent);stroke:var(--safe)}
polygon.forbidden,polygon.restricted{fill:color-mix(in srgb,var(--help) 14%,transparent);stroke:var(--help)}polygon.privacy{fill:color-mix(in srgb,var(--wrong) 18%,transparent);stroke:var(--wrong)}
svg text.zone{text-anchor:middle;fill:var(--dim);font-size:17px}.person circle{fill:var(--link);stroke:var(--page);stroke-width:1.5}svg .person text{font-size:17px;font-weight:600}
.time{position:sticky;bottom:0;display:none;gap:.8rem;align-items:center;background:var(--page);border-top:1px solid var(--line);padding:.6rem 0;margin-top:1rem}.live .time{display:flex}.time input{flex:1}
button{font:inherit;border:1px solid var(--line);border-radius:6px;background:var(--soft);color:var(--ink);padding:.15rem .8rem;cursor:pointer}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;vertical-align:top;padding:.25rem .8rem .25rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0}
tr.mark td{font-weight:700;padding-top:.8rem}tr.failed td,tr.refused td{color:var(--help)}tr:target{outline:2px solid var(--link)}td.sign{width:1.2rem}
tr.passed .sign{color:var(--safe)}
.rung{display:inline-block;border:1px solid var(--line);border-radius:5px;padding:0 .5em;margin:.1rem 0;background:var(--soft)}.rung.delivered{border-color:var(--safe)}.rung.lost{border-color:var(--help)}.rung.waiting{border-color:var(--nosignal)}
summary{cursor:pointer;padding:.2rem 0}footer{margin-top:3rem;color:var(--dim);font-size:13px}
@media print{.time{display:none!important}body{max-width:none}}
`;

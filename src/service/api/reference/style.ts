/** The style of the reference page. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1d2430;--dim:#5b6575;--line:#e2e6ec;--page:#fff;--soft:#f5f7fa;--link:#0b5cad;--code:#0f1720;--code-ink:#dce4ee;
--get:#0a7a4b;--post:#0b5cad;--patch:#9a5b00;--delete:#b3261e;--warn:#fff6e0;--warn-line:#e0a93a}
@media(prefers-color-scheme:dark){:root{--ink:#dfe5ee;--dim:#97a3b4;--line:#2a323e;--page:#12161c;--soft:#1a2029;--link:#76b4f5;--code:#0b0f14;--code-ink:#cfd8e3;
--get:#4cc38a;--post:#76b4f5;--patch:#e2a746;--delete:#f2837b;--warn:#2a2312;--warn-line:#8a6a1f}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
a{color:var(--link);text-decoration:none}a:hover,main p a,main li a,main .said a{text-decoration:underline;text-underline-offset:.18em}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p code,li code,.said code,td code{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:0 .25em}
.page{display:grid;grid-template-columns:19rem minmax(0,1fr);max-width:96rem;margin:0 auto}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem 2rem 1.5rem;border-right:1px solid var(--line);font-size:14px}
.narrow{display:none}nav b{display:block;margin:1rem 0 .25rem;font-size:12px;letter-spacing:.04em;text-transform:uppercase;color:var(--dim)}
nav a{display:flex;gap:.5rem;padding:.12rem 0;color:var(--ink)}
nav .method{flex:0 0 2.9rem}nav .path{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}nav a[hidden],nav .links[hidden]{display:none}
td code{overflow-wrap:anywhere}.headers td:first-child{white-space:nowrap}.find{margin-bottom:.6rem;width:100%;font:inherit;padding:.35rem .7rem;border:1px solid var(--line);border-radius:8px;background:var(--soft);color:var(--ink)}.find[hidden]{display:none}.dim{color:var(--dim)}.event{padding:1rem 0;border-bottom:1px solid var(--line)}.event p{margin:.3rem 0 .5rem}
main{padding:1.5rem 2rem 6rem;min-width:0}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 .4rem}h2{font-size:1.15rem;margin:1.8rem 0 .4rem}h3{font-size:1.2rem;margin:0}
h4{font-size:12px;letter-spacing:.05em;text-transform:uppercase;color:var(--dim);margin:1.3rem 0 .35rem}
.lead{font-size:1.05rem;color:var(--dim);margin:0 0 1rem}.prose{max-width:46rem}
.group{margin-top:3rem;border-top:2px solid var(--line);padding-top:1rem}.group>h2{font-size:1.5rem;margin:0}
.only{background:var(--warn);border:1px solid var(--warn-line);border-radius:8px;padding:.6rem .9rem;margin:.6rem 0}
.sandbox .operation{border-left:3px solid var(--warn-line);padding-left:1.2rem}
.operation{padding:1.6rem 0;border-bottom:1px solid var(--line)}
.both{display:grid;gap:0 2rem;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.anchor{color:inherit}.anchor:hover::after{content:" #";color:var(--dim)}
:target>h3:first-child,:target>summary{background:linear-gradient(90deg,color-mix(in srgb,var(--link) 16%,transparent),transparent);border-radius:4px}
.route{margin:.3rem 0 .6rem}.route code{font-size:14px}
.method{font:700 11px/1.9 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.02em}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.scope{display:inline-block;font-size:13px;color:var(--dim)}
ul.tree{list-style:none;margin:0;padding:0}ul.tree>li{padding:.4rem 0;border-top:1px solid var(--line)}
ul.tree>li:first-child{border-top:0}.inner{margin:.3rem 0 0 .4rem;padding-left:.9rem;border-left:2px solid var(--line)}
.key{font-weight:600}.type{color:var(--dim);font-size:13px}.mark{font-size:12px;color:var(--dim);border:1px solid var(--line);border-radius:9px;padding:0 .45em}
.mark.required{color:var(--delete);border-color:transparent;padding:0}.said{color:var(--ink);font-size:14px}.limits{font-size:13px;color:var(--dim)}
.limits code{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:0 .25em}
summary{cursor:pointer}summary::marker{color:var(--dim)}details details{margin-top:.2rem}.any{color:var(--dim);font-size:13px}.any>div{padding:.2rem 0}
pre{background:var(--code);color:var(--code-ink);padding:.8rem 1rem;border-radius:8px;overflow:auto;margin:.3rem 0 .8rem;max-height:32rem}
pre b{font-weight:400;color:#8ec7ff}pre s{text-decoration:none;color:#a8d99c}pre i{font-style:normal;color:#f0b27a}
table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0}
.schema{border-top:1px solid var(--line);padding:.5rem 0}.schema>summary{font-weight:600}.schema>summary .type{font-weight:400}
@media(max-width:1100px){.both{grid-template-columns:minmax(0,1fr)}}
@media(max-width:760px){.page{display:block}nav.wide{display:none}nav.narrow{display:block;position:static;height:auto;border:0;border-bottom:1px solid var(--line);padding:.6rem 1rem}
nav summary{font-weight:600;padding:.3rem 0}main{padding:1rem 1rem 4rem}h1{font-size:1.5rem}.operation{padding:1.2rem 0}
td:nth-child(3),th:nth-child(3){display:none}}
@media print{nav{display:none}.page{display:block}}
`;

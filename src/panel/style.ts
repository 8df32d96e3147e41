/** The look of the panel: light and dark, wide and narrow, on paper; nothing loaded from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b2430;--dim:#566173;--line:#dde3ea;--page:#f3f5f8;--card:#fff;--soft:#eef1f5;--link:#0b5cad;--sign:#9a3d00;--focus:#0b5cad;
--safe:#127a48;--help:#c4211f;--wrong:#8a2aa0;--nosignal:#8a6200;--notworn:#2a59b8;--pending:#0e7488;--person:#2a59b8;--critical:#c4211f;--high:#b4500c;--medium:#8a6200;--low:#566173;
--ground:#f8fafb;--building:#e3e8ee;--shadow:0 1px 2px #0001,0 2px 8px #0001}
@media(prefers-color-scheme:dark){:root{--ink:#e2e8f0;--dim:#9aa7b8;--line:#2b3542;--page:#0e1217;--card:#161c24;--soft:#1f2731;--link:#7db8f5;--sign:#7a3000;--focus:#7db8f5;
--safe:#46c486;--help:#ff6f66;--wrong:#d68be6;--nosignal:#e5b945;--notworn:#86aef5;--pending:#4fc3d6;--person:#86aef5;--critical:#ff6f66;--high:#f59a55;--medium:#e5b945;--low:#9aa7b8;
--ground:#11171e;--building:#232c37;--shadow:none}}
*{box-sizing:border-box}html{scroll-padding-top:6rem}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page);overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none}a:hover,td a,p a{text-decoration:underline}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}main:focus{outline:none}
.hidden:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem;z-index:9;background:var(--card);padding:.4rem .8rem}.skip:focus{left:.5rem;top:.5rem}
.sign{margin:0;background:var(--sign);color:#fff;padding:.3rem 1rem;font-size:13px;font-weight:600;text-align:center}
header{position:sticky;top:0;z-index:5;background:var(--card);border-bottom:1px solid var(--line)}.top{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;justify-content:space-between;align-items:center;padding:.5rem 1.2rem}
header .now{margin:0;font-variant-numeric:tabular-nums}nav{display:flex;flex-wrap:wrap;gap:.1rem .2rem}nav a{padding:.25rem .7rem;border-radius:6px;color:var(--ink)}nav a:hover{background:var(--soft);text-decoration:none}
nav a[aria-current]{background:var(--soft);font-weight:600}nav .sites{display:flex;flex-wrap:wrap;border-left:1px solid var(--line);margin-left:.4rem;padding-left:.4rem}
main{max-width:88rem;margin:0 auto;padding:1rem 1.2rem 3rem}.plain{max-width:40rem}
footer{max-width:88rem;margin:0 auto;padding:1rem 1.2rem 3rem;color:var(--dim);border-top:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:center}
footer p{margin:0}
h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0 .8rem}h2{font-size:1.05rem;margin:1.4rem 0 .5rem}h3{font-size:1.05rem;margin:0}.region>h2:first-child{margin-top:0}
.dim{color:var(--dim)}.critical,.severity.critical{color:var(--critical)}.high{color:var(--high)}.medium{color:var(--medium)}b.phase{text-transform:uppercase;letter-spacing:.05em;font-size:12px;padding:.15rem .5rem;border-radius:4px;background:var(--soft)}
.phase.evacuating{background:#f5c518;color:#1b1400}.phase.inspecting{background:#2563c9;color:#fff}
section.region:not(:empty),article.region,section.curve,main>section:not(.company,.region),main>.scroll{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;margin:0 0 1rem;box-shadow:var(--shadow)}
section.region.steer:not(:has(form,details)),section.region:has(>.steer:empty){display:none}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(24rem,100%),1fr));gap:1rem}article p{margin:.4rem 0}
.split{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1rem;align-items:start}
main>.split:has(>div:first-child>dl,>#alert){grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
#alert,.split>div:has(>.person)>.person{background:var(--card)}#alert{border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem}
.scroll{overflow-x:auto;position:relative}section.region,main>.scroll{container-type:inline-size}table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-top:1px solid var(--line);overflow-wrap:normal}
thead th{color:var(--dim);font-weight:500;font-size:13px;border-top:0}tbody th{font-weight:600}td.code,.code{white-space:nowrap;font-variant-numeric:tabular-nums}td.do{text-align:right;padding-right:0;white-space:nowrap}
td.do>*{display:inline-block;vertical-align:top;margin-left:.4rem}time{font-variant-numeric:tabular-nums}
.fare,.severity{white-space:nowrap}.fare i,.severity i,dt i{font-style:normal;display:inline-block;width:1.1em;text-align:center}
.safe .fare,.fare.safe,dl .safe dt i{color:var(--safe)}.fare.help,dl .help dt i{color:var(--help);font-weight:600}.fare.wrong_point,dl .wrong_point dt i{color:var(--wrong)}.fare.no_signal,dl .no_signal dt i{color:var(--nosignal)}.fare.not_worn,dl .not_worn dt i{color:var(--notworn)}.fare.pending,dl .pending dt i{color:var(--pending)}
td.excluded{color:var(--help)}tr.new{animation:flash 2s}@keyframes flash{from{background:color-mix(in srgb,var(--critical) 35%,transparent)}}
.muster>h2{margin-top:0}.muster>p{margin:.3rem 0}.bar{display:flex;height:14px;border-radius:7px;overflow:hidden;background:var(--soft);gap:1px;margin:.6rem 0}.bar i{min-width:3px}
.bar .safe{background:var(--safe)}.bar .help{background:var(--help)}.bar .wrong_point{background:var(--wrong)}.bar .no_signal{background:var(--nosignal)}.bar .not_worn{background:var(--notworn)}.bar .pending{background:var(--pending);opacity:.55}
.totals{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.2rem,1fr));gap:.4rem .8rem;margin:0}.totals dt{font-size:12.5px;color:var(--dim)}.totals dd{margin:0;font-size:1.5rem;font-weight:650;line-height:1.2;font-variant-numeric:tabular-nums}article .totals dd{font-size:1.1rem}article .totals{grid-template-columns:repeat(4,1fr)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem 1.2rem;margin:.8rem 0}.facts dt{font-size:12.5px;color:var(--dim)}.facts dd{margin:0}
.steer,.deeds{display:flex;flex-wrap:wrap;gap:.5rem;align-items:flex-start}
button,summary,.report a{font:inherit;font-size:14px}button,.ask>summary,.report a{border:1px solid var(--line);border-radius:6px;background:var(--soft);color:var(--ink);padding:.2rem .7rem;cursor:pointer}
button:hover,.ask>summary:hover,.report a:hover{border-color:var(--dim);text-decoration:none}button.danger{background:var(--critical);border-color:var(--critical);color:var(--card);font-weight:600}button[disabled]{opacity:.5}
.ask>summary{list-style:none}.ask>summary::-webkit-details-marker{display:none}.ask>summary::after{content:" …"}.ask[open]>form{margin-top:.4rem;padding:.6rem;border:1px solid var(--line);border-radius:8px;background:var(--card);display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:flex-end;text-align:left;white-space:normal;max-width:34rem}
.ask form p{margin:0;flex-basis:100%}label{font-size:13px;color:var(--dim);display:inline-flex;gap:.4rem;align-items:center;flex-wrap:wrap}
input,select{font:inherit;font-size:14px;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.2rem .5rem;max-width:100%}input[type=search]{min-width:min(18rem,70vw)}input[type=number]{width:6rem}
form.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.3rem 0 .6rem}form{margin:0}
.report{display:flex;flex-wrap:wrap;gap:.5rem}
.map{position:relative;--m:1}.map svg{display:block;width:100%;height:auto;max-height:70vh;background:var(--ground);border:1px solid var(--line);border-radius:8px}.map.small svg{max-height:15rem}
.map text{font-family:system-ui,sans-serif;font-size:calc(11px*var(--m));fill:var(--ink)}.map path{vector-effect:non-scaling-stroke}.map.panning{cursor:grabbing}
.boundary{fill:none;stroke:var(--dim);stroke-width:1.2;stroke-dasharray:6 5}.zone{fill:color-mix(in srgb,var(--building) 55%,transparent);stroke:var(--line);stroke-width:1}.zone.building{fill:var(--building);stroke:var(--dim)}
.zone.restricted{fill:color-mix(in srgb,var(--medium) 13%,transparent);stroke:var(--medium)}.zone.forbidden{fill:color-mix(in srgb,var(--help) 15%,transparent);stroke:var(--help)}
.zone.assembly_point{fill:color-mix(in srgb,var(--safe) 15%,transparent);stroke:var(--safe);stroke-width:1.6}.zone.unused{fill:none;stroke:var(--dim);stroke-dasharray:3 3}.zone.excluded{fill:color-mix(in srgb,var(--help) 12%,transparent);stroke:var(--help);stroke-dasharray:5 3}
.map .name{text-anchor:middle;fill:var(--dim);paint-order:stroke;stroke:var(--ground);stroke-width:calc(3px*var(--m));stroke-linejoin:round}.map .name.assembly_point{fill:var(--safe);font-weight:600}.map .name.unused{fill:var(--dim);font-weight:400}.map .name.excluded{fill:var(--help)}
.origin circle{fill:color-mix(in srgb,var(--high) 14%,transparent);stroke:var(--high);stroke-width:1.5;vector-effect:non-scaling-stroke}.map .origin text{fill:var(--high);text-anchor:middle;font-weight:600}
.dots{fill:none;stroke-linecap:round;stroke-width:5.5;stroke:var(--person)}.dots.safe{stroke:var(--safe)}.dots.pending{stroke:var(--pending)}.map.small .dots{stroke-width:4}
.map .mark text{font-size:calc(15px*var(--m));text-anchor:middle;dominant-baseline:central;paint-order:stroke;stroke:var(--ground);stroke-width:calc(3px*var(--m))}.mark .code{font-size:calc(11px*var(--m));font-weight:700}
.mark.help text{fill:var(--help)}.mark.wrong_point text{fill:var(--wrong)}.mark.no_signal text{fill:var(--nosignal)}.mark.not_worn text{fill:var(--notworn)}.mark.person text{fill:var(--person)}
.map .pin text{font-size:calc(24px*var(--m));text-anchor:middle;dominant-baseline:central;fill:var(--critical)}.pin circle{fill:none}
.zoom{position:absolute;right:.5rem;top:.5rem;display:flex;gap:.2rem}.zoom[hidden]{display:none}.zoom button{width:2rem;height:2rem;padding:0;background:var(--card)}
svg.curve{display:block;width:100%;height:auto}.curve text{font:11px system-ui,sans-serif;fill:var(--dim)}.curve .tick{text-anchor:middle}.curve .side{text-anchor:end}.curve .axis{fill:none;stroke:var(--line)}.curve .expected{stroke:var(--dim);stroke-dasharray:4 4;fill:none}.curve .line{fill:none;stroke:var(--safe);stroke-width:2}.curve .area{fill:color-mix(in srgb,var(--safe) 18%,transparent)}.curve .due{stroke:var(--help);stroke-dasharray:3 3;fill:none}.curve text.due{fill:var(--help);stroke:none}
.timeline{list-style:none;margin:.5rem 0;padding:0 0 0 .9rem;border-left:2px solid var(--line)}.timeline li{margin:.35rem 0}.timeline p{margin:.1rem 0 0;color:var(--dim)}.timeline time{color:var(--dim);margin-right:.4rem}
pre{background:var(--soft);padding:.7rem .9rem;border-radius:8px;overflow:auto;font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}
#said{position:fixed;left:50%;bottom:1.2rem;transform:translateX(-50%);margin:0;padding:.6rem 1.1rem;border-radius:8px;background:var(--ink);color:var(--page);max-width:min(40rem,92vw);box-shadow:0 4px 20px #0004;z-index:9}#said:empty{display:none}#said.bad{background:var(--critical);color:var(--card)}
#live.broken{color:var(--critical);font-weight:600}.pace:not(:empty){background:var(--soft);border-radius:4px;padding:0 .4em;font-size:13px}
@media(max-width:60rem){.split,main>.split:has(>div:first-child>dl,>#alert){grid-template-columns:minmax(0,1fr)}header{position:static}}
@media(max-width:36rem){main{padding:.8rem .7rem 2rem}section.region:not(:empty),article.region{padding:.7rem}}
@container(max-width:40rem){.wide{display:none}:is(table.people,table.alerts),:is(table.people,table.alerts) :is(tbody,tr,td,th){display:block;border:0;padding:.05rem 0}:is(table.people,table.alerts) thead{display:none}:is(table.people,table.alerts) tr{border-top:1px solid var(--line);padding:.5rem 0}td.do{text-align:left;margin-top:.2rem}:is(table.people,table.alerts) :is(td:not(.do),table.people tbody th){display:inline-block;margin-right:.6rem}td.do>*{margin:.2rem .4rem .2rem 0}table.people td.code,table.people tbody th{display:inline-block;margin-right:.6rem}}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media print{.top,footer,.steer,.deeds,.do,.zoom,form{display:none!important}.sign{color:#000;background:none;border:1px solid #000}body{background:#fff}}
`;

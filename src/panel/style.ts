/** The look of the panel: light and dark, wide and narrow, on paper; nothing loaded from anywhere. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b2430;--dim:#566173;--line:#dde3ea;--page:#f3f5f8;--card:#fff;--soft:#eef1f5;--link:#0b5cad;--sign:#9a3d00;--focus:#0b5cad;
--safe:#127a48;--rescue:#c4211f;--help:#b4500c;--wrong:#8a2aa0;--nosignal:#8a6200;--notworn:#2a59b8;--pending:#0e7488;--person:#2a59b8;--critical:#c4211f;--high:#b4500c;--medium:#8a6200;--low:#566173;
--ground:#f8fafb;--building:#e3e8ee;--shadow:0 1px 2px #0001,0 2px 8px #0001}
@media(prefers-color-scheme:dark){:root{--ink:#e2e8f0;--dim:#9aa7b8;--line:#2b3542;--page:#0e1217;--card:#161c24;--soft:#1f2731;--link:#7db8f5;--sign:#7a3000;--focus:#7db8f5;
--safe:#46c486;--rescue:#ff6f66;--help:#f59a55;--wrong:#d68be6;--nosignal:#e5b945;--notworn:#86aef5;--pending:#4fc3d6;--person:#86aef5;--critical:#ff6f66;--high:#f59a55;--medium:#e5b945;--low:#9aa7b8;
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
h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0 .8rem}h2{font-size:1.05rem;margin:1.4rem 0 .5rem}h3{font-size:1.05rem;margin:0}:is(.region,section,.part)>h2:first-child{margin-top:0}
.dim{color:var(--dim)}.critical,.severity.critical{color:var(--critical)}.high{color:var(--high)}.medium{color:var(--medium)}b.phase{text-transform:uppercase;letter-spacing:.05em;font-size:12px;padding:.15rem .5rem;border-radius:4px;background:var(--soft)}
.phase.evacuating{background:#f5c518;color:#1b1400}.phase.inspecting{background:#2563c9;color:#fff}
section.region:not(:empty),article.region,section.curve,main>section:not(.company,.region),.split>section,.split>div>section:not(.company,.region),main>.scroll{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;margin:0 0 1rem;box-shadow:var(--shadow)}
section.region.steer:not(:has(form,details)),section.region:has(>.steer:empty){display:none}
.links a{text-decoration:underline}.links,.runs{list-style:none;margin:0;padding:0}.links li,.runs>li{padding:.2rem 0}.verdict{text-transform:uppercase;font-size:12px;letter-spacing:.05em;padding:.1rem .5rem;border-radius:4px;background:var(--soft)}.verdict.passed{background:var(--safe);color:var(--card)}.verdict.failed{background:var(--critical);color:var(--card)}.company>h2{margin-top:0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(24rem,100%),1fr));gap:1rem}article p{margin:.4rem 0}article .map{margin-top:.6rem}
.split{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem;align-items:start}
#alert,.split>div:has(>.person)>.person{background:var(--card)}#alert{border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem}
.name{display:inline-block;max-width:min(15rem,100%);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}td.do .ask[open]{max-width:16rem}table.people td.do .ask[open]>form{padding:.5rem}
.scroll{overflow-x:auto;position:relative}section.region,main>.scroll{container-type:inline-size}table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-top:1px solid var(--line);overflow-wrap:normal}
thead th{color:var(--dim);font-weight:500;font-size:13px;border-top:0}tbody th{font-weight:600}td.code,.code,table.people th{white-space:nowrap;font-variant-numeric:tabular-nums}td.do{text-align:right;padding-right:0;white-space:nowrap}
td.do>*{display:inline-block;vertical-align:top;margin-left:.4rem}time{font-variant-numeric:tabular-nums}
.fare,.severity{white-space:nowrap}.fare i,.severity i,dt i{font-style:normal;display:inline-block;width:1.1em;text-align:center}
.safe{--c:var(--safe)}.rescue{--c:var(--rescue)}.help{--c:var(--help)}.wrong_point{--c:var(--wrong)}.no_signal{--c:var(--nosignal)}.not_worn{--c:var(--notworn)}.pending{--c:var(--pending)}.person{--c:var(--person)}.fare,.totals dt i{color:var(--c)}.fare.rescue{font-weight:700}.fare.chosen{color:var(--ink)}
td.excluded{color:var(--rescue)}tr.new{animation:flash 2s}@keyframes flash{from{background:color-mix(in srgb,var(--critical) 35%,transparent)}}
.muster>h2{margin-top:0}.muster>p{margin:.2rem 0}.bar{display:flex;height:14px;border-radius:7px;overflow:hidden;background:var(--soft);gap:1px;margin:.5rem 0}.bar i{min-width:3px;background:var(--c)}.bar .pending{opacity:.55}.bar .unknown{background:repeating-linear-gradient(45deg,var(--rescue) 0 4px,var(--card) 4px 8px)}
.totals{display:grid;grid-template-columns:repeat(auto-fit,minmax(6rem,1fr));gap:.3rem .8rem;margin:0}.totals dt{font-size:12.5px;color:var(--dim)}.totals dd{margin:0;font-size:1.45rem;font-weight:650;line-height:1.2;font-variant-numeric:tabular-nums}table.people :is(td,th){vertical-align:middle}.counters small{display:block;line-height:1.3}.totals small{font-size:12px;font-weight:400;color:var(--dim)}article .totals dd{font-size:1.1rem}article .totals{grid-template-columns:repeat(4,1fr)}
.totals .rescue:not(.none) dd,.totals .rescue:not(.none) dt,.totals .unknown dd{color:var(--rescue)}.totals .none dd{color:var(--dim);font-weight:400}
span.due{white-space:nowrap}.due{border-radius:4px;padding:.05rem .4rem;font-variant-numeric:tabular-nums}span.due{background:var(--soft)}span.due.soon{background:#f5c518;color:#1b1400;font-weight:600}span.due.over{background:var(--critical);color:var(--card);font-weight:700}
.full{color:var(--rescue)}td.holds{font-variant-numeric:tabular-nums}
.title{display:flex;flex-wrap:wrap;gap:.3rem 1rem;justify-content:space-between;align-items:flex-start;margin:.1rem 0 .7rem;position:relative}.title h1{margin:0}.title .region.region{margin:0;padding:0;border:0;background:none;box-shadow:none;container-type:normal}.title .ask[open]>form{position:absolute;right:0;z-index:4;box-shadow:0 6px 24px #0003;width:max-content;max-width:min(34rem,100%)}
.head{display:flex;flex-wrap:wrap;gap:.2rem 1rem;justify-content:space-between;align-items:baseline}.head h2{margin:0}.views{margin:0;display:flex;gap:.2rem;font-size:13.5px}.views a{padding:.1rem .6rem;border-radius:6px}.views a[aria-current]{background:var(--soft);color:var(--ink);font-weight:600}
.places,.places ul{list-style:none;margin:0;padding:0}.places>li{border-top:1px solid var(--line);padding:.5rem 0 .5rem .7rem;border-left:3px solid transparent}.places>li.rescue{border-left-color:var(--rescue)}.places p{margin:.1rem 0}.places summary{color:var(--dim);cursor:pointer}.places h3{font-size:1rem}
tr.rescue td:first-child{box-shadow:inset 3px 0 var(--rescue)}table.people td:first-child{padding-left:.5rem}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem 1.2rem;margin:.8rem 0}.facts dt{font-size:12.5px;color:var(--dim)}.facts dd{margin:0}
.steer,.deeds{display:flex;flex-wrap:wrap;gap:.5rem;align-items:flex-start}
button,summary,.report a{font:inherit;font-size:14px}button,.ask>summary,.report a{border:1px solid var(--line);border-radius:6px;background:var(--soft);color:var(--ink);padding:.2rem .7rem;cursor:pointer}
button:hover,.ask>summary:hover,.report a:hover{border-color:var(--dim);text-decoration:none}button.danger{background:var(--critical);border-color:var(--critical);color:var(--card);font-weight:600}button[disabled]{opacity:.5}
.ask>summary{list-style:none}.ask>summary::-webkit-details-marker{display:none}.ask>summary::after{content:" …"}.ask[open]>form{margin-top:.4rem;padding:.6rem;border:1px solid var(--line);border-radius:8px;background:var(--card);display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:flex-end;text-align:left;white-space:normal;max-width:34rem}
.ask form p{margin:0;flex-basis:100%}label{font-size:13px;color:var(--dim);max-width:100%;display:inline-flex;gap:.4rem;align-items:center;flex-wrap:wrap}
input,select{font:inherit;font-size:14px;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.2rem .5rem;max-width:min(100%,26rem);min-width:0}input[type=search]{min-width:min(18rem,70vw)}input[type=number]{width:6rem}
form.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.3rem 0 .6rem}form{margin:0}
.report{display:flex;flex-wrap:wrap;gap:.5rem}
.map{position:relative;--m:1}.map svg{display:block;width:100%;height:auto;max-height:70vh;background:var(--ground);border:1px solid var(--line);border-radius:8px}.map.small svg{max-height:15rem}
.map text{font-family:system-ui,sans-serif;font-size:calc(11px*var(--m));fill:var(--ink)}.map path{vector-effect:non-scaling-stroke}.map.panning{cursor:grabbing}
.boundary{fill:none;stroke:var(--dim);stroke-width:1.2;stroke-dasharray:6 5}.zone{fill:color-mix(in srgb,var(--building) 55%,transparent);stroke:var(--line);stroke-width:1}.zone.building{fill:var(--building);stroke:var(--dim)}
.zone.restricted{fill:color-mix(in srgb,var(--medium) 13%,transparent);stroke:var(--medium)}.zone.forbidden{fill:color-mix(in srgb,var(--rescue) 15%,transparent);stroke:var(--rescue)}
.zone.assembly_point{fill:color-mix(in srgb,var(--safe) 15%,transparent);stroke:var(--safe);stroke-width:1.6}.zone.unused{fill:none;stroke:var(--dim);stroke-dasharray:3 3}.zone.excluded{fill:color-mix(in srgb,var(--rescue) 12%,transparent);stroke:var(--rescue);stroke-dasharray:5 3}
.map .name{text-anchor:middle;fill:var(--dim);paint-order:stroke;stroke:var(--ground);stroke-width:calc(3px*var(--m));stroke-linejoin:round}.map .name.assembly_point{fill:var(--safe);font-weight:600}.map .name.unused{fill:var(--dim);font-weight:400}.map .name.excluded,.map .name.over{fill:var(--rescue)}
.scale path{fill:none;stroke:var(--ink);stroke-width:1.5}.map .scale text{paint-order:stroke;stroke:var(--ground);stroke-width:calc(3px*var(--m))}
.origin circle{fill:color-mix(in srgb,var(--high) 14%,transparent);stroke:var(--high);stroke-width:1.5;vector-effect:non-scaling-stroke}.map .origin text{fill:var(--high);text-anchor:middle;font-weight:600}
.dots{fill:none;stroke-linecap:round;stroke-width:5.5;stroke:var(--c)}.map.small .dots{stroke-width:4}
.map .mark text{font-size:calc(15px*var(--m));text-anchor:middle;dominant-baseline:central;fill:var(--c);paint-order:stroke;stroke:var(--ground);stroke-width:calc(3px*var(--m));stroke-linejoin:round}.map .mark.rescue text{font-size:calc(17px*var(--m))}
.map .mark text.code{font-size:calc(11px*var(--m));font-weight:700}.map text.code.right{text-anchor:start;transform:translateX(calc(8px*var(--m)))}.map text.code.left{text-anchor:end;transform:translateX(calc(-8px*var(--m)))}.map text.code.above{transform:translateY(calc(-12px*var(--m)))}.map text.code.below{transform:translateY(calc(13px*var(--m)))}
.map .mark.chosen text.ring{font-size:calc(30px*var(--m));fill:var(--ink);stroke:none}.map .mark.chosen text.code{font-size:calc(13px*var(--m));fill:var(--ink)}
.map .pin text{font-size:calc(24px*var(--m));text-anchor:middle;dominant-baseline:central;fill:var(--critical)}.pin circle{fill:none}
.tools{display:flex;gap:.3rem 1rem;justify-content:space-between;align-items:flex-start;margin-top:.5rem}.legend{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.1rem .9rem;font-size:13px}.legend li{white-space:nowrap}.legend .fare.rescue{font-weight:400}
.zoom{display:flex;gap:.2rem;flex:none}.zoom[hidden]{display:none}.zoom button{width:2rem;height:2rem;padding:0;background:var(--card)}
.plot{position:relative;height:10rem;margin:.4rem .4rem 1.6rem 2.4rem;font-size:12px;color:var(--dim)}.plot svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}.plot path{vector-effect:non-scaling-stroke;fill:none}.plot .axis{stroke:var(--line)}.plot .expected{stroke:var(--dim);stroke-dasharray:4 4}.plot .line{stroke:var(--safe);stroke-width:2}.plot .area{fill:color-mix(in srgb,var(--safe) 18%,transparent)}.plot path.due{stroke:var(--rescue);stroke-dasharray:3 3}
.plot span{position:absolute;line-height:1;white-space:nowrap;background:none;padding:0}.plot .tick{top:calc(100% + .35rem);transform:translateX(-50%)}.plot .side{right:calc(100% + .4rem)}.plot .top{top:-.4em}.plot .bottom{bottom:-.4em}.plot .side.now{right:auto;transform:translate(-130%,-130%);color:var(--safe);font-weight:600}.plot .due{top:.2rem;margin-left:.3rem;color:var(--rescue)}.plot .due.before{transform:translateX(-100%);margin-left:-.3rem}.plot .empty{left:1rem;bottom:1rem}
.timeline{list-style:none;margin:.5rem 0;padding:0 0 0 .9rem;border-left:2px solid var(--line)}.timeline li{margin:.35rem 0}.timeline p{margin:.1rem 0 0;color:var(--dim)}.timeline time{color:var(--dim);margin-right:.4rem}
pre{background:var(--soft);padding:.7rem .9rem;border-radius:8px;overflow:auto;font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}
#said{position:fixed;left:50%;bottom:1.2rem;transform:translateX(-50%);margin:0;padding:.6rem 1.1rem;border-radius:8px;background:var(--ink);color:var(--page);max-width:min(40rem,92vw);box-shadow:0 4px 20px #0004;z-index:9}#said:empty{display:none}#said.bad{background:var(--critical);color:var(--card)}
#live.broken{color:var(--critical);font-weight:600}.pace:not(:empty){background:var(--soft);border-radius:4px;padding:0 .4em;font-size:13px}
@media(max-width:60rem){.split{grid-template-columns:minmax(0,1fr)}header{position:static}}
@media(max-width:36rem){nav,nav .sites{flex-wrap:nowrap;white-space:nowrap}nav{overflow-x:auto}.facts{grid-template-columns:1fr 1fr}main{padding:.8rem .7rem 2rem}section.region:not(:empty),article.region{padding:.7rem}}
@container(max-width:48rem){table.alerts thead{display:none}table.alerts,table.alerts :is(tbody,td,th){display:block;border:0;padding:.05rem 0}table.alerts tr{display:flex;flex-wrap:wrap;gap:0 .7rem;align-items:baseline;border-top:1px solid var(--line);padding:.4rem 0}table.alerts th{flex-basis:100%;order:-1}table.alerts td.do{margin-left:auto}table.alerts td.do:has(details[open]){flex-basis:100%;text-align:left}}
@container(max-width:38rem){table.people tr:has(td[data-seen]){line-height:1.35}table.people thead{display:none}table.people,table.people :is(tbody,td,th){display:block;border:0;padding:0}table.people tr{display:grid;grid-template-columns:minmax(0,1fr) 6.3rem 6rem;gap:.1rem .6rem;align-items:center;border-top:1px solid var(--line);padding:.4rem 0 .4rem .5rem}tr.rescue{box-shadow:inset 3px 0 var(--rescue)}table.people td:first-child{padding:0;box-shadow:none}td.code{color:var(--dim);text-align:right}table.people td.do>*{margin:0}table.people .name{max-width:100%}table.people td.do:has(details[open]){grid-column:1/-1}}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media print{.top,footer,.steer,.deeds,.do,.zoom,form{display:none!important}.sign{color:#000;background:none;border:1px solid #000}body{background:#fff}}
`;

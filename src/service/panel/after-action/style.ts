/** The style of the report: light or dark on a screen, always light on paper (A4), with its sign and page number on every page. */

const LIGHT = `color-scheme:light;--ink:#1d2430;--dim:#5b6575;--line:#d5dbe3;--page:#fff;--soft:#f5f7fa;--link:#0b5cad;
--safe:#2f9e6b;--pending:#b9dfe4;--not_worn:#3f6fd0;--no_signal:#d9a300;--wrong_point:#a23fb0;--help:#d3302f`;
const DARK = `color-scheme:dark;--ink:#dfe5ee;--dim:#97a3b4;--line:#2c3541;--page:#12161c;--soft:#1a2029;--link:#76b4f5;
--safe:#3aa673;--pending:#2f5a63;--not_worn:#6d97ea;--no_signal:#e2b53f;--wrong_point:#cf7fdb;--help:#f2655c`;

/** `sign`: the text at the head of every printed page. */
export const style = (sign: string): string => `
:root{${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page)}
.sign{background:#b45309;color:#fff;padding:.4rem 1.4rem;font-weight:600}
main{max-width:72rem;margin:0 auto;padding:1rem 1.4rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.6rem 0 .2rem}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-top:1px solid var(--line);padding-top:.9rem}
a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:14px}p{margin:.4rem 0}.dim{color:var(--dim)}
.standing{font-size:1.05rem}.standing b{padding:.1rem .6rem;border-radius:1rem;border:1px solid currentColor}.standing .active{color:var(--help)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.7rem 1.2rem;margin:1rem 0}
dl div{border-left:3px solid var(--line);padding-left:.7rem}dt{font-size:12px;color:var(--dim)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}dd small{font-weight:400;color:var(--dim);display:block}
div.good{border-color:var(--safe)}div.bad{border-color:var(--help)}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:0 2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px;margin:.3rem 0}
caption{text-align:left;color:var(--dim);font-size:13px;padding:.2rem 0}
td,th{text-align:left;vertical-align:top;padding:.25rem .9rem .25rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0;border-bottom:1px solid var(--dim)}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td.rescue{font-weight:700;color:var(--help)}
td small{color:var(--dim);font-size:12px}
.code{white-space:nowrap}td div{min-width:14rem}.mark{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.4em;background:var(--dim)}
figure{margin:.8rem 0;overflow-x:auto}figure svg{display:block;width:100%;min-width:34rem;height:auto;background:var(--soft);border:1px solid var(--line);border-radius:6px}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .tick{fill:var(--dim)}
.grid{stroke:var(--line);fill:none}.edge{fill:none;stroke:var(--ink);stroke-width:1.2}.expected{fill:none;stroke:var(--ink);stroke-width:1.6;stroke-dasharray:6 3}
path.deadline{stroke:var(--help);stroke-width:2;fill:none}svg text.deadline{fill:var(--help);font-weight:700;paint-order:stroke;stroke:var(--page);stroke-width:3px}
path.act{stroke:var(--link);stroke-width:2}svg text.act{text-anchor:middle;fill:var(--link);font-weight:600}
${['safe', 'pending', 'not_worn', 'no_signal', 'wrong_point', 'help'].map((word) => `path.${word}{fill:var(--${word})}i.${word}{background:var(--${word})}`).join('')}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.4rem 0;font-size:13px}.legend i{display:inline-block;width:.9em;height:.9em;border-radius:2px;margin-right:.4em;vertical-align:-1px}
.legend i.line{height:0;width:1.6em;border-top:2px dashed var(--ink);vertical-align:4px}.legend i.tick{width:2px;background:var(--link)}
footer{margin-top:2.5rem;color:var(--dim);font-size:13px;border-top:1px solid var(--line);padding-top:.6rem}
@page{size:A4;margin:19mm 14mm 17mm;@top-center{content:"${sign}";font:600 9pt system-ui,sans-serif;color:#b45309}@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#5b6575}}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}.sign{padding:.3rem .6rem;-webkit-print-color-adjust:exact;print-color-adjust:exact}.screen{display:none}
svg,i,.mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}a{color:inherit;text-decoration:none}
h1{font-size:16pt}table{font-size:8pt;line-height:1.35}td,th{padding:.1rem .5rem .1rem 0}caption,td small{font-size:7.5pt}table:has(.mark){font-size:7pt}thead{display:table-header-group}tr,figure,dl div{break-inside:avoid}h2,caption{break-after:avoid}.wide,figure{overflow:visible}td div,figure svg{min-width:0}.beside{grid-template-columns:1fr 1fr}dl{grid-template-columns:repeat(4,1fr)}}
`;

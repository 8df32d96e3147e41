/** The style of the report: light or dark on a screen, always light on paper (A4), with its sign and page number on every page. */
import { shades } from '../../../base/text/shades.ts';
import { TERM_VARIABLES, TOKEN_SHADES, termRules } from '../../../contract/resources/palette.ts';
import { STRIP_STYLE } from '../../../watching/regions/strip-style.ts';

const SHADES = shades({
  ...TOKEN_SHADES,
  ink: ['#1d2430', '#dfe5ee'],
  dim: ['#5b6575', '#97a3b4'],
  line: ['#d5dbe3', '#2c3541'],
  page: ['#fff', '#12161c'],
  card: ['#fff', '#161c24'],
  soft: ['#f5f7fa', '#1a2029'],
  link: ['#0b5cad', '#76b4f5'],
});

/** `sign`: the text at the head of every printed page. */
export const style = (sign: string): string => `
:root{color-scheme:light;${SHADES};${TERM_VARIABLES}}@media screen{:root{color-scheme:light dark}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--page)}
.sign{background:#b45309;color:#fff;padding:.4rem 1.4rem;font-weight:600}
main{max-width:72rem;margin:0 auto;padding:1rem 1.4rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.6rem 0 .2rem}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-top:1px solid var(--line);padding-top:.9rem}
a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:14px}p{margin:.4rem 0}.dim{color:var(--dim)}
.standing{font-size:1.05rem}.standing b{padding:.1rem .6rem;border-radius:1rem;border:1px solid currentColor}.standing .active{color:var(--red)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.7rem 1.2rem;margin:1rem 0}
dl div{border-left:3px solid var(--line);padding-left:.7rem}dt{font-size:12px;color:var(--dim)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}dd small{font-weight:400;color:var(--dim);display:block}
div.good{border-color:var(--green)}div.bad{border-color:var(--red)}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:0 2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px;margin:.3rem 0}
caption{text-align:left;color:var(--dim);font-size:13px;padding:.2rem 0}
td,th{text-align:left;vertical-align:top;padding:.25rem .9rem .25rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0;border-bottom:1px solid var(--dim)}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td small{color:var(--dim);font-size:12px}
.code{white-space:nowrap}td div{min-width:14rem}.mark{white-space:nowrap}.mark i{font-style:normal;display:inline-block;width:1.1em;text-align:center;margin-right:.2em}.mark.rescue{font-weight:700}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
${STRIP_STYLE}.strip{position:sticky;top:0;z-index:2}
figure{margin:.8rem 0;overflow-x:auto}figure svg{display:block;width:100%;min-width:34rem;height:auto;background:var(--soft);border:1px solid var(--line);border-radius:6px}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .tick{fill:var(--dim)}
.grid{stroke:var(--line);fill:none}.edge{fill:none;stroke:var(--ink);stroke-width:1.2}.expected{fill:none;stroke:var(--ink);stroke-width:1.6;stroke-dasharray:6 3}
path.deadline{stroke:var(--red);stroke-width:2;fill:none}svg text.deadline{fill:var(--red);font-weight:700;paint-order:stroke;stroke:var(--page);stroke-width:3px}
path.act{stroke:var(--link);stroke-width:2}svg text.act{text-anchor:middle;fill:var(--link);font-weight:600}
${termRules((term, token) => `path.${term}{fill:var(--${token})}.legend .${term}{background:var(--${token})}.mark.${term}{color:var(--${token})}`)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;padding:0;margin:.4rem 0;font-size:13px}.legend i{display:inline-block;width:.9em;height:.9em;border-radius:2px;margin-right:.4em;vertical-align:-1px}
.legend i.line{height:0;width:1.6em;border-top:2px dashed var(--ink);vertical-align:4px}.legend i.tick{width:2px;background:var(--link)}
footer{margin-top:2.5rem;color:var(--dim);font-size:13px;border-top:1px solid var(--line);padding-top:.6rem}
@media screen and (max-width:48rem){main{padding:.6rem .9rem 3rem}dl{grid-template-columns:1fr 1fr;gap:.5rem .8rem}.beside{grid-template-columns:minmax(0,1fr)}.wide{overflow:visible}table,caption,tbody,td{display:block}.sign{font-size:12px;padding:.25rem .6rem;text-align:center}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{display:flex;flex-wrap:wrap;gap:0 .9rem;border-top:1px solid var(--line);padding:.3rem 0}td,td.n{border:0;padding:0;text-align:left;overflow-wrap:anywhere}td div{min-width:0}td:first-child{flex:1 0 100%;font-weight:600}td:not(:first-child)::before{content:attr(data-head) " ";color:var(--dim);font-size:12px;font-weight:400}td:empty{display:none}
figure{overflow:visible;padding-left:.8rem}figure svg{min-width:0;overflow:visible}svg text{font-size:24px}}
@page{size:A4;margin:19mm 14mm 17mm;@top-center{content:"${sign}";font:600 9pt system-ui,sans-serif;color:#b45309}@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#5b6575}}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}.sign{padding:.3rem .6rem;-webkit-print-color-adjust:exact;print-color-adjust:exact}.screen{display:none}
svg,i,.mark{-webkit-print-color-adjust:exact;print-color-adjust:exact}a{color:inherit;text-decoration:none}
h1{font-size:16pt}table{font-size:8pt;line-height:1.35}td,th{padding:.1rem .5rem .1rem 0}caption,td small{font-size:7.5pt}table:has(.of-person){font-size:7pt}thead{display:table-header-group}tr,figure,dl div{break-inside:avoid}h2,caption{break-after:avoid}.wide,figure{overflow:visible}td div,figure svg{min-width:0}.beside{grid-template-columns:1fr 1fr}dl{grid-template-columns:repeat(4,1fr)}}
`;

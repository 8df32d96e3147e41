/** The style of the pages of the reference. */
import { shades } from '../../../base/text/shades.ts';
import { HEADER_STYLE, THEME_STYLE } from '../../../base/text/site-header.ts';

const SHADES = shades({
  ink: ['#1b2430', '#e2e8f0'],
  dim: ['#566173', '#9aa7b8'],
  line: ['#dde3ea', '#2b3542'],
  card: ['#fff', '#161c24'],
  soft: ['#eef1f5', '#1f2731'],
  link: ['#0b5cad', '#7db8f5'],
  sign: ['#9a3d00', '#7a3000'],
  code: ['#0f1720', '#0b0f14'],
  'code-ink': ['#dce4ee', '#cfd8e3'],
  mark: ['#fff3c4', '#4a3d10'],
  get: ['#0a7a4b', '#4cc38a'],
  post: ['#0b5cad', '#76b4f5'],
  patch: ['#9a5b00', '#e2a746'],
  delete: ['#b3261e', '#f2837b'],
  warn: ['#fff6e0', '#2a2312'],
  'warn-line': ['#e0a93a', '#8a6a1f'],
});

export const STYLE = `
:root{${SHADES}}
${THEME_STYLE}
.aside select{height:2rem;font:inherit;font-size:14px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink)}
*{box-sizing:border-box}html{scroll-padding-top:5.5rem}
body{margin:0;font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--card);overflow-wrap:break-word}
a{color:var(--link);text-decoration:none}a:hover,p a,.said a,td a{text-decoration:underline;text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}main:focus{outline:none}
.skip{position:absolute;left:-99rem;z-index:9;background:var(--card);padding:.4rem .8rem}.skip:focus{left:.5rem;top:.5rem}
${HEADER_STYLE}
.search{position:relative;width:19rem}.search[hidden]{display:none}.search input{width:100%;height:2rem;font:inherit;padding:0 .7rem;border:1px solid var(--line);border-radius:8px;background:var(--soft);color:var(--ink)}
#results{position:absolute;right:0;width:min(34rem,94vw);top:calc(100% + .4rem);list-style:none;margin:0;padding:.3rem;background:var(--card);border:1px solid var(--line);border-radius:10px;box-shadow:0 8px 30px #0004;max-height:70vh;overflow:auto}
#results li>a{display:block;padding:.4rem .6rem;border-radius:6px;color:var(--ink);line-height:1.4;overflow-wrap:anywhere}#results li[aria-selected=true]>a,#results li>a:hover{background:var(--soft);text-decoration:none}
#results small{display:block;color:var(--dim);font-size:13px}#results mark{background:var(--mark);color:inherit;border-radius:2px}#results .none{padding:.6rem;color:var(--dim)}
code,pre,.path{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:is(p,li,.said,td,.lead) code{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:0 .25em}
.page{display:grid;grid-template-columns:18rem minmax(0,1fr);max-width:96rem;margin:0 auto}
.side{position:sticky;top:4.9rem;height:calc(100vh - 4.9rem);overflow:auto;padding:1.2rem 1rem 2rem 1.2rem;border-right:1px solid var(--line);font-size:14px}
.side b{display:block;margin:1rem 0 .2rem;font-size:13px;color:var(--dim)}.side a{display:block;padding:.14rem .5rem;border-radius:6px;color:var(--ink)}.side a:hover{background:var(--soft);text-decoration:none}.side a:has(.method){display:flex;gap:.4rem}.side .method{flex:0 0 2.7rem}.side .path{font-size:12.5px;overflow-wrap:anywhere}.side a[aria-current]{background:var(--soft);font-weight:600}
main{padding:1.3rem 2rem 4rem;min-width:0}
h1{font-size:1.75rem;line-height:1.2;margin:.2rem 0 .4rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}h3{font-size:1.05rem;margin:0}
.lead{font-size:1.05rem;color:var(--dim);margin:0 0 1rem}.prose{max-width:50rem}.trail{margin:0;font-size:14px;color:var(--dim)}.jump{line-height:1.9}
.group{margin-top:2rem;border-top:1px solid var(--line);padding-top:.2rem}.group>h2{margin:.8rem 0 .2rem}.group>p{margin:.2rem 0 .6rem}
.only{background:var(--warn);border:1px solid var(--warn-line);border-radius:8px;padding:.5rem .9rem;margin:.6rem 0!important;max-width:50rem}
.operations,.names{list-style:none;margin:.4rem 0;padding:0}.operations>li{display:grid;grid-template-columns:minmax(0,23rem) minmax(0,1fr);gap:.1rem 1rem;padding:.3rem .4rem;border-radius:6px}.operations>li>a{display:flex;gap:.5rem}.operations .method{flex:0 0 2.9rem}.operations .path{overflow-wrap:anywhere}.operations .said{color:var(--dim)}
.names>li{display:inline-block;margin:0 1rem .15rem 0;font-size:14px;border-radius:4px}li:target{background:var(--mark)}
.both{display:grid;gap:0 2.2rem;grid-template-columns:minmax(0,1.1fr) minmax(0,1fr)}.both>div>p:first-child{margin-top:.6rem}.both>div>h2:first-child{margin-top:.4rem}
.anchor{color:inherit}.anchor:hover::after{content:" #";color:var(--dim)}.event{padding:.9rem 0;border-top:1px solid var(--line)}.event p{margin:.3rem 0 .4rem}.event:target>h3{background:var(--mark);border-radius:4px}
.route{margin:.3rem 0 .6rem;overflow-wrap:anywhere}.route code{font-size:14px}.scope{font-size:13px;color:var(--dim);margin-left:.6rem}
.method{font:700 11px/1.9 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.02em}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.tree{list-style:none;margin:0;padding:0}.tree>li{padding:.4rem 0;border-top:1px solid var(--line)}
.tree>li:first-child{border-top:0}.inner{margin:.3rem 0 0 .4rem;padding-left:.9rem;border-left:2px solid var(--line)}
.key{font-weight:600}.type{color:var(--dim);font-size:13px}.mark{font-size:12px;color:var(--dim);border:1px solid var(--line);border-radius:9px;padding:0 .45em}
.mark.required{color:var(--delete);border-color:transparent;padding:0}.said{font-size:14px}.limits{font-size:13px;color:var(--dim)}
.limits code{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:0 .25em}
summary{cursor:pointer}summary::marker{color:var(--dim)}details details{margin-top:.2rem}.any{color:var(--dim);font-size:13px}.any>div{padding:.2rem 0}
pre{background:var(--code);color:var(--code-ink);padding:.8rem 1rem;border-radius:8px;overflow:auto;margin:.3rem 0 .8rem;max-height:32rem}
pre b{font-weight:400;color:#8ec7ff}pre s{text-decoration:none;color:#a8d99c}pre i{font-style:normal;color:#f0b27a}
table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-top:1px solid var(--line)}th{color:var(--dim);font-weight:600;border-top:0}td code{overflow-wrap:anywhere}.headers td:first-child{white-space:nowrap}
.around{display:flex;justify-content:space-between;gap:1rem;margin-top:2.5rem}.around a{flex:0 1 46%;border:1px solid var(--line);border-radius:9px;padding:.5rem .9rem;line-height:1.4}.around a:hover{border-color:var(--link);text-decoration:none}.around small{display:block;color:var(--dim)}.around .next{text-align:right}
@media(max-width:75rem){.both{grid-template-columns:minmax(0,1fr)}}
@media(max-width:60rem){.page{display:block}.side{display:none}html{scroll-padding-top:1rem}main{padding:1rem 1rem 3rem}h1{font-size:1.5rem}}
@media(max-width:48rem){pre{white-space:pre-wrap;overflow-wrap:anywhere}.search{width:auto}#results{left:0;right:0;width:auto}.operations>li{grid-template-columns:minmax(0,1fr);padding:.4rem .2rem}.headers td:first-child{white-space:normal}.headers :is(td,th):nth-child(3){display:none}.problems thead{display:none}.problems :is(tbody,tr,td){display:block;border:0;padding:0}.problems tr{border-top:1px solid var(--line);padding:.5rem 0}.problems td:nth-child(-n+2){display:inline-block;margin-right:.6rem}.problems td:empty{display:none}}
@media print{.side,.around{display:none}.page{display:block}pre{max-height:none;white-space:pre-wrap}}
`;

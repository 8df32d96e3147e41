/** The style of the guide: light and dark, one column on a phone, three on a wide screen. No font is loaded. */
import { shades } from '../../../base/text/shades.ts';
import { HEADER_STYLE, THEME_STYLE } from '../../../base/text/site-header.ts';
import { TOKEN_SHADES } from '../../../contract/resources/palette.ts';
import { COLOUR_TOKENS } from '../../../contract/resources/vocabulary.ts';

const SHADES = shades({
  ...TOKEN_SHADES,
  ink: ['#1b2430', '#e2e8f0'],
  dim: ['#566173', '#9aa7b8'],
  line: ['#dde3ea', '#2b3542'],
  page: ['#fff', '#161c24'],
  card: ['#fff', '#161c24'],
  soft: ['#eef1f5', '#1f2731'],
  sign: ['#9a3d00', '#7a3000'],
  link: ['#0b5cad', '#7ab7f7'],
  accent: ['#b45309', '#f0a94b'],
  code: ['#f5f7fa', '#171d26'],
  c: ['#5f6b7a', '#8a97a8'],
  k: ['#8a3ffc', '#c4a5ff'],
  s: ['#0a6b3d', '#8fd6a8'],
  mark: ['#fff3c4', '#4a3d10'],
});

export const STYLE = `:root{${SHADES};--shadow:0 8px 30px light-dark(rgba(20,30,50,.16),rgba(0,0,0,.5))}
${THEME_STYLE}
.swatch{display:inline-block;width:.85em;height:.85em;border-radius:3px;vertical-align:-1px}${COLOUR_TOKENS.map((token) => `.swatch.${token}{background:var(--${token})}`).join('')}
.aside select{height:2rem;font:inherit;font-size:14px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink)}
*{box-sizing:border-box}html{scroll-padding-top:5.5rem;-webkit-text-size-adjust:100%}
body{margin:0;font:16px/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
a{color:var(--link);text-decoration:none}a:hover,article p a,article li a,article td a{text-decoration:underline;text-underline-offset:.18em;text-decoration-thickness:1px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem;z-index:9}
${HEADER_STYLE}.brand{font-weight:700;color:var(--ink);white-space:nowrap}.brand::before{content:"◢";color:var(--accent);margin-right:.4rem}.version{color:var(--dim);font-size:13px;margin:0 0 .8rem}
.search{position:relative;width:19rem}
.search input{width:100%;height:2rem;font:inherit;padding:0 .7rem;border:1px solid var(--line);border-radius:8px;background:var(--soft);color:var(--ink)}
.search input:focus{outline:2px solid var(--link);outline-offset:-1px}
#results{position:absolute;right:0;width:min(34rem,94vw);top:calc(100% + .4rem);list-style:none;margin:0;padding:.3rem;background:var(--page);border:1px solid var(--line);border-radius:10px;box-shadow:var(--shadow);max-height:70vh;overflow:auto}
#results li>a{display:block;padding:.45rem .6rem;border-radius:6px;color:var(--ink);line-height:1.4}#results li[aria-selected=true]>a,#results li>a:hover{background:var(--soft);text-decoration:none}
#results b{font-weight:600}#results small{display:block;color:var(--dim);font-size:13px}#results mark{background:var(--mark);color:inherit;border-radius:2px}#results .none{padding:.6rem;color:var(--dim)}
.columns{display:grid;grid-template-columns:16.5rem minmax(0,1fr) 14rem;max-width:94rem;margin:0 auto}
.side{font-size:15px}.side.wide{position:sticky;top:4.9rem;height:calc(100vh - 4.9rem);overflow:auto;padding:1.2rem 1rem 2rem 1.5rem;border-right:1px solid var(--line)}.side.narrow{display:none}
.menu{margin-bottom:1.1rem}.menu b,.outline b{display:block;font-size:12.5px;letter-spacing:.02em;color:var(--dim);margin-bottom:.2rem}
.menu a{display:block;padding:.16rem .6rem;border-radius:6px;color:var(--ink);line-height:1.45}.menu a:hover{background:var(--soft);text-decoration:none}.menu a[aria-current]{background:var(--soft);color:var(--link);font-weight:600}
main{padding:1.6rem 2.5rem 4rem;min-width:0}article,.around,footer{max-width:50rem;margin-left:auto;margin-right:auto}
main:focus{outline:none}
h1{font-size:2rem;line-height:1.2;margin:.2rem 0 1rem}h2{font-size:1.4rem;line-height:1.3;margin:2.4rem 0 .7rem;padding-top:1.1rem;border-top:1px solid var(--line)}h3{font-size:1.12rem;margin:1.8rem 0 .5rem}
a.anchor{text-decoration:none!important}.anchor{color:var(--dim);opacity:0;font-weight:400}h2:hover .anchor,h3:hover .anchor,.anchor:focus{opacity:1}
p,ul,ol{margin:.7rem 0}li{margin:.3rem 0}ul,ol{padding-left:1.4rem}
code,pre{font:13.5px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p code,li code,td code,h1 code,h2 code,h3 code,th code{background:var(--soft);border:1px solid var(--line);border-radius:5px;padding:.05em .3em;font-size:.86em}
pre{position:relative;background:var(--code);border:1px solid var(--line);border-radius:9px;padding:.8rem 1rem;margin:.9rem 0;overflow:auto;max-height:38rem}pre code{font-size:13.5px}
pre.output{background:transparent;border-style:dashed;color:var(--dim)}pre.output::before{content:"Output";display:block;font:600 11.5px/1 system-ui,sans-serif;color:var(--dim);margin-bottom:.5rem}
pre .c{color:var(--c)}pre .k{color:var(--k)}pre .s{color:var(--s)}
.block{position:relative}.copy{position:absolute;top:.45rem;right:.45rem;font:12px/1 system-ui,sans-serif;padding:.35rem .55rem;border:1px solid var(--line);border-radius:6px;background:var(--page);color:var(--dim);cursor:pointer;opacity:0}.block:hover .copy,.copy:focus{opacity:1}
.tabs{margin:.9rem 0}.tab pre{margin-top:0}.shell{margin:.4rem 0 .2rem;font-size:13px;color:var(--dim)}
.tabs.live .shell{display:none}.tabs.live .tab[hidden]{display:none}.tablist{display:flex;gap:.3rem}.tablist button{font:13px/1 system-ui,sans-serif;padding:.45rem .8rem;border:1px solid var(--line);border-bottom:0;border-radius:8px 8px 0 0;background:var(--page);color:var(--dim);cursor:pointer}.tablist button[aria-selected=true]{background:var(--code);color:var(--ink);font-weight:600}.tabs.live pre{border-top-left-radius:0}
.table{overflow-x:auto;margin:.9rem 0}table{border-collapse:collapse;width:100%;font-size:15px;line-height:1.5}th,td{text-align:left;vertical-align:top;padding:.45rem .8rem .45rem 0;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:600}td:first-child{min-width:7rem}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:9px}
.outline{position:sticky;top:4.9rem;max-height:calc(100vh - 4.9rem);overflow:auto;padding:1.8rem 1rem 2rem 0;font-size:14px;line-height:1.4}.outline a{display:block;padding:.16rem 0 .16rem .7rem;color:var(--dim);border-left:2px solid var(--line)}.outline a.d3{padding-left:1.5rem}.outline a.now{color:var(--link);border-color:var(--link)}
.around{display:flex;justify-content:space-between;gap:1rem;margin-top:3rem}.around a{flex:0 1 46%;border:1px solid var(--line);border-radius:9px;padding:.6rem .9rem;line-height:1.4}.around a:hover{border-color:var(--link);text-decoration:none}.around small{display:block;color:var(--dim)}.around .after{text-align:right}
footer{margin-top:1.5rem;font-size:14px;color:var(--dim)}
@media(max-width:1180px){.columns{grid-template-columns:16.5rem minmax(0,1fr)}.outline{display:none}}
@media(max-width:60rem){html{scroll-padding-top:1rem}
.columns{display:block}.side.wide{display:none}.side.narrow{display:block;border-bottom:1px solid var(--line);padding:.6rem 1rem}.side summary{font-weight:600;cursor:pointer}.side.narrow nav{padding-top:.6rem}.menu a{padding:.35rem .6rem}
main{padding:1rem 1rem 3rem}h1{font-size:1.6rem}h2{font-size:1.25rem}table{font-size:14px}.copy{position:static;display:block;margin:-.7rem 0 .9rem auto;opacity:1}}
@media(max-width:48rem){.search{width:auto}#results{left:0;width:auto}}
@media print{.side,.outline,.around,footer,.copy,.anchor{display:none!important}.columns{display:block}pre{max-height:none;white-space:pre-wrap}}
`;

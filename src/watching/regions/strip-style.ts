/**
 * The style of the strip of what is urgent, on live pages and on the report: one line, on a narrow screen of two rows that are as high
 * as it. The page defines `--card` and `--critical`.
 */
const HIDDEN = '{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}';
const CUT = 'overflow:hidden;text-overflow:ellipsis';

export const STRIP_STYLE = `
.urgent{position:relative;margin:0;display:flex;align-items:center;gap:0 1.3rem;padding:.4rem 1.2rem;white-space:nowrap;overflow:hidden;font-variant-numeric:tabular-nums;background:var(--card);box-shadow:inset 6px 0 var(--critical)}.urgent.loud{background:var(--critical);color:var(--card)}.urgent i{font-style:normal}.urgent .short{display:none}.urgent .figures{display:flex;gap:0 1.3rem}.urgent>*{flex:none}.urgent .what{text-transform:uppercase;flex:0 1 auto;min-width:3.5rem;${CUT}}.urgent:not(.loud) .what i{color:var(--critical)}.urgent .where{flex:0 9 auto;min-width:2.5rem;${CUT}}.urgent.loud .late{border:1px solid;border-radius:4px;padding:0 .4rem}.urgent a{color:inherit;text-decoration:underline}.urgent .way{background:inherit;border:1px solid;border-radius:6px;padding:0 .7rem;font-weight:600;text-decoration:none}.urgent :focus-visible{outline-color:currentcolor;outline-offset:1px}
@media(max-width:60rem){.urgent .more .word${HIDDEN}.urgent .more .short{display:inline}}
@media(max-width:50rem){.urgent{display:grid;grid-template:1fr 1fr/minmax(0,auto) minmax(0,1fr) auto auto;height:2.3rem;gap:0 .4rem;padding:.1rem .6rem;font-size:12px;line-height:1.3;letter-spacing:-.02em}.urgent .what{min-width:0;font-size:11px}.urgent .where{grid-area:2/1/3/3;min-width:0}.where+*{grid-area:1/2}.urgent.loud .late{padding:0;border:0}.urgent .word${HIDDEN}.urgent .short{display:inline}.urgent .figures{grid-area:1/3/3/4;flex-direction:column}.urgent .way{grid-area:1/4/3/5;border-radius:4px;padding:0 .25rem}.urgent .way:not(:last-child){grid-row-end:2}.way~*,.urgent>.more{grid-area:2/4;text-align:right}.urgent .way::before{content:"";position:absolute;inset:0}.urgent .more{position:relative}}
`;

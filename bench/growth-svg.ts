/** How cost grows with the number of watches, as SVG: panels beside each other, a line for each process, both axes logarithmic. */

export interface GrowthLine {
  readonly name: string;
  /** By number of watches. */
  readonly points: readonly (readonly [watches: number, value: number])[];
}

export interface GrowthPanel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly GrowthLine[];
}

/** Pixels of a panel. */
const W = 300;
const H = 250;
const PAD = { left: 52, right: 22, top: 34, bottom: 34 } as const;
const LEGEND = 26;
const INKS = ['#c2410c', '#1d4ed8', '#15803d', '#7e22ce'] as const;

const log = Math.log10;
const at = (value: number): string => String(Math.round(value * 10) / 10);
const text = (value: number): string => (value >= 1_000 ? `${value / 1_000}k` : String(value));

/** The powers of ten around the values. */
function decades(values: readonly number[]): number[] {
  const from = Math.floor(log(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(log(Math.max(...values))));
  return Array.from({ length: to - from + 1 }, (_, n) => 10 ** (from + n));
}

export function growthSvg(panels: readonly GrowthPanel[]): string {
  const width = W * panels.length;
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const ink = (name: string) => INKS[names.indexOf(name) % INKS.length] as string;
  const legend = names.map(
    (name, n) =>
      `<g transform="translate(${PAD.left + n * 150},${H + 14})"><path d="M0 0h18" stroke="${ink(name)}" stroke-width="2.5"/><text x="24" y="4">${name}</text></g>`,
  );
  const drawn = panels.map((one, n) => `<g transform="translate(${n * W},0)">${panel(one, ink)}</g>`);
  const style =
    'text{font:12px system-ui,sans-serif;fill:#1f2937}.title{font-weight:600}.grid{stroke:#e5e7eb;fill:none}.tick{fill:#6b7280;font-size:11px}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${H + LEGEND}" role="img" aria-label="${panels.map(({ title }) => title).join('; ')}, by number of watches"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${drawn.join('')}${legend.join('')}</svg>\n`;
}

function panel({ title, unit, lines }: GrowthPanel, ink: (name: string) => string): string {
  const points = lines.flatMap((line) => line.points);
  const [across, up] = [decades(points.map(([watches]) => watches)), decades(points.map(([, value]) => value))];
  const scale = (values: readonly number[], value: number): number => {
    const [from, to] = [log(values[0] as number), log(values.at(-1) as number)];
    return (log(value) - from) / (to - from);
  };
  const x = (watches: number) => at(PAD.left + scale(across, watches) * (W - PAD.left - PAD.right));
  const y = (value: number) => at(H - PAD.bottom - scale(up, value) * (H - PAD.top - PAD.bottom));
  const grid = [
    ...across.map(
      (one) =>
        `<path class="grid" d="M${x(one)} ${PAD.top}V${H - PAD.bottom}"/><text class="tick" x="${x(one)}" y="${H - PAD.bottom + 16}" text-anchor="middle">${text(one)}</text>`,
    ),
    ...up.map(
      (one) =>
        `<path class="grid" d="M${PAD.left} ${y(one)}H${W - PAD.right}"/><text class="tick" x="${PAD.left - 6}" y="${y(one)}" dy="4" text-anchor="end">${text(one)}</text>`,
    ),
  ];
  const drawn = lines.map(({ name, points: own }) => {
    const marks = own.map(
      ([watches, value]) => `<circle cx="${x(watches)}" cy="${y(value)}" r="3" fill="${ink(name)}"/>`,
    );
    const path = own.map(([watches, value]) => `${x(watches)} ${y(value)}`).join('L');
    return `<path d="M${path}" fill="none" stroke="${ink(name)}" stroke-width="2"/>${marks.join('')}`;
  });
  return `<text class="title" x="${PAD.left}" y="18">${title}, ${unit}</text>${grid.join('')}${drawn.join('')}`;
}

/** A frame as SVG: cells as text that keeps its columns, and what fonts lack or tear apart (braille, boxes, bars) as shapes. */
import type { Cell, Glass } from '../test/dashboard/glass.ts';

/** Pixels of a cell. */
const W = 8;
const H = 16;
const PAD = 14;
const GROUND = '#0f141a';
const INK = '#d6dde6';

/** The 16 named colours, as a dark terminal has them. */
const PALETTE = [
  ...['#1b2330', '#f2545b', '#57c785', '#e5b454', '#6ea8fe', '#c586f0', '#4cc3d9', '#c9d1d9'],
  ...['#6b7787', '#ff6b72', '#7ee2a8', '#ffd173', '#8fc0ff', '#f08bd8', '#7fe3f2', '#ffffff'],
];

interface Look {
  readonly ink: string;
  /** Null: the ground. */
  readonly ground: string | null;
  readonly isBold: boolean;
}

function lookOf({ colour, background, isBold, isInverse }: Cell): Look {
  const ink = colour === null ? INK : (PALETTE[colour] as string);
  const ground = background === null ? null : (PALETTE[background] as string);
  return isInverse ? { ink: ground ?? GROUND, ground: ink, isBold } : { ink, ground, isBold };
}

const at = (value: number): string => String(Math.round(value * 100) / 100);

/** Where the dots of a braille cell lie: bit, column, row. */
const DOTS = [
  [0x01, 0, 0],
  [0x02, 0, 1],
  [0x04, 0, 2],
  [0x40, 0, 3],
  [0x08, 1, 0],
  [0x10, 1, 1],
  [0x20, 1, 2],
  [0x80, 1, 3],
] as const;

/** Lines of a box from the middle of the cell: up, right, down, left; corners are round. */
const BOXES: Readonly<Record<string, string>> = {
  '─': 'H',
  '│': 'V',
  '╭': 'es',
  '╮': 'ws',
  '╯': 'nw',
  '╰': 'ne',
};

/** Parts of a cell that are filled, from the bottom, and how densely. */
const BARS: Readonly<Record<string, readonly [height: number, density: number]>> = {
  '█': [1, 1],
  '▓': [1, 0.75],
  '▒': [1, 0.5],
  '░': [1, 0.28],
  '▁': [1 / 8, 1],
  '▂': [2 / 8, 1],
  '▃': [3 / 8, 1],
  '▄': [4 / 8, 1],
  '▅': [5 / 8, 1],
  '▆': [6 / 8, 1],
  '▇': [7 / 8, 1],
};

/** Signs that fonts draw at sizes of their own, around the middle of a cell. */
const SIGNS: Readonly<
  Record<string, (x: number, y: number) => { path: string; isOutline?: boolean; dashes?: string }>
> = {
  '●': (x, y) => ({ path: circle(x, y, 3.4) }),
  '○': (x, y) => ({ path: circle(x, y, 2.9), isOutline: true }),
  '◌': (x, y) => ({ path: circle(x, y, 2.9), isOutline: true, dashes: '1.5 1.5' }),
  '▲': (x, y) => ({ path: `M${at(x - 3.8)} ${at(y + 3.4)}h7.6l-3.8-7.2z` }),
  '◆': (x, y) => ({ path: `M${at(x)} ${at(y - 4.2)}l3.7 4.2-3.7 4.2-3.7-4.2z` }),
  '▶': (x, y) => ({ path: `M${at(x - 3)} ${at(y - 3.8)}l6.4 3.8-6.4 3.8z` }),
  '·': (x, y) => ({ path: circle(x, y, 1.1) }),
  '✕': (x, y) => ({ path: `M${at(x - 2.8)} ${at(y - 2.8)}l5.6 5.6m0-5.6l-5.6 5.6`, isOutline: true }),
  '▌': (x, y) => ({ path: `M${at(x - 4)} ${at(y - 8)}h4v16h-4z` }),
  '▚': (x, y) => ({ path: `M${at(x - 4)} ${at(y - 8)}h4v8h4v8h-4v-8h-4z` }),
};

const circle = (x: number, y: number, r: number): string =>
  `M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${at(2 * r)} 0a${r} ${r} 0 1 0 ${at(-2 * r)} 0`;

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** What is drawn in one colour. */
class Layer {
  dots = '';
  fills = new Map<number, string>();
  signs = '';
  lines = '';
  dashed = '';
}

/** What is seen on the terminal. */
export function svgOf(glass: Glass, title: string): string {
  const { columns, rows } = glass.size;
  const [width, height] = [columns * W + 2 * PAD, rows * H + 2 * PAD];
  const layers = new Map<string, Layer>();
  const layer = (ink: string): Layer => {
    const known = layers.get(ink) ?? new Layer();
    layers.set(ink, known);
    return known;
  };
  let [grounds, texts] = ['', ''];
  for (let y = 0; y < rows; y += 1) {
    for (const { from, to, look } of runsOf(glass, y)) {
      const [left, top] = [PAD + from * W, PAD + y * H];
      if (look.ground !== null)
        grounds += `<path fill="${look.ground}" d="M${left} ${top}h${(to - from) * W}v${H}h${(from - to) * W}z"/>`;
      let word = '';
      let begun = from;
      const write = (): void => {
        const text = word.trimEnd();
        if (text.trim() !== '') texts += textAt(begun, y, text, look);
        word = '';
      };
      for (let x = from; x < to; x += 1) {
        const character = glass.cell(x, y).character || ' ';
        const isShape = draw(layer(look.ink), character, x, y);
        if (isShape || (character === ' ' && (word === '' || word.endsWith(' ')))) {
          write();
          begun = x + 1;
        } else {
          if (word === '') begun = x;
          word += character;
        }
      }
      write();
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>`,
    grounds,
    ...[...layers].map(([ink, parts]) => layerText(ink, parts)),
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="13" xml:space="preserve">`,
    texts,
    '</g>',
    '</svg>',
    '',
  ]
    .filter((line, place, all) => line !== '' || place === all.length - 1)
    .join('\n');
}

/** Each run of cells of a row that look alike. */
function* runsOf(glass: Glass, y: number): Generator<{ from: number; to: number; look: Look }> {
  const { columns } = glass.size;
  const keyOf = (x: number): string => JSON.stringify({ ...glass.cell(x, y), character: null });
  let from = 0;
  for (let x = 1; x <= columns; x += 1) {
    if (x < columns && keyOf(x) === keyOf(from)) continue;
    yield { from, to: x, look: lookOf(glass.cell(from, y)) };
    from = x;
  }
}

/** Whatever the font is, a text takes its cells and no more. */
function textAt(column: number, row: number, text: string, { ink, isBold }: Look): string {
  const width = [...text].length * W;
  const [x, y] = [PAD + column * W, PAD + row * H + 12];
  const bold = isBold ? ' font-weight="700"' : '';
  return `<text x="${x}" y="${y}" fill="${ink}"${bold} textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`;
}

/** Draws the character where it is a shape; false: it is a letter. */
function draw(layer: Layer, character: string, column: number, row: number): boolean {
  const [left, top] = [PAD + column * W, PAD + row * H];
  const [x, y] = [left + W / 2, top + H / 2];
  const bits = (character.codePointAt(0) as number) - 0x2800;
  if (bits > 0 && bits < 0x100) {
    for (const [bit, dotX, dotY] of DOTS)
      if ((bits & bit) !== 0) layer.dots += `M${left + 2 + dotX * 4} ${top + 2 + dotY * 4}h0`;
    return true;
  }
  const box = BOXES[character];
  if (box !== undefined) {
    layer.lines += boxPath(box, x, y);
    return true;
  }
  const bar = BARS[character];
  if (bar !== undefined) {
    const [part, density] = bar;
    const path = `M${left} ${at(top + H * (1 - part))}h${W}V${top + H}h-${W}z`;
    layer.fills.set(density, (layer.fills.get(density) ?? '') + path);
    return true;
  }
  const sign = SIGNS[character]?.(x, y);
  if (sign === undefined) return false;
  if (sign.dashes !== undefined) layer.dashed += sign.path;
  else if (sign.isOutline === true) layer.lines += sign.path;
  else layer.signs += sign.path;
  return true;
}

function boxPath(box: string, x: number, y: number): string {
  const [w, h, r] = [W / 2, H / 2, W / 2];
  switch (box) {
    case 'H':
      return `M${x - w} ${y}h${W}`;
    case 'V':
      return `M${x} ${y - h}v${H}`;
    case 'es':
      return `M${x + w} ${y}q-${r} 0-${r} ${r}V${y + h}`;
    case 'ws':
      return `M${x - w} ${y}q${r} 0 ${r} ${r}V${y + h}`;
    case 'nw':
      return `M${x - w} ${y}q${r} 0 ${r}-${r}V${y - h}`;
    default:
      return `M${x + w} ${y}q-${r} 0-${r}-${r}V${y - h}`;
  }
}

function layerText(ink: string, { dots, fills, signs, lines, dashed }: Layer): string {
  const parts = [
    ...[...fills].map(
      ([density, path]) => `<path fill="${ink}"${density === 1 ? '' : ` opacity="${density}"`} d="${path}"/>`,
    ),
    dots === '' ? '' : `<path stroke="${ink}" stroke-width="2.4" stroke-linecap="round" d="${dots}"/>`,
    lines === '' ? '' : `<path stroke="${ink}" stroke-width="1.1" fill="none" d="${lines}"/>`,
    dashed === ''
      ? ''
      : `<path stroke="${ink}" stroke-width="1.1" stroke-dasharray="1.5 1.5" fill="none" d="${dashed}"/>`,
    signs === '' ? '' : `<path fill="${ink}" d="${signs}"/>`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}
